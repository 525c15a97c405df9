"""Folding: what two spellings have in common, and the way back to the original."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geo_assets.analysis import folding
from geo_assets.analysis.folding import SEPARATORS, Folded, fold, simplify

TEXT = st.text(
    alphabet=st.one_of(
        st.characters(min_codepoint=32, max_codepoint=0x2FF),
        st.characters(min_codepoint=0x300, max_codepoint=0x36F),
        st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF),
        st.sampled_from("ｉＰ７－ﬁ½ßİ\u200b\u00ad*_'’-—。，！😀𝐀한が"),
    ),
    max_size=60,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ＡＣＭＥ", "acme"),
        ("Café Zoë", "cafe zoe"),
        ("雲端筆記", "云端笔记"),
        ("Blue-Sky", "blue sky"),
        ("Blue‑Sky", "BlueSky"),
        ("O’Neil", "O'Neil"),
        ("Mail\u200bbox", "mailbox"),
        ("**Ac**me", "Acme"),
        ("Acme™", "Acme"),
        ("𝐀𝐜𝐦𝐞", "acme"),
    ],
)
def test_spellings_that_differ_only_in_form_fold_alike(one, other):
    assert fold(one) == fold(other)


@pytest.mark.parametrize(("one", "other"), [("が", "か"), ("أ", "ا"), ("й", "и"), ("price", "prime"), ("C++", "C")])
def test_other_letters_stay_other_letters(one, other):
    assert fold(one) != fold(other)


def test_hangul_syllables_stay_whole():
    assert fold("삼성") == "삼성"
    assert len(fold("삼성")) == 2


@given(TEXT)
def test_every_folded_character_maps_back_to_the_original_that_gives_it(text):
    folded = Folded(text)
    places = [folded.start(i) for i in range(len(folded.text))]
    assert places == sorted(places)
    for index, place in enumerate(places):
        assert text[place] not in SEPARATORS
        assert folded.text[index] in fold(text[place : folded.end(index + 1)])


@given(TEXT)
def test_the_fast_and_the_slow_road_agree(text):
    offsets, slow = folding._fold_slowly(text)
    fast = Folded(text)
    assert fast.text == slow
    assert [fast.start(i) for i in range(len(slow))] == offsets


@given(TEXT)
def test_simplifying_keeps_offsets(text):
    assert len(simplify(text)) == len(text)
