"""Texts for `fuzz_conditions.py`: nearly conditions, broken ones, any syntax tree, sheer bulk."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from sizewright.facts.fact import Kind
from sizewright.rules.parser import Schema


class Material(NamedTuple):
    """What texts are made of: the names that exist, and the conditions of a rule, if it has any."""

    schema: Schema
    texts: tuple[str, ...]


COMPARE = ("<", "<=", ">", ">=", "==", "!=")
WORDS = ("ring", "scsi", "serial", "nfs", "x", "", "größe")
STRANGERS = (
    "**", "//", "%", "@", "~", "<<", ">>", "|", "&", "^", ":=", "=", "->", "lambda", "lambda x:",
    "if", "else", "for", "x for x in", "await", "yield", "yield from", "async", "[", "]", "(", ")",
    "{", "}", ",", ".", ":", ";", "...", "*", "**{}", "+", "-", "/", "not", "in", "is", "and", "or",
    "None", "True", "False", "0", "1", "2", "3", "0x1f", "1_0", "1e999", "-0.0", "1j", "9" * 60,
    "'a'", '"a"', "'", '"', "'''", "b'a'", "u'a'", "r'a'", "f'{x}'", "f'", "t'a'", "\\", "#", "$",
    "?", "!", "`", "\n", "\t", "\r", "\0", "\x0c", "\x1b[31m", "\u2028", "\u202e", "\ufeff", "\xa0",
    "\ud800", "\U0001d426", "ﬁ", "ｍ", "о", "é", "日", "_", "__class__", ".__class__", "__import__",
    "__builtins__", "eval", "exec", "open", "print", "subjects", "parameters", "number", "min(",
    "max(", "either(", "abs(", "len(", "known(", "is not", "not in", "import os", "1or",
)  # fmt: skip


class Grammar:
    """Conditions that look valid; most are, but for their units."""

    def __init__(self, rng: Random, schema: Schema) -> None:
        self.rng = rng
        self.names: dict[Kind, list[str]] = {kind: [] for kind in Kind}
        self.optional: list[tuple[str, Kind]] = []
        self.texts: dict[str, tuple[str, ...]] = {}
        every = {f"{s}.{f}": fact for s, has in schema.subjects.items() for f, fact in has.items()}
        for name, fact in {**every, **schema.parameters}.items():
            self.names[fact.kind].append(name)
            self.texts[name] = fact.one_of
            if fact.optional:
                self.optional.append((name, fact.kind))

    def condition(self, depth: int) -> str:
        """A text that is true or false."""
        pick = self.rng.randrange(12 if depth else 6)
        if pick < 6:
            return self._plain(pick, depth)
        if pick < 9:
            joint = self.rng.choice((" and ", " or "))
            count = self.rng.randint(2, 3)
            return f"({joint.join(self.condition(depth - 1) for _ in range(count))})"
        if pick == 9:
            return f"not ({self.condition(depth - 1)})"
        name, kind = self.rng.choice(self.optional)
        # Right and wrong guards alike.
        guard = self.rng.choice((
            f"known({name}) and", f"not known({name}) or", f"{name} is None or",
            f"{name} is not None and", f"known({name}) or", f"{name} is None and",
            f"not (not known({name}) or {self.condition(0)}) and",
        ))  # fmt: skip
        return f"({guard} {self._about(name, kind)})"

    def _about(self, name: str, kind: Kind) -> str:
        if kind is Kind.FLAG:
            return self.rng.choice((name, f"not {name}"))
        if kind is Kind.TEXT:
            return f"{name} {self.rng.choice(('==', '!='))} {self._word(name)}"
        if kind is Kind.NAMES:
            return self.rng.choice((f"len({name}) > 1", f"{self._word(name)} in {name}"))
        return f"{name} {self.rng.choice(COMPARE)} {self.number(1)}"

    def _plain(self, pick: int, depth: int) -> str:
        rng = self.rng
        if pick < 3:
            signs = [rng.choice(COMPARE) for _ in range(rng.choice((1, 1, 1, 2)))]
            terms = [self.number(min(depth, 2)) for _ in range(len(signs) + 1)]
            return terms[0] + "".join(f" {s} {t}" for s, t in zip(signs, terms[1:], strict=True))
        kind = (Kind.FLAG, Kind.TEXT, Kind.NAMES)[pick - 3]
        name = rng.choice(self.names[kind])
        if kind is Kind.TEXT and rng.random() < 1 / 2:
            words = ", ".join(self._word(name) for _ in range(rng.randint(1, 3)))
            return f"{name} {rng.choice(('in', 'not in'))} ({words},)"
        return self._about(name, kind)

    def number(self, depth: int) -> str:
        """A text that is a number."""
        rng, pick = self.rng, self.rng.randrange(9 if depth else 4)
        if pick < 3:
            return rng.choice(self.names[Kind.NUMBER])
        if pick == 3:
            return rng.choice(("0", "1", "2", "1.0"))
        if pick < 7:
            return f"({self.number(depth - 1)} {rng.choice('+-*/')} {self.number(depth - 1)})"
        if pick == 7:
            return rng.choice(("-{}", "abs({})")).format(self.number(depth - 1))
        parts = ", ".join(self.number(depth - 1) for _ in range(rng.randint(2, 3)))
        return f"{rng.choice(('min', 'max', 'either'))}({parts})"

    def _word(self, name: str) -> str:
        return repr(self.rng.choice(self.texts[name] or WORDS))


def grammar(rng: Random, material: Material) -> str:
    """A text that looks valid."""
    return Grammar(rng, material.schema).condition(rng.randint(0, 3))


def broken(rng: Random, material: Material) -> str:
    """A text that looks valid, with words of it lost, doubled, swapped or strange."""
    whole = rng.choice(material.texts) if material.texts and rng.random() < 1 / 2 else ""
    words = re.findall(r"\w+|\s+|.", whole or grammar(rng, material))
    for _ in range(rng.choice((1, 1, 2, 4))):
        at, other = rng.randrange(len(words)), rng.randrange(len(words))
        pick = rng.randrange(5)
        if pick == 0 and len(words) > 1:
            del words[at]
        elif pick == 1:
            words.insert(at, words[other])
        elif pick == 2:
            words[at], words[other] = words[other], words[at]
        elif pick == 3:
            words[at] = rng.choice(STRANGERS)
        else:
            words.insert(at, rng.choice((" ", "")) + rng.choice(STRANGERS))
    return "".join(words)


def strewn(rng: Random, material: Material) -> str:
    """A text of a rule, with bytes of it changed."""
    text = rng.choice(material.texts) if material.texts else grammar(rng, material)
    data = bytearray(text.encode())
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        at = rng.randrange(len(data) + 1)
        pick = rng.randrange(4)
        if pick == 0:
            data[at : at + rng.randint(1, 4)] = b""
        elif pick == 1:
            data.insert(at, rng.randrange(256))
        elif pick == 2 and at < len(data):
            data[at] ^= 1 << rng.randrange(8)
        else:
            start = rng.randrange(len(data) + 1)
            data[at:at] = data[start : start + rng.randint(1, 12)]
    return data.decode(
        *rng.choice((("utf-8", "replace"), ("utf-8", "surrogateescape"), ("latin-1",)))
    )


def tree(rng: Random, material: Material) -> str:
    """Any tree that Python's syntax has, written out."""
    grown = Trees(rng, material.schema)
    while True:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return ast.unparse(grown.node("expr", rng.randint(1, 4)))
        except (ValueError, TypeError, AttributeError, LookupError, RecursionError):
            # A tree that no text has.
            continue


