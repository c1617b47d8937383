"""The base of all records, and the records that plans, checks and comparisons share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, PlainSerializer
from pydantic.json_schema import GenerateJsonSchema

from sizewright import quantity
from sizewright.demand.rates import LineItem
from sizewright.evaluate import budgets, system
from sizewright.formula import formula
from sizewright.guide import model
from sizewright.output.remedies import without_lock
from sizewright.output.wording import plain_number
from sizewright.quantity import leaves
from sizewright.rules.rule import Verdict
from sizewright.schema.jsonschema import DIALECT

if TYPE_CHECKING:
    from sizewright.output.provenance import Origins

JsonData = dict[str, Any]
End = Literal["low", "likely", "high"]


Number = Annotated[float, PlainSerializer(plain_number)]
Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(ge=1)]
Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
# A value of any kind that is not a list; an object is a quantity.
_ANY: list[JsonValue] = ["object", "number", "string", "boolean", "null"]
Value = Annotated[Any, Field(json_schema_extra={"type": _ANY})]


def doc(description: str, **rest: Any) -> Any:
    """Return the declaration of a key, with its meaning for the schema and the reference page."""
    return Field(description=description, **rest)


class Record(BaseModel):
    """A JSON object. Its fields are its keys, in the order in which they are written.

    A field takes a record, or any object that has the record's fields as attributes.
    """

    model_config = ConfigDict(from_attributes=True, extra="forbid", frozen=True, defer_build=True)

    @classmethod
    def make(cls, source: object = None, /, **computed: Any) -> Self:
        """Return a record of what is computed, and of an object's attributes for other keys.

        An optional key that is computed is left out if it is empty.
        """
        fields = cls.model_fields.items()
        keys = {field.alias or name for name, field in fields if field.is_required()}
        found = {key: getattr(source, key) for key in keys if key not in computed}
        given = {key: value for key, value in computed.items() if key in keys or value}
        return cls.model_validate(found | given)

    def as_data(self) -> JsonData:
        """Return the record as plain data; a key that is optional and was not given is left out."""
        return self.model_dump(by_alias=True, exclude_unset=True)


def record_schema(record: type[Record]) -> JsonData:
    """Return the JSON Schema of a record that is a document by itself."""
    found = record.model_json_schema(schema_generator=_Generator)
    contract = found["properties"]["schema"]["const"]
    return {"$schema": DIALECT, "$id": contract, **found}


class _Generator(GenerateJsonSchema):
    """Leaves out defaults, and titles, which only repeat the names of keys and records."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Return that no key has a title."""
        return False

    def default_schema(self, schema: Any) -> JsonData:
        """Return the schema of a key that may be left out."""
        return self.generate_inner(schema["schema"])

    def model_schema(self, schema: Any) -> JsonData:
        """Return the schema of a record, with its docstring as one paragraph."""
        found = super().model_schema(schema)
        del found["title"]
        return found | {"description": " ".join(found["description"].split())}


Severity = Literal["violation", "recommended", "advice", "note"]
Part = Literal["disk", "controller", "network", "system"]
Resource = Literal[
    "kernel_lock", "processors", "nfs", "network", "shared", "data", "utilisation", "stack",
    "memory", "backup",
    "slots", "lines", "bus", "active", "channel", "targets", "busy", "disk", "space",
]  # fmt: skip


# Keys that several records have.
SourceKind = Annotated[
    Literal["table", "parameter", "input", "definition", "count"],
    doc(
        "What has the number: a cell of a guide's table, a rule's parameter, a line of the input "
        "file, a definition (a unit, a whole), or a count of parts of the configuration."
    ),
]
SourcePlace = Annotated[
    str,
    doc(
        "`table/row/column`, the rule and parameter, `file:line:column`, the definition, or what "
        "is counted."
    ),
]
Cite = Annotated[
    str, doc("Section, table or document of the guide, or the section of the input; empty if none.")
]
Status = Annotated[
    str,
    doc(
        "For cells and parameters `printed`, `inferred`, `outside`, `own`, `overlay` or "
        "`override`; for input `fact` or `assumption`; empty if not stated."
    ),
]
Reserve = Annotated[
    Number, doc("Share of every limit on a load that stays free, in percent; 0 if none is asked.")
]
PlanVerdict = Literal["holds", "tight", "unknown", "waived", "violated"]


class Quantity(Record):
    """A quantity with its range. If there is no range, the three values are equal."""

    low: Number = doc("Lowest value.")
    likely: Number = doc("Likely value.")
    high: Number = doc("Highest value.")
    unit: str = doc("Factors joined by `*`, then `/` and what it is counted per; `1`: pure number.")


