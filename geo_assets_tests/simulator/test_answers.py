"""Answers: true rates, determinism, languages, sources, recorded answers."""

import json
import math
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from geo_assets.model.text import normalise_question
from geo_assets.simulator.answers import AnswerBook, Ending, read_answers
from geo_assets.simulator.market import MarketIndex, market_from_monitors, true_rates
from geo_assets.simulator.settings import AnswerRates
from geo_assets_tests.simulator.conftest import MARKETS, ORDINARY, QUESTION_EN, QUESTION_ZH, SHARED


def book(rates: AnswerRates = ORDINARY, seed: int = 0) -> AnswerBook:
    return AnswerBook(MarketIndex(MARKETS), rates, seed=seed)


@pytest.mark.parametrize("market", MARKETS, ids=lambda m: m.id)
@pytest.mark.parametrize("platform", ["tencent", "qwen"])
def test_brands_are_named_at_their_true_rates(market: object, platform: str) -> None:
    answers = book()
    number = 1200
    texts = [answers.answer(platform, market.questions[0], f"s{i}", "2026-11-29", True).text for i in range(number)]
    for brand in market.brands:
        rate = true_rates(MARKETS, [platform])[market.id][platform][brand.id]
        share = sum(any(name in text for name in brand.names) for text in texts) / number
        noise = math.sqrt(rate * (1 - rate) / number)
        assert abs(share - rate) < 4.5 * noise, brand.id


def test_an_answer_names_a_handful_however_many_brands_a_market_has() -> None:
    few = MARKETS[0]
    many = tuple(
        few.brands[0].model_copy(update={"id": f"b{i}", "name": f"Brandolux{i}q", "aliases": (), "rates": {}})
        for i in range(200)
    )
    answers = AnswerBook(MarketIndex([few.model_copy(update={"brands": many})]), ORDINARY)
    texts = [answers.answer("tencent", QUESTION_ZH, f"s{n}", "2026-11-29", True).text for n in range(50)]
    named = [sum(brand.name in text for brand in many) for text in texts]
    assert 6 <= sum(named) / len(named) <= 12


def test_given_rates_win_over_derived_ones() -> None:
    market = MARKETS[0]
    brand = market.brands[0].model_copy(update={"rates": {"tencent": 1.0, "qwen": 0.0}})
    answers = AnswerBook(MarketIndex([market.model_copy(update={"brands": (brand,)})]), ORDINARY)
    for number in range(50):
        assert "海灯" in answers.answer("tencent", QUESTION_ZH, f"s{number}", "2026-11-29", True).text
        assert "海灯" not in answers.answer("qwen", QUESTION_ZH, f"s{number}", "2026-11-29", True).text


def test_endings_occur_at_their_rates() -> None:
    rates = AnswerRates(refused=0.1, empty=0.05, truncated=0.05, unsearched=0.2)
    answers = book(rates)
    number = 2000
    made = [answers.answer("tencent", QUESTION_EN, f"s{i}", "2026-11-29", True) for i in range(number)]
    endings = Counter(answer.ending for answer in made)
    assert abs(endings[Ending.REFUSED] / number - 0.1) < 0.03
    assert abs(endings[Ending.EMPTY] / number - 0.05) < 0.02
    assert abs(endings[Ending.TRUNCATED] / number - 0.05) < 0.02
    complete = [answer for answer in made if answer.ending is Ending.COMPLETE]
    assert abs(sum(not answer.searched for answer in complete) / len(complete) - 0.2) < 0.04
    assert all(not answer.text for answer in made if answer.ending is Ending.EMPTY)


def test_the_same_question_gives_the_same_answer_in_any_process() -> None:
    code = (
        "from geo_assets_tests.simulator.test_answers import book, QUESTION_ZH\n"
        "a = book().answer('tencent', QUESTION_ZH, 's1', '2026-11-29', True)\n"
        "import hashlib; print(hashlib.sha256(repr(a).encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path), "TZ": zone, "PATH": ""},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed, zone in (("1", "UTC"), ("2", "Asia/Shanghai"))
    }  # fmt: skip
    assert len(digests) == 1


def test_repeats_days_platforms_and_seeds_give_other_answers() -> None:
    first = book().answer("tencent", QUESTION_ZH, "s1", "2026-11-29", True).text
    assert book().answer("tencent", QUESTION_ZH, "s2", "2026-11-29", True).text != first
    assert book().answer("tencent", QUESTION_ZH, "s1", "2026-11-30", True).text != first
    assert book().answer("qwen", QUESTION_ZH, "s1", "2026-11-29", True).text != first
    assert book(seed=1).answer("tencent", QUESTION_ZH, "s1", "2026-11-29", True).text != first


