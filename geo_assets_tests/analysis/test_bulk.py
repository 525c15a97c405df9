"""Reading many texts from JSON Lines."""

import json
from itertools import count, islice

import pytest

from geo_assets.analysis.bulk import BadRowError, read_lines


def run(kind, *rows):
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
    return [json.loads(line) for line in read_lines(kind, lines, source="in.jsonl")]


def test_every_kind_gives_its_format_and_the_ids_back():
    assert run("urls", {"id": 7, "url": "HTTP://A.example:80?utm_source=x"}, {"id": "b", "url": "nothing"}) == [
        {"id": 7, "normalised": "http://a.example/"},
        {"id": "b", "normalised": None},
    ]
    assert run("domains", {"id": 1, "host": "x.acme.co.uk"}, {"id": 2, "host": "127.0.0.1"}) == [
        {"id": 1, "registrable_domain": "acme.co.uk"},
        {"id": 2, "registrable_domain": ""},
    ]
    (row,) = run("validity", {"id": 1, "question": "哪款好？", "text": "服务器繁忙，请稍后重试"})
    assert (row["id"], row["label"], row["review"]) == (1, "error_page", False)
    assert 0 < row["confidence"] <= 1
    (row,) = run(
        "mentions",
        {
            "id": 1,
            "text": "1. **诺维克**：首选\n2. Taldo",
            "brand": {"name": "Norvik", "aliases": ["诺维克"], "exclude": []},
        },
    )
    assert {k: row[k] for k in ("id", "mentioned", "count", "list_rank")} == {
        "id": 1,
        "mentioned": True,
        "count": 1,
        "list_rank": 1,
    }
    assert set(row) == {"id", "mentioned", "count", "list_rank", "stance", "confidence", "review"}


def test_labels_are_those_of_the_published_format():
    rows = [
        {"id": 1, "text": "抱歉，我无法回答。"},
        {"id": 2, "text": "海尔", "question": "说一个牌子"},
        {"id": 3, "text": " "},
    ]
    assert [row["label"] for row in run("validity", *rows)] == ["refusal", "valid", "empty"]


def test_a_finish_reason_counts_before_the_text():
    (row,) = run("validity", {"id": 1, "text": "A complete sentence.", "finish_reason": "length"})
    assert row["label"] == "truncated"


def test_blank_lines_and_a_byte_order_mark_are_no_rows():
    assert list(read_lines("domains", ["\ufeff" + '{"id": 1, "host": "a.com"}', "\n", "  "])) == [
        '{"id": 1, "registrable_domain": "a.com"}'
    ]


@pytest.mark.parametrize(
    ("kind", "line", "message"),
    [
        ("urls", "{", "in.jsonl, line 2: not JSON"),
        ("urls", "[1]", "in.jsonl, line 2: expected an object, found a list"),
        ("urls", '{"url": "x"}', "in.jsonl, line 2, field 'id': is missing"),
        ("urls", '{"id": 1}', "in.jsonl, line 2, field 'url': is missing; expected text"),
        ("urls", '{"id": 1, "url": 5}', "in.jsonl, line 2, field 'url': expected text, found a number"),
        ("mentions", '{"id": 1, "text": "x"}', "in.jsonl, line 2, field 'brand': expected an object"),
        ("mentions", '{"id": 1, "text": "x", "brand": {}}', "in.jsonl, line 2, field 'brand.name': is missing"),
        (
            "mentions",
            '{"id": 1, "text": "x", "brand": {"name": " "}}',
            "in.jsonl, line 2, field 'brand.name': is empty",
        ),
        (
            "mentions",
            '{"id": 1, "text": "x", "brand": {"name": "A", "aliases": [1]}}',
            "in.jsonl, line 2, field 'brand.aliases': expected a list of texts",
        ),
        ("validity", '{"id": 1, "text": null}', "in.jsonl, line 2, field 'text': expected text, found nothing"),
        (
            "validity",
            '{"id": 1, "text": "x", "finish_reason": "end"}',
            "in.jsonl, line 2, field 'finish_reason': 'end'",
        ),
    ],
)
def test_a_bad_row_is_named_by_file_line_and_field(kind, line, message):
    with pytest.raises(BadRowError) as caught:
        list(read_lines(kind, ["\n", line], source="in.jsonl"))
    assert str(caught.value).startswith(message)


def test_an_unknown_kind_is_refused_at_once():
    with pytest.raises(ValueError, match="unknown kind 'colours': expected one of mentions, validity, urls, domains"):
        read_lines("colours", [])


def test_rows_are_read_one_at_a_time():
    endless = (f'{{"id": {n}, "host": "a.com"}}' for n in count())
    assert len(list(islice(read_lines("domains", endless), 3))) == 3