class Source(Record):
    """Where a number of a formula comes from."""

    kind: SourceKind
    name: str = doc("What the number is called.")
    where: SourcePlace
    cite: Cite
    status: Status
    value: Quantity = doc("The number.")


class Line(Record):
    """One item of a sum, with its arithmetic."""

    name: str = doc("What uses the resource.")
    used: Quantity = doc("How much it uses.")
    formula: str = doc("How this was calculated, in numbers.")
    sources: list[Source] = doc("Where each number of the formula comes from.")


class Guide(Record):
    """A planning guide."""

    id: str = doc("Id of the guide.")
    title: str = doc("Its title.")
    version: str = doc("Version of its data.")
    digest: str = doc("Digest of its files, and of those of overlays.")


class InputFile(Record):
    """The input file of a result."""

    name: str = doc("Its name.")
    title: str = doc("Its title; empty if none.")
    file: str = doc("The file, or `<stdin>`.")
    digest: Digest = doc("SHA-256 of the file.")


class Waived(Record):
    """A rule that is waived."""

    rule: str = doc("Id of the rule.")
    reason: str = doc("Why it is waived.")
    subjects: list[str] = doc("Parts for which it is waived; empty if for all.")
    until: str = doc("Last day of the waiver; empty if it has no end.")
    expired: bool = doc("Whether this day is over, so that the rule counts again.")


class Overlay(Record):
    """A value of an overlay that overrides the guide's."""

    overlay: str = doc("The overlay's folder.")
    what: str = doc("`table/row/column`, or the rule and what is changed in it.")
    before: str = doc("The guide's own value; empty if it has none.")
    after: str = doc("The overlay's value.")
    used: bool = doc("Whether a number of this result depends on it.")


class NotCounted(Record):
    """Load that services normally have and the workload does not state; it counts as zero."""

    subject: str = doc("Service or volume; `backups` for those of the system.")
    what: str = doc("What does not count.")
    add: str = doc("Keys of the workload that state it, or what to do if no key does.")
    typical: str = doc("What the guide has for it, with its source; empty if nothing.")


class Finding(Record):
    """The result of one rule for one subject."""

    rule: str = doc("Id of the rule.")
    title: str = doc("What the rule is about.")
    guide: str = doc("Guide that states it.")
    severity: Severity = doc(
        "What it means to break the rule: a `violation` fails a plan; above a `recommended` limit "
        "the plan is borderline."
    )
    subject: str = doc("The system's id, or `system/kind/name`.")
    verdict: Verdict = doc(
        "`holds`: met in the worst case of every range; `tight`: met only in the best case; "
        "`violated`: not met in any case, or (a violation in a plan) not at the end of the ranges "
        "that the policy names; `unknown`: a fact is missing; `waived` by name; "
        "`not_applicable`."
    )
    message: str = doc("What was found, with numbers; empty if the rule is not applicable.")
    remedy: str = doc("What to do; empty if nothing is to be done.")
    source: str = doc("Where the guide states the rule.")
    reason: str = doc("Why the rule is waived; empty if it is not.")
    missing: list[str] = doc("Facts that are missing; empty unless the verdict is `unknown`.")
    figures: dict[str, Quantity] = doc("The quantities behind the verdict, by fact or parameter.")


class Budget(Record):
    """A resource and its limit."""

    resource: str = doc("Id: system, kind, and the name if there are several of the kind.")
    system: str = doc("Id of the system.")
    kind: Resource = doc(
        "Kind of resource: kernel time under the lock, processor time, NFS load of the platform, "
        "NFS load of a network, data on a network, data through the protocol stack, memory, "
        "hours of a full backup, slots of a bus, load of a bus, active disks of a channel, load of "
        "a channel, devices on a channel, operations of a disk, room on a disk."
    )
    name: str = doc("The bus, network, channel or disk; empty if the system has one of the kind.")
    unit: str = doc("Unit of what is used.")
    used: Quantity | None = doc("Sum of the items; null if unknown.")
    capacity: Quantity | None = doc("Capacity; null if it has none, or if it is unknown.")
    limit: Quantity | None = doc("How much of it may be used; null if unknown.")
    limit_rule: str = doc("Rule that sets the limit; empty if the capacity is the limit.")
    recommended: Quantity | None = doc("Limit above which the budget is `tight`; null if none.")
    recommended_rule: str = doc("Rule that sets the recommended limit; empty if none does.")
    utilisation: Quantity | None = doc("Used ÷ capacity; null without a known capacity.")
    share_of_limit: Number | None = doc(
        "Used ÷ limit, at the end of the ranges that the policy sizes for; null if unknown."
    )
    verdict: Verdict = doc("Whether the use is within the limit.")
    items: list[Line] = doc("What uses the resource.")


