"""The load of an existing server whose disks were observed in several reports."""

from __future__ import annotations

import pytest

from sizewright.demand.rates import Known, LineItem
from sizewright.demand.usage import UsageProfile
from sizewright.load.measured import Measured, derive_busiest, derive_measured, derive_peak, peak
from sizewright.load.model import Load
from sizewright.quantity import Provenance, Quantity
from small import GUIDE, channel, disk, given, system

SERVER = system(channels=(channel("builtin-1", disk("a"), disk("b")),))
REPORTS = ({"a": 40.0, "b": 5.0}, {"a": 10.0, "b": 30.0}, {"a": 20.0, "b": 28.0})


def observed(disk_: str) -> Quantity:
    """The operations of a disk in all reports: least, mean and greatest."""
    rates = [report[disk_] for report in REPORTS]
    name = f"observed.{disk_}"
    ends = min(rates), sum(rates) / len(rates), max(rates)
    return Quantity(*ends, "op/s", name=name, source=Provenance("box", name))


MEASURED = Measured(disks={name: (LineItem(name, observed(name)),) for name in ("a", "b")})
MOMENTS = tuple(
    {f"observed.{name}": given(rate, unit="op/s") for name, rate in report.items()}
    for report in REPORTS
)


def rates(load: Load) -> dict[str, float]:
    return {name: sum(line.figure.high for line in of or ()) for name, of in load.disks.items()}


def test_the_busiest_moment_has_the_most_operations_of_all_disks() -> None:
    """45, 40 and 48 op/s: the third report, in which no disk is at its peak."""
    found = derive_busiest(MEASURED, UsageProfile(), SERVER, GUIDE, MOMENTS)
    assert rates(found) == pytest.approx({"a": 20, "b": 28})


def test_without_reports_the_busiest_moment_is_the_peak_of_each_disk() -> None:
    found = derive_busiest(MEASURED, UsageProfile(), SERVER, GUIDE)
    assert rates(found) == rates(derive_peak(MEASURED, UsageProfile(), SERVER, GUIDE))
    assert rates(found) == pytest.approx({"a": 40, "b": 30})


def test_what_does_not_vary_is_the_same_at_every_moment() -> None:
    steady = Measured(disks={"a": (LineItem("a", given(7, unit="op/s")),)})
    at_peak = derive_peak(steady, UsageProfile(), SERVER, GUIDE, MOMENTS)
    assert rates(at_peak) == rates(derive_measured(steady, UsageProfile(), SERVER, GUIDE))
    assert rates(derive_busiest(steady, UsageProfile(), SERVER, GUIDE, MOMENTS)) == rates(at_peak)


def lines(**rates: float) -> tuple[LineItem, ...]:
    return tuple(LineItem(name, given(rate, unit="op/s")) for name, rate in rates.items())


LEAST, MEAN, GREATEST = lines(a=1, b=2), lines(a=4, b=5), lines(a=10, b=6)


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        # `a` varies most: at its greatest it stands beside the least of `b`.
        ((LEAST, MEAN, GREATEST), lines(a=10, b=2)),
        ((LEAST, lines(a=9, b=5), GREATEST), lines(a=9, b=5)),
        ((LEAST, MEAN, GREATEST, lines(a=9, b=5), lines(a=1, b=6)), lines(a=9, b=5)),
        # What does nothing at its least is left out beside the line that varies most.
        ((lines(b=2), lines(a=1, b=4), lines(a=3, b=6)), lines(b=6)),
        ((lines(a=2), lines(a=3), lines(a=4)), lines(a=4)),
        ((None, MEAN, GREATEST), GREATEST),
        ((LEAST, None, GREATEST), GREATEST),
        ((LEAST, MEAN, None), None),
        ((LEAST, MEAN, ()), ()),
    ],
)
def test_the_peak_of_a_sum_is_its_largest_at_one_moment(
    values: tuple[Known, ...], wanted: Known
) -> None:
    found = peak(*values)
    assert _tops(found) == _tops(wanted)


def _tops(found: Known) -> list[tuple[str, float]] | None:
    return None if found is None else [(line.name, line.figure.high) for line in found]
