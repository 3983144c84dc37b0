"""``report.html``: one file, no network, readable without scripts, every note text escaped.

Belongs here: what the page is given. Stays out: numbers (``build``) and markup (``templates``).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from notes_pipeline.plural import noun
from notes_pipeline.report.charts import BASE, HEIGHT, WIDTH, chart
from notes_pipeline.report.data import GENERAL_LIMIT, Count, Report
from notes_pipeline.report.phrases import number, other_kinds, share, signed

FILES, SHEETS, REASONS, TEXT, CELLS = 250, 120, 24, 1_600, 14
"""Most files, sheets and reasons listed, characters of a text and cells of a row shown: the page
stays under a megabyte whatever the notes are; the rest is named by its count and stands in the data."""


def page(report: Report) -> str:
    """The whole page."""
    return _template().render(
        report=report,
        totals=report.totals,
        flow=_flow(report),
        word_charts=[chart(it) for it in report.words],
        score_chart=chart(report.scores),
        files_chart=chart(report.chunks_per_file),
        limits={
            "files": FILES,
            "sheets": SHEETS,
            "reasons": REASONS,
            "text": TEXT,
            "cells": CELLS,
        },
        general_limit=GENERAL_LIMIT,
        size={"width": WIDTH, "height": HEIGHT, "base": BASE},
    )


@lru_cache(maxsize=1)
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("notes_pipeline.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        noun=noun, other_kinds=_other_kinds, number=number, share=share, signed=signed, tone=tone
    )
    return environment.get_template("report.html.jinja")


def _other_kinds(kinds: Iterable[Count]) -> str:
    return other_kinds({it.name: it.count for it in kinds})


def tone(delta: int | None, good: str) -> str:
    """``better``, ``worse`` or ``same``: what a difference means where ``up`` or ``down`` is good."""
    if not delta or good == "none":
        return "same"
    return "better" if (delta > 0) == (good == "up") else "worse"


def _flow(report: Report) -> list[dict[str, object]]:
    """The parts of the strip: everything that was cut, by what became of it."""
    totals = report.totals
    parts = (
        ("keep", "kept", totals.keep, "sample"),
        ("review", "for review", totals.review, "flags"),
        ("omit", "omitted", totals.omit, "flags"),
        ("discard", "discarded", totals.discards, "discards"),
    )
    whole = max(sum(count for _, _, count, _ in parts), 1)
    return [
        {"kind": kind, "label": label, "count": count, "share": count / whole, "href": f"#{place}"}
        for kind, label, count, place in parts
        if count
    ]
