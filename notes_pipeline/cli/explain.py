"""``explain``: where a chunk came from, how it was cut and judged, and why, shown in its source."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from notes_pipeline.cli.options import ID_HELP, JsonOption, WorkspaceOption, existing_workspace


def explain(
    chunk_id: Annotated[str, typer.Argument(metavar="CHUNK_ID", help=ID_HELP)],
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Tell a chunk's story: its place, its cut, its judgement, and the rule behind each."""
    from notes_pipeline.cli.lookup import chunk_named, published
    from notes_pipeline.cli.story import Story
    from notes_pipeline.stages.proof import settings_of

    chosen = existing_workspace(workspace)
    chunk = chunk_named(chosen, chunk_id)
    if as_json:
        findings = [finding._asdict() for finding in chunk.findings]
        typer.echo(json.dumps({**asdict(chunk), "findings": findings}, ensure_ascii=False))
        return
    generation = published(chosen)
    for line in Story(chunk, generation, settings_of(generation)).lines():
        typer.echo(line)
