"""Reads a guide and its overlays into one checked, read-only Guide."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from sizewright import __version__
from sizewright.documents import Document, parse_document
from sizewright.errors import Diagnostic, InputError, Location, refusal, unknown_name
from sizewright.guide import paths
from sizewright.guide.model import Change, Citation, Column, Guide, Row, Table
from sizewright.guide.paths import data_root, guide_files, guide_ids

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
    digest = paths.digest_of(__version__, (entry for layer in layers for entry in layer))
    plain = paths.recall(digest)
    if not isinstance(plain, dict) or not _PARTS.issubset(plain):
        plain = _read(layers)
        paths.keep(digest, plain)
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
