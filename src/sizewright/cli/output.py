"""Write a result to standard output, or to a file, whole or not at all."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, TextIO, TypeVar

import click

from sizewright.cli.options import JSON, TEXT, Common
from sizewright.errors import InputError, Location, refusal
from sizewright.output.render import PLAIN, Style

T = TypeVar("T")
_UTF_8 = "utf-8"
_STDOUT = "<stdout>"


def style_for(output: Path | None) -> Style:
    """The style of a text for its destination: colour, and which characters."""
    if output is not None:
        return PLAIN
    has_colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    colour = has_colour and os.environ.get("TERM") != "dumb"
    return Style(colour, _encoding().lower().startswith("utf"))


def _encoding() -> str:
    """The encoding of standard output."""
    return getattr(sys.stdout, "encoding", None) or _UTF_8


def check_output(output: Path | None, to_folder: bool = False) -> None:
    """Raise InputError early for a file that could not be written, or that the command reads.

    It may be a folder if stated.
    """
    if output is not None and output.is_file() and any(_reads(output, file) for file in _named()):
        hint = "choose another file, so that the input is not lost"
        raise refusal(Location(str(output)), "is an input of this command", hint=hint)
    if output is None or (to_folder and output.is_dir()):
        return
    if output.is_symlink():
        try:
            output.stat()
        except FileNotFoundError:
            pass  # The file that it leads to is made.
        except OSError as error:
            raise _unwritable(output, error) from None
    if output.is_dir():
        raise refusal(Location(str(output)), "is a directory", "a file")
    if not output.parent.is_dir():
        raise refusal(
            Location(str(output)),
            f"there is no folder '{output.parent}'",
            "a file in a folder there",
        )


def _named() -> Iterator[Path]:
    """All that the arguments and options of the command name, except its output.

    A lock may be written again as JSON: that is done only if nothing differs.
    """
    params = click.get_current_context().params
    written = ("output", *(("locked",) if params.get("form") == JSON else ()))
    for name, value in params.items():
        for each in value if isinstance(value, tuple) else (value,):
            if name not in written and isinstance(each, str | Path) and str(each):
                yield Path(each)


def _reads(output: Path, named: Path) -> bool:
    """Whether a file is what is named, or a file of the folder that is named, as of an overlay."""
    if named.is_dir():
        return output.suffix == ".yaml" and named.resolve() in output.resolve().parents
    return named.exists() and named.samefile(output)


def write_result(
    common: Common, result: T, to_data: Callable[[T], object], to_text: Callable[[T, Style], str]
) -> None:
    """Write a result as JSON or as text, as the options ask."""
    if common.form == JSON:
        emit_json(to_data(result), common.output)
    else:
        emit(to_text(result, style_for(common.output)), common.output)


def write_form(common: Common, forms: Mapping[str, str], *result: object) -> None:
    """Write a result in the form that the options ask for; only the code of that form is imported.

    `forms` has the function of each form, as `module:function` of the room `output`. The function
    of text takes a style too.
    """
    write = load(f"output.{forms[common.form]}")
    written = write(*result, *([style_for(common.output)] if common.form == TEXT else ()))
    if isinstance(written, str):
        emit(written, common.output)
    else:
        emit_json(written, common.output)


def load(name: str) -> Any:
    """Return what `module:name` names in the program; its module is imported now."""
    module, _, attribute = name.partition(":")
    return getattr(import_module(f"sizewright.{module}"), attribute)


def emit(text: str, output: Path | None) -> None:
    """Write a text that ends with a line break; raises InputError if the file cannot be written."""
    content = text if text.endswith("\n") else text + "\n"
    if output is None:
        # A name from the user's file may contain characters that this terminal cannot show.
        encoding = _encoding()
        _print(content.encode(encoding, "backslashreplace").decode(encoding))
    else:
        _write(content.encode(_UTF_8, "backslashreplace"), output)


def emit_json(data: object, output: Path | None) -> None:
    """Write plain data as JSON, always in UTF-8; what could steer a terminal is escaped."""
    import json

    text = json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False)
    if not text.replace("\n", "").isprintable():
        text = "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)
    content = f"{text}\n".encode(_UTF_8)
    if output is None:
        _print(content)
    else:
        _write(content, output)


def emit_files(texts: Mapping[Path, str]) -> None:
    """Write texts to regular files, all of them or none; raises InputError."""
    contents = {file: text.encode(_UTF_8, "backslashreplace") for file, text in texts.items()}
    try:
        _replace_all({file.resolve(): content for file, content in contents.items()})
    except OSError as error:
        raise _unwritable(next(iter(texts)).parent, error) from None


def _write(content: bytes, output: Path) -> None:
    try:
        _replace(output, content)
    except OSError as error:
        raise _unwritable(output, error) from None


def _print(content: str | bytes) -> None:
    try:
        click.echo(content, nl=False)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has closed the pipe.
        _abandon(sys.stdout)


def report_unwritable_output(error: OSError) -> None:
    """Give up standard output, and report on standard error why it cannot be written."""
    _abandon(sys.stdout)
    try:
        click.echo(_unwritable(_STDOUT, error).text(), err=True)
    except OSError:
        # The message cannot be written either.
        _abandon(sys.stderr)


def _abandon(stream: TextIO) -> None:
    """Discard what is left in a stream, so that closing it at exit does not fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _replace(output: Path, content: bytes) -> None:
    target = output.resolve()
    if target.exists() and not stat.S_ISREG(target.stat().st_mode):
        # A device or a pipe has to be written to; replacing it would destroy it.
        with target.open("wb") as stream:
            stream.write(content)
        return
    _replace_all({target: content})


def _replace_all(contents: Mapping[Path, bytes]) -> None:
    """Write all files beside their targets, then rename them; undo what was renamed on an error."""
    unfinished = {target: target.with_name(f".{target.name}.{os.getpid()}") for target in contents}
    former: dict[Path, bytes | None] = {}
    try:
        for target, content in contents.items():
            with unfinished[target].open("xb") as stream:
                stream.write(content)
        for target, file in unfinished.items():
            # A file by itself needs no undoing, so that it need not be readable.
            before = target.read_bytes() if len(contents) > 1 and target.exists() else None
            file.replace(target)
            former[target] = before
    except OSError:
        for target, before in former.items():
            target.unlink() if before is None else target.write_bytes(before)
        raise
    finally:
        for file in unfinished.values():
            file.unlink(missing_ok=True)


def _unwritable(output: Path | str, error: OSError) -> InputError:
    return refusal(
        Location(str(output)), f"cannot be written: {(error.strerror or str(error)).lower()}"
    )
