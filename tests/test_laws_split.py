"""The laws of cutting, over generated notes and every preset: what holds whatever is written.

The laws themselves stand in ``notes_pipeline.corpus.laws``, where a build and ``verify`` ask them
too; here they meet notes made to break them, and what only two runs can show: the same input gives
the same chunks, an edit renames only what it touches, a larger limit never loses a word.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from strategies import hostile_texts, markdown_texts

from notes_pipeline.corpus.laws import LAWS, corpus_violations, group
from notes_pipeline.records import Chunk, Discard
from notes_pipeline.settings import PRESETS, Preset, Settings
from notes_pipeline.sources import document_from_bytes
from notes_pipeline.split.chunking import chunk
from notes_pipeline.split.parse import parse

CUTTING_LAWS = (
    "coverage",
    "slices",
    "lines",
    "overlap",
    "blocks_whole",
    "words_whole",
    "heading_alone",
    "lead_in",
    "hard_limits",
    "order",
    "discard_reason",
)
SMALL = {
    "default": Preset(
        name="default",
        soft_words=20,
        hard_words=40,
        hard_characters=300,
        merge="siblings",
        merge_below=8,
        bullets_below=6,
    ),
    "sentence-window": Preset(
        name="sentence-window",
        unit="sentence",
        soft_words=None,
        hard_words=40,
        hard_characters=300,
        window=5,
        overlap=2,
        bullets_below=6,
    ),
    "structure": Preset(
        name="structure", soft_words=30, hard_words=30, hard_characters=300, merge="next", merge_below=5
    ),
    "heading-words": Preset(
        name="heading-words",
        unit="word",
        headings="atx",
        soft_words=None,
        hard_words=30,
        hard_characters=300,
        window=30,
        overlap=6,
        merge="previous",
        merge_below=6,
        glue=False,
    ),
    "fixed": Preset(
        name="fixed",
        unit="character",
        soft_words=None,
        hard_words=None,
        hard_characters=50,
        window=50,
        overlap=20,
        glue=False,
    ),
}
"""The presets with limits so small that generated notes must be cut."""

_WORDS = (
    "plain",
    "of",
    "the",
    "Ünïted",
    "3.5",
    "**bold**",
    "[link](https://e.org/a_b)",
    "`co de`",
    "e.g.",
    "No. 7",
    "東京都の",
    "ภาษาไทย",
    "👩‍👩‍👧‍👦",
    "é",
    "[[Page|name]]",
    "x" * 60,
    "<b>tag</b>",
    "%%aside%%",
    "a:b",
    "don't",
    "$x^2$",
)
_ENDS = (".", "!", "?", ":", "…", "。", "", ";", ".)")


@st.composite
def _sentence(draw: st.DrawFn) -> str:
    return " ".join(draw(st.lists(st.sampled_from(_WORDS), min_size=1, max_size=14))) + draw(
        st.sampled_from(_ENDS)
    )


@st.composite
def _paragraph(draw: st.DrawFn) -> str:
    glue = draw(st.sampled_from((" ", "\n", "  \n")))
    return glue.join(draw(st.lists(_sentence(), min_size=1, max_size=6)))


@st.composite
def _items(draw: st.DrawFn) -> str:
    mark = draw(st.sampled_from(("- ", "* ", "1. ", "- [ ] ")))
    lines = []
    for _ in range(draw(st.integers(1, 7))):
        indent = "    " * draw(st.integers(0, 3))
        lines.append(indent + mark + draw(_sentence()))
        if draw(st.booleans()):
            lines.append(indent + "      " + draw(_sentence()))
    return "\n".join(lines)


@st.composite
def _fence(draw: st.DrawFn) -> str:
    lines = draw(
        st.lists(st.sampled_from(("x = f(x)", "", "    return x", "# no heading", "y" * 90, "")), max_size=14)
    )
    mark = draw(st.sampled_from(("```", "~~~", "````")))
    closer = "" if draw(st.integers(0, 9)) == 0 else "\n" + mark
    return f"{mark}py\n" + "\n".join(lines) + closer


@st.composite
def _table(draw: st.DrawFn) -> str:
    rows = [f"| {draw(_sentence()).replace('|', ' ')} | {n} |" for n in range(draw(st.integers(0, 6)))]
    return "\n".join(["| name | n |", "|---|---|", *rows])


@st.composite
def _quote(draw: st.DrawFn) -> str:
    inner = draw(st.one_of(_paragraph(), _items(), _paragraph().map(lambda text: f"[!note] Title\n{text}")))
    return "\n".join("> " + line for line in inner.split("\n"))


_HEADING = st.builds(
    lambda level, words: "#" * level + " " + words,
    st.integers(1, 4),
    st.sampled_from(("One", "Two two", "Über", "Part " * 24)),
)
_ODD = st.sampled_from(
    (
        "---",
        "<!-- hidden -->",
        "%% hidden %%",
        "[ref]: https://e.org",
        "key:: value",
        "<div>",
        "</div>",
        "$$\na\n\nb\n$$",
        "[Title]{.underline}",
        "**Bold title**",
        "Setext\n===",
        "![](data:image/png;base64," + "QUJD" * 25 + ")",
        "[^1]: A note.",
        "#tag",
        "#",
        "*",
    )
)
_LONG = st.sampled_from(
    (
        "[ref]: https://e.org/a/long/path 'A title'\n" * 12,
        "[ref]: https://e.org '" + "A title " * 60 + "'",
        "key:: value\n" * 30,
        "<!-- " + "unseen words " * 40 + "-->",
        "<!--\n\n" + "unseen words\n\n" * 30 + "-->",
        "%%\n" + "unseen " * 60 + "\n%%",
        "<script>\n" + "unseen = 1;\n" * 40 + "</script>",
        "<div>\n<style>\n" + "unseen { a: b }\n" * 30 + "</style>\nRead this.\n</div>",
        "<div>\n\n" * 70,
        "::: x\n\n" * 60,
    )
)
"""Longer than a chunk of the small presets, and nothing to be read (or next to nothing)."""


@st.composite
def _pierced(draw: st.DrawFn) -> str:
    """A paragraph or item with a long comment inside."""
    comment = "<!-- " + "unseen words " * draw(st.integers(1, 50)) + "-->"
    start = draw(st.sampled_from(("", "", "- ", "> ")))
    return f"{start}{draw(_sentence())} {comment} {draw(_sentence())}"


@st.composite
def _wide_table(draw: st.DrawFn) -> str:
    """A table with rows, or a header, that no chunk of the small presets holds."""
    cell = st.integers(0, 60).map(lambda count: "cell " * count)
    rows = draw(st.lists(st.tuples(cell, cell, cell), min_size=1, max_size=3))
    head = draw(st.sampled_from(("| a | b | c |", "| a | " + "b " * 50 + "| c |")))
    return "\n".join([head, "|---|---|---|", *(f"| {' | '.join(row)} |" for row in rows)])


_READ = st.one_of(_paragraph(), _paragraph(), _HEADING, _items(), _table(), _wide_table(), _quote())
_BLOCK = st.one_of(_READ, _READ, _READ, _fence(), _ODD, _LONG, _pierced())


@st.composite
def notes(draw: st.DrawFn) -> str:
    """Notes of every kind of block, with odd line ends, and with or without front matter and a last break."""
    text = draw(st.sampled_from(("\n\n", "\n\n\n"))).join(draw(st.lists(_BLOCK, max_size=9)))
    text = draw(st.sampled_from(("", "", "---\ntitle: T\n---\n"))) + text + draw(st.sampled_from(("", "\n")))
    return text.replace("\n", draw(st.sampled_from(("\n", "\n", "\r\n", "\r"))))


@st.composite
def notes_with_unseen(draw: st.DrawFn) -> str:
    """Notes whose every mark is closed, with long comments, scripts and styles among and inside blocks."""
    blocks = st.one_of(_READ, st.just("```py\nx = f(x)\n```"), _LONG, _pierced())
    text = "\n\n".join(draw(st.lists(blocks, min_size=1, max_size=7)))
    return text.replace("\n", draw(st.sampled_from(("\n", "\r\n", "\r"))))


TEXTS = st.one_of(notes(), notes(), markdown_texts(), hostile_texts())


def _cut(text: str, preset: Preset, path: str = "note.md") -> list[Chunk | Discard]:
    document, sections, chosen = _read(text, preset, path)
    return chunk(document, sections, chosen)


def _read(text: str, preset: Preset, path: str = "note.md"):  # type: ignore[no-untyped-def]
    chosen = Settings(preset=preset)
    document = document_from_bytes(path, text.encode(), chosen)
    return document, parse(document, chosen), chosen


def _chunks(made: Sequence[Chunk | Discard]) -> list[Chunk]:
    return [record for record in made if isinstance(record, Chunk)]


def _broken(text: str, preset: Preset) -> list[str]:
    document, sections, chosen = _read(text, preset)
    made = chunk(document, sections, chosen)
    chunks = _chunks(made)
    [material] = group([document], sections, [], chunks, [one for one in made if isinstance(one, Discard)])
    found = [
        f"{name} {place}: {detail}" for name in CUTTING_LAWS for place, detail in LAWS[name](material, chosen)
    ]
    return found + [str(it) for it in corpus_violations(chunks) if it.law == "ids"]


_MANY = settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("preset", SMALL.values(), ids=SMALL.keys())
@_MANY
@given(text=TEXTS)
def test_every_law_holds_where_everything_must_be_cut(preset: Preset, text: str) -> None:
    """Nothing is lost, slices are exact, blocks stay whole, limits hold: under limits that cut nearly all."""
    assert _broken(text, preset) == []


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS.keys())
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=TEXTS)
def test_every_law_holds_under_the_presets_as_they_are(preset: Preset, text: str) -> None:
    """The same laws hold under the presets a user can name."""
    assert _broken(text, preset) == []


@pytest.mark.parametrize("preset", [SMALL["default"], SMALL["sentence-window"]], ids=lambda it: it.name)
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=notes_with_unseen())
def test_what_is_hidden_is_never_read(preset: Preset, text: str) -> None:
    """No part of a comment, script or style is in an ``embed_text``, however its block was cut."""
    assert [one.embed_text for one in _chunks(_cut(text, preset)) if "unseen" in one.embed_text] == []


@pytest.mark.parametrize("preset", SMALL.values(), ids=SMALL.keys())
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=notes())
def test_the_same_note_gives_the_same_records(preset: Preset, text: str) -> None:
    """Cutting depends on nothing but the document and the settings."""
    assert _cut(text, preset) == _cut(text, preset)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(before=notes(), after=notes(), word=st.sampled_from(("changed", "two words", "")))
def test_an_edit_renames_only_chunks_it_touches(before: str, after: str, word: str) -> None:
    """A chunk whose text and heading path an edit leaves alone keeps its id, wherever it moves."""
    preset = SMALL["default"]
    _, sections, _ = _read(f"{before}\n\n# Edited\n\nFirst text here.\n\n# After\n\n{after}", preset)
    assume(("Edited",) in [section.heading_path for section in sections])  # not inside an open fence
    old = _chunks(_cut(f"{before}\n\n# Edited\n\nFirst text here.\n\n# After\n\n{after}", preset))
    new = _chunks(_cut(f"{before}\n\n# Edited\n\nFirst {word} text here.\n\n# After\n\n{after}", preset))

    def named(chunks: Sequence[Chunk]) -> list[tuple[tuple[str, ...], str, str]]:
        return sorted((one.heading_path, one.text, one.chunk_id) for one in chunks if "First" not in one.text)

    assert named(old) == named(new)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=notes())
def test_the_tail_of_a_window_is_the_head_of_the_next(text: str) -> None:
    """What two neighbouring windows share is the same slice of the source, never a rebuilt one."""
    chunks = _chunks(_cut(text, SMALL["sentence-window"]))
    for one, other in pairwise(chunks):
        shared = (one.char_end or 0) - (other.char_start or 0)
        if shared > 0:
            assert one.text[-shared:] == other.text[:shared]
