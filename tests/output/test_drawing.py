"""The drawing of a configuration: every part once, nothing over anything else, no word cut off."""

from __future__ import annotations

import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path

import pytest

import hand_plans
import small
from sizewright.configuration.model import System
from sizewright.output.bill_of_materials import bill_of_materials
from sizewright.output.html.arrange import Box, Drawing
from sizewright.output.html.page import make_drawing, plan_svg
from sizewright.output.html.parts import TONES, level
from sizewright.output.layout import HOT, PAPER, SLIM, WARM, WIDE, width
from sizewright.output.reports import PlanReport

CASES = ("case-1", "silent", "with-sound", "case-3", "case-4", "case-5", "case-6", "case-7",
         "printing")  # fmt: skip
WIDTHS = pytest.mark.parametrize("wide", [WIDE, SLIM, PAPER])
SVG = "{http://www.w3.org/2000/svg}"


def every_box(boxes: Iterable[Box]) -> Iterator[Box]:
    """Yield each box, then those within it."""
    for box in boxes:
        yield box
        yield from every_box(box.children)


ROOT = Path(__file__).resolve().parent.parent.parent
Reporter = Callable[..., PlanReport]
# Strokes are at most this wide on each side.
TOUCH = 1e-6


def loaded(disks: int, volume: str = "home", network: str = "north") -> PlanReport:
    """A system with a number of disks over ten strings at most, and three networks."""
    names = [network, f"{network}-far", f"{network}-farther"]
    strings = min(disks, 10)
    dealt = [[f"disk-{n + 1}" for n in range(s, disks, strings)] for s in range(strings)]
    system = small.system(
        platform="sparcserver-690mp", processors=2,
        boards=tuple(small.board(f"isp-80-{n + 1}", "isp-80", "vme", 8 + n)
                     for n in range(strings)),
        channels=(
            small.channel("builtin-1", small.tape()),
            *(small.channel(f"isp-80-{n + 1}", *(small.disk(d, "1-3gb-ipi") for d in on),
                            kind="ipi-2") for n, on in enumerate(dealt)),
        ),
        ports=tuple(map(small.port, names)),
        volumes=(small.laid(volume, {d: 500 for on in dealt for d in on}),),
    )  # fmt: skip
    plain = small.plain(
        *({"network": name, "uses": [volume]} for name in names),
        networks=[{"name": name, "medium": "ethernet"} for name in names],
        volumes=[small.volume(volume, 500 * disks)],
    )
    return PlanReport(hand_plans.holding(plain, system), "loaded", "", "loaded.yaml", "0" * 64)


def overlap(one: Box, other: Box) -> bool:
    return (
        one.x < other.x + other.w - TOUCH
        and other.x < one.x + one.w - TOUCH
        and one.y < other.y + other.h - TOUCH
        and other.y < one.y + one.h - TOUCH
    )


def contains(outer: Box, inner: Box) -> bool:
    return (
        outer.x < inner.x
        and outer.y < inner.y
        and inner.x + inner.w < outer.x + outer.w
        and inner.y + inner.h < outer.y + outer.h
    )


def collisions(found: Drawing) -> Iterator[str]:
    """Every fault of a layout."""
    page = Box("page", "page", -1, -1, found.width + 2, found.height + 2, (), "")
    for parent in (page._replace(children=found.boxes), *every_box(found.boxes)):
        for child in parent.children:
            if not contains(parent, child):
                yield f"{child.key} sticks out of {parent.key}"
        for one, other in combinations(parent.children, 2):
            if overlap(one, other):
                yield f"{one.key} lies over {other.key}"
        for wire in parent.wires:
            for (x1, y1), (x2, y2) in pairwise(wire):
                line = Box("wire", "wire", min(x1, x2), min(y1, y2), abs(x2 - x1), abs(y2 - y1),
                           (), "")  # fmt: skip
                yield from (f"a wire crosses {b.key}" for b in parent.children if overlap(line, b))
        top = min((child.y for child in parent.children), default=parent.y + parent.h)
        for before, line in pairwise((None, *parent.lines)):
            assert line is not None
            if line.x < parent.x or line.x + width(line.text, line.style) > parent.x + parent.w:
                yield f"{line.text!r} is wider than {parent.key}"
            if not parent.y < line.y < top:
                yield f"{line.text!r} lies outside of {parent.key}"
            if before is not None and line.y - before.y < 11:
                yield f"{line.text!r} lies over {before.text!r}"
        if parent.share is not None and parent.gauge + 3 > top:
            yield f"the gauge of {parent.key} lies over what is in it"


@WIDTHS
@pytest.mark.parametrize("disks", [1, 2, 7, 24, 60])
def test_any_number_of_disks_draws_without_overlap(disks: int, wide: float) -> None:
    found = make_drawing(loaded(disks), wide)
    assert not list(collisions(found))
    assert sum(box.role == "disk" for box in every_box(found.boxes)) == disks
    assert sum(box.role == "network" for box in every_box(found.boxes)) == 3
    assert sum(box.role == "channel" for box in every_box(found.boxes)) == min(disks, 10) + 1


