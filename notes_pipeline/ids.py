"""Names and hashes of chunks: what an edit may rename, and what it may not.

A chunk's key hangs on its content (heading path and text, or the key cells of a row), never on
its place, so an edit renames only what it touches.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable

_KEY_DIGITS = 12


def content_hash(heading_path: Iterable[str], text: str) -> str:
    """Sixteen hex digits over heading path and text: what duplicates and reviewers' labels hang on."""
    return _digest((*heading_path, "", text))[:16]


def text_hash(text: str) -> str:
    """Sixteen hex digits over a text alone."""
    return _digest((text,))[:16]


def encode_path(path: str) -> str:
    """A source path as it stands in an id: ``%`` and ``#`` percent-encoded, all else as it is."""
    return path.replace("%", "%25").replace("#", "%23")


class Keys:
    """Hands out the chunk ids of one file; the n-th chunk of the same content gets ``-n`` (n from 2)."""

    def __init__(self, source_path: str) -> None:
        self._prefix = encode_path(source_path) + "#"
        self._seen: Counter[str] = Counter()

    def chunk_id(self, parts: Iterable[str]) -> str:
        """The id of the next chunk whose identity is ``parts`` (heading path and text; a row's key cells)."""
        key = _digest(parts)[:_KEY_DIGITS]
        self._seen[key] += 1
        count = self._seen[key]
        return f"{self._prefix}{key}" if count == 1 else f"{self._prefix}{key}-{count}"


def locator(source_path: str, index: int) -> str:
    """Where a chunk of a note stands today."""
    return f"{encode_path(source_path)}#{index}"


def row_locator(source_path: str, sheet: str, row: int) -> str:
    """Where a chunk of a row stands today."""
    return f"{encode_path(source_path)}#{encode_path(sheet)}!{row}"


def _digest(parts: Iterable[str]) -> str:
    # A length before each part, so that no two lists of parts read the same; lone surrogates survive.
    data = "".join([f"{len(part)}:{part}" for part in parts])
    return hashlib.blake2b(data.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
