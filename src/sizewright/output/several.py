"""Names that tables give several parts: `2 × 424 MB disk`, or `1.3 GB disk #1 and #2`."""

import re

from sizewright.output.names import NUMBERED

_COUNTED = re.compile(r"\b(?P<number>\d{1,9}) × ")
_IN_A_ROW = re.compile(r"(?P<stem>.*\D)(?P<first>\d{1,9}) (?P<to>and|to) [#-]?(?P<last>\d{1,9})")


def is_among(label: str, several: str) -> bool:
    """Return whether a name of several parts is of the part with this label too."""
    one = NUMBERED.fullmatch(label)
    if one is None:
        return False
    if counted := _COUNTED.search(several):
        return label.partition(" #")[0] == several.replace(counted[0], "", 1)
    row = _IN_A_ROW.fullmatch(several)
    if row is None or one[1] != row["stem"]:
        return False
    number, first, last = int(one[2]), int(row["first"]), int(row["last"])
    return first <= number <= last if row["to"] == "to" else number in (first, last)


def without_number(several: str) -> str:
    """Return a name that begins with a number of parts without that number."""
    counted = _COUNTED.match(several)
    return several[counted.end() :] if counted else several


def number_of_parts(several: str) -> int:
    """Return how many parts a name is of, as it says."""
    if counted := _COUNTED.search(several):
        return int(counted["number"])
    row = _IN_A_ROW.fullmatch(several)
    if row is None:
        return 1
    return int(row["last"]) - int(row["first"]) + 1 if row["to"] == "to" else 2
