"""Where a guide's tables and rules lie: inside the wheel, or beside `src/` in a checkout."""

from __future__ import annotations

from pathlib import Path

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
    """The guide that is used where nobody names one: the only one, or the one that data names."""
    known = guide_ids()
    if len(known) == 1:
        return known[0]
    return (data_root() / "tables" / "default-guide").read_text(encoding="utf-8").strip()
