"""The records and their tables say the same."""

from __future__ import annotations

from dataclasses import fields

import pytest

from notes_pipeline.records import DOCUMENTS, SCHEMAS, SNAPSHOT, Block, Section, from_table, table_of


@pytest.mark.parametrize("kind", SCHEMAS, ids=lambda kind: kind.__name__)
def test_a_table_has_the_columns_of_its_record(kind: type) -> None:
    """Each record's fields are its table's columns, in order."""
    assert [field.name for field in fields(kind)] == SCHEMAS[kind].names


def test_the_snapshot_is_the_documents_table_with_what_was_read() -> None:
    """documents.parquet tells all of the snapshot but the contents of the files."""
    assert [*DOCUMENTS.names, "text", "content"] == SNAPSHOT.names


def test_a_record_comes_back_from_its_table_as_it_went_in() -> None:
    """Nested records, tuples and numbers survive the way through Arrow."""
    blocks = (Block("heading", 0, 0, 3, "A", 1, "1"), Block("paragraph", 0, 4, 9, "b, c.", 2, ""))
    section = Section("a.md", ".", 0, ("A",), 1, "atx", 0, 9, 1, 2, 2, blocks)

    assert [section] == from_table(table_of([section], Section), Section)
