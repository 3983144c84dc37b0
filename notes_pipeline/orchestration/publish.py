"""notes_corpus and qa_artifacts, and the checks between them: nothing is published that breaks a law.

Belongs here: the merge as an asset, one blocking check a law on what it staged, a warning for
files that could not be read, and the asset that reports and publishes once all laws hold.
"""

# No postponed annotations here: Dagster looks at the type of ``context`` itself.

from collections.abc import Iterator
from typing import Any

import dagster as dg

from notes_pipeline.corpus.generations import Generation
from notes_pipeline.corpus.laws import CORPUS_LAWS, LAWS
from notes_pipeline.corpus.parquet import read_metadata, read_table
from notes_pipeline.orchestration.resource import Running
from notes_pipeline.stages.corpus import merge_partitions, staged
from notes_pipeline.stages.keys import code_version
from notes_pipeline.stages.proof import LAW_NAMES, Proof
from notes_pipeline.stages.publish import BAD_STATES, prove_staged, publish_with_report

_LISTED = 20
"""Places a check's metadata names; all are counted."""

LOST = "lost"


@dg.asset(
    group_name="corpus",
    description="All notebooks in one order, duplicates marked; staged beside the last good build.",
    deps=[dg.AssetDep("flagged_chunks", partition_mapping=dg.AllPartitionMapping())],
    code_version=code_version(("corpus", "decide.py")),
    kinds={"python", "parquet"},
    required_resource_keys={"running"},
)
def notes_corpus(context: dg.AssetExecutionContext) -> dg.MaterializeResult:
    """The generation it stages is named in its metadata, for the checks and the report."""
    running: Running = context.resources.running
    with running.locked() as build:
        generation = merge_partitions(build)
    rows = {name: read_table(generation.table(name), columns=[]).num_rows for name in ("chunks", "discards")}
    return dg.MaterializeResult(
        metadata={
            "build_hash": generation.build_hash,
            "settings_hash": read_metadata(generation.table("chunks"))["settings_hash"],
            "dagster/row_count": rows["chunks"],
            "discards": rows["discards"],
        },
        data_version=dg.DataVersion(generation.build_hash),
    )


_TRUTHS = {
    **{name: (law.__doc__ or name).splitlines()[0] for name, law in (LAWS | CORPUS_LAWS).items()},
    LOST: "Characters and rows in neither chunk nor discard, counted: none.",
}
_LAWS = [
    dg.AssetCheckSpec(law, asset="notes_corpus", blocking=True, description=truth)
    for law, truth in _TRUTHS.items()
]


@dg.multi_asset_check(name="laws", specs=_LAWS, required_resource_keys={"running"})
def laws(context: dg.AssetCheckExecutionContext) -> Iterator[dg.AssetCheckResult]:
    """Every law, held on what was staged."""
    running: Running = context.resources.running
    with running.locked() as build:
        proof = prove_staged(build, staged(build))
    running.watcher.proof(proof)
    for law in LAW_NAMES:
        yield dg.AssetCheckResult(
            check_name=law,
            asset_key="notes_corpus",
            passed=not proof.broken[law],
            metadata=_places(proof, law),
        )
    yield dg.AssetCheckResult(
        check_name=LOST,
        asset_key="notes_corpus",
        passed=proof.lost == 0,
        metadata={
            "documents": proof.documents,
            "lost_characters": proof.lost_characters,
            "lost_rows": proof.lost_rows,
        },
    )


def _places(proof: Proof, law: str) -> dict[str, Any]:
    """Where a law broke: files, lines and ids, never their words."""
    places = [f"{it.source_path}:{it.place}" for it in proof.shown.get(law, [])[:_LISTED]]
    return {"violations": proof.broken[law], "documents": proof.documents, "places": places}


@dg.asset_check(
    asset="notes_corpus",
    name="bad_files",
    description="Files that could not be read; the rest of the build goes on without them.",
    required_resource_keys={"running"},
)
def bad_files(context: dg.AssetCheckExecutionContext) -> dg.AssetCheckResult:
    """A warning, never a stop."""
    with context.resources.running.locked() as build:
        generation: Generation = staged(build)
    table = read_table(generation.table("documents"), columns=["source_path", "state"])
    bad = [row for row in table.to_pylist() if row["state"] in BAD_STATES]
    return dg.AssetCheckResult(
        passed=not bad,
        severity=dg.AssetCheckSeverity.WARN,
        metadata={
            "bad": len(bad),
            "documents": table.num_rows,
            "files": [f"{row['source_path']}: {row['state']}" for row in bad[:_LISTED]],
        },
    )


@dg.asset(
    group_name="qa",
    description="The report on the staged build; then the build takes the place of the last good one.",
    deps=[notes_corpus],
    code_version=code_version(("report",)),
    kinds={"python"},
    required_resource_keys={"running"},
)
def qa_artifacts(context: dg.AssetExecutionContext) -> dg.MaterializeResult:
    """Runs only when every blocking check passed."""
    running: Running = context.resources.running
    with running.locked() as build:
        published = publish_with_report(build, staged(build))
    running.watcher.published(published)
    return dg.MaterializeResult(metadata={"build_hash": published.build_hash, **published.numbers})
