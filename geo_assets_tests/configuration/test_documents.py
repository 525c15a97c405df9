from pathlib import Path

import pytest

from geo_assets.configuration.documents import core_scalar, read_document


def read(tmp_path: Path, text: str | bytes):
    path = tmp_path / "file.yaml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_document(path, "file.yaml")


def problem_of(tmp_path: Path, text: str | bytes) -> str:
    document, problems = read(tmp_path, text)
    assert document is None
    return "\n".join(map(str, problems))


@pytest.mark.parametrize(
    "word",
    [
        "NO",
        "no",
        "on",
        "Off",
        "yes",
        "0123",
        "12:30",
        "1_000",
        "1e3",
        "0x1F",
        "2026-11-01",
        "3.10",
        "True",
        ".5",
        "NULL",
    ],
)
def test_every_plain_scalar_stays_the_string_that_it_is(tmp_path, word):
    document, problems = read(tmp_path, f"names:\n  - {word}\nname: {word}\n")
    assert problems == []
    assert document.value == {"names": [word], "name": word}


def test_a_key_without_a_value_is_a_key_that_is_not_given(tmp_path):
    document, _ = read(tmp_path, "a:\nb: ~\nc: null\nd: ''\ne: 'null'\n")
    assert document.value == {"d": "", "e": "null"}


def test_below_options_plain_scalars_have_types_and_quoted_ones_do_not(tmp_path):
    text = "options:\n  n: 2048\n  f: 0.2\n  t: true\n  s: standard\n  q: '5'\n  no: NO\n  deep: {list: [1, x]}\n"
    document, _ = read(tmp_path, text)
    assert document.value["options"] == {
        "n": 2048,
        "f": 0.2,
        "t": True,
        "s": "standard",
        "q": "5",
        "no": "NO",
        "deep": {"list": [1, "x"]},
    }


@pytest.mark.parametrize(
    ("text", "value"),
    [("-7", -7), ("1.5e3", 1500.0), ("false", False), ("1_000", "1_000"), ("12:30", "12:30"), ("", "")],
)
def test_core_scalars_follow_yaml_1_2(text, value):
    assert core_scalar(text) == value
    assert type(core_scalar(text)) is type(value)


def test_marks_are_the_places_of_keys_and_items(tmp_path):
    document, _ = read(tmp_path, "a:\n  b: 1\n  c:\n    - x\n    - y: 2\n")
    assert document.marks[("a", "b")] == (2, 3)
    assert document.marks[("a", "c", 0)] == (4, 7)
    assert document.marks[("a", "c", 1, "y")] == (5, 7)


def test_a_duplicate_key_is_refused_with_both_lines(tmp_path):
    said = problem_of(tmp_path, "a: 1\nb:\n  c: 2\n  c: 3\n")
    assert said == "file.yaml:4:3: error: b.c: the key stands twice, first in line 3. Keep one of the two"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: b: c\n", "file.yaml:1:5: error: not valid YAML: mapping values are not allowed"),
        ("a:\n\t- x\n", "file.yaml:2:1: error: not valid YAML"),
        ("a: @x\n", "file.yaml:1:4: error: not valid YAML"),
        ("a: 1\n---\nb: 2\n", "file.yaml:2:1: error: not valid YAML: but found another document"),
        ("", "file.yaml: error: the file must hold `key: value` pairs"),
        ("- x\n", "file.yaml: error: the file must hold `key: value` pairs"),
        ("a: &x 1\nb: *x\n", "anchors and aliases (`&`, `*`) are not supported. Write the value out"),
        ("a: &x [*x]\n", "anchors and aliases (`&`, `*`) are not supported"),
        ("a: !env KEY\n", "the tag `!env` is not supported"),
        ("? [a]\n: b\n", "a key must be a word"),
        ("a: " + "[" * 5000 + "]" * 5000, "not valid YAML"),
        ("a: \x07", "not valid YAML: unacceptable character"),
        ("名称: 石头".encode("gbk"), "the file is not UTF-8. Save it as UTF-8 (not GBK or UTF-16)"),
    ],
)
def test_unreadable_files_are_refused_with_place_and_remedy(tmp_path, text, said):
    assert said in problem_of(tmp_path, text)


def test_a_byte_order_mark_does_no_harm(tmp_path):
    document, _ = read(tmp_path, "\ufeffname: 石头".encode())
    assert document.value == {"name": "石头"}


def test_a_missing_file_is_said_to_be_missing(tmp_path):
    document, problems = read_document(tmp_path / "no.yaml", "no.yaml")
    assert document is None
    assert str(problems[0]).startswith("no.yaml: error: the file does not exist")
