"""Which line of a region is its header: a score whose every point has a reason.

Belongs here: the score, its thresholds, and the lines that extend a header up and down.
Stays out: where regions begin and end (regions) and what the other lines mean (structure).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from notes_pipeline.rows.grid import GridCell
from notes_pipeline.rows.region import Line, Region

ACCEPT = 2.5
"""A line is a header from here; below it the region has none. Measured on 95 sheets: 92 % right."""
SURE = 3.5
"""Below this an accepted header is marked low confidence: 88 % of the right ones lie above."""
CANDIDATES = 15
"""Lines from the top that may be a header; those further down never were in 250 sheets."""
SAMPLE = 20
"""Lines below a candidate that are looked at."""

BAND_CHARACTERS = 100
"""A longer cell above a header is a note."""

_HEADER_WORD = re.compile(
    r"(names?|titles?|year|date|code|id|no|number|type|category|class|state|country|city|place|region|district"
    r"|capital|area|population|value|units?|description|definition|meaning|term|words?|question|answer|topic"
    r"|subject|items?|price|cost|quantity|qty|amount|count|score|rank|author|book|chapter|page|remarks?|notes?"
    r"|comments?|source|status|reason|rule|example|symbol|formula|event|person|period|from|to|start|end|day"
    r"|month|time|language|group|sex|age|sr|serial|task|owner|link|url|file|nr|datum|jahr|land|nom|titre|année"
    r"|pays|ville|nombre|fecha|año|país|ciudad|anno|paese)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")


class Score(NamedTuple):
    """Points of one candidate and why: ``reasons`` hold the points of each rule that spoke."""

    place: int
    """Index of the line in its region."""
    total: float
    reasons: tuple[tuple[float, str], ...]

    @property
    def explanation(self) -> str:
        """The reasons from the heaviest down, with their points."""
        ranked = sorted(self.reasons, key=lambda reason: -abs(reason[0]))
        return ", ".join(f"{text} {points:+.1f}" for points, text in ranked)


class _View(NamedTuple):
    """A candidate with what its rules look at."""

    line: Line
    labels: list[GridCell]
    above: Sequence[Line]
    below: Sequence[Line]
    hinted: bool


Rule = Callable[[_View], tuple[float, str]]


def best_header(region: Region) -> Score | None:
    """The best scored candidate of the region, earlier lines first on ties; None without two lines."""
    lines = region.lines
    scores = [score(region, index) for index in range(min(CANDIDATES, len(lines) - 1))]
    return max(scores, key=lambda item: (item.total, -item.place), default=None)


def score(region: Region, index: int) -> Score:
    """The points of the line at ``index`` as a header over the lines below it."""
    lines = region.lines
    line = lines[index]
    view = _View(
        line,
        line.apart,
        lines[max(0, index - SAMPLE) : index],
        lines[index + 1 : index + 1 + SAMPLE],
        line.number in region.hinted,
    )
    reasons = tuple((points, text) for points, text in (rule(view) for rule in RULES) if points)
    return Score(index, sum(points for points, _ in reasons), reasons)


def has_grid(lines: Sequence[Line], columns: Sequence[int]) -> bool:
    """Whether any of the lines has two cells in ``columns``: without that there is no table."""
    chosen = set(columns)
    return any(sum(cell.column in chosen for cell in line.apart) >= 2 for line in lines)


def extent(lines: Sequence[Line], index: int) -> tuple[int, int]:
    """First and last line of the header around the line at ``index``: bands above, a second line below."""
    first = last = index
    while last + 2 < len(lines) and _continues(lines[last], lines[last + 1], lines[last + 2 :]):
        last += 1
    columns = {column for line in lines[index : last + 1] for column in line.cells}
    while first > 0 and last + 1 < len(lines) and _is_band(lines[first - 1], lines[first], columns):
        first -= 1
        columns |= lines[first].cells.keys()
    return first, last


def numbers_columns(line: Line) -> bool:
    """1, 2, 3, … under a header: the numbers by which a statistic names its columns."""
    texts = [cell.text.strip("()[].") for cell in line.own]
    values = [int(text) for text in texts if text.isdecimal() and len(text) <= 3]
    return len(values) >= 3 and len(values) == len(texts) and values == list(range(1, len(values) + 1))


# --- rules: each looks at one thing -------------------------------------------------------------


def _width(view: _View) -> tuple[float, str]:
    widths = [len(line.apart) for line in view.below]
    own = len(view.labels)
    if not widths:
        return -2.0, "nothing below"
    if own == 1:
        return (-3.0, "one cell above a wider table") if max(widths) > 1 else (0.0, "")
    wide = max(median(widths), sorted(widths)[int(len(widths) * 0.8)])
    if own >= 0.8 * wide:
        return 1.0, "as wide as the rows below"
    if own >= 0.5 * wide:
        return -0.5, "narrower than the rows below"
    return -1.5, "much narrower than the rows below"


def _text_share(view: _View) -> tuple[float, str]:
    labels = [cell for cell in view.labels if cell.kind != "error"]
    if len(labels) < len(view.labels) / 2:
        return -2.0, "error cells"
    texts = sum(_is_label(cell) or _names_column(cell, view.below) for cell in labels)
    if texts < len(labels) and _is_sequence(labels):
        texts = len(labels)
    share = texts / len(labels)
    if share == 1:
        return 1.0, "all text"
    if share >= 0.8:
        return 0.5, "mostly text"
    return (-1.5, "mostly numbers") if share < 0.5 else (-0.5, "partly numbers")


def _short(view: _View) -> tuple[float, str]:
    longest = max(len(cell.text) for cell in view.labels)
    if longest <= 40:
        return 0.5, "short cells"
    if longest > 120:
        return -1.5, "a very long cell"
    return (-0.5, "a long cell") if longest > 80 else (0.0, "")


def _distinct(view: _View) -> tuple[float, str]:
    own = [cell.text.casefold() for cell in view.labels if not cell.spilled]
    if len(own) < 2:
        return 0.0, ""
    twice = len(own) - len(set(own))
    return (0.5, "distinct cells") if not twice else (-0.25 if twice < len(own) / 2 else -0.75, "equal cells")


def _covers(view: _View) -> tuple[float, str]:
    """A header names the columns in which the rows below stand."""
    below = [column for row in view.below for column in row.cells]
    share = sum(column in view.line.cells for column in below) / len(below) if below else 1.0
    if share >= 0.6 or len(view.labels) < 2:
        return 0.0, ""
    return (-2.0 if share < 0.4 else -0.75), "names few of the columns below"


def _contrast(view: _View) -> tuple[float, str]:
    """Text over numbers speaks for a header, numbers over numbers against it."""
    contrast = same = compared = 0
    sequence = _is_sequence([cell for cell in view.labels if not _is_label(cell)])
    for cell in view.labels:
        below = [row.cells[cell.column].kind for row in view.below if cell.column in row.cells]
        if not below:
            continue
        compared += 1
        numbers = sum(kind not in ("text", "error") for kind in below) / len(below)
        if _is_label(cell):
            contrast += numbers >= 0.6
        elif numbers >= 0.6 and not sequence:
            same += 1
    if not compared:
        return 0.0, ""
    points = min(2.5, 1.5 * bool(contrast) + 2.0 * contrast / compared) - 2.0 * same / compared
    return points, "text over numbers" if points > 0 else "numbers over numbers"


def _longer_below(view: _View) -> tuple[float, str]:
    longer = compared = 0
    for cell in view.labels:
        below = [
            len(row.cells[cell.column].text)
            for row in view.below
            if cell.column in row.cells and row.cells[cell.column].kind == "text"
        ]
        if below and _is_label(cell):
            compared += 1
            longer += median(below) >= 1.5 * len(cell.text)
    return (0.75 * longer / compared if compared else 0.0), "longer values below"


def _repeats(view: _View) -> tuple[float, str]:
    """A value that stands again in its own column is data."""
    again = sum(
        any(
            (other := row.cells.get(cell.column)) and not other.spilled and other.text == cell.text
            for row in view.below
        )
        for cell in view.labels
        if not cell.spilled
    )
    # A header printed again further down repeats whole, and is no sign of data.
    if again == len([cell for cell in view.labels if not cell.spilled]) >= 2:
        return 0.0, ""
    return -1.5 * again / len(view.labels), "values that repeat below"


def _style(view: _View) -> tuple[float, str]:
    if not view.below:
        return 0.0, ""
    following = list(view.below[0].cells.values())
    points = 0.0
    if _share(view.labels, "bold") > 0.6 and _share(following, "bold") < 0.4:
        points += 1.0
    if _share(view.labels, "filled") > 0.6 and _share(following, "filled") < 0.4:
        points += 0.5
    return points, "bold or filled unlike the next row"


def _words(view: _View) -> tuple[float, str]:
    known = sum(
        any(_HEADER_WORD.fullmatch(word) for word in _WORD.findall(cell.text))
        for cell in view.labels
        if len(cell.text) <= 40
    )
    return min(1.0, 1.0 * known / len(view.labels) + 0.25 * bool(known)), "words that headers use"


def _machine_names(view: _View) -> tuple[float, str]:
    names = sum("_" in cell.text and " " not in cell.text for cell in view.labels)
    return (0.5, "names of a machine") if names >= 0.3 * len(view.labels) else (0.0, "")


def _sentence_like(view: _View) -> tuple[float, str]:
    ends = sum(len(cell.text) > 25 and cell.text.endswith((".", "?", "!")) for cell in view.labels)
    return -1.0 * ends / len(view.labels), "whole sentences"


def _form_labels(view: _View) -> tuple[float, str]:
    asks = sum(cell.text.endswith(":") for cell in view.labels)
    return (-1.5, "labels of a form") if asks >= len(view.labels) / 2 else (0.0, "")


def _column_numbers(view: _View) -> tuple[float, str]:
    counts = numbers_columns(view.line)
    return (-4.0, "the numbers of the columns") if counts else (0.0, "")


def _merged(view: _View) -> tuple[float, str]:
    """Headers of several rows are tied together by merges, upright and across."""
    upright = sum(cell.spilled for cell in view.labels)
    across = len(view.line.cells) > len(view.labels)
    if len(view.labels) < 2 or not (upright or across):
        return 0.0, ""
    return (1.0 if upright > 1 or (upright and across) else 0.5), "merged as headers are"


def _wide_above(view: _View) -> tuple[float, str]:
    own = len([cell for cell in view.labels if not cell.spilled])
    wider = sum(len([c for c in line.apart if not c.spilled]) >= max(2, own) for line in view.above)
    return max(-3.0, -0.75 * wider), "rows as wide above"


def _hint(view: _View) -> tuple[float, str]:
    return (2.0, "the sheet filters or freezes here") if view.hinted else (0.0, "")


RULES: tuple[Rule, ...] = (
    _width,
    _text_share,
    _short,
    _distinct,
    _covers,
    _contrast,
    _longer_below,
    _repeats,
    _style,
    _words,
    _machine_names,
    _sentence_like,
    _form_labels,
    _column_numbers,
    _merged,
    _wide_above,
    _hint,
)

# --- bands --------------------------------------------------------------------------------------


def _is_band(line: Line, below: Line, columns: set[int]) -> bool:
    """A line above the header that groups its columns: several labels, or a merge over some of them."""
    if below.number - line.number > 1:
        return False
    inside = [cell for cell in line.cells.values() if cell.column in columns]
    own = [cell for cell in inside if not cell.spilled]
    if not own or len(inside) < len(line.cells) / 2 or any(len(cell.text) > BAND_CHARACTERS for cell in own):
        return False
    if any(_reaches(cell, below) for cell in inside):
        return True
    if len(own) == 1:
        # One label is a band where it is merged over some columns, or stands over the right ones only.
        over = 1 + sum(line.goes_on(cell.column) for cell in inside)
        return (1 < over < len(columns)) or (over == 1 and own[0].column != min(columns))
    labels = [cell for cell in own if _is_label(cell)]
    return len(labels) >= len(own) / 2 or _is_sequence(own)


def _reaches(cell: GridCell, below: Line) -> bool:
    """Whether a merge carries the cell into the line below."""
    other = below.cells.get(cell.column)
    return other is not None and other.spilled and other.text == cell.text


def _continues(line: Line, following: Line, below: Sequence[Line]) -> bool:
    """Whether the header goes on in ``following``: merges reach there, or it names what is still unnamed."""
    if following.number - line.number > 1:
        return False
    own = following.own
    if (
        numbers_columns(following)
        or not own
        or not all(_is_label(cell) and len(cell.text) <= 40 for cell in own)
    ):
        return False
    if any(_reaches(cell, following) for cell in line.cells.values()):
        return has_grid(below, list(line.cells | following.cells))
    banded = _banded(line)
    unnamed = [cell for cell in own if cell.column not in line.cells or _names_band(line.cells[cell.column])]
    if banded and all(cell.column in banded or cell in unnamed for cell in own):
        return has_grid(below, list(line.cells | following.cells))
    return len(unnamed) >= len(own) / 2 and len(unnamed) > 1 and _numbers_below(own, below)


def _banded(line: Line) -> set[int]:
    """The columns of the merges over several columns that begin in this line."""
    columns: set[int] = set()
    leader: GridCell | None = None
    for column, cell in line.cells.items():
        if not (cell.spilled and line.goes_on(column)):
            leader = None if cell.spilled else cell
        elif leader is not None:
            columns |= {leader.column, column}
    return columns


def _names_band(cell: GridCell) -> bool:
    """``Site:`` beside a band names the band, not the column below it."""
    return cell.text.endswith(":")


def _numbers_below(cells: Sequence[GridCell], below: Sequence[Line]) -> bool:
    kinds = [row.cells[c.column].kind for c in cells for row in below[:SAMPLE] if c.column in row.cells]
    return bool(kinds) and sum(kind != "text" for kind in kinds) >= 0.6 * len(kinds)


def _is_label(cell: GridCell) -> bool:
    return cell.kind == "text"


def _is_sequence(cells: Sequence[GridCell]) -> bool:
    """Years, dates or numbers that only rise or only fall, at least two: they name columns."""
    values = [cell.text for cell in cells if cell.kind in ("number", "date") and not cell.spilled]
    if len(values) < 2:
        return False
    if all(cell.kind == "date" for cell in cells if cell.kind != "text"):
        return len(set(values)) == len(values)
    years = [int(value) for value in values if _is_year(value)]
    if len(years) < len(values):
        return False
    steps = {later > earlier for earlier, later in pairwise(years) if later != earlier}
    return len(steps) == 1 and len(set(years)) == len(years)


def _is_year(text: str) -> bool:
    return len(text) == 4 and text.isdecimal() and 1000 <= int(text) <= 2100


def _names_column(cell: GridCell, below: Sequence[Line]) -> bool:
    """A year over text, or a date over anything but dates: it can only be a name."""
    kinds = [row.cells[cell.column].kind for row in below if cell.column in row.cells]
    if cell.kind == "date":
        return bool(kinds) and kinds.count("date") < len(kinds) / 2
    return _is_year(cell.text) and not _numbers_below([cell], below)


def _share(cells: Sequence[GridCell], style: str) -> float:
    return sum(getattr(cell, style) for cell in cells) / len(cells) if cells else 0.0
