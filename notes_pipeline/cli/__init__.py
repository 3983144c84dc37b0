"""The command line: one file a command, thin over the rooms that do the work.

Belongs here: the list of commands and the exit status. Stays out: heavy imports; each command
brings its own when it runs, so that ``--help`` is quick and ``chunk`` never meets Dagster.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import typer

from notes_pipeline import __version__
from notes_pipeline.cli import build, chunk, diff, explain, init, label, templates, ui, verify
from notes_pipeline.cli.failure import report

app = typer.Typer(
    name="notes-pipeline",
    help="Turns a folder of notes and workbooks into chunks that make sense alone, and reports every loss.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("build")(build.build)
app.command("chunk")(chunk.chunk)
app.command("verify")(verify.verify)
app.command("explain")(explain.explain)
app.command("label")(label.label)
app.command("diff")(diff.diff)
app.command("init")(init.init)
app.command("ui")(ui.ui)
app.add_typer(templates.app, name="templates")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"notes-pipeline {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Show the version."
    ),
) -> None:
    """Options before the command."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs one command and exits: 0 done, 1 failed, 2 wrong usage; errors are one line on stderr."""
    try:
        app(args=list(arguments) if arguments is not None else None, prog_name="notes-pipeline")
    except BrokenPipeError:
        # The reader (head, less) has seen enough; nothing must be flushed into the closed pipe at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except Exception as error:
        sys.exit(report(error, _command(sys.argv[1:] if arguments is None else arguments)))


def _command(words: Sequence[str]) -> str:
    """The command of a command line: ``build``, ``templates check``."""
    names = [word for word in words if not word.startswith("-")]
    return " ".join(names[: 2 if names[:1] == ["templates"] else 1])
