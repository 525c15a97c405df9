"""Frames put a verdict together from open classes; what turns it round is counted."""

import pytest

from geo_assets.analysis.clauses import out_of_row
from geo_assets.analysis.verdicts import Tone, rules_of


def verdict(clause):
    return rules_of(clause).order.first(clause)


@pytest.mark.parametrize(
    ("clause", "tone"),
    [
        ("I'd wheel out the Ⓑ", Tone.POSITIVE),
        ("I wouldn't wheel out the Ⓑ", Tone.NEGATIVE),
        ("I'd swerve the Ⓑ", Tone.NEGATIVE),
        ("I wouldn't swerve the Ⓑ", Tone.POSITIVE),
        ("Ⓑ would be a shrewd investment", Tone.POSITIVE),
        ("Ⓑ would be a misguided investment", Tone.NEGATIVE),
        ("Ⓑ makes a good deal of sense", Tone.POSITIVE),
        ("Ⓑ makes little sense", Tone.NEGATIVE),
        ("we're lukewarm about Ⓑ", Tone.NEGATIVE),
        ("我提名Ⓑ", Tone.POSITIVE),
        ("我不会提名Ⓑ", Tone.NEGATIVE),
        ("Ⓑ这台机器不是智商税", Tone.POSITIVE),
        ("Ⓑ这台机器纯属智商税", Tone.NEGATIVE),
        ("Ⓑ weighs two kilos", None),
        ("Ⓑ的机身重两公斤", None),
    ],
)
def test_a_frame_gives_the_verdict_that_its_words_add_up_to(clause, tone):
    assert verdict(clause) is tone


@pytest.mark.parametrize(
    ("clause", "tone"),
    [
        ("that's the pair I'd wheel out", Tone.POSITIVE),
        ("that's not the pair I'd wheel out", Tone.NEGATIVE),
        ("your money is better spent elsewhere", Tone.NEGATIVE),
        ("这次就绕道走吧", Tone.NEGATIVE),
        ("放心抱回家吧", Tone.POSITIVE),
        ("the battery lasts two days", None),
        ("电池能用两天", None),
    ],
)
def test_a_clause_that_names_nobody_is_read_too(clause, tone):
    assert rules_of(clause).zero.first(clause) is tone


@pytest.mark.parametrize(
    ("sentence", "alone"),
    [
        ("Ⓑ、Ⓞ和Ⓞ都是不错的选择", "Ⓑ都是不错的选择"),
        ("例如Ⓞ的P30 Pro、Ⓑ的Mate 20等", "例如Ⓑ的Mate 20等"),
        ("Ⓑ and Ⓞ are solid picks", "Ⓑ are solid picks"),
        ("Ⓞ, Ⓑ and Ⓞ are solid picks", "Ⓑ are solid picks"),
        ("Unlike Ⓑ, Ⓞ is quiet", "Unlike Ⓑ, Ⓞ is quiet"),
        ("Ⓑ is quiet and Ⓞ is loud", "Ⓑ is quiet and Ⓞ is loud"),
    ],
)
def test_what_is_said_of_a_row_of_names_is_said_of_each(sentence, alone):
    assert out_of_row(sentence) == alone
