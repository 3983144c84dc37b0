"""Two recorded builds compared: what became of each chunk."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from notes_pipeline.corpus.parquet import read_table
from notes_pipeline.errors import UserError


class Seen(NamedTuple):
    """A chunk as a run remembers it."""

    locator: str
    content_hash: str
    decision: str
    section: str = ""
    """Names its file and heading path; empty in runs that did not remember it."""
    lines: tuple[int, ...] = ()
    """Checksums of its lines."""


class Change(NamedTuple):
    """An edited chunk: the id it had, and the id it has (the same, for rows)."""

    before: str
    now: str


class Changes(NamedTuple):
    """Ids by what became of them, in the order of the newer run (``gone``: of the older)."""

    added: list[str]
    changed: list[Change]
    """Other content or another decision: edited where it stood."""
    gone: list[str]
    moved: list[str]
    kept: list[str]


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
    """The chunks of a recorded run in their order."""
    return {
        row["chunk_id"]: Seen(
            row["locator"],
            row["content_hash"],
            row["decision"],
            row.get("section", ""),
            tuple(row.get("lines") or ()),
        )
        for row in read_table(path).to_pylist()
    }


def compare(before: Mapping[str, Seen], now: Mapping[str, Seen]) -> Changes:
    """What became of each chunk, in time and memory that grow as the chunks do."""
    both = [chunk_id for chunk_id in now if chunk_id in before]
    changed = {one: Change(one, one) for one in both if before[one][1:3] != now[one][1:3]}
    same = [one for one in both if one not in changed]
    edits = _edits(before, now)
    changed.update({edit.now: edit for edit in edits})
    replaced = {edit.before for edit in edits}
    return Changes(
        added=[one for one in now if one not in before and one not in changed],
        changed=[changed[one] for one in now if one in changed],
        gone=[one for one in before if one not in now and one not in replaced],
        moved=[one for one in same if before[one].locator != now[one].locator],
        kept=[one for one in same if before[one].locator == now[one].locator],
    )


def _edits(before: Mapping[str, Seen], now: Mapping[str, Seen]) -> list[Change]:
    """Chunks with a new id that stand where, or share most lines with, one whose id is gone."""
    old, new = _gaps(before, now), _gaps(now, before)
    return [edit for gap in new if gap in old for edit in _paired(old[gap], new[gap], before, now)]


def _gaps(chunks: Mapping[str, Seen], others: Mapping[str, Seen]) -> dict[tuple[str, str], list[str]]:
    """Ids that the other run has not, by their section and the last chunk of it that both runs have."""
    last: dict[str, str] = {}
    gaps: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for chunk_id, seen in chunks.items():
        if chunk_id in others:
            last[seen.section] = chunk_id
        elif seen.section:
            gaps[seen.section, last.get(seen.section, "")].append(chunk_id)
    return gaps


def _paired(
    old: Sequence[str], new: Sequence[str], before: Mapping[str, Seen], now: Mapping[str, Seen]
) -> Iterator[Change]:
    """Between the same neighbours: as many as there were stand each in its place, else lines decide."""
    if len(old) == len(new):
        yield from map(Change, old, new)
        return
    by_line = {line: chunk_id for chunk_id in reversed(new) for line in now[chunk_id].lines}
    taken: set[str] = set()
    for chunk_id in old:
        lines = before[chunk_id].lines
        votes = Counter(by_line[line] for line in lines if line in by_line and by_line[line] not in taken)
        best, shared = votes.most_common(1)[0] if votes else ("", 0)
        if best and 2 * shared > min(len(lines), len(now[best].lines)):
            taken.add(best)
            yield Change(chunk_id, best)
