"""``diff``: what changed since another build, as a vector store must take it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from notes_pipeline.cli.options import JsonOption, WorkspaceOption, existing_workspace
from notes_pipeline.corpus.history import runs
from notes_pipeline.corpus.parquet import read_table
from notes_pipeline.errors import UserError


class Seen(NamedTuple):
    """A chunk as a run remembers it."""

    locator: str
    content_hash: str
    decision: str


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
    chosen = existing_workspace(workspace)
    before, now = _two(runs(chosen.root / "qa" / "runs"), run)
    changes = compare(_chunks(before) if before else {}, _chunks(now))
    if as_json:
        typer.echo(json.dumps({"from": before.stem if before else None, "to": now.stem, **changes}))
        return
    typer.echo(f"run {before.stem if before else '(none)'} -> run {now.stem}")
    for name, ids in changes.items():
        typer.echo(f"  {name:<8} {len(ids)}")
        if name not in ("kept", "moved"):
            for chunk_id in ids:
                typer.echo(f"    {chunk_id}")


def _two(known: list[Path], run: int | None) -> tuple[Path | None, Path]:
    if not known:
        raise UserError("qa/runs", "holds no run", "build first: notes-pipeline build")
    if run is None:
        return (known[-2] if len(known) > 1 else None), known[-1]
    chosen = next((path for path in known if path.stem == str(run)), None)
    if chosen is None:
        numbers = ", ".join(path.stem for path in known)
        raise UserError(f"run {run}", "is not kept", f"choose one of: {numbers}", usage=True)
    return chosen, known[-1]


def _chunks(path: Path) -> dict[str, Seen]:
    rows = read_table(path).to_pylist()
    return {row["chunk_id"]: Seen(row["locator"], row["content_hash"], row["decision"]) for row in rows}


def compare(before: Mapping[str, Seen], now: Mapping[str, Seen]) -> dict[str, list[str]]:
    """Ids by what became of them; ``changed`` keeps its id but not its content or decision (rows do)."""
    both = [chunk_id for chunk_id in now if chunk_id in before]
    changed = [one for one in both if before[one][1:] != now[one][1:]]
    same = set(both) - set(changed)
    return {
        "added": [chunk_id for chunk_id in now if chunk_id not in before],
        "changed": changed,
        "gone": [chunk_id for chunk_id in before if chunk_id not in now],
        "moved": [one for one in both if one in same and before[one].locator != now[one].locator],
        "kept": [one for one in both if one in same and before[one].locator == now[one].locator],
    }
