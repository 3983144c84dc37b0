"""A file that breaks a stage stops that file, not the run, and nothing of it goes unseen.

Belongs here: what stands in the place of a result that could not be made, each with the reason
``internal_error``: the whole text of a note, the text of each sheet, every row. So the file's state
names the fault, and what it holds is counted all the same. Stays out: errors that are the user's to
mend (``UserError``), which stop the run with their remedy.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable
from typing import TypeVar

from notes_pipeline.discards import discard, discard_span
from notes_pipeline.errors import UserError
from notes_pipeline.lines import Lines
from notes_pipeline.records import INTERNAL_ERROR, Discard, Document, Row
from notes_pipeline.rows.skip import STRUCTURE
from notes_pipeline.rows.workbook.opening import open_grids
from notes_pipeline.settings import Settings

Made = TypeVar("Made")


def guarded(work: Callable[[], Made], instead: Callable[[Exception], Made]) -> Made:
    """What ``work`` makes of one file, or what stands in its place where it raised."""
    try:
        return work()
    except UserError:
        raise
    except Exception as error:
        return instead(error)


def described(error: Exception) -> str:
    """The error in one line, with the line of ours that raised it."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{frame.filename.rpartition('/')[2]}:{frame.lineno}"
    said = " ".join(f"{type(error).__name__}: {error}".split())
    return f"internal error: {said} ({place}); please report it"


def failed(document: Document, error: Exception) -> Discard:
    """Word of the fault alone, which becomes the file's state: nothing of the file is lost by it."""
    return discard(document.source_path, document.notebook, INTERNAL_ERROR, described(error))


def lost_note(document: Document, error: Exception) -> Discard:
    """The whole text of a note."""
    text = document.text or ""
    return discard_span(
        document.source_path,
        document.notebook,
        (0, len(text)),
        INTERNAL_ERROR,
        described(error),
        source=text,
        lines=Lines(text),
    )


def lost_workbook(document: Document, settings: Settings, error: Exception) -> list[Discard]:
    """The text of each sheet; of a workbook that does not even open, of its text if it has one, or none."""
    try:
        texts = [
            (
                grid.name,
                "\n".join("\t".join(cell.text for cell in row.values()) for row in grid.cells.values()),
            )
            for grid in open_grids(document, settings)
        ]
    except Exception:
        return [failed(document, error) if document.text is None else lost_note(document, error)]
    what = described(error)
    sheets = [
        discard(document.source_path, document.notebook, INTERNAL_ERROR, what, text, sheet=name)
        for name, text in texts
    ]
    return sheets or [failed(document, error)]


def lost_rows(document: Document, rows: Iterable[Row], error: Exception) -> list[Discard]:
    """Every row that is not there for others' sake, in the words of its cells."""
    what = described(error)
    lost = [
        discard(
            document.source_path,
            document.notebook,
            INTERNAL_ERROR,
            what,
            "; ".join(f"{cell.column}: {cell.value}" for cell in row.cells),
            sheet=row.sheet,
            row_number=row.row_number,
        )
        for row in rows
        if row.kind not in STRUCTURE
    ]
    return lost or [failed(document, error)]
