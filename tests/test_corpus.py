"""One corpus from many parts: order, duplicates, tables on disk, and a publication that survives crashes."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import build
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from notes_pipeline.corpus.generations import (
    TABLES,
    current,
    previous,
    publish,
    recover,
    stage,
)
from notes_pipeline.corpus.history import KEPT_RUNS, earlier, read_history, record_run, runs
from notes_pipeline.corpus.laws import violations
from notes_pipeline.corpus.merge import Corpus, merge
from notes_pipeline.corpus.merge_files import stage_files
from notes_pipeline.corpus.parquet import (
    ROWS_PER_GROUP,
    read_metadata,
    read_table,
    table_writer,
    write_table,
)
from notes_pipeline.corpus.reading import read_corpus
from notes_pipeline.decide import decide
from notes_pipeline.errors import UserError
from notes_pipeline.records import CHUNKS, Chunk, from_table, to_table
from notes_pipeline.settings import Settings

NOTES = {
    "b/two.md": "# Two\n\nText of the second note.\n\n# Shared\n\nThe same words.\n",
    "a/one.md": "# Shared\n\nThe same words.\n\n# One\n\nText of the first note.\n",
    "three.md": "Text of the third note.\n",
}


def corpus_of(notes: dict[str, str]) -> Corpus:
    """The corpus of some notes, one chunk a section."""
    documents = [build.document(text, path) for path, text in notes.items()]
    return merge(documents, [chunk for it in documents for chunk in build.chunks(it)], [])


class Crash(Exception):
    """The process dies here."""


@contextmanager
def crash_at(step: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The ``step``-th change of a name on the disk fails before it is done, and every later one too."""
    done = [0]

    def dying(original: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object, **kwargs: object) -> object:
            done[0] += 1
            if done[0] > step:
                raise Crash
            return original(*args, **kwargs)

        return call

    with monkeypatch.context() as patch:
        for owner, name in ((os, "replace"), (os, "link"), (os, "mkdir"), (Path, "symlink_to")):
            patch.setattr(owner, name, dying(getattr(owner, name)))
        yield done


# Merging ------------------------------------------------------------------------------------------


def test_chunks_come_by_path_and_index_however_the_work_was_divided() -> None:
    """The corpus does not depend on the order in which parts arrive."""
    documents = [build.document(text, path) for path, text in NOTES.items()]
    chunks = [chunk for it in documents for chunk in build.chunks(it)]
    expected = merge(documents, chunks, [])
    for seed in range(5):
        random.Random(seed).shuffle(documents)
        random.Random(seed).shuffle(chunks)

        assert expected == merge(documents, chunks, [])
    assert [(chunk.source_path, chunk.chunk_index) for chunk in expected.chunks] == [
        ("a/one.md", 0),
        ("a/one.md", 1),
        ("b/two.md", 0),
        ("b/two.md", 1),
        ("three.md", 0),
    ]


def test_a_later_twin_points_at_the_first_of_its_kind_in_whatever_file() -> None:
    """Same heading path and text in another file: the first in corpus order is the original."""
    corpus = corpus_of(NOTES)
    first, _, _, twin, _ = corpus.chunks

    assert first.content_hash == twin.content_hash
    assert None is first.duplicate_of
    assert first.chunk_id == twin.duplicate_of
    assert corpus.counts["duplicates"] == 1


def test_merging_again_forgets_twins_that_are_gone() -> None:
    """A chunk once marked as a duplicate is none when its original is not there."""
    twin = corpus_of(NOTES).chunks[3]
    merged = merge([], [twin], [])

    assert None is merged.chunks[0].duplicate_of


def test_a_problem_of_a_whole_file_becomes_its_state() -> None:
    """A workbook found broken while it was parsed is a state in documents, not a loss of text."""
    book = build.workbook()
    merged = merge(
        [book], [], [build.discard("password_protected", book.source_path, detail="ask its owner")]
    )

    assert (merged.documents[0].state, merged.documents[0].error) == ("password_protected", "ask its owner")
    assert merged.discards == ()
    assert (merged.counts["documents"], merged.counts["read"]) == (1, 0)


