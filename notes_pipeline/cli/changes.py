"""Two recorded builds compared: what became of each chunk."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from notes_pipeline.corpus.parquet import read_table
from notes_pipeline.errors import UserError


class Seen(NamedTuple):
    """A chunk as a run remembers it."""

    locator: str
    content_hash: str
    decision: str


def two_runs(known: list[Path], run: int | None) -> tuple[Path | None, Path]:
    if not known:
        raise UserError("qa/runs", "holds no run", "build first: notes-pipeline build")
    if run is None:
        return (known[-2] if len(known) > 1 else None), known[-1]
    chosen = next((path for path in known if path.stem == str(run)), None)
    if chosen is None:
        numbers = ", ".join(path.stem for path in known)
        raise UserError(f"run {run}", "is not kept", f"choose one of: {numbers}", usage=True)
    return chosen, known[-1]


def chunks_of(path: Path) -> dict[str, Seen]:
    rows = read_table(path).to_pylist()
    return {row["chunk_id"]: Seen(row["locator"], row["content_hash"], row["decision"]) for row in rows}


def compare(before: Mapping[str, Seen], now: Mapping[str, Seen]) -> dict[str, list[str]]:
    """Ids by what became of them; ``changed`` keeps its id but not its content or decision (rows do)."""
    both = [chunk_id for chunk_id in now if chunk_id in before]
    changed = [one for one in both if before[one][1:] != now[one][1:]]
    same = set(both) - set(changed)
    return {
        "added": [chunk_id for chunk_id in now if chunk_id not in before],
        "changed": changed,
        "gone": [chunk_id for chunk_id in before if chunk_id not in now],
        "moved": [one for one in both if one in same and before[one].locator != now[one].locator],
        "kept": [one for one in both if one in same and before[one].locator == now[one].locator],
    }
