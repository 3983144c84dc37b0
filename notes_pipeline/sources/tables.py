"""Workbooks and delimited text: bytes kept for the rows room, or decoded.

Belongs here: the cheap look at a file's first bytes. Stays out: opening a workbook (rows).
"""

from __future__ import annotations

from notes_pipeline.sources.content import Content
from notes_pipeline.sources.decode import Binary, decode


def read_workbook(source_path: str, data: bytes) -> Content:
    """The bytes of a workbook as they are; what is wrong with them is found where they are opened."""
    if not data.strip(b"\0"):
        return Content(state="empty")
    return Content(state="read", content=data)


def read_csv(source_path: str, data: bytes) -> Content:
    """The text of a delimited file."""
    try:
        text, encoding, replaced = decode(data)
    except Binary as refusal:
        return Content(state="binary", error=str(refusal))
    return Content(
        state="read" if text.strip() else "empty",
        encoding=encoding,
        replaced=replaced,
        warnings=(f"replaced_characters: {replaced}",) if replaced else (),
        text=text,
    )
