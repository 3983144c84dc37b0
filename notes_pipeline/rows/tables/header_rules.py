"""What speaks for a line being a header and what against it: one rule a sign, with its points.

Belongs here: the ordered table of rules. Stays out: the choice and its thresholds (header).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from statistics import median
from typing import NamedTuple

from notes_pipeline.rows.tables.header_labels import (
    is_label,
    is_letter,
    is_sequence,
    names_column,
    numbers_columns,
    share_of,
)
from notes_pipeline.rows.tables.region import Line
from notes_pipeline.rows.workbook.grid import GridCell

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
_VALUE_MARK = re.compile("[9@]")
LABEL_WORDS = 4
"""Longer texts have ``from``, ``to`` and ``part`` in them as any sentence has."""


class View(NamedTuple):
    """A candidate with what its rules look at."""

    line: Line
    labels: list[GridCell]
    above: Sequence[Line]
    below: Sequence[Line]
    hinted: bool


Rule = Callable[[View], tuple[float, str]]


def _width(view: View) -> tuple[float, str]:
    # One row longer than all others (a comma too many) says nothing of the table's width.
    widths = sorted(len(line.apart) for line in view.below)
    widths = widths[:-1] or widths
    own = len(view.labels)
    if not widths:
        return -2.0, "nothing below"
    if own == 1:
        return (-3.0, "one cell above a wider table") if max(widths) > 1 else (0.0, "")
    wide = max(median(widths), widths[int(len(widths) * 0.8)])
    if own >= 0.8 * wide:
        return 1.0, "as wide as the rows below"
    if own >= 0.5 * wide:
        return -0.5, "narrower than the rows below"
    return -1.5, "much narrower than the rows below"


def _text_share(view: View) -> tuple[float, str]:
    labels = [cell for cell in view.labels if cell.kind != "error"]
    if len(labels) < len(view.labels) / 2:
        return -2.0, "error cells"
    texts = sum(is_label(cell) or names_column(cell, view.below) for cell in labels)
    if texts < len(labels) and is_sequence(labels):
        texts = len(labels)
    share = texts / len(labels)
    if share == 1:
        return 1.0, "all text"
    if share >= 0.8:
        return 0.5, "mostly text"
    return (-1.5, "mostly numbers") if share < 0.5 else (-0.5, "partly numbers")


def _short(view: View) -> tuple[float, str]:
    longest = max(len(cell.text) for cell in view.labels)
    if longest <= 40:
        return 0.5, "short cells"
    if longest > 120:
        return -1.5, "a very long cell"
    return (-0.5, "a long cell") if longest > 80 else (0.0, "")


def _distinct(view: View) -> tuple[float, str]:
    own = [cell.text.casefold() for cell in view.labels if not cell.spilled]
    if len(own) < 2:
        return 0.0, ""
    twice = len(own) - len(set(own))
    return (0.5, "distinct cells") if not twice else (-0.25 if twice < len(own) / 2 else -0.75, "equal cells")


def _covers(view: View) -> tuple[float, str]:
    """A header names the columns in which the rows below stand."""
    counts = Counter(column for row in view.below for column in row.cells)
    # A column that one row of several fills is a cell too many.
    below = [column for column in counts.elements() if counts[column] > 1 or len(view.below) < 2]
    share = sum(column in view.line.cells for column in below) / len(below) if below else 1.0
    if share >= 0.6 or len(view.labels) < 2:
        return 0.0, ""
    return (-2.0 if share < 0.4 else -0.75), "names few of the columns below"


def _contrast(view: View) -> tuple[float, str]:
    """Text over numbers speaks for a header, numbers over numbers against it."""
    contrast = same = compared = 0
    sequence = is_sequence([cell for cell in view.labels if not is_label(cell)])
    for cell in view.labels:
        below = [row.cells[cell.column].kind for row in view.below if cell.column in row.cells]
        if not below:
            continue
        compared += 1
        numbers = sum(kind not in ("text", "error") for kind in below) / len(below)
        if is_label(cell):
            contrast += numbers >= 0.6
        elif numbers >= 0.6 and not sequence:
            same += 1
    if not compared:
        return 0.0, ""
    points = min(2.5, 1.5 * bool(contrast) + 2.0 * contrast / compared) - 2.0 * same / compared
    return points, "text over numbers" if points > 0 else "numbers over numbers"


def _longer_below(view: View) -> tuple[float, str]:
    longer = compared = 0
    for cell in view.labels:
        below = [len(text) for text in _texts_below(cell, view)]
        if below and is_label(cell):
            compared += 1
            longer += median(below) >= 1.5 * len(cell.text)
    return (0.75 * longer / compared if compared else 0.0), "longer values below"


def _repeats(view: View) -> tuple[float, str]:
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


def _style(view: View) -> tuple[float, str]:
    if not view.below:
        return 0.0, ""
    following = list(view.below[0].cells.values())
    points = 0.0
    if share_of(view.labels, "bold") > 0.6 and share_of(following, "bold") < 0.4:
        points += 1.0
    if share_of(view.labels, "filled") > 0.6 and share_of(following, "filled") < 0.4:
        points += 0.5
    return points, "bold or filled unlike the next row"


def _words(view: View) -> tuple[float, str]:
    labels = [words for cell in view.labels if len(words := _WORD.findall(cell.text)) <= LABEL_WORDS]
    known = sum(any(_HEADER_WORD.fullmatch(word) for word in words) for words in labels)
    return min(1.0, 1.0 * known / len(view.labels) + 0.25 * bool(known)), "words that headers use"


def _begins_otherwise(view: View) -> tuple[float, str]:
    """``Kind`` over ``dam``, ``gate``, ``lock``: a capital over values that have none."""
    other = compared = 0
    for cell in view.labels:
        below = _texts_below(cell, view)
        if len(below) >= 2 and is_label(cell):
            compared += 1
            lower = sum(text[0].islower() for text in below)
            other += cell.text[0].isupper() and lower >= 0.8 * len(below)
    return (0.3 + 0.2 * other / compared if other else 0.0), "values begin otherwise"


def _said_below(view: View) -> tuple[float, str]:
    """``Mill`` over ``Upper mill`` and ``Lower mill``: the name of the kind in the names below."""
    said = compared = 0
    for cell in view.labels:
        label, below = _words_in(cell.text), _texts_below(cell, view)
        if below and is_label(cell):
            compared += 1
            plain = cell.text.replace(" ", "").isalpha() and len(cell.text) > 2
            inside = sum(label < _words_in(text) for text in below)
            said += plain and inside >= 0.6 * len(below)
    return (1.0 * said / compared if compared else 0.0), "a word of the values below"


def _words_in(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}


def _same_shape(view: View) -> tuple[float, str]:
    """``555 2201`` over ``555 8834``, an address over addresses: a value like those below it."""
    same = 0
    for cell in view.labels:
        shape, below = _shape(cell.text), _texts_below(cell, view)
        if len(below) > 1 and is_label(cell) and _VALUE_MARK.search(shape):
            same += sum(_shape(text) == shape for text in below) >= 0.6 * len(below)
    return -2.0 * bool(same), "a value like those below"


def _shape(text: str) -> str:
    """Runs of letters as ``a``, of digits as ``9``; the rest, which parts them, as it is."""
    return re.sub(r"\d+", "9", _WORD.sub("a", text))


def _fuller(view: View) -> tuple[float, str]:
    """A header names every column; rows with half as many cells leave most of them empty."""
    widths = [len(line.apart) for line in view.below]
    full = len(view.labels) >= 2 and bool(widths) and len(view.labels) >= 1.5 * median(widths)
    return (0.5, "fuller than the rows below") if full else (0.0, "")


def _classes(view: View) -> tuple[float, str]:
    """A few values again and again below a text that is none of them."""
    classed = compared = 0
    for cell in view.labels:
        below = _texts_below(cell, view)
        if len(below) >= 3 and is_label(cell):
            compared += 1
            classed += cell.text not in below and 3 * len(set(below)) <= len(below)
    return (0.5 * classed / compared if compared else 0.0), "over values of a few kinds"


def _figures_below(view: View) -> tuple[float, str]:
    """``Depth`` over ``31 m``: values that begin with a digit below a text that has none."""
    figures = compared = 0
    for cell in view.labels:
        below = _texts_below(cell, view)
        if below and is_label(cell):
            compared += 1
            digits = sum(text[0].isdigit() for text in below)
            figures += not any(map(str.isdigit, cell.text)) and digits >= 0.8 * len(below)
    points = 0.5 * bool(figures) + 0.5 * figures / max(1, compared)
    return points, "a name over figures"


def _sequence(view: View) -> tuple[float, str]:
    years = is_sequence([cell for cell in view.labels if not is_label(cell)])
    return (0.5, "years in their order") if years and is_label(view.labels[0]) else (0.0, "")


def _texts_below(cell: GridCell, view: View) -> list[str]:
    rows = (row.cells[cell.column] for row in view.below if cell.column in row.cells)
    return [other.text for other in rows if other.kind == "text"]


def _machine_names(view: View) -> tuple[float, str]:
    names = sum("_" in cell.text and " " not in cell.text for cell in view.labels)
    return (0.5, "names of a machine") if names >= 0.3 * len(view.labels) else (0.0, "")


def _sentence_like(view: View) -> tuple[float, str]:
    ends = sum(len(cell.text) > 25 and cell.text.endswith((".", "?", "!")) for cell in view.labels)
    return -1.0 * ends / len(view.labels), "whole sentences"


def _form_labels(view: View) -> tuple[float, str]:
    asks = sum(cell.text.endswith(":") for cell in view.labels)
    return (-1.5, "labels of a form") if asks >= len(view.labels) / 2 else (0.0, "")


def _column_numbers(view: View) -> tuple[float, str]:
    counts = numbers_columns(view.line)
    return (-4.0, "the numbers of the columns") if counts else (0.0, "")


def _merged(view: View) -> tuple[float, str]:
    """Headers of several rows are tied together by merges, upright and across."""
    upright = sum(cell.spilled for cell in view.labels)
    across = len(view.line.cells) > len(view.labels)
    if len(view.labels) < 2 or not (upright or across):
        return 0.0, ""
    return (1.0 if upright > 1 or (upright and across) else 0.5), "merged as headers are"


def _under_letter(view: View) -> tuple[float, str]:
    """``Abbey | a house of monks`` somewhere below a lone ``A`` is an entry of a glossary."""
    letter = next((line.own[0].text for line in reversed(view.above) if is_letter(line)), "")
    if not letter:
        return 0.0, ""
    entry = view.labels[0].text.casefold().startswith(letter.casefold())
    return (-3.0, "an entry under its letter") if entry else (0.0, "")


def _wide_above(view: View) -> tuple[float, str]:
    own = len([cell for cell in view.labels if not cell.spilled])
    wider = sum(len([c for c in line.apart if not c.spilled]) >= max(2, own) for line in view.above)
    return max(-3.0, -0.75 * wider), "rows as wide above"


def _hint(view: View) -> tuple[float, str]:
    return (2.0, "the sheet filters or freezes here") if view.hinted else (0.0, "")


RULES: tuple[Rule, ...] = (
    _width,
    _text_share,
    _short,
    _distinct,
    _covers,
    _contrast,
    _longer_below,
    _begins_otherwise,
    _said_below,
    _same_shape,
    _fuller,
    _classes,
    _figures_below,
    _sequence,
    _repeats,
    _style,
    _words,
    _machine_names,
    _sentence_like,
    _form_labels,
    _column_numbers,
    _merged,
    _under_letter,
    _wide_above,
    _hint,
)
