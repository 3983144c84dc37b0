"""A chunk's story: its place, its cut, its judgement, and its source around it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from notes_pipeline.corpus.generations import Generation
from notes_pipeline.decide import bands_of
from notes_pipeline.lines import Lines
from notes_pipeline.plural import plural
from notes_pipeline.records import Chunk, Document, Row, Section
from notes_pipeline.settings import Settings
from notes_pipeline.stages.by_file import ByFile
from notes_pipeline.stages.partitions import partition_key

_CONTEXT_LINES = 2
_SEEN_CHARACTERS = 80


class Story:
    """All that is known of one chunk of a published build, told line by line."""

    def __init__(self, chunk: Chunk, generation: Generation, settings: Settings) -> None:
        self.chunk = chunk
        self._generation = generation
        self._settings = settings
        self._file = f"{partition_key(chunk.notebook)}.parquet"

    def lines(self) -> Iterator[str]:
        """The story, line by line."""
        yield self.chunk.chunk_id
        yield from self._where()
        yield from self._cut()
        yield from self._judged()
        yield "source"
        yield from self._row() if self.chunk.row_number is not None else self._source()
        if self.chunk.row_number is not None:
            yield "text"
            yield from (f"  {line}" for line in self.chunk.text.splitlines())

    def _records(self, asset: str, kind: type[Any]) -> list[Any]:
        path = self.chunk.source_path
        return ByFile(self._generation.partitions / asset / self._file).records([path], kind)[path]

    def _where(self) -> Iterator[str]:
        chunk = self.chunk
        if chunk.row_number is not None:
            yield f"where      {chunk.source_path}, sheet {chunk.sheet}, row {chunk.row_number}"
        else:
            place = f"{chunk.start_line}-{chunk.end_line}, characters {chunk.char_start}-{chunk.char_end}"
            yield f"where      {chunk.source_path}:{place}"
        yield f"under      {' > '.join(chunk.heading_path) or '(no heading)'}"
        if chunk.duplicate_of:
            yield f"twin of    {chunk.duplicate_of}"

    def _cut(self) -> Iterator[str]:
        chunk, preset = self.chunk, self._settings.preset
        if chunk.row_number is not None:
            part = f", part {chunk.part}" if chunk.part is not None else ""
            yield f"made by    template {chunk.template or '(none)'}{part}"
            return
        limits = f"{preset.soft_words or '-'} words soft, {preset.hard_words or '-'} hard, by {preset.unit}"
        yield f"cut by     preset {preset.name}: {limits}"
        yield f"holds      {plural(chunk.word_count, 'word')}; {self._blocks()}"
        if chunk.is_sub_split:
            yield f"           {self._why_cut()}"
        for path in chunk.merged_from:
            yield f"joined     {path}"

    def _why_cut(self) -> str:
        if any(finding.rule == "cut_atom" for finding in self.chunk.findings):
            return "cut by a size guard: one thing alone was over the hard limit"
        return "its section is longer than the limit; this is part of it"

    def _blocks(self) -> str:
        kinds = [
            block.kind
            for section in self._records("markdown_sections", Section)
            for block in section.blocks
            if block.depth == 0 and self._inside(block.start, block.end)
        ]
        return ", ".join(kinds) or "part of a block"

    def _inside(self, start: int, end: int) -> bool:
        chunk = self.chunk
        return (chunk.char_start or 0) <= start and end <= (chunk.char_end or 0)

    def _judged(self) -> Iterator[str]:
        chunk, bands = self.chunk, bands_of(self.chunk, self._settings)
        yield f"kind       {chunk.semantic_type or '-'}"
        words = f"fragment < {bands.fragment}, short < {bands.short}, too long > {bands.too_long} words"
        yield f"quality    {chunk.quality} ({words})"
        for finding in chunk.findings:
            seen = " ".join(chunk.text[finding.start : finding.end].split())
            note = f" – {finding.note}" if finding.note else ""
            yield f"seen       {finding.rule}: “{seen[:_SEEN_CHARACTERS]}”{note}"
        yield f"decision   {chunk.decision}, by {chunk.decision_reason}"

    def _source(self) -> Iterator[str]:
        text = self._records("source_files", Document)[0].text or ""
        starts = [*Lines(text).starts, len(text)]
        first, last = self.chunk.start_line or 1, self.chunk.end_line or 1
        for number in range(max(1, first - _CONTEXT_LINES), min(len(starts) - 1, last + _CONTEXT_LINES) + 1):
            mark = "│" if first <= number <= last else " "
            line = text[starts[number - 1] : starts[number]].rstrip()
            yield f"  {number:>5} {mark} {line}".rstrip()

    def _row(self) -> Iterator[str]:
        for row in self._records("excel_rows", Row):
            if (row.sheet, row.row_number) == (self.chunk.sheet, self.chunk.row_number):
                yield from (f"  {cell.ref:<6} {cell.column}: {cell.value}" for cell in row.cells)
