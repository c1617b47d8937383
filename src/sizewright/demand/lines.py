"""Gateways, serial lines and printers: what ends at the server's own ports."""

from __future__ import annotations

from sizewright.demand.model import Item, LineDemand, UserTime
from sizewright.demand.part import Context, Part
from sizewright.demand.work import common_part
from sizewright.quantity import count, total
from sizewright.workload import GatewayService, PrintService, SerialService

WIDE, SERIAL = "wide", "serial"


def gateway_part(service: GatewayService, context: Context) -> Part:
    """Synchronous lines; what they cost the processors hangs on the boards that drive them."""
    part = common_part(service, context, None)
    lines = tuple(
        LineDemand(
            service.name, line.name, WIDE, count(line.count, f"lines of {line.name}", "line"),
            kbit_per_s=line.kbit_per_s, protocol=line.protocol,
        )
        for line in service.lines
    )  # fmt: skip
    return part._replace(lines=lines)


def serial_part(service: SerialService, context: Context) -> Part:
    """Asynchronous lines of terminals and modems."""
    part = common_part(service, context, None)
    each = service.bits_per_s.to("Kb/s") if service.bits_per_s is not None else None
    line = LineDemand(service.name, "lines", SERIAL, service.lines, kbit_per_s=each)
    return part._replace(lines=(line,))


def print_part(service: PrintService, context: Context) -> Part:
    """Printers by the kind of their port; pages drawn by the server take memory and processors."""
    part = common_part(service, context, None)
    lines, memory, user = [], [], []
    for printer in service.printers:
        number = count(printer.count, f"printers {printer.name}", "line")
        lines.append(
            LineDemand(service.name, printer.name, printer.attached, number,
                       kb_per_s=printer.kb_per_s)
        )  # fmt: skip
        if printer.raster_mb is not None:
            memory.append(printer.raster_mb)
        if printer.raster_processors is not None:
            busy = context.grown(printer.raster_processors)
            user.append(UserTime(service.name, busy.named(f"{printer.name}: pages drawn")))
    if service.memory_mb is not None:
        memory.append(service.memory_mb)
    needed = (Item(service.name, total(memory, "MB"), service.name),) if memory else ()
    return part._replace(lines=tuple(lines), memory=needed, user=(*part.user, *user))
