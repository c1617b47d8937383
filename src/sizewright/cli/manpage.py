"""The manual page, made from the commands themselves."""

from __future__ import annotations

from collections.abc import Iterator

import click

_VERBATIM = "\b"
_HIDDEN = "\f"
_SECTION = "1"


def man_page(main: click.Group, name: str, version: str) -> str:
    """One page in roff, with every command and every option."""
    context = main.context_class(main, info_name=name, **main.context_settings)
    short, *more = _paragraphs(main.help or "")
    lines = [
        f'.TH {name.upper()} {_SECTION} "" "{_text(f"{name} {version}")}"',
        ".SH NAME",
        f"{_text(name)} \\- {_text(_sentence(short))}",
        ".SH SYNOPSIS",
        f".B {_text(name)}",
        _text(" ".join(main.collect_usage_pieces(context))),
        *([".SH DESCRIPTION", *_said(more)] if more else []),
        ".SH OPTIONS",
        *_options(main, context),
        ".SH COMMANDS",
        *(line for command in _commands(main, context) for line in _command(command)),
        ".SH EXAMPLE AND EXIT STATUS",
        *_said(_paragraphs(main.epilog or "")),
    ]
    return "\n".join(lines) + "\n"


def _commands(group: click.Group, context: click.Context) -> Iterator[click.Context]:
    """Every command that does something; of a group those in it."""
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None or command.hidden:
            continue
        below = click.Context(command, info_name=name, parent=context)
        if isinstance(command, click.Group):
            yield from _commands(command, below)
        else:
            yield below


def _command(context: click.Context) -> Iterator[str]:
    command = context.command
    pieces = " ".join((context.command_path, *command.collect_usage_pieces(context)))
    yield f".SS {_text(pieces)}"
    yield from _said(_paragraphs(command.help or ""))
    yield from _options(command, context)
    yield from _said(_paragraphs(command.epilog or ""))


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    for param in command.get_params(context):
        record = param.get_help_record(context)
        # Arguments are told in the text.
        if record is not None and isinstance(param, click.Option):
            names, said = record
            yield ".TP"
            yield f"\\fB{_text(names)}\\fR"
            yield _text(said)


def _paragraphs(text: str) -> list[str]:
    return [part for part in text.partition(_HIDDEN)[0].split("\n\n") if part.strip()]


def _said(paragraphs: list[str]) -> Iterator[str]:
    """Paragraphs; one that is marked keeps its lines."""
    for paragraph in paragraphs:
        yield ".PP"
        if paragraph.startswith(_VERBATIM):
            yield ".nf"
            yield from (
                _text(line) for line in paragraph.removeprefix(_VERBATIM).strip("\n").split("\n")
            )
            yield ".fi"
        else:
            yield _text(" ".join(paragraph.split()))


def _sentence(text: str) -> str:
    """What a command does as the list of all pages shows it: without a capital and a stop."""
    joined = " ".join(text.split()).removesuffix(".")
    return joined[:1].lower() + joined[1:]


def _text(text: str) -> str:
    """Text that means nothing in roff; a hyphen stays one that can be copied."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq")
    plain = "".join(c if c.isascii() else f"\\[u{ord(c):04X}]" for c in escaped)
    return f"\\&{plain}" if plain.startswith((".", "'")) else plain
