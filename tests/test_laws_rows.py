"""The laws of rows over generated workbooks: nothing lost, nothing twice, ids that last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from notes_pipeline.records import Chunk, Discard, Row
from notes_pipeline.rows import Registry, Workbook, chunk
from notes_pipeline.rows.coverage import coverage
from notes_pipeline.rows.reading import read_grids
from notes_pipeline.rows.skip import STRUCTURE, UNCERTAIN_HEADER
from notes_pipeline.rows.subtitles import UNTOLD
from notes_pipeline.rows.workbook.grid import Grid, GridCell
from notes_pipeline.settings import HARD_CHARACTERS, Settings
from tests.build import workbook

WORDS = st.sampled_from(
    [
        "River",
        "Total",
        "Mere",
        "oak",
        "12",
        "1,250",
        "3.5 %",
        "n/a",
        "-",
        "Chapter 2",
        "東京の川",
        "Name",
        "1957",
        "see note",
        "H₂O",
        "Source: survey",
        "café",
        "A",
        ":",
        "a bridge of stone with three low arches",
    ]
)
CELL = st.one_of(st.none(), WORDS, st.text(min_size=1, max_size=12).map(str.strip).filter(bool))
ROWS = st.lists(st.lists(CELL, min_size=0, max_size=5), max_size=14)
SETTINGS = Settings()


MERGES = st.lists(
    st.tuples(st.integers(1, 14), st.integers(1, 5), st.integers(1, 3), st.integers(1, 4)), max_size=3
)
"""Top row, left column, height and width."""


def grid(
    rows: list[list[str | None]], merges: Sequence[tuple[int, int, int, int]] = (), **changes: object
) -> Grid:
    """A sheet of these texts; whatever reads as a number is one, merges repeat their first cell."""
    cells: dict[int, dict[int, GridCell]] = {}
    for number, row in enumerate(rows, 1):
        for column, text in enumerate(row, 1):
            if text:
                kind = "number" if text[:1].isdigit() else "text"
                cells.setdefault(number, {})[column] = GridCell(number, column, text, kind)
    for top, left, height, width in merges:
        first = cells.get(top, {}).get(left)
        if first is None or first.spilled or height * width == 1:
            continue
        for number in range(top, top + height):
            for column in range(left, left + width):
                if (number, column) != (top, left):
                    spilled = first._replace(row=number, column=column, spilled=True)
                    cells.setdefault(number, {})[column] = spilled
    ordered = {number: dict(sorted(row.items())) for number, row in sorted(cells.items())}
    return Grid(name="Sheet1", index=0, cells=ordered, **changes)  # type: ignore[arg-type]


def built(made: Grid) -> tuple[Workbook, list[Chunk | Discard]]:
    """What the sheet becomes."""
    document = workbook()
    found = read_grids(document, [made], SETTINGS, Registry())
    return found, chunk(document, found, SETTINGS, Registry())


@given(
    ROWS, MERGES, st.frozensets(st.integers(1, 14), max_size=3), st.frozensets(st.integers(1, 5), max_size=2)
)
def test_every_row_is_found_once_a_table(
    rows: list[list[str | None]],
    merges: list[tuple[int, int, int, int]],
    hidden: frozenset[int],
    away: frozenset[int],
) -> None:
    """Every row with a cell of its own stands in the workbook's rows, once in each table it crosses."""
    made = grid(rows, merges, hidden_rows=hidden, hidden_columns=away)
    found, _ = built(made)
    places = Counter((row.table_index, row.row_number) for row in found.rows)

    own = {number for number, row in made.cells.items() if any(not cell.spilled for cell in row.values())}

    assert own == {row.row_number for row in found.rows}
    assert all(count == 1 or index == -1 for (index, _), count in places.items())


@given(ROWS, MERGES, st.frozensets(st.integers(1, 14), max_size=3))
def test_every_row_becomes_something(
    rows: list[list[str | None]], merges: list[tuple[int, int, int, int]], hidden: frozenset[int]
) -> None:
    """Rows are chunks, or one discard each, or structure: it adds up for every table."""
    found, made = built(grid(rows, merges, hidden_rows=hidden))
    tables = coverage(found.rows, made, Registry())
    # A header that may be data, and a line above a table that no path holds, are discards besides.
    told = [item for item in made if not (isinstance(item, Discard) and _is_of_structure(item))]
    firsts = [item for item in told if isinstance(item, Discard) or item.part in (None, 1)]

    assert all(table.lost == 0 for table in tables)
    assert len(firsts) == sum(row.kind not in STRUCTURE for row in found.rows)
    assert [item.row_number for item in firsts] == [
        r.row_number for r in found.rows if r.kind not in STRUCTURE
    ]