@WIDTHS
@pytest.mark.parametrize(
    "name", ["W" * 60, "a-very-long-name-with-many-parts-" * 4, "共有郵便" * 12, "e\u0301" * 40]
)
def test_long_names_stay_in_their_boxes_and_are_whole_on_hovering(name: str, wide: float) -> None:
    found = make_drawing(loaded(3, name, name), wide)
    assert not list(collisions(found))
    disk = next(box for box in every_box(found.boxes) if box.role == "disk")
    assert name in disk.title


@WIDTHS
@pytest.mark.parametrize("case", CASES)
def test_case_studies_draw_without_overlap(reported: Reporter, case: str, wide: float) -> None:
    assert not list(collisions(make_drawing(reported(case), wide)))


def parts_of(system: System) -> Counter[str]:
    return Counter({
        **{f"{system.id}/board/{board.id}": 1 for board in system.boards},
        **{f"{system.id}/channel/{channel.id}": 1 for channel in system.channels},
        **{f"{system.id}/network/{port.id}": 1 for port in system.ports},
        **{f"{system.id}/{'disk' if d.kind == 'disk' else 'medium'}/{d.id}": 1
           for d in system.devices()},
    })  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_every_part_stands_in_the_drawing_once(reported: Reporter, case: str) -> None:
    report = reported(case)
    tree = ET.fromstring(plan_svg(report))
    keys = [group.get("data-part", "") for group in tree.iter(f"{SVG}g")]
    assert len(keys) == len(set(keys))
    kinds = ("board", "channel", "network", "disk", "medium")
    drawn = Counter(key for key in keys if key.split("/")[1] in kinds)
    assert drawn == sum((parts_of(judged.system) for judged in report.systems), Counter())


@pytest.mark.parametrize("case", CASES)
def test_quantities_are_those_of_the_order(reported: Reporter, case: str) -> None:
    report = reported(case)
    boxes = list(every_box(make_drawing(report).boxes))
    for part in report.parts:
        assert part.shown is not None
        own = [box for box in boxes if box.key.startswith(f"{part.shown.system.id}/")]
        lines = bill_of_materials(part.plan.guide, part.plan.demand, part.shown.system)
        for kind, roles in (("board", ("board",)), ("disk", ("disk",)),
                            ("platform", ("system",))):  # fmt: skip
            ordered = sum(line.quantity for line in lines if line.kind == kind)
            # Disks that are part of the other system are drawn at both ends of their strings.
            if kind == "disk":
                ordered += sum(bool(d.owner) for d in part.shown.system.disks())
            assert ordered == sum(box.role in roles for box in own)
        said = " ".join(box.title for box in own)
        assert all(line.name in said for line in lines if line.kind in ("unit", "need", "software"))


def test_a_mirrored_disk_names_its_partner(reported: Reporter) -> None:
    found = {box.key: box for box in every_box(make_drawing(reported("case-1")).boxes)}
    assert "mirror: 424 MB disk #2" in found["primary/disk/424mb-scsi-1"].title
    assert "mirror: 424 MB disk #1" in found["primary/disk/424mb-scsi-2"].title
    assert "mirror" not in found["primary/disk/1-3gb-scsi-1"].title


def test_numbers_are_those_of_the_budgets_and_the_fullest_decides(reported: Reporter) -> None:
    report = reported("case-1")
    found = {box.key: box for box in every_box(make_drawing(report).boxes)}
    disk = found["primary/disk/424mb-scsi-1"]
    assert disk.share == pytest.approx(400 / 424) and disk.level == "hot"
    assert "26% load, 94% full" in [line.text for line in disk.lines]
    assert "load, 424 MB disk #1: 6.45–13.1 of 50\u00a0op/s, 26%" in disk.title


def test_two_systems_stand_one_below_the_other(reported: Reporter) -> None:
    first, second = (box for box in make_drawing(reported("case-7")).boxes if box.role == "system")
    assert first.key == "primary/system/" and second.key == "alternate/system/"
    assert first.y + first.h < second.y


@pytest.mark.parametrize(
    ("share", "tone"),
    [(None, "none"), (0, "calm"), (WARM, "warm"), (HOT, "hot"), (1, "full"), (1.01, "over")],
)
def test_tones_go_by_the_share(share: float | None, tone: str) -> None:
    assert level(share) == tone


def test_what_is_over_its_limit_is_hatched_too(reported: Reporter) -> None:
    system = small.system(
        channels=(small.channel("builtin-1", small.disk("disk-1")),),
        volumes=(small.laid("home", {"disk-1": 400}),),
    )
    plain = small.plain(
        {"load": {"ops_per_s_each": 900}, "uses": ["home"]},
        volumes=[small.volume("home", 400)],
    )
    plan = hand_plans.missing(plain, system)
    tree = ET.fromstring(plan_svg(PlanReport(plan, "over", "", "over.yaml", "0" * 64)))
    over = next(g for g in tree.iter(f"{SVG}g") if g.get("data-part") == "primary/disk/disk-1")
    assert over.get("class") == "role-disk is-over"
    assert [rect.get("class") for rect in over.iter(f"{SVG}rect")] == [
        "body", "hatched", "room", "gauge",
    ]  # fmt: skip
    assert "closest alternative" in (tree.findtext(f"{SVG}title") or "")


