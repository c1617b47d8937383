"""Services divided over more systems than two, or many of them over two."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from serving import demanded
from sizewright.planner.partitions import partitions

TIMES = st.lists(st.integers(1, 1000), min_size=3, max_size=20)


@given(TIMES, st.integers(2, 6))
def test_each_service_is_on_one_system_and_none_is_empty(times: list[int], systems: int) -> None:
    names = [f"s{n:02}" for n, _ in enumerate(times)]
    services = [
        {"kind": "measured", "name": name, "kernel_ms_per_s": ms, "measured_on": "sparcstation-2"}
        for name, ms in zip(names, times, strict=True)
    ]
    both = {"kind": "measured", "name": "both", "kernel_ms_per_s": 1, "replicated": True,
            "measured_on": "sparcstation-2"}  # fmt: skip
    found = demanded(*services, both, volumes=[], networks=[])
    lock = dict(zip(names, map(float, times), strict=True))
    ways = list(partitions(found, lock, systems))
    assert bool(ways) == (systems <= len(names))
    for way in ways:
        assert len(way) == systems and all("both" in on for on in way)
        assert sorted(name for on in way for name in on if name != "both") == names
        assert all(len(on) > 1 for on in way)
    if ways:
        # The largest first, each where least is: no system has more than its part and a service.
        most = max(sum(lock.get(name, 0) for name in on) for on in ways[0])
        assert most <= sum(times) / systems + max(times)
