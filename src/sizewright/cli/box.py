"""`sizewright box`: draft and complete a box file from the output of a machine's own tools."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from math import isfinite
from typing import Any

import click

from sizewright.cli.inputs import load_document, read_stdin_once, refuse_workload
from sizewright.cli.options import JSON, Common, complete_file, complete_platform, example, shared
from sizewright.cli.output import check_output, emit, emit_json
from sizewright.documents import Document, parse_document, read_bytes
from sizewright.errors import collect_errors, printable
from sizewright.guide.loader import default_guide, guide_ids, load_guide
from sizewright.importers.box_file import Replaced, merge_observed, observed_block, of_known_disks
from sizewright.importers.draft import draft_box
from sizewright.importers.formats import Text, decode_output, detect_tool, load_formats, wrong_tool
from sizewright.importers.nfs_counters import read_nfs_counters
from sizewright.importers.reports import Observation, read_observation
from sizewright.limits import BYTES_AT_MOST

_DRAFT = "sizewright.box-draft/1"
_OBSERVED = "sizewright.observed/1"
_WORKLOAD = "sizewright.workload-draft/1"


@click.group("box", epilog=example("sizewright box from-probe messages.txt -o box.yaml"))
def box_command() -> None:
    """Write the description of an existing server (a box file) from its own output.

    from-probe drafts a box file; the others add measurements. Remarks go to standard error.
    """


@box_command.command("from-probe", epilog=example("sizewright box from-probe messages.txt"))
@click.argument("file", shell_complete=complete_file)
@click.option(
    "--platform", default="", metavar="ROW", shell_complete=complete_platform,
    help="The machine's row in table platforms.",
)  # fmt: skip
@click.option("--name", default="", metavar="ID", help="Name of the system.")
@shared()
def from_probe(common: Common, file: str, platform: str, name: str) -> None:
    """Draft a box file from kernel messages.

    FILE contains the kernel's messages at boot, or is - for standard input. The draft lists as
    remarks what the messages do not state.
    """
    check_output(common.output)
    text = _text(file)
    if detect_tool(text, known := load_formats()) not in ("", "probe"):
        raise wrong_tool(text, "probe", known)
    guide = load_guide(common.guide or default_guide(), common.overlays)
    draft = draft_box(text, guide, platform, name)
    _print_notes(draft.notes)
    _print_notes(f"not understood, line {number}: {line}" for number, line in draft.unknown)
    if common.form == JSON:
        lines = [{"line": number, "text": line} for number, line in draft.unknown]
        data = {"box": draft.data, "notes": list(draft.notes), "not_understood": lines}
        emit_json({"schema": _DRAFT, **data}, common.output)
    else:
        emit(draft.text(), common.output)


@click.group("workload", epilog=example("sizewright workload from-box box.yaml -o workload.yaml"))
def workload_command() -> None:
    """Write a workload file."""


@workload_command.command("from-box", epilog=example("sizewright workload from-box box.yaml"))
@click.argument("file", shell_complete=complete_file)
@shared()
def from_box(common: Common, file: str) -> None:
    """Draft a workload from an existing server, to plan what replaces it.

    FILE is a box file with measurements; - is standard input. The workload states rates, volumes,
    memory and networks as observed. Remarks name what is not known.
    """
    from sizewright.box.reading import read_box
    from sizewright.box.workload import draft_workload

    check_output(common.output)
    document = load_document(file)
    refuse_workload(document)
    box = read_box(document)
    guide = load_guide(common.guide or str(box.guide or default_guide()), common.overlays)
    drafted = draft_workload(box, guide)
    _print_notes(f"not counted: {each}" for each in drafted.missing)
    if common.form == JSON:
        data = {"workload": drafted.data, "missing": list(drafted.missing)}
        emit_json({"schema": _WORKLOAD, **data}, common.output)
    else:
        emit(drafted.text(), common.output)


def _adds_measurements(function: Callable[..., Observation]) -> Callable[..., Any]:
    """Make a command that adds what its function reads to a box file."""

    @click.option(
        "--box", metavar="FILE", shell_complete=complete_file,
        help="Box file to complete (default: print the block).",
    )  # fmt: skip
    @shared()
    @wraps(function)
    def command(common: Common, box: str | None, **rest: Any) -> None:
        read_stdin_once(box, rest["file"], rest.get("later"))
        check_output(common.output)
        into = None if box is None else _read_box(box)
        if into is not None and "page_kb" in rest:
            rest["page_kb"] = rest["page_kb"] or _page_kb(into[0], common)
        _write_observation(function(**rest), into, common)

    return command


def _read_box(name: str) -> tuple[Document, str]:
    """The document of a box file, and its text; raises InputError for a workload."""
    raw, called = read_bytes(name, BYTES_AT_MOST)
    document = parse_document(raw, called)
    refuse_workload(document)
    return document, raw.decode("utf-8-sig")


def _page_kb(document: Document, common: Common) -> float | None:
    """The size of a page on the platform of a box file, by its guide; None if it is not known."""
    stated = document.data if isinstance(document.data, dict) else {}
    name = common.guide or stated.get("guide") or default_guide()
    if name not in guide_ids():
        return None
    guide = load_guide(str(name), common.overlays)
    platform = guide.table("platforms").rows.get(str(stated.get("platform")))
    unit = platform.text("mmu") if platform else ""
    page = guide.row("mmu", unit).cell("page_size_kb") if unit else None
    return page.likely if page else None


_keep_first_option = click.option(
    "--keep-first", is_flag=True, help="Keep the first report; it is not an average since boot."
)


def _positive_option(name: str, unit: str, meaning: str) -> Callable[..., Any]:
    return click.option(
        name, type=click.FloatRange(min=0, min_open=True), callback=_check_finite, metavar=unit,
        help=meaning,
    )  # fmt: skip


def _check_finite(
    _ctx: click.Context, _param: click.Parameter, value: float | None
) -> float | None:
    if value is not None and not isfinite(value):
        raise click.BadParameter(f"{value} is not a finite number")
    return value


_seconds_option = _positive_option("--seconds", "S", "Length of each report.")


@box_command.command(
    "from-iostat", epilog=example("sizewright box from-iostat io.txt --box box.yaml")
)
@click.argument("file", shell_complete=complete_file)
@_keep_first_option
@_seconds_option
@_adds_measurements
def from_iostat(file: str, keep_first: bool, seconds: float | None) -> Observation:
    """Add loads of disks and processors.

    FILE contains reports of iostat in columns, or JSON of iostat or sadf; - is standard input. The
    first report is an average since boot. It is ignored if others follow.
    """
    return read_observation(_text(file), "io", load_formats(), keep_first, None, seconds)


@box_command.command("from-vmstat", epilog=example("sizewright box from-vmstat vm.txt --page-kb 4"))
@click.argument("file", shell_complete=complete_file)
@_positive_option("--page-kb", "KB", "Size of a page (default: that of the platform in --box).")
@_keep_first_option
@_seconds_option
@_adds_measurements
def from_vmstat(
    file: str, keep_first: bool, page_kb: float | None, seconds: float | None
) -> Observation:
    """Add processor time, paging and cache hits.

    FILE contains reports of vmstat, the sums of vmstat -s, or JSON of sadf; - is standard input.
    The first report is an average since boot. It is ignored if others follow.
    """
    return read_observation(_text(file), "vm", load_formats(), keep_first, page_kb, seconds)


@box_command.command("from-nfsstat", epilog=example("sizewright box from-nfsstat a b --seconds 60"))
@click.argument("file", shell_complete=complete_file)
@click.argument("later", required=False, shell_complete=complete_file)
@_positive_option("--seconds", "S", "Length of the counted period.")
@click.option(
    "--side", type=click.Choice(("server", "client")), default="server", show_default=True,
    help="Whose calls to take.",
)  # fmt: skip
@_adds_measurements
def from_nfsstat(file: str, later: str | None, seconds: float | None, side: str) -> Observation:
    """Add the mix and the rate of NFS calls.

    FILE contains the output of nfsstat, or JSON of sadf; - is standard input. With LATER, a second
    output of the same machine, only the calls between the two count.
    """
    with collect_errors() as errors:
        texts = errors.for_each(_text, [file] if later is None else [file, later])
    second = None if later is None else texts[1]
    return read_nfs_counters(texts[0], second, load_formats(), side, seconds)


def _write_observation(
    found: Observation, into: tuple[Document, str] | None, common: Common
) -> None:
    notes, data = found.notes, {"observed": found.observed}
    text = observed_block(found.observed)
    if into is not None:
        document, written = into
        replaced = Replaced.of(load_formats().data)
        observed, left_out = of_known_disks(document.data, found.observed)
        result = merge_observed(document, written, observed, replaced)
        text, data = result.text, {"box": result.data}
        notes = (*notes, *result.notes, *left_out)
    _print_notes(notes)
    if common.form == JSON:
        emit_json({"schema": _OBSERVED, **data, "notes": list(notes)}, common.output)
    else:
        emit(text, common.output)


def _print_notes(notes: Iterable[str]) -> None:
    for note in notes:
        click.echo(printable(note), err=True)


def _text(file: str) -> Text:
    return decode_output(*read_bytes(file, BYTES_AT_MOST))
