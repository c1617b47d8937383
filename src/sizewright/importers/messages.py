"""Kernel messages, read with the patterns and names of a guide, and the machine they describe."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from sizewright.errors import Diagnostic, Location, collect_errors, did_you_mean, refusal
from sizewright.guide.model import Guide, Row
from sizewright.importers.formats import Text
from sizewright.limits import CONDITION_CHARACTERS, NAME_CHARACTERS

_GROUP = re.compile(r"\((?:\?P<[A-Za-z_]\w*>|\?:|\?>)")
_CLASS = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]")
_COUNT = re.compile(r"\{(\d+)(,\d*)?\}")
_KINDS = "dDsSwW"
_ATOMIC = "(?>"


class PatternError(ValueError):
    """A pattern that cannot be used, and why."""


def compile_pattern(pattern: str) -> re.Pattern[str]:
    """Compile a pattern; raises PatternError if it could need more than linear time."""
    if len(pattern) > CONDITION_CHARACTERS:
        raise PatternError(f"it is longer than {CONDITION_CHARACTERS} characters")
    _check(pattern)
    try:
        return re.compile(pattern, re.ASCII)
    except (re.error, OverflowError, RecursionError) as error:
        raise PatternError(f"it is no regular expression: {error}") from None


def _check(pattern: str) -> None:
    at = 0
    groups: list[str] = []
    # What a repetition here would repeat: one character, a group, or nothing.
    before = ""
    while at < len(pattern):
        sign = pattern[at]
        if sign in "*+?{":
            at = _repetition(pattern, at, before)
            before = ""
            continue
        step, before = 1, "one"
        if sign == "\\":
            step = _escape(pattern, at)
        elif sign == "[":
            found = _CLASS.match(pattern, at)
            if not found:
                raise PatternError("a [ is not closed")
            step = len(found.group())
        elif sign == "(":
            found = _GROUP.match(pattern, at)
            if not found:
                raise PatternError("a group is (?P<name>…), (?:…) or (?>…), and nothing else")
            groups.append(found.group())
            step, before = len(found.group()), ""
        elif sign == ")":
            if not groups:
                raise PatternError("a ) is not opened")
            groups.pop()
            before = "group"
        elif sign == "|":
            if not groups or groups[-1] != _ATOMIC:
                raise PatternError("a choice (|) is allowed in (?>…) only")
            before = ""
        at += step


def _escape(pattern: str, at: int) -> int:
    after = pattern[at + 1 : at + 2]
    if not after:
        raise PatternError("it ends in a \\")
    if after.isalnum() and after not in _KINDS:
        kinds = ", ".join(f"\\{kind}" for kind in _KINDS)
        raise PatternError(f"\\{after} is not allowed; of letters and digits, only {kinds}")
    return 2


def _repetition(pattern: str, at: int, before: str) -> int:
    if before != "one":
        what = "a group" if before == "group" else "nothing, or a repetition,"
        raise PatternError(f"{what} is repeated; repeat single characters only")
    end = at + 1
    if pattern[at] == "{":
        found = _COUNT.match(pattern, at)
        if not found:
            raise PatternError("a { is written \\{ where it is meant as itself")
        end = found.end()
        if found.group(2) is None:
            return end
    if pattern[end : end + 1] != "+":
        taken = pattern[at:end]
        raise PatternError(f"the repetition {taken} can give back; write it {taken}+")
    return end + 1


MESSAGES = "probe-messages"

# What a message describes, and the named groups that its pattern must have.
MAKES: Mapping[str, tuple[str, ...]] = {
    "prefix": ("message",),
    "boot": ("release", "kernel"),
    "machine": ("machine",),
    "module": ("unit",),
    "processor": ("unit",),
    "memory": ("kb",),
    "builtin": ("unit", "bus", "slot"),
    "in_slot": ("unit", "bus", "slot"),
    "rate": ("adapter", "target", "mb_per_s"),
    "device": ("unit", "adapter", "target"),
    "label": ("unit", "label", "cylinders", "heads", "sectors"),
    "root": ("unit", "partition"),
    "swap": ("unit", "partition", "kb"),
    "multiprocessor": (),
    "trouble": ("unit",),
    "nothing": (),
}


class Message(NamedTuple):
    """A line that was understood: what it describes, and its values by name."""

    line: int
    makes: str
    words: Mapping[str, str]


class ParsedLog(NamedTuple):
    """The messages of one start of the machine, and the lines that no pattern matches."""

    messages: tuple[Message, ...]
    unknown: tuple[tuple[int, str], ...]
    starts: int

    def of(self, makes: str) -> Iterator[Message]:
        """The messages of one kind, in the order printed."""
        return (message for message in self.messages if message.makes == makes)


class MessagePattern(NamedTuple):
    """What a line makes that fits; with `phrases`, all words of one of them must be in it."""

    makes: str
    pattern: re.Pattern[str]
    phrases: tuple[frozenset[str], ...] = ()

    def match(self, line: str) -> re.Match[str] | None:
        """Return the match of a whole line; None if it does not fit."""
        words = {word.strip(".,:;()") for word in line.lower().split()} if self.phrases else ()
        if self.phrases and not any(phrase <= set(words) for phrase in self.phrases):
            return None
        return self.pattern.fullmatch(line)


Patterns = tuple[MessagePattern, ...]


def read_patterns(guide: Guide) -> Patterns:
    """The guide's patterns in their order; raises InputError for patterns that cannot be used."""
    if MESSAGES not in guide.tables:
        what = f"the guide has no table '{MESSAGES}'"
        raise refusal(Location(f"guide {guide.id}"), what)
    with collect_errors() as errors:
        found = errors.for_each(_read_pattern, guide.table(MESSAGES))
    return found


