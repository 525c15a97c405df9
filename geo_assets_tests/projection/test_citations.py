"""Sources beside brands: from stored places of names, without reading the text again."""

from typing import Any

import pytest

from geo_assets.model.dictionary import BrandEntry, Dictionary, OwnedSource, Role
from geo_assets.projection.mentions import citation_rows

TEXT = "推荐诺维克的空气炸锅。[1] Taldo 也不错。[2]"
DICTIONARY = Dictionary(
    "m",
    (
        BrandEntry("norvik", "诺维克", Role.OWN, owned=(OwnedSource("norvik.example"),)),
        BrandEntry("taldo", "Taldo", Role.COMPETITOR),
    ),
)


def answer(sample: str, outcome: str = "counted") -> tuple[str, dict[str, Any]]:
    def cite(order: int, url: str) -> dict[str, Any]:
        return {
            "order": order, "url": url, "title": None, "site": None, "marker": str(order), "citation_basis": "cited",
            "spans": [],
        }  # fmt: skip

    return "acme", {
        "sample_id": sample, "monitor": "m", "question_id": "q", "question_revision": "r", "repeat_index": 0,
        "outcome": outcome, "text": TEXT, "evidence_digest": "d", "parser": "p/1", "simulated": True,
        "citations": [cite(1, "https://norvik.example/a"), cite(2, "https://www.zhihu.com/question/1")],
    }  # fmt: skip


def mention(sample: str, brand: str, at: int | None) -> tuple[str, dict[str, Any]]:
    places = [] if at is None else [{"start": at, "end": at + 3, "alias": brand}]
    row = {"sample_id": sample, "monitor": "m", "brand": brand, "mentioned": at is not None, "occurrences": places}
    return "acme", row


def rows(answers: list[Any], mentions: list[Any]) -> list[tuple[str, int, str | None, list[str]]]:
    books: Any = {"m": DICTIONARY}
    return [
        (r["sample_id"], r["order"], r["owner"], r["supports"])
        for _, r in citation_rows(answers, iter(mentions), books)
    ]


def test_a_source_supports_the_brands_of_its_sentence_as_brand_mentions_found_them() -> None:
    mentions = [
        mention("s1", "norvik", 2), mention("s1", "taldo", TEXT.index("Taldo")),
        mention("s2", "norvik", None), mention("s2", "taldo", TEXT.index("Taldo")),
    ]  # fmt: skip
    assert rows([answer("s1"), answer("s2"), answer("s3", "refused")], mentions) == [
        ("s1", 1, "norvik", ["norvik"]), ("s1", 2, None, ["taldo"]),
        ("s2", 1, "norvik", []), ("s2", 2, None, ["taldo"]),
    ]  # fmt: skip


def test_an_answer_that_was_not_read_for_brands_stops_it_with_the_remedy() -> None:
    with pytest.raises(LookupError, match="brand_mentions has no rows of sample s2: materialize it before citations"):
        rows([answer("s1"), answer("s2")], [mention("s1", "norvik", None)])
