"""Which line of a region is its header: a score whose every point has a reason.

Belongs here: the choice and its thresholds. Stays out: the points (header_rules), how far a header
reaches (header_extent), where regions begin and end (regions), what the other lines mean (structure).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from notes_pipeline.rows.names import normal
from notes_pipeline.rows.tables.header_evidence import LEAST, is_sure, rival, signs
from notes_pipeline.rows.tables.header_labels import SAMPLE
from notes_pipeline.rows.tables.header_rules import RULES, View
from notes_pipeline.rows.tables.region import Line, Region

ACCEPT = 2.5
"""A line is a header from here; below it the region has none. Measured on 95 sheets: 92 % right."""
SURE = 3.5
"""Below this an accepted header is marked low confidence: 88 % of the right ones lie above."""
ROWS_TO_COMPARE = 3
"""A line with the look of so many rows below it is taken for one of them."""
UNCERTAIN = "it may be a row of data: nothing tells it from the rows below"
CANDIDATES = 15
"""Lines from the top that may be a header; those further down never were in 250 sheets."""


class Score(NamedTuple):
    """Points of one candidate and why: ``reasons`` hold the points of each rule that spoke."""

    place: int
    """Index of the line in its region."""
    total: float
    reasons: tuple[tuple[float, str], ...]
    below: int = 0
    """Lines of several cells below it, of those that are looked at."""

    @property
    def explanation(self) -> str:
        """The reasons from the heaviest down, with their points."""
        ranked = sorted(self.reasons, key=lambda reason: -abs(reason[0]))
        return ", ".join(f"{text} {points:+.1f}" for points, text in ranked)

    @property
    def is_told_apart(self) -> bool:
        """Whether anything tells the line from the rows below it; else it may be one of them."""
        return signs(self.reasons) >= LEAST

    @property
    def is_sure(self) -> bool:
        """Whether the line cannot well be a row of data."""
        return self.total >= SURE and is_sure(self.reasons, self.below)

    @property
    def is_taken(self) -> bool:
        """Whether the line is a header; one that nothing tells apart is, above few rows."""
        return self.total >= ACCEPT and (self.is_told_apart or self.below < ROWS_TO_COMPARE)


def best_header(region: Region) -> Score | None:
    """The best scored candidate of the region, earlier lines first on ties; None without two lines.

    A line of labels above it is preferred, unless something shows that the lower one is a header too.
    """
    lines = region.lines
    scores = [score(region, index) for index in range(min(CANDIDATES, len(lines) - 1))]
    best = max(scores, key=lambda item: (item.total, -item.place), default=None)
    if best is None or best.place == 0 or best.total < ACCEPT:
        return best
    earlier = rival(lines, best.place, region.hinted)
    return best if earlier is None else _preferred(scores[earlier])


def _preferred(chosen: Score) -> Score:
    """The line with the points it lacks: a header with gaps is narrower than its rows."""
    lacking = max(0.0, ACCEPT - chosen.total)
    reasons = (*chosen.reasons, (lacking, "the first row of labels")) if lacking else chosen.reasons
    return chosen._replace(total=chosen.total + lacking, reasons=reasons)


def score(region: Region, index: int) -> Score:
    """The points of the line at ``index`` as a header over the lines below it."""
    lines = region.lines
    line = lines[index]
    view = View(
        line,
        line.apart,
        lines[max(0, index - SAMPLE) : index],
        lines[index + 1 : index + 1 + SAMPLE],
        line.number in region.hinted,
    )
    reasons = tuple((points, text) for points, text in (rule(view) for rule in RULES) if points)
    below = sum(not line.lone for line in view.below)
    return Score(index, sum(points for points, _ in reasons), reasons, below)


def accepted(lines: Sequence[Line]) -> Score | None:
    """The best candidate among the lines where it would be taken and names two columns; else None."""
    best = best_header(Region(tuple(lines)))
    if best is None or not best.is_taken or len(lines[best.place].own) < 2:
        return None
    return best


def spelled(line: Line) -> list[str]:
    """The labels of a line in the form in which names are compared."""
    return [normal(cell.text) for cell in line.own]
