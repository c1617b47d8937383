"""A database back end: its work, and the memory that its product and its clients ask for."""

from __future__ import annotations

from collections.abc import Iterator

from sizewright.demand.clients import active_of, one_each
from sizewright.demand.model import Item
from sizewright.demand.part import Context, Part, lacking
from sizewright.demand.work import common_part
from sizewright.guide.model import Row
from sizewright.guide.named import found_row
from sizewright.quantity import Quantity, as_quantity
from sizewright.units import PURE
from sizewright.workload import DatabaseService

TABLE = "database-systems"


def database_part(service: DatabaseService, context: Context) -> Part:
    """What a database asks for; raises InputFaults for a product without figures for its memory."""
    product = found_row(context.guide, TABLE, service.product)
    layer = service.layer or ("raw" if product.find_flag("raw_partitions") else "")
    working = active_of(service.active, service.clients, f"{service.name}: at work")
    part = common_part(service, context, working, layer)
    return part._replace(
        memory=memory_lines(service, product, context),
        swap=_swap(service, context),
        databases=(product.id,),
        processes=tuple(_processes(service, product, working, context)),
    )


def _processes(
    service: DatabaseService, product: Row, working: Quantity, context: Context
) -> Iterator[Item]:
    """The processes of the product's back end, and of the front ends that work here."""
    usual = context.guide.row(TABLE, context.guide.defaults["database"])
    column = "back_end_processes"
    started = product.find(column) or usual.find(column)
    if started is not None:
        yield Item(f"{product.id}: back end", started, service.name)
    if service.front_ends == "here":
        yield Item(f"{service.name}: front ends", one_each(working), service.name)


def memory_lines(service: DatabaseService, product: Row, context: Context) -> tuple[Item, ...]:
    """Memory of the back end and of front ends that run here, in MB.

    Basic, and for each client, and a share of both on top, as the product's maker tells;
    where the back end as a whole was measured, that. Memory is for each connection, so that
    clients whom another service counts take theirs here too.
    """
    lines = [
        Item(f"{service.name}: back end", _back_end_mb(service, product, context), service.name)
    ]
    if service.front_ends == "here":
        each = service.front_end_mb or product.find("front_end_memory_mb")
        if each is None:
            raise _unknown_memory(service, product, "front_end_mb")
        front = (service.clients * each).named(f"{service.name}: front ends")
        lines.append(Item(f"{service.name}: front ends", front, service.name))
    return tuple(lines)


def _back_end_mb(service: DatabaseService, product: Row, context: Context) -> Quantity:
    title = f"{service.name}: memory of the back end"
    if service.memory_mb is not None:
        return service.memory_mb.named(title)
    own = context.guide.row(TABLE, context.guide.defaults["database"]).find("dbms_memory_mb")
    each, basic = _per_client_mb(service, product), _basic_mb(product)
    if each is None or basic is None:
        raise _unknown_memory(service, product, "memory_mb")
    sum_ = basic + service.clients * each
    more = service.additional_percent or product.find("additional_percent")
    if more is not None:
        sum_ = sum_ * (as_quantity(1) + more.to(PURE))
    return (sum_ if own is None else sum_ + own).named(title)


def _basic_mb(product: Row) -> Quantity | None:
    basic = product.find("basic_memory_mb") or product.find("application_basic_memory_mb")
    shared = product.find("shared_memory_mb")
    return basic + shared if basic is not None and shared is not None else basic


def _per_client_mb(service: DatabaseService, product: Row) -> Quantity | None:
    if service.per_client_mb is not None:
        return service.per_client_mb
    each = product.find("per_client_memory_kb")
    if each is None:
        return product.find("application_per_client_memory_mb")
    cache = product.find("procedure_cache_kb")
    return (each + cache if cache is not None else each).to("MB/client")


def _unknown_memory(service: DatabaseService, product: Row, field: str) -> Exception:
    what = f"{service.name}: the guide has no memory figures for {product.text('name')}"
    hint = f"measure its processes with ps and vmstat; see {product.mark.cite}"
    return lacking(service.product, what, f"{field}, as measured or as its vendor states", hint)


def _swap(service: DatabaseService, context: Context) -> tuple[Item, ...]:
    swap = context.guide.row(TABLE, context.guide.defaults["database"]).find("swap_mb")
    return () if swap is None else (Item(f"{service.name}: swap space", swap, service.name),)
