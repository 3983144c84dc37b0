"""What leaves a cell and what stays: one line a truth in ``cases/cleaning.tsv``, and three laws."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notes_pipeline.rows.cleaning import RULES, Rule, clean

CASES = Path(__file__).parent / "cases"


def _rows() -> list[dict[str, str]]:
    with (CASES / "cleaning.tsv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.parametrize("row", _rows(), ids=lambda row: row["text"])
def test_study_marks_leave_and_facts_stay(row: dict[str, str]) -> None:
    """Only what the closed list names is removed, and it is kept beside the text."""
    cleaned = clean(row["text"])

    assert cleaned.text == row["cleaned"], row["why"]
    assert bool(cleaned.removed) is (row["text"] != row["cleaned"])


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.name}: {rule.example}")
def test_every_rule_does_what_its_example_says(rule: Rule) -> None:
    """The example in the list is true, and the removal names the rule."""
    before, after = rule.example.split("|")
    cleaned = clean(before)

    assert cleaned.text == after
    assert {removed.rule for removed in cleaned.removed} == {rule.name}


def test_the_list_in_the_guide_is_the_list() -> None:
    """docs/workbooks.md names every rule with its example, in their order, and no other."""
    guide = (CASES.parent.parent / "docs" / "workbooks.md").read_text(encoding="utf-8")
    table = guide.partition("## What is cleaned")[2]
    listed = re.findall(r"^\| `(\w+)`[^|]*\| (.+?) \| (.+?) \|$", table, re.MULTILINE)

    assert listed == [(rule.name, *rule.example.split("|")) for rule in RULES]


PIECES = st.sampled_from(
    (
        *("[Mnemonic: HOMES]", "(Trick: ", "Trick- ABC", "Code word: x", "#imp", "#gs1", "V. Imp.", "(imp)"),
        *("Imp.", "[UPSC 2017]", "PYQ 2019", "Asked in 2016", "TODO", "check again", "***", "★", "✓", "• "),
        *(". ", "; ", " ", ")", "-", "(", "[", "\n", "Huron", "₹5", "Na"),
    )
)
TEXTS = st.one_of(st.text(max_size=40), st.lists(PIECES, max_size=8).map("".join))


@given(TEXTS)
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    """What is clean stays as it is."""
    once = clean(text)

    assert clean(once.text) == (once.text, ())


@given(TEXTS)
def test_nothing_is_cleaned_to_nothing(text: str) -> None:
    """A text with a word keeps one; a text is touched only with a removal to show for it."""
    cleaned = clean(text)

    assert bool(cleaned.removed) or cleaned.text == text
    assert any(character.isalnum() for character in cleaned.text) or not cleaned.removed


@given(TEXTS)
def test_no_letter_is_lost_without_a_record(text: str) -> None:
    """Letters and digits of a text are those of what is left and of what was removed."""
    cleaned = clean(text)
    kept = sorted(filter(str.isalnum, cleaned.text + "".join(mark.text for mark in cleaned.removed)))

    assert kept == sorted(filter(str.isalnum, text))
