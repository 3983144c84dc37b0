"""notes_corpus and qa_artifacts: all partitions into one corpus, checked, reported, published.

Belongs here: which products go in, and that nothing half-built does. Stays out: how they are
merged, staged and swapped (``corpus``), and what a report says (``report``).
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from notes_pipeline.corpus.generations import Generation, current, recover
from notes_pipeline.corpus.merge_files import stage_files
from notes_pipeline.corpus.parquet import read_metadata, read_table, write_text
from notes_pipeline.decide import decide
from notes_pipeline.errors import UserError
from notes_pipeline.labels import read_labels, verdicts
from notes_pipeline.records import DOCUMENTS, Discard, Document, DocumentFacts, Warned, from_table
from notes_pipeline.stages import MADE, behind
from notes_pipeline.stages.build import Build
from notes_pipeline.stages.keys import code_version
from notes_pipeline.stages.markdown import SECTION_TABLES
from notes_pipeline.stages.partitions import keys_on_disk, product_path
from notes_pipeline.stages.snapshot import SNAPSHOT_FILES

STORE = ".generations"
SETTINGS_FILE = "settings.json"
"""Beside the tables of a generation: the settings that made it, by which its laws are held."""

_INPUTS = "inputs.json"
"""Beside the tables of a generation: what it was merged from, so that nothing new means no new merge."""

_DISCARDS = "discards"
_STAGED = "staged"
"""Beside the generations: which of them was staged last."""


def merge_partitions(build: Build) -> Generation:
    """Stages the corpus of every notebook that has products; the published one stays in its place.

    Raises ``UserError`` where there is nothing to merge, or a notebook is half-built.
    """
    recover(build.data)
    parts = _Parts(build)
    inputs = parts.fingerprint()
    last = current(build.data)
    if last is not None and not build.fresh and _inputs_of(last) == inputs:
        _point(build.data, last)
        return last
    settings, labels = build.workspace.settings, parts.verdicts
    generation = stage_files(
        build.data,
        parts.documents(),
        parts.discards(),
        parts.chunk_files(),
        settings_hash=settings.hash,
        partitions=parts.links(),
        labelled=labels,
        judge=lambda chunk: decide(chunk, settings, labels),
    )
    write_text(generation.path / _INPUTS, json.dumps(inputs, indent=1))
    write_text(generation.path / SETTINGS_FILE, build.workspace.settings.model_dump_json(indent=1))
    _point(build.data, generation)
    return generation


def staged(build: Build) -> Generation:
    """The generation staged last, published or not. Raises ``UserError`` where there is none."""
    pointer = build.data / STORE / _STAGED
    try:
        name = pointer.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UserError(str(pointer), "nothing is staged", "materialise notes_corpus first") from None
    return Generation(build.data / STORE / name, name)


def _point(data: Path, generation: Generation) -> None:
    write_text(data / STORE / _STAGED, generation.build_hash)


def merge_inputs(build: Build) -> dict[str, Any]:
    """What a merge would be made from now; compared with ``published_inputs`` it says whether one is due."""
    return _Parts(build).fingerprint()


def published_inputs(data: Path) -> dict[str, Any]:
    """What the published corpus was merged from; empty before the first."""
    last = current(data)
    return _inputs_of(last) if last else {}


def _inputs_of(generation: Generation) -> dict[str, Any]:
    try:
        inputs = json.loads((generation.path / _INPUTS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return inputs if isinstance(inputs, dict) else {}


class _Parts:
    """The products of all partitions, as they stand on disk."""

    def __init__(self, build: Build) -> None:
        self._build = build
        self._labels = build.workspace.root / "qa" / "labels.csv"
        self._keys = keys_on_disk(build.data, SNAPSHOT_FILES.stage.asset)
        if not self._keys:
            raise UserError(
                str(build.workspace.notes), "nothing was read", "build a notebook first: notes-pipeline build"
            )
        for key in self._keys:
            if asset := behind(build, key):
                raise UserError(
                    f"notebook {key}",
                    f"{asset} is behind its files",
                    "materialise build_all for it, or run: notes-pipeline build",
                )

    @cached_property
    def verdicts(self) -> dict[str, str]:
        """What reviewers said, by content hash."""
        return verdicts(read_labels(self._labels))

    def _paths(self) -> Iterator[tuple[str, Path]]:
        for key in self._keys:
            for product in (SNAPSHOT_FILES, *(made for made, _ in MADE)):
                for path in product.paths(self._build.data, key).values():
                    yield f"{product.stage.asset}/{path.name}", path

    def links(self) -> dict[str, Path]:
        """Every product by its name under ``data``."""
        return dict(self._paths())

    def fingerprint(self) -> dict[str, Any]:
        """What the corpus is made from: products by their inputs and keys, labels, and the merging code."""
        made = {name: read_metadata(path) for name, path in self._paths()}
        return {
            "code": code_version(("stages", "corpus", "decide.py", "labels.py", "records.py")),
            "labels": self.verdicts,
            "products": {
                name: hashlib.sha256((footer["key"] + footer["inputs"]).encode()).hexdigest()[:16]
                for name, footer in sorted(made.items())
            },
        }

    def documents(self) -> Iterator[Document]:
        """Every file seen, without what was read of it; with what its parse met that was odd."""
        warned: defaultdict[str, list[str]] = defaultdict(list)
        for it in self._records(SECTION_TABLES.stage.asset, "warnings", Warned):
            warned[it.source_path].append(it.warning)
        for key in self._keys:
            path = product_path(self._build.data, SNAPSHOT_FILES.stage.asset, key)
            for facts in from_table(read_table(path, DOCUMENTS.names), DocumentFacts):
                values = {name: getattr(facts, name) for name in DOCUMENTS.names}
                values["warnings"] = (*facts.warnings, *warned[facts.source_path])
                yield Document(**values, text=None, content=None)

    def chunk_files(self) -> list[Path]:
        """The judged chunks of every notebook, each table sorted."""
        return [product_path(self._build.data, "flagged_chunks", key, "") for key in self._keys]

    def discards(self) -> Iterator[Discard]:
        """Every loss, of whatever stage."""
        for product, _ in MADE:
            if _DISCARDS in product.kinds:
                yield from self._records(product.stage.asset, _DISCARDS, Discard)

    def _records(self, asset: str, side: str, kind: type[Any]) -> Iterator[Any]:
        for key in self._keys:
            yield from from_table(read_table(product_path(self._build.data, asset, key, side)), kind)
