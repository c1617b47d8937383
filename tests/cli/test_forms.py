"""Each form of a report has a function, which is imported when it is asked for."""

from __future__ import annotations

from importlib import import_module

import pytest

from sizewright.cli import check, plan

WRITERS = {
    *plan._PLAN_FORMS.values(),
    *check._EXPLAIN_FORMS.values(),
    *check._CHECK_FORMS.values(),
}


@pytest.mark.parametrize("writer", sorted(WRITERS))
def test_the_function_of_a_form_is_there(writer: str) -> None:
    module, _, name = writer.partition(":")
    assert callable(getattr(import_module(f"sizewright.output.{module}"), name))


def test_every_form_of_a_command_has_a_function() -> None:
    for command, forms, others in (
        (plan.plan_command, plan._PLAN_FORMS, {"yaml"}),
        (check.explain_command, check._EXPLAIN_FORMS, set()),
        (check.check_command, check._CHECK_FORMS, {"text"}),
    ):
        (form,) = (each for each in command.params if each.name == "form")
        assert set(form.type.choices) == set(forms) | others
