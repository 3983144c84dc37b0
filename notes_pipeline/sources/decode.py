"""Bytes to text: which encoding the writer used, and what could not be read.

Belongs here: the order in which encodings are tried, and the refusal of binary data.
Stays out: what the text means.

Order: byte order mark; UTF-16 without one, by where its NULs stand; strict UTF-8; UTF-8 with
a few broken bytes; Windows-1252. Line ends and NULs stay as they are, so that offsets are exact.
"""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

REPLACEMENT = "\ufffd"

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it starts with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_MARK_STARTS = tuple([mark for mark, _ in _MARKS])
_TEXT_BYTES = bytes(byte for byte in range(256) if byte >= 32 and byte != 127) + b"\t\n\v\f\r\x1b\0"
"""Bytes that a text may hold any number of; NULs are judged apart, escapes colour logs."""
_CONTROL_SHARE = 0.02
"""More control bytes than this, and it is no text (random bytes have a tenth)."""
_SHORT_SHARE = 0.1
"""The same where there are so few bytes that two are many."""
_NUL_SHARE = 0.3
_SHORT_NUL_SHARE = 0.2
_SHORT = 64
"""Bytes; below, UTF-16 without a mark must also read as text: a few NULs say little."""
_WIDE_SHARE = 0.5
"""Latin text in UTF-16 has a NUL in nearly every second byte."""
_WIDE_SHARE_NOT_UTF8 = 0.03
"""Other scripts have NULs only beside blanks and digits; taken for UTF-16 where UTF-8 fails."""

_SURROGATE = re.compile(rb"\xed[\xa0-\xbf][\x80-\xbf]")
_MULTIBYTE = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"  # whole
    rb"|[\xe0-\xef][\x80-\xbf](?![\x80-\xbf])|[\xf0-\xf4][\x80-\xbf]{1,2}(?![\x80-\xbf])"  # cut off
)
_HIGH = re.compile(rb"[\x80-\xff]")


class Binary(ValueError):
    """The bytes are no text; the message says what gave it away."""


class Decoded(NamedTuple):
    """A text, the encoding it was read in, and how many characters stand for unreadable bytes."""

    text: str
    encoding: str
    replaced: int


def decode(data: bytes) -> Decoded:
    """The text of ``data`` without its byte order mark; raises ``Binary`` where it is none."""
    if data.startswith(_MARK_STARTS):
        for mark, encoding in _MARKS:
            if data.startswith(mark):
                return _read(data[len(mark) :], encoding)
    wide = _wide_share(data) if b"\0" in data else None
    if wide and wide[1] >= _WIDE_SHARE and (len(data) >= _SHORT or _is_wide(data, wide[0])):
        return _read(data, wide[0])
    refusal = _binary(data)
    if not refusal:
        try:
            return Decoded(data.decode("utf-8"), "utf-8", 0)
        except UnicodeDecodeError:
            pass
    if wide and wide[1] >= _WIDE_SHARE_NOT_UTF8 and _is_wide(data, wide[0]):
        return _read(data, wide[0])
    if refusal:
        raise Binary(refusal)
    return _read(data, "utf-8" if _meant_as_utf8(data) else "cp1252")


def _read(data: bytes, encoding: str) -> Decoded:
    genuine = 0
    if encoding == "utf-8":
        genuine = data.count(REPLACEMENT.encode())
        data = _SURROGATE.sub(REPLACEMENT.encode(), data)
    text = data.decode(encoding, "replace")
    return Decoded(text, encoding, text.count(REPLACEMENT) - genuine)


def _wide_share(data: bytes) -> tuple[str, float] | None:
    """The UTF-16 these NULs speak for, and the share of its high bytes that are NUL."""
    even, odd = data[::2].count(0), data[1::2].count(0)
    few, many = sorted((even, odd))
    if few > many * 0.05 or len(data) < 4:
        return None
    return ("utf-16-be" if even > odd else "utf-16-le"), many / (len(data) // 2)


def _is_wide(data: bytes, encoding: str) -> bool:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return sum(character.isprintable() or character.isspace() for character in text) >= 0.98 * len(text)


def _binary(data: bytes) -> str:
    """What gives binary data away, or nothing."""
    size = len(data)
    controls = len(data.translate(None, _TEXT_BYTES))
    if controls > min(max(2, _CONTROL_SHARE * size), _SHORT_SHARE * size):
        return f"{controls} control bytes in {size}"
    nulls = data.count(0)
    most = max(2, _NUL_SHARE * size) if size >= _SHORT else _SHORT_NUL_SHARE * size
    return f"{nulls} NUL bytes in {size}" if nulls > most else ""


def _meant_as_utf8(data: bytes) -> bool:
    """Whether more high bytes stand in (whole or cut off) UTF-8 sequences than stand alone."""
    loose = len(_HIGH.findall(_MULTIBYTE.sub(b"", data)))
    return len(_MULTIBYTE.findall(data)) >= max(1, loose)
