"""Numbers, ranges, shares and verdicts as a person reads them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import floor

from sizewright.errors import plural
from sizewright.formula import number as number
from sizewright.formula import readable, unit_after
from sizewright.limits import ALMOST_NOTHING, DECIMALS, YEAR_PARTS
from sizewright.output.layout import BAR, FACTOR_SHOWN, YEARS_TOLD
from sizewright.quantity import Quantity
from sizewright.rules.rule import MISSED, VERDICTS
from sizewright.units import PERCENT, PURE

# Does not break between a number and its unit; a page turns it into a space at the end.
GLUE = "\u00a0"
# Around what a user writes in a file: backticks in text and Markdown, code on a page. A name may
# have backticks of its own, which mean nothing.
CODE = "\u02cb"
NOTHING = "unknown"
# A share that is more than nothing, and less than one percent.
LEAST_PERCENT = "<1%"

_NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six")


def number_word(value: int) -> str:
    """Return a small whole number in letters, a larger one in digits."""
    return _NUMBER_WORDS[value] if value < len(_NUMBER_WORDS) else str(value)


def plain_number(value: float) -> float | int:
    """Return a number without a fraction as an integer, so that it reads as it was written."""
    return int(value) if value == int(value) else value


def money(value: float) -> str:
    """An amount of money with separated thousands, and with cents only if there are any."""
    return f"{value:,.2f}".removesuffix(".00")


def years(value: float, horizon: float | None = None) -> str:
    """A time in years, to a tenth, from ten on in whole years: `1 year`, `2.5 years`.

    It is rounded down, because something must be done by then. Of a forecast beyond its horizon and
    ten years it is only stated that it is later.
    """
    if horizon is not None and value > (most := max(YEARS_TOLD, horizon)):
        return f"more than {most:g} years"
    parts = YEAR_PARTS if value < YEARS_TOLD else 1
    rounded = floor(round(value * parts, DECIMALS)) / parts
    if value and not rounded:
        return f"less than {1 / YEAR_PARTS:g} years"
    return f"{rounded:g} {plural(rounded, 'year')}"


def span(figure: Quantity | None) -> str:
    """The range of a figure without its unit: `120–150`, or one number where both ends agree."""
    if figure is None:
        return NOTHING
    low, high = number(figure.low), number(figure.high)
    return low if low == high else f"{low}–{high}"


def factor(figure: Quantity) -> str:
    """The range of a factor: `1.5–2.25`; no more than that it is large, if it is; `none` for 0."""
    if figure.high <= 0:
        return "none"
    if figure.high <= FACTOR_SHOWN:
        return span(figure)
    most = f"more than {FACTOR_SHOWN}"
    return most if figure.low > FACTOR_SHOWN else f"{number(figure.low)} to {most}"


def quantity(figure: Quantity | None) -> str:
    """The range of a figure with its unit."""
    if figure is None:
        return NOTHING
    shown = readable(figure)
    return with_unit(span(shown), shown)


def use_and_limit(used: Quantity | None, limit: Quantity | None) -> tuple[str, str]:
    """Return the range of a use, and its limit with the unit of both; the use has it if alone."""
    if limit is None:
        return quantity(used), NOTHING
    return span(used and _beside(used, limit)), quantity(limit)


def likely_use(used: Quantity | None, limit: Quantity | None) -> str:
    """Return the likely value of a use that is a range, in the unit that its range is shown in."""
    if used is None or number(used.low) == number(used.high):
        return ""
    return number((readable(used) if limit is None else _beside(used, limit)).likely)


def _beside(used: Quantity, limit: Quantity) -> Quantity:
    """Return a use in the unit in which its limit is shown."""
    return used if used.unit != limit.unit else used.to(readable(limit).unit)


def with_likely(figure: Quantity) -> str:
    """The range of a figure with its unit, and its likely value unless that is in the middle."""
    middle = (figure.low + figure.high) / 2
    told = quantity(figure)
    likely = number(figure.likely)
    return told if likely == number(middle) else f"{told} (likely {likely})"


def with_unit(text: str, figure: Quantity) -> str:
    """A number in words with a figure's unit, in the plural where it is one."""
    if figure.unit == PURE:
        return text
    unit = unit_after(figure.high, figure.unit).strip()
    return f"{text}{unit}" if unit.startswith("%") else f"{text}{GLUE}{unit}"


def code(text: str) -> str:
    """Return what a user writes in a file, marked as such."""
    return f"{CODE}{text}{CODE}"


def percent(share: float | None) -> str:
    """A share in percent; what is more than nothing is never shown as 0."""
    if share is None:
        return NOTHING
    if 0 < share * PERCENT < 1:
        return LEAST_PERCENT
    # Half a percent is rounded up, also in a difference that is not exact: 1 − 0.945 is 5.5 %.
    return f"{round(share * PERCENT, DECIMALS) + ALMOST_NOTHING:.0f}%"


def whole_percent_below(share: float) -> float:
    """A share that is supported, in whole percent; of the next whole percent that is not known."""
    return floor(round(share * PERCENT, DECIMALS)) / PERCENT or share


def headroom(share: float) -> str:
    """What is free of a limit, in percent; or by how much the use is over it."""
    return f"over by {percent(share - 1)}" if share > 1 else percent(1 - share)


def bar(share: float | None, length: int = BAR) -> str:
    """How full something is, as a bar; over the limit it is full. There is none if unknown."""
    if share is None:
        return ""
    full = min(length, max(0, round(share * length)))
    return "█" * full + "░" * (length - full)


VERDICT_WORDS = {
    "holds": "pass", "tight": "borderline", "violated": "fail", "unknown": "unknown",
    "waived": "waived", "not_applicable": "not applicable",
}  # fmt: skip

# What the first line of a report adds if no limit fails.
_DOUBTS = {
    "holds": "", "tight": ", borderline", "unknown": " as far as is known",
    "waived": " with limits waived",
}  # fmt: skip


def headline(verdict: str, passed: str) -> str:
    """Return how the first line of a report begins; `passed` is the word if no limit fails."""
    return "Fail" if verdict == "violated" else passed + _DOUBTS[verdict]


def verdict_word(verdict: str) -> str:
    """Return the word for a verdict; any other text as it is."""
    return VERDICT_WORDS.get(verdict, verdict)


# What a rule that sets no limit counts as if it is not followed, by its severity.
NO_LIMIT = {"advice": "advice not followed", "note": "to note"}
NOT_CHECKED = "advice not checked"


def result_word(verdict: str, severity: str) -> str:
    """Return the word for a verdict of a rule; advice and notes set no limit and do not fail."""
    if severity in NO_LIMIT and verdict in MISSED:
        return NO_LIMIT[severity]
    if severity in NO_LIMIT and verdict == "unknown":
        return NOT_CHECKED
    return verdict_word(verdict)


def words_counted(words: Iterable[str]) -> str:
    """Return how often each of these words for results occurs, as text."""
    counts = Counter(words)
    order = (*map(verdict_word, VERDICTS), *NO_LIMIT.values(), NOT_CHECKED)
    return ", ".join(f"{counts[word]} {word}" for word in order if counts[word])
