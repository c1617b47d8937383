"""The volume for the indexes of backup software: 15 % of the files above 2 GB (1.1.7, 1.2.9.3)."""

from __future__ import annotations

from typing import Any

import pytest

from generated_workloads import planned
from sizewright.demand.added_volumes import with_index_volume
from sizewright.demand.model import ClientDivision, Demand, VolumeDemand
from sizewright.demand.subset import divide_clients, restrict_demand
from sizewright.demand.usage import usage_of
from sizewright.load.backup import saved_data
from small import demand, plain, three, volume

NIGHT = {"during_working_hours": False}


def asked(*volumes: dict[str, Any], backup: Any = NIGHT, **more: Any) -> Demand:
    uses = [each["name"] for each in volumes if "use" not in each]
    return demand({"uses": uses}, volumes=list(volumes), backup=backup, **more)


def indexes(found: Demand) -> list[VolumeDemand]:
    return [each for each in found.volumes if each.use == "backup_index"]


def test_case_study_5_has_300_mb_for_two_gigabytes() -> None:
    (found,) = indexes(asked(volume("drawings", 2000), backup={"during_working_hours": True}))
    assert three(found.size_mb) == (300, 300, 300)
    assert (found.name, found.added, found.hot) == ("backup indexes", True, False)


@pytest.mark.parametrize(
    ("size", "backup", "number"),
    [
        (2001, NIGHT, 1),
        (2000, NIGHT, 0),
        (2000, {"during_working_hours": True}, 1),
        (9000, None, 0),
    ],
)
def test_it_depends_on_the_data_and_the_time(size: float, backup: Any, number: int) -> None:
    assert len(indexes(asked(volume("homes", size), backup=backup))) == number


def test_a_range_counts_at_the_end_that_is_sized_for() -> None:
    ranged = volume("homes", [1000, 3000])
    assert three(indexes(asked(ranged))[0].size_mb) == (150, 300, 450)
    assert indexes(asked(ranged, policy={"size_for": "low"})) == []


def test_only_file_systems_have_indexes_and_the_system_does_not_count() -> None:
    raw = volume("tables", 1000, use="raw")
    (found,) = indexes(asked(volume("homes", 2200), raw))
    assert found.size_mb.high == 330
    system = volume("system", 1000, use="root")
    assert indexes(asked(volume("homes", 1200), system)) == []


def test_raw_data_and_files_that_no_backup_saves_do_not_count() -> None:
    """1.2.6: the software is not relevant to raw data. 15 % × 2100 MB = 315 MB."""
    raw, spool = volume("tables", 2500, use="raw"), volume("spool", 400, saved_mb=0)
    assert indexes(asked(volume("homes", 900), raw)) == []
    assert indexes(asked(spool, raw, backup={"during_working_hours": True})) == []
    assert indexes(asked(volume("homes", 2500, saved_mb=300))) == []
    assert indexes(asked(volume("homes", 2100), spool, raw))[0].size_mb.high == 315


def test_a_volume_that_is_stated_is_the_only_one() -> None:
    own = volume("directory", 100, use="backup_index")
    assert [each.name for each in indexes(asked(volume("homes", 3000), own))] == ["directory"]


def test_without_the_advice_there_is_none() -> None:
    waived = {"waive": [{"rule": "1.1.7-online-backup", "reason": "another product"}]}
    assert indexes(asked(volume("homes", 3000), policy=waived)) == []
    raised = {"parameters": {"1.1.7-online-backup": {"threshold_mb": 4000}}}
    assert indexes(asked(volume("homes", 3000), policy=raised)) == []


def test_a_part_of_a_demand_has_its_own() -> None:
    found = demand(
        {"name": "a", "uses": ["one"]}, {"name": "b", "uses": ["two"]},
        volumes=[volume("one", 3000), volume("two", 1000)], backup=NIGHT,
    )  # fmt: skip
    assert indexes(found)[0].size_mb.high == 600
    assert indexes(restrict_demand(found, {"a"}))[0].size_mb.high == 450
    assert indexes(restrict_demand(found, {"b"})) == []
    assert indexes(divide_clients(found, ClientDivision(2), {"a", "b"})) == []


def test_indexes_are_not_saved() -> None:
    saved = saved_data(usage_of(asked(volume("homes", 3000))))
    assert saved is not None
    assert [line.name for line in saved] == ["homes"]


@pytest.mark.parametrize("size", [1900, 2100])
def test_a_plan_has_the_software_and_the_space_together(size: float) -> None:
    found = planned(plain({"uses": ["homes"]}, volumes=[volume("homes", size)], backup=NIGHT))
    assert found.chosen is not None
    system, facts = found.chosen.system, found.chosen.facts.system
    named = {each.name for each in system.volumes}
    assert ("online-backupcopilot" in system.software) is ("backup indexes" in named)
    assert ("backup indexes" in named) is (size > 2000)
    assert facts.saved_files_mb is not None and facts.saved_files_mb.high == size
    needs = [f for f in found.chosen.findings if f.rule == "1.2.9.3-index-space"]
    assert [f.verdict for f in needs] == ["holds" if size > 2000 else "not_applicable"]


DATABASE = {
    "kind": "database", "name": "db", "product": "sybase", "clients": 5,
    "work": [{"name": "queries", "volume": "tables", "ops_per_s": 5},
             {"name": "start", "volume": "programs", "ops_per_s": 1,
              "layer": "file_system"}],
}  # fmt: skip


@pytest.mark.parametrize(
    ("programs", "more", "number"),
    [
        ({"read_only": True}, [], 0),
        # Files of a database count (1.2.6), and so do those of another service.
        ({}, [], 1),
        ({"read_only": True}, [{"uses": ["homes"]}], 1),
    ],
)
def test_the_programs_of_a_raw_database_need_neither_software_nor_indexes(
    programs: dict[str, Any], more: list[dict[str, Any]], number: int
) -> None:
    """Case study 3 (1.2.9.3): the Sybase server has no BackupCopilot."""
    volumes = [volume("tables", 1000, use="raw"), volume("programs", 100, **programs)]
    volumes += [volume("homes", 100)] if more else []
    backup = {"during_working_hours": True}
    stated = plain(*more, volumes=volumes, backup=backup)
    found = planned({**stated, "services": [DATABASE, *stated["services"]]})
    assert found.chosen is not None
    system = found.chosen.system
    assert system.software.count("online-backupcopilot") == number
    assert [v.name for v in system.volumes].count("backup indexes") == number


def test_the_second_of_two_systems_that_makes_no_backups_has_none() -> None:
    none = asked(volume("homes", 3000))
    without = none._replace(backup=none.backup._replace(wanted=False))
    assert indexes(with_index_volume(without)) == []
