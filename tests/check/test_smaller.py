"""Whether fewer processors would be enough for what was measured."""

from __future__ import annotations

from typing import Any

import pytest

from check.test_first_step import disk, server
from generated_boxes import FILE
from generated_workloads import ENGINE, Plain, text_of
from sizewright.api import report_check
from sizewright.box.reading import read_box
from sizewright.documents import parse_document
from sizewright.output.check import check_text
from sizewright.output.reports import CheckReport


def report(processors: int, **observed: object) -> CheckReport:
    plain = server([disk("a")], services=["timesharing"], observed=observed)
    document = parse_document(text_of(plain | {"processors": processors}), FILE)
    return report_check(read_box(document), document, ENGINE)


def cpu(user: float, system: float = 2) -> Plain:
    return {"cpu": {"user_percent": user, "system_percent": system}}


@pytest.mark.parametrize(
    ("processors", "user", "enough"),
    # An SS670MP has two or four. Of four, 38 % are 76 of two, 40 are 80 and 41 above our 80 %.
    [(4, 5, 2), (4, 36, 2), (4, 38, 2), (4, 39, None), (4, 60, None), (2, 5, None)],
)
def test_as_few_as_miss_no_further_limit_are_enough(
    processors: int, user: float, enough: int | None
) -> None:
    found = report(processors, **cpu(user))
    assert found.enough_processors == enough
    line = f"It has {processors} processors for today's load; {enough} processors would be enough."
    assert (line in check_text(found)) == (enough is not None)


def test_without_measured_processor_time_nothing_is_said() -> None:
    assert report(4).enough_processors is None


def test_too_many_for_file_service_are_named_with_its_load() -> None:
    found = report(4, **cpu(0), nfs={"ops_per_s": 30, "mix": "legato"})
    assert "It has 4 processors for 30 op/s of NFS; 2 processors would be enough." in check_text(
        found
    )


QUIET = {"disks": {"a": {"busy_percent": 5}}}


def smaller(user: float, system: float, **more: Any) -> str | None:
    seen = {**cpu(user, system), **more.pop("observed", QUIET)}
    plain = server([disk("a")], services=["timesharing"], observed=seen, **more)
    document = parse_document(text_of(plain), FILE)
    found = report_check(read_box(document), document, ENGINE)
    line = "The same parts and load on a smaller "
    assert (line in check_text(found)) == (found.smaller_platform is not None)
    return found.smaller_platform


VME = [{"id": "string", "board": "isp-80", "slots": [8]}]
STRING = [{"id": "ipi0", "kind": "ipi-2", "provider": "string",
           "devices": [disk("a", device="1-3gb-ipi")]}]  # fmt: skip


@pytest.mark.parametrize(
    ("user", "system", "more", "expected"),
    # All of these have processors of 28.5 MIPS. Two are busy for 40 % here, one for 80 %, which is
    # our limit; the lock of the kernel is busy for 20 %.
    [
        (30, 10, {}, "sparcstation-2"), (31, 10, {}, "sparcserver-630mp"),
        (50, 10, {}, "sparcserver-630mp"),
        # A SPARCstation 2 takes no VME board, and at most 128 MB.
        (30, 10, {"boards": VME}, "sparcserver-630mp"),
        (30, 10, {"memory": {"total_mb": 160}}, "sparcserver-630mp"),
        # Smaller ones have SCSI disks only (2.8).
        (30, 10, {"platform": "sparcserver-690mp", "boards": VME, "channels": STRING}, None),
        # A slower one: 12.5 MIPS of a SPARCstation 1 are not on offer.
        (30, 10, {"platform": "sparcstation-2", "processors": 1}, None),
        # A limit is missed today.
        (10, 60, {}, None),
        # The load of the processors alone says too little.
        (30, 10, {"observed": {}}, None),
    ],
)  # fmt: skip
def test_the_smallest_platform_with_the_same_parts_is_named(
    user: float, system: float, more: Plain, expected: str | None
) -> None:
    assert smaller(user, system, **more) == expected
