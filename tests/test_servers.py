"""Existing servers of our own: what an administrator expects from the guide alone, and the check.

The expectations were written before any check was seen. Where the two differ, differences.yaml says
who is right and why. A difference that is open must still be there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from sizewright.api import Engine, load_engine, report_check
from sizewright.box.reading import read_box
from sizewright.check.check import next_limit
from sizewright.documents import parse_document
from sizewright.errors import InputError
from sizewright.importers.box_file import Replaced, merge_observed
from sizewright.importers.draft import draft_box
from sizewright.importers.formats import Text, decode_output, load_formats
from sizewright.importers.nfs_counters import read_nfs_counters
from sizewright.importers.reports import Observation, read_observation
from sizewright.output.json.check import check_data
from sizewright.output.reports import CheckReport

SERVERS = Path(__file__).resolve().parent.parent / "examples" / "servers"
FOLDERS = sorted(path.parent for path in SERVERS.glob("*/expected.yaml"))
BROKEN = ("violated", "tight")
#: Headroom is compared as it is printed, with three digits.
DIGITS = 0.005
TOOLS = {"from-vmstat": "vm", "from-iostat": "io"}

Plain = dict[str, Any]


class Checked(NamedTuple):
    """A server with its measurements, as plain data, and its check."""

    box: Plain
    report: CheckReport
    data: Plain


@cache
def engine() -> Engine:
    return load_engine("sun-1992")


@cache
def differences() -> list[Plain]:
    found: list[Plain] = yaml.safe_load((SERVERS / "differences.yaml").read_text())["differences"]
    return found


def expectation(folder: Path) -> Plain:
    found: Plain = yaml.safe_load((folder / "expected.yaml").read_text())
    return found


def output(folder: Path, name: str) -> Text:
    return decode_output((folder / name).read_bytes(), name)


def measured(folder: Path, step: Plain) -> Observation:
    """Read outputs as `sizewright box` does."""
    texts = [output(folder, name) for name in step["files"]]
    if step["command"] == "from-nfsstat":
        return read_nfs_counters(texts[0], texts[1], load_formats(), "server", step["seconds"])
    tool = TOOLS[step["command"]]
    return read_observation(texts[0], tool, load_formats(), False, step.get("page_kb"))


def check_plain(box: Plain) -> Checked:
    document = parse_document(yaml.safe_dump(box, sort_keys=False), "box.yaml")
    report = report_check(read_box(document), document, engine())
    return Checked(box, report, dict(check_data(report)))


@cache
def checked(folder: Path) -> Checked:
    """The server with its measurements added, one tool after the other, and checked."""
    text = (folder / "box.yaml").read_text()
    for step in expectation(folder)["imports"]:
        found = measured(folder, step)
        document = parse_document(text, "box.yaml")
        text = merge_observed(document, text, found.observed, Replaced.of(load_formats().data)).text
    return check_plain(yaml.safe_load(text))


def part_of(subject: str) -> str:
    """Return the part that a subject or a resource names; empty for the system."""
    return subject.rpartition("/")[2] if "/" in subject else ""


def is_about(finding: Plain, wanted: Plain) -> bool:
    return fnmatchcase(finding["rule"], wanted["rule"]) and part_of(
        finding["subject"]
    ) == wanted.get("of", "")


def disagreements(folder: Path) -> Iterator[str]:
    """Yield the name of each expectation that the check does not meet."""
    want = expectation(folder)
    try:
        _, report, data = checked(folder)
    except InputError:
        yield "import"
        return
    if "exit" in want and want["exit"] != (0 if data["verdict"] in ("holds", "tight") else 1):
        yield "exit"
    if "verdict" in want and want["verdict"] != data["verdict"]:
        yield "verdict"
    broken = [f for f in data["findings"] if f["verdict"] in BROKEN]
    for each in want["reported"]:
        found = next((f for f in broken if is_about(f, each)), None)
        if found is None or not has_values(found, each.get("values", {})):
            yield f"reported {named(each)}"
    for each in want["not_reported"]:
        if any(is_about(f, each) for f in broken):
            yield f"not reported {named(each)}"
    limits = ("violation", "recommended", *(("advice", "note") if want.get("silent") else ()))
    for finding in broken:
        known = any(is_about(finding, each) for each in want["reported"] + want["not_reported"])
        if finding["severity"] in limits and not known:
            yield f"also reported {finding['rule']} {part_of(finding['subject'])}".strip()
    yield from wrong_headroom(want, report, data)
    if not is_first_step(want["first"], data["first_step"]):
        yield "first step"
    if "failed" in want and survives(folder, want["failed"]["part"]) != want["failed"]["survives"]:
        yield "failed"
    asked = str(data["measurements"][:5])
    for command in want.get("asked", ()):
        if command not in asked:
            yield f"asked {command}"


def survives(folder: Path, part: str) -> bool:
    """Whether the server survives the failure of a part."""
    document = parse_document(yaml.safe_dump(checked(folder).box, sort_keys=False), "box.yaml")
    report = report_check(read_box(document), document, engine(), failed=(part,))
    return all(failure.holds for failure in report.failed)


def named(each: Plain) -> str:
    return " ".join(str(each[key]) for key in ("rule", "limit", "of", "part") if key in each)


def has_values(finding: Plain, values: Mapping[str, float]) -> bool:
    return all(
        name in finding["figures"]
        and finding["figures"][name]["high"] == pytest.approx(value, rel=DIGITS)
        for name, value in values.items()
    )


def is_resource(line: Plain, wanted: Plain) -> bool:
    """Whether a line of the headroom is that of a part, a kind or a rule."""
    _, kind, *parts = line["resource"].split("/")
    here = "part" not in wanted or wanted["part"] in parts
    return here and wanted.get("limit", kind) in (kind, line["limit_rule"])


def wrong_headroom(want: Plain, report: CheckReport, data: Plain) -> Iterator[str]:
    for each in want["headroom"]:
        found = [f["factor"]["low"] for f in data["headroom"] if is_resource(f, each)]
        if not found or min(found) != pytest.approx(each["factor"], rel=DIGITS):
            yield f"headroom {named(each)}"
    if "next" in want:
        found = next_limit(report.check.headroom)
        lines = [f for f in data["headroom"] if found and f["resource"] == found.resource]
        if not lines or not is_resource(lines[0], want["next"]):
            yield "next"


def is_first_step(want: Plain | None, step: Plain | None) -> bool:
    if want is None or step is None:
        return want is step
    change = step["change"]
    told = None if change is None else [change["kind"], change["part"], change["to"]]
    if not fnmatchcase(step["rule"], want.get("rule", "*")) or told != want["change"]:
        return False
    ends = ("before", "after")
    return part_of(step["subject"]) == want.get("of", "") and all(
        change[end]["high"] == pytest.approx(want[end], rel=DIGITS) for end in ends if end in want
    )


def test_there_are_twenty_one() -> None:
    assert len(FOLDERS) == 21
    assert {server for entry in differences() for server in entry["where"]} <= {
        folder.name for folder in FOLDERS
    }


def test_each_difference_is_settled_in_writing() -> None:
    for entry in differences():
        assert entry["right"] in ("guide", "check", "both", "open"), entry
        assert entry["why"], entry


def test_the_messages_draft_the_same_parts() -> None:
    """The kernel's messages and the box file name the same machine and the same disks."""
    for folder in FOLDERS:
        name = expectation(folder).get("probe")
        if name is None:
            continue
        drafted = draft_box(output(folder, name), engine().guide).data
        box = yaml.safe_load((folder / "box.yaml").read_text())
        assert drafted["platform"] == box["platform"]
        assert disks_of(drafted) == disks_of(box)


