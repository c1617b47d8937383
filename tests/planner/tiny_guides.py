"""Invented guides and demands, small enough to try every configuration, drawn from a seed.

A case leans towards one theme, in which it has several parts to choose from, and is bare
elsewhere; together the cases reach every choice of the planner.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from planner.tiny_demands import tiny_demand
from planner.tiny_kinds import several_kinds
from planner.tiny_rules import ALWAYS, own_rules, recommended, tiny_rules
from sizewright.demand.model import Demand
from sizewright.evaluate.policy import Policy
from sizewright.guide.model import Citation, Guide, Row, Table
from sizewright.guide.table_schema import TABLES, Column
from sizewright.planner.planning import Planning
from sizewright.rules.compiler import RuleSet, compile_rules

THEMES = (
    "networks", "disks", "channels", "slots", "guests", "mirrors", "memory", "boards", "busses",
    "kinds",
)  # fmt: skip
# From this case on all have machines of several kinds of processor.
FIRST_OF_KINDS = 1100

Rows = dict[str, dict[str, Any]]
Tables = dict[str, Rows]

# Beside the columns that the program insists on: column -> unit.
_MORE: Mapping[str, Mapping[str, str]] = {
    "platforms": {"disk_interfaces": ""},
    "disks": {"interface": "", "random_block_kb": "KB/op", "sustained_percent": "%"},
    "disk-busses": {
        "random_disks_limit": "disk", "serial_disks_limit": "disk", "random_utilisation": "1",
        "serial_utilisation": "1", "asynchronous_bus": "",
    },
    "removable-media": {"asynchronous": ""},
    "boards": {"channels": "1", "networks": "1"},
    "platform-boards": {"platform": "", "board": "", "base": "1", "channels_in_use": "1"},
    "network-interfaces": {"processor_relief_percent": "%", "networks_per_board": "1"},
    "nvram-accelerators": {"name": "", "uniprocessor_overhead_percent": "%"},
    "nfs-mixes": {"operations_per_reference": "1"},
    "protocol-costs": {"transfer_kb_per_op": "KB/op"},
    "network-media": {"name": ""},
    "software": {
        "name": "", "update_cpu_overhead_percent": "%", "write_cpu_overhead_percent": "%",
    },
}  # fmt: skip


class Case(NamedTuple):
    """A tiny guide with its rules, and a demand to plan on it."""

    number: int
    theme: str
    guide: Guide
    rule_set: RuleSet
    demand: Demand
    policy: Policy

    @property
    def planning(self) -> Planning:
        """What its plans follow."""
        return Planning(self.guide, self.rule_set, self.policy)


def tiny_case(number: int) -> Case:
    """The case of a number; the same one on every run."""
    draw = Random(f"tiny guide {number}")
    *others, kinds = THEMES
    theme = others[number % len(others)] if number < FIRST_OF_KINDS else kinds
    tables = tiny_tables(draw, theme)
    _limit_channels(Random(f"channels {number}"), tables)
    rules = tiny_rules(f"rules {number}", theme) | recommended(f"recommended {number}")
    if number % 2:
        rules |= own_rules()
    guide = Guide(
        id="tiny",
        title="Tiny",
        version="1",
        digest="",
        defaults={"operating_system": "os", "nfs_mix": "mix", "nfs_transfer": "transfer"},
        sections={},
        documents={},
        tables={name: table(name, rows) for name, rows in tables.items()},
        rules=rules,
    )
    size_for = draw.choice(("high", "high", "high", "likely", "low"))
    demand = tiny_demand(draw, theme, guide, size_for)
    follow = draw.choice(("where_free",) * 5 + ("always", "never"))
    weighed = [rule for rule in rules if rule not in ALWAYS]
    waived = {draw.choice(weighed): "so agreed"} if weighed and draw.random() < 0.1 else {}
    policy = Policy(size_for, follow, waived)
    return Case(number, theme, guide, compile_rules(guide), demand, policy)


def table(name: str, rows: Mapping[str, Mapping[str, Any]]) -> Table:
    """A table with the columns that the program reads."""
    needed = {key: use.unit for key, use in TABLES.get(name, {}).items() if use.needed}
    units = {**needed, **_MORE.get(name, {})}
    columns = {key: Column("number" if unit else "text", unit) for key, unit in units.items()}
    mark = Citation("invented", "printed")
    built = {key: Row(name, columns, key, values, mark, {}) for key, values in rows.items()}
    return Table(name, name, columns, built)


def tiny_tables(draw: Random, theme: str) -> Tables:
    """One to three platforms, and a few parts of each kind."""
    tables: Tables = {
        name: {} for name, columns in TABLES.items()
        if name == "platform-boards" or any(use.needed for use in columns.values())
    }  # fmt: skip
    _disks(draw, theme, tables)
    _interfaces(draw, theme in ("networks", "boards"), tables)
    _software(draw, tables)
    _boards_of_theme(draw, theme, tables)
    tables["memory-boards"]["memory"] = {
        "slots_used": draw.choice((1, 1, 2)),
        "bus": "vme" if theme == "slots" else draw.choice(("sbus", "vme", "vme")),
        "capacity_limit_mb": draw.choice((16, 32, 64)),
    }
    for number, rank in enumerate(draw.sample(range(1, 9), k=draw.choice((1, 2, 2, 3)))):
        _platform(draw, f"p{number}", rank, theme, tables)
    if theme == "kinds":
        several_kinds(draw, tables)
    _mixes(draw, tables)
    if draw.random() < 0.06:
        for row in tables["platforms"].values():
            row["rank"] = 1
    return tables


def _mixes(draw: Random, tables: Tables) -> None:
    tables["network-media"] = {"ethernet": {}, "ring": {}}
    tables["protocol-costs"] = {"transfer": {"transfer_kb_per_op": 8}}
    tables["nfs-mixes"]["mix"] = {"reads_percent": 30, "writes_percent": 10}
    capacities = list(tables["nfs-capacity"].values())
    if capacities and draw.random() < 0.5:
        # Operations of this mix cost more than those of the other.
        tables["nfs-mixes"]["costly"] = {
            "reads_percent": 30, "writes_percent": 15, "operations_per_reference": 0.55,
        }  # fmt: skip


def _limit_channels(draw: Random, tables: Tables) -> None:
    """Active disks and time of channels, of which some kinds have no limit."""
    for row in tables["disk-busses"].values():
        if draw.random() < 0.7:
            row |= {
                "random_disks_limit": draw.choice((0.5, 1, 2, 3)),
                "serial_disks_limit": draw.choice((0.5, 1, 2, 4)),
            }
        if row["rate_mb_per_s"] and draw.random() < 0.7:
            row |= {
                "random_utilisation": draw.choice((0.1, 0.2, 0.5)), "serial_utilisation": 0.65,
                "asynchronous_bus": draw.choice(("", "string")),
            }  # fmt: skip
    for disk in tables["disks"].values():
        disk |= {
            "random_block_kb": draw.choice((None, 8)), "sustained_percent": draw.choice((None, 65)),
        }  # fmt: skip
    for medium in tables["removable-media"].values():
        medium["asynchronous"] = draw.random() < 0.5


def _disks(draw: Random, theme: str, tables: Tables) -> None:
    tables["disk-busses"] = {
        "narrow": {
            "interface": "scsi", "rate_mb_per_s": draw.choice((1, 2, 3)),
            "targets_limit": draw.choice((2, 3, 3, 4)),
        },
        "string": {
            "interface": "ipi", "rate_mb_per_s": draw.choice((0.3, 0.6, 3, 3, 3, None)),
            "targets_limit": draw.choice((1, 2, 3)),
        },
    }  # fmt: skip
    many = theme in ("disks", "guests")
    for number in range(draw.choice((1, 2, 3) if many else (1, 1, 2))):
        kind = draw.choice(("narrow", "narrow", "string")) if number else "narrow"
        most = draw.choice((20, 40, 60, 80))
        tables["disks"][f"d{number}"] = {
            "interface": "scsi" if kind == "narrow" else "ipi",
            "disk_busses": [kind] if draw.random() < 0.9 else ["narrow", "string"],
            "capacity_mb": draw.choice((200, 424, 669, 1000)),
            "transfer_mb_per_s": draw.choice((0.4, 1, 1, 2, 2, 2, 2, 2, None)),
            "maximum_random_ops_per_s": most,
            "random_ops_per_s_at_65_percent": most * 0.65,
            "orderable": draw.random() < (0.7 if many and number else 0.97),
        }
    for number in range(1 if theme == "networks" else draw.choice((1, 1, 2))):
        busses = [draw.choice(("narrow", "narrow", "string"))]
        busses *= 2 if draw.random() < 0.04 else 1
        tables["boards"][f"adapter{number}"] = _board(draw, ["disk_adapter"], busses)
    for name, kind, use in (("tape", "tape", "backup"), ("cd", "cdrom", "install"),
                            ("auto", "tape", "backup")):  # fmt: skip
        if draw.random() < (0.3 if name == "auto" else 0.7):
            tables["removable-media"][name] = {
                "kind": kind, "use": [use], "transfer_kb_per_s": draw.choice((100, 300, None)),
                "disk_busses": [draw.choice(("narrow",) * 9 + ("string",))],
            }  # fmt: skip
    if draw.random() < (0.9 if theme == "busses" else 0.6):
        tables["boards"]["nvram"] = _board(draw, ["nvram"], [])
        tables["nvram-accelerators"]["nvram"] = {
            "name": "nvram", "board": "nvram", "bus": tables["boards"]["nvram"]["bus"],
            "uniprocessor_overhead_percent": draw.choice((5, 30, None)),
        }  # fmt: skip


def _board(draw: Random, role: Sequence[str], busses: Sequence[str]) -> dict[str, Any]:
    return {
        "bus": draw.choice(("sbus", "sbus", "vme")), "role": list(role),
        "slots_used": draw.choice((1, 1, 1, 1, 2, None)), "disk_busses": list(busses),
        "not_on": ["p0"] if draw.random() < 0.05 else [], "orderable": draw.random() < 0.97,
        "typical_bandwidth_mb_per_s": draw.choice((1, 2, 4, None)),
        "maximum_bandwidth_mb_per_s": draw.choice((4, 8, None)),
    }  # fmt: skip


def _interfaces(draw: Random, rich: bool, tables: Tables) -> None:
    for number in range(draw.choice((1, 2, 3)) if rich else draw.choice((1, 1, 2))):
        boards = []
        for extra in range(draw.choice((1, 2, 2)) if rich else draw.choice((0, 1, 1))):
            boards.append(f"net{number}{extra}")
            busses = ["narrow"] if draw.random() < 0.12 else []
            role = ["network_interface", *(["disk_adapter"] if busses else [])]
            tables["boards"][boards[-1]] = _board(draw, role, busses)
        latency = draw.choice((10, 20, 30))
        medium = draw.choice(("ethernet", "ethernet", "ring"))
        tables["network-interfaces"][f"if{number}"] = {
            "medium": medium if number else "ethernet", "boards": boards,
            "interface_kind": draw.choice(("plain", "plain", "protocol_offload_nic")),
            "nfs_ops_per_s": draw.choice((120, 250, 400, 400, None if number else 60)),
            "latency_ms": draw.choice((latency, latency, [latency, latency + 20])),
            "processor_relief_percent": draw.choice((None, 40)),
        }  # fmt: skip


def _software(draw: Random, tables: Tables) -> None:
    tables["software"]["manager"] = {"kind": "volume_manager", "name": "manager"}
    if draw.random() < 0.5:
        tables["software"]["gather"] = {
            "kind": "write_gathering_nfs", "name": "gather", "write_cpu_overhead_percent": 20,
            "update_cpu_overhead_percent": draw.choice((12, None)),
        }  # fmt: skip
    if draw.random() < 0.6:
        tables["software"]["backup"] = {"kind": "online_backup", "name": "backup"}
    tables["operating-systems"]["os"] = {
        "kernel_locks": draw.choice((1, 1, None)), "working_memory_mb": draw.choice((8, 14, 40)),
        "needs": ["cd"] if draw.random() < 0.2 else [],
    }  # fmt: skip


def _boards_of_theme(draw: Random, theme: str, tables: Tables) -> None:
    for name, row in tables["boards"].items():
        if theme == "slots":
            row["bus"] = draw.choice(("vme", "vme", "sbus"))
            row["slots_used"] = draw.choice((1, 1, 2))
        elif theme == "boards" and name.startswith("net"):
            # One board of an interface on each bus: together they may fit where neither does.
            row |= {"bus": "vme" if name.endswith("0") else "sbus", "slots_used": 1, "not_on": []}
        elif theme == "busses":
            row |= {"bus": "vme", "slots_used": 1}
    for row in tables["nvram-accelerators"].values():
        row["bus"] = tables["boards"][row["board"]]["bus"]


# How likely a platform has a built-in port of the first interface.
_PORT = {"boards": 0.2, "slots": 0.5}
_CHANNELS = ([], *[["narrow"]] * 11, ["string"], ["narrow"] * 2, ["narrow"] * 2)


def _platform(draw: Random, name: str, rank: int, theme: str, tables: Tables) -> None:
    likely = _PORT.get(theme, 0.85)
    ports = [
        interface for interface in tables["network-interfaces"]
        if draw.random() < (likely if interface == "if0" else 0.4)
    ]  # fmt: skip
    step = draw.choice((16, 32, 32))
    onboard = step * draw.choice((1, 2, 3, 3) if theme == "memory" else (1, 2))
    if theme != "slots" and draw.random() < 0.8:
        onboard = max(onboard, 32)
    tables["platforms"][name] = {
        "rank": rank, "orderable": True, "desktop": draw.random() < 0.5,
        "processor_counts": draw.choice(([1], [1, 2], [2])),
        "builtin_disk_busses": draw.choice(_CHANNELS),
        "builtin_networks": ports + (["if0"] if draw.random() < likely / 2 else []),
        "memory_increment_mb": step, "onboard_memory_limit_mb": onboard,
        "memory_limit_mb": onboard + step * draw.choice((0, 1, 2)),
        "memory_boards": ["memory"] if theme == "slots" or draw.random() < 0.5 else [],
        "disk_interfaces": draw.choice(([], [], [], ["scsi"], ["scsi", "ipi"])),
    }  # fmt: skip
    for bus in ("sbus", "vme"):
        odd = theme == "slots" and bus == "vme"
        rows = _odd_slots(draw) if odd else _slots(draw, theme)
        for number, row in enumerate(rows):
            tables["platform-slots"][f"{name}-{bus}-{number}"] = {
                "platform": name, "bus": bus, **row
            }  # fmt: skip
        if draw.random() < 0.8:
            tables["platform-busses"][f"{name}-{bus}"] = {
                "platform": name, "bus": bus, "sustained_mb_per_s": draw.choice((3, 6, 12, None)),
            }  # fmt: skip
    served = draw.choice((80, 150, 300, 600, 600))
    for networks in range(1, draw.choice((1, 2, 2, 2, 2, 3, 3, 3))):
        tables["nfs-capacity"][f"{name}-{networks}"] = {
            "platform": name, "required_networks": networks,
            "maximum_ops_per_s": served * networks,
            "sustained_ops_per_s": served * networks * 0.8,
        }  # fmt: skip


def _slots(draw: Random, theme: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    first = 1
    parts = {"channels": (1, 2), "busses": (1, 2), "boards": (1, 1)}.get(theme, (0, 1, 1, 1))
    for _ in range(draw.choice(parts)):
        last = first + draw.choice((0, 0 if theme == "boards" else 1))
        rows.append({
            "first": first, "last": last,
            "takes": draw.choice((["any"], ["any"], ["any"], ["any"], ["memory"], ["nothing"])),
            "processors_at_most": draw.choice((None, None, None, None, None, 1)),
        })  # fmt: skip
        first = last + 1
    return rows


def _odd_slots(draw: Random) -> list[dict[str, Any]]:
    """Slots of many roles, with gaps."""
    roles = ("any", "any", "any", "memory", "memory", "processors", "nothing")
    return [
        {"first": number, "last": number, "takes": [draw.choice(roles)]}
        for number in range(1, draw.choice((4, 5, 6)))
    ]
