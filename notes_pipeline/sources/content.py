"""What a reader says about one file's bytes, before it becomes a ``Document``."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Content:
    """The part of a ``Document`` that hangs on its format; fields as there."""

    state: str
    error: str = ""
    encoding: str = ""
    replaced: int = 0
    title: str = ""
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    front_matter: str = ""
    front_matter_end: int = 0
    warnings: tuple[str, ...] = ()
    text: str | None = None
    content: bytes | None = None


def stem(source_path: str) -> str:
    """The file's name without its suffix."""
    return posixpath.splitext(posixpath.basename(source_path))[0]


def suffix(source_path: str) -> str:
    """The suffix of the file's name in lower case, with its dot; empty where it has none."""
    return posixpath.splitext(source_path)[1].lower()
