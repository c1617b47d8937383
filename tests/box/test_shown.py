"""What a box says of profiles, arrays, enclosures and chains, and where that leads nowhere."""

from __future__ import annotations

from typing import Any

import pytest

from generated_workloads import Plain
from server_boxes import WIDE, chain, checked, controller, drives, ends, record, server
from sizewright.errors import InputError


def told(**more: Any) -> Plain:
    """A controller with two drives."""
    usual = {"boards": controller(), "channels": [chain(*drives(WIDE, WIDE))]}
    return server(**{**usual, **more})


def disks(**rates: float) -> Plain:
    return {"disks": {name: {"ops_per_s": rate} for name, rate in rates.items()}}


@pytest.mark.parametrize(
    ("profiles", "carried"),
    [
        (["oltp"], 30 * 2),
        (["video-server-read"], 30 * 512),
        (["oltp", "web-server"], 30 * 5),
        (["decision-support-load", "decision-support-query"], 30 * 8),
        ([], None),
    ],
)
def test_a_profile_sets_what_an_operation_moves(profiles: list[str], carried: float | None) -> None:
    """2 KB of OLTP, 512 of video, 2 and 8 as often as each other."""
    box = told(load_profiles=profiles, observed=disks(d1=10, d2=20))
    assert ends(record(box, "channel", "scsi").demanded_kb_per_s) == carried


@pytest.mark.parametrize(
    ("profiles", "access"),
    [
        (["oltp"], "random"),
        (["video-server-read"], "serial"),
        (["workstation-mix"], None),
        (["oltp", "video-server-read"], None),
    ],
)
def test_a_profile_sets_the_pattern_where_none_is_stated(
    profiles: list[str], access: str | None
) -> None:
    assert record(told(load_profiles=profiles), "disk", "d1").access == access
    volume = {"name": "data", "copies": [["d1"]], "activity": "hot"}
    box = told(load_profiles=profiles, volumes=[volume])
    assert record(box, "volume", "data").access == access
    box["volumes"][0]["access"] = "serial"
    assert record(box, "volume", "data").access == "serial"


@pytest.mark.parametrize(
    ("profiles", "random", "writes", "bound", "spared"),
    [
        (["web-server"], 1, 0, ("disk",), ("bus", "channel")),
        (["oltp"], 1, 0.33, ("disk",), ("channel",)),
        (["video-server-read"], 0, 0, ("bus", "channel"), None),
        (["workstation-mix"], 0.5, 0.5, None, None),
        (["decision-support-load", "decision-support-query"], 0.15, 0.25, None, None),
    ],
)
def test_shares_of_profiles_and_what_such_loads_wait_for(
    profiles: list[str], random: float, writes: float, bound: Any, spared: Any
) -> None:
    """Decision support: 25 % writes in sequence, 75 % reads, a fifth of them at random."""
    found = record(told(load_profiles=profiles), "system", "primary")
    assert ends(found.random_share) == pytest.approx(random)
    assert ends(found.disk_write_share) == pytest.approx(writes)
    assert (found.bound_by, found.spared) == (bound, spared)


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ({"load_profiles": ["oltpp"]}, "has no 'oltpp' in table load-profiles"),
        ({"volumes": [{"name": "v", "raid": 7}]}, "raid: guide compaq-1999 has no level 7"),
        ({"volumes": [{"name": "v", "raid": "raid-6"}]}, "has no level 'raid-6'"),
        ({"volumes": [{"name": "v", "raid": True}]}, "raid: "),
        ({"channels": [chain(*drives("scsi-ulta"))]}, "has no 'scsi-ulta' in table disk-busses"),
        ({"channels": [chain(*drives("fc-al"))]}, "channel 'scsi' is scsi"),
        ({"channels": [chain(adapter_bus_kind="wide")]}, "has no 'wide' in table disk-busses"),
        ({"enclosures": [{"id": "e", "enclosure": "u9"}]}, "has no 'u9' in table trays"),
        (
            {"enclosures": [{"id": "e", "enclosure": "storage-system-u1", "busses": [["d9"]]}]},
            "there is no disk 'd9'",
        ),
        (
            {
                "enclosures": [
                    {"id": "e", "enclosure": "storage-system-u2", "busses": [["d1"], ["d1"]]}
                ]
            },
            "disk 'd1' is also in enclosure 'e'",
        ),
        (
            {"enclosures": [{"id": "e", "enclosure": "storage-system-u1", "channel": "ide"}]},
            "there is no channel 'ide'",
        ),
        (
            {"boards": [{"id": "ctl", "board": "smart-2dh", "redundant_with": "ctl"}]},
            "there is no board 'ctl'",
        ),
    ],
)
def test_what_leads_nowhere_is_refused_once(more: Plain, what: str) -> None:
    with pytest.raises(InputError) as caught:
        checked(told(**more))
    assert what in caught.value.text()
    assert len(caught.value.faults) == 1


def test_a_server_of_databases_where_the_guide_tells_nothing_of_them() -> None:
    volume = {"name": "data", "cached_mb": 10}
    box = told(services=["database"], operating_system="netware-5", volumes=[volume])
    assert ends(record(box, "system", "primary").memory_needed_mb) == 10
