"""Changes of plain data and of text, as a person or a broken tool makes them; all from one seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

Path = tuple[Any, ...]

# What stands where something else is expected.
ODD: tuple[Any, ...] = (
    None, True, False, "", " ", "x", "none", "0", "-1", "1 GB", "5 clients", "2 MB", "1e3", [],
    {}, [None], [[]], {"a": 1}, [1, 2], [2, 1], [1, 2, 3], [0, 0], ["x", "y"], [1, "x"], 0, 0.0,
    -1, 1, 2, 3, 0.5, 1e-9, 1e9, 10**9, 1e12, 1e300, 10**40, float("inf"), float("nan"),
    "\x1b[8m", "‮", "\u200b", "\ud800", "=1+1", "`|<a>&", "x" * 300, "x/y", "a[b].c", "1 / 0",
    "ceil(1/0)", "a + ", "(" * 30, "2026-01-01",
)  # fmt: skip
FACTORS = (0, 0.001, 0.5, 2, 10, 1000, 1e6, 1e9)
_CHANGES_AT_MOST = 3


def mutated(data: Any, random: Random) -> Any:
    """Return the data with one to three changes."""
    changed = deepcopy(data)
    for _ in range(random.randint(1, _CHANGES_AT_MOST)):
        places = list(_places(changed))
        if places:
            random.choice(_CHANGES)(random, *random.choice(places), changed)
    return changed


def _places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each list or mapping with a key or an index of it."""
    items = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in items:
        yield data, key
        if isinstance(value, (dict, list)):
            yield from _places(value)


def _replace(random: Random, parent: Any, key: Any, _whole: Any) -> None:
    parent[key] = deepcopy(random.choice(ODD))


def _remove(_random: Random, parent: Any, key: Any, _whole: Any) -> None:
    del parent[key]


def _scale(random: Random, parent: Any, key: Any, _whole: Any) -> None:
    value = parent[key]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        scaled = value * random.choice(FACTORS)
        parent[key] = int(scaled) if isinstance(value, int) else scaled
    elif isinstance(value, list):
        parent[key] = value[::-1]
    else:
        _replace(random, parent, key, _whole)


def _borrow(random: Random, parent: Any, key: Any, whole: Any) -> None:
    """Put a value from elsewhere in the data here."""
    other, at = random.choice(list(_places(whole)))
    parent[key] = deepcopy(other[at])


def _repeat(random: Random, parent: Any, key: Any, _whole: Any) -> None:
    """Put an item in twice, or a value under another key of the data."""
    if isinstance(parent, list):
        parent[key:key] = [deepcopy(parent[key]) for _ in range(random.randint(1, 5))]
    else:
        parent[random.choice((f"{key}s", str(key)[:-1] or "k", "name", "id"))] = parent[key]


def _wrap(random: Random, parent: Any, key: Any, _whole: Any) -> None:
    value = parent[key]
    parent[key] = random.choice(([value], [value, value], {"a": value}, str(value)))


_CHANGES: tuple[Callable[[Random, Any, Any, Any], None], ...] = (
    _replace, _replace, _scale, _scale, _remove, _borrow, _repeat, _wrap,
)  # fmt: skip

_CHARACTERS = "\t\r\n\0 :-#[]{}'\"%&*!|>@`=,.0123456789abcxyz\x1b\x9b\ufeff‮é"


def mutated_text(text: str, random: Random) -> str:
    """Return a text with one to three changes of its lines or characters."""
    for _ in range(random.randint(1, _CHANGES_AT_MOST)):
        lines = text.splitlines(keepends=True) or [""]
        line, other = random.randrange(len(lines)), random.randrange(len(lines))
        place = random.randrange(len(text) + 1)
        number = "".join(random.choice("0123456789.-e") for _ in range(random.randint(1, 20)))
        words = lines[line].split() or [""]
        word = random.randrange(len(words))
        words[word] = random.choice((number, "", "-", "nan", "1e999", "x", words[word] * 2))
        text = random.choice((
            text[:place],
            text[:place] + random.choice(_CHARACTERS) + text[place:],
            text[:place] + random.choice(_CHARACTERS) + text[place + 1 :],
            "".join(lines[:line] + lines[line + 1 :]),
            "".join([*lines[:line], lines[other], *lines[line:]]),
            "".join([*lines[:line], " ".join(words), "\n", *lines[line + 1 :]]),
        ))  # fmt: skip
    return text
