"""``build``: the whole graph, through Dagster, with progress and a summary."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Annotated

import typer

from notes_pipeline.cli.init import create, notes_folder
from notes_pipeline.cli.options import (
    JsonOption,
    PresetOption,
    QuietOption,
    WorkspaceOption,
    existing_workspace,
    require_notes,
)
from notes_pipeline.errors import UserError
from notes_pipeline.paths import expanded
from notes_pipeline.settings import NOTES_TOML, Workspace, load_workspace

INTERRUPTED = 130
"""Exit status of a build that the user stopped, as shells count it."""


def build(
    notes: Annotated[
        Path | None,
        typer.Argument(
            metavar="[NOTES]", help="The notes; those of the workspace if left out.", show_default=False
        ),
    ] = None,
    workspace: WorkspaceOption = None,
    preset: PresetOption = None,
    workers: Annotated[
        int | None, typer.Option("--workers", "-j", min=1, help="Processes; one a core.", show_default=False)
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Work everything anew.")] = False,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
) -> None:
    """Build the chunks and the report; unchanged files are not worked on again."""
    chosen = choose_workspace(notes, workspace, preset)
    require_notes(chosen)
    from notes_pipeline.split.sentences import check_engine

    check_engine(chosen.settings.sentences.engine)
    # Here, not above: Dagster takes seconds to import, and the mistakes of a command line need none of it.
    from notes_pipeline.cli.progress import Screen
    from notes_pipeline.orchestration.run import run_build
    from notes_pipeline.stages.build import Build
    from notes_pipeline.stages.pool import Pool

    started = time.monotonic()
    screen = Screen(quiet=quiet or as_json)
    try:
        with Pool(workers) as pool, screen:
            held = run_build(Build(chosen, pool, fresh), screen, screen.waiting)
    except KeyboardInterrupt:
        typer.echo("notes-pipeline: interrupted; the last good build stays", err=True)
        raise typer.Exit(INTERRUPTED) from None
    summary = screen.summary(chosen, time.monotonic() - started)
    if as_json:
        typer.echo(json.dumps(summary.as_dict(), ensure_ascii=False))
    elif not quiet:
        summary.show()
    for line in () if quiet else summary.warnings():
        typer.echo(f"warning: {line}", err=True)
    for line in summary.broken_laws():
        typer.echo(f"notes-pipeline: {line}", err=True)
    if not held:
        raise typer.Exit(1)


def choose_workspace(notes: Path | None, folder: Path | None, preset: str | None) -> Workspace:
    """The workspace to build: the one named, the current folder, or ``workspaces/<name>``, made if new."""
    if notes is None:
        return existing_workspace(folder, preset)
    source = notes_folder(notes)
    root = expanded(folder or _default_root(source)).resolve()
    if not (root / NOTES_TOML).exists():
        create(root, source, preset)
    chosen = load_workspace(root, preset=preset)
    if chosen.notes != source:
        raise UserError(
            str(root / NOTES_TOML),
            f"belongs to {chosen.notes}, not to {source}",
            "choose another folder with --workspace, or edit it",
            usage=True,
        )
    return chosen


def _default_root(notes: Path) -> Path:
    here = Path.cwd()
    if (here / NOTES_TOML).exists() and load_workspace(here).notes == notes:
        return here
    return here / "workspaces" / (notes.name or "notes")