class TracedBudget(Budget):
    """A resource and its limit, with the inputs behind them."""

    sources: list[str] = doc(
        "Keys of the inputs behind its use, capacity and limit, among the `sources` of the result."
    )


class Origin(Record):
    """An input behind the results."""

    key: str = doc(
        "Its name, the same in other results: `table/row/column`, the rule and parameter, or the "
        "dotted name of the input."
    )
    kind: Literal["table", "parameter", "input"] = doc(
        "A cell of a guide's table, a rule's parameter, or a line of the input file."
    )
    where: str = doc("`table/row/column`, the rule and parameter, or `file:line:column`.")
    cite: Cite
    status: Status
    value: Quantity = doc("The number.")
    rules: list[str] = doc("Rules whose findings depend on it.")


class NoKernelLock(Record):
    """A system that serves files without its host."""

    system: str = doc("Id of the system.")
    platform: str = doc("Row of `platforms`.")
    says: str = doc("Why no kernel lock is listed.")
    source: str = doc("Where the guide states this.")


class Bottleneck(Record):
    """The resource that is nearest its limit."""

    resource: str = doc("Id of its budget.")
    name: str = doc("What reports call it.")
    required: Quantity = doc("What is used.")
    available: Quantity = doc("The limit.")
    share: Number = doc("Used ÷ limit, at the end that the plan is sized for.")
    headroom: Number = doc("1 − share; negative if the limit is exceeded.")


NoKernelLocks = Annotated[
    list[NoKernelLock],
    doc(
        "Systems that serve files without their host, so that no kernel lock is among the budgets. "
        "The key is present only if there is such a system.", default_factory=list,
    ),
]  # fmt: skip


class Verdicts(Record):
    """How many of each verdict."""

    holds: Count = doc("How many are `holds`.")
    tight: Count = doc("How many are `tight`.")
    violated: Count = doc("How many are `violated`.")
    unknown: Count = doc("How many are `unknown`.")
    waived: Count = doc("How many are `waived`.")
    not_applicable: Count = doc("How many are `not_applicable`.")


def line_record(name: str, figure: quantity.Quantity, end: str) -> Line:
    """Return a line with its formula in numbers at one end of the ranges."""
    return Line.make(
        name=name, used=figure, formula=formula(figure, end), sources=source_records(figure)
    )


def line_records(items: Iterable[LineItem], end: str) -> list[Line]:
    """Return lines with their formulas in numbers at one end of the ranges."""
    return [line_record(item.name, item.figure, end) for item in items]


def source_records(figure: quantity.Quantity | None) -> list[Source]:
    """Return every leaf of a quantity once, with its source."""
    found: dict[tuple[str, ...], Source] = {}
    for leaf in leaves(figure) if figure is not None else ():
        source = leaf.source
        if source is not None:
            known = (source.kind, source.where, leaf.name)
            found.setdefault(known, Source.make(source, name=leaf.name, value=leaf))
    return list(found.values())


def origin_records(origins: Origins) -> list[Origin]:
    """Return every input behind the results, sorted by key."""
    return [
        Origin.make(leaf.source, key=key, value=leaf, rules=rules)
        for key, leaf, rules in origins.uses()
    ]


def overlay_records(uses: Iterable[tuple[model.Change, bool]]) -> list[Overlay]:
    """Return what overlays changed."""
    return [Overlay.make(change, used=used) for change, used in uses]


def budget_records(
    found: Iterable[budgets.Budget], end: str, origins: Origins | None = None
) -> list[Budget]:
    """Return budgets at an end of the ranges; with origins, each with the keys of its inputs."""
    return [
        (TracedBudget if origins else Budget).make(
            each, share_of_limit=each.share_of_limit(end), items=line_records(each.items, end),
            **({"sources": origins.of(each)} if origins else {}),
        )
        for each in found
    ]  # fmt: skip


def no_lock_records(guide: model.Guide, systems: Iterable[system.Evaluation]) -> list[NoKernelLock]:
    """Return the systems without a kernel lock."""
    return [
        NoKernelLock.make(
            system=each.system.id, platform=each.system.platform, says=found[0], source=found[1]
        )
        for each in systems if (found := without_lock(guide, each)) is not None
    ]  # fmt: skip
