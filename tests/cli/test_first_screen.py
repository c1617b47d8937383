"""What `plan` prints by default, and the options of its head."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from sizewright.cli.exits import Exit

from .conftest import CASE_1, Run

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (40).to_bytes(4) + (20).to_bytes(4) + b"\x08\x02\0\0\0"


def test_a_screen_is_printed_unless_all_is_asked_for(run: Run) -> None:
    short, full = run("plan", CASE_1).stdout, run("plan", CASE_1, "--full").stdout
    assert short.count("\n") <= 24 < full.count("\n")
    assert "Set-up" not in short and "\nSet-up\n" in full
    section = run("plan", CASE_1, "--section", "set-up", "--section", "volumes").stdout
    assert section.startswith("Volumes\n") and "\n\nSet-up\n" in section


def test_what_options_ask_for_is_below_the_screen(run: Run) -> None:
    short = run("plan", CASE_1).stdout
    more = run("plan", CASE_1, "--failed", "424mb-scsi-1").stdout
    assert more.startswith(f"{short}\nFailure of 424 MB disk #1\n")


def test_a_page_has_the_head_that_is_asked_for(run: Run, tmp_path: Path) -> None:
    logo = tmp_path / "logo.png"
    logo.write_bytes(PNG)
    page = run(
        "plan", CASE_1, "--format", "html", "--title", "Offer 12", "--customer", "ACME",
        "--date", "1993-06-01", "--valid-until", "1993-06-30", "--logo", logo,
    ).stdout  # fmt: skip
    assert "<h1>Offer 12</h1>" in page and 'src="data:image/png;base64,' in page
    assert "For: ACME &#183; Date: 1993-06-01 &#183; Valid until: 1993-06-30" in page


def test_an_offer_is_dated_today_and_a_plain_plan_not_at_all(run: Run) -> None:
    assert f"Date: {date.today()}" in run("plan", CASE_1, "--author", "J. Doe").stdout
    assert "Date: " not in run("plan", CASE_1).stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--date", "1993-06-30", "--valid-until", "1993-06-01"),
            "1993-06-01 is before 1993-06-30",
        ),
        (("--valid-until", "soon"), "'soon' is not a date such as 1993-06-30"),
        (("--logo", "logo.png"), "--logo: has no place in --format text"),
        (("--logo", "none.png", "--format", "html"), "none.png: there is no such file"),
        (("--section", "budgets", "--format", "json"), "--section: has no place in --format json"),
        (("--section", "budgest"), "no section is called 'budgest'"),
    ],
)
def test_what_cannot_be_done_is_refused(run: Run, options: tuple[str, ...], message: str) -> None:
    result = run("plan", CASE_1, *options)
    assert (result.exit_code, result.stdout) == (Exit.BAD_INPUT, "")
    assert message in result.stderr


def test_a_changed_plan_has_a_page(run: Run) -> None:
    """It ended in an internal error."""
    result = run("plan", CASE_1, "--set", "policy.size_for=likely", "--format", "html")
    assert (result.exit_code, result.stderr) == (Exit.PASS, "")
    assert "Changed for this run: policy.size_for=likely" in result.stdout
