"""How notes are cut: cases as files, and what each preset promises by its numbers.

``cases/splitting/<name>/`` holds a note and what must come of it. ``chunks`` lists every chunk, in
order, with what is asked of it; where a note is long, ``each``, ``together`` and the like ask about
all of them. ``why`` says what the case is about.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import regex

from notes_pipeline.records import Chunk, Discard
from notes_pipeline.settings import Settings, preset_named
from notes_pipeline.sources import document_from_bytes
from notes_pipeline.split import chunking
from notes_pipeline.split.chunking import chunk
from notes_pipeline.split.parse import parse
from notes_pipeline.split.pieces import Piece
from notes_pipeline.stages.markdown import chunks_of as chunks_of_note

CASES = Path(__file__).parent / "cases" / "splitting"


def cut(
    data: bytes, preset: str = "default", overrides: dict[str, Any] | None = None, name: str = "note.md"
) -> list[Chunk | Discard]:
    """Chunks and discards of one note."""
    chosen = preset_named(preset)
    settings = Settings(preset=chosen.model_validate({**chosen.model_dump(), **(overrides or {})}))
    document = document_from_bytes(name, data, settings)
    return chunk(document, parse(document, settings), settings)


def chunks_of(made: Sequence[Chunk | Discard]) -> list[Chunk]:
    """The chunks among the records."""
    return [record for record in made if isinstance(record, Chunk)]


LISTED: dict[str, Callable[[Chunk], Any]] = {
    "path": lambda it: list(it.heading_path),
    "lines": lambda it: [it.start_line, it.end_line],
    "text": lambda it: it.text,
    "embed": lambda it: it.embed_text,
    "words": lambda it: it.word_count,
    "sentences": lambda it: it.sentence_count,
    "merged_from": lambda it: list(it.merged_from),
    "sub_split": lambda it: it.is_sub_split,
    "findings": lambda it: [[one.rule, it.text[one.start : one.end]] for one in it.findings],
}
"""What a listed chunk may be asked for, word for word."""

PARTLY: dict[str, Callable[[Chunk, Any], bool]] = {
    "starts": lambda it, wanted: it.text.startswith(wanted),
    "ends": lambda it, wanted: it.text.endswith(wanted),
    "has": lambda it, wanted: all(part in it.text for part in wanted),
    "embed_has": lambda it, wanted: all(part in it.embed_text for part in wanted),
}
"""What a listed chunk may be asked for in part."""

EACH: dict[str, Callable[[Chunk, Any], bool]] = {
    "words": lambda it, most: it.word_count <= most,
    "characters": lambda it, most: len(it.text) <= most,
    "starts": lambda it, wanted: it.text.startswith(tuple(wanted)),
    "ends": lambda it, wanted: it.text.endswith(tuple(wanted)),
}
"""What every chunk of a case may be asked for."""

ALL: dict[str, Callable[[list[Chunk], str, Any], bool]] = {
    "count": lambda made, _, wanted: len(made) == wanted,
    "cut": lambda made, _, kind: any(
        f.rule == "cut_atom" and f.note == kind for it in made for f in it.findings
    ),
    "together": lambda made, _, parts: all(any(part in it.text for it in made) for part in parts),
    "no_end": lambda made, _, parts: not any(it.text.endswith(tuple(parts)) for it in made),
    "no_chunk_only": lambda made, _, parts: not any(it.text.strip() in parts for it in made),
    "embed_pairs": lambda made, _, pairs: all(
        any(one in it.embed_text and other in it.embed_text for it in made) for one, other in pairs
    ),
    "read": lambda made, _, parts: all(any(part in it.embed_text for it in made) for part in parts),
    "embed_without": lambda made, _, parts: not any(part in it.embed_text for it in made for part in parts),
    "whole_words": lambda made, source, _: all(
        source[place - 1 : place + 1].strip() != source[place - 1 : place + 1]
        for it in made[1:]
        for place in (it.char_start,)
    ),
    "embed_each": lambda made, _, parts: all(part in it.embed_text for it in made for part in parts),
    "once": lambda made, _, parts: all(sum(part in it.text for it in made) == 1 for part in parts),
    "after_blank_line": lambda made, source, _: all(
        source[: it.char_start].endswith("\n\n") for it in made[1:]
    ),
    "whole_lines": lambda made, source, prefix: all(
        any(line in it.text for it in made) for line in source.split("\n") if line.startswith(prefix)
    ),
    "graphemes": lambda made, source, _: (
        {place for it in made for place in (it.char_start, it.char_end)}
        <= {0, *(match.end() for match in regex.finditer(r"\X", source))}
    ),
}
"""What the chunks of a case may be asked for together; the source is given too."""


@pytest.mark.parametrize("case", sorted(CASES.iterdir()), ids=lambda case: case.name)
def test_case(case: Path) -> None:
    """A note is cut as its case says."""
    expected = json.loads((case / "expected.json").read_text(encoding="utf-8"))
    data = (case / "input.md").read_bytes()
    made = cut(
        data,
        expected.get("preset", "default"),
        expected.get("overrides"),
        expected.get("name", "note.md"),
    )
    found = chunks_of(made)

    if "chunks" in expected:
        _compare(expected["chunks"], found)
    for key, wanted in expected.get("each", {}).items():
        assert [it.text for it in found if not EACH[key](it, wanted)] == [], key
    for key in ALL.keys() & expected.keys():
        assert ALL[key](found, data.decode(), expected[key]), (key, [it.text for it in found])
    if "discards" in expected:
        gone = [
            {"reason": it.reason, "lines": [it.start_line, it.end_line]}
            for it in made
            if isinstance(it, Discard)
        ]
        assert expected["discards"] == gone


def _compare(expected: list[dict[str, Any]], found: list[Chunk]) -> None:
    assert len(expected) == len(found), [it.text for it in found]
    for wanted, it in zip(expected, found, strict=True):
        exact = {key: value for key, value in wanted.items() if key in LISTED}
        assert exact == {key: LISTED[key](it) for key in exact}
        for key in wanted.keys() - LISTED.keys():
            assert PARTLY[key](it, wanted[key]), (key, it.text, it.embed_text)


def test_a_cut_that_breaks_a_limit_costs_its_own_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of the cutting is told as such, with all of the file's text; nothing of it is published."""
    settings = Settings()
    document = document_from_bytes("note.md", b"# One\n\n" + b"Rope and sail. " * 500, settings)
    sections = parse(document, settings)
    size = len(document.text or "")
    whole = Piece(0, size, 1500, 0, 0, 0, ("One",), 1, ())
    monkeypatch.setattr(chunking, "_pieces", lambda *_: [whole])

    [lost] = chunks_of_note(document, sections, settings)

    assert isinstance(lost, Discard)
    assert (lost.reason, lost.text_length) == ("internal_error", size)
    assert f"over the limits: 1500 words, {size} characters" in lost.detail


