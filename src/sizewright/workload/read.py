"""A document read as a workload, with all its faults at once."""

from pydantic_core import ValidationError

from sizewright.documents import Document
from sizewright.errors import InputError
from sizewright.schema.quantity import field_origins
from sizewright.workload.references import reference_faults
from sizewright.workload.workload import Workload


def read_workload(document: Document) -> Workload:
    """Validate a document against the schema; raises InputFaults with every fault found."""
    faults = list(reference_faults(document))
    try:
        workload: Workload = Workload.model_validate(document.data, context=field_origins(document))
    except ValidationError as error:
        # Only a file with faults pays for the code that explains them.
        from sizewright.schema.diagnostics import validation_diagnostics

        faults.extend(validation_diagnostics(error, document, Workload))
    if faults:
        raise InputError(faults)
    return workload
