"""What is kept between runs, in files that only the account that reads them can have written."""

import marshal
import os
import stat
import sys
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import Any

from sizewright import __version__
from sizewright.limits import ENTRIES_KEPT

PACKAGE = Path(__file__).resolve().parent.parent
_NAME = "sizewright"
_SUFFIX = ".kept"
_DIGEST_BYTES = len("0123456789abcdef")


def key_of(contents: Iterable[tuple[str, bytes]]) -> str:
    """Return the key of what this program makes of every (name, content).

    It depends on the program's source files too, by their sizes and times, as Python's own cache
    of compiled modules does.
    """
    return digest_of(contents, repr((sys.version, __version__, *_sources())))


def digest_of(contents: Iterable[tuple[str, bytes]], of: str = "") -> str:
    """Return the digest of every (name, content), and of a text."""
    state = blake2b(of.encode(), digest_size=_DIGEST_BYTES)
    for name, content in contents:
        state.update(f"\0{name}\0{len(content)}\0".encode())
        state.update(content)
    return state.hexdigest()


def _sources() -> list[tuple[str, int, int]]:
    """Return the name, size and time of each source file of the program."""
    found, folders = [], [PACKAGE]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    status = entry.stat()
                    found.append((entry.name, status.st_size, status.st_mtime_ns))
                elif entry.is_dir() and entry.name != "__pycache__":
                    folders.append(Path(entry.path))
    return sorted(found)


def _folder() -> Path | None:
    chosen = os.environ.get("SIZEWRIGHT_CACHE")
    if chosen is not None:
        return Path(chosen) if chosen else None
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    try:
        return (Path(base) if base else Path.home() / ".cache") / _NAME
    except RuntimeError:
        return None


def recall(key: str) -> Any:
    """Return what is kept under a key; None if there is nothing, or nothing to be trusted."""
    folder = _folder()
    if folder is None:
        return None
    try:
        with open(folder / f"{key}{_SUFFIX}", "rb", opener=_open_at_once) as file:
            content = file.read() if _is_private(os.fstat(file.fileno())) else b""
    except (OSError, ValueError):
        return None
    seal, body = content[:_DIGEST_BYTES], content[_DIGEST_BYTES:]
    return marshal.loads(body) if seal == _seal(key, body) else None


def _open_at_once(path: str, flags: int) -> int:
    """Open a file without waiting for another process, should it be a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _is_private(status: os.stat_result) -> bool:
    """Whether it is a file that no other account can have written."""
    account = getattr(os, "geteuid", None)
    if account is None:
        return stat.S_ISREG(status.st_mode)
    others = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return stat.S_ISREG(status.st_mode) and status.st_uid == account() and not others


def _seal(key: str, body: bytes) -> bytes:
    """Return what shows that an entry is whole, and the one of this key."""
    return blake2b(key.encode() + body, digest_size=_DIGEST_BYTES).digest()


def keep(key: str, plain: Any) -> None:
    """Keep plain data, whole or not at all; a folder that cannot be written is no error."""
    folder = _folder()
    if folder is None:
        return
    from tempfile import NamedTemporaryFile

    body = marshal.dumps(plain)
    try:
        folder.mkdir(mode=stat.S_IRWXU, parents=True, exist_ok=True)
        # Its name is its own, and no other account can write it.
        with NamedTemporaryFile(dir=folder, delete=False) as file:
            unfinished = Path(file.name)
            try:
                file.write(_seal(key, body) + body)
                file.close()
                unfinished.replace(folder / f"{key}{_SUFFIX}")
            except OSError:
                unfinished.unlink()
        for old in _oldest(folder):
            old.unlink()
    except OSError:
        return


def _oldest(folder: Path) -> list[Path]:
    """Return the entries that are too many; each version of program and guide has its own."""
    entries = sorted(folder.glob(f"*{_SUFFIX}"), key=lambda path: path.stat().st_mtime)
    return entries[:-ENTRIES_KEPT]
