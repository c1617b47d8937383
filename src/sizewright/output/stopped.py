"""What may pass too, because a search stopped before it had tried everything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sizewright.errors import enumerated, plural
from sizewright.limits import EXCESS_PARTS
from sizewright.output.names import system_names
from sizewright.output.wording import quantity
from sizewright.planner.plan import Gap, Plan
from sizewright.quantity import count
from sizewright.units import PERCENT, PURE


def doubts(plan: Plan) -> Iterator[str]:
    """What may pass too, if a search stopped before it had tried everything."""
    if plan.chosen is None and plan.demand.systems < 2:
        return
    for part in plan.plans:
        system = part.chosen.system if part.chosen else None
        role = f" for {system_names([system.id])}" if plan.group and system else ""
        for gap in part.gaps:
            if system is not None and gap.platform == system.platform:
                yield (
                    f"The search{role} stopped early: a better configuration may pass too. "
                    f"{_at_best(gap)}."
                )
        others = [name for name in part.cut_short if system is None or name != system.platform]
        if others:
            yield f"{_whose_search(plan, others, role)} may pass too."


# The size of a configuration: unit, verb, and what there is one or more of.
_SIZES = (
    ("%", "exceeds recommended limits by", "in sum", "in sum"),
    (PURE, "does not follow", "piece of advice", "pieces of advice"),
    (PURE, "follows", "piece of advice in the best case only",
     "pieces of advice in the best case only"),
    (PURE, "has", "unit beside the server", "units beside the server"),
    (PURE, "has", "board", "boards"), (PURE, "has", "disk or tape", "disks and tapes"),
    ("MB", "has", "on disks", "on disks"), ("MB", "has", "of memory", "of memory"),
    (PURE, "has", "option", "options"),
    ("KB/s", "has", *["on interfaces without a processor"] * 2),
)  # fmt: skip


def _at_best(gap: Gap) -> str:
    """What distinguishes the best configuration that may exist from the one found."""
    assert gap.found is not None
    for (unit, has, *what), found, bound in zip(_SIZES, gap.found, gap.bound, strict=True):
        if bound < found:
            # Excess over limits is in parts of them.
            number = 1 if unit != "%" else EXCESS_PARTS / PERCENT
            least, size = (quantity(count(each / number, "", unit)) for each in (bound, found))
            return f"This one {has} {size} {plural(found, *what)}, another at best {least}"
    return "It is at best of the same size"


def _whose_search(plan: Plan, platforms: Sequence[str], role: str = "") -> str:
    """Whose search stopped early, up to the subject of what follows from it."""
    named = enumerated(plan.guide.row("platforms", name).text("name") for name in platforms)
    one = "it" if len(platforms) == 1 else "one of them"
    return f"The search of the {named}{role} stopped early: {one}"


def but_cut_short(plan: Plan) -> str:
    """Which machines may pass after all, because their search stopped early; else nothing."""
    if not plan.cut_short:
        return ""
    stopped = _whose_search(plan, plan.cut_short)
    return f", but {stopped[:1].lower()}{stopped[1:]} may do so"
