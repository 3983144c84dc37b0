"""Each law, shown a build that breaks it and nothing else: a law that never speaks proves nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import pairwise

import build
import pytest

from notes_pipeline.corpus.laws import CORPUS_LAWS, LAWS, group, lost, violations
from notes_pipeline.corpus.laws.rows import rows_add_up
from notes_pipeline.ids import content_hash
from notes_pipeline.records import Chunk, Discard, Document, Finding, Row, Section
from notes_pipeline.settings import PRESETS, Settings

TEXT = """---
title: Bread
---

# Flour

Rye holds more water than wheat does.

- light rye
- dark rye

# Oven

Bake it hot:

```
mill --grind

mill --bake
```

The crust tells when it is done.
"""
FRONT = len("---\ntitle: Bread\n---")


@dataclass
class Built:
    """A whole small build that may be broken before the laws look at it."""

    documents: list[Document]
    sections: list[Section]
    chunks: list[Chunk]
    discards: list[Discard]
    rows: list[Row] = field(default_factory=list)
    settings: Settings = field(default_factory=Settings)

    def broken(self) -> set[str]:
        """Names of the laws that do not hold."""
        found = violations(
            self.documents, self.sections, self.rows, self.chunks, self.discards, self.settings
        )
        return {violation.law for violation in found}

    def change(self, at: int, **changes: object) -> None:
        """Changes one chunk, its content hash following its text."""
        changed = replace(self.chunks[at], **changes)
        self.chunks[at] = replace(changed, content_hash=content_hash(changed.heading_path, changed.text))

    def recut(self, *borders: int) -> None:
        """The note's body cut at these offsets, as chunks that are exact slices."""
        note, text = self.documents[0], self.documents[0].text or ""
        places = [*borders, len(text)]
        lines = build.Lines(text)
        self.chunks = [
            build.chunk(
                text[start:end],
                ("Cut",),
                locator=f"note.md#{at}",
                chunk_index=at,
                char_start=start,
                char_end=end,
                start_line=lines.range(start, end)[0],
                end_line=lines.range(start, end)[1],
                chunk_id=f"{note.source_path}#{at}",
            )
            for at, (start, end) in enumerate(pairwise(places))
        ]


def good() -> Built:
    """A build in which every law holds: two sections, a workbook, a discard of each kind."""
    note = build.document(TEXT, front_matter_end=FRONT)
    front = build.discard(
        "front_matter", text=TEXT[:FRONT], char_start=0, char_end=FRONT, start_line=1, end_line=3
    )
    body = build.document(TEXT.replace("---\ntitle: Bread\n---", " " * FRONT, 1))
    sections = [section for section in build.sections(body) if section.level]
    chunks = build.chunks(note, sections)
    book = build.workbook()
    rows = [build.row(n, [("Flour", f"rye {n}"), ("Mill", "Aldbeck")]) for n in (2, 3)]
    header = build.row(1, [("Flour", "Flour"), ("Mill", "Mill")], kind="header")
    skipped = build.discard("total", book.source_path, text="5", sheet="Sheet1", row_number=3)
    return Built(
        documents=[book, note],
        sections=sections,
        chunks=[build.row_chunk(rows[0]), *chunks],
        discards=[front, skipped],
        rows=[header, *rows],
    )


def note_only() -> Built:
    """The note alone, chunk 0 the flour, chunk 1 the oven."""
    whole = good()
    return replace(
        whole, documents=whole.documents[1:], chunks=whole.chunks[1:], discards=whole.discards[:1], rows=[]
    )


BODY = TEXT.index("# Flour")


def uncovered(built: Built) -> None:
    built.chunks.pop()


def covered_twice(built: Built) -> None:
    start = TEXT.index("- light")
    built.discards.append(
        build.discard("twice", text="- light", char_start=start, char_end=start + 7, start_line=9, end_line=9)
    )


def discards_overlap(built: Built) -> None:
    built.discards.append(replace(built.discards[0], reason="again"))


def not_a_slice(built: Built) -> None:
    built.change(0, text=built.chunks[0].text.upper())


def discard_not_a_slice(built: Built) -> None:
    built.discards[0] = replace(built.discards[0], text_length=3)


def wrong_line(built: Built) -> None:
    built.change(1, start_line=1)


