"""What the files of a guide may state: pydantic models of tables, rules and the guide's own page.

A file of an overlay may leave out what the guide states; the models named `…Change` are for those.
What must be looked up (sections, documents) is in the context of the validation: a `Bibliography`.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import ConfigDict, Field

from sizewright.errors import did_you_mean, shown
from sizewright.guide.model import Column, Severity
from sizewright.schema.model import (
    NOT_EMPTY,
    NOT_EMPTY_MAPPING,
    FieldError,
    FieldMarker,
    InputModel,
    InvalidFieldError,
    JsonSchema,
    PlainField,
    TaggedUnion,
    Text,
    marker_of,
    not_allowed,
    read_text,
)

Status = Literal["printed", "inferred", "outside"]
Verdict = Literal["holds", "tight", "violated", "unknown", "not_applicable"]
_SCALAR: JsonSchema = {"type": ["number", "string", "boolean"]}
_INFERRED: JsonSchema = {
    "if": {"properties": {"status": {"const": "inferred"}}, "required": ["status"]},
    "then": {"required": ["from"]},
}
_OUTSIDE: JsonSchema = {
    "if": {"properties": {"status": {"const": "outside"}}, "required": ["status"]},
    "then": {"properties": {"source": {"required": ["document"]}}},
}


class Bibliography(NamedTuple):
    """What a source may name: the guide's sections and the documents beside it, with titles."""

    sections: Mapping[str, str]
    documents: Mapping[str, str]


class _Listed(FieldMarker):
    """A text that the bibliography lists as a `section` or a `document`."""

    __slots__ = ("kind",)

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def read(self, value: Any, origins: Any) -> str:
        text, known = read_text(value), getattr(origins, f"{self.kind}s")
        if text not in known:
            what = f"unknown {self.kind} {shown(text)}"
            raise InvalidFieldError(FieldError(what, hint=did_you_mean(text, known)))
        return text

    def json_schema(self) -> JsonSchema:
        return marker_of(Text).json_schema()


def _read_cell(value: Any) -> Any:
    if isinstance(value, dict):
        raise not_allowed(value, "a number, text, flag or list")
    return value


def _read_value(value: Any) -> Any:
    if value is None:
        raise not_allowed(value, "a number, text, flag or list")
    return _read_cell(value)


# A plain value, or a list of them: a parameter of a rule; or a cell, which may be blank.
Value = Annotated[
    Any,
    PlainField(_read_value, anyOf=[_SCALAR, {"type": "array", "items": _SCALAR, "minItems": 1}]),
]
Cell = Annotated[
    Any,
    PlainField(_read_cell, anyOf=[{"type": [*_SCALAR["type"], "null"]}, {"type": "array"}]),
]
# The compiler says what is wrong with the text of a condition.
Condition = Annotated[
    str | bool,
    PlainField(
        lambda value: value if isinstance(value, bool) else read_text(value),
        type=["string", "boolean"],
    ),
]
# 1 may be written as a number.
Unit = Annotated[
    str,
    PlainField(
        lambda value: "1" if value == 1 else read_text(value),
        type=["string", "integer"], description='Such as MB or op/s; "1" for none.',
    ),
]  # fmt: skip
# By which a source counts its tables, pages and so on.
Numbered = Annotated[
    int | str,
    PlainField(
        lambda value: value if isinstance(value, int) else read_text(value),
        type=["integer", "string"],
    ),
]


class Source(InputModel):
    """Where a value comes from: at least a section, an appendix or another document."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1})

    section: Annotated[str, _Listed("section")] | None = None
    """A section of the guide, in quotes."""
    table: Numbered | None = None
    footnote: Numbered | None = None
    appendix: Numbered | None = None
    page: Numbered | None = None
    figure: Numbered | None = None
    document: Annotated[str, _Listed("document")] | None = None
    """The id of a document that the guide's page lists."""
    where: Text | None = None
    """The place in that document."""
    own: Text | None = None
    """Why sizewright itself states the value, if no guide does."""

    def field_errors(self) -> Iterator[FieldError]:
        """Yield an error if nothing is named."""
        stated = self.model_fields_set - {"where"}
        if not any(getattr(self, name) is not None for name in stated):
            yield FieldError("names nothing", "section, appendix or document")


