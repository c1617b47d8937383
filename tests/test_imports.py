"""A room imports only from rooms before it, and a start loads nothing that it does not use."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SRC = ROOT / "src"
NAME = "sizewright"

# The order in docs/architecture.md, where each room's reason stands.
ROOMS = (
    "units", "limits", "errors", "quantity", "formula", "yaml_text",
    "documents", "schema", "guide", "importers", "workload", "demand", "configuration", "setup",
    "load", "box", "facts", "rules", "evaluate", "failure", "check", "planner", "sensitivity",
    "engine", "plans", "further_plans", "output", "diff", "compare", "api", "cases", "cli",
    "__main__",
)  # fmt: skip

TOO_HEAVY = (
    "asyncio", "http", "hypothesis", "jsonschema", "numpy", "pkg_resources", "pytest", "rich",
    "scipy", "urllib.request",
)  # fmt: skip


def _module(path: Path) -> str:
    parts = path.relative_to(SRC).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {_module(path): path for path in sorted((SRC / NAME).rglob("*.py"))}


def imported(module: str, tree: ast.AST, is_package: bool, modules: object) -> Iterator[str]:
    """Every module of the program that `tree` imports, wherever in the file the import stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = module.split(".")
                keep = len(parts) - node.level + (1 if is_package else 0)
                base = ".".join([*parts[:keep], *([node.module] if node.module else [])])
            within = [f"{base}.{alias.name}" for alias in node.names]
            names = [name if name in modules else base for name in within]
        elif (
            isinstance(node, ast.Call)
            and ast.unparse(node.func) in ("__import__", "import_module", "importlib.import_module")
            and node.args
        ):
            # A name put together while running is judged by its first part.
            text = ast.unparse(node.args[0])
            found = re.search(rf"{NAME}(\.\w+)*", text)
            names = [found.group()] if found else []
        else:
            continue
        yield from (name for name in names if name.split(".")[0] == NAME)


def _imports() -> dict[str, list[str]]:
    return {
        module: list(
            imported(
                module,
                ast.parse(path.read_text(encoding="utf-8")),
                path.name == "__init__.py",
                MODULES,
            )
        )
        for module, path in MODULES.items()
    }


def _room(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def test_every_room_has_its_place() -> None:
    rooms = {_room(module) for module in MODULES} - {""}
    assert rooms <= set(ROOMS), "give a new room its place in ROOMS and in docs/architecture.md"


def test_the_architecture_page_lists_the_rooms_in_this_order() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)
    assert tuple(listed) == ROOMS


def test_a_room_imports_only_earlier_rooms() -> None:
    found = [
        f"{module} imports {target}"
        for module, targets in _imports().items()
        for target in targets
        if _room(target)
        and _room(target) != _room(module)
        and (not _room(module) or ROOMS.index(_room(target)) > ROOMS.index(_room(module)))
    ]
    assert not found, "\n".join(found)


def test_no_module_imports_itself_in_a_circle() -> None:
    graph = {module: set(targets) - {module} for module, targets in _imports().items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


@pytest.mark.parametrize(
    ("code", "is_package", "found"),
    [
        ("import sizewright.guide.model", False, ["sizewright.guide.model"]),
        ("from sizewright.guide import model", False, ["sizewright.guide.model"]),
        ("from sizewright.guide import Guide", False, ["sizewright.guide"]),
        ("from . import model", False, ["sizewright.guide.model"]),
        ("from . import model", True, ["sizewright.guide.model"]),
        ("from ..quantity import Quantity", False, ["sizewright.quantity"]),
        ("def f():\n    from sizewright import quantity", False, ["sizewright.quantity"]),
        ("import_module(f'sizewright.cli.{name}')", False, ["sizewright.cli"]),
        ("import click, sizewrightish", False, []),
    ],
)
def test_an_import_is_seen_in_any_dress(code: str, is_package: bool, found: list[str]) -> None:
    modules = ("sizewright.guide", "sizewright.guide.model", "sizewright.quantity")
    module = "sizewright.guide" if is_package else "sizewright.guide.loader"
    assert list(imported(module, ast.parse(code), is_package, modules)) == found


def _loaded_by(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", code],
        env={**os.environ, "PYTHONPATH": str(SRC)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return set(re.findall(r"^import time:[^|]*\|[^|]*\|\s*([\w.]+)$", done.stderr, re.MULTILINE))


def test_starting_loads_nothing_heavy() -> None:
    loaded = _loaded_by(f"import {NAME}.cli.main")
    assert f"{NAME}.cli.main" in loaded
    heavy = sorted(
        module
        for module in loaded
        if any(module == name or module.startswith(name + ".") for name in TOO_HEAVY)
    )
    assert not heavy


def test_the_library_is_its_own_door() -> None:
    loaded = _loaded_by(f"import {NAME}")
    assert not {m for m in loaded if m.startswith((f"{NAME}.", "pydantic", "yaml", "click"))}
