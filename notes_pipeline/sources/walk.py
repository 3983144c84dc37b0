"""The notes folder, walked once: every file that is there, and what is not followed.

Belongs here: which folders are notes and which are machinery of an app, links, ignore patterns.
Stays out: what a file holds.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from pathspec import GitIgnoreSpec

WORKSPACE_FILE = "notes.toml"
_WORKSPACE = f"is a workspace of its own ({WORKSPACE_FILE})"
_MACHINERY = frozenset({"__pycache__", "node_modules"})
"""Folders of programs that do not hide behind a dot."""
_BACKUPS = frozenset({"bak", "version-files"})
"""Logseq's own copies of pages, in its folder ``logseq``."""


class Found(NamedTuple):
    """A file of the notes; nothing of it was read yet."""

    source_path: str
    """Relative to the notes, POSIX, the name as it stands on disk."""
    path: Path
    notebook: str
    size: int
    mtime_ns: int
    inode: int
    link: str
    """Why a link is not followed; empty for files to read."""
    error: str = ""
    """Why a folder or file could not be looked at."""
    workspace: str = ""
    """Why a folder is left out whole; empty but for workspaces among the notes."""

    @property
    def unread(self) -> str:
        """Why this is nothing to read; empty for files."""
        return self.workspace or self.error or self.link


def notebook_of(source_path: str) -> str:
    """The top-level folder of a path; ``.`` for files at the root."""
    head, separator, _ = source_path.partition("/")
    return head if separator else "."


def scan(notes: Path, *, ignore: Sequence[str] = (), exclude: Sequence[Path] = ()) -> list[Found]:
    """Every file under ``notes``, sorted by path; links, unreadable folders and workspaces end here.

    ``ignore`` are patterns in the manner of ``.gitignore``; ``exclude`` are folders left out whole.
    Links to folders are never entered. A link to a file outside the notes, to nothing, or to a
    file the walk meets anyway is not followed: a note is read once.
    """
    walk = _Walk(notes, GitIgnoreSpec.from_lines(ignore), {path.resolve() for path in exclude})
    return sorted(walk.folder(notes, ""), key=lambda found: found.source_path)


class _Walk:
    def __init__(self, notes: Path, ignore: GitIgnoreSpec, exclude: set[Path]) -> None:
        self.root = notes.resolve()
        self.ignore = ignore
        self.exclude = exclude

    def folder(self, folder: Path, prefix: str) -> Iterator[Found]:
        waiting = [(folder, prefix)]
        while waiting:
            folder, prefix = waiting.pop()
            try:
                with os.scandir(folder) as entries:
                    found = list(entries)
            except OSError as error:
                yield _odd(prefix.rstrip("/") or ".", folder, error=f"folder cannot be read: {_why(error)}")
                continue
            for entry in found:
                name = prefix + entry.name
                if self._left_out(entry, name):
                    continue
                if not entry.is_dir(follow_symlinks=False):
                    yield self._file(entry, name, folder / entry.name)
                elif os.path.isfile(folder / entry.name / WORKSPACE_FILE):
                    yield _odd(name, folder / entry.name)._replace(workspace=_WORKSPACE)
                else:
                    waiting.append((folder / entry.name, name + "/"))

    def _left_out(self, entry: os.DirEntry[str], name: str) -> bool:
        if entry.name.startswith((".", "~$")):
            return True
        is_folder = entry.is_dir(follow_symlinks=False)
        if self.ignore.match_file(name + "/" if is_folder else name):
            return True
        return is_folder and self._machinery(Path(entry.path), name)

    def _machinery(self, folder: Path, name: str) -> bool:
        if folder.name in _MACHINERY:
            return True
        if folder.name in _BACKUPS and folder.parent.name == "logseq":
            return True
        return bool(self.exclude) and folder.resolve() in self.exclude

    def _file(self, entry: os.DirEntry[str], name: str, path: Path) -> Found:
        if not _encodable(name):
            return _odd(_readable(name), path, error="the name is not valid Unicode")
        if entry.is_symlink():
            return self._link(name, path)
        try:
            info = entry.stat(follow_symlinks=False)
        except OSError as error:
            return _odd(name, path, error=_why(error))
        if not stat.S_ISREG(info.st_mode):
            return _odd(name, path, error="not a regular file")
        return Found(name, path, notebook_of(name), info.st_size, info.st_mtime_ns, info.st_ino, "")

    def _link(self, name: str, path: Path) -> Found:
        try:
            target = path.resolve(strict=True)
        except (OSError, RuntimeError):
            return _odd(name, path, link="link to nothing")
        if not target.is_relative_to(self.root):
            return _odd(name, path, link="link out of the notes")
        inside = target.relative_to(self.root).as_posix()
        return _odd(name, path, link=f"link to {inside}")


def _odd(name: str, path: Path, *, link: str = "", error: str = "") -> Found:
    return Found(name, path, notebook_of(name), 0, 0, 0, link, error)


def _why(error: OSError) -> str:
    return error.strerror or type(error).__name__


def _encodable(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _readable(name: str) -> str:
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
