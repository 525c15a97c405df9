"""What kind of text an answer is: states first, text second, in both languages."""

import pytest

from geo_assets.analysis.validity import read_validity
from geo_assets.model.answers import FinishReason
from geo_assets.model.states import Outcome, Validity
from geo_assets_tests.analysis import validity_cases as cases


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
