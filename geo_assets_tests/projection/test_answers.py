"""From what the platform said to the outcome that numbers are made of."""

from typing import Any

import pytest

from geo_assets.analysis import validity_topic
from geo_assets.model.answers import (
    CitationMode,
    Completed,
    FinishReason,
    NormalAnswer,
    Rejected,
    SearchState,
    Usage,
)
from geo_assets.model.errors import ErrorClass
from geo_assets.model.readings import ValidityReading
from geo_assets.model.review import ReviewDecision, ReviewField
from geo_assets.model.states import Validity
from geo_assets.projection.answers import Reparsed, answer_row

QUESTION = "哪个牌子的洗衣机值得买？"


def reparsed(text: str, finish: FinishReason = FinishReason.STOP) -> Reparsed:
    answer = NormalAnswer(
        text=text, citations=None, citation_mode=CitationMode.NONE, searches=(), search_state=SearchState.USED,
        model_asked="m", model_served="m", finish_reason=finish, usage=Usage(), refusal=None,
    )  # fmt: skip
    return Reparsed(Completed(answer), "openai-chat/1", "d" * 64)


def read(given: Reparsed | None, outcome: str = "counted", **options: Any) -> dict[str, Any]:
    response = {
        "sample_id": "s1", "monitor": "m", "question_id": "q", "question_revision": "r", "repeat_index": 0,
        "outcome": outcome, "outcome_reason": None, "late": False, "simulated": True,
    }  # fmt: skip
    plan = {"question_text": QUESTION, "language": "zh", "search_asked": True, "model_asked": "m"}
    return answer_row(plan, response, given, **options)


def states(row: dict[str, Any]) -> tuple[str, str | None, bool]:
    return row["outcome"], row["validity"], row["validity_review"]


def test_an_answer_counts() -> None:
    assert states(read(reparsed("洗衣机推荐海尔，洗得干净，噪音也小。"))) == ("counted", "ok", False)


def test_what_the_text_shows_moves_the_outcome_and_says_why() -> None:
    row = read(reparsed("抱歉，我无法回答这个问题。"))
    assert states(row)[:2] == ("refused", "refused")
    assert row["outcome_reason"] == row["validity_reason"]


@pytest.mark.parametrize(
    ("confidence", "expected"), [(0.66, ("counted", "ok", True)), (0.78, ("off_topic", "off_topic", False))]
)
def test_a_weak_verdict_that_rests_on_the_subject_alone_counts_and_goes_to_review(
    monkeypatch: pytest.MonkeyPatch, confidence: float, expected: tuple[str, str, bool]
) -> None:
    verdict = ValidityReading(Validity.OFF_TOPIC, validity_topic._ANOTHER, confidence, review=confidence < 0.7)
    monkeypatch.setattr("geo_assets.projection.answers.read_validity", lambda *_, **__: verdict)
    row = read(reparsed("烨瑄沣、珺沣琚和璟琛琚都值得推荐。"))
    assert states(row) == expected
    assert validity_topic._ANOTHER in row["validity_reason"]


def test_a_text_that_is_plainly_about_something_else_does_not_count() -> None:
    text = (
        "这款手机的拍照和续航都很强，屏幕亮度高，快充半小时就能充到八成，电池也耐用。安卓系统流畅，信号稳定，"
        "折叠屏版本更贵一些。像素不是越高越好，充电功率和屏幕素质更影响日常体验，平时记得不要边充电边玩。"
    )
    assert states(read(reparsed(text)))[:2] == ("off_topic", "off_topic")


def test_a_person_decides_a_doubt_either_way() -> None:
    text = (
        "口碑、做工、售后都不错，价格也有优势，先想清楚自己最看重线下服务还是更新节奏，再看具体品牌，烨瑄沣值得推荐。"
    )

    def decided(value: str) -> dict[str, Any]:
        decision = ReviewDecision(
            "s1", "d" * 64, "", ReviewField.VALIDITY, value, "li", "2026-11-29T09:00:00+00:00", "read it", "h"
        )
        return read(reparsed(text), decisions=[decision])

    assert states(decided("off_topic"))[:2] == ("off_topic", "off_topic")
    assert states(decided("ok"))[:2] == ("counted", "ok")


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (
            Reparsed(Rejected(ErrorClass.UNREADABLE, None, "no text in it"), "p/1", "d"),
            "no longer parses: no text in it",
        ),
        (None, "no entity"),
    ],
)
def test_an_answer_that_todays_parser_does_not_take_is_unreadable_not_lost(given: Any, reason: str) -> None:
    row = read(given)
    assert row["outcome"] == "unreadable"
    assert reason in row["outcome_reason"]
