"""Reports on the workloads of the case studies, by short names."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from sizewright.api import load_engine, plan, read_workload
from sizewright.documents import parse_document
from sizewright.output.reports import PlanReport

Reporter = Callable[..., PlanReport]

EXAMPLES = Path(__file__).resolve().parent.parent / "examples" / "sun-1992"
CASES = {
    "case-1": EXAMPLES / "case-1-departmental-nfs" / "workload.yaml",
    "silent": EXAMPLES / "case-2-training-center" / "silent.yaml",
    "with-sound": EXAMPLES / "case-2-training-center" / "with-sound.yaml",
    "case-3": EXAMPLES / "case-3-ad-hoc-query-server" / "workload.yaml",
    "case-4": EXAMPLES / "case-4-gis-database" / "workload.yaml",
    "case-5": EXAMPLES / "case-5-mcad-database" / "workload.yaml",
    "case-6": EXAMPLES / "case-6-front-end-server" / "workload.yaml",
    "case-7": EXAMPLES / "case-7-enterprise-complex" / "workload.yaml",
    "printing": EXAMPLES / "case-7-enterprise-complex" / "printing.yaml",
}

# What one system does not carry, and is to show this.
TOO_MUCH = CASES["with-sound"].read_text(encoding="utf-8") + "availability: {systems: 1}\n"


@cache
def too_much_file() -> Path:
    """A file with what one system does not carry; it asks for one."""
    path = Path(mkdtemp()) / "with-sound.yaml"
    path.write_text(TOO_MUCH, encoding="utf-8")
    return path


# Names that are markup, and the first case with them.
SCRIPT = "<script>alert(1)</script>"
IMAGE = '"><img src=x onerror=alert(1)>'


def _quoted(name: str) -> str:
    return "'" + name.replace("'", "''") + "'"


HOSTILE = (
    ("name: departmental-nfs", f"name: {_quoted(SCRIPT)}"),
    ("name: mail", f"name: {_quoted(IMAGE)}"),
    ("{mail:", f"{{{_quoted(IMAGE)}:"),
    ("[mail,", f"[{_quoted(IMAGE)},"),
    ("title: A mid", "title: </title></style></svg>]]>{{ 7 * 7 }} A mid"),
)


def case_report(
    case: str, *changes: tuple[str, str], overlays: tuple[Path, ...] = ()
) -> PlanReport:
    """A plan for a case study, its workload changed by pairs of text."""
    text = TOO_MUCH if case == "with-sound" else CASES[case].read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    document = parse_document(text, f"{case}.yaml")
    workload = read_workload(document)
    found = plan(workload, load_engine("sun-1992", overlays))
    return PlanReport(found, workload.name, workload.title or "", document.name, document.digest)
