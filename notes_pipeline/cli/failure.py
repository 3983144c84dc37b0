"""How a command ends that cannot go on: one line and an exit status, whatever was raised.

Belongs here: the words for errors of the system and for faults of ours. Stays out: what a user did
wrong, which says so itself where it is found (``errors``).
"""

from __future__ import annotations

import errno
import os
import sqlite3
import sys
import traceback
from collections.abc import Iterator

from notes_pipeline.errors import UserError

FAILED, WRONG_USAGE = 1, 2
"""Exit status beside 0: a law broke or there was nothing to read; wrong usage."""

DEBUG = "NOTES_PIPELINE_DEBUG"
"""With this variable set to 1, every error is told with the place in the code that raised it."""

_SPACE = "free some space and try again; the last good build stays"
_RIGHTS = "may you write there? the last good build stays"
_REMEDIES = {
    errno.ENOSPC: _SPACE,
    errno.EDQUOT: _SPACE,
    errno.EACCES: _RIGHTS,
    errno.EPERM: _RIGHTS,
    errno.EROFS: _RIGHTS,
    errno.EMFILE: "allow more open files: ulimit -n 4096",
    errno.ENAMETOOLONG: "choose a shorter name",
}
_SQLITE = {"full": _SPACE, "readonly": _RIGHTS, "unable to open": _RIGHTS}


def report(error: Exception, command: str) -> int:
    """Says on standard error what ended ``command``, in one line; returns the exit status."""
    if os.environ.get(DEBUG) == "1":
        traceback.print_exception(error)
    print(f"notes-pipeline: {_line(error, command)}", file=sys.stderr)
    return WRONG_USAGE if isinstance(error, UserError) and error.usage else FAILED


def _line(error: Exception, command: str) -> str:
    for cause in _causes(error):
        if isinstance(cause, UserError):
            return str(cause)
        if isinstance(cause, sqlite3.Error):
            return _of_database(cause)
        if isinstance(cause, OSError) and cause.errno is not None:
            return _of_system(cause)
    said = " ".join(f"{type(error).__name__}: {error}".split())
    return f"{command}: internal error: {said}; please report it ({DEBUG}=1 shows where it was)"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error and what it was raised from: libraries wrap what the system said."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__


def _of_system(error: OSError) -> str:
    what = error.strerror or os.strerror(error.errno or 0)
    place = next((str(it) for it in (error.filename2, error.filename) if it), "")
    remedy = _REMEDIES.get(error.errno or 0, "")
    return (f"{place}: " if place else "") + what + (f"; {remedy}" if remedy else "")


def _of_database(error: sqlite3.Error) -> str:
    remedy = next((it for word, it in _SQLITE.items() if word in str(error)), "")
    return f"database of the web UI in .dagster: {error}" + (f"; {remedy}" if remedy else "")
