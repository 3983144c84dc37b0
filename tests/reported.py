"""A small corpus with something of everything, and the report on it, for the tests of the report."""

from __future__ import annotations

from typing import Any

import build

from notes_pipeline.corpus.merge import Corpus, merge
from notes_pipeline.decide import decide
from notes_pipeline.flags import Context, flag
from notes_pipeline.records import Chunk
from notes_pipeline.report import Report, RunFacts, build_report
from notes_pipeline.settings import Settings

SETTINGS = Settings()
EVIL = "<script>alert('x')</script> & </pre> {{ totals }}"
NOTES = {
    "flour/rye.md": "# Rye\n\nRye holds more water than wheat, because its bran drinks it.\n",
    "flour/see.md": "# Where\n\nSee also: [[Rye]]\n",
    f"flour/{EVIL.replace('/', '-')}.md": f"# {EVIL}\n\n{EVIL} stands in this note, as text.\n",
    "copy.md": "# Rye\n\nRye holds more water than wheat, because its bran drinks it.\n",
}


def corpus() -> Corpus:
    """Four notes, one a twin, one a pointer, one full of markup; a workbook; a broken one."""
    documents = [build.document(text, path) for path, text in NOTES.items()]
    chunks: list[Chunk] = []
    for it in documents:
        own = build.sections(it)
        chunks += flag(build.chunks(it, own), Context(it, own, (), SETTINGS))
    book = build.workbook("book.xlsx")
    chunks += [build.row_chunk(row, at) for at, row in enumerate(rows()[:2])]
    broken = build.workbook("broken.xlsx")
    discards = [
        build.discard("unreadable", "broken.xlsx", detail="not a workbook"),
        build.discard("total", "book.xlsx", text="Sum; 12", sheet="Sheet1", row_number=4),
        build.discard("front_matter", "copy.md", text="---\n---", char_start=0, char_end=7),
    ]
    return merge([*documents, book, broken], [decide(chunk, SETTINGS) for chunk in chunks], discards)


def rows() -> list[Any]:
    """Two rows that became chunks, and a total that did not."""
    names = [
        build.row(n, [("Flour", f"dark rye {n}"), ("Mill", EVIL), ("Place", "Aldbeck hill")]) for n in (2, 3)
    ]
    return [*names, build.row(4, [("Flour", "Sum"), ("Grams", "=12")], kind="total", field_count=5)]


def report_of(made: Corpus, **changes: Any) -> Report:
    """The report on a corpus, with facts that do not change."""
    run = RunFacts("b" * 12, changes.pop("seed", "s" * 12), "default", "2026-01-02T03:04:05+00:00", 1.5)
    return build_report(made, **{"run": run, "settings": SETTINGS, "lost": 0, "rows": rows(), **changes})
