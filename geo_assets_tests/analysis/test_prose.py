"""What of an answer is prose: addresses, code and echoed questions are not, link labels and titles are."""

import pytest

from geo_assets.analysis.prose import Prose


def readable(text, question=None):
    prose = Prose(text, question)
    at, parts = 0, []
    for span in prose.unread:
        parts.append(text[at : span.start])
        at = span.end
    assert prose.readable_chars == len(text) - sum(s.end - s.start for s in prose.unread)
    return "".join([*parts, text[at:]])


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("see https://fennel.io/fennel-review now", "fennel"),
        ("见https://fennel.io/x。以及别的", "fennel"),
        ("[plans](https://fennel.io/p 'x')", "fennel"),
        ("write to help@fennel.example.com", "fennel"),
        ("fennel.example.com 或 www.fennel.cn", "fennel"),
        ("```\nimport fennel\n```\ntext", "fennel"),
        ("set `FENNEL_KEY=1` first", "FENNEL"),
        ('<a href="x" title="fennel">go</a>', "fennel"),
        ("您问的是“fennel 好吗”，好。", "fennel"),
        ('You asked, "is fennel good?" Yes.', "fennel"),
        ("**问题：** fennel 好吗\n好。", "fennel"),
        ("Q: is fennel good?\nA: yes", "fennel"),
        ("> is my fennel plan ok?\n\nIt is.", "fennel"),
    ],
)
def test_what_is_no_prose_of_the_answer_is_hidden(text, hidden):
    assert hidden in text
    assert hidden not in readable(text)


@pytest.mark.parametrize(
    "text",
    [
        "[fennel](https://example.com/a)",
        '[1]: https://example.com/a "A fennel review"',
        "`fennel` is fine",
        "见https://example.com/a。fennel 也行",
        "> Note: fennel is our pick, prices may change.",
        "平时说的“fennel”多指它。",
        "来源：fennel 官网",
    ],
)
def test_labels_titles_and_the_answers_own_words_stay(text):
    assert "fennel" in readable(text)


def test_the_question_asked_does_not_count_where_the_answer_repeats_it():
    question = "Which fennel plan suits a small team best?"
    assert "fennel" not in readable(f"{question}\n\nThe middle one.", question)
    assert "fennel" in readable("Any fennel plan will do.", question)


def test_a_text_that_is_nothing_but_an_address_has_no_readable_characters():
    assert Prose("https://example.com/a").readable_chars == 0
