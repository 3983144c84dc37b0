"""What cells show: one line a truth in ``cases/excel_formats.tsv``, and the laws of every format."""

from __future__ import annotations

import csv
from datetime import date, datetime, time, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notes_pipeline.rows.shown.formats import Value, is_date_format, show

CASES = Path(__file__).parent / "cases"


def _value(text: str) -> Value:
    """``'`` marks a text; TRUE and FALSE are booleans; a point or an exponent makes a fraction."""
    if text.startswith("'"):
        return text[1:]
    if text in ("TRUE", "FALSE"):
        return text == "TRUE"
    return float(text) if any(mark in text for mark in ".e") else int(text)


def _rows() -> list[dict[str, str]]:
    with (CASES / "excel_formats.tsv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.parametrize("row", _rows(), ids=lambda row: f"{row['value']} in {row['format']}")
def test_shown_as_the_spreadsheet_shows_it(row: dict[str, str]) -> None:
    """Each value in its format reads as a person sees it in the sheet."""
    assert show(_value(row["value"]), row["format"]) == row["shown"], row["why"]


@pytest.mark.parametrize(
    ("value", "number_format", "shown"),
    [
        (datetime(1977, 8, 10), "General", "10 August 1977"),
        (datetime(1977, 8, 10, 6, 30), "General", "10 August 1977 6:30"),
        (datetime(1977, 8, 10, 6, 30), "yyyy-mm-dd", "1977-08-10"),
        (datetime(1900, 2, 28), "d mmm yyyy", "28 Feb 1900"),
        (datetime(1900, 1, 1), "d mmm yyyy", "1 Jan 1900"),
        (date(1947, 8, 15), "dd/mm/yyyy", "15/08/1947"),
        (date(1815, 12, 10), "General", "10 December 1815"),
        (datetime(1815, 12, 10, 18, 30), "yyyy-mm-dd h:mm", "1815-12-10 18:30"),
        (time(18, 5), "h:mm AM/PM", "6:05 PM"),
        (time(18, 5, 9), "General", "18:05:09"),
        (timedelta(hours=30, minutes=5), "[h]:mm", "30:05"),
        (timedelta(hours=30, minutes=5), "General", "30:05:00"),
        (datetime(1977, 8, 10), "0", "28347"),
        (None, "0.00", ""),
        (float("inf"), "0.00", "#NUM!"),
    ],
)
def test_values_that_readers_already_made_dates(value: Value, number_format: str, shown: str) -> None:
    """Dates, times and spans show like the serial numbers they stand for."""
    assert show(value, number_format) == shown


def test_the_two_day_counts_are_four_years_and_a_day_apart() -> None:
    """The same number is 1,462 days later in a workbook that counts from 1904; day 0 is 1 January 1904."""
    assert show(0, "d mmmm yyyy", date1904=True) == "1 January 1904"
    assert show(28347 - 1462, "d mmmm yyyy", date1904=True) == show(28347, "d mmmm yyyy")
    assert show(datetime(1977, 8, 10), "d mmmm yyyy", date1904=True) == "10 August 1977"


@pytest.mark.parametrize(
    ("number_format", "is_date"),
    [
        ("d mmmm yyyy", True),
        ("[h]:mm", True),
        ("mm:ss.0", True),
        ("[$-F800]dddd", True),
        ("mm-dd-yy", True),
        ('0.00" m"', False),
        ("0 km", False),
        ("[Red]0", False),
        ("General", False),
        ('"Monday"', False),
    ],
)
def test_formats_of_dates_are_told_from_those_of_numbers(number_format: str, is_date: bool) -> None:
    """Letters in quotes, colours and units do not make a date."""
    assert is_date_format(number_format) is is_date


VALUES: st.SearchStrategy[Value] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.decimals(),
    st.text(),
    st.dates(),
    st.datetimes(),
    st.times(),
    st.timedeltas(),
    st.integers(min_value=10**300, max_value=10**330),
)
PIECES = (
    *("0", "#", "?", ".", ",", "%", "/", "E+", "e-", "@", ";", "General", "_", "*", "\\", '"', "[", "]", "-"),
    *("[h]", "[mm]", "[s]", "y", "yyyy", "m", "mm", "mmmmm", "d", "dddd", "h", "s", ".00", "AM/PM", "A/P"),
    *(
        "b",
        "e",
        "g",
        "aaa",
        "[<5]",
        "[>=-1.5]",
        "[=1E99]",
        "[$€-407]",
        "[$-F800]",
        "[Red]",
        "km",
        "年",
        "1",
        "8",
    ),
)
FORMATS = st.one_of(st.text(max_size=40), st.lists(st.sampled_from(PIECES), max_size=14).map("".join))


@given(VALUES, FORMATS, st.booleans())
def test_showing_never_fails(value: Value, number_format: str, date1904: bool) -> None:
    """Any value in any format, however mangled, gives a text without blanks at its ends."""
    shown = show(value, number_format, date1904=date1904)

    assert shown == shown.strip()


@given(st.integers(min_value=-(10**15) + 1, max_value=10**15 - 1))
def test_whole_numbers_survive_general(value: int) -> None:
    """General shows every digit of a whole number that a cell can hold."""
    assert int(show(value, "General")) == value


@given(st.datetimes(min_value=datetime(1900, 3, 1), max_value=datetime(9999, 12, 31)))
def test_dates_survive_an_explicit_format(value: datetime) -> None:
    """Year, month, day, hour, minute and second are those of the cell."""
    whole = value.replace(microsecond=0)

    assert show(whole, "yyyy-mm-dd hh:mm:ss") == whole.strftime("%Y-%m-%d %H:%M:%S").zfill(19)


@given(st.floats(min_value=-1e12, max_value=1e12), st.integers(min_value=0, max_value=6))
def test_grouping_changes_nothing_but_commas(value: float, places: int) -> None:
    """A number shown with and without thousands has the same digits."""
    decimals = "." + "0" * places if places else ""

    assert show(value, f"#,##0{decimals}").replace(",", "") == show(value, f"0{decimals}")
