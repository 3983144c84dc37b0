"""A word is what the house says it is, however fast it is counted."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notes_pipeline.words import count_each, count_words

DENSE = "[\u0e00-\u0edf\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u30ff"
DENSE += "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003134f]"
LETTERS = st.one_of(st.characters(), st.sampled_from("ab 7_₹→✓é東ก\u0e31Ⅳ²Œˆ\x81\ud800\u0301"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It's 3.5 km", 5),
        ("₹250 → paid ✓", 2),
        ("naïve Œuvre", 2),
        ("Москва 1980", 2),
        ("東京都", 2),
        ("ไทย ok", 3),
        ("Ⅳ", 1),
        ("_ - …", 0),
        ("", 0),
    ],
)
def test_words(text: str, words: int) -> None:
    """Signs part words, letters and digits of any script make them, two dense characters are one."""
    assert count_words(text) == words


@given(st.text(LETTERS))
def test_the_fast_ways_count_as_the_definition_does(text: str) -> None:
    """Runs of letters and digits, dense scripts apart, whose characters count by halves."""
    dense = sum(map(len, re.findall(f"{DENSE}+", text)))
    runs = re.findall(r"[^\W_]+", re.sub(f"{DENSE}+", " ", text))

    assert count_words(text) == len(runs) + (dense + 1) // 2


@given(st.lists(st.one_of(st.text(LETTERS), st.text("ab \x00\n"))))
def test_many_texts_have_the_words_each_has_alone(texts: list[str]) -> None:
    """Counting many texts at once is counting each, whatever stands at their edges."""
    assert count_each(texts) == [count_words(text) for text in texts]
