"""A chunk in the making: a span of the source, where it starts among the blocks, what it was made of.

Belongs here: the record the cutting, merging and repairing steps pass on. Stays out: those steps.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from notes_pipeline.records import Finding

NO_HEADING = 99
"""Level of a piece in which no heading stands."""


@dataclass(slots=True)
class Piece:
    """Offsets are those of the document's text; ``findings`` too, until the chunk is made."""

    start: int
    end: int
    words: int
    section: int
    """Index of the section in which it starts."""
    block: int
    """Index of the block, in that section, in which it starts."""
    last: int
    """Index of the section in which it ends."""
    path: tuple[str, ...]
    level: int
    """Highest heading (smallest level) that stands in it; ``NO_HEADING`` where none does."""
    parent: tuple[str, ...] | None
    """Path under which it may join its neighbours; None before the first heading."""
    bullet: bool = False
    """Opens with a list item or an underlined title."""
    sentences: int | None = None
    is_sub_split: bool = False
    joined: tuple[tuple[str, ...], ...] = ()
    """Paths of the sections joined in it, in order; empty for a piece of one section."""
    findings: list[Finding] = field(default_factory=list)


def path_label(path: tuple[str, ...]) -> str:
    """A heading path on one line."""
    return " > ".join(path)