class CellCitation(InputModel):
    """The source of a cell that does not come from the source of its row."""

    model_config = ConfigDict(json_schema_extra={"allOf": [_INFERRED, _OUTSIDE]})

    source: Source
    status: Status
    """Whether the guide prints the value, it is inferred from what the guide prints, or another
    document has it."""
    origin: Text | None = Field(None, alias="from")
    """What an inferred value is inferred from."""
    note: Text | None = None

    def field_errors(self) -> Iterator[FieldError]:
        """Yield an inferred value without its basis, and an outside one without its document."""
        yield from _citation_errors(self.status, self.origin, self.source)


def _citation_errors(
    status: str | None, origin: str | None, source: Source | None
) -> Iterator[FieldError]:
    if status == "inferred" and not origin:
        yield FieldError("an inferred value needs its basis", "from: …")
    if status == "outside" and source is not None and source.document is None:
        yield FieldError("an outside value names no document", "document: …", at=("source",))


class ColumnFile(InputModel):
    """A column of a table."""

    model_config = ConfigDict(
        json_schema_extra={
            "if": {"properties": {"type": {"enum": ["number", "range"]}}},
            "then": {"required": ["unit"]},
        }
    )

    type: Literal["number", "range", "text", "flag", "list"]
    unit: Unit | None = None
    doc: str | None = None
    """What the column means."""
    one_of: tuple[Text, ...] = ()
    """The texts that are allowed."""

    def field_errors(self) -> Iterator[FieldError]:
        """Yield a number without a unit."""
        if self.type in ("number", "range") and not self.unit:
            yield FieldError("has no unit", "a unit such as MB or op/s")

    def column(self) -> Column:
        """Return what the program keeps of it."""
        return Column(self.type, str(self.unit or ""), self.doc or "", self.one_of)


class _Row(InputModel):
    """What every row may state; all other keys are columns of its table."""

    model_config = ConfigDict(extra="allow", json_schema_extra={"allOf": [_INFERRED, _OUTSIDE]})
    __pydantic_extra__: dict[str, Cell]

    id: Text
    """The name of the row."""
    source: Source | None = None
    status: Status | None = None
    """Whether the guide prints the values, they are inferred from what the guide prints, or another
    document has them."""
    origin: Text | None = Field(None, alias="from")
    """What inferred values are inferred from."""
    note: Text | None = None
    exceptions: dict[str, CellCitation] = Field(default_factory=dict, alias="except")
    """Columns whose value comes from elsewhere than the row's."""

    def field_errors(self) -> Iterator[FieldError]:
        """Yield inferred values without their basis, and outside ones without their document."""
        yield from _citation_errors(self.status, self.origin, self.source)


class RowFile(_Row):
    """A row of a table; a column that it does not state is blank."""

    source: Source
    status: Status


class NewRow(RowFile):
    """A row that an overlay adds to a table of the guide."""

    new: Literal[True]
    """States that the guide has no such row."""


class RowChange(_Row):
    """A row of an overlay: each column that it states overrides the guide's."""

    new: Literal[False] = False


def _row_of_overlay(value: Any) -> Any:
    return NewRow if isinstance(value, dict) and value.get("new") else RowChange


class _Table(InputModel):
    """What every table may state."""

    table: Text
    """The name of the table."""
    title: Text | None = None
    note: Text | None = None
    unread: dict[str, Text] = Field(default_factory=dict)
    """Columns that nothing reads, each with the decision that it cannot change."""


class TableFile(_Table):
    """A table of the guide."""

    columns: Annotated[dict[str, ColumnFile], NOT_EMPTY_MAPPING]
    rows: Annotated[tuple[RowFile, ...], NOT_EMPTY]


class NewTable(TableFile):
    """A table that an overlay adds to the guide."""

    new: Literal[True]
    """States that the guide has no such table."""


class TableChange(_Table):
    """A table of an overlay, whose rows change the guide's rows or are added to them."""

    columns: dict[str, ColumnFile] = Field(default_factory=dict)
    """Columns that the guide's table does not have."""
    rows: Annotated[
        tuple[Annotated[RowChange | NewRow, TaggedUnion(_row_of_overlay)], ...], NOT_EMPTY
    ]


class Section(InputModel):
    """A section of the guide."""

    section: Text
    """Its number or heading, in quotes."""
    title: Text
    document: Text | None = None
    """The document that it is a section of, if that is not the guide itself."""


class Document(InputModel):
    """A document beside the guide."""

    id: Text
    title: Text
    author: Text | None = None
    published: Text | None = None
    note: Text | None = None


