"""The words for verdicts in printed reports; JSON, SARIF and JUnit keep the values themselves."""

from __future__ import annotations

VERDICT_WORDS = {
    "holds": "pass", "tight": "borderline", "violated": "fail", "unknown": "unknown",
    "waived": "waived", "not_applicable": "not applicable",
}  # fmt: skip

# How the first line of a report on a plan begins; `violated` is of a machine that is found.
RECOMMENDED = {
    "holds": "Recommended", "tight": "Recommended, borderline",
    "unknown": "Recommended as far as is known", "waived": "Recommended with limits waived",
    "violated": "Fail",
}  # fmt: skip

# How the first line of a report on an existing server begins.
HEADLINES = {
    "holds": "Pass", "tight": "Pass, borderline", "unknown": "Pass as far as is known",
    "waived": "Pass with limits waived", "violated": "Fail",
}  # fmt: skip


def verdict_word(verdict: str) -> str:
    """Return the word for a verdict; any other text as it is."""
    return VERDICT_WORDS.get(verdict, verdict)
