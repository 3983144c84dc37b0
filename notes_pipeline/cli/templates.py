"""``templates``: check the registry, and show rows as they will read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from notes_pipeline.cli.options import WorkspaceOption, existing_workspace
from notes_pipeline.errors import UserError

app = typer.Typer(
    help="Row templates: how a table's rows become sentences.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Workbooks = Annotated[list[Path], typer.Argument(metavar="WORKBOOK…", help="Workbooks or CSV files.")]


@app.command("check")
def check(workspace: WorkspaceOption = None) -> None:
    """Lint every template of the workspace; exit status 1 where one is wrong."""
    from notes_pipeline.rows.registry import read_registry

    folder = existing_workspace(workspace).root / "templates" / "rows"
    registry, problems = read_registry(folder)
    for problem in problems:
        typer.echo(str(problem), err=True)
    typer.echo(f"{folder}: {len(registry.templates)} templates, {len(problems)} problems")
    if problems:
        raise typer.Exit(1)


@app.command("preview")
def preview(
    workbooks: Workbooks,
    workspace: WorkspaceOption = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="Rows shown of each workbook.")] = 10,
) -> None:
    """Show rows as they will read, with the template that made each."""
    from notes_pipeline.rows.registry import load_registry
    from notes_pipeline.stages.corpus_of import corpus_of_files, files_under

    chosen = existing_workspace(workspace)
    registry = load_registry(chosen.root / "templates" / "rows")
    for path in workbooks:
        if not path.is_file():
            raise UserError(str(path), "is no file", "name a workbook", usage=True)
        base = path.resolve().parent
        if base.is_relative_to(chosen.notes):
            base = chosen.notes
        corpus = corpus_of_files(files_under(path, base, chosen.settings), chosen.settings, registry)
        for document in corpus.documents:
            typer.echo(f"{document.source_path}: {document.state} {document.error}".rstrip())
        for row in corpus.chunks[:limit]:
            typer.echo(f"  {row.sheet}!{row.row_number} [{row.template}] {row.decision}\n    {row.text}")
        for lost in corpus.discards[:limit]:
            typer.echo(f"  {lost.sheet}!{lost.row_number} discarded: {lost.reason} {lost.detail}".rstrip())