def _read_pattern(row: Row) -> MessagePattern:
    place, makes = Location(f"table {MESSAGES}, {row.id}"), row.text("makes")
    try:
        pattern = compile_pattern(row.text("pattern"))
    except PatternError as error:
        raise refusal(place, f"the pattern cannot be used: {error}") from None
    lacking = [name for name in MAKES[makes] if name not in pattern.groupindex]
    if lacking:
        what = f"the pattern has no group named {' and none named '.join(lacking)}"
        raise refusal(place, what, f"(?P<{lacking[0]}>…)")
    phrases = tuple(frozenset(str(one).lower().split()) for one in row.list("words"))
    return MessagePattern(makes, pattern, phrases)


def parse_messages(text: Text, patterns: Patterns) -> ParsedLog:
    """Read kernel messages; if a file has several starts of the machine, only the last."""
    messages: list[Message] = []
    unknown: list[tuple[int, str]] = []
    starts = 0
    for number, line in enumerate(text.lines, start=1):
        if not line.strip():
            continue
        found = _message(number, line.strip(), patterns)
        # No kernel prints a name of this length: the line is damaged.
        if found is None or any(len(text) > NAME_CHARACTERS for text in found.words.values()):
            unknown.append((number, line.strip()))
            continue
        if found.makes == "boot":
            starts += 1
            if starts > 1:
                messages.clear()
                unknown.clear()
        messages.append(found)
    return ParsedLog(tuple(messages), tuple(unknown), starts)


def _message(number: int, line: str, patterns: Patterns) -> Message | None:
    for each in patterns:
        found = each.match(line)
        if found is None:
            continue
        if each.makes == "prefix":
            # The prefix that a log adds to each message is removed only once.
            rest = tuple(entry for entry in patterns if entry.makes != "prefix")
            return _message(number, found["message"].strip(), rest)
        return Message(number, each.makes, {k: v for k, v in found.groupdict().items() if v})
    return None


class Slot(NamedTuple):
    """The position of a unit: its bus and slot, or built in."""

    bus: str
    slot: str
    builtin: bool


class Partition(NamedTuple):
    """A partition of a disk; its size in KB is None if it is not printed."""

    letter: str
    use: str
    kb: float | None


class Label(NamedTuple):
    """The label of a disk: its name, and its cylinders, heads and sectors per track."""

    name: str
    geometry: tuple[float, float, float]


class Unit(NamedTuple):
    """A device behind an adapter; `mb_per_s` is None if no rate was negotiated."""

    id: str
    adapter: str
    target: int
    mb_per_s: float | None
    label: Label | None
    partitions: tuple[Partition, ...]


class Machine(NamedTuple):
    """A machine as its kernel names it; memory in KB.

    `troubled` are the messages of each unit that are symptoms of a bus that is too long.
    """

    release: str
    kernel: str
    name: str
    modules: int
    processors: int
    multiprocessor: bool
    memory_kb: float | None
    slots: Mapping[str, Slot]
    units: tuple[Unit, ...]
    troubled: Mapping[str, int] = {}


def describe_machine(text: Text, found: ParsedLog) -> Machine:
    """The machine that the messages describe; raises InputError if they contradict each other."""
    # Of several messages of a kind the last one counts.
    last = {message.makes: message.words for message in found.messages}
    boot, memory = last.get("boot", {}), last.get("memory")
    with collect_errors() as errors:
        units = _units(text, found, errors)
    return Machine(
        release=boot.get("release", ""),
        kernel=boot.get("kernel", ""),
        name=last.get("machine", {}).get("machine", ""),
        modules=len({m.words["unit"] for m in found.of("module")}),
        processors=len({m.words["unit"] for m in found.of("processor")}),
        multiprocessor="multiprocessor" in last,
        memory_kb=float(memory["kb"]) if memory else None,
        slots={
            m.words["unit"]: Slot(m.words["bus"].lower(), m.words["slot"], m.makes == "builtin")
            for m in found.messages if m.makes in ("builtin", "in_slot")
        },
        units=units,
        troubled=Counter(m.words["unit"] for m in found.of("trouble")),
    )  # fmt: skip


