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
    from notes_pipeline.rows.templates.registry import read_registry
    from notes_pipeline.rows.templates.suggest import as_file
    from notes_pipeline.rows.templates.suggest import suggest as drafts

    chosen = existing_workspace(workspace)
    registry, _ = read_registry(_folder(chosen))
    documents = _readable(workbooks, chosen)
    found = drafts(documents, chosen.settings, [template.id for template in registry.templates])
    if not found:
        name = documents[0].source_path
        raise UserError(name, "holds no table with a header", "see: notes-pipeline templates preview")
    typer.echo(as_file(found), nl=False)


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
    from notes_pipeline.rows.templates.registry import load_registry

    chosen = existing_workspace(workspace)
    registry = load_registry(_folder(chosen))
    for document in _readable(workbooks, chosen):
        for table in tables(registry, document, rows, chosen.settings):
            typer.echo(table.text)


def _folder(workspace: Workspace) -> Path:
    return workspace.root / "templates" / "rows"


def _readable(paths: list[Path], workspace: Workspace) -> list[Document]:
    """The workbooks that can be read, the others told on standard error; ``UserError`` where none can."""
    from notes_pipeline.rows.templates.preview import refusal

    readable, refused = [], []
    for document in _documents(paths, workspace):
        why = refusal(document, workspace.settings)
        if why:
            refused.append((document.source_path, why))
        else:
            readable.append(document)
    for place, why in refused[: None if readable else -1]:
        typer.echo(f"{place}: not read: {why}", err=True)
    if not readable:
        place, why = refused[-1]
        raise UserError(place, f"not read: {why}", "mend the file, or name another")
    return readable


def _documents(paths: list[Path], workspace: Workspace) -> list[Document]:
    """The workbooks, named as a build of the workspace names them where they are among its notes."""
    from notes_pipeline.sources import read, type_of
    from notes_pipeline.stages.corpus_of import files_under
    from notes_pipeline.stages.excel import TYPES

    documents = []
    for path in paths:
        if not path.is_file():
            raise UserError(str(path), "is no file", "name a workbook", usage=True)
        kind = type_of(path.name)
        if kind is None or kind.name not in TYPES:
            raise UserError(str(path), "is no workbook", "name a workbook or a CSV file", usage=True)
        folder = path.resolve().parent
        root = workspace.notes if folder.is_relative_to(workspace.notes) else folder
        documents += [
            read(found, workspace.settings) for found in files_under(path, root, workspace.settings)
        ]
    return documents
