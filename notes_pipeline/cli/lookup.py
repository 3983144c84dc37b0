"""Finding one chunk of the published build by whatever a user has of its name."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from notes_pipeline.corpus.generations import Generation, current
from notes_pipeline.corpus.parquet import read_table
from notes_pipeline.errors import UserError
from notes_pipeline.records import Chunk, from_table
from notes_pipeline.settings import Workspace

_LISTED = 5


def published(workspace: Workspace) -> Generation:
    """The published build. Raises ``UserError`` before the first."""
    generation = current(workspace.root / "data")
    if generation is None:
        raise UserError(str(workspace.root / "data"), "holds no build", "make one: notes-pipeline build")
    return generation


def chunk_named(workspace: Workspace, name: str) -> Chunk:
    """The chunk whose id or locator is ``name``, or the only one whose id, or the key in it, begins so."""
    table = read_table(published(workspace).table("chunks"))
    for column in ("chunk_id", "locator"):
        if exact := from_table(table.filter(pc.equal(table.column(column), pa.scalar(name))), Chunk):
            return exact[0]
    ids = table.column("chunk_id")
    begun = table.filter(pc.starts_with(ids, name))
    if not begun.num_rows:
        begun = table.filter(pc.match_substring(ids, f"#{name}"))
    if begun.num_rows == 1:
        return from_table(begun, Chunk)[0]
    if begun.num_rows:
        listed = ", ".join(begun.column("chunk_id").slice(0, _LISTED).to_pylist())
        raise UserError(name, f"names {begun.num_rows} chunks", f"say which: {listed}", usage=True)
    raise UserError(
        name, "is no chunk of this build", "ids are in data/chunks.parquet and the report", usage=True
    )
