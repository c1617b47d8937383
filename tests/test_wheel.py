"""What users install: built from the source archive, installed into nothing, run elsewhere."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

import sizewright

ROOT = Path(__file__).resolve().parent.parent
CASE = Path("examples", "sun-1992", "case-1-departmental-nfs", "workload.yaml")

pytestmark = [pytest.mark.no_cover, pytest.mark.deep]


def _run(command: list[str | Path], folder: Path) -> str:
    # Nothing of the checkout may help: neither its path nor what it cached.
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "SIZEWRIGHT_"))}
    env["SIZEWRIGHT_CACHE"] = str(folder / "cache")
    env["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The source archive, and the wheel built from it."""
    pytest.importorskip("build", reason="the test extra installs it")
    folder = tmp_path_factory.mktemp("dist")
    _run([sys.executable, "-m", "build", "--outdir", folder, ROOT], folder)
    (sdist,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return sdist, wheel


@pytest.fixture(scope="module")
def installed(archives: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of commands of an environment that holds the wheel and its dependencies alone."""
    place = tmp_path_factory.mktemp("env")
    venv.create(place, with_pip=True, symlinks=os.name != "nt")
    commands = place / ("Scripts" if os.name == "nt" else "bin")
    _run([commands / "python", "-m", "pip", "install", "--quiet", archives[1]], place)
    return commands


def _data(kind: str) -> set[str]:
    return {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / kind).rglob("*")
        if path.is_file() and path.suffix == ".yaml"
    }


def test_the_wheel_holds_the_program_and_the_guides(archives: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(archives[1]) as wheel:
        names = set(wheel.namelist())
    assert f"sizewright-{sizewright.__version__}-" in archives[1].name
    assert "sizewright/py.typed" in names
    for kind in ("tables", "rules"):
        assert _data(kind)
        assert {f"sizewright/data/{name}" for name in _data(kind)} <= names
    starting = {path.name for path in (ROOT / "src" / "sizewright" / "starting").iterdir()}
    assert starting
    assert {f"sizewright/starting/{name}" for name in starting} <= names
    assert "sizewright/data/docs/workload.md" in names
    outside = {name.split("/")[0] for name in names} - {"sizewright"}
    assert all(name.endswith(".dist-info") for name in outside), outside


def test_the_source_archive_holds_what_tests_and_readers_need(archives: tuple[Path, Path]) -> None:
    with tarfile.open(archives[0]) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    needed = {
        "pyproject.toml", "Makefile", "README.md", "CHANGELOG.md", "LICENSE", CASE.as_posix(),
        "tests/test_wheel.py", "docs/architecture.md", "benchmarks/bench_plan.py",
    }  # fmt: skip
    assert (needed | _data("tables") | _data("rules") | _data("examples")) <= names


def test_the_wheel_plans_from_another_folder(installed: Path, tmp_path: Path) -> None:
    workload = tmp_path / "workload.yaml"
    workload.write_bytes((ROOT / CASE).read_bytes())
    text = _run([installed / "sizewright", "plan", "workload.yaml"], tmp_path)
    assert text.strip()
    again = _run([installed / "python", "-m", "sizewright", "plan", "workload.yaml"], tmp_path)
    assert again == text


def test_the_wheel_tests_its_guides_from_another_folder(installed: Path, tmp_path: Path) -> None:
    # Rule examples travel with the rules; the case studies lie in the repository, and another test
    # asks for all of them.
    _run([installed / "sizewright", "test"], tmp_path)
    case = ROOT / "examples" / "sun-1992" / "case-1-departmental-nfs"
    _run([installed / "sizewright", "test", case], tmp_path)
