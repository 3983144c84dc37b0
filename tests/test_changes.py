"""Two builds compared: what became of each chunk."""

from __future__ import annotations

import pytest

from notes_pipeline.cli.changes import Change, Changes, Seen, compare


def test_kinds_of_change() -> None:
    """A row keeps its id when its cells change; a note's chunk keeps it when it only moves."""
    before = {"a": Seen("a#0", "1", "keep"), "b": Seen("b#0", "2", "keep"), "c": Seen("c#0", "3", "keep")}
    now = {"a": Seen("a#0", "9", "keep"), "b": Seen("b#1", "2", "keep"), "d": Seen("d#0", "4", "keep")}

    assert compare(before, now) == Changes(["d"], [Change("a", "a")], ["c"], ["b"], [])


@pytest.mark.parametrize(
    ("before", "now", "edits"),
    [
        ("a b c", "a X c", "b>X"),
        ("a b c", "X b Y", "a>X c>Y"),
        ("a b", "X Y", "a>X b>Y"),
        ("a b c", "a c", ""),
        ("a c", "a X c", ""),
        ("a:12345 b", "X:9 Y:12346 b", "a>Y"),
        ("a:1234 b:5678", "X:5679", "b>X"),
        ("a:1234", "X:12 Y:34", "a>X"),
        ("a:12", "X:34 Y:56", ""),
    ],
)
def test_an_edit_is_told_by_its_place_or_its_lines(before: str, now: str, edits: str) -> None:
    """Between neighbours both runs have, as many chunks as before stand in the places of those before;
    where there are more or fewer, the one with most of the lines is the old one."""
    changes = compare(_section(before), _section(now))

    assert " ".join(f"{edit.before}>{edit.now}" for edit in changes.changed) == edits


def test_nothing_is_an_edit_of_another_section() -> None:
    """Nor in runs recorded before sections were."""
    assert compare(_section("a", "Hut"), _section("X", "Path")).changed == []
    assert compare(_section("a", ""), _section("X", "")).changed == []


def test_every_chunk_is_told_once() -> None:
    """Whatever happens, each id of either run is in one place."""
    before, now = _section("a:12 b:3 c:45 d e"), _section("X:12 b Y:45 Z:6 f e d")

    told = compare(before, now)

    new = [*told.added, *(edit.now for edit in told.changed), *told.moved, *told.kept]
    old = [*told.gone, *(edit.before for edit in told.changed), *told.moved, *told.kept]
    assert sorted(new) == sorted(now)
    assert sorted(old) == sorted(before)


def _section(words: str, section: str = "Hut") -> dict[str, Seen]:
    """The chunks of a section as ``id:lines``, each line a digit; ids are contents."""
    parts = (word.partition(":") for word in words.split())
    return {
        name: Seen(f"n.md#{at}", name, "keep", section, tuple(map(int, lines)))
        for at, (name, _, lines) in enumerate(parts)
    }
