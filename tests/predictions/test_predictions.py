"""Predictions made by hand from the guide, by somebody who had not seen what the program computes.

Each entry of predictions.yaml is planned or checked, and every quantity that it predicts is
compared at both ends of its range.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from predictions.comparing import slip
from predictions.entries import Plain, Trial, entries, trial
from predictions.quantities import NothingThereError, value_of

_NAMES = ("quantity", "subject")


def differences(entry: Plain) -> Iterator[str]:
    """Yield each predicted quantity that comes out otherwise."""
    found = trial(entry["id"])
    for predicted in entry["expect"]:
        wanted = {key: value for key, value in predicted.items() if key not in _NAMES}
        if "settled" in wanted:
            # What is settled in writing is compared in place of the prediction beside it.
            unit = {"unit": wanted["unit"]} if "unit" in wanted else {}
            wanted = unit | {k: v for k, v in wanted["settled"].items() if k != "reason"}
        names = {key: predicted[key] for key in _NAMES}
        said = _difference(found, names | wanted)
        if said:
            yield f"{predicted['quantity']} of {predicted['subject']}: {said}; predicted {wanted}"


def _difference(found: Trial, expected: Mapping[str, Any]) -> str:
    quantity, subject = expected["quantity"], expected["subject"]
    try:
        value = value_of(found, quantity, subject)
        before = None
        if "ratio" in expected:
            before = value_of(found.beforehand(), quantity, subject)
    except NothingThereError as error:
        return str(error)
    return slip(expected, value, before)


@pytest.mark.parametrize("name", entries())
def test_prediction(name: str) -> None:
    assert not list(differences(entries()[name]))