def disks_of(box: Plain) -> set[tuple[str, str, str]]:
    return {(c["id"], d["id"], d["device"]) for c in box["channels"] for d in c["devices"]}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_check_is_what_was_expected(folder: Path) -> None:
    still_open = {
        expectation
        for entry in differences()
        if entry["right"] == "open"
        for expectation in entry["where"].get(folder.name, ())
    }
    assert set(disagreements(folder)) == still_open


def add_controller(box: Plain, board: str, disk: str) -> None:
    """Add a board with one channel, of the kind that the disk is on; both have its name."""
    bus = engine().guide.row("boards", board).text("bus")
    (kind,) = (c["kind"] for c in box["channels"] if disk in ids(c["devices"]))
    box["boards"].append({"id": board, "board": board, "bus": bus})
    box["channels"].append({"id": board, "kind": kind, "provider": board, "devices": []})


def apply_change(box: Plain, change: Mapping[str, Any]) -> Plain:
    """Return the file with the change in it. What was measured on data or clients moves with them.

    Raises ValueError for a change that the file cannot show.
    """
    box = deepcopy(box)
    part, to = change["part"], change["to"]
    if change["kind"] == "processors":
        spread_over(box, int(to))
    elif change["kind"] in ("disk", "controller"):
        if change["kind"] == "controller":
            add_controller(box, to, part)
        channels = {channel["id"]: channel["devices"] for channel in box["channels"]}
        (source,) = (devices for devices in channels.values() if part in ids(devices))
        (disk,) = (device for device in source if device["id"] == part)
        source.remove(disk)
        free = set(range(7)) - {device["target"] for device in channels[to]}
        channels[to].append(disk | {"target": min(free)})
    elif change["kind"] == "clients":
        ports = {network["name"]: network for network in box["networks"]}
        for key in {"clients", "diskless_clients"} & set(ports[part]):
            move_half(ports, part, to, key)
        for networks in observations(box, "networks"):
            for key in {"ops_per_s", "utilisation_percent"} & set(networks[part]):
                move_half(networks, part, to, key)
    elif change["kind"] == "data":
        for volume in box["volumes"]:
            volume["copies"] = [
                [*copy, to] if part in copy and to not in copy else copy
                for copy in volume["copies"]
            ]
        for disks in observations(box, "disks"):
            for key in disks[part]:
                move_half(disks, part, to, key)
    else:
        raise ValueError(change["kind"])
    return box


