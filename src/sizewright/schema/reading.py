"""Read a document as a model, with all its errors at once."""

from __future__ import annotations

from typing import TypeVar

from pydantic_core import ValidationError

from sizewright.documents import Document
from sizewright.errors import InputError
from sizewright.schema.model import InputModel
from sizewright.schema.quantity import field_origins

M = TypeVar("M", bound=InputModel)


def read_model(document: Document, model: type[M]) -> M:
    """The data of a document as a model; raises InputError with every error."""
    try:
        return model.model_validate(document.data, context=field_origins(document))
    except ValidationError as error:
        # Only a file with errors needs the code that explains them.
        from sizewright.schema.diagnostics import validation_diagnostics

        raise InputError(validation_diagnostics(error, document, model)) from None
