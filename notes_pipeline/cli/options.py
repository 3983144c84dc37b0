"""Options that several commands share, and how they lead to a workspace."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from notes_pipeline.errors import UserError
from notes_pipeline.paths import expanded
from notes_pipeline.settings import NOTES_TOML, Workspace, load_workspace

WorkspaceOption = Annotated[
    Path | None,
    typer.Option(
        "--workspace", "-w", help="The workspace; the current folder if it is one.", show_default=False
    ),
]
PresetOption = Annotated[
    str | None,
    typer.Option("--preset", "-p", help="How notes are cut; see docs/settings.md.", show_default=False),
]
ID_HELP = "Id, locator, the start of an id, or its last twelve digits."
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Only errors.")]


def require_notes(workspace: Workspace) -> None:
    """A usage error where the notes that ``notes.toml`` names are no folder."""
    if not workspace.notes.is_dir():
        what = "is a file" if workspace.notes.is_file() else "is not there"
        raise UserError(
            f"{workspace.root / NOTES_TOML}: notes: {workspace.notes}",
            what,
            "name an existing folder of notes; if it is on another disk, mount it",
            usage=True,
        )


def existing_workspace(folder: Path | None, preset: str | None = None) -> Workspace:
    """The workspace named, or the current folder; a usage error where neither is one."""
    root = expanded(folder or Path.cwd())
    if not (root / NOTES_TOML).is_file():
        raise UserError(
            str(root),
            f"is no workspace (no {NOTES_TOML})",
            "name one with --workspace, or make one: notes-pipeline init DIR --notes DIR",
            usage=True,
        )
    return load_workspace(root, preset=preset)
