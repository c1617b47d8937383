"""What the files of rules may state: pydantic models of rules and of changes to them.

The models named `…Change` are for overlays, which may leave out what the guide states. Names of a
rule's own parameters are checked at the end, because an overlay states only some of them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from sizewright.documents import Document
from sizewright.errors import Diagnostic, Location, did_you_mean, join_or, shown
from sizewright.guide.cell_checks import CellName
from sizewright.guide.files import Source, Unit, Value
from sizewright.guide.model import LIMIT_WAYS, Severity
from sizewright.guide.table_schema import Column, expected_parameter, shown_cell
from sizewright.schema.model import (
    NOT_EMPTY,
    FieldError,
    InputModel,
    PlainField,
    TaggedUnion,
    Text,
    mapping_or_other,
    read_text,
)
from sizewright.units import UnitError

Verdict = Literal["holds", "tight", "violated", "unknown", "not_applicable"]
# The compiler says what is wrong with the text of a condition.
Condition = Annotated[
    str | bool,
    PlainField(
        lambda value: value if isinstance(value, bool) else read_text(value),
        type=["string", "boolean"],
    ),
]


class ParameterChange(InputModel):
    """A number or text that a rule reads: stated with its source, or the cell of a table."""

    table: Text | None = None
    """The table whose cell it is."""
    row: Text | None = None
    field: Text | None = None
    value: Value | None = None
    unit: Unit | None = None
    source: Source | None = None
    doc: Text | None = None

    def _field_errors(self) -> Iterator[FieldError]:
        for name in sorted(self.model_fields_set):
            if getattr(self, name) is None:
                yield FieldError("no value is given", at=(name,))
        for name in ("row", "field") if self.table is not None else ():
            if name not in self.model_fields_set:
                yield FieldError(f"{name} is missing", "table, row and field")


class RuleParameter(ParameterChange):
    """A number or text that a rule reads: stated with its source, or the cell of a table."""

    model_config = ConfigDict(
        json_schema_extra={
            "anyOf": [
                {"required": ["table", "row", "field"]},
                {
                    "not": {"required": ["table"]},
                    "required": ["value"],
                    "if": {"properties": {"value": {"type": "number"}}},
                    "then": {"required": ["unit"]},
                },
            ]
        }
    )

    def _field_errors(self) -> Iterator[FieldError]:
        yield from super()._field_errors()
        if self.table is None and self.value is None:
            yield FieldError("the parameter has no value", "value, or table, row and field")
        number = isinstance(self.value, (int, float)) and not isinstance(self.value, bool)
        if number and self.unit is None:
            yield FieldError("the parameter has no unit", "unit: … (1 for a pure number)")


class RuleBound(InputModel):
    """The limit that a rule sets on a resource, for budgets and the planner."""

    model_config = ConfigDict(
        json_schema_extra={"oneOf": [{"required": [way]} for way in LIMIT_WAYS]}
    )

    resource: Text
    at_most: Text | None = None
    """A parameter, or a fact."""
    share: Text | None = None
    """A parameter, or a fact, that is a part of the capacity."""
    without_gain: Text | None = None
    """A parameter: by what part the capacity is larger than that of a machine without an option."""
    capacity: Text | None = None
    """A parameter, or a fact."""
    when: Condition | None = None
    only_shown: bool = False
    """Whether budgets show the limit, and the planner does not count by how much it is exceeded."""

    def _field_errors(self) -> Iterator[FieldError]:
        if sum(getattr(self, way) is not None for way in LIMIT_WAYS) != 1:
            yield FieldError("must set one limit", f"one of {join_or(LIMIT_WAYS)}")


class RuleExample(InputModel):
    """Facts, and the verdict of the rule on them."""

    given: dict[str, Any]
    """The facts; what is not given is unknown."""
    parameters: dict[str, Value] = Field(default_factory=dict)
    expect: Verdict
    note: Text | None = None


def _bounds(value: Any) -> Any:
    return tuple[RuleBound, ...] if isinstance(value, list) else RuleBound


_NEEDED = ("title", "source", "subject", "require", "severity", "message", "examples")


class RuleChange(InputModel):
    """A rule of an overlay: each key that it states overrides the guide's."""

    id: Text
    """The name of the rule."""
    title: Text | None = None
    source: Source | None = None
    subject: Text | None = None
    """The part that the rule is about; each is judged by itself."""
    parameters: dict[
        str, Annotated[ParameterChange | Value, mapping_or_other(ParameterChange, Value)]
    ] = Field(default_factory=dict)
    """The numbers of the rule, by name."""
    no_parameters: Text | None = None
    """Why the rule has no number."""
    bounds: Annotated[RuleBound | tuple[RuleBound, ...], TaggedUnion(_bounds)] | None = None
    """The limit that it sets on a resource, for budgets and the planner."""
    when: Condition | None = None
    """A condition over facts (disk.utilisation) and the rule's parameters: if it is false, the rule
    is not applicable."""
    require: Condition | None = None
    """A condition over facts (disk.utilisation) and the rule's parameters that must be met."""
    complete: Text | None = None
    """A flag of the system: if it is unknown, an amount is only a part of the whole, and what would
    pass is unknown."""
    met_by: Text | None = None
    """A rule that asks for a substitute. The report on a plan that follows it omits this rule."""
    severity: Severity | None = None
    """A violation blocks a plan; exceeding a recommended limit is borderline."""
    severity_reason: Text | None = None
    does_not_work: bool | None = None
    """Whether the guide says that a system that breaks the rule does not work: it hangs, does not
    reach a part, or loses data. This is then what to do first."""
    message: Text | None = None
    """With {facts} and {parameters} in braces; {share:%} prints percent, {factor:2} two digits,
    {fact or words} the words if the fact is unknown, {fact?} leaves its sentence out then."""
    remedy: Text | None = None
    """What to do if the rule is not met."""
    measure: Text | None = None
    """How its facts are found on a machine."""
    examples: Annotated[tuple[RuleExample, ...], NOT_EMPTY] | None = None
    cannot: dict[Verdict, Text] = Field(default_factory=dict)
    """Verdicts that no example shows, and why they cannot occur."""
    not_monotone: Any = None
    judges: Annotated[tuple[Literal["plan", "box"], ...], NOT_EMPTY] | None = None
    observed: Text | None = None
    """For a rule on existing servers only: why only observation shows it."""
    note: Text | None = None

    def _field_errors(self) -> Iterator[FieldError]:
        for name in _NEEDED:
            if name in self.model_fields_set and getattr(self, name) is None:
                yield FieldError("no value is given", at=(name,))


