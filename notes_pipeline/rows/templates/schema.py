"""What a file of row templates may say: the YAML format as typed models.

Belongs here: keys, their types, defaults and limits.
Stays out: reading files (registry), compiling (compiled).
"""

from __future__ import annotations

from typing import Annotated, Literal

from openpyxl.utils import range_boundaries
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator


def _listed(value: object) -> object:
    return [value] if isinstance(value, str | int | float) else value


def _text(value: object) -> object:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


Text = Annotated[str, BeforeValidator(_text)]
Texts = Annotated[tuple[Text, ...], BeforeValidator(_listed)]


RowNumber = Annotated[int, Field(ge=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Columns(_Strict):
    """Column names a table must have, may have one of, must not have; compared case-blind."""

    all: Texts = ()
    any: Texts = ()
    none: Texts = ()


class Match(_Strict):
    """Which tables a template speaks for; patterns with ``*`` and ``?``, case-blind, one is enough."""

    file: Texts = ("*",)
    sheet: Texts = ("*",)
    columns: Columns = Columns()


class TableOptions(_Strict):
    """How the table is to be read where finding it by itself would go wrong."""

    header_row: Literal["auto"] | RowNumber | tuple[RowNumber, RowNumber] = "auto"
    """``auto``, the header's row, or its first and last: ``[3, 4]``."""
    orientation: Literal["rows", "columns"] = "rows"
    """``columns``: field names stand in the first column, each further column is a record."""
    range: str = "auto"
    """``auto`` or a range such as ``B3:F40``."""
    fill_down: Texts = ()
    """Columns whose empty cells repeat the value above."""
    section_as: str = ""
    """A name under which the template can use the section row's text."""

    @field_validator("range")
    @classmethod
    def _is_range(cls, value: str) -> str:
        if value != "auto":
            try:
                range_boundaries(value)
            except (ValueError, TypeError) as error:
                raise ValueError(f"{value!r} is no range such as B3:F40") from error
            if ":" not in value:
                raise ValueError(f"{value!r} is one cell, not a range such as B3:F40")
        return value

    @property
    def header_rows(self) -> tuple[int, int] | None:
        """First and last row of the header, where they are given."""
        if self.header_row == "auto":
            return None
        return (self.header_row, self.header_row) if isinstance(self.header_row, int) else self.header_row

    @property
    def explicit(self) -> bool:
        """Whether the table is described rather than found."""
        return self.header_row != "auto" or self.orientation != "rows" or self.range != "auto"


class Test(_Strict):
    """One row and how it must read, or which required fields must send it to the fallback."""

    row: dict[Text, Text]
    reads: Annotated[str, Field(alias="is")] = ""
    section: str = ""


class Defaults(_Strict):
    """What holds for every template of a file that does not say otherwise."""

    hidden: Literal["skip", "read"] | None = None
    """Hidden rows and columns; None: as the settings say."""
    dates: Literal["as_shown"] = "as_shown"
    locale_dates: Literal["d MMMM yyyy"] = "d MMMM yyyy"
    rest: Literal["labelled", "drop"] = "labelled"
    empty_values: Texts = ()
    keep_numeric: bool = False
    min_words: Annotated[int, Field(ge=0)] = 0
    """Rows that read shorter are fragments; 0: only the bands of the settings judge."""
    max_words: Annotated[int, Field(ge=20)] | None = None
    """A longer row is cut at a field's end; None: as the settings say."""


class Template(_Strict):
    """One template as written."""

    id: Annotated[str, Field(min_length=1, pattern=r"^[\w.\-]+$")]
    match: Match = Match()
    priority: int = 0
    table: TableOptions = TableOptions()
    title: str = ""
    rename: dict[Text, str] = {}
    entity: str = ""
    key: Texts = ()
    """Columns that with the entity identify a row: the chunk's id hangs on them."""
    ignore: Texts = ()
    rest: Literal["labelled", "drop"] | None = None
    empty_values: Texts | None = None
    keep_numeric: bool | None = None
    min_words: Annotated[int, Field(ge=0)] | None = None
    max_words: Annotated[int, Field(ge=20)] | None = None
    text: str = ""
    """The sentence; empty: the labelled fallback, with everything else said here."""
    tests: tuple[Test, ...] = ()

    @field_validator("id")
    @classmethod
    def _is_free(cls, value: str) -> str:
        if value == "fallback":
            raise ValueError("'fallback' names the sentence of rows without a template")
        return value


class File(_Strict):
    """One file of templates."""

    version: Literal[1]
    defaults: Defaults = Defaults()
    templates: tuple[Template, ...] = ()
