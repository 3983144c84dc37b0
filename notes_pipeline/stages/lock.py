"""One worker at a time on a workspace; the system lets go of the lock when its holder dies."""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

_held: set[Path] = set()
"""Workspaces this process holds: a step of a build does not wait for the build it belongs to."""


def _silent() -> None:
    """Waiting is told to nobody."""


@contextmanager
def workspace_lock(root: Path, waiting: Callable[[], None] = _silent) -> Iterator[None]:
    """Holds the workspace, again within the same process; ``waiting`` is called once if another has it."""
    path = root.resolve() / ".dagster" / "build.lock"
    if path in _held:
        yield
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waiting()
            fcntl.flock(handle, fcntl.LOCK_EX)
        _held.add(path)
        try:
            yield
        finally:
            _held.discard(path)
