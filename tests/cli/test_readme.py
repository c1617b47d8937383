"""What the front page and the pages of docs/ show can be done as it stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import sessions
from sessions import Step, blocks_of, checkout, play, session_of
from shown import Shown
from sizewright.api import read_workload
from sizewright.box.reading import read_box
from sizewright.documents import parse_document

from .conftest import ROOT, Run

pytestmark = pytest.mark.no_cover

PAGE = (ROOT / "README.md").read_text(encoding="utf-8")
FILES = [
    text for text in re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.M | re.S)
    if text.startswith("name:")
]  # fmt: skip
OVERLAY = re.compile(r"`site/(rules/[^`]+)`.*?\n+```yaml\n(.*?)^```$", re.M | re.S)
SESSIONS = blocks_of(PAGE)
PAGES = {
    path.relative_to(ROOT / "docs").as_posix(): steps
    for path in sorted((ROOT / "docs").rglob("*.md"))
    if (steps := session_of(path.read_text(encoding="utf-8")))
}


@pytest.mark.parametrize("text", FILES, ids=lambda text: text.splitlines()[0])
def test_a_shown_file_is_read(text: str) -> None:
    document = parse_document(text, "README.md")
    if "\nservices:" in text:
        assert read_workload(document).services
    else:
        assert read_box(document).platform


def test_files_of_both_kinds_are_shown() -> None:
    assert {"\nservices:" in text for text in FILES} == {True, False}


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session[-1].command)
def test_a_shown_session_goes_as_shown(
    session: tuple[Step, ...], run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout(tmp_path, monkeypatch)
    play(session, run)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_of_the_site_goes_as_shown(
    page: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout(tmp_path, monkeypatch)
    play(PAGES[page], run)


def test_every_tutorial_and_how_to_is_played() -> None:
    folders = ("tutorials", "how-to")
    written = {
        f"{folder}/{p.name}" for folder in folders for p in (ROOT / "docs" / folder).iterdir()
    }
    assert written | {"adding-a-guide.md"} <= set(PAGES)
    assert {page.partition("/")[0] for page in written} == set(folders)


@pytest.mark.parametrize("page", sorted((ROOT / "docs").rglob("*.md")), ids=lambda path: path.stem)
def test_targets_of_make_are_there(page: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"[$`] ?make ([a-z]+)", page.read_text(encoding="utf-8")):
        assert re.search(rf"^{target}:", makefile, re.M), target


def test_a_session_for_each_user_is_shown() -> None:
    for steps in (sum(SESSIONS, ()), sum(PAGES.values(), ())):
        commands = {step.command.split()[1] for step in steps if isinstance(step, Shown)}
        assert commands >= {"plan", "explain", "box", "check", "test"}


def test_the_shown_overlay_changes_the_rule_that_it_names(run: Run, tmp_path: Path) -> None:
    found = OVERLAY.search(PAGE)
    assert found is not None
    path, text = tmp_path / found[1], found[2]
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    (rule,) = re.findall(r"^id: (\S+)$", text, re.M)
    own, laid_over = (
        run("rules", "show", rule, *options) for options in ((), ("--overlay", tmp_path))
    )
    assert own.exit_code == laid_over.exit_code == 0
    assert own.stdout != laid_over.stdout


def test_files_and_commands_are_played_in_their_order() -> None:
    page = (
        '```yaml title="a.yaml"\nname: a\n```\n'
        "```console\n$ make demo\n$ cat a.yaml\nname: a\n```\n"
        '```yaml title="b/c.yaml"\nname: c\n```\n'
    )
    written, shown, last = session_of(page)
    assert isinstance(written, sessions.Written)
    assert (written.path, written.text) == ("a.yaml", "name: a\n")
    assert isinstance(shown, Shown)
    assert (shown.command, shown.output) == ("cat a.yaml", ("name: a",))
    assert isinstance(last, sessions.Written)
    assert last.path == "b/c.yaml"


@pytest.mark.parametrize(
    ("page", "fault"),
    [
        ("$ sizewright tables\nno tables", "sizewright tables prints"),
        ("$ sizewright tables", "nothing is shown of it"),
        ("$ sizewright tables nowhere", "there is no table"),
        ("$ sizewright schema table -o t.json\n$ echo $?\n1", "line 3"),
        ("$ sed -i 's/b/c/' a.yaml", "changes nothing"),
        ("$ ls\na.yaml", "ls"),
        ('```\n```yaml title="../a.yaml"\nname: a', "a.yaml"),
        ('```\n```yaml title="tables/sun-1992/disks.yaml"\ntable: disks', "disks.yaml"),
    ],
)
def test_a_page_that_is_not_true_is_found_out(
    page: str, fault: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout(tmp_path, monkeypatch)
    Path("a.yaml").write_text("name: a\n", encoding="utf-8")
    with pytest.raises(AssertionError, match=re.escape(fault)):
        play(session_of(f"```console\n{page}\n```\n"), run)
