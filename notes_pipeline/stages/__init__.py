"""The stages of a build, without Dagster: each brings one asset of one notebook up to date.

Belongs here: which stage makes which asset, and in what order. Stays out: who runs them
(``orchestration``), and the work itself (``sources``, ``split``, ``rows``, ``flags``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from notes_pipeline.stages import excel, flagged, markdown
from notes_pipeline.stages.build import Build, Outcome, Scan
from notes_pipeline.stages.keys import STAGES
from notes_pipeline.stages.partitions import keys_on_disk, remove_products
from notes_pipeline.stages.reuse import Input, Product, current_footer, footer_of
from notes_pipeline.stages.snapshot import source_files

AFTER_SNAPSHOT: Mapping[str, Callable[[Build, str], Outcome]] = {
    "markdown_sections": markdown.markdown_sections,
    "markdown_chunks": markdown.markdown_chunks,
    "excel_rows": excel.excel_rows,
    "excel_chunks": excel.excel_chunks,
    "flagged_chunks": flagged.flagged_chunks,
}
"""The stages that look at the snapshot alone, in the order of their work."""


def build_partition(build: Build, key: str, scan: Scan) -> list[Outcome]:
    """All stages of one notebook whose files were just scanned."""
    first = source_files(build, key, scan)
    if key not in scan.files:
        return [first]
    return [first, *(stage(build, key) for stage in AFTER_SNAPSHOT.values())]


MADE: Sequence[tuple[Product, Callable[[Build, str], list[Input]]]] = (
    (markdown.SECTION_TABLES, markdown.notes),
    (markdown.CHUNK_TABLES, markdown.parsed),
    (excel.ROW_TABLES, excel.workbooks),
    (excel.CHUNK_TABLES, excel.workbooks),
    (flagged.FLAGGED_TABLES, flagged.files),
)
"""What each stage after the snapshot leaves, and the files it must have been made from."""


def made_by(build: Build) -> str:
    """The reuse key of the last stage: it moves with settings, templates, code and libraries."""
    return footer_of(build, flagged.FLAGGED_TABLES.stage, ())["key"]


def behind(build: Build, key: str) -> str:
    """The first asset of a partition that does not match its snapshot; empty when all do."""
    for product, inputs in MADE:
        if current_footer(build, product, key, inputs(build, key)) is None:
            return product.stage.asset
    return ""


def remove_gone(build: Build, keys: Sequence[str]) -> list[str]:
    """Removes the products of every notebook not among ``keys``; returns the keys that went."""
    gone = sorted(set(keys_on_disk(build.data, "source_files")) - set(keys))
    for key in gone:
        remove_products(build.data, STAGES, key)
    return gone
