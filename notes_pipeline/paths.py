"""Paths as a user writes them, in a file or on the command line."""

from __future__ import annotations

from pathlib import Path

from notes_pipeline.errors import UserError


def expanded(path: str | Path, place: str = "") -> Path:
    """``path`` with ``~`` as its folder; a usage error at ``place`` where it can name nothing.

    >>> expanded("notes/2024").as_posix()
    'notes/2024'
    """
    written = str(path)
    try:
        if "\0" in written:
            raise ValueError("it holds a NUL character")
        return Path(written).expanduser()
    except (RuntimeError, ValueError) as error:
        what = "nobody here has that home folder" if isinstance(error, RuntimeError) else str(error)
        shown = ascii(written)
        raise UserError(
            f"{place}: {shown}" if place else shown, f"is no path: {what}", "write it in full", usage=True
        ) from error
