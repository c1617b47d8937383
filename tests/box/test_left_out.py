"""What a box file leaves out is unknown: no default takes its place."""

from __future__ import annotations

from typing import Any

from generated_boxes import checked
from generated_workloads import Plain

DISKS = [{"id": name, "device": "424mb-scsi"} for name in ("sd0", "sd1", "sd2")]


def box(**more: Any) -> Plain:
    channel = {"id": "esp0", "kind": "scsi-synchronous", "devices": DISKS}
    return {"name": "primary", "platform": "sparcserver-690mp", "channels": [channel], **more}


def fact(plain: Plain, subject: str, name: str, of: str = "primary") -> Any:
    records = checked(plain).judged.facts.by_subject()[subject]
    (value,) = [getattr(record, name) for record in records if record.id == of]
    return value


def volume(name: str, **more: Any) -> Plain:
    usual = {"use": "raw", "access": "random", "size_mb": 100, "manager": "none"}
    return {"name": name, **usual, **more}


def test_the_hours_of_backups() -> None:
    day: Plain = {"at_night_in_use": False}
    assert fact(box(backup=day), "system", "backup_while_in_use") is None
    day["during_working_hours"] = False
    assert fact(box(backup=day), "system", "backup_while_in_use") is False
    assert fact(box(backup={"at_night_in_use": True}), "system", "backup_while_in_use") is True


def test_a_volume_that_may_lie_anywhere() -> None:
    placed = volume("home", copies=[["sd0"]])
    alone, both = box(volumes=[placed]), box(volumes=[placed, volume("log", use="log")])
    assert fact(alone, "volume", "shares_disk_with", "home") == ()
    assert fact(both, "volume", "shares_disk_with", "home") is None
    assert fact(alone, "disk", "stored_mb", "sd0").high == 100
    assert fact(both, "disk", "stored_mb", "sd0") is None
    assert fact(alone, "disk", "access", "sd1") == ""
    assert fact(both, "disk", "access", "sd1") is None


def test_copies_and_who_keeps_them() -> None:
    copies = [["sd0"], ["sd1", "sd2"]]
    mirror = box(volumes=[volume("home", copies=copies)])
    assert fact(mirror, "system", "mirrored") is False
    assert fact(mirror, "volume", "joined_disks", "home").high == 2
    copies.reverse()
    assert fact(mirror, "volume", "joined_disks", "home").high == 2
    mirror["volumes"][0]["manager"] = "online-disksuite"
    assert fact(mirror, "system", "mirrored") is True
    del mirror["volumes"][0]["manager"]
    assert fact(mirror, "system", "mirrored") is None
    assert fact(box(volumes=[volume("home")]), "system", "mirrored") is None


def test_the_adapter_of_disks() -> None:
    adapter = {"id": "isp-0", "board": "isp-80", "bus": "vme", "slots": [8]}
    busses = ("system", "disk_adapter_busses")
    assert fact(box(), *busses) is None
    assert fact(box(boards=[adapter]), *busses) is None
    assert fact(box(boards=[]), *busses) == ("sbus",)
    stated = box(boards=[adapter])
    stated["channels"] = [{**stated["channels"][0], "provider": "isp-0"}]
    assert fact(stated, *busses) == ("vme",)


def test_the_medium_that_may_be_chosen() -> None:
    def least(**said: bool) -> Any:
        network = {"name": "tr0", "interface": "token-ring-4mb", **said}
        return fact(box(networks=[network]), "network", "least_latency_ms", "tr0")

    own, any_other = least(keep_medium=True), least(keep_medium=False)
    assert least() is None
    assert own is None or own > any_other
    assert least(keep_medium=False, any_medium=False) == own
    assert least(any_medium=True) == any_other


def test_what_is_measured_takes_the_place_of_what_was_planned() -> None:
    load = {
        "nfs": {"edit": 50}, "kernel_lock": {"edit": 200}, "networks": {"le0": {"edit": 50}},
        "disks": {"sd0": {"edit": 9}, "sd1": {"edit": 9, "mail": 1}},
        "channels": {"esp0": {"sd0": 72, "sd1": 80, "tape": 5}},
    }  # fmt: skip
    tape = {"id": "tape", "device": "8mm-helical-scan-tape"}
    plain = box(operating_system="solaris-1.0.1", load=load)
    plain["networks"] = [{"name": "le0", "interface": "lance-ethernet"}]
    plain["channels"] = [{**plain["channels"][0], "devices": [*DISKS[:2], tape]}]

    def used(**observed: Any) -> dict[str, Any]:
        budgets = checked({**plain, "observed": observed}).judged.budgets
        return {b.resource.removeprefix("primary/"): b.used and b.used.high for b in budgets}

    planned = used()
    assert (planned["nfs"], planned["network/le0"], planned["kernel_lock"]) == (50, 50, 200)
    assert planned["channel/esp0"] == 157
    served = used(nfs={"ops_per_s": 80, "mix": "legato"})
    assert (served["nfs"], served["network/le0"]) == (80, 80)
    assert served["kernel_lock"] != 200
    assert used(disks={"sd0": {"kb_per_s": 10}})["channel/esp0"] == 95
    # 20 operations of 8 KB in place of the planned 72 KB.
    assert used(disks={"sd0": {"ops_per_s": 20}})["channel/esp0"] == 245
    assert used(disks={"sd0": {"ops_per_s": 20}})["disk/sd0"] == 20
    assert used(channels={"esp0": {"kb_per_s": 3}})["channel/esp0"] == 3
    # Of an unknown mix nobody can say what the operations weigh.
    assert used(nfs={"ops_per_s": 80}).get("nfs") is None


def test_a_channel_whose_devices_are_not_stated_is_no_empty_one() -> None:
    """2.3.3: how many of the seven targets are taken is open, and with that how they are used."""
    bus = {"id": "esp0", "kind": "scsi-synchronous"}
    box: Plain = {"name": "primary", "platform": "sparcserver-690mp"}

    def says(channel: Plain) -> list[str]:
        found = checked({**box, "channels": [channel]}).findings
        return [f.verdict for f in found if f.rule == "2.3.3-targets"]

    assert says(bus) == ["unknown"]
    assert says({**bus, "devices": []}) == ["holds"]


def test_what_hangs_on_a_channel_of_open_devices_is_open_too() -> None:
    """2.8 and 1.1.7: a disk on another bus, or a tape, may be among what is not stated."""
    told = {"id": "disks", "kind": "scsi-synchronous", "provider": "builtin",
            "devices": [{"id": "a", "device": "424mb-scsi"}]}  # fmt: skip
    box: Plain = {
        "name": "primary", "platform": "sparcserver-690mp", "accelerator": "vme-prestoserve",
        "backup": {"wanted": True},
    }  # fmt: skip
    open_one = {"id": "more", "kind": "scsi-synchronous", "provider": "builtin"}

    def says(*channels: Plain) -> dict[str, str]:
        asked = ("2.8-bus", "1.1.7-backup-device")
        found = checked({**box, "channels": list(channels)}).findings
        return {f.rule: f.verdict for f in found if f.rule in asked}

    assert says(told) == {"2.8-bus": "violated", "1.1.7-backup-device": "violated"}
    assert says(told, open_one) == {"2.8-bus": "unknown", "1.1.7-backup-device": "unknown"}
