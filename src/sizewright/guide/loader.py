"""Where the files of guides are, and a guide with its overlays as one checked, read-only Guide."""

import marshal
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sizewright.errors import InputError, Location, refusal, unknown_name
from sizewright.guide.cache import PACKAGE, digest_of, keep, key_of, recall
from sizewright.guide.model import OWN, Change, Citation, Guide, Row, Table
from sizewright.guide.table_schema import Column

# The files of a guide or an overlay: names and contents.
Layer = Sequence[tuple[str, bytes]]


def data_root() -> Path:
    """The folder that holds `tables/` and `rules/`."""
    installed = PACKAGE / "data"
    return installed if installed.is_dir() else PACKAGE.parent.parent


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


def load_guide(guide: str, overlays: Iterable[Path] = (), root: Path | None = None) -> Guide:
    """Return the guide with its overlays, of which later ones override earlier ones.

    Raises InputError with all errors of all files, for an unknown guide, and for a folder without
    files for the guide.
    """
    base = root or data_root()
    if root is None and guide not in guide_ids():
        raise InputError([unknown_name(Location("--guide"), "guide", guide, guide_ids())])
    layers = []
    for folder in overlays:
        layer = _contents(folder, guide, folder.parent)
        if not layer:
            raise refusal(
                Location(str(folder)), f"the overlay has no file for guide {guide}",
                f"{folder.name}/tables/{guide}/*.yaml or rules/{guide}/*.yaml in it",
            )  # fmt: skip
        layers.append(layer)
    own = _contents(base, guide, base)
    plain, key = _merged(own, layers)
    return _build(plain, digest_of(entry for layer in (own, *layers) for entry in layer), key)


def _contents(folder: Path, guide: str, shown_from: Path) -> Layer:
    return [
        (path.relative_to(shown_from).as_posix(), path.read_bytes())
        for path in guide_files(folder, guide)
    ]


def _merged(base: Layer, overlays: Sequence[Layer]) -> tuple[dict[str, Any], str]:
    """Return a guide with its overlays as plain data, and the key under which it is kept."""
    key = key_of(entry for layer in (base, *overlays) for entry in layer)
    plain = recall(key)
    if plain is None:
        # Parsing and checking are needed only where no checked copy is available.
        from sizewright.guide.merge import apply_overlays, merge_guide

        plain = apply_overlays(_merged(base, ())[0], overlays) if overlays else merge_guide(base)
        keep(key, plain)
    return plain, key


def _build(plain: Mapping[str, Any], digest: str, key: str) -> Guide:
    same = ("title", "version", "defaults", "sections", "documents", "rules")
    return Guide(
        id=plain["guide"], digest=digest, key=key,
        tables=_Tables(plain["tables"]), prices=plain.get("prices") or {},
        changes=tuple(Change(*c) for c in plain["changes"]),
        **{name: plain[name] for name in same},
    )  # fmt: skip


class _Tables(Mapping[str, Table]):
    """Tables that are built when first asked for; most commands look at few of them."""

    def __init__(self, kept: Mapping[str, bytes]) -> None:
        self._kept = kept
        self._built: dict[str, Table] = {}

    def __getitem__(self, name: str) -> Table:
        if name not in self._built:
            self._built[name] = _table(marshal.loads(self._kept[name]))
        return self._built[name]

    def __contains__(self, name: object) -> bool:
        return name in self._kept

    def __iter__(self) -> Iterator[str]:
        return iter(self._kept)

    def __len__(self) -> int:
        return len(self._kept)


def _table(data: Mapping[str, Any]) -> Table:
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
