"""Files to documents: the one place that reads the notes.

Belongs here: which suffix is which kind of source, reading a file once and unchanged.
Stays out: what each kind makes of the bytes (one file a format).
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from notes_pipeline.records import Document
from notes_pipeline.settings import Settings
from notes_pipeline.sources.content import Content, stem, suffix
from notes_pipeline.sources.markdown import read_markdown
from notes_pipeline.sources.metadata import name_title
from notes_pipeline.sources.tables import read_csv, read_workbook
from notes_pipeline.sources.walk import Found, notebook_of, scan

__all__ = ["SUFFIXES", "Found", "SourceType", "document_from_bytes", "notebook_of", "read", "scan", "type_of"]


class SourceType(NamedTuple):
    """A kind of source: its name in the records, and what reads its bytes (path, data)."""

    name: str
    read: Callable[[str, bytes], Content]


_MARKDOWN = SourceType("markdown", read_markdown)
_EXCEL = SourceType("excel", read_workbook)
_CSV = SourceType("csv", read_csv)
SUFFIXES: dict[str, SourceType] = {
    **dict.fromkeys((".md", ".markdown", ".mdown", ".mkd", ".mkdn", ".qmd", ".rmd"), _MARKDOWN),
    **dict.fromkeys((".xlsx", ".xlsm", ".xls", ".xlsb", ".ods"), _EXCEL),
    **dict.fromkeys((".csv", ".tsv"), _CSV),
}
"""What is read, by the suffix of the file's name in lower case; a new format is a line here."""


def type_of(source_path: str) -> SourceType | None:
    """The kind of a file by its suffix, or None where nobody reads it."""
    return SUFFIXES.get(suffix(source_path))


def read(found: Found, settings: Settings) -> Document:
    """The document of a file the walk found; a file that cannot be read becomes a state, not an error."""
    if found.error:
        return _unread(found, "unreadable", found.error)
    if found.workspace:
        return _unread(found, "workspace", found.workspace)
    if found.link:
        return _unread(found, "linked", found.link)
    if type_of(found.source_path) is None:
        return _unread(found, "unsupported", _unsupported(found.source_path))
    if found.size > settings.max_file_bytes:
        return _unread(found, "too_large", _too_large(found.size, settings))
    try:
        data = _read_unchanged(found.path, settings.max_file_bytes)
    except OSError as error:
        return _unread(found, "unreadable", error.strerror or type(error).__name__)
    if data is None:
        return _unread(found, "changed_while_read", "the file changed twice while it was read; build again")
    return document_from_bytes(found.source_path, data, settings)


def document_from_bytes(source_path: str, data: bytes, settings: Settings) -> Document:
    """The document of ``data`` as if it stood at ``source_path``; never raises for what is in it."""
    kind = type_of(source_path)
    if kind is None:
        content = Content(state="unsupported", error=_unsupported(source_path))
    elif len(data) > settings.max_file_bytes:
        content = Content(state="too_large", error=_too_large(len(data), settings))
    else:
        content = kind.read(source_path, data)
    return _document(source_path, kind, hashlib.sha256(data).hexdigest(), len(data), content)


def _read_unchanged(path: Path, limit: int) -> bytes | None:
    """The bytes of a file that was the same before and after; one more try, then None.

    Raises ``OSError`` where the name leads to anything but a file: what the walk found may be gone.
    """
    for _ in range(2):
        with open(path, "rb", buffering=0, opener=_open_file) as file:
            before = os.fstat(file.fileno())
            if not stat.S_ISREG(before.st_mode):
                raise OSError(errno.EINVAL, "no regular file any more: a pipe or device took its place")
            data = file.read(min(before.st_size, limit) + 1) or b""
        after = path.stat(follow_symlinks=False)
        if _mark(before) == _mark(after) and len(data) == min(after.st_size, limit + 1):
            return data
    return None


def _open_file(path: str, flags: int) -> int:
    """Opens without following a link, and without waiting for the other end of a pipe."""
    try:
        return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise OSError(errno.ELOOP, "a link took its place, and links are not followed") from error
        raise


def _mark(info: os.stat_result) -> tuple[int, int, int]:
    return info.st_size, info.st_mtime_ns, info.st_ino


def _unsupported(source_path: str) -> str:
    kind = suffix(source_path) or "no suffix"
    return f"{kind}: no kind that is read; that are Markdown (.md …), workbooks (.xlsx …), .csv and .tsv"


def _too_large(size: int, settings: Settings) -> str:
    return f"{size} bytes, more than max_file_bytes = {settings.max_file_bytes}"


def _unread(found: Found, state: str, error: str) -> Document:
    kind = type_of(found.source_path)
    return _document(found.source_path, kind, "", found.size, Content(state=state, error=error))


def _document(
    source_path: str, kind: SourceType | None, file_hash: str, size: int, content: Content
) -> Document:
    return Document(
        source_path=source_path,
        source_type=kind.name if kind else suffix(source_path).lstrip("."),
        notebook=notebook_of(source_path),
        file_hash=file_hash,
        size_bytes=size,
        state=content.state,
        error=content.error,
        encoding=content.encoding,
        replaced_characters=content.replaced,
        title=content.title or name_title(stem(source_path)),
        aliases=content.aliases,
        tags=content.tags,
        front_matter=content.front_matter,
        front_matter_end=content.front_matter_end,
        warnings=content.warnings,
        char_count=len(content.text) if content.text is not None else 0,
        text=content.text,
        content=content.content,
    )
