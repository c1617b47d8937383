"""A short run of `benchmarks/fuzz_conditions.py`, and proof that it sees what it looks for."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from depth import DEEP, part_of

pytestmark = pytest.mark.no_cover

ROOT = Path(__file__).resolve().parents[2]
FUZZ = ROOT / "benchmarks" / "fuzz_conditions.py"
TEXTS = 10_000 if DEEP else 4_000


def run(*command: str) -> subprocess.CompletedProcess[str]:
    paths = [str(ROOT / "src"), str(FUZZ.parent), os.environ.get("PYTHONPATH", "")]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, *command], env=env, capture_output=True, encoding="utf-8", timeout=300
    )


@pytest.mark.in_part
def test_thousands_of_hostile_texts_find_nothing() -> None:
    done = run(str(FUZZ), "5", "1992", "--inputs", str(TEXTS))
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert f"seed 1992, {TEXTS:,} texts" in done.stdout
    counts = dict(re.findall(r"^(\S.*?) +([\d,]+)$", done.stdout, re.MULTILINE))
    # It would find nothing either if it compiled nothing.
    for source in ("grammar", "guarded", "broken", "strewn", "tree", "bulk"):
        for outcome in ("compiled", "refused"):
            assert int(counts[f"{source}: {outcome}"].replace(",", "")) > 0
    for verdict in ("true", "false", "tight", "unknown"):
        assert int(counts[f"verdict {verdict}"].replace(",", "")) > 0


# What would be wrong with the language, as code put before it, and what is then said.
FLAWS = {
    "raises": ("def flawed(*a): raise TypeError('oops')", "TypeError: oops"),
    "says": ("def flawed(*a):\n print('hello')\n return real(*a)", "said 'hello'"),
    "writes": ("def flawed(*a):\n os.write(2, b'x')\n return real(*a)", "written on the terminal"),
    "opens": ("def flawed(*a):\n open(os.devnull).close()\n return real(*a)", "outside: open"),
    "starts": ("def flawed(*a):\n os.system('true')\n return real(*a)", "outside: os.system"),
    "dawdles": (
        "def flawed(*a):\n x = time.process_time() + 0.3\n while time.process_time() < x: pass\n"
        " return real(*a)",
        "took 0.",
    ),
    "answers": (
        "condition.Condition.evaluate = lambda *a: True\nflawed = real",
        "answered True",
    ),
    "guards too little": (
        "def flawed(text, schema, *a):\n"
        " plain = {s: {n: f._replace(optional=False) for n, f in has.items()}"
        " for s, has in schema.subjects.items()}\n"
        " ours = {n: f._replace(optional=False) for n, f in schema.parameters.items()}\n"
        " return real(text, parser.Schema(plain, ours), *a)",
        "unknown, where only optional facts are",
    ),
    "guards too much": (
        "def flawed(*a):\n c = real(*a); c.guards = frozenset({('thing', 'maybe_number0'),"
        " ('thing', 'maybe_flag0'), ('thing', 'maybe_text0')}); return c",
        "unknown, where only optional facts are",
    ),
    "points nowhere": (
        "def flawed(*a):\n"
        " try: return real(*a)\n"
        " except parser.ConditionError as error:\n"
        "  error.column += 500; raise",
        "refused at column",
    ),
    "names strangers": (
        "def flawed(*a):\n c = real(*a)\n c.translation = 'lambda subjects: known.__class__'\n"
        " return c",
        "names ['__class__', 'known']",
    ),
}


@pytest.mark.in_part
@pytest.mark.parametrize("flaw", part_of(sorted(FLAWS), 3))
def test_a_flaw_is_found_and_its_text_printed(flaw: str) -> None:
    code, says = FLAWS[flaw]
    done = run(
        "-c",
        "import os, sys, time, fuzz_conditions\nfrom sizewright.rules import condition, parser\n"
        f"real = fuzz_conditions.compile_condition\n{code}\n"
        "fuzz_conditions.compile_condition = flawed\n"
        "sys.exit(fuzz_conditions.main(['5', '7', '--inputs', '1500']))",
    )
    assert (done.returncode, done.stderr) == (1, ""), done.stdout
    assert says in done.stdout
    assert re.search(r"^text \d+: ['\"]", done.stdout, re.MULTILINE)
