"""From the names that a report prints, or ids, to the parts whose failure is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sizewright.errors import Diagnostic, InputError, Location, did_you_mean, join_or, shown
from sizewright.output.names import Names

FAILED = Location("--failed")


def resolve_failing(
    asked: Iterable[str], parts: Mapping[str, str], systems: Sequence[Names], listed: Iterable[str]
) -> tuple[str, ...]:
    """Return the ids of the parts that are asked for, by id or by the name in a report.

    `parts` are all that can fail. Those of several systems have their system before them, as in
    `primary/esp0`; without it only if no other system has a part with the same id or name.
    `listed` are names of what else the plan orders. Raises InputError for every name of nothing,
    of several parts, or of a part whose failure changes no budget.
    """
    found: dict[str, list[str]] = {}
    labels: list[str] = []
    for names in systems:
        for label, part in names.labels():
            one = f"{names.system.id}/{part}"
            labels.append(label)
            for name in (label, f"{names.system.id}/{label}", part, one):
                found.setdefault(name.casefold(), []).append(part if part in parts else one)
    machines = {names.platform().casefold() for names in systems}
    idle = {name.casefold() for name in listed}
    short = [one for one in parts if "/" not in one or one.rpartition("/")[2] not in parts]
    resolved: dict[str, None] = {}
    errors = []
    for name in asked:
        same = list(dict.fromkeys(found.get(name.casefold(), ())))
        can_fail = [part for part in same if part in parts]
        if name in parts:
            resolved[name] = None
        elif len(can_fail) == 1:
            resolved[can_fail[0]] = None
        elif can_fail:
            what = f"{len(can_fail)} parts are called {shown(name)}"
            errors.append(Diagnostic(FAILED, what, f"one of {join_or(can_fail)}"))
        elif name.casefold() in machines:
            what = f"nothing is left without {shown(name)}, the only system"
            errors.append(Diagnostic(FAILED, what, f"one of {join_or(short)}"))
        elif same or name.casefold() in idle:
            what = f"the failure of {shown(name)} changes no budget"
            errors.append(Diagnostic(FAILED, what, f"one of {join_or(short)}"))
        else:
            expected = f"one of {join_or(short)}" if parts else "a part of the system"
            hint = did_you_mean(name, [*parts, *labels])
            errors.append(Diagnostic(FAILED, f"there is no part {shown(name)}", expected, hint))
    if errors:
        raise InputError(errors)
    return tuple(resolved)
