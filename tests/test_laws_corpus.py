"""The laws of a whole corpus, over generated notes: from text to published tables, whatever is written."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import markdown_texts

from notes_pipeline.corpus.generations import TABLES, stage
from notes_pipeline.corpus.laws import group, lost, violations
from notes_pipeline.corpus.merge import Corpus, merge
from notes_pipeline.corpus.merge_files import stage_files
from notes_pipeline.corpus.parquet import write_table
from notes_pipeline.decide import decide
from notes_pipeline.flags import Context, flag
from notes_pipeline.records import CHUNKS, Chunk, Discard, Document, Section, to_table
from notes_pipeline.report import ARTIFACTS, RunFacts, build_report
from notes_pipeline.settings import Settings
from notes_pipeline.sources import document_from_bytes
from notes_pipeline.split.chunking import chunk
from notes_pipeline.split.parse import parse

SETTINGS = Settings()
PATHS = ("a.md", "a/one.md", "a/two #2.md", "a-b/100%.md", "Ä/é.md", "z.md")
NOTES = st.dictionaries(st.sampled_from(PATHS), markdown_texts(), min_size=1, max_size=4)


class Made:
    """Notes through reading, cutting, flagging and deciding."""

    def __init__(self, notes: dict[str, str]) -> None:
        self.documents: list[Document] = []
        self.sections: list[Section] = []
        self.chunks: list[Chunk] = []
        self.discards: list[Discard] = []
        for path, text in notes.items():
            document = document_from_bytes(path, text.encode("utf-8", "replace"), SETTINGS)
            own = parse(document, SETTINGS)
            made = chunk(document, own, SETTINGS)
            chunks = [it for it in made if isinstance(it, Chunk)]
            flagged = flag(chunks, Context(document, own, (), SETTINGS))
            self.documents.append(document)
            self.sections += own
            self.chunks += [decide(it, SETTINGS) for it in flagged]
            self.discards += [it for it in made if isinstance(it, Discard)]

    def corpus(self) -> Corpus:
        """All of it merged."""
        return merge(self.documents, self.chunks, self.discards)


@settings(max_examples=60)
@given(NOTES)
def test_every_law_holds_from_text_to_corpus(notes: dict[str, str]) -> None:
    """No law breaks and nothing is lost, and the number of losses was counted."""
    made = Made(notes)
    corpus = made.corpus()
    materials = group(made.documents, made.sections, [], corpus.chunks, corpus.discards)
    broken = violations(made.documents, made.sections, [], corpus.chunks, corpus.discards, SETTINGS)

    assert [str(violation) for violation in broken] == []
    assert sum(lost(material).total for material in materials) == 0


@settings(max_examples=25)
@given(NOTES, st.randoms())
def test_the_bytes_do_not_depend_on_how_the_work_was_divided(
    notes: dict[str, str], chance: random.Random
) -> None:
    """Law 3: any order, any partition, records or tables: the same three files."""
    made = Made(notes)
    groups: dict[int, list[Chunk]] = {}
    for path in notes:
        own = [it for it in made.chunks if it.source_path == path]
        groups.setdefault(chance.randrange(3), []).extend(own)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        parts = [root / f"{number}.parquet" for number in groups]
        for part, own in zip(parts, groups.values(), strict=True):
            write_table(part, to_table(own, CHUNKS))
        shuffled = chance.sample(made.documents, len(made.documents))
        one = stage(root / "one", made.corpus(), settings_hash=SETTINGS.hash)
        two = stage_files(root / "two", shuffled, made.discards[::-1], parts, settings_hash=SETTINGS.hash)

        assert one.build_hash == two.build_hash
        for name in TABLES:
            assert one.table(name).read_bytes() == two.table(name).read_bytes()


@settings(max_examples=25)
@given(NOTES)
def test_every_view_of_the_report_can_be_made(notes: dict[str, str]) -> None:
    """Whatever is written in the notes, the report shows it."""
    run = RunFacts("b" * 12, SETTINGS.hash, "default", "2026-01-02T03:04:05+00:00", 0.1)
    report = build_report(Made(notes).corpus(), run=run, settings=SETTINGS, lost=0)

    for view in ARTIFACTS.values():
        assert view(report)
