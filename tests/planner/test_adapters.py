"""Sets of adapters for which slots are left."""

from __future__ import annotations

from functional import machine
from sizewright.planner.adapters import Adapters
from sizewright.planner.parts import Machine
from small import GUIDE, row

SCSI, IPI = "scsi-synchronous", "ipi-2"
SERVER = Machine(GUIDE, row("platforms", "sparcserver-690mp"), 2, "solaris-1.0.1")


def test_there_are_no_more_than_slots_of_the_busses_they_go_into() -> None:
    offered = Adapters(SERVER, frozenset((IPI,)), {"sbus": 4, "vme": 2})
    assert offered.most == 2
    assert [list(offered.sets(n)) for n in range(4)] == [
        [()], [("isp-80",)], [("isp-80", "isp-80")], [],
    ]  # fmt: skip


def test_adapters_of_several_busses_are_counted_on_each() -> None:
    offered = Adapters(SERVER, frozenset((SCSI, IPI)), {"sbus": 1, "vme": 1})
    assert offered.most == 2
    found = {frozenset(names) for names in offered.sets(2)}
    assert all("isp-80" in names for names in found) and found
    assert all(names.count("isp-80") == 1 for names in offered.sets(2))


def test_those_with_slots_of_their_own_take_none_of_other_kinds() -> None:
    """3.3: three storage processors, one of which is there anyway."""
    server = machine("ns-5500")
    left = {**server.free_slots, "vme storage_processor": 2, "vme protocol_processor": 4}
    offered = Adapters(server, frozenset(("scsi-1",)), left)
    assert offered.most == 2
    assert list(offered.sets(2)) == [("storage-processor",) * 2]
    assert list(offered.sets(3)) == []