def test_a_discard_with_a_place_keeps_its_reason_even_if_it_reads_like_a_state() -> None:
    """An empty row is a row, not an empty file."""
    book = build.workbook()
    row = build.discard("empty", book.source_path, sheet="Sheet1", row_number=4)
    merged = merge([book], [], [row])

    assert merged.documents[0].state == "read"
    assert (row,) == merged.discards


def test_documents_of_a_corpus_carry_no_content() -> None:
    """What was read stays in the snapshot."""
    assert {None} == {document.text for document in corpus_of(NOTES).documents}


# Tables -------------------------------------------------------------------------------------------


def test_a_table_comes_back_as_it_was_written(tmp_path: Path) -> None:
    """Records, to a file, and back; the footer too."""
    chunks = list(corpus_of(NOTES).chunks)
    write_table(tmp_path / "x.parquet", to_table(chunks, CHUNKS), {"build_hash": "abc", "a": "ü"})

    assert chunks == list(from_table(read_table(tmp_path / "x.parquet"), Chunk))
    assert read_metadata(tmp_path / "x.parquet") == {"build_hash": "abc", "a": "ü"}
    assert [path.name for path in tmp_path.iterdir()] == ["x.parquet"]


@given(st.lists(st.integers(0, ROWS_PER_GROUP + 3), max_size=6), st.integers(1, 5))
def test_bytes_do_not_depend_on_the_batches_they_came_in(cuts: list[int], parts: int) -> None:
    """Workers deliver batches of any size; the file is the same."""
    import tempfile

    total = ROWS_PER_GROUP + parts
    table = pa.table({"n": pa.array(range(total)), "s": pa.array([f"text {n % 7}" for n in range(total)])})
    borders = sorted({0, total, *(min(cut, total) for cut in cuts)})
    batches = [
        batch for start, end in pairwise(borders) for batch in table.slice(start, end - start).to_batches()
    ]
    with tempfile.TemporaryDirectory() as folder:
        whole, pieces = Path(folder, "whole"), Path(folder, "pieces")
        write_table(whole, table, {"k": "v"})
        with table_writer(pieces, table.schema) as writer:
            writer.write_all(batches)
            writer.metadata = {"k": "v"}

        assert whole.read_bytes() == pieces.read_bytes()


