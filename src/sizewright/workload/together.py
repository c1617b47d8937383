"""What services and volumes say of each other: where it contradicts itself."""

from collections.abc import Iterable, Iterator, Mapping

from sizewright.schema.model import FieldError
from sizewright.workload.agreement import Path, beyond
from sizewright.workload.mix import MixShares
from sizewright.workload.service import NfsService
from sizewright.workload.services import Service
from sizewright.workload.serving import Serving
from sizewright.workload.volume import Volume


def service_objections(
    services: Iterable[Service], volumes: Iterable[Volume]
) -> Iterator[FieldError]:
    """Object to services that contradict themselves, their volumes or each other.

    Each is found at the place that its path in the workload leads to. Names that nothing has are
    passed over.
    """
    services = tuple(services)
    known = {volume.name: volume for volume in volumes}
    by_name = {service.name: service for service in services}
    for index, service in enumerate(services):
        yield from _below(("services", index), _clients(service, by_name))
        if isinstance(service, NfsService):
            yield from _below(("services", index), _shares(service, known))
        else:
            yield from _below(("services", index), _work(service, known))
            yield from _below(("services", index), _writes(service, known))


def _below(path: Path, objections: Iterable[FieldError]) -> Iterator[FieldError]:
    for objection in objections:
        yield objection._replace(at=(*path, *objection.at))


def _clients(service: Service, by_name: Mapping[str, Service]) -> Iterator[FieldError]:
    """More clients than the service has that counts them already."""
    owner = by_name.get(getattr(service, "same_clients_as", None) or "")
    if owner is None or owner.everybody is None or service.everybody is None:
        return
    yield from beyond(
        ("clients",), service.everybody, owner.everybody, f"those of {owner.name}:",
        f"at most those of {owner.name}, which counts them",
    )  # fmt: skip


def _work(service: Serving, known: Mapping[str, Volume]) -> Iterator[FieldError]:
    """Work whose contradiction shows only with its volume and with those who do it."""
    for number, work in enumerate(service.work):
        if work.volume in known:
            whole = work.replace(
                access=work.access or known[work.volume].access,
                by=work.by or service.working,
            )
            yield from _below(("work", number), whole.contradictions())


def _shares(service: NfsService, known: Mapping[str, Volume]) -> Iterator[FieldError]:
    """Writes by its own count, and nothing that takes them."""
    uses = [known[name] for name in service.uses or () if name in known]
    writing = isinstance(service.mix, MixShares) and service.mix.writes_percent.low > 0
    if writing and uses and all(each.read_only for each in uses):
        names = ", ".join(each.name for each in uses)
        what = f"{service.name} writes, and uses nothing but {names}, which is read_only"
        yield FieldError(what, "a volume that takes writes", at=("mix", "writes_percent"))


def _writes(service: Serving, known: Mapping[str, Volume]) -> Iterator[FieldError]:
    for at, who, name in service.writes():
        if name in known and known[name].read_only:
            what = f"{who} writes on {name}, which is read_only"
            yield FieldError(what, "a volume that takes writes", at=at)
