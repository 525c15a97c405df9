"""Names that nobody tracks, gathered in the pass that reads mentions."""

from collections.abc import Iterable
from typing import Any

from geo_assets.analysis.matcher import compile_matcher
from geo_assets.analysis.mentions import read_mentions
from geo_assets.lake.contracts import UNTRACKED_NAMES
from geo_assets.lake.store import Partition, stage
from geo_assets.model.dictionary import BrandEntry, Dictionary, Role
from geo_assets.projection.untracked import UntrackedNames

TRACKED = (
    BrandEntry("qlora", "Qlora", Role.OWN, aliases=("Qlora One",)),
    BrandEntry("zhiyun", "知芸", Role.COMPETITOR),
)


def answer(sample: str, text: str, question: str = "q1") -> dict[str, Any]:
    return {"sample_id": sample, "text": text, "question_revision": question, "simulated": True}


def gathered(
    answers: Iterable[tuple[str, dict[str, Any]]], monitor: str = "m", **limits: int
) -> tuple[list[dict[str, Any]], UntrackedNames]:
    names = UntrackedNames(**limits)
    dictionary = Dictionary(monitor, TRACKED, known=("Zorvane",))
    for tenant, row in answers:
        names.add(tenant, row, dictionary, read_mentions(compile_matcher(dictionary), row["text"]))
    return [row for _, row in names.rows()], names


def test_a_name_is_counted_once_an_answer_with_its_best_place_and_the_text_around_it() -> None:
    rows, _ = gathered(
        [
            ("t", answer("s1", "Ideas:\n\n1. Qlora\n2. Vexmori\n3. vexmori")),
            ("t", answer("s2", "1. Ｖexmori: light\n2. Qlora One", "q2")),
            ("t", answer("s3", "Nothing in a list, though Vexmori is fine.")),
        ]
    )
    [row] = rows
    assert row == {
        "monitor": "m",
        "name": "Vexmori",
        "answers": 2,
        "answers_read": 3,
        "questions": 2,
        "best_list_rank": 1,
        "example_sample_id": "s2",
        "example_context": "1. Ｖexmori: light 2. Qlora One",
        "reader": row["reader"],
        "dictionary_hash": Dictionary("m", TRACKED, known=("Zorvane",)).hash,
        "simulated": True,
    }


def test_chinese_lists_are_read_and_script_variants_are_one_name() -> None:
    rows, _ = gathered(
        [
            ("t", answer("s1", "推荐：\n1. 知芸\n2. 顾岚\n3. 霓裳")),
            ("t", answer("s2", "一、顧嵐：轻便\n二、知芸：耐用")),
        ]
    )
    found = {row["name"]: (row["answers"], row["best_list_rank"]) for row in rows}
    assert found["顾岚"] == (2, 1)
    assert "知芸" not in found


def test_what_the_monitor_knows_is_no_news_even_where_it_is_not_counted_as_a_mention() -> None:
    rows, _ = gathered([("t", answer("s1", "1. Zorvane\n2. QLORA\n3. Vexmori"))])
    assert [row["name"] for row in rows] == ["Vexmori"]


def test_a_place_that_no_list_prints_is_null() -> None:
    rows, _ = gathered([("t", answer("s1", "Key features:\n- Vexmori\n- Brennig"))])
    assert {row["name"]: row["best_list_rank"] for row in rows} == {"Vexmori": None, "Brennig": None}


def test_rows_fit_the_contract_in_its_order_over_tenants_and_monitors() -> None:
    names = UntrackedNames()
    for tenant, monitor in (("a", "m1"), ("a", "m2"), ("b", "m1")):
        dictionary = Dictionary(monitor, TRACKED)
        row = answer("s1", "1. Vexmori\n2. Brennig\n3. Ålvorna")
        names.add(tenant, row, dictionary, read_mentions(compile_matcher(dictionary), row["text"]))
    staged = stage(UNTRACKED_NAMES, Partition("2026-11-29", "qwen"), names.rows(), tenants=["a", "b", "c"])
    assert (staged.rows, sorted(staged.files)) == (9, ["a", "b", "c"])
    staged.close()


def test_memory_is_bounded_and_what_was_left_out_is_said() -> None:
    syllables = ["Bre", "Dov", "Kel", "Mur", "Nif", "Pra", "Qua", "Sil", "Tov", "Vex"]
    texts = [f"1. {a}{b.lower()}ix\n2. Vexmori" for a in syllables for b in syllables]
    rows, names = gathered((("t", answer(f"s{n:03d}", text)) for n, text in enumerate(texts)), counted=50, kept=10)
    assert len(rows) == 10
    # Of 101 names 50 are counted; the name of many answers is among them with its exact number.
    assert {row["name"]: row["answers"] for row in rows}["Vexmori"] == 100
    assert names.dropped == {"m": 40}
    assert names.uncounted == {"m": 51}
