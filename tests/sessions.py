"""What a page shows, done as it stands: its files are written, its commands run, one by one."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import Result

from shown import Shown, agrees, shown_in
from sizewright.guide import loader

ROOT = Path(__file__).resolve().parent.parent
_CONSOLE = re.compile(r"^```console\n.*?^```$", re.M | re.S)
_FILE = re.compile(r'^```\w+ title="([^"]+)"\n(.*?)^```$', re.M | re.S)
_SED = re.compile(r"s/([^/]+)/([^/]*)/")
_GUIDES = ("rules", "tables")

Run = Callable[..., Result]


class Written(NamedTuple):
    """A file that the page has its reader write."""

    line: int
    path: str
    text: str


Step = Shown | Written


def blocks_of(page: str) -> list[tuple[Step, ...]]:
    """A session for each console block; those that only call make are none."""
    found = (tuple(shown_in(block)) for block in _CONSOLE.findall(page))
    return [steps for steps in found if not all(_makes(step) for step in steps)]


def session_of(page: str) -> tuple[Step, ...]:
    """The whole page as one session, in the order of its lines."""
    files = (
        Written(page.count("\n", 0, found.start()) + 1, found[1], found[2])
        for found in _FILE.finditer(page)
    )
    steps: Iterable[Step] = (*shown_in(page), *files)
    return tuple(sorted((s for s in steps if not _makes(s)), key=lambda step: step.line))


def _makes(step: Step) -> bool:
    return isinstance(step, Shown) and step.command.startswith("make ")


def checkout(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder that looks like a checkout, to which a page may add files."""
    for kind in _GUIDES:
        (folder / kind).mkdir()
        for own in (ROOT / kind).iterdir():
            (folder / kind / own.name).symlink_to(own)
    # Case studies are looked for below a folder, and no search follows links.
    shutil.copytree(ROOT / "examples", folder / "examples")
    monkeypatch.setattr(loader, "PACKAGE", folder / "src" / "sizewright")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "80")


def play(steps: Iterable[Step], run: Run) -> None:
    """Do every step in the folder that is current; raises where a command prints something else."""
    code = 0
    for step in steps:
        if isinstance(step, Written):
            _write(Path(step.path), step.text)
            continue
        program, *words = shlex.split(step.command)
        if program == "echo":
            assert (words, step.output) == (["$?"], (str(code),)), f"line {step.line}"
        elif program == "cat":
            assert agrees(step.output, _lines(Path(*words).read_text("utf-8"))), step.command
        elif program == "sed":
            _edited(step, words)
        else:
            assert program == "sizewright", step.command
            code = _played(step, words, run)


def _played(step: Shown, words: list[str], run: Run) -> int:
    result = run(*words)
    assert result.exit_code in (0, 1, 2), result.stderr
    if step.output:
        # A terminal shows both streams; a page may leave out remarks.
        streams = (result.stdout, result.stderr, result.output)
        told = any(agrees(step.output, _lines(text)) for text in streams)
        assert told, f"{step.command} prints:\n{result.output}"
    else:
        assert result.exit_code != 2, result.stderr
        assert not result.stdout.strip(), f"{step.command} prints, and nothing is shown of it"
    if "-o" in words:
        assert Path(words[words.index("-o") + 1]).stat().st_size
    return result.exit_code


def _edited(step: Shown, words: list[str]) -> None:
    """The first place is replaced; patterns are such that mean the same here as to sed."""
    option, script, name = words
    found = _SED.fullmatch(script)
    assert option == "-i" and found, step.command
    before = Path(name).read_text("utf-8")
    after = re.sub(found[1], found[2], before, count=1)
    assert after != before, f"{step.command} changes nothing"
    _write(Path(name), after)


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.rstrip() for line in text.strip("\n").splitlines())


def _write(path: Path, text: str) -> None:
    # The guides are links to the real ones.
    assert path.resolve().is_relative_to(Path.cwd().resolve()), path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
