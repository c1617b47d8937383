"""Feeds hostile texts to the language of conditions, for as long as you like.

    python benchmarks/fuzz_conditions.py MINUTES [SEED] [--inputs N]

Every text must be refused with a caret, or compile and give a verdict on any facts; within a
quarter of a second, without a word on the terminal, and without touching anything outside. Where
all facts are known but the optional ones, a condition that compiles must not be unknown. The first
text that breaks this is printed, and the exit code is 1. The same seed tries the same texts.
"""

from __future__ import annotations

import argparse
import ast
import faulthandler
import os
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from random import Random
from types import CodeType, SimpleNamespace
from typing import Any, NamedTuple, NoReturn

import yaml

from hostile_texts import SOURCES, Material
from sizewright.errors import nearest
from sizewright.facts.fact import Fact, Kind
from sizewright.facts.records import RECORDS, facts_of
from sizewright.rules.checker import compile_condition
from sizewright.rules.condition import PARAMETER, Condition
from sizewright.rules.parser import ConditionError, Schema
from sizewright.rules.values import FALSE, HELPERS, UNKNOWN, Truth

SECONDS = 0.25
HANGS_AFTER_S = 60
BATCH = 500
LONGEST_MESSAGE = 2400

RULES = Path(__file__).resolve().parent.parent / "rules"

# All that compiling and judging may ask of the interpreter.
HARMLESS = {"compile", "exec"}
OURS = {*HELPERS, "TRUE", "FALSE"}
PLAIN = {str, float, tuple, type(None)}
WORDS = ("ring", "scsi", "random", "", "ß")


class Found(BaseException):
    """What must not happen did; nothing that the language catches."""


class Ends(NamedTuple):
    """A range of facts."""

    low: float
    high: float


class Watch:
    """Raises Found where anything outside is touched while a condition is at work."""

    armed = False

    def event(self, name: str, args: tuple[Any, ...]) -> None:
        """Hear of an audit event."""
        if self.armed and name not in HARMLESS:
            self.armed = False
            raise Found(f"touched the outside: {name} {args!r:.200}")


class Mute:
    """A terminal on which nothing may be said."""

    def write(self, text: str) -> NoReturn:
        """Refuse to."""
        raise Found(f"said {text!r:.200}")

    def flush(self) -> None:
        """Nothing was said."""


# ---- what conditions may name ---------------------------------------------------------------


def _invented() -> dict[str, Fact]:
    """A subject with facts of every kind, each also optional, in units of their own."""
    fields = {}
    for kind in Kind:
        for optional in (False, True):
            for place, unit in enumerate(("", "MB", "KB", "1") if kind is Kind.NUMBER else ("",)):
                fields[f"{'maybe_' if optional else ''}{kind}{place}"] = Fact(
                    kind, unit, "", optional, ("ring", "bus") if kind is Kind.TEXT else ()
                )
    return fields


def _schemas() -> tuple[Material, ...]:
    invented = _invented()
    known = {subject: facts_of(subject) for subject in RECORDS}
    parameters = {f"most_{name}": fact for name, fact in invented.items()}
    found = [Material(Schema({"thing": invented}, parameters), ())]
    for path in sorted(RULES.glob("*/*.yaml")):
        rule = yaml.load(path.read_bytes(), yaml.CSafeLoader)
        if not isinstance(rule, dict) or rule.get("subject") not in known:
            continue
        subjects = {name: known[name] for name in ("system", rule["subject"])}
        types = {name: _parameter(spec) for name, spec in (rule.get("parameters") or {}).items()}
        bounds = rule.get("bounds") or ()
        bounds = [bounds] if isinstance(bounds, dict) else bounds
        texts = tuple(t for t in (rule.get("when"), rule.get("require")) if t)
        texts += tuple(bound["when"] for bound in bounds if "when" in bound)
        schema = Schema({**subjects, "thing": invented}, {**parameters, **types})
        found.append(Material(schema, tuple(str(text) for text in texts)))
    return tuple(found)


def _parameter(spec: Mapping[str, Any]) -> Fact:
    value = spec.get("value", 0)
    if isinstance(value, bool):
        return Fact(Kind.FLAG)
    if isinstance(value, str):
        return Fact(Kind.TEXT)
    if isinstance(value, list) and any(isinstance(one, str) for one in value):
        return Fact(Kind.NAMES)
    return Fact(Kind.NUMBER, unit=str(spec.get("unit") or ""))


