"""Where the files of guides are, and where checked guides are kept between runs."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import Any

_NAME = "sizewright"


def digest_of(version: str, contents: Iterable[tuple[str, bytes]]) -> str:
    """Return one digest of the version and every (name, content)."""
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
    """Return the entry; None if there is none that can be read."""
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


_PACKAGE = Path(__file__).resolve().parent.parent


def data_root() -> Path:
    """The folder that holds `tables/` and `rules/`."""
    installed = _PACKAGE / "data"
    return installed if installed.is_dir() else _PACKAGE.parent.parent


def guide_ids() -> tuple[str, ...]:
    """The guides that come with the program."""
    return tuple(sorted(p.parent.name for p in (data_root() / "tables").glob("*/guide.yaml")))


# Rules of the program itself, which every guide has.
OWN = "own"


def guide_files(root: Path, guide: str) -> tuple[Path, ...]:
    """Every table and rule file of a guide below `root`, sizewright's own rules last."""
    folders = (("tables", guide), ("rules", guide), ("rules", OWN))
    return tuple(
        path for kind, name in folders for path in sorted((root / kind / name).glob("*.yaml"))
    )


def is_own(file: str) -> bool:
    """Whether a rule's file is one of sizewright's own."""
    return Path(file).parent.name == OWN


def default_guide() -> str:
    """Return the default guide: the only one, or the one that the file `default-guide` names."""
    known = guide_ids()
    if len(known) == 1:
        return known[0]
    return (data_root() / "tables" / "default-guide").read_text(encoding="utf-8").strip()
