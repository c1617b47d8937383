"""A column of a comparison from a plan as plain data, so that written plans serve as well."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sizewright.compare.model import Bottleneck, Column, Load, Parts

_BROKEN = "violated"
_DISK = "disk"
_NOT_DEALT = "its services cannot be divided over two systems"


def column(plan: Mapping[str, Any], name: str) -> Column:
    """What a comparison tells of a plan."""
    holds = plan["verdict"] != _BROKEN
    return Column(
        name, plan["workload"]["name"], plan["policy"]["size_for"],
        plan["policy"]["reserve_percent"], plan["verdict"], holds,
        plan["proven"], _bottleneck(plan["determinant"]), tuple(_loads(plan["budgets"])),
        tuple(_parts(plan)), () if holds else _reasons(plan),
    )  # fmt: skip


def impossible(
    name: str, workload: str, size_for: str, reserve_percent: float, reasons: tuple[str, ...]
) -> Column:
    """A column of what cannot be planned at all."""
    shortest = tuple(sorted(reasons, key=len))
    return Column(
        name, workload, size_for, reserve_percent, _BROKEN, False, True, None, (), (), shortest
    )


def _bottleneck(found: Mapping[str, Any] | None) -> Bottleneck | None:
    if found is None:
        return None
    return Bottleneck(found["resource"], found["share"], found["headroom"])


def _loads(budgets: list[dict[str, Any]]) -> Iterator[Load]:
    """The fullest of each kind, kinds in the order of the plan."""
    fullest: dict[str, Load] = {}
    for budget in budgets:
        share, kind = budget["share_of_limit"], budget["kind"]
        if share is not None and (kind not in fullest or share > fullest[kind].share):
            fullest[kind] = Load(kind, budget["resource"], share)
    yield from fullest.values()


def _parts(plan: Mapping[str, Any]) -> Iterator[Parts]:
    found = [system["configuration"] for system in plan["systems"]]
    nearest = plan["nearest"]
    if not found and nearest and nearest["configuration"]:
        found = [nearest["configuration"]]
    for system in found:
        boards = [*system["boards"], *(b for e in system["expansions"] for b in e["boards"])]
        devices = [d for c in system["channels"] for d in c["devices"]]
        yield Parts(
            system["id"], system["platform"], system["processors"], system["memory_mb"],
            len(boards), sum(device["kind"] == _DISK for device in devices),
        )  # fmt: skip


def _reasons(plan: Mapping[str, Any]) -> tuple[str, ...]:
    """Why a plan does not hold: of its nearest miss, else of what it does not survive."""
    if plan["unsurvived"]:
        found = [f"it does not survive without {each['component']}" for each in plan["unsurvived"]]
    elif plan["nearest"]:
        found = plan["nearest"]["reasons"]
    else:
        found = [reason for each in plan["rejected"] for reason in each["reasons"]]
    return tuple(sorted(dict.fromkeys(found), key=len)) or (_NOT_DEALT,)
