"""What a report says, as typed values: every view shows these numbers, so no two views disagree.

Belongs here: the records of a report. Stays out: how they are counted (``build`` and the modules it
calls) and how they look (``as_json``, ``as_csv``, ``as_markdown``, ``as_html``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from notes_pipeline.records import Chunk, Discard, Document, Sheet
from notes_pipeline.rows.coverage import TableCoverage


@dataclass(frozen=True)
class RunFacts:
    """What made the build: hashes, preset, when, how long, with which versions."""

    build_hash: str
    settings_hash: str
    preset: str
    started_at: str
    """ISO 8601, with offset."""
    seconds: float
    versions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Count:
    """One name, how often, and its share of all (0 to 1)."""

    name: str
    count: int
    share: float
    delta: int | None = None
    """Against the build before; None where there was none."""


@dataclass(frozen=True)
class Totals:
    """The verdict in numbers."""

    files: int
    read: int
    notebooks: int
    sections: int
    rows: int
    """Rows met in workbooks, structure rows included; 0 where none were given."""
    chunks: int
    keep: int
    review: int
    omit: int
    flagged: int
    discards: int
    discarded_rows: int
    duplicates: int
    words: int
    average_words: float
    """Of kept chunks."""
    fact_like: int
    lost: int
    """Characters and rows in neither chunk nor discard, as the laws counted them."""


@dataclass(frozen=True)
class Bin:
    """Values from ``start`` up to, not including, ``end`` (None: no end)."""

    start: float
    end: float | None
    count: int


@dataclass(frozen=True)
class Histogram:
    """Bins of one measure, and the borders that matter in it."""

    title: str
    unit: str
    bins: tuple[Bin, ...]
    edges: tuple[tuple[str, float], ...] = ()
    """Name and place of each band edge."""


@dataclass(frozen=True)
class Segment:
    """A piece of a shown text and what is to be seen of it: ``""``, a rule's name, or ``overlap``."""

    text: str
    mark: str


@dataclass(frozen=True)
class Example:
    """One hit of a rule: where, the words around it, and the rule's sentence."""

    locator: str
    heading: str
    segments: tuple[Segment, ...]
    note: str


@dataclass(frozen=True)
class RuleRow:
    """One rule: what it led to, how often it fired, how often reviewers found it right."""

    rule: str
    about: str
    action: str
    """``omit or review``, ``omit``, ``review`` or ``info``."""
    chunks: int
    share: float
    delta: int | None
    labelled: int
    precision: float | None
    """Share of labels that agree with the rule; None without labels."""
    examples: tuple[Example, ...]

    @property
    def to_mend(self) -> float:
        """Chunks the rule may be wrong about, which says what to look at next."""
        right = (self.precision or 0.0) * self.labelled
        return self.chunks * (1 - (right + 1) / (self.labelled + 2))


@dataclass(frozen=True)
class FileRow:
    """One file and what became of it."""

    document: Document
    chunks: int
    keep: int
    review: int
    omit: int
    discards: int
    flagged: int
    words: int
    template: str
    """The row template used most, for workbooks."""

    @property
    def trouble(self) -> tuple[int, float, int]:
        """Sorts files: unread ones first, then by chunks not kept times their share, then by remarks."""
        unread = self.document.state not in ("read", "empty", "unsupported", "linked")
        doubtful = self.omit + self.review
        noted = self.flagged + len(self.document.warnings)
        return int(unread), doubtful * doubtful / max(self.chunks, 1), noted


@dataclass(frozen=True)
class SampleCard:
    """A chunk to read, between its neighbours."""

    chunk: Chunk
    flagged: bool
    before: str
    """The end of the chunk before, or empty."""
    after: str
    segments: tuple[Segment, ...]


@dataclass(frozen=True)
class DiscardedRow:
    """A row that made no chunk, as the workbook has it."""

    discard: Discard
    empty_fields: int
    total_fields: int
    word_count: int
    cells: tuple[tuple[str, str], ...]
    """Column and value of the cells that have one."""


@dataclass(frozen=True)
class DiscardGroup:
    """All discards of one reason."""

    reason: str
    count: int
    characters: int
    rows: tuple[DiscardedRow, ...]
    """The first of them, where the reason is about rows."""
    texts: tuple[Discard, ...]
    """The first of them, where it is about text."""


@dataclass(frozen=True)
class Cluster:
    """Chunks of the same content, the first of its kind first."""

    first: Chunk
    others: tuple[str, ...]
    """Locators."""


@dataclass(frozen=True)
class TemplateRow:
    """What one row template made, or the fallback."""

    template: str
    tables: int
    """Tables it speaks for."""
    rows: int
    """Rows whose sentence it made."""
    fell_back: int
    """Rows of its tables whose sentence the fallback made."""
    missing_fields: Mapping[str, int]
    """Required field to rows that lack it."""


@dataclass(frozen=True)
class Workbooks:
    """What became of sheets, tables and cells, and how well the templates know them."""

    templates: tuple[TemplateRow, ...]
    """The most rows first."""
    unmatched: tuple[str, ...]
    """Templates that speak for no table."""
    tables: tuple[TableCoverage, ...]
    """Those first that lost most rows."""
    sheets: tuple[Sheet, ...]
    states: tuple[Count, ...]
    """Sheets by what was made of them: ``read``, or why they were not."""
    low_confidence: int
    """Sheets with a header that was a close call, or with none."""
    left_out: tuple[Count, ...]
    """Cells left out on purpose: hidden with their column, crossed out, or by template and column."""
    formulas_without_value: int
    errors: int
    """Cells that show an error."""
    failing: tuple[str, ...]
    """One line a template that fails its own tests."""
    mends: tuple[tuple[str, str], ...]
    """Workbook and sheet, and what was mended, or could not be read."""
    cleaned: tuple[Count, ...]
    """Study marks taken out of cells, by rule."""


@dataclass(frozen=True)
class Report:
    """Everything the QA artifacts show."""

    run: RunFacts
    totals: Totals
    deltas: Mapping[str, int | None]
    """For ``chunks``, ``keep``, ``review``, ``omit``, ``discards``, ``lost``."""
    states: tuple[Count, ...]
    other_kinds: tuple[Count, ...]
    """Files of kinds nobody reads, by suffix (``.png``; empty where a name has none)."""
    qualities: tuple[Count, ...]
    reasons: tuple[Count, ...]
    semantic_types: tuple[Count, ...]
    general_share: float
    rules: tuple[RuleRow, ...]
    words: tuple[Histogram, ...]
    """Words per chunk, one histogram a kind of source."""
    scores: Histogram
    mean_score: float
    chunks_per_file: Histogram
    files: tuple[FileRow, ...]
    workbooks: Workbooks
    sample: tuple[SampleCard, ...]
    flagged: tuple[Chunk, ...]
    discards: tuple[DiscardGroup, ...]
    discarded_rows: tuple[DiscardedRow, ...]
    clusters: tuple[Cluster, ...]
    history: tuple[Mapping[str, Any], ...]
    """Metrics of earlier builds, oldest first."""

    @property
    def too_general(self) -> bool:
        """Whether the semantic types say too little about these notes."""
        return self.general_share > GENERAL_LIMIT


GENERAL_LIMIT = 0.30
"""Above this share of ``general`` the types say little: a word list is missing for these notes."""
