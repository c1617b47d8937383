"""What must still hold when a part is gone, and on how many systems the work may be divided."""

from collections.abc import Iterator
from typing import Literal

from sizewright.schema.model import Count, FieldError, SourcedModel

Failure = Literal["disk", "controller", "network", "system"]


class Availability(SourcedModel):
    """The systems that are wanted, and the kinds of part of which any one may fail."""

    systems: Count | None = None
    """`1` or `2`; `--systems` overrides it. Default: the fewest that pass."""
    survives: tuple[Failure, ...] = ()
    """Disk, controller, network, system: any one part of these kinds may fail. The plan fails if it
    then loses data or a service, or exceeds a limit. The plan is checked for this; no parts are
    added for it."""

    def field_errors(self) -> Iterator[FieldError]:
        """Object to more systems than work is divided over."""
        yield from SourcedModel.field_errors(self)
        if self.systems is not None and self.systems > 2:
            what = f"{self.systems} systems are more than work is divided over"
            yield FieldError(what, "1 or 2", at=("systems",))
