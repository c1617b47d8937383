"""No number and no name of a guide stands in the program: both are data."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "sizewright"
SOURCES = sorted(PACKAGE.rglob("*.py"))

STRUCTURAL = (0, 1, 2)
HOMES = {
    "units.py": "conversions that are definitions",
    "limits.py": "bounds on the size of an input file",
    "output/layout.py": "widths and places of characters on a page, and of boxes in a drawing",
    "cli/exits.py": "exit codes",
}
# What computes quantities must not be able to reach for a number of those last two homes.
METHOD_ROOMS = ("demand", "load", "facts", "setup", "evaluate")
# How finely excesses are compared; no quantity is made of it.
ROUNDINGS = {"DECIMALS", "EXCESS_PARTS", "SHORTFALL_PARTS"}
NUMBERS_FROM_TEXT = ("int", "float", "complex", "Decimal", "Fraction")


def _is_number(node: ast.AST) -> bool:
    if isinstance(node, ast.UnaryOp):
        return _is_number(node.operand)
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, (int, float, complex))
        and not isinstance(node.value, bool)
    )


def _is_number_in_text(node: ast.Call) -> bool:
    called = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
    text = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
    return (
        called in NUMBERS_FROM_TEXT
        and isinstance(text, str)
        and any(character.isdigit() for character in text)
    )


def numbers_in(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and text of every number that is not structural, however it is written."""
    for node in ast.walk(tree):
        match node:
            case ast.Constant() if _is_number(node) and node.value not in STRUCTURAL:
                yield node.lineno, repr(node.value)
            case ast.BinOp() if _is_number(node.left) and _is_number(node.right):
                yield node.lineno, ast.unparse(node)
            case ast.Call() if _is_number_in_text(node):
                yield node.lineno, ast.unparse(node)


def _shown(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def test_there_is_a_program_to_look_at() -> None:
    assert PACKAGE / "units.py" in SOURCES


def test_only_structural_numbers_stand_in_code() -> None:
    found = [
        f"{_shown(path)}:{line}: {text}"
        for path in SOURCES
        if _shown(path) not in HOMES
        for line, text in numbers_in(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert not found, "a number belongs into tables/, rules/ or units.py:\n" + "\n".join(found)


@pytest.mark.parametrize("room", METHOD_ROOMS)
def test_what_computes_quantities_takes_no_number_from_limits_or_layout(room: str) -> None:
    taken = [
        f"{path.name}: {alias.name}"
        for path in (PACKAGE / room).glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        if node.module == "sizewright.limits" or "layout" in ast.unparse(node)
        for alias in node.names if alias.name not in ROUNDINGS
    ]  # fmt: skip
    assert (PACKAGE / room).is_dir() and not taken


@pytest.mark.parametrize(
    ("code", "seen"),
    [
        ("x = 290", ["290"]),
        ("x = 0.65", ["0.65"]),
        ("x = -3", ["3"]),
        ("def f(x=80): pass", ["80"]),
        ("x = 1 << 2", ["1 << 2"]),
        ("x = -2 / 2", ["-2 / 2"]),
        ("x = 2 * 2 * y", ["2 * 2"]),
        ("x = float('0.65')", ["float('0.65')"]),
        ("x = decimal.Decimal('7')", ["decimal.Decimal('7')"]),
        ("match x:\n    case 7: pass", ["7"]),
        ("x = f'{y:.4g} {z * 3}'", ["3"]),
        ("x = 0; y = 1.0; z = -1; w = 2 * y; v = f'{y:>12.3f}'; u = float('inf')", []),
        ("x = True; y = 'Table 8'; z = y[-1:]", []),
    ],
)
def test_a_number_is_seen_however_it_is_written(code: str, seen: list[str]) -> None:
    assert [text for _, text in numbers_in(ast.parse(code))] == seen


# --- names ----------------------------------------------------------------------------------------

# Beginnings that make a word a vendor's or a product's; the tables add whole words to them.
STEMS = (
    "sun", "sparc", "solaris", "prestoserve", "enfs", "oracle", "vax", "legato", "brown", "lance",
    "intel", "ross", "sybase", "ingres", "informix", "interbase", "fujitsu", "seagate", "ibm",
    "vms", "netware", "novell", "disksuite", "metadisk", "backupcopilot", "answerbook",
    "microshare", "rasterops", "xylogics", "xerox", "birdsall", "wong", "shuff", "stern",
)  # fmt: skip
# Words of everyday English that begin like a vendor's.
HARMLESS = ("sunday", "brownfield", "intelligent", "intelligible", "vmstat")
# Tables whose rows are things that somebody made; the rest list kinds and effects.
MADE_THINGS = (
    "platforms", "processors", "memory-boards", "disks", "operating-systems", "software", "mmu",
    "database-systems", "nfs-capacity", "nfs-mixes",
)  # fmt: skip


def _words(text: str) -> list[str]:
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)
    return [word.lower() for word in re.findall(r"[A-Za-z]+", apart)]


def _is_name(word: str) -> bool:
    if any(word.startswith(ordinary) for ordinary in HARMLESS):
        return False
    return word in STEMS or any(len(s) > 2 and word.startswith(s) and s != "sun" for s in STEMS)


def _tables() -> Iterator[dict[str, object]]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    for path in sorted((ROOT / "tables").glob("*/*.yaml")):
        yield yaml.load(path.read_text(encoding="utf-8"), Loader=loader)


def _names_of_the_guides() -> tuple[set[str], set[str]]:
    """Single words, and whole row ids, that belong to a guide's makers."""
    words: set[str] = set(STEMS)
    ids: set[str] = set()
    for table in _tables():
        if "guide" in table:
            ids.add(str(table["guide"]))
        for row in table.get("rows") or ():
            for text in (row["id"], row.get("name") or ""):
                words |= {w for w in _words(text) if _is_name(w) or w.startswith("sun")}
            if table.get("table") in MADE_THINGS and row["id"] != "default":
                ids.add(row["id"])
    return words - set(HARMLESS), ids


def test_the_names_come_from_the_tables() -> None:
    words, ids = _names_of_the_guides()
    assert {"sparcstation", "sparcserver", "sunlink", "sundbe", "vaxstation"} <= words
    assert {"sun-1992", "sparcstation-2", "solaris-1.0.1"} <= ids


def test_no_makers_name_stands_in_the_program() -> None:
    words, _ = _names_of_the_guides()
    found = [
        f"{_shown(path)}:{number}: {word}"
        for path in SOURCES
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        for word in _words(line)
        if word in words or _is_name(word)
    ]
    assert not found, "parts have generic kinds; names are data:\n" + "\n".join(found)


def test_no_row_of_a_guide_is_called_by_its_id() -> None:
    _, ids = _names_of_the_guides()
    found = [
        f"{_shown(path)}:{node.lineno}: {node.value}"
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in ids
    ]
    assert not found, "ask the guide for a row by what it is:\n" + "\n".join(found)


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        ("# as on a SPARCstation", True),
        ("def sun_disk():", True),
        ("class SunDisk:", True),
        ("kind = 'prestoserve'", True),
        ("every sunday, the sum of an intelligent host", False),
    ],
)
def test_a_name_is_seen_in_any_dress(line: str, seen: bool) -> None:
    assert any(_is_name(word) for word in _words(line)) is seen
