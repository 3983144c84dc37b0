"""``verify``: proves the laws on what was built, and says which files have changed since."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import typer

from notes_pipeline.cli.options import JsonOption, WorkspaceOption, existing_workspace
from notes_pipeline.errors import UserError
from notes_pipeline.plural import plural

_SHOWN = 10


def verify(workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """Re-read the snapshot of the published build and hold every law on it; list stale files."""
    from notes_pipeline.corpus.generations import current
    from notes_pipeline.stages.build import Build
    from notes_pipeline.stages.proof import LAW_NAMES, prove, settings_of
    from notes_pipeline.stages.stale import stale_files

    chosen = existing_workspace(workspace)
    build = Build(chosen)
    generation = current(build.data)
    if generation is None:
        raise UserError(str(build.data), "holds no build", "make one: notes-pipeline build")
    proof = prove(generation, settings_of(generation))
    report = _Report(generation.build_hash, LAW_NAMES, proof, stale_files(build, generation))
    typer.echo(json.dumps(report.as_dict(), ensure_ascii=False) if as_json else report.text())
    if not proof.holds:
        raise typer.Exit(1)


@dataclass(frozen=True)
class _Report:
    build_hash: str
    laws: tuple[str, ...]
    proof: Any
    stale: list[str]

    def as_dict(self) -> dict[str, Any]:
        return {
            "build_hash": self.build_hash,
            "holds": self.proof.holds,
            "documents": self.proof.documents,
            "lost": self.proof.lost,
            "laws": {law: self.proof.broken[law] for law in self.laws},
            "violations": [str(one) for shown in self.proof.shown.values() for one in shown],
            "stale": self.stale,
        }

    def text(self) -> str:
        documents, stale = plural(self.proof.documents, "document"), plural(len(self.stale), "file")
        lines = [f"build {self.build_hash}: {documents}, lost = {self.proof.lost}"]
        for law in self.laws:
            count = self.proof.broken[law]
            lines.append(f"  {law:<16} " + (f"broken {plural(count, 'time')}" if count else "holds"))
            lines += [f"    {one}" for one in self.proof.shown.get(law, [])[:_SHOWN]]
        if self.stale:
            lines.append(f"stale: {stale} changed since; build again to take them in")
            lines += [f"  {line}" for line in self.stale[:_SHOWN]]
        return "\n".join(lines)
