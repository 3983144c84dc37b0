"""What is read of a row beside its sentence: its titles, and what the thing is that it speaks of."""

from __future__ import annotations

from notes_pipeline.records import Chunk
from notes_pipeline.rows import Registry, chunk, read
from notes_pipeline.settings import Settings
from tests.sheets import workbook_document


def read_aloud(rows: str) -> list[str]:
    """The reading texts of the rows of one sheet."""
    settings = Settings()
    document = workbook_document({"Facts": rows}, "Staff.xlsx")
    made = chunk(document, read(document, settings, Registry()), settings, Registry())
    return [item.embed_text for item in made if isinstance(item, Chunk)]


def test_the_column_of_the_name_says_what_it_names() -> None:
    """The name's column is said before the name; it is no title above it."""
    rows = "Country | Capital | Tongue\nPortugal | Lisbon | Portuguese\nNorway | Oslo | Norwegian\n"

    assert read_aloud(rows) == [
        "Staff\nCountry: Portugal (Facts): Capital: Lisbon; Tongue: Portuguese.",
        "Staff\nCountry: Norway (Facts): Capital: Oslo; Tongue: Norwegian.",
    ]


def test_a_column_called_name_says_nothing() -> None:
    """That a name is a name needs no saying."""
    rows = "Name | Town | Trade\nAnna | Lisbon | baker\nBert | Oslo | smith\n"

    assert read_aloud(rows)[0] == "Staff\nAnna (Facts): Town: Lisbon; Trade: baker."
