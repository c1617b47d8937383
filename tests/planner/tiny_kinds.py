"""Tiny machines of several kinds of processor.

Slots are kept for kinds of board, some of which stand in every machine; a board has ports for
several networks or brings several channels; an accelerator may plug into another board.
"""

from __future__ import annotations

from random import Random
from typing import Any

Rows = dict[str, dict[str, Any]]
Tables = dict[str, Rows]

# What a board does -> a role of it that slots are kept for.
_KEPT = {
    "network_interface": "protocol_processor",
    "disk_adapter": "storage_processor",
    "nvram": "nvram",
    "file_processor": "file_processor",
}
_BUS = "vme"


def several_kinds(draw: Random, tables: Tables) -> None:
    """Turn the boards and slots of other tiny tables into such."""
    boards = tables["boards"]
    _second_interface(draw, tables)
    boards["file"] = {
        "bus": _BUS, "role": ["file_processor"], "slots_used": 1, "disk_busses": [],
        "not_on": [], "orderable": draw.random() < 0.7,
    }  # fmt: skip
    boards["adapter0"]["disk_busses"] = ["narrow"]
    for row in boards.values():
        row |= {"bus": _BUS, "slots_used": draw.choice((1, 1, 1, None)), "not_on": []}
        row["role"] = [*row["role"], *(k for r, k in _KEPT.items() if r in row["role"] and k != r)]
        if len(row["disk_busses"]) == 1 or draw.random() < 0.2:
            row["channels"] = draw.choice((None, 1, 2, 2))
    _ports(draw, tables)
    _accelerator(draw, tables)
    tables["platform-slots"].clear()
    for name, platform in tables["platforms"].items():
        builtin = draw.choice(([], [], ["narrow"]))
        platform |= {
            "memory_increment_mb": 32, "onboard_memory_limit_mb": 64, "memory_boards": [],
            "builtin_disk_busses": builtin, "builtin_networks": draw.choice(([], [], ["if0"])),
        }  # fmt: skip
        _slots(draw, name, tables)
        _base(draw, name, tables)


def _second_interface(draw: Random, tables: Tables) -> None:
    """Often there are two, on boards of their own, with ports for other numbers of networks."""
    interfaces = tables["network-interfaces"]
    if len(interfaces) < 2 and draw.random() < 0.7:
        interfaces["if1"] = {**interfaces["if0"], "boards": ["net10"]}
    for name, row in interfaces.items():
        row["boards"] = row["boards"] or [f"net{name.removeprefix('if')}0"]
        for board in row["boards"]:
            plain = {"role": ["network_interface"], "disk_busses": [], "orderable": True}
            tables["boards"].setdefault(board, plain)


def _ports(draw: Random, tables: Tables) -> None:
    for row in tables["network-interfaces"].values():
        number = draw.choice((None, 1, 2, 2, 3))
        if draw.random() < 0.5:
            row["networks_per_board"] = number
            continue
        for board in row["boards"]:
            tables["boards"][board]["networks"] = number


def _accelerator(draw: Random, tables: Tables) -> None:
    """It may plug into an adapter, or into a board that is always there."""
    for row in tables["nvram-accelerators"].values():
        if draw.random() < 0.6:
            tables["boards"][row["board"]]["bus"] = draw.choice(("adapter0", "adapter0", "file"))
        row["bus"] = tables["boards"][row["board"]]["bus"]


def _slots(draw: Random, platform: str, tables: Tables) -> None:
    """A run of slots for each kind, and now and then one for any board."""
    takes = [[role] for role in _KEPT.values()]
    if draw.random() < 0.3:
        takes.append(["any"])
    if draw.random() < 0.2:
        takes.append(draw.sample(sorted(_KEPT.values()), k=2))
    draw.shuffle(takes)
    first = 1
    for number, roles in enumerate(takes):
        last = first + draw.choice((0, 0, 1)) - (draw.random() < 0.05)
        _run(tables, platform, f"{_BUS}-{number}", _BUS, (first, last), roles)
        first = last + 1
    for bus in ("adapter0", "file"):
        _run(tables, platform, bus, bus, (1, draw.choice((1, 2))), ["nvram"])


def _run(
    tables: Tables, platform: str, name: str, bus: str, run: tuple[int, int], takes: list[str]
) -> None:
    first, last = run
    tables["platform-slots"][f"{platform}-{name}"] = {
        "platform": platform, "bus": bus, "first": first, "last": last, "takes": takes,
    }  # fmt: skip


def _base(draw: Random, platform: str, tables: Tables) -> None:
    """Some boards that every such machine has, and how many channels it uses of one."""
    for name in tables["boards"]:
        likely = {"file": 0.7, "nvram": 0.1, "net00": 0.2, "net10": 0.2}.get(name, 0.4)
        there = (1,) * 9 + (2,) if draw.random() < likely else (0, None)
        tables["platform-boards"][f"{platform}-{name}"] = {
            "platform": platform, "board": name, "base": draw.choice(there),
            "channels_in_use": draw.choice((None, None, 1, 2)),
        }  # fmt: skip
