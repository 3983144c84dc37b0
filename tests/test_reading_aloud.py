"""The law of ``embed_text``: complete, and nothing said twice, over notes of every kind.

Seeing is left to another parser (``reading_aloud``), so that a fault of the pipeline's reading
cannot hide in the law.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from reading_aloud import missing, repeated, seen
from strategies import tidy_texts, words
from test_laws_split import SMALL, notes

from notes_pipeline.records import Chunk
from notes_pipeline.settings import Preset, Settings, preset_named
from notes_pipeline.sources import document_from_bytes
from notes_pipeline.split.chunking import chunk
from notes_pipeline.split.parse import parse


@st.composite
def drawn_tables(draw: st.DrawFn) -> str:
    """Simple, multiline and grid tables whose cells fit their columns."""
    word = st.sampled_from(("hull", "mast", "anchor", "Öre", "12", "rope *new*", "sail"))
    rows = draw(st.lists(st.tuples(word, word, word), min_size=1, max_size=5, unique=True))
    head = ("Boat", "Part", "Count")
    lines = ["".join(cell.ljust(12) for cell in row).rstrip() for row in (head, *rows)]
    groups = "----------  ----------  ----------"
    kind = draw(st.sampled_from(("simple", "headless", "multiline", "grid")))
    if kind == "simple":
        return "\n".join((lines[0], groups, *lines[1:]))
    if kind == "headless":
        return "\n".join((groups, *lines[1:], groups))
    if kind == "multiline":
        rule = "-" * len(groups)
        return "\n".join((rule, lines[0], groups, "\n\n".join(lines[1:]), rule))
    edge = "+------------+------------+------------+"
    barred = ["".join(f"|{cell.ljust(12)}" for cell in row) + "|" for row in (head, *rows)]
    return "\n".join((edge, barred[0], edge.replace("-", "="), *(f"{row}\n{edge}" for row in barred[1:])))


@st.composite
def nested_lists(draw: st.DrawFn) -> str:
    """A lead-in and a list three levels deep, bulleted or numbered, with tasks and long items."""
    lines = [draw(words(1, 4)) + ":", ""]
    for _ in range(draw(st.integers(1, 4))):
        lines.append("- " + draw(st.sampled_from(("", "[x] ", "[ ] "))) + draw(words(1, 12)))
        for _ in range(draw(st.integers(0, 3))):
            lines.append("  1. " + draw(words(1, 12)))
            lines += ["     - " + draw(words(1, 12)) for _ in range(draw(st.integers(0, 2)))]
    return "\n".join(lines)


def facts() -> st.SearchStrategy[str]:
    """Properties, definitions, footnotes, callouts."""
    return st.one_of(
        words().map("Status: {}\nOwner: Ada".format),
        words().map("- item\n  author:: {}\n  id:: 64f1".format),
        words().map("Term\n: {}".format),
        words().map("Claim[^n] stands.\n\n[^n]: {}".format),
        words().map("> [!tip] Mind the gap\n> {}".format),
    )


READABLE = st.lists(
    st.one_of(tidy_texts(), drawn_tables(), nested_lists(), facts()), min_size=1, max_size=5
).map("\n\n".join)
READABLE = READABLE.map(lambda text: text.replace("<b>", "bold"))  # of a lone tag nothing is seen, or all


def chunks_of(text: str, preset: Preset) -> tuple[list[Chunk], str]:
    """The chunks of a note, and its text."""
    chosen = Settings(preset=preset)
    document = document_from_bytes("note.md", text.encode(), chosen)
    made = chunk(document, parse(document, chosen), chosen)
    return [record for record in made if isinstance(record, Chunk)], document.text or ""


_MANY: Any = settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("preset", [preset_named("default"), SMALL["default"]], ids=["default", "small"])
@_MANY
@given(text=READABLE)
@example("- a\n  - b\n\n| x | y |\n|---|---|\n| | 2 |")
@example("harbour\n\n# harbour #tag/sub")
def test_every_word_a_reader_sees_is_read(preset: Preset, text: str) -> None:
    """No word of a chunk is missing from its reading text, however the note was cut."""
    chunks, whole = chunks_of(text, preset)

    assert [(it.text, it.embed_text, gone) for it in chunks if (gone := missing(it, whole))] == []


@pytest.mark.parametrize("preset", [preset_named("default"), SMALL["default"]], ids=["default", "small"])
@_MANY
@given(text=st.one_of(READABLE, notes()))
@example("Two:\n\n- [x] rope by the old harbour wall\n\nTwo:\n\n- [x] rope by the old harbour wall")
@example("- first ![by the old harbour wall](a.png)\n- first ![by the old harbour wall](a.png)")
@example(
    "- rope by the old harbour wall\n"
    + "  - a mast and a sail and an anchor for it\n" * 9
    + "- rope by the old harbour wall\n"
)
def test_no_line_is_read_twice(preset: Preset, text: str) -> None:
    """A line of the reading text stands in it no more often than its source says it."""
    chunks, whole = chunks_of(text, preset)

    assert [(it.text, again) for it in chunks if (again := repeated(it, whole))] == []


@pytest.mark.parametrize("preset", [preset_named("default"), SMALL["default"]], ids=["default", "small"])
@_MANY
@given(text=READABLE)
def test_a_title_is_read_once(preset: Preset, text: str) -> None:
    """The titles of a chunk's path stand in its first line, and its own heading is not read again."""
    for it in chunks_of(text, preset)[0]:
        first, _, body = it.embed_text.partition("\n")
        if it.heading_path and "…" not in first:
            assert first.endswith(" > ".join(it.heading_path))
            assert (
                body.strip().split("\n")[0] != it.heading_path[-1] or seen(it.text)[it.heading_path[-1]] > 1
            )


def test_seeing_is_not_blind() -> None:
    """The other parser's view has the words of every kind of block, and no markup."""
    blocks = (
        "# T",
        "- [x] *one* `two`",
        "| a | b |\n|---|---|\n| c | d |",
        "[w](http://x.y) {#id} <b>e</b> %% no %%",
    )
    text = "\n\n".join(blocks)

    assert sorted(seen(text)) == ["T", "a", "b", "c", "d", "e", "one", "two", "w"]
