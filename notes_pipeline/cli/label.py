"""``label``: a reviewer's verdict into ``qa/labels.csv``."""

from __future__ import annotations

import csv
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from notes_pipeline.cli.options import WorkspaceOption, existing_workspace
from notes_pipeline.labels import COLUMNS, Label, guarded


class Verdict(StrEnum):
    """What a reviewer may say."""

    keep = "keep"
    omit = "omit"


def label(
    chunk_id: Annotated[str, typer.Argument(metavar="CHUNK_ID", help="Id, locator, or the start of one.")],
    verdict: Annotated[Verdict, typer.Argument(help="What should become of it.")],
    note: Annotated[str, typer.Option("--note", help="Why.")] = "",
    workspace: WorkspaceOption = None,
) -> None:
    """Say what should become of a chunk; the next build obeys."""
    from notes_pipeline.cli.lookup import chunk_named

    chosen = existing_workspace(workspace)
    chunk = chunk_named(chosen, chunk_id)
    rule = chunk.decision_reason if chunk.decision != "keep" else ""
    add_label(
        chosen.root / "qa" / "labels.csv",
        Label(chunk.content_hash, chunk.chunk_id, rule, verdict.value, note),
    )
    typer.echo(f"{chunk.chunk_id}: {verdict.value}, from the next build on")


def add_label(path: Path, label: Label) -> None:
    """Appends one line, with the header before it where the file is new."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = not path.exists() or not path.stat().st_size
    unfinished = not new and not path.read_bytes().endswith(b"\n")
    with path.open("a", encoding="utf-8", newline="") as file:
        if unfinished:
            file.write("\n")
        writer = csv.writer(file, lineterminator="\n")
        if new:
            writer.writerow(COLUMNS)
        writer.writerow(guarded(cell) for cell in label)
