"""Workbooks and other tables: cells to rows, rows to sentences that make sense alone.

Belongs here: the calls other rooms make, and the road of a row: ``reading`` (a document to its rows),
``sentence`` (a row to words, ``cleaning`` on the way), ``skip`` (rows that give no chunk), ``subtitles``
(lines above a table), ``free_text`` (prose where there is none), ``chunking`` (the records), ``coverage``
(what became of all of them), ``names`` (names of columns, used throughout).
Stays out, each in a folder of its own: bytes to grids (``workbook``), a value as its cell shows it
(``shown``), tables and headers found in a grid (``tables``), what a user says of them (``templates``).
"""

from notes_pipeline.rows.chunking import chunk
from notes_pipeline.rows.reading import Workbook, read
from notes_pipeline.rows.templates.registry import Registry, load_registry

__all__ = ["Registry", "Workbook", "chunk", "load_registry", "read"]
