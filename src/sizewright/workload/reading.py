"""Reads a document as a workload, with all its errors at once."""

from collections.abc import Iterator
from typing import Any

from sizewright.documents import Document
from sizewright.errors import Diagnostic, collect_errors, did_you_mean, join_or, shown
from sizewright.limits import COUNT_AT_MOST, FAULTS_LISTED
from sizewright.schema.quantity import read_model
from sizewright.workload.nfs import FORMER_RATE_KEY, RATE_KEY
from sizewright.workload.workload import Workload

Path = tuple[str | int, ...]
_EACH = "*"

_UNIQUE = (
    (("networks", _EACH, "name"), "network"),
    (("volumes", _EACH, "name"), "volume"),
    (("services", _EACH, "name"), "service"),
    (("availability", "degraded", _EACH, "service"), "degraded service"),
)
_POINTERS = (
    (("services", _EACH, "network"), "networks", "network"),
    (("services", _EACH, "same_clients_as"), "services", "service"),
    (("services", _EACH, "uses", _EACH), "volumes", "volume"),
    (("services", _EACH, "work", _EACH, "volume"), "volumes", "volume"),
    (("services", _EACH, "volume"), "volumes", "volume"),
    (("services", _EACH, "log"), "volumes", "volume"),
    (("services", _EACH, "spool"), "volumes", "volume"),
    (("volumes", _EACH, "shares_disks_with"), "volumes", "volume"),
    (("volumes", _EACH, "apart_from", _EACH), "volumes", "volume"),
    (("exclusive", _EACH, _EACH), "services", "service"),
    (("backup", "over"), "networks", "network"),
    (("availability", "degraded", _EACH, "service"), "services", "service"),
)


def reference_errors(document: Document) -> Iterator[Diagnostic]:
    """Yield names that are used twice, do not exist, or refer to themselves."""
    yield from _twice(document)
    for steps, section, kind in _POINTERS:
        yield from _astray(document, steps, section, kind)
    yield from _shared_with_itself(document)
    yield from _split_into_another(document)
    yield from _counted_nowhere(document)
    yield from _in_two_sets(document)


def former_keys(document: Document) -> Iterator[Diagnostic]:
    """Yield the keys that have another name now; they are read until the next version."""
    services = _at(document.data, ("services",))
    for number, service in enumerate(services if isinstance(services, list) else ()):
        here = ("services", number)
        if _at(service, ("load", FORMER_RATE_KEY)) is not None:
            what = f"the key {shown(FORMER_RATE_KEY)} of a load is deprecated"
            expected = f"{RATE_KEY}, which says that it is the rate of each active client"
            yield Diagnostic(document.place((*here, "load", FORMER_RATE_KEY)), what, expected)
        works = _at(service, ("work",))
        for at, work in enumerate(works if isinstance(works, list) else ()):
            if _at(work, ("by",)) is not None and _at(work, ("every_s",)) is None:
                what = "the key 'by' of work without every_s is deprecated"
                expected = "runs_at_once, which says that it is the number of runs at once"
                yield Diagnostic(document.place((*here, "work", at, "by")), what, expected)


