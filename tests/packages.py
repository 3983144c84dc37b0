"""Workbooks for the tests, zipped from readable parts; and an old one written byte by byte."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path

from notes_pipeline.records import Document

OPENING = Path(__file__).parent / "cases" / "opening"


def parts_of(folder: Path) -> dict[str, bytes]:
    """Every file below ``folder`` by its relative name."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def workbook(parts: Mapping[str, bytes] = {}) -> bytes:
    """The blank workbook of the cases, with ``parts`` laid over it."""
    return zipped({**parts_of(OPENING / "blank"), **parts})


def zipped(parts: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip archive of ``parts``."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return stream.getvalue()


def document(content: bytes | None = None, *, text: str | None = None, name: str = "notes.xlsx") -> Document:
    """A document as the snapshot would keep it."""
    source_type = "csv" if text is not None else "excel"
    size = len(content or b"")
    return Document(
        name,
        source_type,
        ".",
        "",
        size,
        "read",
        "",
        "",
        0,
        "",
        (),
        (),
        "",
        0,
        (),
        len(text or ""),
        text,
        content,
    )


_SECTOR = 512
_END, _FAT, _FREE = 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFF


def old_container(streams: Mapping[str, bytes]) -> bytes:
    """An OLE file: header, one allocation sector, one directory sector, streams of 4 KiB or more."""
    table = [_FAT, _END]
    entries = [_entry("Root Entry", 5, _END, 0, child=1)]
    data = b""
    for number, (name, stream) in enumerate(streams.items(), 1):
        stream = stream.ljust(max(4096, -(-len(stream) // _SECTOR) * _SECTOR), b"\0")
        start, count = len(table), len(stream) // _SECTOR
        table += [*range(start + 1, start + count), _END]
        right = number + 1 if number < len(streams) else _FREE
        entries.append(_entry(name, 2, start, len(stream), right=right))
        data += stream
    table += [_FREE] * (128 - len(table))
    directory = b"".join(entries).ljust(_SECTOR, b"\0")
    signature = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    versions = struct.pack("<16xHHHHH6x", 0x3E, 3, 0xFFFE, 9, 6)
    places = struct.pack("<IIIIIIIII", 0, 1, 1, 0, 4096, _END, 0, _END, 0)
    header = signature + versions + places + struct.pack("<109I", 0, *[_FREE] * 108)
    return header + struct.pack("<128I", *table) + directory + data


def _entry(name: str, kind: int, start: int, size: int, *, child: int = _FREE, right: int = _FREE) -> bytes:
    encoded = name.encode("utf-16-le") + b"\0\0"
    return struct.pack("<64sHBBIII36xIQ", encoded, len(encoded), kind, 1, _FREE, right, child, start, size)


def old_workbook(rows: list[list[str | float]]) -> bytes:
    """An .xls file of one sheet, ``Rivers``."""
    sheet = _record(0x809, struct.pack("<HHHHII", 0x600, 0x10, 0, 0, 0, 0))
    for row, values in enumerate(rows):
        for column, value in enumerate(values):
            place = struct.pack("<HHH", row, column, 0)
            if isinstance(value, str):
                sheet += _record(0x204, place + struct.pack("<HB", len(value), 1) + value.encode("utf-16-le"))
            else:
                sheet += _record(0x203, place + struct.pack("<d", value))
    sheet += _record(0x0A, b"")
    start = _record(0x809, struct.pack("<HHHHII", 0x600, 5, 0, 0, 0, 0))
    name = struct.pack("<BBB", 0, 6, 0) + b"Rivers"
    end = _record(0x0A, b"")
    listed = len(_record(0x85, b"\0" * 5 + name))
    bound = _record(0x85, struct.pack("<IB", len(start) + listed + len(end), 0) + name)
    return old_container({"Workbook": start + bound + end + sheet})


def _record(kind: int, data: bytes) -> bytes:
    return struct.pack("<HH", kind, len(data)) + data
