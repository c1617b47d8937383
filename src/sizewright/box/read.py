"""A document read as a box, with all its faults at once."""

from __future__ import annotations

from pydantic_core import ValidationError

from sizewright.box.references import reference_faults
from sizewright.box.schema import Box
from sizewright.documents import Document
from sizewright.errors import InputError
from sizewright.schema.quantity import field_origins


def read_box(document: Document) -> Box:
    """Validate a document against the schema; raises InputFaults with every fault found."""
    try:
        box: Box = Box.model_validate(document.data, context=field_origins(document))
    except ValidationError as error:
        from sizewright.schema.diagnostics import validation_diagnostics

        raise InputError(list(validation_diagnostics(error, document, Box))) from None
    faults = list(reference_faults(box, document))
    if faults:
        raise InputError(faults)
    return box
