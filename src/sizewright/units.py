"""Units of measure: how they multiply, and the few conversions that are definitions.

A unit is text: factors joined by ``*``, then optionally ``/`` and the factors below the line
(``ms/op``, ``KB/s``, ``op*KB/s``). ``1`` is a pure number. These conversion constants
are the only numbers in addition to 0, 1 and 2 that the program's code may hold.
"""

from functools import cache

PURE = "1"

BYTES_PER_KB = 1024
KB_PER_MB = 1024
BITS_PER_BYTE = 8
MB_PER_GB = 1000
MB_PER_GB_OF_MEMORY = 1024
MS_PER_S = 1000
SECONDS_PER_MINUTE = 60
MINUTES_PER_HOUR = 60
HOURS_PER_DAY = 24
MONTHS_PER_YEAR = 12
PERCENT = 100
METRES_PER_KM = 1000

_KB_PER_KBIT = 1000 / BITS_PER_BYTE / BYTES_PER_KB

# How many of the canonical unit one of the named unit is, by dimension. Disk capacities count
# 1 GB as 1000 MB (as vendors of drives do); memory and transfers count 1 MB as 1024 KB. What
# is read as memory counts 1 GB as 1024 MB (schema/quantity.py). A year has no fixed number of days,
# so calendars and clocks do not convert.
_SCALE: dict[str, tuple[str, float]] = {
    "byte": ("KB", 1 / BYTES_PER_KB),
    "KB": ("KB", 1),
    "MB": ("KB", KB_PER_MB),
    "GB": ("KB", KB_PER_MB * MB_PER_GB),
    "TB": ("KB", KB_PER_MB * MB_PER_GB**2),
    "KiB": ("KB", 1),
    "MiB": ("KB", KB_PER_MB),
    "GiB": ("KB", KB_PER_MB**2),
    "TiB": ("KB", KB_PER_MB**3),
    "bit": ("KB", _KB_PER_KBIT / 1000),
    "Kb": ("KB", _KB_PER_KBIT),
    "Mb": ("KB", _KB_PER_KBIT * 1000),
    "Gb": ("KB", _KB_PER_KBIT * 1000**2),
    "µs": ("s", 1 / MS_PER_S**2),
    "ms": ("s", 1 / MS_PER_S),
    "s": ("s", 1),
    "min": ("s", SECONDS_PER_MINUTE),
    "h": ("s", SECONDS_PER_MINUTE * MINUTES_PER_HOUR),
    "day": ("s", SECONDS_PER_MINUTE * MINUTES_PER_HOUR * HOURS_PER_DAY),
    "month": ("year", 1 / MONTHS_PER_YEAR),
    "year": ("year", 1),
    "%": (PURE, 1 / PERCENT),
    "m": ("m", 1),
    "km": ("m", METRES_PER_KM),
}

# What is counted, not measured: a count of anything may be added to a pure number.
COUNTS = frozenset({
    "client", "cylinder", "disk", "line", "op", "packet", "page", "port", "sector", "slot",
})  # fmt: skip


class UnitError(ValueError):
    """Two units that cannot be added, compared or converted into each other."""


@cache
def _parts(unit: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    above, _, below = unit.partition("/")
    keep = tuple(f for f in above.split("*") if f not in ("", PURE))
    return keep, tuple(f for f in below.split("*") if f)


@cache
def _compose(above: tuple[str, ...], below: tuple[str, ...]) -> str:
    rest_below = list(below)
    rest_above = []
    for factor in above:
        if factor in rest_below:
            rest_below.remove(factor)
        else:
            rest_above.append(factor)
    text = "*".join(sorted(rest_above)) or PURE
    return text + ("/" + "*".join(sorted(rest_below)) if rest_below else "")


@cache
def times(a: str, b: str) -> str:
    """Return the unit of a product."""
    (a_up, a_down), (b_up, b_down) = _parts(a), _parts(b)
    return _compose(a_up + b_up, a_down + b_down)


@cache
def over(a: str, b: str) -> str:
    """Return the unit of a quotient."""
    (a_up, a_down), (b_up, b_down) = _parts(a), _parts(b)
    return _compose(a_up + b_down, a_down + b_up)


@cache
def uncounted(unit: str) -> str:
    """Return the unit with a count above the line as a pure number: op/s as 1/s, not MB/client."""
    above, below = _parts(unit)
    return _compose(() if len(above) == 1 and above[0] in COUNTS else above, below)


@cache
def countless(unit: str) -> str:
    """Return the unit with every count taken as a pure number, above the line and below."""
    above, below = _parts(unit)
    return _compose(
        tuple(name for name in above if name not in COUNTS),
        tuple(name for name in below if name not in COUNTS),
    )


@cache
def convertible(unit: str) -> tuple[str, ...]:
    """Return the units that differ from a unit in the size of one factor, the smallest first.

    The factor is the first above the line that has several sizes, else the first below it.
    """
    above, below = _parts(unit)
    for factors in (above, below):
        for at, name in enumerate(factors):
            if name not in _SCALE:
                continue
            sized = [other for other in _SCALE if _SCALE[other][0] == _SCALE[name][0]]
            sized.sort(key=lambda other: _SCALE[other][1])
            changed = [(*factors[:at], other, *factors[at + 1 :]) for other in sized]
            sides = ((each, below) if factors is above else (above, each) for each in changed)
            return tuple(_compose(up, down) for up, down in sides)
    return (unit,)


@cache
def _canonical(unit: str) -> tuple[str, float]:
    above, below = _parts(unit)
    scale = 1.0
    up: list[str] = []
    down: list[str] = []
    for factors, out, sign in ((above, up, 1), (below, down, -1)):
        for factor in factors:
            name, size = _SCALE.get(factor, (factor, 1))
            scale *= size**sign
            if name != PURE:
                out.append(name)
    return _compose(tuple(up), tuple(down)), scale


@cache
def factor(source: str, target: str) -> float:
    """Return how many `target` one `source` is; raises UnitError for different dimensions."""
    source_name, source_scale = _canonical(source)
    target_name, target_scale = _canonical(target)
    if source_name != target_name:
        raise UnitError(f"{source} cannot be expressed in {target}")
    return source_scale / target_scale
