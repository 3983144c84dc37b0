"""What every stage of a build is given, and what it says when it is done."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from notes_pipeline.errors import UserError
from notes_pipeline.rows.templates.registry import Registry, load_registry
from notes_pipeline.settings import Workspace
from notes_pipeline.sources.walk import Found, scan
from notes_pipeline.split import sentences
from notes_pipeline.stages.partitions import by_partition
from notes_pipeline.stages.pool import Pool

_NAMED = 3
"""Things that are no files, named where nothing else is there."""
_WORKSPACE_FOLDERS = ("data", "qa", "templates", ".dagster")


class Scan(NamedTuple):
    """The notes as one walk saw them."""

    files: dict[str, list[Found]]
    """By partition key, keys sorted."""
    started_ns: int
    """When the walk began: a file as young as that may change unseen."""


@dataclass(frozen=True)
class Build:
    """One build of one workspace: where, with what, by how many, and whether old work counts."""

    workspace: Workspace
    pool: Pool = field(default_factory=lambda: Pool(1))
    fresh: bool = False
    """Work everything anew; the products come out the same to the byte."""
    started: datetime = field(default_factory=lambda: datetime.now().astimezone())

    @property
    def seconds(self) -> float:
        """How long this build has been at work."""
        return (datetime.now().astimezone() - self.started).total_seconds()

    @property
    def data(self) -> Path:
        """Where the products stand."""
        return self.workspace.root / "data"

    @property
    def templates(self) -> Path:
        """The row templates a user edits."""
        return self.workspace.root / "templates" / "rows"

    @cached_property
    def registry(self) -> Registry:
        """The row templates, read once a build."""
        return load_registry(self.templates)

    @cached_property
    def engine_version(self) -> str:
        """What sentence ends hang on beside spaCy and the engine's name, looked up once a build."""
        return sentences.engine_version(self.workspace.settings.sentences.engine)

    def scan(self) -> Scan:
        """Every file of the notes as it is now; the workspace itself is never read as notes.

        Raises ``UserError`` where the folder itself cannot be read: what is not mounted is not gone.
        """
        now = time.time_ns()
        notes, ignore = self.workspace.notes, self.workspace.settings.ignore
        files = scan(notes, ignore=ignore, exclude=own_folders(self.workspace))
        if files and files[0].source_path == ".":
            raise UserError(str(notes), files[0].error, "is it mounted, and may you read it?")
        return Scan(by_partition(files), now)

    def scan_to_read(self) -> Scan:
        """The same; raises ``UserError`` where there is no file to read, and says what is there instead."""
        scan = self.scan()
        found = [file for files in scan.files.values() for file in files]
        if all(file.unread for file in found):
            there = (f"; {it.source_path}{'/' * bool(it.workspace)}: {it.unread}" for it in found[:_NAMED])
            what, remedy = "no files to read" + "".join(there), "name a folder that holds notes or workbooks"
            raise UserError(str(self.workspace.notes), what, remedy)
        return scan


def own_folders(workspace: Workspace) -> tuple[Path, ...]:
    """What of a workspace may lie inside its notes: all of it, or its folders where it *is* the notes."""
    if workspace.root == workspace.notes:
        return tuple(workspace.root / name for name in _WORKSPACE_FOLDERS)
    return (workspace.root,) if workspace.root.is_relative_to(workspace.notes) else ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one stage did for one partition."""

    asset: str
    partition: str
    worked: int
    """Files worked on."""
    reused: int
    """Files whose earlier result was carried over."""
    written: bool
    """Whether the product on disk changed."""
    records: Mapping[str, int]
    """Rows of the tables written or kept, the main one under ``""``."""
