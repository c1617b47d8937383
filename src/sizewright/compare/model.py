"""What a comparison is: plans in short, one column each."""

from __future__ import annotations

from typing import NamedTuple


class Load(NamedTuple):
    """The fullest resource of a kind, against its limit at the end that is sized for."""

    kind: str
    resource: str
    share: float


class Parts(NamedTuple):
    """What a system consists of, in short; None where its platform does not tell."""

    system: str
    platform: str
    processors: int | None
    memory_mb: int | None
    boards: int
    disks: int


class Bottleneck(NamedTuple):
    """The resource nearest its limit; the headroom is negative where it is over."""

    resource: str
    share: float
    headroom: float


class Column(NamedTuple):
    """A plan in short. Where it does not hold, `parts` and loads are those of its nearest miss.

    `reasons` say why it does not hold, the shortest first.
    """

    name: str
    workload: str
    size_for: str
    reserve_percent: float
    verdict: str
    holds: bool
    proven: bool
    bottleneck: Bottleneck | None
    loads: tuple[Load, ...]
    parts: tuple[Parts, ...]
    reasons: tuple[str, ...]


class Comparison(NamedTuple):
    """Columns of platforms that might carry one workload, or of workloads and plans."""

    of: str
    columns: tuple[Column, ...]

    @property
    def holds(self) -> bool:
        """Whether any column holds."""
        return any(column.holds for column in self.columns)
