"""The assets: each calls one stage for each of its partitions and tells Dagster what came of it.

Belongs here: names, groups, dependencies, metadata (counts and ids, never a word of a note).
"""

# No postponed annotations here: Dagster looks at the type of ``context`` itself.

import time
from collections.abc import Callable, Mapping
from typing import Any

import dagster as dg

from notes_pipeline.orchestration.partitions import notebooks
from notes_pipeline.orchestration.resource import Running
from notes_pipeline.stages import AFTER_SNAPSHOT
from notes_pipeline.stages.build import Build, Outcome
from notes_pipeline.stages.keys import STAGES, code_version
from notes_pipeline.stages.snapshot import source_files as snapshot_of

GROUPS = {
    "source_files": "ingest",
    "markdown_sections": "markdown",
    "markdown_chunks": "markdown",
    "excel_rows": "excel",
    "excel_chunks": "excel",
    "flagged_chunks": "corpus",
}

_DESCRIPTIONS = {
    "source_files": "The snapshot: every file of a notebook, read once, kept as it was read.",
    "markdown_sections": "Headings with their bodies, and the blocks they hold.",
    "markdown_chunks": "Pieces of notes that make sense alone, and what is in none of them.",
    "excel_rows": "Sheets, their tables, and every row that is not empty.",
    "excel_chunks": "Rows as sentences, through the workspace's templates.",
    "flagged_chunks": "Chunks with what the rules saw in them, and keep, review or omit.",
}


def _partitioned(asset: str, stage: Callable[[Build, str], Outcome]) -> dg.AssetsDefinition:
    @dg.asset(
        name=asset,
        group_name=GROUPS[asset],
        description=_DESCRIPTIONS[asset],
        deps=list(STAGES[asset].after),
        partitions_def=notebooks,
        backfill_policy=dg.BackfillPolicy.single_run(),
        code_version=code_version(STAGES[asset].rooms),
        kinds={"python", "parquet"},
        required_resource_keys={"running"},
    )
    def made(context: dg.AssetExecutionContext) -> None:
        _each_partition(context, asset, stage)

    return made


def _each_partition(
    context: dg.AssetExecutionContext,
    asset: str,
    stage: Callable[[Build, str], Outcome],
    names: Mapping[str, str] | None = None,
) -> None:
    running: Running = context.resources.running
    with running.locked() as build:
        for key in context.partition_keys:
            started = time.perf_counter()
            outcome = stage(build, key)
            running.watcher.outcome(outcome)
            seconds = time.perf_counter() - started
            metadata = _metadata(outcome, seconds)
            if names and key in names:
                metadata["notebook"] = names[key]
            context.add_asset_metadata(metadata, asset_key=asset, partition_key=key)


def _metadata(outcome: Outcome, seconds: float) -> dict[str, Any]:
    rows = {f"rows_{side}" if side else "dagster/row_count": n for side, n in outcome.records.items()}
    return {
        **rows,
        "files_worked_on": outcome.worked,
        "files_reused": outcome.reused,
        "rewritten": outcome.written,
        "seconds": round(seconds, 3),
    }


@dg.asset(
    group_name=GROUPS["source_files"],
    description=_DESCRIPTIONS["source_files"],
    partitions_def=notebooks,
    backfill_policy=dg.BackfillPolicy.single_run(),
    code_version=code_version(STAGES["source_files"].rooms),
    kinds={"python", "parquet"},
    required_resource_keys={"running"},
)
def source_files(context: dg.AssetExecutionContext) -> None:
    """One walk of the notes for all partitions of the run."""
    scan = context.resources.running.build.scan()
    names = {key: files[0].notebook for key, files in scan.files.items()}
    _each_partition(context, "source_files", lambda build, key: snapshot_of(build, key, scan), names)


partitioned_assets = [
    source_files,
    *(_partitioned(asset, stage) for asset, stage in AFTER_SNAPSHOT.items()),
]
