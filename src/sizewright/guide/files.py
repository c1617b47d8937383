"""What the files of a guide may state: pydantic models of tables and of the guide's own page.

A file of an overlay may leave out what the guide states; the models named `…Change` are for those.
What must be looked up (sections, documents) is in the context of the validation: a `Bibliography`.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import ConfigDict, Field

from sizewright.errors import did_you_mean, shown
from sizewright.guide.table_schema import Column
from sizewright.limits import QUANTITY_AT_MOST
from sizewright.schema.model import (
    NOT_EMPTY,
    NOT_EMPTY_MAPPING,
    FieldError,
    FieldMarker,
    InputModel,
    InvalidFieldError,
    JsonSchema,
    Name,
    PlainField,
    TaggedUnion,
    Text,
    mapping_or_other,
    marker_of,
    not_allowed,
    read_text,
)
from sizewright.schema.policy import Day

Status = Literal["printed", "inferred", "outside"]
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
    Any, PlainField(_read_cell, anyOf=[{"type": [*_SCALAR["type"], "null"]}, {"type": "array"}])
]
# 1 may be written as a number.
Unit = Annotated[
    str,
    PlainField(
        lambda value: "1" if value == 1 and value is not True else read_text(value),
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

    def _field_errors(self) -> Iterator[FieldError]:
        stated = self.model_fields_set - {"where"}
        if not any(getattr(self, name) is not None for name in stated):
            yield FieldError("names nothing", "section, appendix or document")


_PARTS = (("section", "section"), ("appendix", "Appendix"), ("table", "Table"),
          ("figure", "Figure"), ("footnote", "footnote"), ("page", "page"))  # fmt: skip


def cite(source: Mapping[str, Any], bibliography: Bibliography) -> str:
    """Return a source in words."""
    words = []
    if source.get("document"):
        words.append(bibliography.documents[source["document"]])
        words += [str(source["where"])] if source.get("where") else []
    words += [f"{word} {source[key]}" for key, word in _PARTS if source.get(key) is not None]
    if source.get("own"):
        words.append(f"sizewright's own, not the guide's: {source['own']}")
    return ", ".join(words)


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

    def _field_errors(self) -> Iterator[FieldError]:
        yield from _citation_errors(self.status, self.origin, self.source)


def _citation_errors(
    status: str | None, origin: str | None, source: Source | None
) -> Iterator[FieldError]:
    if status == "inferred" and not origin:
        yield FieldError("an inferred value needs its basis", "from: …")
    if status == "outside" and source is not None and source.document is None:
        yield FieldError("an outside value names no document", "document: …", at=("source",))


def _read_amount(value: Any) -> float:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if number and 0 <= value <= QUANTITY_AT_MOST:
        return value  # type: ignore[no-any-return]
    raise not_allowed(value, f"a number from 0 to {QUANTITY_AT_MOST:g}")


Amount = Annotated[
    float, PlainField(_read_amount, type="number", minimum=0, maximum=QUANTITY_AT_MOST)
]


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
    more_than: Amount | None = None
    """What a number must exceed."""
    at_most: Amount = QUANTITY_AT_MOST
    """The largest number that is allowed."""

    def _field_errors(self) -> Iterator[FieldError]:
        if self.type in ("number", "range") and not self.unit:
            yield FieldError("has no unit", "a unit such as MB or op/s")

    def column(self) -> Column:
        """Return what the program keeps of it."""
        bounds = self.more_than, self.at_most
        return Column(self.type, str(self.unit or ""), self.doc or "", self.one_of, *bounds)


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

    def _field_errors(self) -> Iterator[FieldError]:
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


class PriceOfPart(InputModel):
    """What one part costs, in the currency of its list."""

    price: Amount
    """List price of one."""
    running_per_year: Amount | None = None
    """Cost of running it for a year."""
    processors: Amount = 0
    """Of a machine: processors that its price includes."""
    memory_mb: Amount = 0
    """Of a machine: megabytes of memory that its price includes."""
    each_processor: Amount | None = None
    """Of a machine: price of each further processor."""
    each_memory_mb: Amount | None = None
    """Of a machine: price of each further megabyte, on memory boards too."""


PriceField = Annotated[PriceOfPart | Amount, mapping_or_other(PriceOfPart, Amount)]


class PriceList(InputModel):
    """List prices of parts in one currency."""

    currency: Name
    """The currency, such as USD."""
    date: Day
    """The day of the prices."""
    source: Text | None = None
    """Whose prices they are."""
    parts: Annotated[dict[str, PriceField], NOT_EMPTY_MAPPING]
    """Prices by part: its id, its name in the guide, or `table/row`; a number is the list price."""


class PriceFile(InputModel):
    """Prices that an overlay adds to a guide."""

    prices: PriceList


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
