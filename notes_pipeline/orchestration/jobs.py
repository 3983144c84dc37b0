"""The two jobs: what is done for each notebook, and what is done once for all of them."""

from __future__ import annotations

import dagster as dg

from notes_pipeline.orchestration.assets import partitioned_assets
from notes_pipeline.orchestration.publish import notes_corpus, qa_artifacts

BUILD_ALL = "build_all"
PUBLISH = "publish"

build_all = dg.define_asset_job(
    BUILD_ALL,
    selection=dg.AssetSelection.assets(*partitioned_assets),
    description="From files to judged chunks, for the notebooks it is given.",
)
publish = dg.define_asset_job(
    PUBLISH,
    selection=dg.AssetSelection.assets(notes_corpus, qa_artifacts),
    description="Merge all notebooks, hold the laws, report, and replace the last good build.",
)
