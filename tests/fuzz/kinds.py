"""The kinds of input that are mutated: where they start from, and the commands that read them."""

from __future__ import annotations

import json
import shutil
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

import yaml
from click.testing import CliRunner

from fuzz.mutations import mutated, mutated_text
from generated_workloads import text_of
from importers import outputs
from sizewright.cli import box, inputs
from sizewright.cli.exits import Exit
from sizewright.cli.main import main
from sizewright.importers import formats

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
# A test stops what does not end. How long a command may take is measured by
# benchmarks/fuzz_inputs.py, because a busy machine slows tests.
SECONDS_AT_MOST = 20
_ALLOWED = (Exit.PASS, Exit.FAIL, Exit.BAD_INPUT)


class Kind(NamedTuple):
    """A kind of input: `write` puts a mutated one into a folder and returns a command on it.

    A test tries a `number` of them, which takes a second or two.
    """

    name: str
    write: Callable[[Random, Path], Sequence[str]]
    number: int


class TooSlowError(BaseException):
    """A command takes longer than it may; not an Exception, which the program would catch."""


def fault_of(arguments: Sequence[str], folder: Path) -> str:
    """Return what is wrong with a run of the command on mutated input; empty if nothing is."""
    output = folder / "output"
    output.unlink(missing_ok=True)
    try:
        with _limited():
            result = CliRunner().invoke(main, [*arguments, "-o", str(output)])
    except TooSlowError:
        return f"takes more than {SECONDS_AT_MOST} s of processor time"
    if result.exit_code not in _ALLOWED:
        return f"ends with {result.exit_code}: {result.stderr or result.exception!r}"
    if result.exit_code != Exit.BAD_INPUT:
        return ""
    if output.exists():
        return "leaves an output after its message"
    if str(folder) not in result.stderr:
        return f"names no file: {result.stderr}"
    return ""


@contextmanager
def _limited() -> Iterator[None]:
    """Raise TooSlowError in a block that takes too much processor time."""

    def stop(_signal: int, _frame: object) -> None:
        raise TooSlowError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS_AT_MOST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@contextmanager
def prepared_once() -> Iterator[None]:
    """Run many commands in a block: what does not depend on their files is read for all of them."""
    engines, guides = cache(inputs.load_engine), cache(box.load_guide)
    formats_of_outputs = formats.load_formats()
    with (
        patch.object(
            inputs, "load_engine", lambda guide, overlays: engines(guide, tuple(overlays))
        ),
        patch.object(box, "load_guide", lambda guide, overlays: guides(guide, tuple(overlays))),
        patch.object(box, "load_formats", lambda: formats_of_outputs),
        patch("sizewright.rules.examples.run_examples", lambda _book: ()),
    ):
        yield


@cache
def _plain(path: Path) -> Any:
    return yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)


def _write_yaml(path: Path, source: Path, random: Random) -> None:
    """Write a file with values changed, or now and then with characters changed."""
    if random.random() < 0.1:
        path.write_text(
            mutated_text(source.read_text("utf-8"), random), "utf-8", "backslashreplace"
        )
    else:
        text = text_of(mutated(_plain(source), random))
        path.write_text(text, "utf-8", "backslashreplace")


def _found(*patterns: str) -> tuple[Path, ...]:
    return tuple(sorted(path for pattern in patterns for path in EXAMPLES.glob(pattern)))


# Workloads that are planned in less than a tenth of a second.
_QUICK = ("customers/print-room", "customers/growing-office", "customers/branch-lines",
          "customers/language-school", "customers/hospital-tapes",
          "sun-1992/case-1-departmental-nfs", "sun-1992/case-5-mcad-database",
          "sun-1992/case-6-front-end-server")  # fmt: skip
_WORKLOADS = _found(*(f"{folder}/workload.yaml" for folder in _QUICK))
_BOXES = _found("*/*/box.yaml")
_CASES = tuple(p.parent for p in _found("*/worked-examples/*/inventory.yaml"))
_EXPECTED_BOXES = _found("*/*/box-expected.yaml")


def _workload(random: Random, folder: Path) -> Sequence[str]:
    file = folder / "workload.yaml"
    _write_yaml(file, random.choice(_WORKLOADS), random)
    return (*random.choice((("plan",), ("plan", "--format", "json"), ("plan", "--break-even"))),
            str(file))  # fmt: skip


def _box(random: Random, folder: Path) -> Sequence[str]:
    file = folder / "box.yaml"
    _write_yaml(file, random.choice(_BOXES), random)
    forms = (("--break-even",), ("--format", "json"), ("--format", "sarif"), ("--format", "junit"))
    return ("check", *random.choice(((), (), *forms)), str(file))


def _case(random: Random, folder: Path) -> Sequence[str]:
    """A case study, or a box with its findings, one of whose files is changed."""
    below = folder / "case"
    shutil.rmtree(below, ignore_errors=True)
    below.mkdir()
    if random.random() < 0.5:
        source = random.choice(_CASES)
        names = ["inventory.yaml", "expected.yaml"]
    else:
        file = random.choice(_EXPECTED_BOXES)
        source, names = file.parent, [_plain(file)["box"], file.name]
    for name in names:
        shutil.copy(source / name, below)
    changed = random.choice((names[0], names[1], names[1]))
    _write_yaml(below / changed, source / changed, random)
    return "test", str(below)


@cache
def _written_plan() -> Any:
    result = CliRunner().invoke(main, ["plan", str(_WORKLOADS[0]), "--format", "json"])
    return json.loads(result.stdout)


def _plan(random: Random, folder: Path) -> Sequence[str]:
    whole, file, other = _written_plan(), folder / "plan.json", folder / "before.json"
    text = json.dumps(whole)
    other.write_text(text, "utf-8")
    spoilt = (
        mutated_text(text, random) if random.random() < 0.1 else json.dumps(mutated(whole, random))
    )
    file.write_text(spoilt, "utf-8", "backslashreplace")
    return random.choice((("diff", str(other), str(file)), ("compare", str(file))))


_PROBE = (EXAMPLES / "sun-1992/appendix-d/probe.txt").read_text("utf-8")
_OUTPUTS = (
    _PROBE, *(v for k, v in sorted(vars(outputs).items()) if k.isupper() and isinstance(v, str)),
)  # fmt: skip
_READERS = (
    ("from-iostat",), ("from-vmstat", "--page-kb", "4"), ("from-nfsstat", "--seconds", "60"),
    ("from-probe",),
)  # fmt: skip


def _output(random: Random, folder: Path) -> Sequence[str]:
    file = folder / "output.txt"
    text = mutated_text(random.choice(_OUTPUTS), random)
    file.write_text(text, "utf-8", "backslashreplace")
    return ("box", *random.choice(_READERS), str(file))


KINDS = (
    Kind("workload", _workload, 25),
    Kind("box", _box, 60),
    Kind("case", _case, 30),
    Kind("plan", _plan, 25),
    Kind("output", _output, 150),
)
