"""``templates``: draft row templates, check the registry, show rows as they will read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from notes_pipeline.cli.options import WorkspaceOption, existing_workspace
from notes_pipeline.errors import UserError

if TYPE_CHECKING:
    from notes_pipeline.records import Document
    from notes_pipeline.settings import Workspace

app = typer.Typer(
    help="Row templates: how the rows of a table become sentences.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Workbooks = Annotated[list[Path], typer.Argument(metavar="WORKBOOK…", help="Workbooks or CSV files.")]


@app.command("suggest")
def suggest(workbooks: Workbooks, workspace: WorkspaceOption = None) -> None:
    """Draft a template for each shape of table; save what you like under templates/rows/."""
    from notes_pipeline.rows.templates.suggest import suggest as drafts

    chosen = existing_workspace(workspace)
    found = drafts(_documents(workbooks, chosen), chosen.settings)
    if not found:
        raise UserError(str(workbooks[0]), "holds no table that was found", "see: templates preview")
    for suggestion in found:
        typer.echo(suggestion.yaml)
        for table in suggestion.previews:
            typer.echo("\n".join(f"# {line}" for line in table.text.splitlines()))
        typer.echo()


@app.command("check")
def check(workspace: WorkspaceOption = None) -> None:
    """Lint every template of the workspace and run the tests in them; exit status 1 where one is wrong."""
    from notes_pipeline.rows.templates.lint import check as lint

    report = lint(_folder(existing_workspace(workspace)))
    typer.echo(report.text)
    if report.problems:
        raise typer.Exit(1)


@app.command("preview")
def preview(
    workbooks: Workbooks,
    workspace: WorkspaceOption = None,
    rows: Annotated[int, typer.Option("--rows", "-n", min=1, help="Rows shown of each table.")] = 3,
) -> None:
    """Show the first rows of every table as they will read, and the template that made them."""
    from notes_pipeline.rows.templates.preview import preview as tables
    from notes_pipeline.rows.templates.preview import refusal
    from notes_pipeline.rows.templates.registry import load_registry

    chosen = existing_workspace(workspace)
    registry = load_registry(_folder(chosen))
    for document in _documents(workbooks, chosen):
        if why := refusal(document, chosen.settings):
            typer.echo(f"{document.source_path}: not read: {why}", err=True)
        for table in tables(registry, document, rows, chosen.settings):
            typer.echo(table.text)


def _folder(workspace: Workspace) -> Path:
    return workspace.root / "templates" / "rows"


def _documents(paths: list[Path], workspace: Workspace) -> list[Document]:
    """The workbooks, named as a build of the workspace names them where they are among its notes."""
    from notes_pipeline.sources import read
    from notes_pipeline.stages.corpus_of import files_under

    documents = []
    for path in paths:
        if not path.is_file():
            raise UserError(str(path), "is no file", "name a workbook", usage=True)
        folder = path.resolve().parent
        root = workspace.notes if folder.is_relative_to(workspace.notes) else folder
        documents += [
            read(found, workspace.settings) for found in files_under(path, root, workspace.settings)
        ]
    return documents
