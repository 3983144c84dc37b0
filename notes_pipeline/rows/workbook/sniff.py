"""What a file is by its first bytes, whatever its name says.

Belongs here: signatures. Stays out: reading.
"""

from __future__ import annotations

import re

OLE_SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""The container of Office files before 2007, and of today's password-protected ones."""
ZIP_SIGNATURES = (b"PK\x03\x04", b"PK\x05\x06")
_BIFF = re.compile(rb"\x09[\x00\x02\x04\x08][\x04-\x10]\x00")
"""A worksheet stream of Excel 2 to 4, which stands in no container."""
_MARKUP = re.compile(rb"\s*<(!doctype\s+html|html|head|body|meta|style|table|div|\?xml|!--)", re.IGNORECASE)
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def kind_of(content: bytes) -> str:
    """``empty``, ``zip``, ``ole``, ``encrypted``, ``biff``, ``html``, ``xml``, ``text`` or ``binary``."""
    head = content[:4096]
    if not content.strip(b"\x00\t\n\r "):
        return "empty"
    if head.startswith(ZIP_SIGNATURES):
        return "zip"
    if head.startswith(OLE_SIGNATURE):
        return "encrypted" if _stream_name("EncryptedPackage") in content else "ole"
    if _BIFF.match(head):
        return "biff"
    return _kind_of_text(head)


def has_workbook_stream(content: bytes) -> bool:
    """Whether an OLE file holds a workbook; Word and mail files stand in the same container."""
    return any(_stream_name(name) in content for name in ("Workbook", "Book", "WORKBOOK", "BOOK"))


def _stream_name(name: str) -> bytes:
    # Directory entries are UTF-16 with a final zero, so that "Book" is not found in "Booklet".
    return (name + "\0").encode("utf-16-le")


def _kind_of_text(head: bytes) -> str:
    text = head.removeprefix(b"\xef\xbb\xbf")
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = head.decode("utf-16", "replace").encode()
    markup = _MARKUP.match(text)
    if markup:
        is_page = b"<html" in text.lower() or not markup[1].startswith((b"?", b"!--"))
        return "html" if is_page else "xml"
    return "binary" if _CONTROL.search(text) else "text"
