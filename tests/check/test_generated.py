"""What must hold of the check of any measured server: its headroom, and what its reports say."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from check.test_first_step import disk, server, step_of
from generated_boxes import checked
from generated_workloads import Plain
from settled import settled
from sizewright.check.check import Check, next_limit

# So near a limit, the least part of a load decides on which side of it the server is.
BEFORE, BEYOND = 0.99, 1.01


@st.composite
def servers(draw: st.DrawFn, busiest: float = 45) -> Plain:
    """A measured server of two networks and up to four disks on two channels."""
    names = "abcd"[: draw(st.integers(1, 4))]
    split = draw(st.integers(0, len(names)))
    channels = [[disk(n) for n in part] for part in (names[:split], names[split:])]
    ports = ("le0", "le1")
    ops = [draw(st.floats(1, 250)) for _ in ports]
    seen: Plain = {
        "cpu": {k: draw(st.floats(1, busiest)) for k in ("user_percent", "system_percent")},
        "nfs": {"ops_per_s": sum(ops), "mix": "legato"},
        "networks": {
            p: {"ops_per_s": n, "data_kb_per_s": 4 * n} for p, n in zip(ports, ops, strict=True)
        },
        "disks": {n: _disk(draw) for n in names},
        "processes": {"descriptors": draw(st.integers(1, 200))},
    }
    networks = [{"name": p, "interface": "lance-ethernet", "provider": "builtin"} for p in ports]
    return server(*channels, networks=networks, services=["nfs"], observed=seen)


def _disk(draw: st.DrawFn) -> Plain:
    ops = draw(st.floats(1, 80))
    return {
        "ops_per_s": ops, "kb_per_s": ops * draw(st.integers(2, 16)),
        "busy_percent": draw(st.floats(1, 90)),
    }  # fmt: skip


def grown(plain: Plain, by: float) -> Plain:
    """The server under its load times a factor."""
    more = deepcopy(plain)
    more["observed"] = _times(plain["observed"], by)
    return more


def _times(value: Any, by: float) -> Any:
    if isinstance(value, dict):
        return {key: _times(each, by) for key, each in value.items()}
    if isinstance(value, list):
        return [_times(each, by) for each in value]
    return value if isinstance(value, str) else by * value


def over(found: Check) -> set[str]:
    """Resources over their limits; one that is only recommended has no headroom."""
    return {name for name, budget in found.limited.items() if budget.is_over("high")}


def failing(found: Check) -> set[tuple[str, str]]:
    return {
        (f.rule, f.subject) for f in found.findings
        if f.severity == "violation" and f.verdict in ("tight", "violated")
    }  # fmt: skip


def contradictions(found: Check) -> list[str]:
    """The parts whose measurements are left out, because they contradict each other."""
    return [
        f.subject for f in found.findings
        if f.rule.startswith("plausible-") and f.verdict == "violated"
    ]  # fmt: skip


def possible(plain: Plain) -> bool:
    """Whether its shares are of the whole, as tools print them."""
    seen = plain["observed"]
    shares = [each["busy_percent"] for each in seen["disks"].values()]
    return max(*shares, sum(seen["cpu"].values()), 0) <= 100


@given(servers())
@settled(100)
def test_the_headroom_is_where_the_first_resource_reaches_its_limit(plain: Plain) -> None:
    """At 0.99 of it nothing fails that passed; at 1.01 the named resource does.

    The next resource is that of a part within all of its limits: what is over a limit already
    exceeds its capacity, too, under more load.
    """
    now = checked(plain)
    first = next_limit(now.headroom)
    assume(first is not None)
    assert first is not None
    beyond = grown(plain, first.factor.low * BEYOND)
    assume(possible(beyond))
    after = checked(beyond)
    assume(not contradictions(after))
    least = min(each.factor.low for each in now.headroom if each.factor.low >= 1)
    assert over(checked(grown(plain, least * BEFORE))) <= over(now)
    over_already = {subject for _, subject in failing(now)}
    before = checked(grown(plain, first.factor.low * BEFORE))
    assert {subject for _, subject in failing(before)} <= over_already
    assert after.limited[first.resource].verdict in ("tight", "violated")
    assert {subject for _, subject in failing(after)} - over_already


@given(servers(), st.floats(0.01, 1))
@settled(100)
def test_a_quiet_report_beside_the_busiest_changes_nothing(plain: Plain, part: float) -> None:
    """Of one part its greatest value counts; sums may only become less than all peaks."""
    quiet = deepcopy(plain)
    for seen in quiet["observed"]["disks"].values():
        for key, value in seen.items():
            seen[key] = [part * value, value]
    now, varied = checked(plain), checked(quiet)
    assert failing(varied) <= failing(now)
    of_disks = {each for each in failing(now) if "/disk/" in each[1]}
    assert of_disks <= failing(varied)


@given(servers(), st.permutations(range(4)))
@settled(60)
def test_other_names_change_nothing(plain: Plain, order: list[int]) -> None:
    names = {old: f"disk-{order[n]}" for n, old in enumerate("abcd")}
    other = deepcopy(plain)
    for channel in other["channels"]:
        for device in channel["devices"]:
            device["id"] = names[device["id"]]
    disks = other["observed"]["disks"]
    other["observed"]["disks"] = {names[n]: disks[n] for n in sorted(disks, key=lambda n: names[n])}
    before, after = checked(plain), checked(other)
    renamed = {(r, _renamed(s, names)) for r, s in failing(before)}
    assert renamed == failing(after)
    assert [f.factor.low for f in before.headroom] == [f.factor.low for f in after.headroom]


def _renamed(subject: str, names: dict[str, str]) -> str:
    start, slash, name = subject.rpartition("/")
    return f"{start}{slash}{names.get(name, name)}" if start.endswith("/disk") else subject


# Left out, each of these leaves what it is about unknown; nothing of the guide replaces it.
MEASURED = ("busy_percent", "descriptors", "disk")


@given(servers(), st.data())
@settled(100)
def test_what_is_measured_too_turns_no_failure_into_a_pass(
    plain: Plain, data: st.DataObject
) -> None:
    """A busy time, the open files, or all of a disk: nothing fails without them that passes."""
    less, what = deepcopy(plain), data.draw(st.sampled_from(MEASURED))
    name = data.draw(st.sampled_from(sorted(less["observed"]["disks"])))
    if what == "descriptors":
        del less["observed"]["processes"]
    elif what == "disk":
        del less["observed"]["disks"][name]
    else:
        del less["observed"]["disks"][name][what]
    assert failing(checked(less)) <= failing(checked(plain))


@given(servers(busiest=15))
@settled(60)
def test_a_healthy_server_stays_silent(plain: Plain) -> None:
    """A tenth of any load breaks no limit, has headroom, and nothing to do first."""
    healthy = grown(plain, 0.1)
    found = checked(healthy)
    assert failing(found) == set()
    assert step_of(healthy) is None
    assert found.headroom[0].factor.low > 1