def window_inside_another(built: Built) -> None:
    built.recut(BODY, TEXT.index("# Oven"))
    first = built.chunks[0]
    inside = replace(
        first,
        text="Rye holds",
        char_start=TEXT.index("Rye holds"),
        char_end=TEXT.index("Rye holds") + 9,
        start_line=7,
        end_line=7,
        chunk_index=1,
        chunk_id="note.md#x",
        locator="note.md#9",
    )
    inside = replace(inside, content_hash=content_hash(inside.heading_path, inside.text))
    built.chunks = [first, inside, replace(built.chunks[1], chunk_index=2)]


def overlap_without_a_setting(built: Built) -> None:
    start = TEXT.index("- dark rye")
    end = built.chunks[1].char_end or 0
    built.change(1, text=TEXT[start:end], char_start=start, start_line=10)


def cut_fence(built: Built) -> None:
    built.recut(BODY, TEXT.index("mill --bake"))


def cut_item(built: Built) -> None:
    built.recut(BODY, TEXT.index("dark"))


def cut_word(built: Built) -> None:
    built.recut(BODY, TEXT.index("ust tells"))


def heading_alone(built: Built) -> None:
    built.recut(BODY, TEXT.index("# Oven"), TEXT.index("Bake"))


def lead_in_left(built: Built) -> None:
    built.recut(BODY, TEXT.index("```"))
    cut = TEXT.index("\n\n```")
    built.change(0, text=TEXT[BODY:cut], char_end=cut, end_line=14)


def too_many_words(built: Built) -> None:
    built.change(0, word_count=301)


def too_many_characters(built: Built) -> None:
    limits = PRESETS["default"].model_copy(update={"hard_characters": 50, "glue": False})
    built.settings = built.settings.model_copy(update={"preset": limits})


def index_skips(built: Built) -> None:
    built.change(1, chunk_index=2)


def wrong_prefix(built: Built) -> None:
    built.change(0, chunk_id="other.md#aa")


def wrong_hash(built: Built) -> None:
    built.chunks[0] = replace(built.chunks[0], content_hash="0" * 16)


def no_reason(built: Built) -> None:
    built.change(0, decision="omit", decision_reason="")


def unknown_quality(built: Built) -> None:
    built.change(0, quality="fine")


def finding_outside(built: Built) -> None:
    built.change(0, findings=(Finding("pointer", 0, 10_000, "far"),))


def discard_without_reason(built: Built) -> None:
    built.discards[0] = replace(built.discards[0], reason="")


def same_id(built: Built) -> None:
    built.change(1, chunk_id=built.chunks[0].chunk_id)


def twin_unmarked(built: Built) -> None:
    built.recut(BODY)
    first = built.chunks[0]
    other = build.document(TEXT, "other.md")
    built.documents.append(other)
    built.sections += [replace(section, source_path="other.md") for section in built.sections]
    built.discards.append(replace(built.discards[0], source_path="other.md"))
    built.chunks.append(replace(first, source_path="other.md", chunk_id="other.md#aa", locator="other.md#0"))


def out_of_order(built: Built) -> None:
    built.chunks.reverse()
    built.chunks = [replace(chunk, chunk_index=at) for at, chunk in enumerate(built.chunks)]


NOTE_BREAKS: list[tuple[str, Callable[[Built], None]]] = [
    ("coverage", uncovered),
    ("coverage", covered_twice),
    ("coverage", discards_overlap),
    ("slices", not_a_slice),
    ("slices", discard_not_a_slice),
    ("lines", wrong_line),
    ("overlap", window_inside_another),
    ("overlap", overlap_without_a_setting),
    ("overlap", out_of_order),
    ("blocks_whole", cut_fence),
    ("blocks_whole", cut_item),
    ("words_whole", cut_word),
    ("heading_alone", heading_alone),
    ("lead_in", lead_in_left),
    ("hard_limits", too_many_words),
    ("hard_limits", too_many_characters),
    ("order", index_skips),
    ("order", wrong_prefix),
    ("order", wrong_hash),
    ("judgement", no_reason),
    ("judgement", unknown_quality),
    ("judgement", finding_outside),
    ("discard_reason", discard_without_reason),
    ("ids", same_id),
    ("duplicates", twin_unmarked),
]


def test_a_sound_build_holds_every_law() -> None:
    """Notes, rows, front matter, a skipped row and a header: nothing to say."""
    built = good()
    materials = group(built.documents, built.sections, built.rows, built.chunks, built.discards)

    assert set() == built.broken()
    assert sum(lost(material).total for material in materials) == 0


