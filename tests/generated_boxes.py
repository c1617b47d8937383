"""Boxes made at random, as plain data that goes through the real reader of YAML files."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from generated_workloads import ENGINE, Plain, text_of
from sizewright.api import Engine, check
from sizewright.box.reading import read_box
from sizewright.check.check import Check
from sizewright.documents import parse_document

FILE = "generated-box.yaml"

_PLATFORMS = ("sparcstation-2", "sparcserver-670mp", "sparcserver-690mp")
_SYSTEMS = ("solaris-1.0.1", "sunos-4.1.2", "solaris-2.0")
_SCSI = ("424mb-scsi", "669mb-scsi", "1-3gb-scsi")
_IPI = ("911mb-ipi", "1-3gb-ipi")
_USES = ("file_system", "raw", "log", "swap")


def check_text(text: str, engine: Engine = ENGINE, name: str = "box.yaml") -> Check:
    """The text of a box file checked as `sizewright check` does."""
    return check(read_box(parse_document(text, name)), engine)


def checked(plain: Plain) -> Check:
    """The box checked under the guide as it is."""
    return check_text(text_of(plain), name=FILE)


def _rate(draw: st.DrawFn, most: int = 60) -> float | list[float]:
    low = draw(st.integers(1, most))
    return low if draw(st.booleans()) else [low, low + draw(st.integers(1, most))]


def _boards(draw: st.DrawFn, platform: str) -> list[Plain]:
    sbus = draw(st.sampled_from((None, "sbus-scsi", "sbus-prestoserve", "fddi-s")))
    found = [{"id": "adapter", "board": sbus, "bus": "sbus", "slots": [1]}] if sbus else []
    if platform != "sparcstation-2" and draw(st.booleans()):
        found.append({"id": "string", "board": "isp-80", "bus": "vme", "slots": [8]})
    return found


def _device(draw: st.DrawFn, name: str, model: str, target: int) -> Plain:
    device: Plain = {
        "id": name, "device": model, "target": target,
        "rate_mb_per_s": draw(st.sampled_from((0, 4, 5))), "dual_ported": draw(st.booleans()),
        "accelerated": draw(st.booleans()),
    }  # fmt: skip
    if draw(st.booleans()):
        device["partitions"] = [
            {
                "name": letter,
                "start_cylinder": start,
                "use": draw(st.sampled_from(_USES)),
                "heat": draw(st.sampled_from(("hot", "cold"))),
            }
            for letter, start in (("a", 0), ("g", 1200))
        ]
    return device


def _channels(draw: st.DrawFn, boards: list[Plain]) -> list[Plain]:
    kinds = {"sbus-scsi": ("scsi-synchronous", _SCSI), "isp-80": ("ipi-2", _IPI)}
    feeds = [("builtin", "scsi-synchronous", _SCSI)]
    feeds += [(b["id"], *kinds[b["board"]]) for b in boards if b["board"] in kinds]
    found: list[Plain] = []
    for number, (provider, kind, models) in enumerate(feeds):
        devices = [
            _device(draw, f"d{number}{n}", draw(st.sampled_from(models)), n)
            for n in range(draw(st.integers(0, 4)))
        ]
        if models is _SCSI and draw(st.booleans()):
            tape = {"id": f"t{number}", "device": "8mm-helical-scan-tape", "target": 5}
            devices.append({**tape, "rate_mb_per_s": 0})
        found.append(
            {
                "id": f"c{number}", "kind": kind, "provider": provider,
                "cable_m": draw(st.integers(1, 8)), "connector_pairs": draw(st.integers(0, 6)),
                "mirror_detached": draw(st.booleans()), "devices": devices,
            }
        )  # fmt: skip
    return found


def _networks(draw: st.DrawFn) -> list[Plain]:
    return [
        {
            "name": name,
            "interface": draw(st.sampled_from(("lance-ethernet", "fddi-s", "token-ring-4mb"))),
            "provider": "builtin",
            "keep_medium": draw(st.booleans()),
            "any_medium": draw(st.booleans()),
            "fastest_response": draw(st.booleans()),
            "large_packets": draw(st.booleans()),
            "concentrator": draw(st.booleans()),
            "clients": draw(st.sampled_from((4, 30, [60, 120]))),
            "diskless_clients": draw(st.sampled_from((0, 3))),
        }
        for name in ("north", "south")[: draw(st.integers(1, 2))]
    ]


def _volumes(draw: st.DrawFn, disks: list[str]) -> list[Plain]:
    found = []
    for name in ("alpha", "beta")[: draw(st.integers(0, 2))] if disks else ():
        size = draw(st.integers(20, 600))
        lot = draw(st.lists(st.sampled_from(disks), min_size=1, max_size=4, unique=True))
        half = len(lot) // 2
        mirrored = half and draw(st.booleans())
        copies = [lot[:half], lot[half:]] if mirrored else [lot]
        joined = any(len(copy) > 1 for copy in copies)
        found.append(
            {
                "name": name,
                "use": draw(st.sampled_from(_USES)),
                "access": draw(st.sampled_from(("random", "serial"))),
                "activity": draw(st.sampled_from(("hot", "cold"))),
                # Two copies contradict that none is wanted; one copy may be too few.
                "protection": "mirror" if mirrored else draw(st.sampled_from(("none", "mirror"))),
                "manager": draw(st.sampled_from(("online-disksuite", "none"))),
                "layout": _layout(draw, joined),
                "interlace_kb": draw(st.sampled_from((8, 32))),
                "mirrored_for": draw(st.sampled_from(("reliability", "performance"))),
                "clustered": draw(st.booleans()),
                "accelerated": draw(st.booleans()),
                "database": draw(st.sampled_from(("none", "oracle", "sybase"))),
                "size_mb": size,
                "full_percent": draw(st.sampled_from((50, 88, 97))),
                "copies": copies,
            }
        )
    return found


def _layout(draw: st.DrawFn, joined: bool) -> str:
    drawn = draw(st.sampled_from(("stripe", "concatenation")))
    return drawn if joined else "single"


def _observed(draw: st.DrawFn, networks: list[Plain], disks: list[str]) -> Plain:
    # The operations of the networks are no more than there are in all.
    of_networks = draw(st.integers(1, 150))
    return {
        "cpu": {"user_percent": draw(_share(10)), "system_percent": draw(_share(10))},
        "nfs": {
            "ops_per_s": [2 * of_networks, 2 * of_networks + draw(st.integers(0, 300))],
            "reads_percent": 22,
            "writes_percent": draw(st.sampled_from((2, 15))), "mix": "legato",
        },
        "networks": {
            each["name"]: {
                "ops_per_s": _rate(draw, of_networks), "utilisation_percent": draw(_share()),
                "collisions_percent": draw(st.integers(0, 4)),
                "latency_ms": draw(st.integers(10, 60)),
            }
            for each in networks
        },
        "disks": {
            disk: {"ops_per_s": _rate(draw), "busy_percent": draw(_share()),
                   "kb_per_s": _rate(draw, 400)}
            for disk in disks
        },
        "processes": {"active": draw(st.integers(1, 100)), "busiest_percent": draw(_share()),
                      "descriptors": draw(st.sampled_from((60, 400, 2000)))},
        "caches": {"dnlc_hit_percent": draw(st.integers(20, 99)),
                   "buffer_hit_percent": draw(st.integers(20, 99))},
        "paging": {"page_ins_per_s": draw(st.integers(0, 40)),
                   "page_outs_per_s": draw(st.integers(0, 40))},
        "serial_lines": draw(st.integers(0, 200)),
    }  # fmt: skip


def _share(most: int = 20) -> st.SearchStrategy[int]:
    return st.integers(1, most)


@st.composite
def boxes(draw: st.DrawFn) -> Plain:
    """A box of which nearly everything is known; rates are such that fivefold ones can be told."""
    platform = draw(st.sampled_from(_PLATFORMS))
    counts = ENGINE.guide.row("platforms", platform).list("processor_counts")
    boards = _boards(draw, platform)
    channels = _channels(draw, boards)
    disks = [d["id"] for c in channels for d in c["devices"] if d["id"].startswith("d")]
    networks = _networks(draw)
    total = draw(st.sampled_from((32, 64, 128)))
    presto = any(b["board"] == "sbus-prestoserve" for b in boards)
    return {
        "name": "primary",
        "platform": platform,
        "processors": int(draw(st.sampled_from([int(c) for c in counts]))),
        "operating_system": draw(st.sampled_from(_SYSTEMS)),
        "services": draw(st.lists(st.sampled_from(("nfs", "database", "timesharing")), min_size=1,
                                  unique=True)),
        "memory": {"total_mb": total, "expansion_mb": 0},
        "boards": boards,
        "channels": channels,
        "networks": networks,
        "volumes": _volumes(draw, disks),
        "accelerator": "sbus-prestoserve" if presto else "none",
        "software": draw(st.lists(st.sampled_from(("online-disksuite", "sundbe-1.0", "enfs")),
                                  unique=True)),
        "databases": draw(st.lists(st.sampled_from(("oracle", "sybase")), unique=True)),
        "backup": {"wanted": draw(st.booleans()), "during_working_hours": draw(st.booleans()),
                   "at_night_in_use": draw(st.booleans())},
        "applications": {"compiled_for_processor": draw(st.booleans()),
                         "many_small_files": draw(st.booleans()),
                         "database_on_file_system": draw(st.booleans())},
        "tunables": {"maxusers": draw(st.sampled_from((8, 64, 225)))},
        "observed": _observed(draw, networks, disks),
    }  # fmt: skip


def scaled(value: Any, by: float) -> Any:
    """A rate of a box file times a factor."""
    return [by * each for each in value] if isinstance(value, list) else by * value
