"""Histograms as plain rectangles: a view draws them as SVG without a library.

Belongs here: geometry. Stays out: colours and fonts, which are the template's.
"""

from __future__ import annotations

from dataclasses import dataclass

from notes_pipeline.report.data import Bin, Histogram

WIDTH, HEIGHT, BASE = 640, 170, 140
"""Of the drawing, in its own units; ``BASE`` is the line the bars stand on."""

_LEFT, _TOP, _LABEL = 8, 10, 12
"""Left margin, top margin, and the height of one row of edge labels, which bars stay under."""


@dataclass(frozen=True)
class Bar:
    """One bin as a rectangle."""

    x: float
    y: float
    width: float
    height: float
    label: str
    count: int


@dataclass(frozen=True)
class Mark:
    """A border drawn over the bars, or a number under them."""

    x: float
    label: str
    level: int = 0
    """Row of its label, so that neighbours do not write over each other."""


@dataclass(frozen=True)
class Chart:
    """A histogram ready to draw."""

    title: str
    summary: str
    bars: tuple[Bar, ...]
    edges: tuple[Mark, ...]
    ticks: tuple[Mark, ...]


def chart(histogram: Histogram) -> Chart:
    """The rectangles of ``histogram``; an empty one has bars of no height."""
    bins = histogram.bins
    slot = (WIDTH - 2 * _LEFT) / max(len(bins), 1)
    tallest = max((it.count for it in bins), default=0) or 1
    top = _TOP + _LABEL * len(histogram.edges)
    bars = tuple(_bar(it, at, slot, (BASE - top) / tallest) for at, it in enumerate(bins))
    step = bins[0].end - bins[0].start if bins and bins[0].end else 1.0
    edges = tuple(
        Mark(round(_LEFT + place / step * slot, 1), f"{name} {place:g}", level)
        for level, (name, place) in enumerate(histogram.edges)
    )
    every = max(1, len(bins) // 8)
    ticks = tuple(
        Mark(round(_LEFT + at * slot, 1), f"{it.start:g}" + ("+" if it.end is None else ""))
        for at, it in enumerate(bins)
        if at % every == 0 or it.end is None
    )
    total = sum(it.count for it in bins)
    return Chart(histogram.title, f"{total} values, tallest bar {tallest}", bars, edges, ticks)


def _bar(it: Bin, at: int, slot: float, scale: float) -> Bar:
    height = scale * it.count
    # A bin with something in it is never invisible.
    height = max(height, 1.5) if it.count else 0.0
    end = "and more" if it.end is None else f"to {it.end:g}"
    return Bar(
        round(_LEFT + at * slot + 0.5, 1),
        round(BASE - height, 1),
        round(slot - 1, 1),
        round(height, 1),
        f"{it.start:g} {end}",
        it.count,
    )
