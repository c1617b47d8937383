"""What a box file leaves out is unknown: no default takes its place."""

from __future__ import annotations

from typing import Any

import pytest

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


def test_the_parts_of_copies() -> None:
    copies = [["sd0"], ["sd1", "sd2"]]
    mirror = box(volumes=[volume("home", copies=copies)])
    assert fact(mirror, "volume", "joined_disks", "home").high == 2
    copies.reverse()
    assert fact(mirror, "volume", "joined_disks", "home").high == 2
    assert fact(mirror, "volume", "copies", "home").high == 2
    assert fact(box(volumes=[volume("home")]), "volume", "copies", "home") is None


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
        found = fact(box(networks=[network]), "network", "least_latency_ms", "tr0")
        return found and found.likely

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

    def held(synchronous: float, tape: float = 5) -> Any:
        """KB/s at 4.1 MB/s, and those of a tape at 1.2 MB/s, in ms of each second (2.4.2)."""
        return pytest.approx(synchronous / 4.1984 + tape / 1.2288)

    planned = used()
    assert (planned["nfs"], planned["network/le0"], planned["kernel_lock"]) == (50, 50, 200)
    assert planned["channel/esp0"] == held(152)
    served = used(nfs={"ops_per_s": 80, "mix": "legato"})
    assert (served["nfs"], served["network/le0"]) == (80, 80)
    assert served["kernel_lock"] != 200
    assert used(disks={"sd0": {"kb_per_s": 10}})["channel/esp0"] == held(90)
    # 20 operations of 8 KB in place of the planned 72 KB.
    assert used(disks={"sd0": {"ops_per_s": 20}})["channel/esp0"] == held(240)
    assert used(disks={"sd0": {"ops_per_s": 20}})["disk/sd0"] == 20
    assert used(channels={"esp0": {"kb_per_s": 3}})["channel/esp0"] == held(3, 0)
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


def test_processor_time_of_services_that_do_not_work_in_the_kernel_alone() -> None:
    """1.2.8: what was measured of the system's share is not all of it."""
    told = box(processors=4, observed={"cpu": {"system_percent": 10}})
    lock, share = ("system", "kernel_lock_share"), ("system", "processor_share")
    assert fact(told, *lock).high == 0.4
    assert fact(told, *share) is None
    assert fact({**told, "services": ["nfs"]}, *share).high == 0.1
    assert fact({**told, "services": ["database"]}, *share) is None
    told["observed"]["cpu"]["user_percent"] = 30
    assert fact({**told, "services": ["database"]}, *share).high == 0.4


def test_copies_and_parts_of_a_volume_that_lies_anywhere() -> None:
    """2.11.1, 2.11.2: what is not protected has one copy, what is single lies on one disk."""
    plain = volume("home", protection="none", layout="single")
    assert fact(box(volumes=[plain]), "volume", "copies", "home").high == 1
    assert fact(box(volumes=[plain]), "volume", "copies_share_disk", "home") is False
    assert fact(box(volumes=[plain]), "volume", "joined_disks", "home").high == 1
    for name in ("copies", "copies_share_disk", "joined_disks"):
        assert fact(box(volumes=[volume("home")]), "volume", name, "home") is None
        assert fact(box(volumes=[volume("home", layout="stripe", protection="mirror")]),
                    "volume", name, "home") is None  # fmt: skip
    placed = volume("home", protection="none", layout="single", copies=[["sd0"], ["sd1", "sd2"]])
    assert fact(box(volumes=[placed]), "volume", "copies", "home").high == 2
    assert fact(box(volumes=[placed]), "volume", "joined_disks", "home").high == 2


def test_what_is_stated_of_a_volume_that_lies_anywhere_counts_beside_others() -> None:
    log = volume("log", use="log", copies=[["sd0"]], database="oracle")

    def beside(*others: Plain) -> tuple[Any, ...]:
        names = ("shares_disk_with", "shares_disk_with_hot", "shares_disk_with_database")
        found = box(volumes=[log, *others])
        return tuple(fact(found, "volume", name, "log") for name in names)

    files: Plain = {"use": "file_system", "database": "none", "activity": "cold"}
    away, here = volume("a", **files, copies=[["sd1"]]), volume("h", **files, copies=[["sd0"]])
    anywhere = volume("x", **files)
    assert beside(away) == ((), False, False)
    assert beside(anywhere) == (None, False, False)
    assert beside(here, anywhere) == (("file_system",), False, False)
    assert beside(volume("x", use="file_system")) == (None, None, None)
    assert beside({**anywhere, "database": "oracle"}) == (None, False, None)
    assert beside({**anywhere, "activity": "hot"}) == (None, None, False)
    hot = volume("h", use="raw", activity="hot", database="sybase", copies=[["sd0"]])
    assert beside(hot, volume("x")) == (("raw",), True, True)
    assert beside(hot, volume("x", use="swap")) == (None, True, True)


