"""Workloads made at random, as plain data that goes through the real reader of YAML files."""

from __future__ import annotations

from typing import Any

import yaml
from hypothesis import assume
from hypothesis import strategies as st

from sizewright.api import load_engine, policy_of
from sizewright.demand.build import demand_of
from sizewright.documents import parse_document
from sizewright.engine import rules_for
from sizewright.planner.plan import Plan
from sizewright.planner.planning import Planning
from sizewright.planner.protection import plan_surviving
from sizewright.workload.reading import read_workload
from sizewright.workload.workload import Workload

GUIDE = "sun-1992"
FILE = "generated.yaml"
ENGINE = load_engine(GUIDE)

Plain = dict[str, Any]

_MEDIA = ("ethernet", "ethernet", "token-ring-4mb", "token-ring-16mb", None)
_ACTIVITIES = ("286-pc-load-email", "ss2-load-30mb-file", "ss1-write-10mb-file")


class _WithoutAliases:
    """Writes a value that is met twice twice, for the program refuses aliases."""

    def ignore_aliases(self, _data: Any) -> bool:
        """No value is an alias of another."""
        return True


class _Written(_WithoutAliases, yaml.SafeDumper):
    """Writes any text."""


class _WrittenSoon(_WithoutAliases, getattr(yaml, "CSafeDumper", yaml.SafeDumper)):
    """Writes what UTF-8 can."""


def text_of(plain: Plain) -> str:
    """The workload as a user's file."""
    try:
        return yaml.dump(plain, Dumper=_WrittenSoon, sort_keys=False)
    except UnicodeEncodeError:
        return yaml.dump(plain, Dumper=_Written, sort_keys=False)


def read(plain: Plain) -> Workload:
    """The workload as the program reads it."""
    return read_workload(parse_document(text_of(plain), FILE))


def planned(plain: Plain, explain: bool = True) -> Plan:
    """The workload's plan under the guide as it is; no clients are divided over systems.

    Why machines do not pass takes most of the time, and is left out unless it is to be explained.
    """
    workload = read(plain)
    rule_set = rules_for(workload.policy, ENGINE, "plan")
    planning = Planning(ENGINE.guide, rule_set, policy_of(workload.policy, ENGINE.guide))
    demand = demand_of(workload, ENGINE.guide)
    found = plan_surviving(demand, planning, explain)
    divided = found.group is not None and any(m.quantity > 1 for m in found.group.members)
    return plan_surviving(demand._replace(systems=1), planning, explain) if divided else found


def fitting(plain: Plain) -> Plan:
    """The plan of a workload that some machine supports; others are not asked about."""
    found = planned(plain, explain=False)
    assume(found.chosen is not None)
    return found


def _range(draw: st.DrawFn, least: int, most: int) -> int | list[int]:
    low, high = sorted((draw(st.integers(least, most)), draw(st.integers(least, most))))
    return low if low == high or draw(st.booleans()) else [low, high]


def _present(plain: Plain) -> Plain:
    return {key: value for key, value in plain.items() if value is not None}


@st.composite
def _networks(draw: st.DrawFn) -> list[Plain]:
    names = ("north", "south", "west")[: draw(st.integers(1, 3))]
    return [
        _present(
            {
                "name": name,
                "medium": draw(st.sampled_from(_MEDIA)),
                "keep_medium": draw(st.booleans()),
                "segments_at_most": draw(st.sampled_from((1, 2, 4))),
            }
        )
        for name in names
    ]


@st.composite
def _volumes(draw: st.DrawFn) -> list[Plain]:
    found: list[Plain] = []
    for name in ("alpha", "beta", "gamma")[: draw(st.integers(1, 3))]:
        protection = draw(st.sampled_from(("none", "none", "mirror")))
        alike = [v["name"] for v in found if v["protection"] == protection]
        found.append(
            _present(
                {
                    "name": name,
                    "size_mb": _range(draw, 20, 2500),
                    "access": draw(st.sampled_from(("random", "serial"))),
                    "protection": protection,
                    "activity": draw(st.sampled_from(("hot", "hot", "cold"))),
                    "shares_disks_with": draw(st.sampled_from((None, *alike))),
                    "read_only": draw(st.booleans()),
                    "cached_mb": draw(st.sampled_from((None, None, 10))),
                }
            )
        )
    return found


@st.composite
def _loads(draw: st.DrawFn, busy: int) -> Plain:
    kind = draw(st.sampled_from(("ops", "ops", "activity", "data")))
    if kind == "ops":
        return {"ops_per_s": draw(st.sampled_from((busy, 2 * busy, [busy, 2 * busy])))}
    if kind == "activity":
        every = draw(st.sampled_from((300, 600)))
        duty = {"burst_s": [5, 6], "every_s": every, "times": draw(st.sampled_from((1, 2)))}
        return {"activity": draw(st.sampled_from(_ACTIVITIES)), **duty}
    size = {"name": "page", "kb": busy * draw(st.integers(4, 40))}
    sound = {"name": "sound", "byte": 2, "per_s": 1000, "seconds": 3}
    return {"data": [size, sound][: draw(st.integers(1, 2))], "every_s": 60}


@st.composite
def _services(draw: st.DrawFn, networks: list[Plain], volumes: list[Plain]) -> list[Plain]:
    found: list[Plain] = []
    busy = draw(st.sampled_from((1, 6, 12)))
    for name in ("edit", "mail", "build")[: draw(st.integers(1, 3))]:
        load = draw(_loads(busy))
        clients = draw(st.sampled_from((5, 20, [20, 30], 40)))
        active = draw(st.sampled_from((None, None, [2, 3], {"of": 4, "at_once": [2, 3]})))
        chosen = draw(st.lists(st.sampled_from([v["name"] for v in volumes]), unique=True))
        weights: Any = {v: draw(st.integers(1, 3)) for v in chosen}
        mix: Any = draw(
            st.sampled_from((None, "brown", {"reads_percent": 20, "writes_percent": 5}))
        )
        unwritable = {v["name"] for v in volumes if v["read_only"]}
        nowhere = weights and unwritable.issuperset(weights)
        if ("data" in load and mix is None) or nowhere:
            mix = "brown"
        found.append(
            _present(
                {
                    "kind": "nfs",
                    "name": name,
                    "clients": clients,
                    "active": active,
                    "load": load,
                    "mix": mix,
                    "network": draw(st.sampled_from([n["name"] for n in networks])),
                    "diskless": draw(st.booleans()) or None,
                    "uses": weights or None,
                }
            )
        )
    return found


@st.composite
def workloads(draw: st.DrawFn) -> Plain:
    """Any workload of modest size; most of them fit on some platform."""
    networks, volumes = draw(_networks()), draw(_volumes())
    services = draw(_services(networks, volumes))
    names = [s["name"] for s in services]
    rivals = draw(st.permutations(names))[:2] if len(names) > 1 and draw(st.booleans()) else None
    backup = draw(
        st.sampled_from((None, {"during_working_hours": False}, {"at_night_in_use": True}))
    )
    media = draw(st.sampled_from((None, ["quarter-inch-tape"])))
    return _present(
        {
            "name": "generated",
            "networks": networks,
            "volumes": volumes,
            "services": services,
            "exclusive": [rivals] if rivals else None,
            "growth": draw(
                st.sampled_from((None, {"percent": 10}, {"percent": 10, "years": [1, 3]}))
            ),
            "backup": backup,
            "wishes": {"removable_media": media} if media else None,
            "policy": {"size_for": draw(st.sampled_from(("low", "likely", "high", "high")))},
        }
    )