def test_answers_come_in_many_forms_with_owned_and_ghost_citations() -> None:
    answers = book()
    made = [answers.answer("tencent", QUESTION_ZH, f"s{i}", "2026-11-29", True) for i in range(400)]
    texts = [answer.text for answer in made]
    assert len(set(texts)) > 380
    assert sum("1. **" in text for text in texts) > 40
    assert sum("\n- " in text for text in texts) > 40
    assert sum("| --- |" in text for text in texts) > 20
    assert sum("### " in text for text in texts) > 20
    assert sum("推荐" in text for text in texts) > 60
    assert sum(any(word in text for word in ("不推荐", "不太推荐", "不太建议", "谨慎")) for text in texts) > 5
    owned = [a for a in made if any("haideng.test" in s.url and s.cited for s in a.sources)]
    ghosts = [a for a in owned if "海灯" not in a.text]
    assert owned
    assert ghosts
    assert all(len(answer.sources) >= 3 for answer in made)
    assert all(any(not source.cited for source in answer.sources) for answer in made)


def test_a_brand_in_the_question_is_spoken_of_or_said_to_be_unknown() -> None:
    answers = book()
    texts = [answers.answer("gpt", "Is Kestrel any good?", f"s{i}", "2026-11-29", True).text for i in range(300)]
    assert all("Kestrel" in text for text in texts)
    unknown = sum("find any reliable" in t or "no public information" in t or "no information on" in t for t in texts)
    assert 5 <= unknown <= 40


def test_excluded_phrases_and_parts_of_words_do_not_name_a_brand() -> None:
    kestrel = MARKETS[1].brands[2]
    assert kestrel.is_named_in("is kestrel ok")
    assert not kestrel.is_named_in("a kestrel hawk")
    assert not kestrel.is_named_in("Kestrels in town")
    assert MARKETS[0].brands[0].is_named_in("买海灯好吗")


def test_a_market_without_questions_of_that_text_is_found_by_language() -> None:
    index = MarketIndex(MARKETS)
    assert index.find("别的问题", "zh").id == "chairs-zh"
    assert index.find("Another question", "en").id == "chairs-en"
    assert MarketIndex(()).find("x", "en") is None
    assert AnswerBook(MarketIndex(()), ORDINARY).answer("p", "Anything?", "s", "2026-11-29", True).text


def test_markets_come_from_monitors() -> None:
    from geo_assets.model.configuration import Brand, Monitor, PlatformEntry, Product, Question, Source

    monitor = Monitor(
        id="m", tenant="t", language="zh",
        brand=Brand(
            id="haideng", name="海灯座椅", aliases=("海灯",), context=("人体工学椅",),
            products=(Product(id="loop", name="海灯 Loop"),),
            owned_sources=(Source(host="haideng.test"), Source(host="weibo.test", account="海灯")),
        ),
        competitors=(Brand(id="qingwu", name="青梧家居"),),
        questions=(Question(id="q1", text=" 哪款 椅子好？ "),),
        platforms=(PlatformEntry(id="tencent"),),
    )  # fmt: skip
    (market,) = market_from_monitors([monitor])
    assert [brand.id for brand in market.brands] == ["haideng", "qingwu"]
    assert market.topic == "人体工学椅"
    assert market.questions == ("哪款 椅子好？",)
    assert market.brands[0].sites == ("haideng.test", "weibo.test/%E6%B5%B7%E7%81%AF")
    assert market.brands[0].products == ("海灯 Loop",)


def test_recorded_answers_are_found_by_normalised_text(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    rows = [
        {
            "question": "哪款  好？",
            "answer_text": "都好 [1]。\n\n- 甲",
            "citations": [{"url": "https://a.test/x", "title": "甲"}],
        },
        {"question": "哪款 好？", "answer_text": "second"},
    ]
    file.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    answers = AnswerBook(MarketIndex(()), AnswerRates(refused=1), read_answers(file))
    answer = answers.answer("tencent", " 哪款 好？", "s", "2026-11-29", True)
    assert answer.text == "都好 [1]。\n\n- 甲"
    assert [source.url for source in answer.sources] == ["https://a.test/x"]
    assert answers.answer("tencent", "哪款 好？", "s", "2026-11-29", False).sources == ()


def test_a_recorded_row_without_text_is_named_by_file_and_line(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text('{"question": "a", "answer_text": "b"}\n{"question": "a"}\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"answers\.jsonl, line 2: .*answer_text"):
        read_answers(file)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared corpus is not here")
def test_the_corpus_is_read_as_recorded() -> None:
    file = SHARED / "corpus/answers.jsonl"
    answers = read_answers(file)
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    first = {}
    for row in rows:
        first.setdefault(normalise_question(row["question"]), row["answer_text"])
    assert {question: answer.text for question, answer in answers.items()} == first
