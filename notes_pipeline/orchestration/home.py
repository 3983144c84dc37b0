"""Where Dagster keeps its own things: ``.dagster`` of the workspace, for ``build`` and ``ui`` alike.

Belongs here: the instance configuration and the environment that points at it. Importing
Dagster is left to the callers, so that the command line starts quickly.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from notes_pipeline.corpus.parquet import write_text

if TYPE_CHECKING:
    from dagster import DagsterInstance

WORKSPACE_VARIABLE = "NOTES_PIPELINE_WORKSPACE"
"""Which workspace a process that Dagster starts works on; the current folder if unset."""

LOCATION = "notes_pipeline"

_INSTANCE = """\
# Written by notes-pipeline; your changes here are kept.
telemetry:
  enabled: false
nux:
  enabled: false
concurrency:
  runs:
    max_concurrent_runs: 2
# What a process prints may hold words of your notes; Dagster's pages are open to whoever reaches the port.
compute_logs:
  module: dagster._core.storage.noop_compute_log_manager
  class: NoOpComputeLogManager
retention:
  sensor:
    purge_after_days:
      skipped: 1
      success: 30
"""

_LOCATIONS = f"""\
load_from:
  - python_module:
      module_name: notes_pipeline.definitions
      location_name: {LOCATION}
      executable_path: {{python}}
"""


def prepare_home(root: Path) -> Path:
    """Makes the workspace's ``.dagster`` if need be, points this process at it, returns it."""
    home = root / ".dagster"
    home.mkdir(parents=True, exist_ok=True)
    if not (home / "dagster.yaml").exists():
        write_text(home / "dagster.yaml", _INSTANCE)
    write_text(home / "workspace.yaml", _LOCATIONS.format(python=sys.executable))
    os.environ["DAGSTER_HOME"] = str(home)
    os.environ["DAGSTER_DISABLE_TELEMETRY"] = "1"
    os.environ[WORKSPACE_VARIABLE] = str(root)
    return home


def open_instance(root: Path) -> DagsterInstance:
    """The workspace's Dagster instance."""
    prepare_home(root)
    from dagster import DagsterInstance

    return DagsterInstance.get()


def workspace_root() -> Path:
    """The workspace of a process that Dagster started."""
    return Path(os.environ.get(WORKSPACE_VARIABLE) or Path.cwd())
