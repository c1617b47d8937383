"""What a drafted workload counts of file service: disks and kernel time once, diskless clients."""

from __future__ import annotations

import pytest

from box.test_workload import NETWORK, VOLUME, drafted, read, service
from check.test_first_step import disk, server
from generated_workloads import ENGINE, Plain, text_of
from sizewright.box.reading import known_of, read_box
from sizewright.box.workload import DraftedWorkload
from sizewright.demand.build import demand_of
from sizewright.documents import parse_document
from sizewright.load.cpu_load import cpu_load


def kernel_of(found: DraftedWorkload, box: Plain) -> float:
    """Return the kernel time in ms/s of a draft on the server that it was drafted from."""
    system = known_of(read_box(parse_document(text_of(box), "box.yaml")), ENGINE.guide).system
    kernel = cpu_load(demand_of(read(found), ENGINE.guide), system, ENGINE.guide).kernel or ()
    return sum(line.figure.high for line in kernel)


def test_kernel_time_is_that_of_the_server_and_counted_once() -> None:
    """40 % of two processors are 800 ms/s. Disk operations are part of them."""
    seen = {
        "cpu": {"user_percent": 30, "system_percent": 40},
        "disks": {"a": {"reads_per_s": 30, "writes_per_s": 6, "kb_per_s": 288}},
    }
    box = server([disk("a")], services=["timesharing"], observed=seen) | {"volumes": [VOLUME]}
    found = drafted(box)
    assert kernel_of(found, box) == pytest.approx(800, rel=1e-4)
    assert 0 < service(found, "measured")["kernel_ms_per_s"] < 800


@pytest.mark.parametrize("services", [["nfs"], ["nfs", "timesharing"]])
def test_kernel_time_beside_file_service_is_that_of_the_server(services: list[str]) -> None:
    """40 % of two processors are 800 ms/s, whatever NFS takes of it by Table 1.

    Its 15 % writes and at most 15 % reads of 200 op/s are part of the operations on the disk.
    """
    seen = {
        "nfs": {"ops_per_s": 200, "mix": "legato"},
        "cpu": {"user_percent": 5, "system_percent": 40},
        "disks": {"a": {"reads_per_s": 40, "writes_per_s": 32, "kb_per_s": 576}},
    }
    stated = server([disk("a")], services=services, networks=[NETWORK], observed=seen)
    box = stated | {"volumes": [VOLUME]}
    found = drafted(box)
    assert kernel_of(found, box) == pytest.approx(800, rel=1e-4)
    assert service(found, "nfs")["uses"] == {"data": 72}
    work = [(w["operation"], w["ops_per_s"]) for w in service(found, "measured").get("work", ())]
    assert work == ([] if services == ["nfs"] else [("read", 40 - 30), ("update", 32 - 30)])


def test_kernel_time_below_the_costs_of_the_guide_is_a_remark() -> None:
    """200 op/s × 1000 ms/s ÷ 500 op/s are 400 ms/s on a 670MP (Table 1); 10 % of 2 are 200."""
    seen = {"nfs": {"ops_per_s": 200, "mix": "legato"}}
    seen["cpu"] = {"user_percent": 5, "system_percent": 10}
    box = server([disk("a")], services=["nfs"], networks=[NETWORK], observed=seen)
    said = drafted(box | {"volumes": [VOLUME]}).text()
    assert "# kernel time: 200 ms/s were measured; by the guide's costs it is " in said


def test_clients_that_page_over_the_network_stay_diskless() -> None:
    """20 clients. If only 5 of them are diskless, the draft cannot divide their operations."""

    def drafted_with(network: Plain, **stated: int) -> tuple[bool, bool]:
        seen = {"nfs": {"ops_per_s": 120, "mix": "legato"}}
        networks = [{"name": "le0", "interface": "lance-ethernet", **network}]
        box = server([disk("a")], services=["nfs"], networks=networks, observed=seen)
        found = drafted(box | {"volumes": [VOLUME], **stated})
        divide = "nfs: state its diskless clients as a service of their own"
        return "diskless" in service(found, "nfs"), divide in found.missing

    assert drafted_with({"clients": 20, "diskless_clients": 20}) == (True, False)
    assert drafted_with({}, clients=20, diskless_clients=20) == (True, False)
    assert drafted_with({"clients": 20, "diskless_clients": 5}) == (False, True)
    assert drafted_with({"clients": 20}) == (False, False)
