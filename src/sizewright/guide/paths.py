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


def guide_files(root: Path, guide: str) -> tuple[Path, ...]:
    """Every table and rule file of a guide below `root`, in a fixed order."""
    return tuple(
        path
        for kind in ("tables", "rules")
        for path in sorted((root / kind / guide).glob("*.yaml"))
    )


def default_guide() -> str:
    """The guide that is used where nobody names one: the only one, or the one that data names."""
    known = guide_ids()
    if len(known) == 1:
        return known[0]
    return (data_root() / "tables" / "default-guide").read_text(encoding="utf-8").strip()
