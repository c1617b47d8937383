"""YAML becomes plain data with places, or is refused, in bounded time."""

from __future__ import annotations

import io
import json
import math
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from settled import settled
from sizewright import documents
from sizewright.documents import (
    PlacedFloat,
    PlacedInt,
    PlacedStr,
    parse_document,
    read_document,
)
from sizewright.errors import InputError, Location
from sizewright.limits import (
    BYTES_AT_MOST,
    DIGITS_AT_MOST,
    FAULTS_LISTED,
    NESTING_AT_MOST,
    NODES_AT_MOST,
)


def refusal(content: str | bytes) -> str:
    with pytest.raises(InputError) as caught:
        parse_document(content, "w.yaml")
    return caught.value.text()


@pytest.fixture(params=["CSafeLoader", "SafeLoader"])
def either_parser(request, monkeypatch):
    if not hasattr(yaml, request.param):
        pytest.skip("this PyYAML has no parser in C")
    monkeypatch.setattr(documents, "_LOADER", getattr(yaml, request.param))


@pytest.mark.usefixtures("either_parser")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1), ("-1", -1), ("+1", 1), ("0", 0), ("2.50", 2.5), (".5", 0.5), ("5.", 5.0),
        ("1e3", 1000.0), ("1.5E-3", 0.0015), ("-2.5", -2.5),
        ("true", True), ("False", False), ("~", None), ("null", None), ("", None),
        ("yes", "yes"), ("No", "No"), ("on", "on"), ("off", "off"), ("y", "y"),
        ("2020-01-01", "2020-01-01"), ("12:30", "12:30"), ("1:30:00", "1:30:00"),
        ("012", "012"), ("0x10", "0x10"), ("0o7", "0o7"), ("1_000", "1_000"), ("1,000", "1,000"),
        ("1.1.8", "1.1.8"), ("nan", "nan"), ("inf", "inf"), ("e3", "e3"), (".", "."), ("=", "="),
        ("'1'", "1"), ('"true"', "true"), ("''", ""), ("٣", "٣"),
    ],
)  # fmt: skip
def test_scalars_mean_what_they_look_like(text: str, value: object):
    data = parse_document(f"value: {text}\n", "w.yaml").data["value"]
    assert data == value
    assert isinstance(data, bool) == isinstance(value, bool)
    assert isinstance(data, float) == isinstance(value, float)


@pytest.mark.usefixtures("either_parser")
def test_every_text_and_number_knows_its_place():
    data = parse_document("name: office\nsizes:\n  - 3\n  - {mb: 2.5}\n", "w.yaml").data
    name, (three, size) = data["name"], data["sizes"]
    assert (type(name), name.place) == (PlacedStr, Location("w.yaml", 1, 7))
    assert (type(three), three.place) == (PlacedInt, Location("w.yaml", 3, 5))
    assert (type(size["mb"]), size["mb"].place) == (PlacedFloat, Location("w.yaml", 4, 10))


@pytest.mark.usefixtures("either_parser")
def test_a_path_leads_to_the_key_or_to_the_nearest_ancestor():
    document = parse_document("a: 1\nb:\n  - {c: 2, d: [3, 4]}\n  -\n", "w.yaml")
    places = {
        (): (1, 1), ("a",): (1, 1), ("b",): (2, 1), ("b", 0): (3, 5), ("b", 0, "c"): (3, 6),
        ("b", 0, "d"): (3, 12), ("b", 0, "d", 1): (3, 19), ("b", 0, "none"): (3, 5),
        ("b", 7): (2, 1), ("none", "at", "all"): (1, 1), ("a", "below"): (1, 1), ("b", "0"): (2, 1),
    }  # fmt: skip
    for path, (line, column) in places.items():
        assert document.place(path) == Location("w.yaml", line, column), path


def test_columns_count_characters_not_bytes():
    assert parse_document("é: ü\n", "w").data["é"].place == Location("w", 1, 4)


def test_the_digest_is_of_the_bytes_read():
    content = b"\xef\xbb\xbfname: office\n"
    assert parse_document(content, "w").digest == sha256(content).hexdigest()
    assert parse_document("name: office\n", "w").digest == sha256(content[3:]).hexdigest()


def test_a_file_and_standard_input_are_read_alike(tmp_path: Path, monkeypatch):
    path = tmp_path / "w.yaml"
    path.write_bytes(b"name: office\n")
    assert read_document(path).data == {"name": "office"}
    assert read_document(str(path)).name == str(path)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"name: office\n")))
    document = read_document("-")
    assert str(document.place(("name",))) == "<stdin>:1:1"