def _is_of_structure(item: Discard) -> bool:
    return item.reason == UNCERTAIN_HEADER or item.detail == UNTOLD


@given(ROWS)
def test_no_cell_of_a_chunked_row_is_silent(rows: list[list[str | None]]) -> None:
    """Without a template every value of a row stands in its sentence, word for word, or in its parts."""
    found, made = built(grid(rows))
    texts: dict[tuple[int, str], str] = {}
    for item in made:
        if isinstance(item, Chunk):
            key = (item.row_number or 0, item.sheet or "")
            texts[key] = f"{texts.get(key, '')} {item.text}"
    for row in found.rows:
        said = texts.get((row.row_number, row.sheet))
        if said and row.kind == "data":
            assert all(_letters(cell.value) in _letters(said) for cell in row.cells)


def _letters(text: str) -> str:
    return "".join(character for character in text if character.isalnum())


@given(ROWS)
def test_ids_are_unique_and_limits_hold(rows: list[list[str | None]]) -> None:
    """No id twice, no chunk past the ceiling, indexes that count from 0."""
    _, made = built(grid(rows))
    chunks = [item for item in made if isinstance(item, Chunk)]

    assert len({item.chunk_id for item in chunks}) == len(chunks)
    assert [item.chunk_index for item in chunks] == list(range(len(chunks)))
    assert all(len(item.text) <= HARD_CHARACTERS for item in chunks)


NAME = st.text("abcdefghij", min_size=4, max_size=8).map(str.capitalize)
RECORD = st.tuples(NAME, st.sampled_from(("Mere", "Lode", "Ouse")), st.integers(10, 99).map(str))


@given(st.lists(RECORD, min_size=3, max_size=12, unique_by=lambda item: item[0]), RECORD, st.integers(0, 12))
def test_an_inserted_row_renames_no_other(
    records: list[tuple[str, str, str]], new: tuple[str, str, str], at: int
) -> None:
    """Ids hang on a row's own cells: those of all other rows stay, but for rows with the very same key."""
    if new[0] in {record[0] for record in records}:
        return
    header = ["Bridge", "River", "Length"]
    longer = [*records[:at], new, *records[at:]]
    before = _ids([header, *map(list, records)])
    after = _ids([header, *map(list, longer)])

    assert before == {name: after[name] for name in before}


def _ids(rows: list[list[str]]) -> dict[str, str]:
    found, made = built(grid([list(row) for row in rows]))
    names = {row.row_number: _bridge(row) for row in found.rows}
    return {names[item.row_number or 0]: item.chunk_id for item in made if isinstance(item, Chunk)}


def _bridge(row: Row) -> str:
    return next((cell.value for cell in row.cells if cell.column == "Bridge"), "")


@given(ROWS)
def test_the_same_sheet_gives_the_same_chunks(rows: list[list[str | None]]) -> None:
    """Nothing but the sheet decides."""
    assert built(grid(rows)) == built(grid(rows))


LABELS = ("Name", "Place", "Kind", "Owner", "Note", "Status")
PHRASE = st.lists(st.text("abcdefghij", min_size=1, max_size=9), min_size=1, max_size=4).map(" ".join)


@given(st.data(), st.integers(2, 6), st.integers(1, 9))
def test_no_row_of_data_is_taken_for_a_second_header(data: st.DataObject, width: int, count: int) -> None:
    """Under labels with a blank among them every row of text is in a chunk or a discard, whole."""
    blank = data.draw(st.integers(0, width))
    header = [None if place == blank and width > 2 else label for place, label in enumerate(LABELS[:width])]
    values = st.lists(PHRASE, min_size=width, max_size=width)
    records = data.draw(st.lists(values, min_size=count, max_size=count))
    rows = [header, *(list[str | None](record) for record in records)]
    _, made = built(grid(rows))
    said = dict.fromkeys(range(2, count + 2), "")
    for item in made:
        if item.row_number in said:
            said[item.row_number] += item.text
    for number, record in enumerate(records, 2):
        assert all(_letters(value) in _letters(said[number]) for value in record)
