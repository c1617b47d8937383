"""A document read as a workload, with all its faults at once."""

from __future__ import annotations

from functools import cache

from pydantic_core import SchemaValidator, ValidationError

from sizewright.documents import Document
from sizewright.errors import InputError
from sizewright.schema.schema import validator
from sizewright.schema.statements import statements
from sizewright.workload.references import reference_faults
from sizewright.workload.workload import Workload


def read_workload(document: Document) -> Workload:
    """Validate a document against the schema; raises InputFaults with every fault found."""
    faults = list(reference_faults(document))
    try:
        workload: Workload = _validator().validate_python(
            document.data, context=statements(document)
        )
    except ValidationError as error:
        # Only a file with faults pays for the code that explains them.
        from sizewright.schema.faults import validation_faults

        faults.extend(validation_faults(error, document, Workload))
    if faults:
        raise InputError(faults)
    return workload


@cache
def _validator() -> SchemaValidator:
    return validator(Workload)
