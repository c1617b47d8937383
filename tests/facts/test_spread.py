"""How drives are spread over the busses of controllers and enclosures."""

from __future__ import annotations

from typing import Any

import pytest

from generated_workloads import Plain
from server_boxes import OLD, WIDE, chain, controller, drives, ends, record, server


def board(*numbers: int, rates: dict[str, int] | None = None, model: str = "smart-2dh") -> Any:
    """A controller with these numbers of drives on its busses."""
    names = "abc"
    channels = [
        {**chain(*drives(*(WIDE,) * number, name=names[n])), "id": f"scsi-{n}"}
        for n, number in enumerate(numbers)
    ]
    seen = {"disks": {name: {"kb_per_s": rate} for name, rate in (rates or {}).items()}}
    box = server(boards=controller(model), channels=channels, observed=seen)
    return record(box, "board", "ctl")


@pytest.mark.parametrize(
    ("numbers", "most", "fewest"), [((3, 2), 3, 2), ((4,), 4, 0), ((2, 2), 2, 2), ((), None, None)]
)
def test_a_bus_that_is_not_told_of_is_empty(
    numbers: tuple[int, ...], most: int | None, fewest: int | None
) -> None:
    """Table 3: a Smart-2DH has two busses, for 30 drives."""
    found = board(*numbers)
    assert (ends(found.most_channel_disks), ends(found.fewest_channel_disks)) == (most, fewest)
    assert (ends(found.channels), ends(found.disks)) == (len(numbers), sum(numbers))
    assert (ends(found.channel_limit), ends(found.disk_limit)) == (2, 30)


@pytest.mark.parametrize(
    ("numbers", "rates", "spared"),
    [
        ((2, 1), {"a1": 500, "a2": 300, "b1": 100}, 300),
        ((2, 1), {"a1": 500, "a2": 300, "b1": 900}, 0),
        ((1, 1), {"a1": 500, "b1": 300}, 0),
        ((2,), {"a1": 500, "a2": 300}, 300),
        ((2, 1), {"a1": 500, "b1": 100}, None),
    ],
)
def test_what_moving_one_drive_spares_the_busiest_bus(
    numbers: tuple[int, ...], rates: dict[str, int], spared: float | None
) -> None:
    """800 against 100: with the 300 moved it is 500 against 400; with the 500, 600 against 300."""
    assert ends(board(*numbers, rates=rates).movable_kb_per_s) == spared


def test_of_three_busses_the_one_between_stays_as_it_is() -> None:
    """900, 700 and 0: with 400 moved the second is the busiest."""
    rates = {"a1": 500, "a2": 400, "b1": 700}
    assert ends(board(2, 1, rates=rates, model="smart-array-3100es").movable_kb_per_s) == 200
    del rates["a2"]
    assert board(2, 1, rates=rates, model="smart-array-3100es").movable_kb_per_s is None


def test_a_controller_whose_channels_may_be_anothers_tells_nothing() -> None:
    channel = {k: v for k, v in chain(*drives(WIDE)).items() if k != "provider"}
    boards = [*controller(), {"id": "other", "board": "smart-2dh", "slots": [2]}]
    assert record(server(boards=boards, channels=[channel]), "board", "ctl").disks is None
    assert record(server(boards=boards), "board", "ctl").disks is None


def enclosure(*busses: list[Plain], rates: dict[str, int] | None = None, **said: Any) -> Any:
    """A Fibre Channel Array with these drives on its busses."""
    every = [drive for bus in busses for drive in bus]
    seen = {"disks": {name: {"kb_per_s": rate} for name, rate in (rates or {}).items()}}
    loop = {"id": "loop", "kind": "fc-al", "devices": every}
    told = {"id": "box", "enclosure": "fibre-channel-array", "channel": "loop", **said}
    told["busses"] = [[drive["id"] for drive in bus] for bus in busses]
    return record(server(channels=[loop], enclosures=[told], observed=seen), "enclosure", "box")


@pytest.mark.parametrize(
    ("left", "right", "loss"),
    [(2, 0, 5), (0, 4, 7), (6, 0, 20), (1, 1, None), (3, 0, None), (4, 2, None)],
)
def test_what_is_lost_with_all_drives_on_one_bus(left: int, right: int, loss: float | None) -> None:
    """Printed for two, four and six drives."""
    found = enclosure(drives(*(WIDE,) * left, name="l"), drives(*(WIDE,) * right, name="r"))
    assert ends(found.imbalance_loss_percent) == loss
    spread = (ends(found.most_bus_disks), ends(found.fewest_bus_disks))
    assert spread == (max(left, right), min(left, right))


@pytest.mark.parametrize(("tall", "places"), [(True, 8), (False, 12), (None, (8, 12))])
def test_places_go_by_the_height_of_the_drives(tall: bool | None, places: Any) -> None:
    said = {} if tall is None else {"tall_disks": tall}
    assert ends(enclosure(drives(WIDE), **said).places) == places


def test_an_enclosure_moves_what_its_drives_do() -> None:
    """Of 80 MB/s, which are 81,920 KB/s."""
    found = enclosure(drives(WIDE, WIDE), rates={"d1": 30000, "d2": 12000})
    assert (ends(found.demanded_kb_per_s), ends(found.maximum_kb_per_s)) == (42000, 81920)
    assert enclosure(drives(WIDE, WIDE), rates={"d1": 30000}).demanded_kb_per_s is None


@pytest.mark.parametrize(
    ("kinds", "alike", "unadvised"),
    [
        ((WIDE, WIDE), True, 0),
        ((WIDE, OLD), False, 1),
        (("", ""), True, None),
        ((WIDE, ""), None, None),
    ],
)
def test_drives_for_other_busses_in_an_array(
    kinds: tuple[str, ...], alike: bool | None, unadvised: int | None
) -> None:
    """SCSI-3: Wide-Ultra drives for the greatest performance."""
    found = enclosure(drives(*kinds))
    assert (found.disks_alike, ends(found.unadvised_disks)) == (alike, unadvised)


def test_an_enclosure_of_untold_drives_is_no_empty_one() -> None:
    found = enclosure()
    assert (found.disks, ends(found.busses)) == (None, 2)
