"""What is made of a guide is kept between runs, and taken only if no other account wrote it."""

from __future__ import annotations

import marshal
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from guide.overlays import GUIDE, overlay, parameter
from sizewright.engine import Engine, load_engine
from sizewright.guide import cache, merge
from sizewright.guide.loader import data_root, load_guide
from sizewright.guide.model import Guide
from sizewright.rules import checker


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own for what is kept."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("SIZEWRIGHT_CACHE", str(folder))
    return folder


def plain(guide: Guide) -> Any:
    tables = {
        name: {row.id: (row.values, row.mark, row.marks, row.note) for row in table}
        for name, table in guide.tables.items()
    }
    columns = {name: table.columns for name, table in guide.tables.items()}
    return guide._replace(tables={}), tables, columns


def only_entry(folder: Path) -> Path:
    (entry,) = folder.iterdir()
    return entry


def never(*_: Any) -> Any:
    raise AssertionError("it is made anew although it is kept")


def test_what_is_kept_gives_the_same_guide(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = plain(load_guide(GUIDE))
    assert only_entry(kept).suffix == ".kept"
    monkeypatch.setattr(merge, "merge_guide", never)
    assert plain(load_guide(GUIDE)) == first
    monkeypatch.undo()
    monkeypatch.setenv("SIZEWRIGHT_CACHE", "")
    assert plain(load_guide(GUIDE)) == first


def verdicts(engine: Engine) -> Any:
    rules = engine.rule_set.rules
    conditions = [c for rule in rules for c in (rule.when, rule.require) if c]
    return (
        [
            str(rule._replace(when=None, require=None, stated_bounds=(), reads=frozenset()))
            for rule in rules
        ],
        [(c.text, c.names, c.parameters, c.guards) for c in conditions],
        [bound._replace(when=bound.when and bound.when.text) for r in rules for bound in r.bounds],
    )


def test_conditions_are_translated_once(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = verdicts(load_engine(GUIDE))
    assert len(list(kept.iterdir())) == 2
    monkeypatch.setattr(checker, "compile_condition", never)
    assert verdicts(load_engine(GUIDE)) == first


def test_with_an_empty_setting_nothing_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIZEWRIGHT_CACHE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert load_guide(GUIDE).id == GUIDE
    assert not list(tmp_path.iterdir())


def test_without_a_setting_the_users_cache_folder_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SIZEWRIGHT_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    load_guide(GUIDE)
    assert only_entry(tmp_path / "sizewright").suffix == ".kept"


@pytest.mark.parametrize("where", ["taken/by/a/file", "/proc/nowhere"])
def test_a_folder_that_cannot_be_written_is_no_fault(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "taken").write_text("a file where the folder should be", encoding="utf-8")
    monkeypatch.setattr(cache, "_folder", lambda: tmp_path / where)
    cache.keep("key", [1])
    assert cache.recall("key") is None


CHANGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "cut": lambda whole: whole[: len(whole) // 2],
    "seal alone": lambda whole: whole[:16],
    "longer": lambda whole: whole + b"\0",
    "not ours": lambda _: b"not an entry",
    "other body": lambda whole: whole[:16] + marshal.dumps({"guide": GUIDE}),
    "changed byte": lambda whole: whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:],
    "zeros": lambda whole: bytes(len(whole)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_an_entry_that_is_broken_is_made_anew(kept: Path, change: str) -> None:
    cache.keep("key", {"a": [1, 2.5, "text", None, True]})
    entry = only_entry(kept)
    whole = entry.read_bytes()
    entry.write_bytes(CHANGES[change](whole))
    assert cache.recall("key") is None
    cache.keep("key", {"a": [1, 2.5, "text", None, True]})
    assert entry.read_bytes() == whole
    assert cache.recall("key") == {"a": [1, 2.5, "text", None, True]}


def test_a_broken_guide_is_read_again_and_mended(kept: Path) -> None:
    first = plain(load_guide(GUIDE))
    entry = only_entry(kept)
    whole = entry.read_bytes()
    entry.write_bytes(whole[:1000])
    assert plain(load_guide(GUIDE)) == first
    assert entry.read_bytes() == whole


def test_an_entry_under_the_name_of_another_is_not_taken(kept: Path) -> None:
    cache.keep("old", "old guide")
    only_entry(kept).rename(kept / "new.kept")
    assert cache.recall("new") is None


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="accounts as on Unix")
@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_an_entry_that_others_can_write_is_not_taken(kept: Path, mode: int) -> None:
    cache.keep("key", "text")
    entry = only_entry(kept)
    assert entry.stat().st_mode & 0o777 == 0o600
    assert kept.stat().st_mode & 0o777 == 0o700
    entry.chmod(mode)
    assert cache.recall("key") is None
    cache.keep("key", "text")
    assert cache.recall("key") == "text"


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="accounts as on Unix")
def test_an_entry_of_another_account_is_not_taken(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.keep("key", "text")
    monkeypatch.setattr(os, "geteuid", lambda: kept.stat().st_uid + 1)
    assert cache.recall("key") is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes as on Unix")
def test_a_pipe_or_a_folder_for_an_entry_is_neither_read_nor_waited_for(kept: Path) -> None:
    kept.mkdir()
    os.mkfifo(kept / "pipe.kept", 0o600)
    (kept / "folder.kept").mkdir(0o700)
    assert cache.recall("pipe") is None
    assert cache.recall("folder") is None
    cache.keep("folder", 1)
    assert sorted(path.name for path in kept.iterdir()) == ["folder.kept", "pipe.kept"]


def test_two_that_write_at_once_leave_one_whole_entry(kept: Path) -> None:
    values = [{"n": n, "text": "x" * 100_000 * n} for n in range(1, 5)]
    with ThreadPoolExecutor(len(values)) as pool:
        for _ in range(5):
            list(pool.map(lambda value: cache.keep("key", value), values))
            assert cache.recall("key") in values
    assert only_entry(kept).name == "key.kept"


def test_one_that_writes_while_another_does_leaves_one_whole_entry(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second one begins and ends while the first one has its file open."""
    seal = cache._seal

    def interrupted(key: str, body: bytes) -> bytes:
        monkeypatch.setattr(cache, "_seal", seal)
        cache.keep(key, "the longer of both")
        return seal(key, body)

    monkeypatch.setattr(cache, "_seal", interrupted)
    cache.keep("key", "short")
    assert cache.recall("key") == "short"
    assert only_entry(kept).name == "key.kept"


def test_a_process_reads_what_another_has_kept(kept: Path) -> None:
    code = f"from sizewright.engine import load_engine\nload_engine({GUIDE!r}).rule_set"
    both = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(2)]
    assert [process.wait() for process in both] == [0, 0]
    assert sorted(path.name for path in kept.iterdir()) == [
        f"{load_guide(GUIDE).key}-rules.kept",
        f"{load_guide(GUIDE).key}.kept",
    ]


def test_the_oldest_entries_are_removed(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "ENTRIES_KEPT", 3)
    for number in range(5):
        cache.keep(str(number), number)
        os.utime(kept / f"{number}.kept", (number, number))
    (kept / "of somebody else.txt").touch()
    cache.keep("5", 5)
    assert sorted(path.name for path in kept.iterdir()) == [
        "3.kept", "4.kept", "5.kept", "of somebody else.txt",
    ]  # fmt: skip


def test_a_changed_byte_is_another_guide(kept: Path, tmp_path: Path) -> None:
    root = tmp_path / "root"
    for kind in ("tables", "rules"):
        shutil.copytree(data_root() / kind / GUIDE, root / kind / GUIDE)
    first = load_guide(GUIDE, root=root)
    file = root / "tables" / GUIDE / "nfs-capacity.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("sustained_ops_per_s: 360", "sustained_ops_per_s: 361"), "utf-8")
    second = load_guide(GUIDE, root=root)
    assert first.digest != second.digest
    row = "sparcstation-2-two-networks"
    assert first.row("nfs-capacity", row).require("sustained_ops_per_s").high == 360
    assert second.row("nfs-capacity", row).require("sustained_ops_per_s").high == 361
    assert len(list(kept.iterdir())) == 2


def test_the_digest_of_a_guide_does_not_depend_on_the_program(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A written plan has the digest: a new installation of the program does not change a guide."""
    first = load_guide(GUIDE)
    root = data_root()
    monkeypatch.setattr(cache, "PACKAGE", tmp_path)
    second = load_guide(GUIDE, root=root)
    assert first.digest == second.digest
    assert first.key != second.key


def test_an_overlay_has_an_entry_of_its_own(kept: Path, tmp_path: Path) -> None:
    folder = overlay(tmp_path, "site", rule=parameter(200))
    with_it = load_guide(GUIDE, [folder])
    without = load_guide(GUIDE)
    again = load_guide(GUIDE, [folder])
    assert with_it.digest == again.digest != without.digest
    assert [change.overlay for change in again.changes] == ["site"]
    assert without.changes == ()
    assert plain(again) == plain(with_it)


def test_a_key_depends_on_names_contents_and_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tmp_path / "guide" / "merge.py"
    module.parent.mkdir()
    module.write_text("a = 1\n", encoding="utf-8")
    os.utime(module, (1, 1))
    files = [("a", b"1"), ("b", b"2")]
    keys = {cache.key_of(files)}
    monkeypatch.setattr(cache, "PACKAGE", tmp_path)
    keys.add(cache.key_of(files))
    keys.add(cache.key_of([("a", b"12"), ("b", b"")]))
    keys.add(cache.key_of([("ab", b"1"), ("", b"2")]))
    keys.add(cache.key_of(files[:1]))
    keys.add(cache.key_of(files[::-1]))
    assert cache.key_of(list(files)) in keys
    # Another time, another size, another version, another Python.
    os.utime(module, (2, 2))
    keys.add(cache.key_of(files))
    module.write_text("a = 10\n", encoding="utf-8")
    os.utime(module, (2, 2))
    keys.add(cache.key_of(files))
    monkeypatch.setattr(cache, "__version__", "other")
    keys.add(cache.key_of(files))
    monkeypatch.setattr(sys, "version", "other")
    keys.add(cache.key_of(files))
    assert len(keys) == 10
