"""A build from the command line: the two jobs, one after the other, in this process.

Belongs here: how the graph is run without a server, and what came of it. Stays out: what is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import dagster as dg
from dagster._core.errors import DagsterAssetCheckFailedError

from notes_pipeline.definitions import defs
from notes_pipeline.orchestration.bookkeeping import databases_held_open
from notes_pipeline.orchestration.home import open_instance
from notes_pipeline.orchestration.jobs import BUILD_ALL, PUBLISH
from notes_pipeline.orchestration.partitions import NOTEBOOKS, range_tags, register
from notes_pipeline.orchestration.resource import Running, Watcher
from notes_pipeline.stages import remove_gone
from notes_pipeline.stages.build import Build
from notes_pipeline.stages.lock import workspace_lock

_KEPT_RUNS = 20
"""Runs of the command line that stay in the web UI's list; each has a small database of its own."""

_MADE_BY_US = {"notes_pipeline/made_by": "command line"}

# Dagster's log is in its database; the terminal belongs to the build's own words.
_QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


def run_build(build: Build, watcher: Watcher, waiting: Callable[[], None]) -> bool:
    """Runs ``build_all`` over all notebooks, then ``publish``; returns whether every law held.

    ``waiting`` is called once if another build has the workspace. Raises ``UserError`` where there
    is nothing to read, or a step says what is wrong; any other error of a step as it is.
    """
    root = build.workspace.root
    with workspace_lock(root, waiting):
        scan = build.scan_to_read()
        remove_gone(build, list(scan.files))
        with databases_held_open(), open_instance(root) as instance:
            register(instance, list(scan.files))
            ordered = instance.get_dynamic_partitions(NOTEBOOKS)
            running = Running(build, watcher)
            _tidy_old_runs(instance)
            ok = _run(instance, BUILD_ALL, running, range_tags(ordered, list(scan.files)))
            return ok and _run(instance, PUBLISH, running, {})


def _run(instance: dg.DagsterInstance, job: str, running: Running, tags: Mapping[str, str]) -> bool:
    """Runs one job; an error of a step is raised as it is, a law that broke is ``False``."""
    try:
        result = (
            defs()
            .resolve_job_def(job)
            .execute_in_process(
                instance=instance,
                tags={**tags, **_MADE_BY_US},
                resources={"running": running},
                run_config=_QUIET,
            )
        )
    except DagsterAssetCheckFailedError:
        return False
    except dg.DagsterExecutionInterruptedError:
        raise KeyboardInterrupt from None
    return bool(result.success)


def _tidy_old_runs(instance: dg.DagsterInstance) -> None:
    """Closes runs whose process died (we hold the lock, so none is at work) and drops the oldest."""
    dead = dg.RunsFilter(tags=_MADE_BY_US, statuses=[dg.DagsterRunStatus.STARTED])
    for run in instance.get_runs(dead):
        instance.report_run_failed(run, "its process ended in mid-run")
    made = instance.get_run_records(dg.RunsFilter(tags=_MADE_BY_US))
    for record in made[_KEPT_RUNS:]:
        instance.delete_run(record.dagster_run.run_id)
