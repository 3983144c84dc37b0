"""The whole graph on one screen.

::

    source_files ─┬─ markdown_sections ── markdown_chunks ─┬─ flagged_chunks ═╗   one partition a notebook
                  └─ excel_rows ───────── excel_chunks ────┘                  ║
                                                                        notes_corpus ── laws ── qa_artifacts
"""

from __future__ import annotations

import warnings

import dagster as dg

# Every process Dagster starts would print them again.
warnings.filterwarnings("ignore", category=dg.BetaWarning)
warnings.filterwarnings("ignore", category=dg.PreviewWarning)


@dg.definitions
def defs() -> dg.Definitions:
    """What the web UI loads, and what ``notes-pipeline build`` runs with its own resource."""
    from notes_pipeline.orchestration.assets import partitioned_assets
    from notes_pipeline.orchestration.jobs import build_all, publish
    from notes_pipeline.orchestration.publish import bad_files, laws, notes_corpus, qa_artifacts
    from notes_pipeline.orchestration.resource import running_from_workspace
    from notes_pipeline.orchestration.sensors import notebook_sensor

    return dg.Definitions(
        assets=[*partitioned_assets, notes_corpus, qa_artifacts],
        asset_checks=[laws, bad_files],
        jobs=[build_all, publish],
        sensors=[notebook_sensor],
        resources={"running": running_from_workspace},
        # One process a run: starting one a step costs more than most steps.
        executor=dg.in_process_executor,
    )
