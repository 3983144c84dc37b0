"""Names and hashes of chunks: what an edit may rename, and what it may not.

A chunk's key hangs on its content (heading path and text, or the key cells of a row), never on
its place, so an edit renames only what it touches.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

_KEY_DIGITS = 12
_HASH_DIGITS = 16


def content_hash(heading_path: Iterable[str], text: str) -> str:
    """Sixteen hex digits over heading path and text: what duplicates and reviewers' labels hang on."""
    return _digest((*heading_path, "", text))[:_HASH_DIGITS]


def text_hash(text: str) -> str:
    """Sixteen hex digits over a text alone."""
    return _digest((text,))[:_HASH_DIGITS]


def encode_path(path: str) -> str:
    """A source path as it stands in an id: ``%`` and ``#`` percent-encoded, all else as it is."""
    return path.replace("%", "%25").replace("#", "%23")


class Keys:
    """Hands out the chunk ids of one file; the n-th chunk of the same content gets ``-n`` (n from 2)."""

    def __init__(self, source_path: str) -> None:
        self.prefix = encode_path(source_path) + "#"
        """What every id and locator of the file begins with."""
        self._seen: dict[str, int] = {}
        self._digests: dict[tuple[str, ...], tuple[hashlib.blake2b, hashlib.blake2b]] = {}
        """By heading path: what chunk ids and content hashes under it begin with, digested already."""

    def chunk_id(self, parts: Iterable[str]) -> str:
        """The id of the next chunk whose identity is ``parts`` (heading path and text; a row's key cells)."""
        return self._next(_digest(parts)[:_KEY_DIGITS])

    def names(self, heading_path: tuple[str, ...], text: str) -> tuple[str, str]:
        """``chunk_id`` and ``content_hash`` of a note's next chunk; its text is encoded once for both."""
        digests = self._digests.get(heading_path)
        if digests is None:
            digests = self._digests[heading_path] = (
                _digested(heading_path),
                _digested((*heading_path, "")),
            )
        data = f"{len(text)}:{text}".encode("utf-8", "surrogatepass")
        key, content = digests[0].copy(), digests[1].copy()
        key.update(data)
        content.update(data)
        return self._next(key.hexdigest()[:_KEY_DIGITS]), content.hexdigest()[:_HASH_DIGITS]

    def _next(self, key: str) -> str:
        count = self._seen[key] = self._seen.get(key, 0) + 1
        return f"{self.prefix}{key}" if count == 1 else f"{self.prefix}{key}-{count}"


def locator(source_path: str, index: int) -> str:
    """Where a chunk of a note stands today."""
    return f"{encode_path(source_path)}#{index}"


def row_locator(source_path: str, sheet: str, row: int) -> str:
    """Where a chunk of a row stands today."""
    return f"{encode_path(source_path)}#{encode_path(sheet)}!{row}"


def _digest(parts: Iterable[str]) -> str:
    return _digested(parts).hexdigest()


def _digested(parts: Iterable[str]) -> hashlib.blake2b:
    # A length before each part, so that no two lists of parts read the same; lone surrogates survive.
    data = "".join([f"{len(part)}:{part}" for part in parts])
    return hashlib.blake2b(data.encode("utf-8", "surrogatepass"), digest_size=16)