# ---- facts ----------------------------------------------------------------------------------


def _wild_number(rng: Random) -> Any:
    return rng.choice((
        0, 1, 2, -1, 0.1, 1e308, -1e308, 5e-324, float("inf"), float("-inf"), float("nan"),
        10**400, True, rng.uniform(-1e6, 1e6), rng.randint(-9, 9),
    ))  # fmt: skip


def _wild(rng: Random, fact: Fact) -> Any:
    if rng.random() < 1 / 4:
        return None
    if fact.kind is Kind.NUMBER:
        a, b = _wild_number(rng), _wild_number(rng)
        return Ends(min(a, b), max(a, b)) if rng.random() < 1 / 3 else a
    return _whole(rng, fact)


def _whole(rng: Random, fact: Fact) -> Any:
    """A plain fact that is known, unless it is absent."""
    if fact.optional and rng.random() < 1 / 2:
        return None
    if fact.kind is Kind.NUMBER:
        return rng.randint(-3, 3)
    if fact.kind is Kind.FLAG:
        return rng.random() < 1 / 2
    words = fact.one_of or WORDS
    if fact.kind is Kind.TEXT:
        return rng.choice(words)
    return tuple(rng.sample(words, rng.randint(0, len(words))))


Facts = tuple[dict[str, Any], dict[str, Any]]


def _facts(schema: Schema, conditions: list[Condition], rng: Random, draw: Any) -> Facts:
    """Only what the conditions say they read: what else they reach for is an AttributeError."""
    subjects: dict[str, Any] = {}
    parameters = {}
    for condition in conditions:
        for subject, field in sorted(condition.names):
            record = subjects.setdefault(subject, SimpleNamespace())
            setattr(record, field, draw(rng, schema.subjects[subject][field]))
        for name in sorted(condition.parameters):
            parameters[name] = draw(rng, schema.parameters[name])
    return subjects, parameters


# ---- what must hold -------------------------------------------------------------------------


class Fuzzer:
    """Tries text after text, and counts."""

    def __init__(self, seed: int, watch: Watch, said: int) -> None:
        self.seed = seed
        self.watch = watch
        self.said = said
        self.counts: Counter[str] = Counter()
        self.slowest = (0.0, "")
        self.number = 0
        self.text = ""
        self.materials = _schemas()
        # Both load their means on first need, which must not look like an escape.
        nearest("lode", ("load",))
        ast.parse("é", mode="eval")

    def step(self) -> None:
        """Try one text; raises Found, or whatever it makes the language raise."""
        rng = Random(f"{self.seed}:{self.number}")
        source = rng.choice(tuple(SOURCES))
        material = rng.choice(self.materials)
        self.text = SOURCES[source](rng, material)
        first = self._try(source, self.text, material.schema, frozenset(), rng)
        if first is not None and rng.random() < 1 / 2:
            self.text = SOURCES["grammar"](rng, material)
            self._try("guarded", self.text, material.schema, first.guards, rng, first)
        self.number += 1

    def _try(
        self, source: str, text: str, schema: Schema, present: frozenset[tuple[str, str]],
        rng: Random, before: Condition | None = None,
    ) -> Condition | None:  # fmt: skip
        began = time.process_time()
        self.watch.armed = True
        condition = None
        try:
            condition = compile_condition(text, schema, present)
        except ConditionError as error:
            _check_refusal(error, text)
        self.watch.armed = False
        if condition is not None:
            _check_code(condition, schema)
            self._judge(condition, schema, before, rng)
        self._note(time.process_time() - began, text)
        self.counts[f"{source}: {'refused' if condition is None else 'compiled'}"] += 1
        return condition

    def _judge(
        self, condition: Condition, schema: Schema, before: Condition | None, rng: Random
    ) -> None:
        asked = [condition] if before is None else [before, condition]
        for draw in (_wild, _wild, _whole, _whole):
            subjects, parameters = _facts(schema, asked, rng, draw)
            self.watch.armed = True
            answers = [one.evaluate(subjects, parameters) for one in asked]
            self.watch.armed = False
            says = answers[-1]
            if not isinstance(says, Truth):
                raise Found(f"answered {says!r}")
            self.counts[f"verdict {says.value}"] += 1
            if before is not None and answers[0] in (FALSE, UNKNOWN):
                continue
            if draw is _whole and says is UNKNOWN and "/" not in condition.text:
                raise Found(f"unknown, where only optional facts are: {subjects} {parameters}")

    def _note(self, seconds: float, text: str) -> None:
        if os.fstat(self.said).st_size:
            raise Found("something was written on the terminal")
        if seconds > self.slowest[0]:
            self.slowest = (seconds, text)
        if seconds > SECONDS:
            raise Found(f"took {seconds:.3f} s")


