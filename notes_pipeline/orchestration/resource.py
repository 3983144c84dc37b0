"""The build that assets work on: from the command line as it is, from the web UI by the workspace's file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import dagster as dg

from notes_pipeline.errors import UserError
from notes_pipeline.orchestration.home import workspace_root
from notes_pipeline.settings import load_workspace
from notes_pipeline.split.sentences import check_engine
from notes_pipeline.stages.build import Build, Outcome
from notes_pipeline.stages.lock import workspace_lock
from notes_pipeline.stages.pool import Pool
from notes_pipeline.stages.proof import Proof
from notes_pipeline.stages.publish import Published


class Watcher:
    """Is told what happens in a run; this one does not listen."""

    def outcome(self, outcome: Outcome) -> None:
        """A stage is done for one notebook."""

    def proof(self, proof: Proof) -> None:
        """The laws were held on the staged build."""

    def published(self, published: Published) -> None:
        """A build took its place."""


@dataclass(frozen=True)
class Running:
    """A build, and who watches it."""

    build: Build
    watcher: Watcher = field(default_factory=Watcher)

    @contextmanager
    def locked(self) -> Iterator[Build]:
        """The build, with its workspace to itself for one step."""
        with workspace_lock(self.build.workspace.root):
            yield self.build


@dg.resource(description="The workspace, its settings, and the processes that work on it.")
def running_from_workspace(context: dg.InitResourceContext) -> Iterator[Running]:
    """Reads ``notes.toml`` anew for every run, as ``notes-pipeline build`` does."""
    try:
        workspace = load_workspace(workspace_root())
        check_engine(workspace.settings.sentences.engine)
    except UserError as error:
        # Of an error in a resource the run's page shows the cause last; its log shows this line first.
        if context.log:
            context.log.error(str(error))
        raise dg.Failure(str(error), allow_retries=False) from error
    with Pool() as pool:
        yield Running(Build(workspace, pool))
