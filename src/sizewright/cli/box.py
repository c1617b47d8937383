"""`sizewright box`: draft a box file, and complete it, from what the machine itself prints."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import wraps
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sizewright.cli.completing import files, platforms
from sizewright.cli.options import JSON, Common, example, shared
from sizewright.cli.output import check_output, emit, emit_json
from sizewright.errors import Location, collect_errors, printable, refusal
from sizewright.limits import BYTES_AT_MOST

if TYPE_CHECKING:
    from sizewright.importers.formats import Text
    from sizewright.importers.reports import Observation

_DRAFT = "sizewright.box-draft/1"
_OBSERVED = "sizewright.observed/1"
_STDIN = "-"


@click.group("box", epilog=example("sizewright box from-probe messages.txt -o box.yaml"))
def command() -> None:
    """Write the description of an existing server (a box file) from its own output.

    from-probe drafts a box file; the others add measurements. Remarks go to standard error.
    """


@command.command("from-probe", epilog=example("sizewright box from-probe messages.txt"))
@click.argument("file", shell_complete=files)
@click.option(
    "--platform", default="", metavar="ROW", shell_complete=platforms,
    help="The machine's row in table platforms.",
)  # fmt: skip
@click.option("--name", default="", metavar="ID", help="Name of the system.")
@shared
def from_probe(common: Common, file: str, platform: str, name: str) -> None:
    """Draft a box file from kernel messages.

    FILE contains the kernel's messages at boot, or is - for standard input. The draft lists as
    remarks what the messages do not state.
    """
    from sizewright.guide.loader import load_guide
    from sizewright.guide.paths import default_guide
    from sizewright.importers.draft import draft_box
    from sizewright.importers.formats import detect_tool, load_formats, wrong_tool

    check_output(common.output)
    text = _text(file)
    if detect_tool(text, known := load_formats()) not in ("", "probe"):
        raise wrong_tool(text, "probe", known)
    guide = load_guide(common.guide or default_guide(), common.overlays)
    draft = draft_box(text, guide, platform, name)
    _say(draft.notes)
    _say(f"not understood, line {number}: {line}" for number, line in draft.unknown)
    if common.form == JSON:
        lines = [{"line": number, "text": line} for number, line in draft.unknown]
        data = {"box": draft.data, "notes": list(draft.notes), "not_understood": lines}
        emit_json({"schema": _DRAFT, **data}, common.output)
    else:
        emit(draft.text(), common.output)


def _observing(function: Callable[..., Observation]) -> Callable[..., Any]:
    """A command that adds to a box file; its function reads the figures."""

    @click.option(
        "--box",
        metavar="FILE",
        shell_complete=files,
        help="Box file to complete (default: print the block).",
    )
    @shared
    @wraps(function)
    def observing(common: Common, box: str | None, **rest: Any) -> None:
        _input_once(box, rest["file"], rest.get("later"))
        check_output(common.output)
        _put(function(**rest), box, common)

    return observing


_first = click.option(
    "--keep-first", is_flag=True, help="Keep the first report; it is not an average since boot."
)


def _finite(_ctx: click.Context, _param: click.Parameter, value: float | None) -> float | None:
    if value is not None and not isfinite(value):
        raise click.BadParameter(f"{value} is not a finite number")
    return value


_positive = click.FloatRange(min=0, min_open=True)


def _input_once(*names: str | None) -> None:
    if names.count(_STDIN) > 1:
        raise click.UsageError("standard input (-) can be read once only")


@command.command("from-iostat", epilog=example("sizewright box from-iostat io.txt --box box.yaml"))
@click.argument("file", shell_complete=files)
@_first
@_observing
def from_iostat(file: str, keep_first: bool) -> Observation:
    """Add loads of disks and processors.

    FILE contains reports of iostat in columns, or JSON of iostat or sadf; - is standard input. The
    first report is an average since boot. It is ignored if others follow.
    """
    from sizewright.importers.formats import load_formats
    from sizewright.importers.nfs_counters import read_observation

    return read_observation(_text(file), "io", load_formats(), keep_first)


@command.command("from-vmstat", epilog=example("sizewright box from-vmstat vm.txt --page-kb 4"))
@click.argument("file", shell_complete=files)
@click.option(
    "--page-kb", type=_positive, callback=_finite, metavar="KB", help="Size of a page of memory."
)
@_first
@_observing
def from_vmstat(file: str, keep_first: bool, page_kb: float | None) -> Observation:
    """Add processor time, paging and cache hits.

    FILE holds reports of vmstat, the sums of vmstat -s, or JSON of sadf; - for standard input. The
    first report is an average since boot: it is left out where others follow.
    """
    from sizewright.importers.formats import load_formats
    from sizewright.importers.nfs_counters import read_observation

    return read_observation(_text(file), "vm", load_formats(), keep_first, page_kb)


@command.command("from-nfsstat", epilog=example("sizewright box from-nfsstat a b --seconds 60"))
@click.argument("file", shell_complete=files)
@click.argument("later", required=False, shell_complete=files)
@click.option(
    "--seconds", type=_positive, callback=_finite, metavar="S", help="Length of the counted period."
)
@click.option(
    "--side", type=click.Choice(("server", "client")), default="server", show_default=True,
    help="Whose calls to take.",
)  # fmt: skip
@_observing
def from_nfsstat(file: str, later: str | None, seconds: float | None, side: str) -> Observation:
    """Add the mix and the rate of NFS calls.

    FILE holds what nfsstat printed, or JSON of sadf; - for standard input. With LATER, a second
    output of the same machine, only the calls between the two count.
    """
    from sizewright.importers.formats import load_formats
    from sizewright.importers.nfs_counters import read_nfs_counters

    text, second = _texts(file, later)
    return read_nfs_counters(text, second, load_formats(), side, seconds)


def _put(found: Observation, box: str | None, common: Common) -> None:
    from sizewright.importers.box_file import merge_observed, observed_block
    from sizewright.importers.formats import load_formats

    notes, data = found.notes, {"observed": found.observed}
    text = observed_block(found.observed)
    if box is not None:
        from sizewright.cli.mistaken import refuse_workload
        from sizewright.documents import parse_document
        from sizewright.importers.box_file import unknown_disk_notes

        raw, name = _bytes(box)
        document = parse_document(raw, name)
        refuse_workload(document)
        whole = load_formats().data["whole"]
        result = merge_observed(document, raw.decode("utf-8-sig"), found.observed, whole)
        text, data = result.text, {"box": result.data}
        notes = (*notes, *result.notes, *unknown_disk_notes(result.data, found.observed))
    _say(notes)
    if common.form == JSON:
        emit_json({"schema": _OBSERVED, **data, "notes": list(notes)}, common.output)
    else:
        emit(text, common.output)


def _say(notes: Iterable[str]) -> None:
    for note in notes:
        click.echo(printable(note), err=True)


def _texts(file: str, later: str | None) -> tuple[Text, Text | None]:
    with collect_errors() as errors:
        read = errors.for_each(_text, [file] if later is None else [file, later])
    return read[0], read[1] if later is not None else None


def _text(file: str) -> Text:
    from sizewright.importers.formats import decode_output

    return decode_output(*_bytes(file))


def _bytes(file: str) -> tuple[bytes, str]:
    """The bytes of a file or of standard input, one more than are taken, and its name."""
    if file == _STDIN:
        return sys.stdin.buffer.read(BYTES_AT_MOST + 1), "<stdin>"
    try:
        with Path(file).open("rb") as stream:
            return stream.read(BYTES_AT_MOST + 1), file
    except FileNotFoundError:
        what = "there is no such file"
    except IsADirectoryError:
        what = "is a directory"
    except (OSError, ValueError) as error:
        what = f"cannot be read: {(getattr(error, 'strerror', None) or str(error)).lower()}"
    raise refusal(Location(file), what, "a file")
