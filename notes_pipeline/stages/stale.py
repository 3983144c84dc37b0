"""Files that are no longer what the build was made from: edited, new or gone since."""

from __future__ import annotations

from notes_pipeline.corpus.generations import Generation
from notes_pipeline.corpus.parquet import read_table
from notes_pipeline.stages.build import Build
from notes_pipeline.stages.snapshot import document_of


def stale_files(build: Build, generation: Generation) -> list[str]:
    """One line a file, sorted: the path and what happened to it. Reads every file again, to be sure."""
    table = read_table(generation.table("documents"), columns=["source_path", "file_hash", "size_bytes"])
    columns = (table.column(name).to_pylist() for name in ("source_path", "file_hash", "size_bytes"))
    known = {path: (digest, size) for path, digest, size in zip(*columns, strict=True)}
    seen = {}
    for files in build.scan().files.values():
        for found in files:
            document = document_of(found, build.workspace.settings)
            seen[found.source_path] = (document.file_hash, document.size_bytes)
    gone = [f"{path}: gone" for path in known.keys() - seen.keys()]
    new = [f"{path}: new" for path in seen.keys() - known.keys()]
    edited = [f"{path}: edited" for path in seen.keys() & known.keys() if seen[path] != known[path]]
    return sorted(gone + new + edited)
