"""Checked guides kept between runs, so that a start need not parse YAML again.

An entry's name is the digest of every file that went in and of the program's version: a changed
byte anywhere is another entry, so an entry is never stale. Without a writable cache folder the
guide is simply read anew. `SIZEWRIGHT_CACHE` names another folder; empty switches the cache off.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import Any

_NAME = "sizewright"


def digest_of(version: str, contents: Iterable[tuple[str, bytes]]) -> str:
    """One digest over the version and every (name, content)."""
    state = blake2b(version.encode(), digest_size=len("0123456789abcdef"))
    for name, content in contents:
        state.update(f"\0{name}\0{len(content)}\0".encode())
        state.update(content)
    return state.hexdigest()


def _folder() -> Path | None:
    chosen = os.environ.get("SIZEWRIGHT_CACHE")
    if chosen is not None:
        return Path(chosen) if chosen else None
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    try:
        return (Path(base) if base else Path.home() / ".cache") / _NAME
    except RuntimeError:
        return None


def recall(digest: str) -> Any:
    """The entry, or None where there is none that can be read."""
    folder = _folder()
    if folder is None:
        return None
    try:
        return json.loads((folder / f"{digest}.json").read_bytes())
    except (OSError, ValueError):
        return None


def keep(digest: str, plain: Any) -> None:
    """Store an entry whole or not at all; a folder that cannot be written is no error."""
    folder = _folder()
    if folder is None:
        return
    unfinished = folder / f"{digest}.{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        unfinished.write_text(json.dumps(plain), encoding="utf-8")
        unfinished.replace(folder / f"{digest}.json")
    except OSError:
        return
