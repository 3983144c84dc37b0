"""Dagster's databases kept open for the length of a build.

Dagster opens a connection for every event it records, and SQLite flushes a database to the disk
whenever its last connection closes: some hundred flushes a build, most of its time on a slow
disk. While one connection of ours stays open, nothing is flushed before the end. A power cut may
cost the last events of a run, never the database, and no product: those are flushed by themselves.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import Engine


@contextmanager
def databases_held_open() -> Iterator[None]:
    """Holds every SQLite database that is opened in this block, until its end."""
    held: dict[str, sqlite3.Connection] = {}

    def hold(connection: Any, record: Any) -> None:
        if not isinstance(connection, sqlite3.Connection):
            return
        connection.execute("PRAGMA synchronous=NORMAL")
        path = connection.execute("PRAGMA database_list").fetchone()[2]
        if not path:
            return
        if path not in held:
            held[path] = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        # A connection counts from its first read on, and anew when the journal's mode was changed since.
        held[path].execute("SELECT count(*) FROM sqlite_master").fetchone()

    event.listen(Engine, "connect", hold)
    try:
        yield
    finally:
        event.remove(Engine, "connect", hold)
        for connection in held.values():
            connection.close()
