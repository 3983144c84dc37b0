"""From a staged build to a published one: laws held, report written, swapped in.

Belongs here: the order of these three, and the refusal to publish what was not proved. Stays
out: what a report says (``report``) and how the swap is done (``corpus.generations``).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from notes_pipeline import __version__
from notes_pipeline.corpus.generations import Generation, current, publish
from notes_pipeline.corpus.history import earlier, record_run
from notes_pipeline.corpus.parquet import read_table, write_text
from notes_pipeline.corpus.reading import read_corpus
from notes_pipeline.errors import UserError
from notes_pipeline.labels import read_labels
from notes_pipeline.records import INTERNAL_ERROR, Row, Sheet, from_table
from notes_pipeline.report import Report, RunFacts, build_report, metrics, write_report
from notes_pipeline.rows.templates.lint import failing_tests
from notes_pipeline.stages.build import Build
from notes_pipeline.stages.keys import code_version
from notes_pipeline.stages.proof import Proof, prove, settings_of

BAD_STATES = frozenset(
    {"binary", "unreadable", "password_protected", "too_large", "changed_while_read", INTERNAL_ERROR}
)
"""States of files that should have been read and were not."""

_PROOF = "proof.json"
_REPORTED = "reported.json"

_VERSIONS = ("dagster", "openpyxl", "pyarrow", "pyromark", "spacy")
"""Libraries a report names with their versions."""


@dataclass(frozen=True, slots=True)
class Published:
    """A build in its place."""

    build_hash: str
    numbers: Mapping[str, int]
    """Counts of the report: files, chunks, keep, review, omit, discards, words, lost and more."""
    bad_files: tuple[str, ...]
    """One line a file that should have been read and was not."""
    report: Path
    other_kinds: Mapping[str, int]
    """Files of kinds nobody reads, by suffix."""
    warnings: tuple[str, ...]
    """One line a row template that fails its own tests."""


def prove_staged(build: Build, generation: Generation) -> Proof:
    """Holds the laws on a generation, and leaves word in it where they hold."""
    proof = prove(generation, build.workspace.settings)
    path = generation.path / _PROOF
    path.unlink(missing_ok=True)
    if proof.holds:
        write_text(path, json.dumps({"documents": proof.documents, "lost": proof.lost}))
    return proof


def publish_with_report(build: Build, generation: Generation) -> Published:
    """Reports on a proved generation and swaps it in; one that is in its place already stays as it is.

    Raises ``UserError`` where the laws were not held on it.
    """
    lost = _proved(generation)["lost"]
    basis = _basis(build)
    mark = generation.path / _REPORTED
    if current(build.data) == generation and mark.exists() and mark.read_text(encoding="utf-8") == basis:
        numbers = json.loads((generation.qa / "metrics.json").read_text(encoding="utf-8"))
    else:
        numbers = _report_and_swap(build, generation, lost)
        write_text(mark, basis)
    counts = {name: value for name, value in numbers.items() if isinstance(value, int)}
    report = build.workspace.root / "qa" / "latest" / "report.html"
    return Published(
        build_hash=generation.build_hash,
        numbers=counts,
        bad_files=tuple(_bad_files(generation)),
        report=report,
        other_kinds=numbers["other_kinds"],
        warnings=tuple(_failing(build)),
    )


def _failing(build: Build) -> list[str]:
    """Templates that fail their own tests, their files as the workspace has them."""
    folder = f"{build.workspace.root}/"
    return [str(it._replace(file=it.file.removeprefix(folder))) for it in failing_tests(build.registry)]


def _proved(generation: Generation) -> dict[str, int]:
    try:
        proved = json.loads((generation.path / _PROOF).read_text(encoding="utf-8"))
    except FileNotFoundError:
        place, remedy = f"build {generation.build_hash}", "run the job publish, which holds the laws first"
        raise UserError(place, "was not proved", remedy) from None
    return dict(proved)


def _basis(build: Build) -> str:
    """What a report is made from beside the tables; unchanged, a report need not be made again."""
    labels = [list(label) for label in read_labels(_labels(build))]
    code = code_version(("report", "rows"))
    return json.dumps({"code": code, "labels": labels, "templates": build.registry.hash})


def _labels(build: Build) -> Path:
    return build.workspace.root / "qa" / "labels.csv"


def _report_and_swap(build: Build, generation: Generation, lost: int) -> dict[str, Any]:
    qa = build.workspace.root / "qa"
    report = _report(build, generation, lost)
    write_report(report, generation.qa)
    publish(build.data, generation)
    numbers = metrics(report)
    record_run(qa, read_corpus(generation).chunks, numbers, generation.build_hash)
    return numbers


def _report(build: Build, generation: Generation, lost: int) -> Report:
    settings = settings_of(generation)
    run = RunFacts(
        build_hash=generation.build_hash,
        settings_hash=settings.hash,
        preset=settings.preset.name,
        started_at=build.started.isoformat(timespec="seconds"),
        seconds=build.seconds,
        versions={"notes-pipeline": __version__, **{name: version(name) for name in _VERSIONS}},
    )
    return build_report(
        read_corpus(generation),
        run=run,
        settings=settings,
        lost=lost,
        sections=sum(pq.read_metadata(path).num_rows for path in _parts(generation, "markdown_sections", "")),
        rows=_records(generation, "excel_rows", "", Row),
        sheets=list(_records(generation, "excel_rows", "sheets", Sheet)),
        registry=build.registry,
        failing=_failing(build),
        labels=read_labels(_labels(build)),
        history=earlier(build.workspace.root / "qa" / "history.jsonl", generation.build_hash),
    )


def _parts(generation: Generation, asset: str, side: str) -> list[Path]:
    paths = sorted((generation.partitions / asset).glob("*.parquet"))
    return [path for path in paths if path.name.split(".")[1:-1] == ([side] if side else [])]


def _records(generation: Generation, asset: str, side: str, kind: type[Any]) -> Iterator[Any]:
    for path in _parts(generation, asset, side):
        yield from from_table(read_table(path), kind)


def _bad_files(generation: Generation) -> Iterator[str]:
    table = read_table(generation.table("documents"), columns=["source_path", "state", "error"])
    for row in table.to_pylist():
        if row["state"] == INTERNAL_ERROR:
            yield f"{row['source_path']}: {row['error']}"
        elif row["state"] == "workspace":
            yield f"{row['source_path']}/: {row['error']}"
        elif row["state"] in BAD_STATES:
            yield f"{row['source_path']}: {row['state']}" + (f": {row['error']}" if row["error"] else "")
