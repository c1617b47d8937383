"""A guide's rules: a page for each subject, and one that lists them all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sitebuild.markdown import code, plain, slug, table, toctree
from sizewright.facts.records import RECORDS
from sizewright.guide.model import LIMIT_WAYS, Guide
from sizewright.output.browse import parameter_text, rule_data
from sizewright.quantity import Quantity
from sizewright.rules.compiler import RuleSet
from sizewright.rules.rule import Parameter, Rule

_JUDGED = {"plan": "plans", "box": "boxes that exist"}
_FACTS = "../../facts.md"


def rule_pages(guide: Guide, rule_set: RuleSet) -> Iterator[tuple[str, str]]:
    """Every page below the guide's own folder, by its name without the ending."""
    subjects = [s for s in RECORDS if any(rule.subject == s for rule in rule_set.rules)]
    rows = (
        (
            f"[{plain(rule.id)}](rules/{rule.subject}.md#{slug(_heading(rule))})",
            plain(rule.title), rule.severity, rule.subject, plain(rule.cite),
        )
        for rule in rule_set.rules
    )  # fmt: skip
    listed = table(("rule", "title", "severity", "about", "source"), rows)
    yield (
        "rules",
        f"# Rules of {guide.id}\n\nThe rules of *{plain(guide.title)}*; "
        f"`sizewright rules show RULE` prints one. A violation blocks a plan, advice is weighed, "
        f"a note is told.\n\n{listed}\n" + toctree(f"rules/{subject}" for subject in subjects),
    )
    for subject in subjects:
        asked = [rule for rule in rule_set.rules if rule.subject == subject]
        yield f"rules/{subject}", "\n".join((f"# Rules about: {subject}\n", *map(_section, asked)))


def _heading(rule: Rule) -> str:
    return f"{rule.id}: {rule.title}"


def _section(rule: Rule) -> str:
    data = rule_data(rule)
    said = [
        ("source", plain(rule.cite)),
        ("severity", ": ".join(filter(None, (rule.severity, plain(data["severity_reason"]))))),
        ("if broken", "the system does not work" if data["does_not_work"] else ""),
        ("checked on", " and ".join(_JUDGED[what] for what in rule.judges)),
        ("applies when", code(data["when"]) or "always"),
        ("requires", code(data["require"])),
        *(("bounds", _bound(bound)) for bound in data["bounds"]),
        ("says", plain(data["message"])),
        ("to do", plain(data["remedy"])),
        ("to measure", plain(data["measure"])),
        ("note", plain(data["note"])),
        ("not monotone", plain(data["not_monotone"])),
        ("reads", ", ".join(_facts(rule))),
    ]
    parts = [
        f"## {plain(_heading(rule))}\n",
        "".join(f"* **{what}**: {text}\n" for what, text in said if text),
        _parameters(rule, data),
        _examples(data),
    ]
    return "\n".join(filter(None, parts))


def _bound(bound: dict[str, Any]) -> str:
    ways = ", ".join(
        f"{way.replace('_', ' ')} {code(bound[way])}" for way in LIMIT_WAYS if way in bound
    )
    when = f", when {code(bound['when'])}" if "when" in bound else ""
    only = "; only budgets show it" if bound.get("only_shown") else ""
    return f"{code(bound['resource'])}: {ways}{when}{only}"


def _facts(rule: Rule) -> Iterator[str]:
    for subject, name in sorted(rule.reads):
        yield f"[`{subject}.{name}`]({_FACTS}#{slug(subject)})"


def _parameters(rule: Rule, data: dict[str, Any]) -> str:
    if not rule.parameters:
        return f"No parameters: {plain(data['no_parameters'])}.\n"
    return table(
        ("parameter", "value", "meaning", "from"),
        (
            (
                code(name),
                plain(parameter_text(value)),
                plain(data["parameters"][name]["doc"]),
                _from(value),
            )
            for name, value in rule.parameters.items()
        ),
    )


def _from(value: Parameter) -> str:
    source = value.source if isinstance(value, Quantity) else None
    if source is None:
        return ""
    cell = source.where if source.kind == "table" else ""
    link = f"[{plain(cell)}](../tables/{cell.partition('/')[0]}.md)" if cell else ""
    return ", ".join(filter(None, (link, plain(source.cite), plain(source.status))))


def _examples(data: dict[str, Any]) -> str:
    rows = [
        (example["expect"], "; ".join(_given(example)))
        for example in data["examples"]
    ] + [(f"never {verdict}", plain(why)) for verdict, why in data["cannot"].items()]  # fmt: skip
    return table(("verdict", "example"), rows)


def _given(example: dict[str, Any]) -> Iterator[str]:
    for subject, facts in example["given"].items():
        for name, value in facts.items():
            yield f"{code(f'{subject}.{name}')} {plain(_value(value))}"
    for name, value in (example.get("parameters") or {}).items():
        yield f"with {code(name)} {plain(_value(value))}"


def _value(value: Any) -> str:
    if value is None:
        return "unknown"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "–".join(map(str, value)) or "none"
    return str(value) or "none"
