"""A corpus and what is known about its making -> one ``Report``.

Belongs here: which numbers a report has and where each comes from. Pure: no file is read or written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from notes_pipeline.corpus.merge import Corpus
from notes_pipeline.labels import Label
from notes_pipeline.records import QUALITIES, Chunk, Document, Row, Sheet, revised
from notes_pipeline.report.data import Histogram, Report, RunFacts, Totals
from notes_pipeline.report.losses import discard_groups, discarded_rows
from notes_pipeline.report.rules import RuleTally
from notes_pipeline.report.sample import is_flagged, sample
from notes_pipeline.report.score import BIN, FACT_LIKE, retrieval_score
from notes_pipeline.report.tallies import (
    clusters,
    counts,
    file_rows,
    histogram,
    unit_histogram,
    word_histogram,
)
from notes_pipeline.report.workbooks import WorkbookTally
from notes_pipeline.rows.templates.registry import Registry
from notes_pipeline.settings import Settings

CLUSTERS = 20
"""Clusters of duplicates that are shown, the largest; all duplicates are counted."""

NO_TEMPLATES = Registry()

COMPARED = ("chunks", "keep", "review", "omit", "discards", "lost")


def build_report(
    corpus: Corpus,
    *,
    run: RunFacts,
    settings: Settings,
    lost: int,
    sections: int = 0,
    rows: Iterable[Row] = (),
    sheets: Sequence[Sheet] = (),
    registry: Registry = NO_TEMPLATES,
    failing: Iterable[str] = (),
    labels: Iterable[Label] = (),
    history: Sequence[Mapping[str, Any]] = (),
) -> Report:
    """The report on ``corpus``; deltas are against the last line of ``history`` (earlier metrics).

    ``lost`` comes from the laws, which counted it. ``rows`` come workbook by workbook and are read
    once; only what the discards name is kept of them. ``registry`` are the templates they were made by,
    ``failing`` one line each of them that fails its own tests.
    """
    before = history[-1] if history else {}
    seen = _Seen(corpus)
    tally = WorkbookTally(seen.facts, corpus.discards, registry)
    gone, met = discarded_rows(corpus.discards, tally.watch(rows))
    totals = _totals(corpus, seen, sections=sections, rows=met, lost=lost)
    types = counts((chunk.semantic_type for chunk in seen.facts), before.get("semantic_types"))
    files = file_rows(corpus.documents, seen.facts, corpus.discards)
    return Report(
        run=run,
        totals=totals,
        deltas={name: _delta(getattr(totals, name), before.get(name)) for name in COMPARED},
        states=counts(document.state for document in corpus.documents),
        other_kinds=counts(_suffix(it) for it in corpus.documents if it.state == "unsupported"),
        qualities=counts((chunk.quality for chunk in seen.facts), before.get("quality"), QUALITIES),
        reasons=counts(f"{chunk.decision}: {chunk.decision_reason}" for chunk in seen.facts),
        semantic_types=types,
        general_share=next((it.share for it in types if it.name == "general"), 0.0),
        rules=seen.rules.rows(labels, before.get("rules")),
        words=_word_histograms(seen.facts, settings),
        scores=unit_histogram("Retrieval score", "score", seen.scores, BIN),
        mean_score=sum(seen.scores) / max(len(seen.scores), 1),
        chunks_per_file=_chunks_per_file([row.chunks for row in files if row.document.state == "read"]),
        files=files,
        workbooks=tally.workbooks(sheets, failing),
        sample=sample(corpus.chunks, seen.facts, run.settings_hash),
        flagged=tuple(seen.flagged),
        discards=discard_groups(corpus.discards, gone),
        discarded_rows=gone,
        clusters=clusters(corpus.chunks, seen.facts, CLUSTERS),
        history=tuple(history),
    )


class _Seen:
    """What one look at every chunk leaves: facts without texts, and the few texts that will be shown."""

    def __init__(self, corpus: Corpus) -> None:
        self.facts: list[Chunk] = []
        self.scores: list[float] = []
        self.flagged: list[Chunk] = []
        self.rules = RuleTally()
        tags = {document.source_path: len(document.tags) for document in corpus.documents}
        for chunk in corpus.chunks:
            self.scores.append(retrieval_score(chunk, tags))
            self.rules.add(chunk)
            if is_flagged(chunk):
                self.flagged.append(chunk)
            self.facts.append(revised(chunk, text="", embed_text=""))


def _totals(corpus: Corpus, seen: _Seen, *, sections: int, rows: int, lost: int) -> Totals:
    kept = [chunk.word_count for chunk in seen.facts if chunk.decision == "keep"]
    return Totals(
        files=corpus.counts["documents"],
        read=corpus.counts["read"],
        notebooks=len({document.notebook for document in corpus.documents}),
        sections=sections,
        rows=rows,
        chunks=corpus.counts["chunks"],
        keep=corpus.counts["keep"],
        review=corpus.counts["review"],
        omit=corpus.counts["omit"],
        flagged=len(seen.flagged),
        discards=corpus.counts["discards"],
        discarded_rows=sum(discard.row_number is not None for discard in corpus.discards),
        duplicates=corpus.counts["duplicates"],
        words=corpus.counts["words"],
        average_words=sum(kept) / max(len(kept), 1),
        fact_like=sum(chunk.semantic_type in FACT_LIKE for chunk in seen.facts),
        lost=lost,
    )


def _suffix(document: Document) -> str:
    return f".{document.source_type}" if document.source_type else ""


def _delta(now: int, before: Any) -> int | None:
    return now - before if isinstance(before, int) else None


def _word_histograms(chunks: Sequence[Chunk], settings: Settings) -> tuple[Histogram, ...]:
    notes = [chunk for chunk in chunks if chunk.row_number is None]
    rows = [chunk for chunk in chunks if chunk.row_number is not None]
    made = []
    if notes:
        made.append(word_histogram("Words per chunk, notes", notes, settings.bands))
    if rows:
        made.append(word_histogram("Words per chunk, rows", rows, settings.excel.bands))
    return tuple(made)


def _chunks_per_file(values: Sequence[int]) -> Histogram:
    step = max(1, -(-max(values, default=1) // 20))
    return histogram("Chunks per file", "chunks", values, step, 21)
