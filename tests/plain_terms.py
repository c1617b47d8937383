"""Phrases that readers stumbled over; each has a plain term instead.

A phrase is listed if it has no other honest meaning in what a planner of servers writes.
"""

from __future__ import annotations

import re

AVOIDED = re.compile(
    r"\b(determinants?|bodies of|makers?|nearest miss|better end|flips?|carries|what carries"
    r"|stands? (in|at|on|for|here|between|there|by|under)|hangs? (in|on)"
    r"|lies? (on|in|below|above|at)|comes? to|tells|told|says? nothing|does not say"
    r"|(would|may) carry|dealt|waits? for facts|rules? waits?|reckon\w*|slips?|be (it|they)"
    r"|for want|alike|so many|as few as|at hand|held (against|to)|likewise|besides|mends?|mended"
    r"|lai?d over|unfold\w*|worst moment|busy stretch|on offer|rests? on|not hold"
    r"|limits? broken|in the way|is known of|nobody|whoever|a second time|there is use for"
    r"|suffices?|(would|will) do|wherever|hence|(cannot|not) tell|good for|sits? on"
    r"|ask(s|ed)? of|cannot stand|stands? (above|below|beside)|do without|what decides)\b",
    re.I,
)
_QUOTED = re.compile(r'"[^"]*"|“[^”]*”|`[^`]*`')


def avoided_terms(text: str) -> list[str]:
    """Every phrase of a text that has a plain term, except in quotations and code."""
    return [found[0] for found in AVOIDED.finditer(_QUOTED.sub("", " ".join(text.split())))]
