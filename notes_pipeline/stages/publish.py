"""From a staged build to a published one: laws held, report written, swapped in.

Belongs here: the order of these three, and the refusal to publish what was not proved. Stays
out: what a report says (``report``) and how the swap is done (``corpus.generations``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from notes_pipeline.corpus.generations import Generation
from notes_pipeline.corpus.parquet import write_text
from notes_pipeline.stages.build import Build
from notes_pipeline.stages.proof import Proof, prove

BAD_STATES = frozenset({"binary", "unreadable", "password_protected", "too_large", "changed_while_read"})
"""States of files that should have been read and were not."""

_PROOF = "proof.json"


@dataclass(frozen=True, slots=True)
class Published:
    """A build in its place."""

    build_hash: str
    numbers: Mapping[str, int]
    """Counts: documents, chunks, keep, review, omit, discards, lost and more."""
    report: Path


def prove_staged(build: Build, generation: Generation) -> Proof:
    """Holds the laws on a generation, and leaves word in it where they hold."""
    proof = prove(generation, build.workspace.settings)
    path = generation.path / _PROOF
    path.unlink(missing_ok=True)
    if proof.holds:
        numbers = {"documents": proof.documents, "lost": proof.lost}
        write_text(path, json.dumps(numbers))
    return proof
