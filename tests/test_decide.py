"""The one place that omits: each case is a chunk in a few words, and what must become of it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import build
import pytest
from hypothesis import given
from hypothesis import strategies as st

from notes_pipeline.decide import CONTEXT_DEAD, REVIEW, decide
from notes_pipeline.errors import UserError
from notes_pipeline.flags import RULES
from notes_pipeline.labels import FORMULA_STARTS, Label, guarded, read_labels, set_label, unguarded, verdicts
from notes_pipeline.records import DECISIONS, QUALITIES, Chunk, Finding
from notes_pipeline.report.rules import REMARKS
from notes_pipeline.settings import Settings

CASES = sorted((Path(__file__).parent / "cases" / "decide").glob("*/case.json"))
SETTINGS = Settings()


def chunk_of(case: dict[str, Any]) -> Chunk:
    """A chunk with the words and findings of a case."""
    chunk = build.chunk("text " * 5)
    if case.get("row"):
        chunk = build.row_chunk(build.row(2, [("Flour", "rye")]))
    findings = tuple(Finding(rule, 0, 1, "why") for rule in case.get("findings", ()))
    return replace(chunk, word_count=case["words"], findings=findings)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.parent.name)
def test_decision_and_the_rule_that_made_it(path: Path) -> None:
    """Quality by the bands of its kind, decision by the first rule that says so, its name the reason."""
    case = json.loads(path.read_text(encoding="utf-8"))
    chunk = chunk_of(case)
    labels = {chunk.content_hash: case["verdict"]} if "verdict" in case else {}
    decided = decide(chunk, SETTINGS, labels)

    assert case["expected"] == [decided.quality, decided.decision, decided.decision_reason]


RULE = st.sampled_from(sorted({rule.name for rule in RULES}))


@given(
    st.integers(0, 600), st.booleans(), st.lists(RULE, max_size=4), st.sampled_from([None, "keep", "omit"])
)
def test_every_decision_is_known_explained_and_stable(
    words: int, row: bool, findings: list[str], verdict: str | None
) -> None:
    """Whatever the chunk: known values, a reason, the verdict obeyed, the same again."""
    chunk = chunk_of({"words": words, "row": row, "findings": findings})
    labels = {chunk.content_hash: verdict} if verdict else {}
    decided = decide(chunk, SETTINGS, labels)

    assert decided.quality in QUALITIES
    assert decided.decision in DECISIONS
    assert decided.decision_reason
    assert verdict in (None, decided.decision)
    assert decided == decide(decided, SETTINGS, labels)


@given(st.integers(16, 600), st.lists(RULE, max_size=4))
def test_a_note_of_more_than_fifteen_words_is_never_omitted(words: int, findings: list[str]) -> None:
    """No rule of wording takes a note's longer chunk away: a person looks at it."""
    decided = decide(chunk_of({"words": words, "findings": findings}), SETTINGS)

    assert decided.decision in ("keep", "review")


def test_the_action_table_names_rules_that_exist() -> None:
    """Every rule that leads somewhere is in the rule table, or a remark of those who make chunks."""
    assert set() == (CONTEXT_DEAD | REVIEW) - {rule.name for rule in RULES} - REMARKS.keys()


def test_the_last_label_on_a_content_stands(tmp_path: Path) -> None:
    """A reviewer may change their mind by adding a line; columns may stand in any order."""
    path = tmp_path / "labels.csv"
    path.write_text(
        "verdict,content_hash,note\nomit,aa,\nkeep,bb,fine\nkeep,aa,after all\n", encoding="utf-8"
    )

    assert verdicts(read_labels(path)) == {"aa": "keep", "bb": "keep"}


@given(st.text(), st.text())
def test_a_label_comes_back_as_it_was_written(chunk_id: str, note: str) -> None:
    """No cell is a formula, in whatever a spreadsheet opens; read back it is what the reviewer meant."""
    for text in (chunk_id, note, f"={note}", f"'={note}", f"''{note}"):
        assert unguarded(guarded(text)) == text
        assert not guarded(text).startswith(FORMULA_STARTS)


def test_a_label_on_a_file_named_like_a_formula_still_matches(tmp_path: Path) -> None:
    """The command's line and the line copied from ``flagged.csv`` say the same."""
    path = tmp_path / "labels.csv"
    label = Label("aa", "=cmd|calc.md#3", "pointer", "omit", "-1 for this")
    set_label(path, label)

    assert path.read_text(encoding="utf-8").splitlines()[1] == "aa,'=cmd|calc.md#3,pointer,omit,'-1 for this"
    assert read_labels(path) == [label]


def test_no_labels_where_there_is_no_file(tmp_path: Path) -> None:
    """A workspace without labels has none."""
    assert read_labels(tmp_path / "labels.csv") == []


@pytest.mark.parametrize(
    ("content", "place"),
    [("content_hash,verdict\naa,perhaps\n", ":2"), ("chunk_id,verdict\naa,keep\n", ":1")],
)
def test_a_wrong_label_names_its_line(tmp_path: Path, content: str, place: str) -> None:
    """A label that means nothing is refused with file, line and remedy."""
    path = tmp_path / "labels.csv"
    path.write_text(content, encoding="utf-8")

    with pytest.raises(UserError) as error:
        read_labels(path)

    assert error.value.place == f"{path}{place}"
    assert error.value.remedy
