"""The report: numbers counted once, the same in every view, and a sample that stays where it was."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import build
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reported import corpus, report_of

from notes_pipeline.corpus.merge import Corpus, merge
from notes_pipeline.flags import RULES
from notes_pipeline.labels import Label
from notes_pipeline.report import ARTIFACTS, Report, metrics, write_report
from notes_pipeline.report.charts import BASE, WIDTH, chart
from notes_pipeline.report.marks import segments
from notes_pipeline.report.rules import REMARKS, about, action_of
from notes_pipeline.report.score import retrieval_score
from notes_pipeline.report.tallies import histogram


@pytest.fixture(scope="module")
def report() -> Report:
    """The report on the small corpus."""
    return report_of(corpus())


@pytest.fixture(scope="module")
def folder(report: Report, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its artifacts on disk."""
    path = tmp_path_factory.mktemp("latest")
    write_report(report, path)
    return path


# Numbers ------------------------------------------------------------------------------------------


def test_the_artifacts_are_those_promised(folder: Path) -> None:
    """Every file of qa/latest but retrieval.json, which comes with the evaluation."""
    data = ["metrics.json", "sample.json", "semantic_types.json"]
    tables = ["flagged.json", "flagged.csv", "discarded_rows.json", "discarded_rows.csv"]
    promised = ["summary.md", "report.html", *data, *tables]

    assert sorted(promised) == sorted(ARTIFACTS) == sorted(path.name for path in folder.iterdir())


def test_numbers_are_those_of_the_corpus(report: Report) -> None:
    """Counted by hand: six files of which one is broken, six chunks, one twin, one pointer, one total."""
    totals = report.totals

    assert (totals.files, totals.read) == (6, 5)
    assert 6 == totals.chunks == totals.keep + totals.review + totals.omit
    assert totals.omit == 1
    assert (totals.discards, totals.discarded_rows, totals.duplicates, totals.rows) == (2, 1, 1, 3)
    assert {it.name: it.count for it in report.states} == {"read": 5, "unreadable": 1}
    assert {it.name: it.count for it in report.qualities}["context_dead"] == 1


def test_views_never_disagree(report: Report, folder: Path) -> None:
    """The verdict is the same line in JSON, Markdown and HTML."""
    numbers = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
    summary = (folder / "summary.md").read_text(encoding="utf-8")
    page = (folder / "report.html").read_text(encoding="utf-8")
    totals = report.totals

    assert (totals.keep, totals.omit, totals.lost) == (numbers["keep"], numbers["omit"], numbers["lost"])
    assert f"{totals.keep} chunks kept · {totals.review} for review · {totals.omit} omitted" in summary
    assert f"<b>{totals.keep}</b> chunks kept" in page
    assert f"<b>{totals.lost}</b> lost" in page


def test_metrics_hold_no_note_text_and_no_paths(report: Report) -> None:
    """Metrics may be shown where notes may not."""
    said = json.dumps(metrics(report))

    for private in ("rye", "flour/", "script", "Aldbeck"):
        assert private not in said


def test_differences_are_against_the_build_before() -> None:
    """Nothing to compare with: no difference; else signed."""
    first = report_of(corpus())
    second = report_of(corpus(), history=[{**metrics(first), "keep": 9, "rules": {"pointer": 3}}])

    assert {None} == set(first.deltas.values())
    assert first.totals.keep - 9 == second.deltas["keep"]
    assert next(row.delta for row in second.rules if row.rule == "pointer") == -2


def test_a_rule_s_precision_comes_from_labels(report: Report) -> None:
    """Omit says the rule was right, keep that it was wrong; the last label on a chunk stands."""
    labels = [
        Label("aa", "", "pointer", "keep", ""),
        Label("aa", "", "pointer", "omit", ""),
        Label("bb", "", "pointer", "keep", ""),
        Label("cc", "", "", "keep", "speaks of no rule"),
    ]
    row = next(row for row in report_of(corpus(), labels=labels).rules if row.rule == "pointer")
    unlabelled = next(row for row in report.rules if row.rule == "pointer")

    assert (row.labelled, row.precision) == (2, 0.5)
    assert (unlabelled.labelled, unlabelled.precision) == (0, None)


@pytest.mark.parametrize(("general", "warned"), [(3, False), (4, True)])
def test_too_many_general_types_are_a_warning(general: int, warned: bool) -> None:
    """Thirty per cent is the limit, and the limit itself is allowed."""
    kinds = ["general"] * general + ["factual"] * (10 - general)
    chunks = [
        build.chunk(f"Text {at}.", chunk_index=at, chunk_id=f"note.md#{at}", semantic_type=kind)
        for at, kind in enumerate(kinds)
    ]
    made = report_of(merge([build.document("")], chunks, []), rows=[])
    said = json.loads(ARTIFACTS["semantic_types.json"](made))

    assert warned == made.too_general == (said["warning"] is not None)
    assert warned == ("the types say little" in ARTIFACTS["summary.md"](made))


def test_a_discarded_row_shows_what_it_had(folder: Path) -> None:
    """Empty fields, all fields, words, the cells that name it, and the reason."""
    (row,) = json.loads((folder / "discarded_rows.json").read_text(encoding="utf-8"))["rows"]

    assert (row["empty_fields"], row["total_fields"], row["word_count"], row["reason"]) == (3, 5, 2, "total")
    assert row["key_fields"] == {"Flour": "Sum", "Grams": "=12"}