def test_hot_random_data_settles_how_a_disk_is_used_whatever_else_lies_there() -> None:
    def used(*volumes: Plain) -> tuple[Any, Any]:
        found = checked(box(volumes=list(volumes))).judged
        (disk,) = [d for d in found.facts.disks if d.id == "sd0"]
        (channel,) = found.facts.channels
        return disk.access, channel.random_disks

    def lies(access: str | None, activity: str | None, where: str = "sd0") -> Plain:
        said = {"access": access, "activity": activity}
        found = volume(f"{access}-{activity}-{where}", copies=[[where]] if where else [])
        return {k: v for k, v in {**found, **said}.items() if v is not None}

    assert used(lies("random", "hot"), lies(None, None, ""))[0] == "random"
    assert used(lies("serial", "hot"), lies("random", "cold", ""))[0] == "serial"
    assert used(lies("serial", "hot"), lies("serial", "hot", ""))[0] == "serial"
    assert used(lies("serial", "hot"), lies("random", "hot", ""))[0] is None
    assert used(lies("serial", "hot"), lies(None, None, ""))[0] is None
    assert used(lies("serial", "cold"), lies("random", "hot", ""))[0] is None
    assert used(lies("serial", "cold"), lies("serial", "hot", ""))[0] == "serial"
    assert used(lies("random", "cold"), lies("serial", "cold", ""))[0] == "random"
    assert used(lies("serial", "cold"), lies("random", "cold", ""))[0] is None
    assert used(lies("random", "cold", ""))[0] is None
    assert used(lies("random", "hot", "sd1"))[0] == ""
    # Which disks are hot is told of the channel only where it is known of each.
    rest = (lies("random", "hot", "sd1"), lies("random", "hot", "sd2"))
    assert used(lies("random", "hot"), *rest, lies(None, None, ""))[1].high == 3
    assert used(lies("random", "hot"), rest[0], lies(None, None, ""))[1] is None


def test_disks_that_are_read_in_turns_are_busy_one_at_a_time() -> None:
    """1.2.9.2: a scan in sequence keeps one disk of a string busy."""

    def busy(**more: Any) -> Any:
        table = volume("rows", activity="hot", copies=[["sd0", "sd1", "sd2"]], **more)
        return fact(box(volumes=[{**table, "access": "serial"}]), "channel", "serial_disks", "esp0")

    assert busy().high == busy(in_turns=False).high == 3
    assert busy(in_turns=True).high == 1


def test_parts_without_a_size_that_would_overfill_a_disk() -> None:
    """A disk of 424 MB: even shares that do not fit were never stated, if uneven ones may fit."""

    def space(copy: list[Any], size: Any = 900, more_on: str = "", **more: Any) -> list[str]:
        volumes = [volume("home", size_mb=size, copies=[copy], **more)]
        volumes += [volume("log", size_mb=200, copies=[[more_on]])] if more_on else []
        found = checked(box(volumes=volumes))
        return [f.verdict for f in found.findings if f.rule == "2.4.4-space"]

    three = ["sd0", "sd1", "sd2"]
    assert space(three) == ["holds"] * 3
    assert space(three, 1500) == ["violated"] * 3
    assert space(three, more_on="sd0") == ["unknown"] * 3
    assert space(three[1:], 600, more_on="sd1") == ["holds", "unknown", "unknown"]
    assert space(three[1:], 600, more_on="sd0") == ["holds"] * 3
    assert space(three, 1500, layout="stripe") == ["violated"] * 3
    assert space(["sd0"], 500) == ["violated", "holds", "holds"]
    told = {"disk": "sd0", "size_mb": 100}
    assert space([told, "sd1"], 500) == ["holds"] * 3
    assert space([told, "sd1"], 600) == ["holds", "violated", "holds"]
    assert space([told, "sd1", "sd2"], 1000) == ["holds", "violated", "violated"]
    sizes = [{"disk": "sd0", "size_mb": 600}, {"disk": "sd1", "size_mb": 300}]
    assert space(sizes) == ["violated", "holds", "holds"]


def test_data_on_networks_as_kilobytes_or_as_packets() -> None:
    """2.5: 625 packets of 1024 bytes are 625 KB in a second."""
    networks = [{"name": n, "interface": "lance-ethernet"} for n in ("north", "south")]

    def data(**more: Any) -> tuple[Any, Any]:
        told = box(networks=networks, **more)
        found = (fact(told, "network", "data_kb_per_s", n) for n in ("north", "south"))
        north, south = (figure and (figure.low, figure.high) for figure in found)
        return north, south

    packets = {"packets_per_s": 625, "packet_byte": 1024}
    foreseen = {"data": {"north": {"queries": [100, 200], "mail": packets}}}
    assert data() == (None, None)
    assert data(load=foreseen) == ((725, 825), None)
    assert data(observed={"networks": {"south": {"data_kb_per_s": 30}}}) == (None, (30, 30))
    seen = {"networks": {"north": packets}}
    assert data(load=foreseen, observed=seen) == ((625, 625), None)


def test_clients_on_networks_are_of_nfs_only_if_it_is_served() -> None:
    """Rule III asks for 2 MB for each client of NFS; 60 users of mail are none."""
    plain = box(memory={"total_mb": 32}, networks=[{"name": "le0", "clients": 60}])

    def advice(**more: Any) -> str:
        return next(f.verdict for f in checked({**plain, **more}).findings if f.rule == "III")

    assert advice() == advice(services=["nfs"]) == "violated"
    assert advice(services=["mail"]) == "not_applicable"
    assert advice(services=["mail"], clients=60) == "not_applicable"


def test_a_network_without_nfs_is_judged_by_its_data() -> None:
    """It had an unknown number of NFS operations, of which nobody asked for any."""
    plain = box(networks=[{"name": "le0", "interface": "lance-ethernet"}])

    def kinds(**more: Any) -> set[str]:
        budgets = checked({**plain, **more}).judged.budgets
        return {each.kind for each in budgets if each.resource.endswith("/le0")}

    assert kinds() == kinds(services=["nfs"]) == {"network"}
    assert kinds(services=["mail"]) == {"data"}
    seen = {"networks": {"le0": {"ops_per_s": 3}}}
    assert kinds(services=["mail"], observed=seen) == {"network"}