def _units(text: Text, found: ParsedLog, faults: list[Diagnostic]) -> tuple[Unit, ...]:
    rates = {(m.words["adapter"], int(m.words["target"])): m for m in found.of("rate")}
    labels = {m.words["unit"]: m for m in found.of("label")}
    seen: dict[str, Message] = {}
    for message in found.of("device"):
        unit = message.words["unit"]
        before = seen.setdefault(unit, message)
        if before.words != message.words:
            what = f"'{unit}' is listed twice in different places (first on line {before.line})"
            faults.append(Diagnostic(text.place(message.line - 1), what))
    partitions = _partitions(found)
    for unit, message in labels.items():
        if unit not in seen:
            what = f"'{unit}' has a label, and no message says where it is attached"
            faults.append(Diagnostic(text.place(message.line - 1), what))
    units = []
    for unit, message in seen.items():
        target = int(message.words["target"])
        rate = rates.get((message.words["adapter"], target))
        label = labels.get(unit)
        units.append(
            Unit(
                unit, message.words["adapter"], target,
                float(rate.words["mb_per_s"]) if rate else None,
                _label(label) if label else None, partitions.get(unit, ()),
            )
        )  # fmt: skip
    return tuple(units)


def _label(message: Message) -> Label:
    words = message.words
    cylinders, heads, sectors = (float(words[k]) for k in ("cylinders", "heads", "sectors"))
    return Label(words["label"], (cylinders, heads, sectors))


def _partitions(found: ParsedLog) -> dict[str, tuple[Partition, ...]]:
    known: dict[str, dict[str, Partition]] = {}
    for use in ("root", "swap"):
        for message in found.of(use):
            words = message.words
            kb = float(words["kb"]) if "kb" in words else None
            part = Partition(words["partition"], use, kb)
            known.setdefault(words["unit"], {})[part.letter] = part
    return {unit: tuple(parts[k] for k in sorted(parts)) for unit, parts in known.items()}


NAMES = "probe-names"

# The role of a driver, and the table of that role; "" for none.
ROLES: Mapping[str, str] = {
    "host_adapter": "disk-busses",
    "network": "network-interfaces",
    "disk": "",
    "tape": "removable-media",
    "cd_rom": "removable-media",
    "bus": "",
    "helper": "",
}
_TABLES: Mapping[str, str] = {
    "machine": "platforms",
    "system": "operating-systems",
    "disk_label": "disks",
    "board": "boards",
    "driver": "",
}


class Driver(NamedTuple):
    """A driver: its role, and the rows of the table of that role that it may mean."""

    role: str
    rows: tuple[str, ...]


class ProbeNames(NamedTuple):
    """Words of kernel messages, and the rows of the guide's tables that they mean."""

    machines: Mapping[str, tuple[str, ...]]
    systems: Mapping[str, tuple[str, ...]]
    labels: Mapping[str, tuple[str, ...]]
    drivers: Mapping[str, Driver]
    boards: tuple[tuple[frozenset[str], tuple[str, ...]], ...]

    def driver(self, unit: str) -> Driver | None:
        """The driver of a unit such as a disk: its name without the number."""
        return self.drivers.get(unit.rstrip("0123456789"))

    def boards_of(self, drivers: Iterable[str]) -> tuple[str, ...]:
        """The boards that appear as exactly these drivers in one slot."""
        wanted = frozenset(drivers)
        return tuple(row for has, rows in self.boards if has == wanted for row in rows)


def read_names(guide: Guide) -> ProbeNames:
    """Read the guide's table of names; raises InputError for unknown rows."""
    if NAMES not in guide.tables:
        raise refusal(Location(f"guide {guide.id}"), f"there is no table '{NAMES}'")
    plain: dict[str, dict[str, tuple[str, ...]]] = {kind: {} for kind in _TABLES}
    drivers: dict[str, Driver] = {}
    boards = []
    with collect_errors() as errors:
        for row in guide.table(NAMES):
            kind, role, rows = row.text("kind"), row.text("role"), row.list("rows")
            errors += _leading_nowhere(guide, row, _TABLES[kind] or ROLES.get(role, ""))
            if kind == "driver":
                drivers[row.text("prints")] = Driver(role, rows)
            elif kind == "board":
                boards.append((frozenset(row.list("drivers")), rows))
            else:
                plain[kind][row.text("prints")] = rows
    return ProbeNames(
        plain["machine"], plain["system"], plain["disk_label"], drivers, tuple(boards)
    )


def _leading_nowhere(guide: Guide, row: Row, table: str) -> Iterator[Diagnostic]:
    known = guide.table(table).rows if table in guide.tables else row.list("rows")
    for name in row.list("rows"):
        if name not in known:
            what = f"table {table} has no row '{name}'"
            hint = did_you_mean(name, known)
            yield Diagnostic(Location(f"table {NAMES}, {row.id}"), what, hint=hint)
