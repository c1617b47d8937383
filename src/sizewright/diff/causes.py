"""Which inputs of two plans differ: cells, parameters, lines, policy, overlays, whole files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sizewright.diff.model import CAUSE_KINDS, Cause, CauseKind, Stand
from sizewright.diff.walk import is_quantity, moved

Plan = Mapping[str, Any]


def causes(before: Plan, after: Plan) -> tuple[Cause, ...]:
    """Every input that differs, sorted by kind and key."""
    overlays = {cause.key: cause for cause in _overlays(before, after)}
    found = {}
    for cause in _sources(before, after):
        # A cell that figures rest on in one plan only may differ in the other all the same.
        known = overlays.pop(cause.key, None)
        found[cause.key] = cause if cause.differs or known is None else known
    found |= overlays
    for cause in (*_policy(before, after), *_words(before, after), *_files(before, after)):
        found.setdefault(cause.key, cause)
    return tuple(sorted(found.values(), key=lambda c: (CAUSE_KINDS.index(c.kind), c.key)))


def _sources(before: Plan, after: Plan) -> Iterator[Cause]:
    first, second = ({each["key"]: each for each in plan["sources"]} for plan in (before, after))
    for key in {*first, *second}:
        one, other = first.get(key), second.get(key)
        if one is None or other is None or one["value"] != other["value"]:
            known = one or other
            assert known is not None
            yield Cause(known["kind"], key, _stand(one), _stand(other))


def _stand(source: Mapping[str, Any] | None) -> Stand | None:
    return None if source is None else Stand(source["value"], source["where"], source["cite"])


def _overlays(before: Plan, after: Plan) -> Iterator[Cause]:
    """What overlays put in the guide's place; numbers that figures rest on are told already."""
    first, second = (
        {_key(each["what"]): each for each in plan["overlays"]} for plan in (before, after)
    )
    for key in {*first, *second}:
        one, other = first.get(key), second.get(key)
        known = one or other
        assert known is not None
        # Without the overlay the guide's own value stands, which the overlay tells.
        values = [each["after"] if each else known["before"] for each in (one, other)]
        if values[0] != values[1]:
            stands = (Stand(value, known["overlay"], "") for value in values)
            yield Cause("overlay", key, *stands)


def _key(what: str) -> str:
    return what.replace(" parameter ", ", ")


def _policy(before: Plan, after: Plan) -> Iterator[Cause]:
    for each in moved(before["policy"], after["policy"], "policy"):
        yield _plainly("policy", each.figure, each.before, each.after)


def _words(before: Plan, after: Plan) -> Iterator[Cause]:
    """What the workload asks for in words, flags and counts; its quantities are among sources."""
    for each in moved(before["demand"], after["demand"]):
        if not any(map(is_quantity, (each.before, each.after))):
            yield _plainly("input", each.figure, each.before, each.after)


def _files(before: Plan, after: Plan) -> Iterator[Cause]:
    if before["workload"]["digest"] != after["workload"]["digest"]:
        ones = (plan["workload"] for plan in (before, after))
        yield Cause("workload", "workload", *(Stand(w["digest"], w["file"], "") for w in ones))
    for key in ("id", "version", "digest"):
        one, other = before["guide"][key], after["guide"][key]
        if one != other:
            yield _plainly("guide", f"guide {key}", one, other)


def _plainly(kind: CauseKind, key: str, before: Any, after: Any) -> Cause:
    return Cause(kind, key, Stand(before, "", ""), Stand(after, "", ""))
