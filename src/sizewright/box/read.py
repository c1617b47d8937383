"""A document read as a box, with all its faults at once."""

from __future__ import annotations

from functools import cache

from pydantic_core import SchemaValidator, ValidationError

from sizewright.box.references import reference_faults
from sizewright.box.schema import Box
from sizewright.documents import Document
from sizewright.errors import InputError
from sizewright.schema.schema import validator
from sizewright.schema.statements import statements


def read_box(document: Document) -> Box:
    """Validate a document against the schema; raises InputFaults with every fault found."""
    try:
        box: Box = _validator().validate_python(document.data, context=statements(document))
    except ValidationError as error:
        from sizewright.schema.faults import validation_faults

        raise InputError(list(validation_faults(error, document, Box))) from None
    faults = list(reference_faults(box, document))
    if faults:
        raise InputError(faults)
    return box


@cache
def _validator() -> SchemaValidator:
    return validator(Box)