@pytest.mark.parametrize(("law", "break_it"), NOTE_BREAKS, ids=lambda it: getattr(it, "__name__", it))
def test_a_law_speaks_when_it_is_broken(law: str, break_it: Callable[[Built], None]) -> None:
    """The law that is broken speaks; the laws it has nothing to do with are silent."""
    built = note_only()
    assert set() == built.broken()
    break_it(built)

    assert {law} == built.broken()


def test_every_law_is_shown_a_break() -> None:
    """No law stands in the table unproved."""
    assert {*LAWS, *CORPUS_LAWS} == {law for law, _ in NOTE_BREAKS} | {"rows"}


def row_lost(built: Built) -> None:
    built.chunks = built.chunks[1:]


def row_kept_and_discarded(built: Built) -> None:
    built.discards.append(replace(built.discards[-1], row_number=2))


def row_discarded_twice(built: Built) -> None:
    built.discards.append(built.discards[-1])


def row_invented(built: Built) -> None:
    built.discards.append(replace(built.discards[-1], row_number=9))


@pytest.mark.parametrize("break_it", [row_lost, row_kept_and_discarded, row_discarded_twice, row_invented])
def test_rows_must_add_up(break_it: Callable[[Built], None]) -> None:
    """Each row is chunks or one discard; the header is neither and is not missed."""
    built = good()
    break_it(built)

    assert {"rows"} == built.broken()


def test_parts_of_a_cut_row_are_one_row() -> None:
    """A long row in three chunks is one row, not three."""
    built = good()
    first = built.chunks[0]
    parts = [
        replace(
            first,
            part=part,
            chunk_index=part - 1,
            text=f"part {part}",
            chunk_id=f"{first.chunk_id}{part}",
            content_hash=content_hash(first.heading_path, f"part {part}"),
        )
        for part in (1, 2, 3)
    ]
    built.chunks = [*parts, *built.chunks[1:]]

    assert set() == built.broken()


def test_a_cut_row_beside_a_whole_one_are_two_rows() -> None:
    """Of two rows at one place one may be cut into parts and the other not: both are there."""
    built = good()
    other = replace(built.rows[2], table_index=1)
    built.rows.append(other)
    built.discards = [discard for discard in built.discards if discard.row_number != 3]
    built.chunks.append(build.row_chunk(built.rows[2]))
    built.chunks += [replace(build.row_chunk(other), part=part) for part in (1, 2)]
    materials = group(built.documents, built.sections, built.rows, built.chunks, built.discards)
    assert not [found for material in materials for found in rows_add_up(material, built.settings)]


def test_two_tables_side_by_side_have_two_rows_at_one_place() -> None:
    """A row number that two tables share needs two chunks or discards."""
    built = good()
    built.rows.append(replace(built.rows[1], table_index=1))

    assert {"rows"} == built.broken()


def test_lost_counts_characters_and_rows() -> None:
    """What is missing is counted, blanks not."""
    built = good()
    last = built.chunks.pop()
    built.chunks = built.chunks[1:]
    materials = group(built.documents, built.sections, built.rows, built.chunks, built.discards)
    found = [lost(material) for material in materials]

    assert sum(it.rows for it in found) == 1
    assert sum(map(len, last.text.split())) == sum(it.characters for it in found)


def test_blind_presets_may_cut_blocks() -> None:
    """The presets that cut blindly by design are held to slices, not to blocks."""
    built = note_only()
    built.settings = Settings(preset=PRESETS["fixed"])
    built.recut(BODY, BODY + 12, BODY + 40, BODY + 130)

    assert set() == built.broken()


def test_a_block_over_the_limit_may_be_cut_if_it_says_so() -> None:
    """A fence longer than a chunk is cut, and the chunk says it was."""
    limits = PRESETS["default"].model_copy(update={"hard_words": 3, "soft_words": 3})
    built = note_only()
    built.recut(BODY, TEXT.index("mill --bake"))
    built.settings = Settings(preset=limits)
    built.chunks = [replace(chunk, word_count=3) for chunk in built.chunks]

    assert {"blocks_whole"} == built.broken()
    built.chunks = [replace(chunk, is_sub_split=True) for chunk in built.chunks]
    assert set() == built.broken()


def test_a_chunk_of_an_unknown_file_is_a_break() -> None:
    """Nothing comes from a file nobody read."""
    built = note_only()
    built.documents = []

    assert "coverage" in built.broken()