def test_a_file_of_the_name_of_standard_input_is_read_by_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"name: other\n")))
    (tmp_path / "-").write_text("name: office\n", encoding="utf-8")
    assert read_document(Path("./-")).data == {"name": "office"}
    assert read_document("-").data == {"name": "other"}


def test_what_cannot_be_read_is_said(tmp_path: Path, monkeypatch):
    for path, what in (
        (tmp_path / "none.yaml", "none.yaml: there is no such file"),
        (tmp_path, "is a directory\n  expected a file"),
        (tmp_path / "w.yaml" / "w.yaml", ""),
        ("nul\0", "nul\\x00: cannot be read: embedded null byte"),
        ("x" * 5000, "cannot be read: file name too long"),
    ):
        (tmp_path / "w.yaml").touch()
        with pytest.raises(InputError) as caught:
            read_document(path)
        assert what in caught.value.text()

    def forbidden(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", forbidden)
    with pytest.raises(InputError, match="cannot be read: permission denied"):
        read_document(tmp_path / "w.yaml")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-16-le", "utf-16-be"])
def test_other_encodings_are_refused(encoding: str):
    assert "is not UTF-8 text" in refusal("name: office\n".encode(encoding))


def test_bytes_that_are_not_utf_8_are_placed():
    assert refusal("é: 1\nname: é\xff".encode("latin-1")).startswith("w.yaml:1:1: byte 0xe9")
    assert refusal("é: 1\nname: é".encode() + b"\xff").startswith("w.yaml:2:8: byte 0xff")
    assert "is not UTF-8" in refusal("name: \ud800")


@pytest.mark.usefixtures("either_parser")
@pytest.mark.parametrize("text", ["", "\n", "# comment\n", "---\n", "~\n", "--- null\n...\n"])
def test_an_empty_document_is_refused(text: str):
    assert refusal(text) == "w.yaml: is empty"


@pytest.mark.usefixtures("either_parser")
@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("a: 1\na: 2\n", "w.yaml:2:1: duplicate key 'a'; first on line 1"),
        ("a: 1\n---\nb: 2\n---\nc: 3\n", "w.yaml:2:1: a second document begins here"),
        ("a: !!str 1", "w.yaml:1:4: the tag 'tag:yaml.org,2002:str' is not allowed"),
        ("a: ! 1", "w.yaml:1:4: the tag '!' is not allowed"),
        ("!x {a: 1}", "w.yaml:1:1: the tag '!x' is not allowed"),
        ("1: a", "w.yaml:1:1: the key '1' is not text"),
        ("1.5: a", "the key '1.5' is not text"),
        ("true: a", "the key 'true' is not text"),
        ("null: a", "the key 'null' is not text"),
        ("? [a, {b: c}]\n: d", "w.yaml:1:3: this key is not text"),
        ("? {a: b}\n: {c: d}", "w.yaml:1:3: this key is not text"),
        ("<<: {a: 1}", "merge keys (<<) are not allowed"),
        ("a: &b 1", "w.yaml:1:4: anchors (&) and aliases (*) are not allowed: 'b'"),
        ("a: *b", "w.yaml:1:4: anchors (&) and aliases (*) are not allowed: 'b'"),
        ("*b : 1", "anchors (&) and aliases (*) are not allowed: 'b'"),
        ("a: .inf", "w.yaml:1:4: .inf is not a number that can be used"),
        ("a: -.Inf", "-.Inf is not a number that can be used"),
        ("a: .NaN", ".NaN is not a number that can be used"),
        ("a: 1e999", "w.yaml:1:4: the number '1e999' is too large"),
        ("a: [", "is not valid YAML"),
        ("a: b: c", "is not valid YAML"),
        ("a: 'b", "is not valid YAML"),
        ('a: "\\q"', "is not valid YAML"),
        ('a: "\\UFFFFFFFF"', "is not valid YAML"),
        ("%YAML 9.9\n---\na: 1", "is not valid YAML"),
        ("a:\n\tb: 1", "indent with spaces, not tabs"),
        ("a: 1\nb: \x01", "w.yaml:2:4: is not valid YAML: a control character"),
    ],
)
def test_what_is_not_plain_data_is_refused(text: str, what: str):
    assert what in refusal(text)


def test_all_faults_come_at_once_up_to_a_syntax_error():
    text = refusal("a: .nan\na: 1\nb: !x 2\n2: c\nd: [")
    assert len([line for line in text.splitlines() if line.startswith("w.yaml")]) == 5


