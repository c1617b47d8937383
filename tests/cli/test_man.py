"""The manual page tells every command and every option, in roff that renders."""

from __future__ import annotations

import re
import shutil
import subprocess

import click
import pytest

from sizewright.cli.files import man_page
from sizewright.cli.main import main

from .conftest import Run
from .test_commands import commands


def _plain(page: str) -> str:
    """The page without its escapes."""
    return re.sub(r"\\f.|\\&", "", page).replace("\\-", "-").replace("\\(dq", '"')


def test_every_command_and_option_is_told(run: Run) -> None:
    result = run("man")
    assert (result.exit_code, result.stderr) == (0, "")
    page = _plain(result.stdout)
    for name, command in commands():
        _, heading, rest = page.partition(f"\n.SS sizewright {name} ")
        assert heading, name
        own = rest.partition("\n.SS ")[0]
        for param in command.params:
            if isinstance(param, click.Option):
                (record, help_) = param.get_help_record(
                    click.Context(command, help_option_names=["-h", "--help"])
                ) or ("", "")
                assert f"\n{record}\n{help_}\n" in own, (name, record)
    assert "\n.SH NAME\nsizewright - size servers" in page


def test_text_means_nothing_in_roff() -> None:
    @click.command("odd", help='.so /etc/passwd\n\n\'br\n\nback\\slash — "quoted"')
    def odd() -> None: ...

    page = man_page(click.Group("all", commands=[odd], help="All.\n\n.de"), "all", '1".2')
    assert "\n\\&.so /etc/passwd\n" in page
    assert "\n\\&'br\n" in page
    assert "\nback\\eslash \\[u2014] \\(dqquoted\\(dq\n" in page
    assert '.TH ALL 1 "" "all 1\\(dq.2"\n' in page
    assert page.isascii()


def test_only_known_requests_stand_in_it() -> None:
    page = man_page(main, "sizewright", "0")
    requests = set(re.findall(r"^[.'](\S+)", page, re.MULTILINE))
    assert requests <= {"TH", "SH", "SS", "TP", "PP", "B", "nf", "fi"}


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_it_renders_without_a_warning() -> None:
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww"], input=man_page(main, "sizewright", "0"), text=True,
        capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert "NAME" in re.sub(".\b", "", done.stdout)