def _texts(data: Any, steps: Path, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Yield each text at the end of the steps; the keys of a mapping count as its items."""
    if not steps:
        if isinstance(data, str):
            yield path, data
        return
    step, rest = steps[0], steps[1:]
    if step != _EACH:
        if isinstance(data, dict) and step in data:
            yield from _texts(data[step], rest, (*path, step))
    elif isinstance(data, list):
        for index, item in enumerate(data):
            yield from _texts(item, rest, (*path, index))
    elif isinstance(data, dict) and not rest:
        for key in data:
            yield (*path, key), key


def _twice(document: Document) -> Iterator[Diagnostic]:
    for steps, kind in _UNIQUE:
        first: dict[str, Path] = {}
        for path, name in _texts(document.data, steps):
            if name in first:
                line = document.place(first[name]).line
                what = f"the {kind} {shown(name)} is defined twice (first on line {line})"
                yield Diagnostic(document.place(path), what)
            first.setdefault(name, path)
    seen: set[tuple[str | int, str]] = set()
    for path, name in _texts(document.data, ("services", _EACH, "load", "data", _EACH, "name")):
        here = path[1], name
        if here in seen:
            yield Diagnostic(document.place(path), f"the data {shown(name)} are listed twice")
        seen.add(here)


def _astray(document: Document, steps: Path, section: str, kind: str) -> Iterator[Diagnostic]:
    if not isinstance(_at(document.data, (section,)) or [], list):
        return
    known = dict.fromkeys(name for _, name in _texts(document.data, (section, _EACH, "name")))
    expected = join_or(map(shown, known)) if known else f"a {kind} defined under {section}"
    astray = ((path, name) for path, name in _texts(document.data, steps) if name not in known)
    for number, (path, name) in enumerate(astray):
        near = did_you_mean(name, known) if number < FAULTS_LISTED else ""
        yield Diagnostic(document.place(path), f"there is no {kind} {shown(name)}", expected, near)


def _shared_with_itself(document: Document) -> Iterator[Diagnostic]:
    for path, name in _texts(document.data, ("volumes", _EACH, "shares_disks_with")):
        if _at(document.data, (*path[:-1], "name")) == name:
            what = f"the volume {shown(name)} shares disks with itself"
            yield Diagnostic(document.place(path), what, "another volume")


def _split_into_another(document: Document) -> Iterator[Diagnostic]:
    """Yield networks with the name of a part of a network that may be split."""
    names = tuple(_texts(document.data, ("networks", _EACH, "name")))
    split = {
        name: parts for path, name in names
        if isinstance(parts := _at(document.data, (*path[:-1], "segments_at_most")), int)
    }  # fmt: skip
    for path, name in names:
        whole, _, number = name.rpartition("-")
        counted = number.isdecimal() and len(number) <= len(str(COUNT_AT_MOST))
        if counted and 0 < int(number) <= split.get(whole, 0):
            what = f"{shown(name)} is what part {number} of the network {shown(whole)} is called"
            yield Diagnostic(document.place(path), what, "another name")


def _counted_nowhere(document: Document) -> Iterator[Diagnostic]:
    own = {
        name
        for path, name in _texts(document.data, ("services", _EACH, "name"))
        if _at(document.data, (*path[:-1], "same_clients_as")) is None
    }
    known = {name for _, name in _texts(document.data, ("services", _EACH, "name"))}
    for path, name in _texts(document.data, ("services", _EACH, "same_clients_as")):
        if name in known - own:
            what = f"the service {shown(name)} has no clients of its own"
            expected = "a service without same_clients_as"
            yield Diagnostic(document.place(path), what, expected)


def _in_two_sets(document: Document) -> Iterator[Diagnostic]:
    seen: dict[str, Path] = {}
    for path, name in _texts(document.data, ("exclusive", _EACH, _EACH)):
        if name in seen:
            where = "twice in one set" if seen[name][:2] == path[:2] else "in two sets"
            what = f"the service {shown(name)} stands {where}"
            yield Diagnostic(document.place(path), what, "each service once")
        seen.setdefault(name, path)
    sets = _at(document.data, ("exclusive",))
    for index, members in enumerate(sets if isinstance(sets, list) else ()):
        if isinstance(members, list) and len(members) < 2:
            what = "a set of services that exclude each other has no pair in it"
            yield Diagnostic(document.place(("exclusive", index)), what, "two services or more")


def _at(data: Any, path: Path) -> Any:
    for step in path:
        if isinstance(data, dict) and isinstance(step, str):
            data = data.get(step)
        elif isinstance(data, list) and isinstance(step, int):
            data = data[step]
        else:
            return None
    return data


def read_workload(document: Document) -> Workload:
    """Return the workload of a document; raises InputError with all errors."""
    with collect_errors() as errors:
        errors.extend(reference_errors(document))
        return read_model(document, Workload)