def test_a_mapping_goes_on_after_a_key_that_is_refused():
    with pytest.raises(InputError) as caught:
        parse_document("? [x]\n: 1\n? {y: z}\n: [2]\nb: !t 1\n<<: 1\nb: 2\n*c : {d: 1}\n", "w")
    assert [fault.place.line for fault in caught.value.faults] == [1, 3, 5, 6, 7, 8]


@pytest.mark.usefixtures("either_parser")
@pytest.mark.parametrize(
    "text", ["[" * 100_000, "{a: " * 100_000, "- " * 100_000, "? " * 100_000, "[{a: " * 50_000]
)
def test_nesting_ends_long_before_the_stack_does(text: str):
    assert f"at most {NESTING_AT_MOST} levels" in refusal(text) or "not text" in refusal(text)


def test_nesting_is_allowed_up_to_the_limit():
    deepest = "[" * NESTING_AT_MOST + "]" * NESTING_AT_MOST
    assert parse_document(deepest, "w").data
    assert "nested too deeply" in refusal(f"[{deepest}]")


def test_aliases_never_expand():
    lines = ["a0: &a0 [lol, lol, lol]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]
    assert "anchors (&) and aliases (*)" in refusal("\n".join(lines))
    assert "anchors (&) and aliases (*)" in refusal("&a [*a]")


def test_size_nodes_digits_and_faults_are_bounded():
    assert f"at most {BYTES_AT_MOST} bytes" in refusal("#" * (BYTES_AT_MOST + 1))
    assert "is empty" in refusal("#" * BYTES_AT_MOST)
    assert f"at most {NODES_AT_MOST}" in refusal("- 1\n" * NODES_AT_MOST)
    assert len(parse_document("- 1\n" * (NODES_AT_MOST - 1), "w").data) == NODES_AT_MOST - 1
    assert parse_document("a: " + "9" * DIGITS_AT_MOST, "w").data["a"] > 0
    assert f"at most {DIGITS_AT_MOST} digits" in refusal("a: " + "9" * (DIGITS_AT_MOST + 1))
    assert f"at most {DIGITS_AT_MOST} digits" in refusal("a: 0." + "9" * 900_000)
    assert refusal("1: a\n" * NODES_AT_MOST).count("is not text") == FAULTS_LISTED


def test_endless_standard_input_is_not_read_to_its_end(monkeypatch):
    class Endless(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            assert size > 0
            return b"a" * size

    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=Endless()))
    with pytest.raises(InputError, match="is too large"):
        read_document("-")


WORDS = st.text(
    alphabet=st.characters(categories=["L", "N", "P", "S", "Zs"]) | st.just("\n"), max_size=20
)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | WORDS
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda below: st.lists(below, max_size=4) | st.dictionaries(WORDS, below),
    max_leaves=12,
)  # fmt: skip


@given(PLAIN)
def test_json_is_read_as_json(value: object):
    # YAML allows fewer control characters than JSON, and takes some of them for line ends.
    text = json.dumps({"value": value}, ensure_ascii=False)
    assert parse_document(text, "w.json").data["value"] == value


YAML_LIKE = st.text(alphabet="ab01.:-?[]{}&*!|>'\"%@#~,\\ \n\t<=", max_size=60)


@settled(1200)
@given(st.binary(max_size=80) | st.text(max_size=80) | YAML_LIKE)
@example("? ? ? [")
@example("{? [a]: b, *c: d}")
def test_whatever_comes_in_is_data_or_faults(content: str | bytes):
    try:
        document = parse_document(content, "w.yaml")
    except InputError as error:
        assert error.faults
        assert error.text().isprintable() or "\n" in error.text()
    else:
        check(document, document.data, ())


def check(document, value, path) -> None:
    """Only plain types, and the places of values and paths agree."""
    assert type(value) in (dict, list, PlacedStr, PlacedInt, PlacedFloat, bool, type(None))
    assert document.place(path).line is not None
    if isinstance(value, dict):
        assert all(type(key) is str for key in value)
        for key, child in value.items():
            check(document, child, (*path, key))
    elif isinstance(value, list):
        for index, child in enumerate(value):
            check(document, child, (*path, index))
            if isinstance(child, (PlacedStr, PlacedInt, PlacedFloat)):
                assert child.place == document.place((*path, index))
    elif isinstance(value, float):
        assert math.isfinite(value)
