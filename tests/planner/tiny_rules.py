"""Rules for tiny guides: those of a real guide with other numbers, and invented ones.

The invented ones tie together what a search chooses separately.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import yaml

from generated_workloads import ENGINE

_ALL_RULES = Path(__file__).resolve().parents[2] / "rules"
RULES, OWN = _ALL_RULES / "sun-1992", _ALL_RULES / "own"

Rule = dict[str, Any]

# Without these a disk has no end and a channel no last address: they are in every tiny guide.
ALWAYS = ("2.4.4-space", "2.3.3-targets")
LIMITS = (
    "V", "VII", "VIII", "IX", "XIII", "1.1.1-interface-sustained", "1.1.1-sustained",
    "1.1.2-interface", "1.1.5-memory", "1.1.7-backup-device", "1.1.7-nvram-uniprocessor",
    "1.2.7-least-memory", "1.2.8-processors", "2.10.1-kernel-lock", "2.11.1-copies",
    "2.12-offload", "2.3-slots",
    "2.4.2-bus-time", "2.4.3-string-rate", "2.4.4-random", "2.4.4-serial", "2.8-bus",
    "1.1.2-response",
)  # fmt: skip
ADVICE = (
    "III", "IV", "XI", "XII", "XIV", "XXVIII", "1.1.2-diskless", "1.1.7-online-backup",
    "2.11.1-halves-apart",
)  # fmt: skip
# What makes sense of a demand for backups and for mirrors.
DEMANDED = ("1.1.7-backup-device", "2.11.1-copies")
# What makes a theme of a theme.
OF_THEME = {
    "boards": ("1.1.2-interface",),
    "busses": ("2.8-bus", "XIV"),
    "channels": ("VII", "IX", "2.4.2-bus-time"),
    "mirrors": ("2.11.1-halves-apart",),
    "slots": ("1.1.5-memory", "XIV"),
}


def tiny_rules(seed: str, theme: str) -> dict[str, Rule]:
    """Some of the rules, with numbers of their own.

    Each is drawn apart, so that a change of one leaves all others, and the rest of a case, alone.
    """
    chances = dict.fromkeys(LIMITS, 0.5) | dict.fromkeys(ADVICE, 0.35)
    chances |= dict.fromkeys((*DEMANDED, *OF_THEME.get(theme, ())), 0.9)
    chances |= dict.fromkeys(ALWAYS, 1)
    found = {
        name: _redrawn(seed, name) for name, chance in chances.items()
        if Random(f"{seed} {name}").random() < chance
    }  # fmt: skip
    return found | _drawn(seed, INVENTED, 0.05)


def recommended(seed: str) -> dict[str, Rule]:
    """Some of the invented rules of recommended limits."""
    return _drawn(seed, RECOMMENDED, 0.15)


def _drawn(seed: str, rules: Sequence[Rule], chance: float) -> dict[str, Rule]:
    found = {}
    for rule in rules:
        if Random(f"{seed} {rule['id']}").random() < chance:
            parameters = {
                name: {"value": _of(seed, rule["id"], name).choice(values), "unit": unit}
                for name, (unit, values) in rule["parameters"].items()
            }
            found[rule["id"]] = {**rule, "parameters": parameters}
    return found


def _of(seed: str, rule: str, parameter: str) -> Random:
    return Random(f"{seed} {rule} {parameter}")


@cache
def _real() -> Mapping[str, Rule]:
    return _read(RULES)


@cache
def _own() -> Mapping[str, Rule]:
    return _read(OWN)


def own_rules() -> dict[str, Rule]:
    """The rules that every guide has."""
    return {
        name: {**rule, "bounds": _bounds(rule), "own": True,
               "parameters": rule.get("parameters") or {}}
        for name, rule in _own().items()
    }  # fmt: skip


def _read(folder: Path) -> dict[str, Rule]:
    found = {}
    for path in sorted(folder.glob("*.yaml")):
        with path.open("rb") as file:
            rule = yaml.load(file, Loader=yaml.CSafeLoader)
        found[rule["id"]] = rule
    return found


def _redrawn(seed: str, name: str) -> Rule:
    rule = _real()[name]
    parameters = {}
    for key, parameter in (rule.get("parameters") or {}).items():
        draw = _of(seed, name, key)
        if "table" in parameter:
            parameters[key] = _of_table(draw, parameter)
            continue
        unit = parameter["unit"]
        value = parameter["value"] * draw.choice((0.5, 1, 1, 1.5))
        parameters[key] = {"value": min(value, 1) if unit == "1" else value, "unit": unit}
    return {
        **rule,
        "parameters": parameters,
        "message": "told",
        "remedy": "",
        "bounds": _bounds(rule),
    }


def _bounds(rule: Rule) -> list[Mapping[str, str]]:
    """The bounds of a rule, of which a file states one alone or several."""
    bounds = rule.get("bounds") or []
    return bounds if isinstance(bounds, list) else [bounds]


def _of_table(draw: Random, parameter: Mapping[str, str]) -> dict[str, Any]:
    """A value in the unit of a cell; of rates and sizes such as tiny machines have."""
    guide = ENGINE.guide
    unit = guide.table(parameter["table"]).columns[parameter["field"]].unit
    if unit == "op/s":
        return {"value": draw.choice((60, 120, 250)), "unit": unit}
    cell = guide.row(parameter["table"], parameter["row"]).require(parameter["field"])
    return {"value": cell.likely * draw.choice((0.25, 0.5, 1)), "unit": unit}


def _invented(
    name: str, subject: str, severity: str, require: str, when: str | None = None,
    bounds: Sequence[Mapping[str, str]] = (), **parameters: tuple[str, Sequence[float]],
) -> Rule:  # fmt: skip
    return {
        "id": name, "title": "invented", "message": "told", "subject": subject, "when": when,
        "severity": severity, "require": require, "bounds": bounds, "parameters": parameters,
    }  # fmt: skip


_MB, _RATE, _PART = (32, 48, 64, 96), (20, 60, 120), (0.3, 0.5, 0.8)
_EASY = (5, 10, 20)

INVENTED = (
    _invented("memory-and-backup", "system", "advice",
              "system.memory_mb >= roomy_mb and system.online_backup", roomy_mb=("MB", _MB)),
    _invented("memory-or-nvram", "system", "advice",
              "system.memory_mb >= roomy_mb or system.nvram_accelerator", roomy_mb=("MB", _MB)),
    _invented("memory-a-network", "system", "violation",
              "system.memory_mb >= each_mb * system.networks", each_mb=("MB", (16, 24, 32))),
    _invented("memory-not-too-large", "system", "advice", "system.memory_mb <= most_mb",
              most_mb=("MB", _MB)),
    _invented("served-is-known", "system", "violation", "known(system.nfs_sustained_ops_per_s)"),
    _invented("gathering-on-one-network", "system", "violation",
              "not (system.write_gathering and system.networks > 1)"),
    _invented("two-advices-in-one", "system", "advice",
              "system.online_backup and (system.write_gathering or system.nvram_accelerator)"),
    _invented("several-networks", "network", "violation", "network.nfs_ops_per_s <= most",
              "system.networks > 1", [{"resource": "network.nfs_ops_per_s", "at_most": "most"}],
              most=("op/s", _RATE)),
    _invented("offload-with-nvram", "network", "advice",
              "network.interface_kind == 'protocol_offload_nic' or system.nvram_accelerator"),
    _invented("one-pattern-a-channel", "channel", "advice",
              "channel.random_disks == 0 or channel.serial_disks == 0"),
    _invented("channel-beside-gathering", "channel", "violation",
              "channel.demanded_kb_per_s <= most", "system.write_gathering",
              [{"resource": "channel.demanded_kb_per_s", "at_most": "most"}],
              most=("KB/s", (100, 300, 600))),
    _invented("few-disks-a-channel", "channel", "advice",
              "channel.random_disks + channel.serial_disks <= most", most=("disk", (1, 2))),
    _invented("quiet-disk", "disk", "advice", "disk.operations_per_s <= quiet",
              quiet=("op/s", (5, 10, 20))),
    _invented("busy-disk-behind-nvram", "disk", "violation",
              "disk.operations_per_s <= quiet or system.nvram_accelerator", None,
              [{"resource": "disk.operations_per_s", "at_most": "quiet"}],
              quiet=("op/s", (10, 20, 30))),
    _invented("roomy-disk", "disk", "advice", "disk.stored_mb <= part * disk.capacity_mb",
              part=("1", _PART)),
    _invented("slot-to-spare", "slots", "advice", "slots.used + spare <= slots.available",
              spare=("slot", (1, 2))),
    _invented("easy-bus", "bus", "advice",
              "bus.demanded_mb_per_s <= part * bus.sustained_mb_per_s", part=("1", _PART)),
    _invented("random-is-apart", "volume", "advice",
              "volume.access == 'serial' or not volume.copies_share_channel"
              " or system.online_backup"),
)  # fmt: skip

RECOMMENDED = (
    _invented("easy-network", "network", "recommended", "network.nfs_ops_per_s <= easy", None,
              [{"resource": "network.nfs_ops_per_s", "at_most": "easy"}], easy=("op/s", _RATE)),
    _invented("easy-disk", "disk", "recommended", "disk.operations_per_s <= easy", None,
              [{"resource": "disk.operations_per_s", "at_most": "easy"}], easy=("op/s", _EASY)),
    _invented("easy-channel", "channel", "recommended", "channel.demanded_kb_per_s <= easy", None,
              [{"resource": "channel.demanded_kb_per_s", "at_most": "easy"}],
              easy=("KB/s", (50, 100, 200))),
    _invented("easy-memory", "system", "recommended", "system.memory_mb >= roomy_mb",
              roomy_mb=("MB", _MB)),
)  # fmt: skip
