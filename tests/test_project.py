"""The papers around the program say what is true of it."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest
from click.testing import CliRunner

import sizewright

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
LEFT_OUT = "…"


class Shown(NamedTuple):
    """A command in a page, and the lines that the page says it prints."""

    line: int
    command: str
    output: tuple[str, ...]


def shown_in(text: str) -> Iterator[Shown]:
    """Every `$ command` of the page's console blocks with the output below it."""
    in_block, at, command, output = False, 0, "", []
    for number, line in enumerate(text.splitlines(), start=1):
        if not in_block:
            in_block = line.strip() == "```console"
        elif line.startswith("$ ") or line.strip() == "```":
            if command:
                yield Shown(at, command, _trimmed(output))
            in_block = line.startswith("$ ")
            at, command, output = number, line[2:] if in_block else "", []
        elif command.endswith("\\"):
            command = command[:-1] + line.strip()
        else:
            output.append(line)
    if in_block:
        raise ValueError(f"the console block at line {at} is never closed")


def _trimmed(lines: list[str]) -> tuple[str, ...]:
    return tuple("\n".join(line.rstrip() for line in lines).strip("\n").splitlines())


def agrees(shown: tuple[str, ...], real: tuple[str, ...]) -> bool:
    """Whether the shown lines are the real ones; a line `…` stands for any lines left out."""
    parts: list[list[str]] = [[]]
    for line in shown:
        if line.strip() == LEFT_OUT:
            parts.append([])
        else:
            parts[-1].append(line)
    first, *rest = parts
    if not rest:
        return tuple(first) == real
    if list(real[: len(first)]) != first:
        return False
    at = len(first)
    *middle, last = rest
    for part in middle:
        while list(real[at : at + len(part)]) != part:
            at += 1
            if at + len(part) > len(real):
                return False
        at += len(part)
    return len(real) - len(last) >= at and list(real[len(real) - len(last) :]) == last


SHOWN = tuple(shown_in(README.read_text(encoding="utf-8")))
OURS = [shown for shown in SHOWN if shown.command.startswith("sizewright")]


def _id(shown: Shown) -> str:
    return f"line {shown.line}: {shown.command}"


def _project() -> dict[str, Any]:
    loaded = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project: dict[str, Any] = loaded["project"]
    return project


def test_the_changelog_knows_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## \[([^\]]+)\]", text, re.MULTILINE)
    assert versions[0] == "Unreleased"
    assert sizewright.__version__ == versions[1]


def test_every_release_says_whose_answers_changed() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    _, *entries = re.split(r"^## ", text, flags=re.MULTILINE)
    for entry in entries:
        body = entry.partition("\n")[2].strip()
        assert not body or "### Answers that changed" in body, entry.splitlines()[0]


def test_the_licence_is_the_one_declared() -> None:
    assert _project()["license"] == "Apache-2.0"
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "Apache License" in text
    assert "Version 2.0, January 2004" in text
    assert "END OF TERMS AND CONDITIONS" in text


def test_no_dependency_is_held_back() -> None:
    for name in _project()["dependencies"]:
        assert re.fullmatch(r"[\w.-]+>=[\d.]+", name), name


def test_links_between_pages_lead_somewhere() -> None:
    pages = [README, ROOT / "CHANGELOG.md", ROOT / "benchmarks" / "README.md"]
    pages += sorted((ROOT / "docs").rglob("*.md"))
    for page in pages:
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


@pytest.mark.parametrize("shown", [s for s in SHOWN if s.command.startswith("make ")], ids=_id)
def test_shown_make_targets_exist(shown: Shown) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in shown.command.split()[1:]:
        assert re.search(rf"^{re.escape(target)}:", makefile, re.MULTILINE), target


@pytest.mark.parametrize("shown", OURS, ids=_id)
def test_shown_commands_exist(shown: Shown) -> None:
    from sizewright.cli.main import main

    _, *words = shlex.split(shown.command)
    command: click.Command = main
    context = click.Context(command, info_name="sizewright", **command.context_settings)
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        inner = command.get_command(context, words[0])
        assert inner is not None, f"no command {words[0]}"
        command, words = inner, words[1:]
        context = click.Context(command, info_name=command.name, parent=context)
    known = {name for param in command.get_params(context) for name in param.opts}
    known |= {name for param in command.get_params(context) for name in param.secondary_opts}
    for word in words:
        if word.startswith("-") and word != "-":
            assert word.partition("=")[0] in known, f"no option {word}"


@pytest.mark.parametrize("shown", [s for s in OURS if s.output], ids=_id)
def test_shown_output_is_the_real_output(shown: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    from sizewright.cli.main import main

    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")
    _, *words = shlex.split(shown.command)
    result = CliRunner().invoke(main, words, prog_name="sizewright")
    real = _trimmed(result.output.splitlines())
    assert agrees(shown.output, real), f"{shown.command} prints:\n" + "\n".join(real)


def test_console_blocks_are_read() -> None:
    text = (
        "before\n```console\n$ sizewright plan \\\n    x.yaml\n\nholds\n  twice  \n\n$ make demo\n"
        "```\n```yaml\n$ not one\n```\n"
    )
    assert list(shown_in(text)) == [
        Shown(3, "sizewright plan x.yaml", ("holds", "  twice")),
        Shown(9, "make demo", ()),
    ]
    with pytest.raises(ValueError, match="never closed"):
        list(shown_in("```console\n$ make demo\n"))


@pytest.mark.parametrize(
    ("shown", "real", "same"),
    [
        ("a b c", "a b c", True),
        ("a b", "a b c", False),
        ("a … c", "a b b c", True),
        ("a …", "a", True),
        ("… c", "a b c", True),
        ("… b … c", "a b c c", True),
        ("a … b … c", "a c", False),
        ("a … c", "a b", False),
        ("a … a", "a", False),
        ("b …", "a b", False),
    ],
)
def test_lines_may_be_left_out_but_not_changed(shown: str, real: str, same: bool) -> None:
    assert agrees(tuple(shown.split()), tuple(real.split())) is same
