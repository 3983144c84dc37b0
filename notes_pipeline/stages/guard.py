"""A file that breaks a stage stops that file, not the run, and does not go unseen."""

from __future__ import annotations

import traceback

from notes_pipeline.discards import discard
from notes_pipeline.errors import UserError
from notes_pipeline.records import Discard, Document

FAILED = "unreadable"
"""The document state under which such a file is listed."""


def failure(document: Document, error: Exception) -> Discard:
    """The whole file as one loss, naming the error and the line of ours that raised it.

    A ``UserError`` is raised on: it speaks of the workspace, and would be said of every file.
    """
    if isinstance(error, UserError):
        raise error
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{frame.filename.rpartition('/')[2]}:{frame.lineno}"
    what = f"internal error: {type(error).__name__}: {error} ({place}); please report it"
    return discard(document.source_path, document.notebook, FAILED, what)