def test_a_failed_write_leaves_the_old_file_and_no_rubbish(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A crash while writing: readers still see the last good table."""
    path = tmp_path / "x.parquet"
    write_table(path, pa.table({"n": [1]}))
    with crash_at(0, monkeypatch), pytest.raises(Crash):
        write_table(path, pa.table({"n": [2]}))

    assert read_table(path)["n"].to_pylist() == [1]
    assert [path] == list(tmp_path.iterdir())


def test_a_damaged_table_is_named_with_its_remedy(tmp_path: Path) -> None:
    """A truncated file gives one clear error."""
    path = tmp_path / "x.parquet"
    path.write_bytes(b"PAR1")

    with pytest.raises(UserError) as error:
        read_table(path)

    assert (str(path), True) == (error.value.place, bool(error.value.remedy))


# Generations --------------------------------------------------------------------------------------


def staged_and_published(data: Path, corpus: Corpus, parts: dict[str, Path] | None = None) -> str:
    """Stages and publishes a corpus; returns its build hash."""
    generation = stage(data, corpus, settings_hash="s" * 12, partitions=parts)
    publish(data, generation)
    return generation.build_hash


def seen(data: Path) -> set[str]:
    """Build hashes of all tables as a reader finds them under their promised names."""
    return {read_metadata(data / f"{name}.parquet")["build_hash"] for name in TABLES}


OTHER = {**NOTES, "three.md": "The third note was edited.\n"}


def test_a_staged_build_is_not_seen_until_it_is_published(tmp_path: Path) -> None:
    """Checks look at the new build while readers see the old one."""
    data = tmp_path / "data"
    old = staged_and_published(data, corpus_of(NOTES))
    new = stage(data, corpus_of(OTHER), settings_hash="s" * 12)

    assert {old} == seen(data)
    assert new.build_hash == read_metadata(new.table("chunks"))["build_hash"]
    publish(data, new)
    assert {new.build_hash} == seen(data)
    assert (tmp_path / "qa" / "latest").resolve() == new.qa.resolve()


def test_the_same_products_have_the_same_hash_and_others_another(tmp_path: Path) -> None:
    """The build hash hangs on the content: same notes and settings, same hash, same bytes."""
    one = stage(tmp_path / "one" / "data", corpus_of(NOTES), settings_hash="s")
    two = stage(tmp_path / "two" / "data", corpus_of(NOTES), settings_hash="s")

    assert one.build_hash == two.build_hash
    assert one.table("chunks").read_bytes() == two.table("chunks").read_bytes()
    assert one.build_hash != stage(tmp_path / "one" / "data", corpus_of(OTHER), settings_hash="s").build_hash
    assert one.build_hash != stage(tmp_path / "one" / "data", corpus_of(NOTES), settings_hash="t").build_hash


@pytest.mark.parametrize("first_build", [True, False])
def test_a_crash_at_any_step_leaves_all_products_of_one_build_in_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first_build: bool
) -> None:
    """Whatever step dies: readers see one whole build, and the next build succeeds as if nothing was."""
    part = tmp_path / "part.parquet"
    write_table(part, pa.table({"n": [1]}))
    for step in range(100):
        data = tmp_path / f"at-{step}" / "data"
        old = None if first_build else staged_and_published(data, corpus_of(NOTES))
        with crash_at(step, monkeypatch) as done:
            try:
                new = staged_and_published(data, corpus_of(OTHER), {"markdown_chunks/p.parquet": part})
            except Crash:
                new = None
        assert current(data) is not None or old is None
        if current(data) is not None and (data / "documents.parquet").exists():
            assert len(seen(data)) == 1
        if old is not None:
            assert seen(data) <= {old, _hash_of(tmp_path, OTHER)}
        if step % 2:  # staging sweeps too; either is enough
            recover(data)
        assert _hash_of(tmp_path, OTHER) == staged_and_published(
            data, corpus_of(OTHER), {"m/p.parquet": part}
        )
        assert {_hash_of(tmp_path, OTHER)} == seen(data)
        assert leftovers(data) == []
        if new is not None:
            assert done[0] <= step
            return
    pytest.fail("the build never finished")


def _hash_of(tmp_path: Path, notes: dict[str, str]) -> str:
    return stage(tmp_path / "reference" / "data", corpus_of(notes), settings_hash="s" * 12).build_hash


def leftovers(data: Path) -> list[str]:
    """What a crash left under ``data``."""
    return [path.name for path in data.rglob("*") if path.name.startswith((".staging", ".link", ".tmp"))]


def test_only_the_current_and_the_previous_build_stay(tmp_path: Path) -> None:
    """Five builds later two are on the disk."""
    data = tmp_path / "data"
    hashes = [
        staged_and_published(data, corpus_of({**NOTES, "three.md": f"Version {n}.\n"})) for n in range(5)
    ]

    assert hashes[-2:] == [
        generation.build_hash for generation in (previous(data), current(data)) if generation
    ]
    assert set(hashes[-2:]) == {
        path.name for path in (data / ".generations").iterdir() if path.is_dir() and not path.is_symlink()
    }


def test_a_generation_keeps_the_partition_products_it_was_made_from(tmp_path: Path) -> None:
    """The next build replaces a product; the published build still holds the old one."""
    data, part = tmp_path / "data", tmp_path / "data" / "markdown_chunks" / "p.parquet"
    write_table(part, pa.table({"n": [1]}))
    generation = stage(
        data, corpus_of(NOTES), settings_hash="s", partitions={"markdown_chunks/p.parquet": part}
    )
    write_table(part, pa.table({"n": [2]}))

    held = generation.partitions / "markdown_chunks" / "p.parquet"
    assert read_table(held)["n"].to_pylist() == [1]


def test_staging_the_same_products_again_follows_renewed_partitions(tmp_path: Path) -> None:
    """Same corpus from rewritten products: same hash, the links follow, what is gone goes."""
    data, part = tmp_path / "data", tmp_path / "data" / "markdown_chunks" / "p.parquet"
    write_table(part, pa.table({"n": [1]}))
    first = stage(data, corpus_of(NOTES), settings_hash="s", partitions={"a/p": part, "a/q": part})
    write_table(part, pa.table({"n": [2]}))
    again = stage(data, corpus_of(NOTES), settings_hash="s", partitions={"a/p": part})

    assert first == again
    assert read_table(again.partitions / "a" / "p")["n"].to_pylist() == [2]
    assert not (again.partitions / "a" / "q").exists()


def test_a_published_corpus_holds_the_laws(tmp_path: Path) -> None:
    """What lies on the disk is what the laws were shown."""
    corpus = corpus_of(NOTES)
    data = tmp_path / "data"
    staged_and_published(data, corpus)
    documents = [build.document(text, path) for path, text in NOTES.items()]
    chunks = list(from_table(read_table(data / "chunks.parquet"), Chunk))
    sections = [section for document in documents for section in build.sections(document)]

    assert list(violations(documents, sections, [], chunks, [], Settings())) == []


# History ------------------------------------------------------------------------------------------


def test_the_last_ten_builds_can_be_compared(tmp_path: Path) -> None:
    """Runs are numbered from 1 without end; tables of ten are kept, lines of all."""
    chunks = list(corpus_of(NOTES).chunks)
    numbers = [record_run(tmp_path, chunks, {"keep": n}, f"build{n}") for n in range(12)]

    assert list(range(1, 13)) == numbers
    assert list(range(3, 13)) == [int(path.stem) for path in runs(tmp_path / "runs")]
    assert len(runs(tmp_path / "runs")) == KEPT_RUNS
    assert list(range(12)) == [entry["keep"] for entry in read_history(tmp_path / "history.jsonl")]
    assert [chunk.chunk_id for chunk in chunks] == read_table(tmp_path / "runs" / "12.parquet")[
        "chunk_id"
    ].to_pylist()


def test_a_build_that_changed_nothing_is_no_new_table_and_no_second_line(tmp_path: Path) -> None:
    """The very products again, or a build killed after its line: told once, compared with the one before."""
    chunks = list(corpus_of(NOTES).chunks)
    path = tmp_path / "history.jsonl"
    record_run(tmp_path, chunks, {"keep": 1}, "first")

    assert [record_run(tmp_path, chunks, {"keep": n}, "same") for n in (2, 3)] == [2, 2]
    assert len(runs(tmp_path / "runs")) == 2
    assert [entry["keep"] for entry in read_history(path)] == [1, 3]
    assert [entry["keep"] for entry in earlier(path, "same")] == [1]
    assert [entry["keep"] for entry in earlier(path, "next")] == [1, 3]


def test_what_a_killed_writer_left_is_swept_by_the_next_build(tmp_path: Path) -> None:
    """Temporary files go where their process is gone; those of a living one stay."""
    data, qa = tmp_path / "data", tmp_path / "qa"
    left = [data / ".generations", data / "source_files", data / ".generations" / "abc" / "qa", qa / "runs"]
    for folder in left:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f".{2**31 - 1}-x.tmp").write_text("half")
    alive = data / "source_files" / f".{os.getpid()}-x.tmp"
    alive.write_text("being written")

    recover(data)

    assert [*tmp_path.rglob(".*.tmp")] == [alive]


def test_a_line_cut_by_a_crash_costs_only_itself(tmp_path: Path) -> None:
    """History survives half a line."""
    path = tmp_path / "history.jsonl"
    path.write_text('{"keep": 1}\n{"keep": 2, "re', encoding="utf-8")
    record_run(tmp_path, list(corpus_of(NOTES).chunks), {"keep": 3}, "x")

    assert [entry["keep"] for entry in read_history(path)] == [1, 3]


# From tables --------------------------------------------------------------------------------------


def written(folder: Path, parts: list[list[Chunk]]) -> list[Path]:
    """Chunks as the tables of partitions."""
    paths = [folder / f"part{at}.parquet" for at in range(len(parts))]
    for path, chunks in zip(paths, parts, strict=True):
        write_table(path, to_table(chunks, CHUNKS))
    return paths


@pytest.mark.parametrize("sort", [True, False])
@pytest.mark.parametrize("group", [3, 8_192])
def test_merging_tables_and_merging_records_give_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, group: int, sort: bool
) -> None:
    """Partitions interleave (files at the root lie between folders); rows come in groups of any size."""
    monkeypatch.setattr("notes_pipeline.corpus.merge_files.ROWS_PER_GROUP", group)
    monkeypatch.setattr("notes_pipeline.corpus.parquet.ROWS_PER_GROUP", group)
    monkeypatch.setattr("notes_pipeline.corpus.merge_files._BATCH", 2)
    notes = {
        f"{folder}/{n}.md": f"# T{n % 4}\n\nOf {n % 4}.\n\n# U\n\nMore of {n}.\n"
        for n in range(9)
        for folder in "ab"
    }
    notes |= {"a-b.md": "Between.\n", "aa.md": "# T1\n\nOf 1.\n", "z.md": "Last.\n"}
    documents = [build.document(text, path) for path, text in notes.items()]
    parts: dict[str, list[Chunk]] = {}
    for document in sorted(documents, key=lambda it: it.source_path) if sort else documents[::-1]:
        parts.setdefault(document.notebook, []).extend(build.chunks(document))
    losses = [build.discard("front_matter", "z.md"), build.discard("binary", "aa.md")]
    every = [chunk for chunks in parts.values() for chunk in chunks]
    one = stage(tmp_path / "one" / "data", merge(documents, every, losses), settings_hash="s")
    paths = written(tmp_path, [*parts.values(), []])
    two = stage_files(tmp_path / "two" / "data", documents, losses, paths, settings_hash="s")

    assert one.build_hash == two.build_hash
    assert [one.table(name).read_bytes() for name in TABLES] == [
        two.table(name).read_bytes() for name in TABLES
    ]


def test_a_label_changes_its_chunk_at_the_merge(tmp_path: Path) -> None:
    """A verdict given after the chunks were judged is obeyed, and touches no other chunk."""
    chunks = list(corpus_of(NOTES).chunks)
    labels = {chunks[1].content_hash: "omit"}
    generation = stage_files(
        tmp_path / "data",
        [],
        [],
        written(tmp_path, [chunks]),
        settings_hash="s",
        labelled=labels,
        judge=lambda chunk: decide(chunk, Settings(), labels),
    )
    corpus = read_corpus(generation)

    assert {"omit"} == {chunk.decision for chunk in corpus.chunks if chunk.content_hash in labels}
    assert corpus.counts["omit"] == 1


def test_nothing_to_merge_is_an_empty_corpus(tmp_path: Path) -> None:
    """No notebook, no chunk: three empty tables."""
    corpus = read_corpus(stage_files(tmp_path / "data", [], [], [], settings_hash="s"))

    assert (len(corpus.chunks), list(corpus.chunks), corpus.documents) == (0, [], ())


def test_a_corpus_read_back_is_the_corpus_that_was_staged(tmp_path: Path) -> None:
    """Counts, documents, and every chunk by its place."""
    corpus = corpus_of(NOTES)
    again = read_corpus(stage(tmp_path / "data", corpus, settings_hash="s"))

    assert corpus.counts == again.counts
    assert corpus.documents == again.documents
    assert list(corpus.chunks) == list(again.chunks)
    assert list(corpus.chunks) == [again.chunks[at] for at in range(len(again.chunks))]
    assert corpus.chunks[-1] == again.chunks[-1]
    assert list(corpus.chunks[1:3]) == list(again.chunks[1:3])
