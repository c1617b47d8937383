"""What a plan counts on that the customer is to confirm."""

from __future__ import annotations

from collections.abc import Iterator

from sizewright.demand.model import Demand
from sizewright.demand.rates import sum_lines
from sizewright.load.lines import rates_of
from sizewright.output.document import Document
from sizewright.output.layout import ASSUMED_TOLD
from sizewright.output.names import by_name
from sizewright.output.recommendation import divided_data
from sizewright.output.reports import PlanReport
from sizewright.output.wording import code, quantity
from sizewright.planner.plan import Plan
from sizewright.quantity import leaves, total

_ASSUMPTION = "assumption"
_LARGEST_PACKET = "maximum_transfer_unit_byte"


def add_assumed(document: Document, report: PlanReport) -> None:
    """Add the values that the workload states as assumptions, at most a few of them.

    Processor time counts as measured on the planned machine if it is not stated on which, and data
    on networks in full packets if their size is not stated. All clients count as active if it is
    not stated how many are, and synchronous lines as full. Clients of systems that divide data need
    one part of it only.
    """
    found: dict[str, str] = {}
    for budget in report.budgets:
        for item in budget.items:
            for leaf in leaves(item.figure):
                if leaf.source is not None and leaf.source.status == _ASSUMPTION:
                    found.setdefault(leaf.name, quantity(leaf))
    measured = {
        each.service for each in report.plan.demand.user
        if each.processors is not None and each.processors.high and each.mips is None
    }  # fmt: skip
    in_full = {
        item.owner for budget in report.budgets for item in budget.items
        if budget.kind == "kernel_lock" and any(
            leaf.source is not None and leaf.source.where.endswith(_LARGEST_PACKET)
            for leaf in leaves(item.figure)
        )
    }  # fmt: skip
    demand = report.plan.demand
    assumed = [*_parts_of_data(report.plan), *_all_active(demand), *_full_lines(demand)]
    if not found and not measured and not in_full and not assumed:
        return
    document.heading("Assumed (please confirm)")
    if found:
        told = [f"{name}: {value}" for name, value in sorted(found.items())]
        left = len(told) - ASSUMED_TOLD
        also = f"; and {left} more (see Assumptions)" if left > 0 else ""
        document.note(f"{'; '.join(told[:ASSUMED_TOLD])}{also}.")
    if measured:
        document.note(
            f"The processor time of {by_name(measured)} is as measured on the planned machine, "
            f"because {code('measured_on')} is not stated."
        )
    if in_full:
        document.note(
            f"Data of {by_name(in_full)} on networks is in full packets, because the size of "
            f"packets ({code('packet_byte')}) is not stated. More, smaller ones take more of the "
            "kernel's time."
        )
    for text in assumed:
        document.note(text)


def _parts_of_data(plan: Plan) -> Iterator[str]:
    """Yield that clients need one part of the data only, if several systems divide it."""
    members = plan.group.members if plan.group is not None else ()
    data = {name for member in members for name in divided_data(member, plan)}
    if data:
        yield (
            f"Each client needs only the part of {by_name(data)} that its own system has. Only "
            f"data that is only read can be on every system ({code('read_only')})."
        )


def _all_active(demand: Demand) -> Iterator[str]:
    """Yield whose clients or sessions all count as active, because it is not stated how many are.

    They are those of services whose processes are counted.
    """
    found = set()
    for item in demand.processes:
        keys = {leaf.name.removeprefix(f"services.{item.service}.") for leaf in leaves(item.figure)}
        is_stated = any(key.partition(".")[0] == "active" for key in keys)
        if not is_stated and not keys.isdisjoint(("sessions", "clients")):
            found.add(item.service)
    if found:
        yield (
            f"All clients or sessions of {by_name(found)} count as active at once, because "
            f"{code('active')} is not stated."
        )


def _full_lines(demand: Demand) -> Iterator[str]:
    """Yield services whose synchronous lines pass more when full than networks are stated to."""
    for service in demand.services:
        lines = rates_of(
            line for line in demand.lines if line.service == service.name and line.kind == "wide"
        )
        sent = [each.kb_per_s for each in demand.traffic if each.service == service.name]
        if lines and sent:
            whole, stated = sum_lines(lines, "Kb/s").to("KB/s"), total(sent, "KB/s")
            if whole.high > stated.high:
                yield (
                    f"Lines of {service.name} count as full in the kernel and on their boards, "
                    f"{quantity(whole)} in all; networks have the {quantity(stated)} of it that "
                    "are stated."
                )
