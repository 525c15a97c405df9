"""What kind of text an answer is: states first, text second, in both languages."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geo_assets.analysis.lists import pattern, sections
from geo_assets.analysis.validity import read_validity
from geo_assets.analysis.validity_text import CUES, Passage, plain, roles_of
from geo_assets.model.answers import FinishReason
from geo_assets.model.states import Outcome, Validity
from geo_assets_tests.analysis import validity_cases as cases

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "corpus"
LATER = Path(__file__).parent / "data" / "validity_later.jsonl"
BLIND = Path(__file__).parent / "data" / "validity_blind.jsonl"
BEYOND = {
    "bvc-064": "a list that stops inside its last word, where the piece is a word itself",
}


def read(question, text, finish=FinishReason.UNKNOWN, refusal=None, outcome=Outcome.COUNTED):
    return read_validity(text, question, finish_reason=finish, refusal=refusal, outcome=outcome)


ROWS = [
    (kind, question, text)
    for kind, rows in [
        (Validity.ERROR_PAGE, cases.ERROR_PAGE),
        (Validity.LOGIN_PAGE, cases.LOGIN_PAGE),
        (Validity.REFUSED, cases.REFUSED),
        (Validity.TRUNCATED, cases.TRUNCATED),
        (Validity.EMPTY, cases.EMPTY),
        (Validity.OFF_TOPIC, cases.OFF_TOPIC),
        (Validity.OK, cases.OK),
    ]
    for question, text in rows
]


@pytest.mark.parametrize(("kind", "question", "text"), ROWS)
def test_each_kind_of_text_is_told_apart(kind, question, text):
    reading = read(question, text)
    assert reading.validity is kind, reading


@pytest.mark.parametrize("kind", list(Validity))
def test_sentences_written_after_the_first_rules_are_told_apart(kind):
    rows = [row for row in map(json.loads, LATER.read_text(encoding="utf-8").splitlines()) if row["kind"] == kind]
    wrong = [row["text"] for row in rows if read(row["question"], row["text"]).validity is not kind]
    assert len(rows) >= 8
    assert len(wrong) <= 0.05 * len(rows), wrong


def test_rows_by_other_writers_are_told_apart():
    rows = [json.loads(line) for line in BLIND.read_text(encoding="utf-8").splitlines()]
    wrong = {row["id"]: row["text"] for row in rows if read(row["question"], row["text"]).validity != row["kind"]}
    assert len(rows) == 651
    assert set(wrong) == set(BEYOND), wrong


FAULTS = """\
The upload service rejected the file because its header is malformed.
This workspace has been suspended. Contact your administrator.
Our inference cluster is restarting.
The prompt exceeds the context window of 8192 tokens.
该工作空间已被停用，请联系管理员
推理节点正在重启
输入内容长度超出上限
"""


@pytest.mark.parametrize("text", FAULTS.splitlines())
def test_a_machine_that_speaks_of_its_own_trouble_reports_a_fault(text):
    assert read("哪款空调省电？" if not text.isascii() else "best mattress", text).validity is Validity.ERROR_PAGE


def test_words_of_taiwan_are_read_like_those_of_the_mainland():
    assert plain("伺服器連線逾時，請重新整理") == "服务器连接超时,请刷新"
    assert plain("设定在预设值") == "设定在预设值"  # a simplified text is left as it is


def test_trouble_of_what_was_asked_about_is_an_answer():
    assert (
        read("does the Nest thermostat need a C wire", "The Nest thermostat does not need one.").validity is Validity.OK
    )
    assert read("Hulu 在加拿大能看吗", "Hulu 的服务在加拿大不可用，要用别的平台。").validity is Validity.OK


def test_the_index_of_cues_finds_what_the_patterns_find():
    roles = {role for role in sections(CUES) if not role.startswith("core_")} - {
        "page_tail",
        "system",
        "trouble",
        "remedy",
    }
    for _, _, text in ROWS:
        for piece in Passage(plain(text)).pieces:
            direct = {role for role in roles if pattern(CUES, role).search(piece.text)}
            if direct >= {"decline", "not_decline"}:
                direct -= {"decline", "weak_decline"}
            assert roles_of(piece.text) == direct - {"not_decline"}, piece.text


TEXT = "Take the Saatva Classic if you sleep hot. The WinkBed is firmer."


@pytest.mark.parametrize(
    ("known", "kind"),
    [
        ({"finish": FinishReason.LENGTH}, Validity.TRUNCATED),
        ({"finish": FinishReason.CONTENT_FILTER}, Validity.REFUSED),
        ({"finish": FinishReason.REFUSAL}, Validity.REFUSED),
        ({"refusal": "I cannot discuss this."}, Validity.REFUSED),
        ({"refusal": "  "}, Validity.OK),
        ({"outcome": Outcome.FILTERED}, Validity.REFUSED),
        ({"outcome": Outcome.REFUSED}, Validity.REFUSED),
        ({"outcome": Outcome.TRUNCATED}, Validity.TRUNCATED),
        ({"outcome": Outcome.ERROR_PAGE}, Validity.ERROR_PAGE),
        ({"outcome": Outcome.LOGIN_PAGE}, Validity.LOGIN_PAGE),
        ({"outcome": Outcome.UNSEARCHED}, Validity.OK),
        ({"finish": FinishReason.STOP}, Validity.OK),
    ],
)
def test_what_the_platform_says_comes_before_the_text(known, kind):
    reading = read("best mattress", TEXT, **known)
    assert reading.validity is kind
    if kind is not Validity.OK:
        assert reading.confidence >= 0.95


@pytest.mark.parametrize("finish", [FinishReason.LENGTH, FinishReason.STOP, FinishReason.UNKNOWN])
def test_a_blank_text_is_empty_whatever_ended_it(finish):
    assert read("best mattress", " \u200b\n", finish).validity is Validity.EMPTY


def test_a_blank_text_that_was_refused_is_a_refusal():
    assert read("best mattress", "", refusal="no").validity is Validity.REFUSED


def test_a_text_that_seems_cut_though_the_platform_says_it_is_complete_goes_to_review():
    cut = "You have two options. The first is a mesh chair. The second is"
    assert not read("office chair", cut).review
    assert read("office chair", cut, FinishReason.STOP).review


CHINESE = "入门选多邻国，背单词用墨墨，练口语用流利说。三个都有免费版，先各试一周，再决定买哪个会员。"
ENGLISH = "Duolingo is the easiest start, Anki is best for words, and italki gets you talking. Try each for a week."


@pytest.mark.parametrize(
    ("notice", "answer"),
    [
        ("服务器繁忙，请稍后重试", CHINESE),
        ("登录后可同步历史会话", CHINESE),
        ("正在搜索网页…", CHINESE),
        ("Log in to save this chat", ENGLISH),
        ("Something went wrong. Retry", ENGLISH),
        ("Searched 4 sites", ENGLISH),
    ],
)
def test_a_notice_beside_a_full_answer_leaves_it_valid(notice, answer):
    question = "学英语用什么 App？" if answer is CHINESE else "language apps"
    assert read(question, f"{notice}\n\n{answer}").validity is Validity.OK
    assert read(question, f"{answer}\n\n{notice}").validity is Validity.OK


@pytest.mark.skipif(not CORPUS.exists(), reason="the labelled sets are not beside the checkout")
@pytest.mark.parametrize("name", ["validity_gold", "challenge_validity"])
def test_labelled_sets_are_read_right(name):
    names = {"valid": "ok", "refusal": "refused"}
    rows = [json.loads(line) for line in (CORPUS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    wrong = [r["id"] for r in rows if read(r["question"], r["text"]).validity != names.get(r["label"], r["label"])]
    assert len(wrong) <= 0.05 * len(rows), wrong


@pytest.mark.skipif(not CORPUS.exists(), reason="the real answers are not beside the checkout")
def test_real_answers_are_hardly_ever_flagged():
    rows = [json.loads(line) for line in (CORPUS / "answers.jsonl").read_text(encoding="utf-8").splitlines()]
    flagged = [r["id"] for r in rows if read(r["question"], r["answer_text"]).validity is not Validity.OK]
    assert len(flagged) <= 0.01 * len(rows), flagged


@given(st.text(max_size=300), st.text(max_size=60))
def test_no_text_makes_the_reader_fail(text, question):
    reading = read(question, text)
    assert 0 <= reading.confidence <= 1
    assert reading.reason
    assert read(question, text) == reading
