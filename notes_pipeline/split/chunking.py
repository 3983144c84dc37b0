"""Document and sections become chunks, in source order, and discards for whatever no chunk holds.

Belongs here: the order of the steps. Stays out: the steps (expand, sentencing, windows, merge,
embed), sentence ends, and every judgement of a chunk.
"""

from __future__ import annotations

from collections.abc import Sequence

from notes_pipeline.errors import InternalFault
from notes_pipeline.garbage import collector_paused
from notes_pipeline.lines import Lines
from notes_pipeline.records import Chunk, Discard, Document, Section
from notes_pipeline.settings import Settings
from notes_pipeline.split.blind import blind_pieces
from notes_pipeline.split.finish import Finisher
from notes_pipeline.split.gaps import gaps
from notes_pipeline.split.limits import Limits
from notes_pipeline.split.merge import Merger
from notes_pipeline.split.pieces import NO_HEADING, Piece
from notes_pipeline.split.repair import append_trailing, trim_comments
from notes_pipeline.split.sectioning import section_pieces


def chunk(document: Document, sections: Sequence[Section], settings: Settings) -> list[Chunk | Discard]:
    """Chunks of a document in source order, and a discard for every non-blank rest.

    A document that was not read gives nothing: its state says why. Quality and decision are left
    for the rules that judge; findings are those of the cutting itself.
    """
    text = document.text
    if document.state != "read" or text is None:
        return []
    with collector_paused():
        return _made(document, text, sections, settings)


def _made(
    document: Document, text: str, sections: Sequence[Section], settings: Settings
) -> list[Chunk | Discard]:
    limits = Limits.of(settings)
    pieces = _pieces(text, sections, limits, settings)
    _prove(pieces, limits)
    made: list[Chunk | Discard] = [*Finisher(document, text, sections, settings).chunks(pieces)]
    made.extend(gaps(document, text, sections, pieces))
    return made


def _prove(pieces: Sequence[Piece], limits: Limits) -> None:
    """The laws a build is refused for, where they cost next to nothing: limits, and windows that go forward.

    A piece that breaks one is a fault of ours: it costs its own file, and the other files are built.
    """
    start = end = -1
    for piece in pieces:
        if piece.end - piece.start > limits.characters or piece.words > limits.hard:
            size = f"{piece.words} words, {piece.end - piece.start} characters"
            raise InternalFault(f"a chunk at character {piece.start} is over the limits: {size}")
        if piece.start <= start or piece.end <= end or (piece.start < end and not limits.overlap):
            raise InternalFault(f"a chunk at character {piece.start} does not go on from the one before")
        start, end = piece.start, piece.end


def _pieces(text: str, sections: Sequence[Section], limits: Limits, settings: Settings) -> list[Piece]:
    preset = settings.preset
    if preset.unit in ("word", "character"):
        pieces = blind_pieces(text, sections, limits, preset)
    else:
        pieces = section_pieces(text, Lines(text), sections, limits, settings)
    levels = [section.level for section in sections if section.level]
    top_level = min(levels, default=NO_HEADING)
    pieces = Merger(preset, limits, top_level).run(pieces)
    if preset.glue:
        append_trailing(pieces, sections, text, limits)
        trim_comments(pieces, sections, text)
    return pieces
