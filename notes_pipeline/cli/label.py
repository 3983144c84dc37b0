"""``label``: a reviewer's verdict into ``qa/labels.csv``."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from notes_pipeline.cli.options import ID_HELP, WorkspaceOption, existing_workspace
from notes_pipeline.errors import UserError
from notes_pipeline.labels import Label, read_labels, remove_labels, set_label

if TYPE_CHECKING:
    from notes_pipeline.records import Chunk


class Verdict(StrEnum):
    """What a reviewer may say."""

    keep = "keep"
    omit = "omit"


def label(
    chunk_id: Annotated[str, typer.Argument(metavar="CHUNK_ID", help=ID_HELP)],
    verdict: Annotated[
        Verdict | None, typer.Argument(help="What should become of it.", show_default=False)
    ] = None,
    note: Annotated[str, typer.Option("--note", help="Why.")] = "",
    undo: Annotated[bool, typer.Option("--undo", help="Take the verdict back.")] = False,
    workspace: WorkspaceOption = None,
) -> None:
    """Say what should become of a chunk; the next build obeys."""
    if undo == (verdict is not None):
        raise UserError("label", "says nothing, or two things", "say keep, omit or --undo", usage=True)
    from notes_pipeline.cli.lookup import chunk_named

    chosen = existing_workspace(workspace)
    chunk = chunk_named(chosen, chunk_id)
    path = chosen.root / "qa" / "labels.csv"
    if verdict is None:
        _undo(path, chunk)
        return
    set_label(path, Label(chunk.content_hash, chunk.chunk_id, _rule(path, chunk), verdict.value, note))
    typer.echo(f"{chunk.chunk_id}: {verdict.value}, from the next build on")


def _undo(path: Path, chunk: Chunk) -> None:
    if not remove_labels(path, chunk.content_hash):
        raise UserError(chunk.chunk_id, "has no label", f"all labels are in {path}", usage=True)
    typer.echo(f"{chunk.chunk_id}: label taken back, from the next build on")


def _rule(path: Path, chunk: Chunk) -> str:
    """The rule the verdict speaks about; of a chunk that a label decided, that label's."""
    if chunk.decision_reason == "label":
        return next(
            (it.rule for it in reversed(read_labels(path)) if it.content_hash == chunk.content_hash), ""
        )
    return chunk.decision_reason if chunk.decision != "keep" else ""
