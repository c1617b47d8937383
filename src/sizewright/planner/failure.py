"""What is said of a system that has lost a part."""

from __future__ import annotations

from typing import NamedTuple

from sizewright.evaluate.system import Evaluation


class Outage(NamedTuple):
    """A service that is down, and why: volumes that are lost, networks that no port is left on.

    A service that is left some of its networks works on for those.
    """

    service: str
    volumes: tuple[str, ...] = ()
    networks: tuple[str, ...] = ()


class Failure(NamedTuple):
    """One part gone: what goes with it, and everything that is said of the system then.

    `lost` are volumes without a copy left, `cut_off` communities without a network, and `broken`
    the rules and resources that held before and do not now. `untold` says that it is not known
    what the part holds. `system` is the one that is judged: of a system that fails, the one that is
    left.
    """

    component: str
    kind: str
    system: str
    gone: tuple[str, ...]
    lost: tuple[str, ...]
    cut_off: tuple[str, ...]
    down: tuple[Outage, ...]
    before: Evaluation
    after: Evaluation
    broken: tuple[str, ...]
    untold: bool = False

    @property
    def holds(self) -> bool:
        """Whether nothing is lost, cut off or down, and no limit is broken that held."""
        return not (self.lost or self.cut_off or self.down or self.broken or self.untold)
