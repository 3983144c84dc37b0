"""``init``: a new workspace."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from notes_pipeline.errors import UserError
from notes_pipeline.paths import expanded
from notes_pipeline.settings import NOTES_TOML, PRESETS, preset_named

_TEMPLATE = """\
# A notes-pipeline workspace. Every key: docs/settings.md
notes = {notes}
preset = "{preset}"
{listed}
# ignore = ["Archive/", "*.canvas"]   # in the manner of .gitignore, relative to the notes
"""

_IGNORED = """\
data/
qa/latest
qa/runs/
qa/history.jsonl
.dagster/
"""


def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The new workspace.")],
    notes: Annotated[Path, typer.Option("--notes", help="Where your notes are.", show_default=False)],
    preset: Annotated[str, typer.Option("--preset", "-p", help=f"One of: {', '.join(PRESETS)}.")] = "default",
) -> None:
    """Make a workspace: notes.toml, a place for row templates, a place for labels."""
    root = expanded(folder).resolve()
    if (root / NOTES_TOML).exists():
        raise UserError(
            str(root / NOTES_TOML), "is there already", "edit it, or choose another folder", usage=True
        )
    create(root, notes_folder(notes), preset)
    typer.echo(f"{root} is ready; next: notes-pipeline build --workspace {root}")


def notes_folder(path: Path) -> Path:
    """The folder a user named, absolute; a usage error where it is none."""
    folder = expanded(path).resolve()
    if folder.is_file():
        raise UserError(
            str(path), "is a file", "name the folder it is in, or use: notes-pipeline chunk FILE", usage=True
        )
    if not folder.is_dir():
        raise UserError(str(path), "is not there", "name an existing folder of notes", usage=True)
    return folder


def create(root: Path, notes: Path, preset: str | None) -> None:
    """Writes what a workspace needs; what is there already stays."""
    named = preset_named(preset or "default").name
    root.mkdir(parents=True, exist_ok=True)
    (root / "templates" / "rows").mkdir(parents=True, exist_ok=True)
    (root / "qa").mkdir(exist_ok=True)
    listed = f"# presets: {', '.join(PRESETS)}"
    text = _TEMPLATE.format(notes=_toml_string(str(notes)), preset=named, listed=listed)
    (root / NOTES_TOML).write_text(text, encoding="utf-8")
    if not (root / ".gitignore").exists():
        (root / ".gitignore").write_text(_IGNORED, encoding="utf-8")


def _toml_string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(char if char.isprintable() else f"\\U{ord(char):08X}" for char in escaped) + '"'
