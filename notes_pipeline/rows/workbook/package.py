"""A zip package opened without trust: everything measured as it inflates, nothing written to disk.

Belongs here: limits on size, ratio and count, damaged archives, document types, parts by name.
Stays out: what the parts mean (workbook).
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, ParseError

import defusedxml.ElementTree as SafeTree
from defusedxml import DefusedXmlException

from notes_pipeline.rows.workbook.refusal import Refused

MAX_TOTAL_BYTES = 200 * 1024 * 1024
MAX_PART_BYTES = 100 * 1024 * 1024
MAX_RATIO = 200
"""Inflated bytes a packed byte may give, where a part is larger than ``RATIO_FREE_BYTES``."""
RATIO_FREE_BYTES = 1024 * 1024
MAX_PARTS = 10_000
MAX_TREE_BYTES = 32 * 1024 * 1024
"""A part held as a whole tree; sheets and strings stream by instead."""
Events = Iterator[tuple[str, Element]]
"""What a parser says of a part: each element when it ends."""
BROKEN_XML = (ParseError, LookupError, ValueError)
"""What a parser raises for XML that is none; ``DefusedXmlException`` is a ``ValueError``: catch it first."""
_STEP = 64 * 1024
_STRICT = (
    (
        b"http://purl.oclc.org/ooxml/spreadsheetml/main",
        b"http://schemas.openxmlformats.org/spreadsheetml/2006/main",
    ),
)
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError)
_SUSPECT = tuple(
    mark.encode(encoding)
    for mark in ("<!DOCTYPE", "<!ENTITY")
    for encoding in ("ascii", "utf-16-le", "utf-16-be")
)
"""In every encoding the parser takes: those of eight bits agree on these letters."""
_LONGEST_MARK = max(map(len, _SUSPECT))
_BROKEN_COPY = "copy or download the file again, or open it in a spreadsheet program and save it anew"
_BOMB = "open it in a spreadsheet program and save it anew, or leave it out"


class Package:
    """Parts of an archive by name (case-insensitive, no leading slash), proved harmless when opened."""

    def __init__(self, content: bytes) -> None:
        """Raises ``Refused`` for a truncated, encrypted, oversized or booby-trapped archive."""
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(content))
        except _DAMAGE as error:
            raise Refused("unreadable", "the file is truncated or damaged: its zip archive has no directory",
                          _BROKEN_COPY) from error  # fmt: skip
        infos = self._zip.infolist()
        if len(infos) > MAX_PARTS:
            raise Refused("too_large", f"the archive holds {len(infos):,} parts (limit {MAX_PARTS:,})", _BOMB)
        self._infos = {_normal(info.filename): info for info in infos if _normal(info.filename).rstrip("/")}
        self._suspects: set[str] = set()
        self.damaged: dict[str, str] = {}
        """Parts that do not inflate, and why; only a reader that needs one has to mind."""
        self.strict = False
        """Whether spreadsheet parts speak Strict Open XML; ``stream`` then translates."""
        _prove_harmless(self)

    def __contains__(self, name: str) -> bool:
        return _normal(name) in self._infos

    def names(self) -> Iterator[str]:
        """All part names, normalised."""
        return iter(self._infos)

    def chunks(self, name: str) -> Iterator[bytes]:
        """The inflated bytes of a part, a step at a time."""
        with self._zip.open(self._infos[_normal(name)]) as stream:
            while data := stream.read(_STEP):
                yield data

    def look_for_document_type(self, name: str, data: bytes) -> None:
        """Remembers a part in which a document type or an entity may be declared."""
        if any(mark in data for mark in _SUSPECT):
            self._suspects.add(name)

    def packed_size(self, name: str) -> int:
        """Bytes of the part as packed."""
        return self._infos[_normal(name)].compress_size

    def read(self, name: str) -> bytes:
        """A whole part; raises ``Refused`` where it is missing or damaged."""
        if name not in self:
            raise Refused("unreadable", f"the workbook lacks its part {name}", _BROKEN_COPY)
        if _normal(name) in self.damaged:
            raise Refused(
                "unreadable", f"part {name} is damaged: {self.damaged[_normal(name)]}", _BROKEN_COPY
            )
        return b"".join(self.chunks(name))

    def events(self, name: str) -> Events:
        """The elements of a spreadsheet part as they end, in the transitional namespaces its readers know.

        Raises ``Refused`` at once; ``BROKEN_XML`` and ``DefusedXmlException`` (document types) on the way.
        """
        source = self._source(name)
        if _normal(name) in self._suspects:
            found: Events = SafeTree.iterparse(source, forbid_dtd=True)
            return found
        # Nothing like a document type stands anywhere in the part: the plain parser, twice as fast, is safe.
        return ElementTree.iterparse(source)

    def _source(self, name: str) -> IO[bytes]:
        if name not in self or _normal(name) in self.damaged or self.strict:
            data = self.read(name)
            for strict, transitional in _STRICT:
                data = data.replace(strict, transitional)
            return io.BytesIO(data)
        return self._zip.open(self._infos[_normal(name)])

    def tree(self, name: str) -> Element:
        """A part as an element tree; raises ``Refused`` for document types, ``ParseError`` for broken XML."""
        data = self.read(name)
        if len(data) > MAX_TREE_BYTES:
            raise _oversized(f"part {name} unpacks to more than {MAX_TREE_BYTES >> 20} MiB")
        try:
            root: Element = SafeTree.fromstring(data, forbid_dtd=True)
        except DefusedXmlException as error:
            raise forbidden(name) from error
        except (ValueError, LookupError) as error:  # an encoding nobody knows
            raise ParseError(str(error)) from error
        return root


def forbidden(name: str) -> Refused:
    """What a part with a document type or entities is told: no spreadsheet writes them."""
    return Refused("unreadable", f"part {name} declares a document type or entities, as attacks do", _BOMB)


def _normal(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").lower()


def _prove_harmless(package: Package) -> None:
    total = 0
    for name in package.names():
        try:
            total += _measure(package, name, MAX_TOTAL_BYTES - total)
        except RuntimeError as error:
            if "encrypted" in str(error) or "password" in str(error):
                raise Refused("password_protected", "the archive is protected by a password",
                              "save a copy without a password") from error  # fmt: skip
            package.damaged[name] = str(error)
        except _DAMAGE as error:
            package.damaged[name] = str(error)


def _measure(package: Package, name: str, left: int) -> int:
    """Bytes the part really inflates to; stops at the first limit passed."""
    size = 0
    packed = max(1, package.packed_size(name))
    tail = b""
    for data in package.chunks(name):
        package.look_for_document_type(name, tail + data)
        tail = data[-_LONGEST_MARK:]
        size += len(data)
        if size > MAX_PART_BYTES:
            raise _oversized(f"part {name} unpacks to more than {MAX_PART_BYTES >> 20} MiB")
        if size > left:
            raise _oversized(f"the file unpacks to more than {MAX_TOTAL_BYTES >> 20} MiB")
        if size > RATIO_FREE_BYTES and size > MAX_RATIO * packed:
            raise _oversized(f"part {name} unpacks to more than {MAX_RATIO} times its size")
    return size


def _oversized(what: str) -> Refused:
    return Refused("too_large", f"{what}, as archive bombs do", _BOMB)