def test_flagged_chunks_are_the_same_in_json_and_csv(report: Report, folder: Path) -> None:
    """One list, two forms."""
    in_json = json.loads((folder / "flagged.json").read_text(encoding="utf-8"))["chunks"]
    in_csv = list(csv.DictReader(io.StringIO((folder / "flagged.csv").read_text(encoding="utf-8"))))

    assert [it.chunk_id for it in report.flagged] == [it["chunk_id"] for it in in_json]
    assert [it["chunk_id"] for it in in_json] == [it["chunk_id"] for it in in_csv]


@given(st.lists(st.floats(0, 40), max_size=30))
def test_a_histogram_loses_no_value(values: list[float]) -> None:
    """Every value is in one bin, those beyond the last in the open one; bars stay inside the drawing."""
    made = histogram("t", "u", values, 1.5, 12, (("edge", 3),))
    drawn = chart(made)

    assert len(values) == sum(it.count for it in made.bins)
    assert all(bar.x >= 0 and bar.x + bar.width <= WIDTH and 0 <= bar.y <= BASE for bar in drawn.bars)


@given(st.text(max_size=200), st.integers(0, 500), st.booleans())
def test_the_retrieval_score_is_between_0_and_1(text: str, words: int, row: bool) -> None:
    """Whatever the text."""
    chunk = build.row_chunk(build.row(2, [("a", "b")]), text=text) if row else build.chunk(text)

    assert 0 <= retrieval_score(replace(chunk, word_count=words)) <= 1


def test_the_retrieval_score_rewards_what_its_formula_names() -> None:
    """A good length, names, a verb and a sound judgement together beat a bare list of commas."""
    text = "Rye was sown by Marta Holm in 1840, and the harvest was good for a field so high and cold. " * 7
    good = replace(build.chunk(text), semantic_type="timeline")
    poor = replace(build.chunk("rye, wheat, spelt, oats"), quality="fragment", decision="omit")

    assert retrieval_score(good) > 0.9
    assert retrieval_score(poor) == 0.0


@pytest.mark.parametrize("rule", [*(rule.name for rule in RULES), *REMARKS])
def test_the_guide_says_what_each_rule_does(rule: str) -> None:
    """Documentation that cannot rot: each rule stands in docs/report.md with what it leads to."""
    guide = (Path(__file__).parent.parent / "docs" / "report.md").read_text(encoding="utf-8")

    assert f"| `{rule}` | {about(rule)} | {action_of(rule)} |" in guide


# The sample ---------------------------------------------------------------------------------------


def many(count: int) -> Corpus:
    """Notes and rows, every third flagged."""
    chunks = [
        build.chunk(
            f"Text number {at}.",
            chunk_index=at,
            chunk_id=f"note.md#{at}",
            decision="keep" if at % 3 else "review",
        )
        for at in range(count)
    ]
    chunks += [build.row_chunk(build.row(at + 2, [("Flour", "rye")]), at) for at in range(count)]
    return merge([build.document(""), build.workbook()], chunks, [])


def ids(made: Report) -> list[str]:
    """Ids of the sampled chunks."""
    return [card.chunk.chunk_id for card in made.sample]


def test_the_sample_is_the_same_for_the_same_settings() -> None:
    """Seeded by the settings' hash, by nothing else; other settings draw other chunks."""
    assert ids(report_of(many(60))) == ids(report_of(many(60)))
    assert ids(report_of(many(60))) != ids(report_of(many(60), seed="t" * 12))


def test_the_sample_has_every_stratum() -> None:
    """Each source type, flagged and unflagged, six of each where there are six."""
    strata = Counter((card.chunk.source_type, card.flagged) for card in report_of(many(60)).sample)

    assert dict(strata) == {("markdown", True): 6, ("markdown", False): 6, ("excel", False): 6}


def test_a_chunk_more_moves_at_most_one_card() -> None:
    """Each chunk draws its own lot: a new note does not shuffle the sample."""
    before, after = set(ids(report_of(many(60)))), set(ids(report_of(many(61))))

    assert len(before - after) <= 2


def test_cards_show_neighbours_and_what_windows_share() -> None:
    """The chunk before ends in the words with which this one begins: they are marked as shared."""
    first = build.chunk("one two three", chunk_index=0, chunk_id="note.md#a")
    second = build.chunk("three four", chunk_index=1, chunk_id="note.md#b", char_start=8, char_end=18)
    cards = report_of(merge([build.document("one two three four")], [first, second], []), rows=[]).sample

    assert (cards[0].before, cards[0].after) == ("", "three four")
    assert [(it.text, it.mark) for it in cards[0].segments] == [("one two ", ""), ("three", "overlap")]
    assert [(it.text, it.mark) for it in cards[1].segments] == [("three", "overlap"), (" four", "")]


SPANS = st.lists(st.tuples(st.integers(-3, 40), st.integers(-3, 40), st.sampled_from(["a", "b"])), max_size=5)


@given(st.text(max_size=30), SPANS)
def test_marked_pieces_make_up_the_text(text: str, spans: list[tuple[int, int, str]]) -> None:
    """Marks add nothing and drop nothing, wherever they point."""
    assert text == "".join(it.text for it in segments(text, spans))