@pytest.mark.parametrize(
    ("name", "title", "first_line"),
    [
        ("ch02-01-mending-a-net", "Mending a Net!", "Mending a Net!"),
        ("Reading list", "Reading List", "Reading List"),
        ("03_hello_world", "Hello, World", "Hello, World"),
        ("4. Don't panic", "Don’t Panic", "Don’t Panic"),
        ("07 - Knots", "Knots", "Knots"),
        ("2031-05-03 Crew", "Crew", "2031-05-03 Crew > Crew"),
        ("31-05-03 Crew", "Crew", "31-05-03 Crew > Crew"),
        ("2031 Plan", "Plan", "2031 Plan > Plan"),
        ("3 ropes", "Ropes", "3 ropes > Ropes"),
        ("C++", "C", "C++ > C"),
        ("Net Mending", "Mending", "Net Mending > Mending"),
        ("ch02-01-mending", "Mending a net", "ch02-01-mending > Mending a net"),
        ("01", "Ropes", "01 > Ropes"),
        ("ch02", "?", "ch02 > ?"),
        ("ch04-12-nets", "Nets", "Nets"),
        ("7-Eleven", "Eleven", "7-Eleven > Eleven"),
        ("24-7-support", "Support", "24-7-support > Support"),
        ("3d-printing", "Printing", "3d-printing > Printing"),
        ("1,5", "15", "1,5 > 15"),
        ("-5", "5", "-5 > 5"),
    ],
)
def test_a_name_that_says_what_the_title_says_is_read_once(name: str, title: str, first_line: str) -> None:
    """The title stands for a file's name of the same words; dates, counts and other words are still said."""
    [made] = chunks_of(cut(f"## {title}\n\nA rope is a rope.".encode(), name=f"{name}.md"))

    assert made.embed_text.split("\n")[0] == first_line


def test_a_stated_title_is_no_name_of_a_file() -> None:
    """What the front matter calls a note is said, but where the first title is that very title."""
    note = "---\ntitle: 3. Quarter\n---\n\n# Quarter\n\nA rope is a rope."
    [other] = chunks_of(cut(note.encode(), name="a.md"))
    [same] = chunks_of(cut(note.replace("3. ", "").encode(), name="a.md"))

    assert other.embed_text.split("\n")[0] == "3. Quarter > Quarter"
    assert same.embed_text.split("\n")[0] == "Quarter"
