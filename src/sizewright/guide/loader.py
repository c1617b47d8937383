"""Where the files of guides are, and a guide with its overlays as one checked, read-only Guide."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

from sizewright import __version__
from sizewright.documents import Document, parse_document
from sizewright.errors import Diagnostic, InputError, Location, refusal, unknown_name
from sizewright.guide.model import OWN, Change, Citation, Column, Guide, Row, Table

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


def guide_files(root: Path, guide: str) -> tuple[Path, ...]:
    """Every table and rule file of a guide below `root`, sizewright's own rules last."""
    folders = (("tables", guide), ("rules", guide), ("rules", OWN))
    return tuple(
        path for kind, name in folders for path in sorted((root / kind / name).glob("*.yaml"))
    )


def default_guide() -> str:
    """Return the default guide: the only one, or the one that the file `default-guide` names."""
    known = guide_ids()
    if len(known) == 1:
        return known[0]
    return (data_root() / "tables" / "default-guide").read_text(encoding="utf-8").strip()


_PARTS = {
    "guide", "title", "version", "defaults", "sections", "documents", "tables", "rules", "changes",
}  # fmt: skip


def load_guide(guide: str, overlays: Iterable[Path] = (), root: Path | None = None) -> Guide:
    """Return the guide with its overlays, of which later ones override earlier ones.

    Raises InputError with all errors of all files, for an unknown guide, and for a folder without
    files for the guide.
    """
    base = root or data_root()
    if root is None and guide not in guide_ids():
        raise InputError([unknown_name(Location("--guide"), "guide", guide, guide_ids())])
    layers = [_contents(base, guide, base)]
    for folder in overlays:
        layer = _contents(folder, guide, folder.parent)
        if not layer:
            raise refusal(
                Location(str(folder)), f"the overlay has no file for guide {guide}",
                f"{folder.name}/tables/{guide}/*.yaml or rules/{guide}/*.yaml in it",
            )  # fmt: skip
        layers.append(layer)
    digest = digest_of(__version__, (entry for layer in layers for entry in layer))
    plain = recall(digest)
    if not isinstance(plain, dict) or not _PARTS.issubset(plain):
        plain = _read(layers)
        keep(digest, plain)
    return _build(plain, digest)


def _contents(folder: Path, guide: str, shown_from: Path) -> list[tuple[str, bytes]]:
    return [
        (path.relative_to(shown_from).as_posix(), path.read_bytes())
        for path in guide_files(folder, guide)
    ]


def _read(layers: list[list[tuple[str, bytes]]]) -> dict[str, Any]:
    # Parsing and checking are needed only where no checked copy is at hand.
    from sizewright.guide.merge import merged

    faults: list[Diagnostic] = []
    parsed: list[list[Document]] = []
    for layer in layers:
        documents = []
        for name, content in layer:
            try:
                documents.append(parse_document(content, name))
            except InputError as error:
                faults.extend(error.faults)
        parsed.append(documents)
    if faults:
        raise InputError(tuple(faults))
    return merged(parsed)


def _build(plain: Mapping[str, Any], digest: str) -> Guide:
    return Guide(
        id=plain["guide"],
        title=plain["title"],
        version=plain["version"],
        digest=digest,
        defaults=plain["defaults"],
        sections=plain["sections"],
        documents=plain["documents"],
        tables=_Lazy({name: _table_builder(data) for name, data in plain["tables"].items()}),
        rules=plain["rules"],
        changes=tuple(Change(*c) for c in plain["changes"]),
    )


class _Lazy(dict[str, Any]):
    """Tables built when first asked for; most commands look at few of them."""

    def __getitem__(self, key: str) -> Any:
        value = dict.__getitem__(self, key)
        if callable(value):
            value = value()
            dict.__setitem__(self, key, value)
        return value

    def values(self) -> Any:
        return [self[key] for key in self]

    def items(self) -> Any:
        return [(key, self[key]) for key in self]

    def get(self, key: str, default: Any = None) -> Any:
        try:
            return self[key]
        except KeyError:
            return default


def _table_builder(data: Mapping[str, Any]) -> Callable[[], Table]:
    def build() -> Table:
        columns = {name: Column.of(spec) for name, spec in data["columns"].items()}
        name = data["table"]
        rows = {
            row_id: Row(
                name, columns, row_id, row["values"], Citation(*row["mark"]),
                {k: Citation(*m) for k, m in row["marks"].items()}, row["note"],
            )
            for row_id, row in data["rows"].items()
        }  # fmt: skip
        return Table(name, data["title"], columns, rows)

    return build