def test_no_machine_at_all_is_said() -> None:
    plan = hand_plans.missing(small.plain({}), small.system())
    assert plan.nearest is not None
    bare = hand_plans.refusing(plan, (), plan.nearest._replace(judgement=None))
    tree = ET.fromstring(plan_svg(PlanReport(bare, "none", "", "none.yaml", "0" * 64)))
    assert "no configuration to draw" in (tree.findtext(f"{SVG}desc") or "")


def test_a_reader_who_sees_nothing_is_told(reported: Reporter) -> None:
    tree = ET.fromstring(plan_svg(reported("case-1")))
    assert tree.get("role") == "img"
    ids = {element.get("id"): element for element in tree.iter()}
    title, described = (ids[name] for name in (tree.get("aria-labelledby") or "").split())
    assert title.text == "Drawing of the configuration for departmental-nfs"
    assert "Sbus: TRI/S (4- or 16Mb) at Sbus 1" in (described.text or "")
    for group in tree.iter(f"{SVG}g"):
        assert group[0].tag == f"{SVG}title" and group[0].text


def _brightness(colour: str) -> float:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dim, bright = sorted((_brightness(one), _brightness(other)))
    return (bright + 0.05) / (dim + 0.05)


@pytest.mark.parametrize("surrounding", ["light", "dark"])
def test_words_stand_out_from_their_ground(surrounding: str) -> None:
    tones = {name: getattr(tone, surrounding) for name, tone in TONES.items()}
    for ground in ("paper", "panel", "none", "calm", "warm", "hot", "full", "over"):
        assert contrast(tones["ink"], tones[ground]) >= 4.5, ground
    for letter in ("faint", "link", "good", "doubt", "alarm"):
        for ground in ("paper", "panel"):
            assert contrast(tones[letter], tones[ground]) >= 4.5, (letter, ground)
    for edge in ("edge", "gauge", "alarm"):
        assert contrast(tones[edge], tones["paper"]) >= 3, edge


@pytest.mark.parametrize("surrounding", ["light", "dark"])
def test_levels_differ_in_brightness(surrounding: str) -> None:
    levels = ("none", "calm", "warm", "hot", "over")
    shades = [_brightness(getattr(TONES[name], surrounding)) for name in levels]
    hues = shades if surrounding == "light" else shades[::-1]
    assert hues[:3] == sorted(hues[:3], reverse=True) or hues == sorted(hues, reverse=True)


def test_light_and_dark_are_both_there(reported: Reporter) -> None:
    style = ET.fromstring(plan_svg(reported("case-1"))).findtext(f"{SVG}style") or ""
    light, _, dark = style.partition("@media (prefers-color-scheme: dark)")
    assert all(f"--{name}: {tone.light};" in light for name, tone in TONES.items())
    assert all(f"--{name}: {tone.dark};" in dark for name, tone in TONES.items())


def test_names_are_text_in_the_drawing() -> None:
    name = '"><img src=x onerror=alert(1)>]]>&amp;\x1b[2J\u202e'
    report = replace(loaded(2, network="north"), name=name)
    tree = ET.fromstring(plan_svg(report))
    assert {element.tag for element in tree.iter()} == {
        f"{SVG}{tag}" for tag in
        ("svg", "title", "desc", "defs", "pattern", "path", "style", "rect", "g", "text",
         "polyline")
    }  # fmt: skip
    shown = '"><img src=x onerror=alert(1)>]]>&amp;\\x1b[2J\\u202e'
    assert tree.findtext(f"{SVG}title") == f"Drawing of the configuration for {shown}"


@pytest.mark.parametrize("form", ["svg", "html"])
def test_two_runs_write_the_same_whatever_the_terminal(form: str) -> None:
    workload = ROOT / "examples" / "sun-1992" / "case-1-departmental-nfs" / "workload.yaml"
    written = {
        subprocess.run(
            [sys.executable, "-m", "sizewright", "plan", str(workload), "--format", form],
            env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONHASHSEED": seed,
                 "LC_ALL": locale},
            capture_output=True, check=True,
        ).stdout
        for seed, locale in (("1", "C"), ("2", "C.UTF-8"))
    }  # fmt: skip
    assert len(written) == 1


def test_only_these_forms_load_the_templates() -> None:
    code = (
        "import sys, sizewright.cli.plan, sizewright.output.plan, sizewright.output.json.plan; "
        "sys.exit('jinja2' in sys.modules)"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    assert subprocess.run([sys.executable, "-c", code], env=env, check=False).returncode == 0
