"""``diff``: what changed since another build, as a vector store must take it."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from notes_pipeline.cli.options import JsonOption, WorkspaceOption, existing_workspace

_ONLY_COUNTED = ("kept", "moved")
"""Nothing must be done about these."""


def diff(
    run: Annotated[
        int | None,
        typer.Argument(
            metavar="[RUN]",
            help="A number under qa/runs; the one before the last if left out.",
            show_default=False,
        ),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Chunks added, changed, moved, kept and gone since another build: what to upsert and to delete."""
    from notes_pipeline.cli.changes import chunks_of, compare, two_runs
    from notes_pipeline.corpus.history import runs

    chosen = existing_workspace(workspace)
    before, now = two_runs(runs(chosen.root / "qa" / "runs"), run)
    changes = compare(chunks_of(before) if before else {}, chunks_of(now))
    if as_json:
        typer.echo(json.dumps({"from": before.stem if before else None, "to": now.stem, **changes}))
        return
    typer.echo(f"run {before.stem if before else '(none)'} -> run {now.stem}")
    for name, ids in changes.items():
        typer.echo(f"  {name:<8} {len(ids)}")
        if name not in _ONLY_COUNTED:
            for chunk_id in ids:
                typer.echo(f"    {chunk_id}")
