"""``diff``: what changed since another build, as a vector store must take it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from notes_pipeline.cli.options import JsonOption, WorkspaceOption, existing_workspace

if TYPE_CHECKING:
    from notes_pipeline.cli.changes import Change

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
        told = {"from": before.stem if before else None, "to": now.stem, **changes._asdict()}
        told["changed"] = [{"from": edit.before, "to": edit.now} for edit in changes.changed]
        typer.echo(json.dumps(told))
        return
    typer.echo(f"run {before.stem if before else '(none)'} -> run {now.stem}")
    for name, found in changes._asdict().items():
        typer.echo(f"  {name:<8} {len(found)}")
        if name not in _ONLY_COUNTED:
            for one in found:
                typer.echo(f"    {_shown(one)}")


def _shown(one: str | Change) -> str:
    if isinstance(one, str):
        return one
    return one.now if one.now == one.before else f"{one.before} -> {one.now}"
