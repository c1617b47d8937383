"""The schema of a workload: what it takes, what it makes of it, and that it stands fast."""

from __future__ import annotations

import copy
import json
import string
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from settled import settled
from sizewright.documents import Document, PlacedStr, SourceMap, parse_document, read_document
from sizewright.errors import InputError, Location
from sizewright.limits import FAULTS_LISTED
from sizewright.quantity import Quantity
from sizewright.schema.model import InputModel
from sizewright.schema.policy import Policy
from sizewright.schema.quantity import QuantityField
from sizewright.workload.nfs import ActivityLoad, Concurrency, DataLoad, MixShares, OperationsLoad
from sizewright.workload.reading import read_workload, reference_errors
from sizewright.workload.workload import Workload

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*/*/*.yaml"))

FULL = """\
name: small office
title: Mail & files <for all>
guide: a-guide
networks:
  - name: office
    medium: ethernet
    keep_medium: true
    segments_at_most: 2
    fastest_response: true
    said: {medium: {section: "1.1", kind: fact, note: as it is}}
volumes:
  - {name: mail, size_mb: 150, access: random, protection: mirror, shares_disks_with: programs}
  - {name: programs, size_mb: 0.25 GB, access: serial, protection: mirror, activity: cold}
  - {name: scratch, size_mb: [1, 2, 4], access: serial, cached_mb: 1}
services:
  - kind: nfs
    name: design
    clients: 12
    active: [4, 5]
    load: {ops_per_s_each: 30, said: {ops_per_s_each: {section: "1.2", kind: assumption}}}
    mix: a-mix
    network: office
    diskless: true
    uses: {mail: 60, scratch: [30, 40]}
  - kind: nfs
    name: reading
    clients: [3, 4]
    active: {at_once: 1, of: 3}
    load: {activity: reading-mail, burst_s: [5, 6], every_s: 5 min, times: 2}
    mix: {reads_percent: 20, writes_percent: 5}
    network: office
    uses: [mail, programs]
    said: {uses: {section: "1.3", kind: fact}}
  - kind: nfs
    name: lessons
    clients: 3
    same_clients_as: reading
    load:
      data:
        - {name: frame, kb: [250, 256]}
        - {name: sound, byte: 2, per_s: 8000, seconds: 30}
      every_s: 30
    network: office
exclusive: [[design, lessons]]
growth: {percent: 10, years: [18 months, 2]}
backup: {during_working_hours: true, at_night_in_use: true}
wishes:
  platforms: [a-platform]
  removable_media: [a-tape]
  carry_forward: [{device: a-disk, count: 8}, {device: another-disk}]
policy:
  size_for: likely
  default_mix: a-mix
  follow_advice: always
  parameters: {XIII: {max_ops: 200, range: [1, 2], text: "200 op/s"}}
  waive: [{rule: XI, reason: it is installed already}]
"""

LEAST = """\
name: least
networks: [{name: n}]
services: [{kind: nfs, name: s, clients: 1, load: {ops_per_s_each: 1}, network: n}]
"""


def document(text: str) -> Document:
    return parse_document(text, "w.yaml")


@pytest.fixture(scope="module")
def full() -> Workload:
    return read_workload(document(FULL))


def ends(figure: Quantity | None) -> tuple[float, float, float, str]:
    assert figure is not None
    return figure.low, figure.likely, figure.high, figure.unit


def test_networks_and_volumes_are_as_written(full: Workload):
    (office,) = full.networks
    assert (office.name, office.medium, office.segments_at_most) == ("office", "ethernet", 2)
    assert office.keep_medium is True and office.fastest_response is True
    assert office.said["medium"].section == "1.1" and office.said["medium"].note == "as it is"
    mail, programs, scratch = full.volumes
    assert ends(mail.size_mb) == (150, 150, 150, "MB")
    assert ends(programs.size_mb) == (250, 250, 250, "MB")
    assert ends(scratch.size_mb) == (1, 2, 4, "MB")
    assert ends(scratch.cached_mb) == (1, 1, 1, "MB")
    assert mail.cached_mb is None
    assert mail.shares_disks_with == "programs"
    assert (mail.protection, scratch.protection) == ("mirror", "none")
    assert (mail.activity, programs.activity) == (None, "cold")


def test_each_kind_of_load_is_told_by_its_keys(full: Workload):
    design, reading, lessons = full.services
    assert isinstance(design.load, OperationsLoad)
    assert ends(design.load.ops_per_s_each) == (30, 30, 30, "op/s*client")
    assert isinstance(reading.load, ActivityLoad)
    assert reading.load.activity == "reading-mail"
    assert ends(reading.load.burst_s) == (5, 5.5, 6, "s")
    assert ends(reading.load.every_s) == (300, 300, 300, "s")
    assert ends(reading.load.times) == (2, 2, 2, "1")
    assert isinstance(lessons.load, DataLoad)
    frame, sound = lessons.load.data
    assert ends(frame.kb) == (250, 253, 256, "KB")
    assert ends(sound.byte) == (2, 2, 2, "byte")
    assert ends(sound.per_s) == (8000, 8000, 8000, "1/s")
    assert ends(sound.seconds) == (30, 30, 30, "s")


def test_clients_mix_and_use_of_volumes(full: Workload):
    design, reading, lessons = full.services
    assert ends(design.clients) == (12, 12, 12, "client")
    assert isinstance(design.active, Quantity) and design.active.high == 5
    assert isinstance(reading.active, Concurrency)
    assert ends(reading.active.of) == (3, 3, 3, "client")
    assert lessons.active is None and lessons.same_clients_as == "reading"
    assert design.mix == "a-mix" and lessons.mix is None
    assert isinstance(reading.mix, MixShares)
    assert ends(reading.mix.reads_percent) == (20, 20, 20, "%")
    assert design.uses is not None and list(design.uses) == ["mail", "scratch"]
    assert ends(design.uses["scratch"]) == (30, 35, 40, "1")
    assert reading.uses is not None
    assert [ends(weight) for weight in reading.uses.values()] == [(1, 1, 1, "1")] * 2
    assert lessons.uses is None


def test_the_rest_is_as_written(full: Workload):
    assert full.exclusive == (("design", "lessons"),)
    assert full.growth is not None and ends(full.growth.percent) == (10, 10, 10, "%")
    assert ends(full.growth.years) == (1.5, 1.75, 2, "year")
    assert full.backup is not None and full.backup.during_working_hours
    assert full.wishes is not None
    assert full.wishes.platforms == ("a-platform",)
    assert [(item.device, item.count) for item in full.wishes.carry_forward] == [
        ("a-disk", 8),
        ("another-disk", 1),
    ]
    policy = full.policy
    assert (policy.size_for, policy.follow_advice) == ("likely", "always")
    assert policy.parameters == {"XIII": {"max_ops": 200, "range": (1, 2), "text": "200 op/s"}}
    assert [(waiver.rule, waiver.reason) for waiver in policy.waive] == [
        ("XI", "it is installed already")
    ]


def test_what_is_left_out_has_its_default():
    least = read_workload(document(LEAST))
    assert least.volumes == () and least.exclusive == ()
    assert least.title is None and least.growth is None and least.wishes is None
    assert (least.policy.size_for, least.policy.follow_advice) == ("high", "where_free")
    assert least.networks[0].segments_at_most == 1 and not least.networks[0].keep_medium
    assert least.services[0].diskless is False
    assert least.said == {}


def test_every_leaf_is_named_placed_and_cited(full: Workload):
    design, reading, lessons = full.services
    assert isinstance(design.load, OperationsLoad) and isinstance(lessons.load, DataLoad)
    rate = design.load.ops_per_s_each
    assert rate.name == "services.design.load.ops_per_s_each"
    assert rate.source == ("input", "w.yaml:20:28", "1.2", "assumption")
    assert design.clients.source == ("input", "w.yaml:18:14", "", "")
    assert lessons.load.data[1].per_s is not None
    assert lessons.load.data[1].per_s.name == "services.lessons.load.data.sound.per_s"
    assert reading.uses is not None
    programs = reading.uses["programs"]
    assert programs.name == "services.reading.uses.programs"
    assert programs.source == ("input", "w.yaml:32:18", "1.3", "fact")


def test_names_keep_their_places_for_checks_against_a_guide(full: Workload):
    medium = full.networks[0].medium
    assert isinstance(medium, PlacedStr) and str(medium.place) == "w.yaml:6:13"
    limit = full.policy.parameters["XIII"]["text"]
    assert isinstance(limit, PlacedStr) and limit.place.line == 55


def test_a_parameter_is_read_once_its_unit_is_known(full: Workload):
    raw = full.policy.parameters["XIII"]["text"]
    figure = QuantityField("op/s").read(raw, None)
    assert ends(figure) == (200, 200, 200, "op/s")
    assert figure.source is not None and figure.source.where == "w.yaml:55:58"


def objects(value: Any) -> list[Any]:
    """Every object of the schema in a workload."""
    if isinstance(value, InputModel):
        below = [getattr(value, name) for name in type(value).model_fields]
        return [value, *(one for child in below for one in objects(child))]
    if isinstance(value, dict):
        return [one for child in value.values() for one in objects(child)]
    if isinstance(value, tuple):
        return [one for child in value for one in objects(child)]
    return []


def test_no_part_of_a_workload_can_be_changed(full: Workload):
    found = objects(full)
    assert len({type(one) for one in found}) >= 17
    for one in found:
        with pytest.raises(ValidationError, match="frozen"):
            setattr(one, next(iter(type(one).model_fields)), None)


def without(data: Any, key: str) -> Any:
    if isinstance(data, dict):
        return {name: without(value, key) for name, value in data.items()}
    return [without(value, key) for value in data] if isinstance(data, list) else data


def mappings(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to all mappings that are objects of the schema."""
    if isinstance(data, list):
        return [p for i, item in enumerate(data) for p in mappings(item, (*path, i))]
    if not isinstance(data, dict):
        return []
    free = path[-1:] in (("uses",), ("said",)) or path[-2:-1] in (("parameters",),)
    own = [] if free or path[-1:] == ("parameters",) else [path]
    return own + [p for key, item in data.items() for p in mappings(item, (*path, key))]


PLAIN = yaml.safe_load(FULL)
OBJECTS = mappings(PLAIN)


@pytest.mark.parametrize("path", OBJECTS, ids=str)
@pytest.mark.parametrize("key", ["unknwon", "OperationsLoad", "MixShares", "Concurrency", "self"])
def test_an_unknown_key_stops_the_load_wherever_it_stands(path: tuple[Any, ...], key: str):
    data = copy.deepcopy(PLAIN)
    target = data
    for step in path:
        target = target[step]
    target[key] = 1
    loaded = document(json.dumps(data))
    with pytest.raises(InputError) as caught:
        read_workload(loaded)
    (fault,) = caught.value.faults
    assert fault.what == f"unknown key '{key}'"
    assert fault.place == loaded.place((*path, key))
    assert fault.expected


@pytest.mark.parametrize("path", [path for path in OBJECTS if "said" not in path], ids=str)
def test_every_object_may_say_where_its_fields_are_stated(path: tuple[Any, ...]):
    data = without(PLAIN, "said")
    target = data
    for step in path:
        target = target[step]
    target["said"] = {next(iter(target)): {"section": "1.1.8", "kind": "fact"}}
    read_workload(document(json.dumps(data)))
    target["said"] = {"unknwon": {"section": "1.1.8", "kind": "fact"}}
    with pytest.raises(InputError, match="'unknwon' is no field of this object"):
        read_workload(document(json.dumps(data)))


def leaves(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(data, (dict, list)):
        items = data.items() if isinstance(data, dict) else enumerate(data)
        return [path, *(p for key, item in items for p in leaves(item, (*path, key)))]
    return [path]


JUNK = st.sampled_from(
    [None, True, -1, 0, 1e300, 10**20, "", " ", "x", "5 MB", [], [[]], {}, {"said": 1}, [1, 2],
     {"a": {"b": [None]}}, ["x", "x"], "\x1b[2J", {"said": {"said": {"said": {}}}}]
)  # fmt: skip


@settled(1200)
@given(st.lists(st.tuples(st.sampled_from(leaves(PLAIN)), JUNK), max_size=4))
def test_junk_anywhere_is_read_or_refused_with_places(changes: list[tuple[tuple[Any, ...], Any]]):
    data = copy.deepcopy(PLAIN)
    for path, junk in changes:
        target = data
        try:
            for step in path[:-1]:
                target = target[step]
            target[path[-1]] = copy.deepcopy(junk)
        except (IndexError, KeyError, TypeError):
            continue
    loaded = document(json.dumps(data, indent=1))
    try:
        workload = read_workload(loaded)
    except InputError as error:
        assert all(fault.place.line for fault in error.faults)
        assert not any("Input should be" in fault.what for fault in error.faults)
    else:
        assert isinstance(workload, Workload)


@given(
    st.binary(max_size=60)
    | st.text(max_size=60)
    | st.text(alphabet=string.printable, max_size=60).map(lambda text: FULL + text)
    | st.integers(0, len(FULL)).map(lambda end: FULL[:end])
)
def test_whatever_is_written_is_a_workload_or_faults(content: str | bytes):
    try:
        read_workload(parse_document(content, "w.yaml"))
    except InputError as error:
        assert error.faults


def test_a_flood_of_faults_ends():
    keys = "".join(f"k{n}: 1\n" for n in range(20_000))
    with pytest.raises(InputError) as caught:
        read_workload(document(keys))
    assert len(caught.value.faults) == 20_002
    names = "".join(f"  - {{name: n{n}}}\n" for n in range(5_000))
    pointers = "".join(f"  - {{name: v{n}, shares_disks_with: w{n}}}\n" for n in range(5_000))
    with pytest.raises(InputError) as caught:
        read_workload(document(f"networks:\n{names}volumes:\n{pointers}"))
    assert len(caught.value.faults) > 5_000
    assert caught.value.text().count("\nw.yaml") < FAULTS_LISTED


@pytest.mark.parametrize(
    "path",
    [path for path in EXAMPLES if not path.stem.startswith(("inventory", "expected", "box"))],
    ids=lambda path: f"{path.parent.name}/{path.stem}",
)
def test_the_examples_are_workloads(path: Path):
    assert read_workload(read_document(path)).name


def test_parts_may_be_put_together_in_python():
    ten = Quantity(10, 10, 10, "op/s*client")
    changed = OperationsLoad(ops_per_s_each=ten).replace(said={})
    assert changed.ops_per_s_each is ten
    assert Policy().size_for == "high"


def test_a_key_that_no_file_can_hold_is_refused_as_well():
    with pytest.raises(InputError, match="1 is not allowed here"):
        read_workload(
            Document("w.yaml", {"said": {1: {}}}, SourceMap(Location("w.yaml", 1, 1)), b"")
        )


def test_names_are_followed_in_data_of_any_shape():
    for text in (
        "[]",
        "x",
        "networks: 1",
        "services: [1]",
        "services: {a: b}",
        "exclusive: {a: 1}",
    ):
        list(reference_errors(document(text)))
