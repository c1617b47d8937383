"""The head of a report: who it is for and from, its day and a logo."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple


class Cover(NamedTuple):
    """Who a report is for and from, and its day; what is not stated is empty.

    `logo` is a picture as a `data:` address.
    """

    title: str = ""
    customer: str = ""
    author: str = ""
    day: date | None = None
    valid_until: date | None = None
    logo: str = ""

    def lines(self) -> dict[str, str]:
        """Return what is stated, by what it is called, without title and logo."""
        said = {
            "For": self.customer, "From": self.author,
            "Date": self.day, "Valid until": self.valid_until,
        }  # fmt: skip
        return {name: str(value) for name, value in said.items() if value}


NO_COVER = Cover()
