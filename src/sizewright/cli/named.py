"""A choice of names; a wrong one is answered with the nearest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from sizewright.errors import did_you_mean

if TYPE_CHECKING:
    _Choice = click.Choice[str]
else:
    # Older releases of click know choices of texts alone, and no parameter of their type.
    _Choice = click.Choice


class Named(_Choice):
    """A choice whose message also tells which name was probably meant."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name that was given."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            near = did_you_mean(str(value), self.choices)
            hint = f" {near[:1].upper()}{near[1:]}" if near else ""
            raise click.BadParameter(f"{error.message}{hint}", ctx, param) from None
