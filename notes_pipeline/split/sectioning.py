"""Sections become pieces: whole where they fit, else windows over their units.

Belongs here: telling short sections from long ones, so that a short one costs almost nothing.
Stays out: what happens between sections.
"""

from __future__ import annotations

from collections.abc import Sequence

from notes_pipeline.lines import Lines
from notes_pipeline.records import Finding, Section
from notes_pipeline.settings import Settings
from notes_pipeline.split.expand import expand, trimmed_end
from notes_pipeline.split.leadin import glue
from notes_pipeline.split.limits import Limits
from notes_pipeline.split.pieces import NO_HEADING, Piece
from notes_pipeline.split.sentencing import resolve
from notes_pipeline.split.units import Run, Unit, is_title, is_weak, runs_of
from notes_pipeline.split.windows import Window, is_bare, windows

_ENDS = ".!?…。！？؟।"


def section_pieces(
    text: str, lines: Lines, sections: Sequence[Section], limits: Limits, settings: Settings
) -> list[Piece]:
    """The pieces of a document's sections, in order, before anything is joined."""
    runs = [run for run in runs_of(sections, text, limits.characters // 2) if run.has_body]
    whole: list[Piece | None] = [_whole(text, run, limits) for run in runs]
    long_runs = [run for run, piece in zip(runs, whole, strict=True) if piece is None]
    expansions = [expand(run, text, lines, limits) for run in long_runs]
    cut = iter(zip(long_runs, resolve(expansions, text, limits, settings), strict=True))
    pieces: list[Piece] = []
    for piece in whole:
        if piece is None:
            pieces.extend(_windowed(text, *next(cut), limits))
        else:
            pieces.append(piece)
    return pieces


def _whole(text: str, run: Run, limits: Limits) -> Piece | None:
    """The run as one piece, or None where it must be cut."""
    words = sum(_body_words(section) for section in run.sections)
    if words > limits.soft:
        return None
    start, end = run.sections[0].blocks[0].start, run.sections[-1].blocks[-1].end
    end = trimmed_end(text, start, end)
    if end - start > limits.characters:
        return None
    if words > limits.window and _most_sentences(text, start, end, run) > limits.window:
        return None
    return _piece(text, run, start, end, words, 0)


def _body_words(section: Section) -> int:
    """Words of a section without its title; a paragraph marked as a heading is none."""
    first = section.blocks[0]
    disguised = section.level and first.kind == "heading" and not is_title(first)
    return section.word_count + (first.words if disguised else 0)


def _most_sentences(text: str, start: int, end: int, run: Run) -> int:
    """An upper bound of the sentences in a run, without looking for one."""
    blocks = sum(len(section.blocks) for section in run.sections)
    return blocks + text.count("\n", start, end) + sum(text.count(mark, start, end) for mark in _ENDS)


def _windowed(text: str, run: Run, units: list[Unit], limits: Limits) -> list[Piece]:
    glue(units, run.blocks, text)
    made = windows(units, limits)
    pieces = []
    for window in made:
        members = units[window.first : window.last]
        if all(is_bare(unit) for unit in members):
            continue  # nothing to read: what no chunk holds becomes a discard
        pieces.append(_window_piece(text, run, window, members, limits))
    for piece in pieces:
        piece.is_sub_split = len(pieces) > 1 or piece.is_sub_split
    return pieces


def _window_piece(text: str, run: Run, window: Window, members: Sequence[Unit], limits: Limits) -> Piece:
    piece = _piece(text, run, window.start, window.end, window.words, members[0].block)
    for unit in members:
        if unit.cut:
            piece.findings.append(Finding("cut_atom", unit.start, unit.end, unit.cut))
            piece.is_sub_split = True
            break
    if window.torn:
        last = members[-1]
        piece.findings.append(Finding("lead_in_cut", last.start, last.end, "what follows did not fit"))
    if limits.sentences:
        piece.sentences = window.weight
    return piece


def _piece(text: str, run: Run, start: int, end: int, words: int, block: int) -> Piece:
    section, index = run.locate(block)
    own = run.sections[-1]
    last = run.first + len(run.sections) - 1
    level = NO_HEADING
    for one in run.sections:
        if one.level and one.level < level and start <= one.blocks[0].start < end:
            level = one.level
    return Piece(
        start=start,
        end=end,
        words=words,
        section=section,
        block=index,
        last=last,
        path=own.heading_path,
        level=level,
        parent=own.heading_path[:-1] if own.heading_path else None,
        bullet=_opens_with_bullet(text, run, index if section == last else 0),
    )


def _opens_with_bullet(text: str, run: Run, index: int) -> bool:
    own = run.sections[-1]
    if index == 0 and own.kind == "underlined":
        return True
    for at in range(index, len(own.blocks)):
        block = own.blocks[at]
        if not (is_title(block) or is_weak(block, text)):
            return block.kind in ("list", "item")
    return False