def _check_refusal(error: ConditionError, text: str) -> None:
    line, _, caret = error.caret().partition("\n")
    if not error.message or len(str(error)) > LONGEST_MESSAGE:
        raise Found(f"refused with {str(error)!r:.200}")
    if not 1 <= error.column <= max(len(text), 1) or caret != " " * (error.column - 1) + "^":
        raise Found(f"refused at column {error.column}, caret {caret!r}")
    if len(line) < error.column - 1 or not line.isprintable():
        raise Found(f"the caret stands under {line!r:.200}")


def _check_code(condition: Condition, schema: Schema) -> None:
    """What was compiled names only functions of ours and declared fields."""
    run: Any = condition.bind(dict.fromkeys(condition.parameters))
    code: CodeType = run.__code__
    parameters = {PARAMETER + name for name in condition.parameters}
    fields = {field for subject in schema.subjects.values() for field in subject}
    strange = set(code.co_names) - OURS - fields - parameters
    constants = {type(constant) for constant in code.co_consts}
    if strange or not constants <= PLAIN or run.__globals__["__builtins__"]:
        raise Found(f"compiled to code that names {sorted(strange)}")
    if any(field.startswith("_") for _, field in condition.names):
        raise Found(f"reads {sorted(condition.names)}")


# ---- the run --------------------------------------------------------------------------------


def _run(fuzzer: Fuzzer, seconds: float, inputs: int, terminal: int) -> str:
    """Fuzz until the time or the inputs are used up; say what was found, "" for nothing.

    What never comes back to the interpreter ends the process, and says so on `terminal`.
    """
    ends = time.monotonic() + seconds
    try:
        while fuzzer.number < inputs and time.monotonic() < ends:
            if fuzzer.number % BATCH == 0:
                faulthandler.dump_traceback_later(HANGS_AFTER_S, exit=True, file=terminal)
            fuzzer.step()
    except (Exception, Found) as error:
        fuzzer.watch.armed = False
        last = traceback.format_exc(limit=-3)
        return f"{type(error).__name__}: {error}\n{last}"
    finally:
        faulthandler.cancel_dump_traceback_later()
    return ""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("minutes", type=float)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    parser.add_argument(
        "--inputs", type=int, default=sys.maxsize, help="stop after this number of texts"
    )
    given = parser.parse_args(arguments)

    watch = Watch()
    sys.addaudithook(watch.event)
    streams, terminals = (sys.stdout, sys.stderr), (os.dup(1), os.dup(2))
    began = time.monotonic()
    with tempfile.TemporaryFile() as said:
        fuzzer = Fuzzer(given.seed, watch, said.fileno())
        sys.stdout.flush()
        sys.stdout = sys.stderr = Mute()
        for place in (1, 2):
            os.dup2(said.fileno(), place)
        try:
            found = _run(fuzzer, given.minutes * 60, given.inputs, terminals[1])
        finally:
            for place, terminal in zip((1, 2), terminals, strict=True):
                os.dup2(terminal, place)
            sys.stdout, sys.stderr = streams
    for what, count in sorted(fuzzer.counts.items()):
        print(f"{what:20} {count:>10,}")
    slowest, text = fuzzer.slowest
    print(f"seed {given.seed}, {fuzzer.number:,} texts in {time.monotonic() - began:.0f} s")
    print(f"slowest: {slowest * 1000:.1f} ms, {text!r:.100}")
    if found:
        print(f"text {fuzzer.number}: {fuzzer.text!r}\n{found}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
