"""From file names and options to guides, workloads, boxes and plans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sizewright.api import (
    Engine,
    load_engine,
    read_workload,
    report_check,
    report_plan,
    written_check,
    written_plan,
)
from sizewright.cli.options import ALL, Common, CoverOptions
from sizewright.documents import Document, ValuePath, parse_document, read_bytes, read_document
from sizewright.engine import workload_guide
from sizewright.errors import (
    Diagnostic,
    InputError,
    Location,
    collect_errors,
    did_you_mean,
    join_or,
    refusal,
    shown,
    unknown_name,
)
from sizewright.guide.loader import default_guide, guide_files, guide_ids
from sizewright.guide.model import Guide
from sizewright.limits import LOGO_BYTES_AT_MOST, PLAN_BYTES_AT_MOST
from sizewright.output.cover import Cover
from sizewright.schema.policy import Policy
from sizewright.workload.reading import former_keys
from sizewright.workload.workload import Workload

if TYPE_CHECKING:
    from sizewright.box.schema import Box


STDIN = "-"


def load_document(name: str, assignments: Iterable[str] = ()) -> Document:
    """A YAML file, or standard input for ``-``, with changed values; raises InputError."""
    return with_assignments(read_document(name if name == STDIN else Path(name)), assignments)


def engine_of(common: Common, document: Document | None = None) -> Engine:
    """The guide that the options or the document ask for, with its rules; raises InputError."""
    for overlay in common.overlays:
        if not overlay.is_dir():
            what = "is no folder" if overlay.exists() else "there is no such folder"
            raise refusal(Location(str(overlay)), what, "a folder with tables or rules")
    if document is None:
        return load_engine(common.guide or default_guide(), common.overlays)
    chosen = workload_guide(document, common.guide, default_guide())
    if not common.guide and chosen not in guide_ids():
        raise InputError([unknown_name(document.place(("guide",)), "guide", chosen, guide_ids())])
    return load_engine(chosen, common.overlays)


def other_engines(
    common: Common, named: tuple[str, ...], own: str, option: str
) -> tuple[Engine, ...]:
    """The guides that an option names beside the input's own, in a fixed order.

    Only overlays with files for a guide are used. Raises InputError for a guide that does not
    exist, is the input's own or is named twice, and for a broken overlay.
    """
    others = tuple(guide for guide in guide_ids() if guide != own)
    place, expected = Location(option), f"one of {join_or((*others, ALL))}"
    with collect_errors() as errors:
        for name, times in Counter(named).items():
            if name == own:
                errors.append(Diagnostic(place, f"{own} is the input's own guide", expected))
            elif name not in (*others, ALL):
                what = f"there is no guide {shown(name)}"
                errors.append(Diagnostic(place, what, expected, did_you_mean(name, others)))
            elif times > 1:
                what = f"{name} is named more than once"
                errors.append(Diagnostic(place, what, "each guide once"))
            elif name != ALL and ALL in named:
                single = f"{ALL} by itself, or each guide by its name"
                errors.append(Diagnostic(place, f"{name} is among {ALL}", single))
    return tuple(
        load_engine(guide, (folder for folder in common.overlays if guide_files(folder, guide)))
        for guide in others
        if ALL in named or guide in named
    )


def workload_of(common: Common, document: Document) -> Workload:
    """The workload of a document, with the policy of the options; raises InputError.

    A box file raises an InputError that says only what it is. Keys with another name now are named
    on standard error.
    """
    with _meant_as(_WORKLOAD, document):
        workload = read_workload(document)
    if former := list(former_keys(document)):
        click.echo(InputError(former).text(), err=True)
    return workload.replace(policy=_with_options(workload.policy, common))


def cover_of(common: Common, stated: CoverOptions) -> Cover:
    """The head of a report: dated if a day is stated, or anything else of the head.

    Raises InputError for a logo that cannot be used, and for a day before that of the report.
    """
    from sizewright.output.cover import Cover

    title, customer, author, until, logo = stated
    day = common.day or (date.today() if any(stated) else None)
    if until is not None and day is not None and until < day:
        raise refusal(Location("--valid-until"), f"{until} is before {day}", "a later day")
    picture = ""
    if logo is not None:
        from sizewright.output.html.logo import picture_address

        picture = picture_address(*read_bytes(logo, LOGO_BYTES_AT_MOST))
    return Cover(title, customer, author, day, until, picture)


def box_of(common: Common, document: Document) -> Box:
    """The box of a document, with the policy of the options; raises InputError.

    A workload raises an InputError that says only what it is.
    """
    from sizewright.box.reading import read_box

    with _meant_as(_BOX, document):
        box = read_box(document)
    return box.replace(policy=_with_options(box.policy, common))


def _with_options(policy: Policy, common: Common) -> Policy:
    """A policy with the reserve, the end and the day of the options; by default it is today."""
    if common.size_for:
        policy = policy.replace(size_for=common.size_for)
    if common.reserve is not None:
        policy = policy.replace(reserve=common.reserve)
    return policy.replace(date=common.day or policy.date or date.today())


_WORKLOAD, _BOX = "a workload", "a box file"
# The command for each kind of file.
_COMMANDS = {_WORKLOAD: "plan", _BOX: "check"}


def is_box(document: Document) -> bool:
    """Whether a document looks like a box file rather than a workload."""
    return _kind_of(document)[0] == _BOX


def refuse_workload(document: Document) -> None:
    """Raise InputError for a document that looks like a workload."""
    _refuse_other(_BOX, document)


@contextmanager
def _meant_as(wanted: str, document: Document) -> Iterator[None]:
    """Raise an InputError that says only what a document is, if it is of another kind."""
    try:
        yield
    except InputError:
        _refuse_other(wanted, document)
        raise


def _refuse_other(wanted: str, document: Document) -> None:
    kind, key = _kind_of(document)
    if kind not in ("", wanted):
        what = f"'{key}': this looks like {kind}, not {wanted}"
        raise refusal(document.place((key,)), what, hint=f"try sizewright {_COMMANDS[kind]}")


def _kind_of(document: Document) -> tuple[str, str]:
    """The kind of file that a document looks like, and a key that shows it; empty if unclear."""
    from sizewright.box.schema import Box
    from sizewright.workload.workload import Workload

    data = document.data if isinstance(document.data, dict) else {}
    of_box = [key for key in data if key in Box.model_fields.keys() - Workload.model_fields]
    others = [key for key in data if key in Workload.model_fields.keys() - Box.model_fields]
    services = data.get("services")
    # A box file only names its services.
    if isinstance(services, list) and any(isinstance(one, dict) for one in services):
        others.append("services")
    elif len(of_box) > len(others):
        return _BOX, of_box[0]
    return (_WORKLOAD, others[0]) if len(others) > len(of_box) else ("", "")


def load_plan_or_document(name: str, or_check: bool = False) -> dict[str, Any] | Document:
    """A written plan as plain data, or another file as a document; raises InputError.

    A written check is refused unless it is wanted.
    """
    from sizewright.diff.planfile import is_plan, parse_plan

    raw, called = read_bytes(name, PLAN_BYTES_AT_MOST)
    if is_plan(raw, called):
        return parse_plan(raw, called, or_check)
    return parse_document(raw, called)


def plan_data_of(common: Common, loaded: dict[str, Any] | Document) -> dict[str, Any]:
    """A written plan as it is, or the plan of a workload file, as plain data; raises InputError."""
    if isinstance(loaded, dict):
        return loaded
    workload, engine = workload_of(common, loaded), engine_of(common, loaded)
    return written_plan(report_plan(workload, loaded, engine, systems=common.systems))


def result_of(common: Common, name: str) -> dict[str, Any]:
    """A written plan or check, or that of a workload or box file, as plain data."""
    loaded = load_plan_or_document(name, or_check=True)
    if isinstance(loaded, dict) or not is_box(loaded):
        return plan_data_of(common, loaded)
    box = box_of(common, loaded)
    return written_check(report_check(box, loaded, engine_of(common, loaded)))


def read_stdin_once(*names: str | None) -> None:
    """Raise UsageError if standard input is named twice."""
    if names.count(STDIN) > 1:
        raise click.UsageError("standard input (-) can be read once only")


def name_in_guide(guide: Guide, kind: str, name: str, known: Iterable[str]) -> str:
    """A name as the guide writes it; raises InputError with the nearest for an unknown one."""
    names = tuple(known)
    exact = {one.lower(): one for one in names}
    if name.lower() in exact:
        return exact[name.lower()]
    raise InputError([unknown_name(Location(f"guide {guide.id}"), kind, name, names)])


SET = "--set"
_EXPECTED = "KEY=VALUE, for example services.NAME.clients=20"


def with_assignments(document: Document, assignments: Iterable[str]) -> Document:
    """Return a document with the value of each `path=value`; items of lists go by their names.

    Raises InputError with every path that leads to nothing, and every value that is not YAML.
    """
    with collect_errors() as errors:
        for assignment in assignments:
            option = f"{SET} {assignment}"
            keys, _, text = assignment.partition("=")
            with errors.catch():
                if not keys.strip() or not text.strip():
                    what = f"{shown(assignment)} is not an assignment"
                    raise refusal(Location(SET), what, _EXPECTED)
                path = _resolve(document.data, keys.strip(), Location(option))
                document = document.with_value(path, text, option, assignment)
    return document


def _resolve(data: Any, keys: str, place: Location) -> ValuePath:
    """Return the path to a value: keys of mappings, which may be new, and items of lists."""
    path: ValuePath = ()
    left = keys
    while left:
        before = keys[: len(keys) - len(left)].rstrip(".")
        if isinstance(data, list):
            names = {_name_of(item, at): at for at, item in enumerate(data)}
            # A name may itself have dots in it.
            fitting = [name for name in names if left == name or left.startswith(f"{name}.")]
            if not fitting:
                tried = left.partition(".")[0]
                what = f"{before} has no item {shown(tried)}"
                near = did_you_mean(tried, names)
                raise refusal(place, what, f"one of {join_or(names)}", near)
            name = max(fitting, key=len)
            path, left = (*path, names[name]), left[len(name) + 1 :]
            data = data[names[name]]
        elif isinstance(data, dict) or data is None:
            key, _, left = left.partition(".")
            path = (*path, key)
            data = data.get(key) if data else None
        else:
            what = f"{before} is one value and has no {shown(left)}"
            raise refusal(place, what, "a shorter path")
    return path


def _name_of(item: Any, at: int) -> str:
    """Return the name of an item of a list, or its number from 1 if it has none."""
    name = item.get("name") if isinstance(item, dict) else None
    return str(name) if isinstance(name, str) else str(at + 1)
