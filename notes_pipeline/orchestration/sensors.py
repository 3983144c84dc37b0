"""notebook_sensor: keeps the products in step with the notes while the daemon runs.

It looks at the state of the disk, not at events, so a missed tick costs nothing. Each tick asks
for at most one run: for all notebooks that are new, changed or made by other settings, templates
or code, or, when none is, for the merge that is due. A run is asked for once per state of the
files, so one that fails is not repeated until something changes.
"""

from __future__ import annotations

import hashlib
import json

import dagster as dg

from notes_pipeline.errors import UserError
from notes_pipeline.orchestration.home import workspace_root
from notes_pipeline.orchestration.jobs import BUILD_ALL, PUBLISH, build_all, publish
from notes_pipeline.orchestration.partitions import NOTEBOOKS, notebooks, range_tags
from notes_pipeline.settings import load_workspace
from notes_pipeline.stages import behind, made_by, remove_gone
from notes_pipeline.stages.build import Build, Scan
from notes_pipeline.stages.corpus import merge_inputs, published_inputs
from notes_pipeline.stages.lock import workspace_lock
from notes_pipeline.stages.snapshot import fingerprint, known_fingerprint

SECONDS_BETWEEN_LOOKS = 30


@dg.sensor(
    jobs=[build_all, publish],
    minimum_interval_seconds=SECONDS_BETWEEN_LOOKS,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Builds notebooks that are new or changed, drops those that are gone, then publishes.",
)
def notebook_sensor(context: dg.SensorEvaluationContext) -> dg.SensorResult | dg.SkipReason:
    """One look at the notes folder."""
    try:
        build = Build(load_workspace(workspace_root()))
        scan = build.scan()
        if not scan.files:
            return dg.SkipReason(f"{build.workspace.notes}: no files; is it mounted? Nothing is dropped.")
        return _look(build, scan, context.instance.get_dynamic_partitions(NOTEBOOKS))
    except UserError as error:
        return dg.SkipReason(str(error))


def _look(build: Build, scan: Scan, known: list[str]) -> dg.SensorResult:
    new = [key for key in scan.files if key not in known]
    gone = [key for key in known if key not in scan.files]
    with workspace_lock(build.workspace.root):
        remove_gone(build, list(scan.files))
    requests = [
        *([notebooks.build_delete_request(gone)] if gone else []),
        *([notebooks.build_add_request(new)] if new else []),
    ]
    ordered = [key for key in known if key not in gone] + new
    return dg.SensorResult(run_requests=_runs(build, scan, ordered), dynamic_partitions_requests=requests)


def _runs(build: Build, scan: Scan, ordered: list[str]) -> list[dg.RunRequest]:
    prints = {key: fingerprint(files) for key, files in scan.files.items()}
    changed = [
        key for key in ordered if known_fingerprint(build.data, key) != prints[key] or behind(build, key)
    ]
    if changed:
        state = [made_by(build), *((key, prints[key]) for key in changed)]
        return [dg.RunRequest(_name(BUILD_ALL, state), job_name=BUILD_ALL, tags=range_tags(ordered, changed))]
    inputs = merge_inputs(build)
    if inputs == published_inputs(build.data):
        return []
    return [dg.RunRequest(_name(PUBLISH, inputs), job_name=PUBLISH)]


def _name(job: str, state: object) -> str:
    return f"{job}:{hashlib.sha256(json.dumps(state, sort_keys=True).encode()).hexdigest()[:16]}"
