"""Workbooks and other tables: cells to rows, rows to sentences that make sense alone.

Belongs here: the two calls other rooms make. Stays out: everything they do (workbook, chunking).
"""

from notes_pipeline.rows.chunking import chunk
from notes_pipeline.rows.reading import Workbook, read
from notes_pipeline.rows.registry import Registry, load_registry

__all__ = ["Registry", "Workbook", "chunk", "load_registry", "read"]