def spread_over(box: Plain, processors: int) -> None:
    """Install processors; the work that was measured is a smaller part of all their time."""
    part = box["processors"] / processors
    for cpu in observations(box, "cpu"):
        for key, percent in cpu.items():
            whole = 100 * (key == "idle_percent")
            cpu[key] = whole + (percent - whole) * part
    box["processors"] = processors


def observations(box: Plain, subject: str) -> list[Plain]:
    """Return what was observed of a subject: by itself, and in each report."""
    reports = [each for tool in box["observed"].get("reports", {}).values() for each in tool]
    return [each[subject] for each in (box["observed"], *reports) if subject in each]


def ids(devices: list[Plain]) -> list[str]:
    return [device["id"] for device in devices]


def move_half(parts: Mapping[str, Plain], part: str, to: str, key: str) -> None:
    half = parts[part][key] / 2
    parts[part][key] -= half
    parts[to][key] += half


def stepping() -> Iterator[tuple[Path, Plain]]:
    """Yield each server that is told what to do first, with the step."""
    for folder in FOLDERS:
        if "import" not in set(disagreements(folder)):
            step = checked(folder).data["first_step"]
            if step is not None:
                yield folder, step


def test_every_first_step_helps() -> None:
    """A step that is made in the file makes its finding go away or smaller, and breaks no limit.

    Steps that end with "then measure again" name no change that could be made, and are counted.
    """
    changed, measuring = [], []
    for folder, step in stepping():
        if step["change"] is None:
            measuring.append(folder.name)
            continue
        before = checked(folder)
        after = check_plain(apply_change(before.box, step["change"])).data
        assert use_of(step, after) < use_of(step, before.data), folder.name
        assert limits_broken(after) <= limits_broken(before.data), folder.name
        changed.append(folder.name)
    assert changed == [
        "busy-disk", "crowded-adapter", "full-bus", "full-network", "mail-hub", "processor-bound",
    ]  # fmt: skip
    assert measuring == [
        "full-slots",
        "lock-bound",
        "long-chain",
        "nfs-timeouts",
        "short-memory",
        "swapping",
    ]


def use_of(step: Plain, data: Plain) -> float:
    """Return the used share of the limit that a step is about; 0 if nothing judges it."""
    name = part_of(step["subject"])
    shares = [
        b["share_of_limit"] for b in data["budgets"]
        if b["name"] == name and b["share_of_limit"] is not None
        and step["rule"] in (b["limit_rule"], b["recommended_rule"])
    ]  # fmt: skip
    return max(shares, default=0)


def limits_broken(data: Plain) -> set[tuple[str, str]]:
    return {
        (f["rule"], f["subject"]) for f in data["findings"]
        if f["verdict"] == "violated" and f["severity"] == "violation"
    }  # fmt: skip