TAME: list[type[Any]] = [
    ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Compare, ast.Call, ast.Attribute,
    ast.Tuple,
]  # fmt: skip


class Trees:
    """Grows syntax trees by the grammar that `ast` writes into its docstrings."""

    def __init__(self, rng: Random, schema: Schema) -> None:
        self.rng = rng
        self.tame = rng.random() < 1 / 2
        self.facts = [(subject, field) for subject, has in schema.subjects.items() for field in has]
        fields = sorted({field for has in schema.subjects.values() for field in has})
        self.names = [*schema.subjects, *schema.parameters, "min", "known", "len", "x", "_x"]
        self.attributes = [*fields, "__class__", "real", "_hidden"]

    def node(self, family: str, depth: int) -> Any:
        """A node of a family, such as `expr` or `operator`."""
        base = getattr(ast, family)
        # Families of one kind, such as `comprehension`, have no kinds below them.
        kinds = [kind for kind in base.__subclasses__() if kind.__module__ == "ast"] or [base]
        if family == "expr" and (depth <= 0 or self.rng.random() < 1 / 4):
            kinds = [ast.Name, ast.Attribute, ast.Constant]
        elif family == "expr" and self.tame:
            kinds = TAME
        kind = self.rng.choice(kinds)
        if kind is ast.Attribute and (self.tame or depth <= 0):
            subject, field = self.rng.choice(self.facts)
            if self.rng.random() < 1 / 4:
                field = self.rng.choice(self.attributes)
            return ast.Attribute(ast.Name(subject, ast.Load()), field, ast.Load())
        parts = {name: self._value(of, name, depth - 1) for of, name in self._fields(kind)}
        return kind(**parts)

    def _fields(self, kind: type[Any]) -> list[tuple[str, str]]:
        match = re.search(rf"{kind.__name__}\((.*?)\)", kind.__doc__ or "", re.DOTALL)
        listed = match[1].split(",") if match else []
        return [(of, name) for of, name in (one.split() for one in listed)]

    def _value(self, of: str, name: str, depth: int) -> Any:
        if of.endswith("*"):
            return [self._value(of[:-1], name, depth) for _ in range(self.rng.choice((0, 1, 1, 2)))]
        if of.endswith("?"):
            return self._value(of[:-1], name, depth) if self.rng.random() < 1 / 2 else None
        if of == "identifier":
            return self.rng.choice(self.attributes if name == "attr" else self.names)
        if of == "constant":
            return self.rng.choice((
                0, 1, 2, 2, 3, 0.5, 1.0, 10**30, 1e308, 1j, True, None, ..., "ring", "a'b", b"x",
            ))  # fmt: skip
        if of == "int":
            return self.rng.choice((-1, 0, 1, 115))
        return None if of == "string" else self.node(of, depth)


def bulk(rng: Random, material: Material) -> str:
    """Something, very often."""
    part = rng.choice((
        "(", "[", "{", "-", "~", "not ", "f(", "min(1,", "known(", "a.", "1<", "1+", "1**", "x if ",
        "lambda:", "'a'", "'a' 'b'", "9", "most and ", "(most>1)and ", "f'{", "f\"{f'{", "*",
        "await ", "[x for x in ", "\t", "\n", "日", "\u0301", "x:=", "0x", "'a' in ", "()",
        "1if 1else ",
    ))  # fmt: skip
    end = {"(": ")", "[": "]", "{": "}", "f(": ")", "min(1,": ")", "known(": ")"}.get(part, "")
    # Up to the limit, about it, and far beyond.
    count = rng.choice((3, 19, 20, 21, 60, 100, 199, 240, 500, 501, 3000, 100_000))
    text = part * count + rng.choice(("", "most", grammar(rng, material))) + end * count
    return text[: rng.choice((499, 500, 501, 1_000_000))]


Source = Callable[[Random, Material], str]

SOURCES: dict[str, Source] = {
    "grammar": grammar, "broken": broken, "strewn": strewn, "tree": tree, "bulk": bulk,
}  # fmt: skip