class GuideFile(InputModel):
    """The page about the guide itself: what it is, its sections, and documents beside it."""

    guide: Text
    """The name by which --guide selects it."""
    title: Text
    version: Text
    """The version of these tables and rules."""
    authors: tuple[Text, ...] = ()
    published: Text | None = None
    documents: tuple[Document, ...] = ()
    sections: tuple[Section, ...] = ()
    tables: tuple[dict[str, Any], ...] = ()
    defaults: dict[str, Text] = Field(default_factory=dict)
    note: Text | None = None


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

    def field_errors(self) -> Iterator[FieldError]:
        """Yield a cell that is named in part."""
        for name in ("row", "field") if self.table is not None else ():
            if getattr(self, name) is None:
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

    def field_errors(self) -> Iterator[FieldError]:
        """Yield a parameter without a value, and a number without a unit."""
        yield from super().field_errors()
        if self.table is None and self.value is None:
            yield FieldError("the parameter has no value", "value, or table, row and field")
        number = isinstance(self.value, (int, float)) and not isinstance(self.value, bool)
        if number and self.unit is None:
            yield FieldError("the parameter has no unit", "unit: … (1 for a pure number)")


class RuleBound(InputModel):
    """The limit that a rule sets on a resource, for budgets and the planner."""

    model_config = ConfigDict(
        json_schema_extra={
            "oneOf": [{"required": [way]} for way in ("at_most", "share", "capacity")]
        }
    )

    resource: Text
    at_most: Text | None = None
    """A parameter, or a fact."""
    share: Text | None = None
    """A parameter that is a part of the capacity."""
    capacity: Text | None = None
    """A parameter, or a fact."""
    when: Condition | None = None

    def limits(self) -> dict[str, str]:
        """Return the keys that set the limit, with what they name."""
        ways = {"at_most": self.at_most, "share": self.share, "capacity": self.capacity}
        return {key: name for key, name in ways.items() if name is not None}

    def field_errors(self) -> Iterator[FieldError]:
        """Yield a bound without a limit, or with two."""
        if len(self.limits()) != 1:
            yield FieldError("must set one limit", "one of at_most, share or capacity")


class RuleExample(InputModel):
    """Facts, and the verdict of the rule on them."""

    given: dict[str, Any]
    """The facts; what is not given is unknown."""
    parameters: dict[str, Value] = Field(default_factory=dict)
    expect: Verdict
    note: Text | None = None


def _parameter(value: Any) -> Any:
    return RuleParameter if isinstance(value, dict) else Value


def _changed_parameter(value: Any) -> Any:
    return ParameterChange if isinstance(value, dict) else Value


def _bounds(value: Any) -> Any:
    return tuple[RuleBound, ...] if isinstance(value, list) else RuleBound


class RuleChange(InputModel):
    """A rule of an overlay: each key that it states overrides the guide's."""

    id: Text
    """The name of the rule."""
    title: Text | None = None
    source: Source | None = None
    subject: Text | None = None
    """The part that the rule is about; each is judged by itself."""
    parameters: dict[str, Annotated[ParameterChange | Value, TaggedUnion(_changed_parameter)]] = (
        Field(default_factory=dict)
    )
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
    severity: Severity | None = None
    """A violation blocks a plan; exceeding a recommended limit is borderline."""
    severity_reason: Text | None = None
    message: Text | None = None
    """With {facts} and {parameters} in braces; {share:%} prints percent, {fact or words} the words
    if the fact is unknown."""
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
    parameters: dict[str, Annotated[RuleParameter | Value, TaggedUnion(_parameter)]] = Field(
        default_factory=dict
    )
    require: Condition
    severity: Severity
    message: Text
    examples: Annotated[tuple[RuleExample, ...], NOT_EMPTY]

    def field_errors(self) -> Iterator[FieldError]:
        """Yield a rule without numbers or a reason, and limits that are no parameters."""
        if not self.parameters and not self.no_parameters:
            expected = "parameters, or no_parameters: the reason"
            yield FieldError("the rule has no parameters", expected)
        several = isinstance(self.bounds, tuple)
        bounds = self.bounds if isinstance(self.bounds, tuple) else (self.bounds,)
        for index, bound in enumerate(bounds):
            for key, name in bound.limits().items() if bound is not None else ():
                if "." not in name and name not in self.parameters:
                    near = did_you_mean(name, self.parameters)
                    at = ("bounds", index, key) if several else ("bounds", key)
                    yield FieldError(f"unknown parameter {shown(name)}", "", near, at)