# The two sides of a rule, each of which an example must show.
_SIDES = {"meets the rule": ("holds",), "does not meet the rule": ("violated", "tight")}


class RuleFile(RuleChange):
    """A rule of a guide."""

    model_config = ConfigDict(
        json_schema_extra={
            "anyOf": [
                {"required": ["parameters"], "properties": {"parameters": {"minProperties": 1}}},
                {"required": ["no_parameters"]},
            ]
        }
    )

    title: Text
    source: Source
    subject: Text
    parameters: dict[
        str, Annotated[RuleParameter | Value, mapping_or_other(RuleParameter, Value)]
    ] = Field(default_factory=dict)
    require: Condition
    severity: Severity
    message: Text
    examples: Annotated[tuple[RuleExample, ...], NOT_EMPTY]

    def _field_errors(self) -> Iterator[FieldError]:
        if not self.parameters and not self.no_parameters:
            expected = "parameters, or no_parameters: the reason"
            yield FieldError("the rule has no parameters", expected)
        shown = {*self.cannot, *(example.expect for example in self.examples)}
        for side, verdicts in _SIDES.items():
            if shown.isdisjoint(verdicts):
                what = f"no example shows a part that {side}"
                wanted = f"an example with expect: {join_or(verdicts)}"
                expected = f"{wanted}, or cannot: {{{verdicts[0]}: the reason}}"
                yield FieldError(what, expected, at=("examples",))


def parameter_errors(
    document: Document,
    tables: Mapping[str, Any],
    known: Mapping[str, Mapping[str, Any]],
    name: str,
    parameter: Mapping[str, Any],
) -> Iterator[Diagnostic]:
    """Yield a parameter of an overlay that its rule does not have, or a value it cannot have."""
    place, before = document.place(("parameters", name)), known.get(name)
    if before is None:
        if "unit" not in parameter and "table" not in parameter:
            what = f"the rule has no parameter {shown(name)}"
            yield Diagnostic(place, what, hint=did_you_mean(name, known))
        return
    if "table" in parameter:
        return
    column, value = _column(tables, before), parameter.get("value")
    unit = column.unit
    try:
        expected = expected_parameter(value, str(parameter.get("unit") or unit), column)
    except UnitError as error:
        yield Diagnostic(place, str(error), f"a value in {unit}")
        return
    except (TypeError, ValueError):
        # Any text is a value of a parameter without a unit.
        expected = f"a value in {unit}" if unit else "a value" if value is None else ""
    if expected:
        yield Diagnostic(place, f"{name} is {shown_cell(value)}", expected)


def blank_cells(
    rules: Mapping[str, Any], tables: Mapping[str, Any], place: Callable[[CellName], Location]
) -> Iterator[Diagnostic]:
    """Yield each blank cell that is a parameter of a rule."""
    read = (
        (rule["id"], *(parameter[key] for key in ("table", "row", "field")))
        for rule in rules.values()
        for parameter in rule["parameters"].values()
        if "table" in parameter
    )
    for rule, table, row, column in read:
        stated = tables.get(table, {}).get("rows", {}).get(row)
        if stated and column in tables[table]["columns"] and stated["values"].get(column) is None:
            what = f"{column} is blank, and rule {rule} needs it"
            expected = "a value from the guide or an overlay"
            yield Diagnostic(place((table, row, column)), what, expected)


def unknown_substitutes(rules: Mapping[str, Any]) -> Iterator[Diagnostic]:
    """Yield each `met_by` of a rule that names no rule."""
    for rule in rules.values():
        name = rule.get("met_by")
        if name is not None and name not in rules:
            place = Location(*rule["places"].get("met_by", (rule["file"],)))
            what = f"met_by: there is no rule {shown(name)}"
            yield Diagnostic(place, what, hint=did_you_mean(name, rules))


def bound_errors(document: Document, parameters: Iterable[str]) -> Iterator[Diagnostic]:
    """Yield each limit of a rule's bounds that is neither a fact nor a parameter of the rule."""
    stated: Any = document.data.get("bounds") or []
    bounds = enumerate(stated) if isinstance(stated, list) else [(None, stated)]
    for index, bound in bounds:
        above: tuple[str | int, ...] = ("bounds",) if index is None else ("bounds", index)
        for way in LIMIT_WAYS:
            name = str(bound.get(way) or "")
            if name and "." not in name and name not in parameters:
                near, place = did_you_mean(name, parameters), document.place((*above, way))
                yield Diagnostic(place, f"{way}: unknown parameter {shown(name)}", hint=near)


def _column(tables: Mapping[str, Any], parameter: Mapping[str, Any]) -> Column:
    """Return the column of a parameter; its unit is empty if it is no number."""
    if "table" in parameter:
        columns = tables.get(parameter["table"], {}).get("columns", {})
        return Column.of(columns.get(parameter["field"], ("", "", "", ())))
    return Column("range", str(parameter.get("unit") or ""))
