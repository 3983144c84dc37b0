"""Reuse keys: what, beside its input, decides a stage's product.

Belongs here: which code, libraries and settings a stage depends on, and one hash over them.
Stays out: the inputs themselves (see ``reuse``).
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from notes_pipeline.records import SCHEMA_VERSION

_PACKAGE = Path(__file__).resolve().parent.parent
_OF_ITS_OWN = frozenset(("decide.py", "definitions.py", "labels.py"))
_SHARED = (*sorted(path.name for path in _PACKAGE.glob("*.py") if path.name not in _OF_ITS_OWN), "stages")
"""Code that every stage rests on: whatever lies in no room."""


@dataclass(frozen=True, slots=True)
class Stage:
    """What an asset is made by, for its reuse key."""

    asset: str
    rooms: tuple[str, ...]
    """Files and folders of the package whose code decides the product."""
    libraries: tuple[str, ...] = ()
    """Distributions whose version decides the product."""
    after: tuple[str, ...] = ()
    """Assets it is made from: their keys are part of its own."""
    templates: bool = False
    """Row templates decide the product."""
    sentences: bool = False
    """What finds sentence ends decides the product."""


SOURCE_FILES = Stage("source_files", ("sources",), ("pyyaml",))
MARKDOWN_SECTIONS = Stage("markdown_sections", ("split",), ("pyromark", "regex"), after=("source_files",))
MARKDOWN_CHUNKS = Stage(
    "markdown_chunks", ("split",), ("spacy", "regex"), after=("markdown_sections",), sentences=True
)
EXCEL_ROWS = Stage(
    "excel_rows",
    ("rows", "sources"),
    ("openpyxl", "python-calamine"),
    after=("source_files",),
    templates=True,
)
EXCEL_CHUNKS = Stage("excel_chunks", ("rows",), ("jinja2",), after=("excel_rows",), templates=True)
FLAGGED_CHUNKS = Stage(
    "flagged_chunks", ("flags", "decide.py"), ("regex",), after=("markdown_chunks", "excel_chunks")
)

STAGES: dict[str, Stage] = {
    stage.asset: stage
    for stage in (
        SOURCE_FILES,
        MARKDOWN_SECTIONS,
        MARKDOWN_CHUNKS,
        EXCEL_ROWS,
        EXCEL_CHUNKS,
        FLAGGED_CHUNKS,
    )
}
"""Per-partition assets in the order they are made."""


class Basis(NamedTuple):
    """What a workspace brings to every key."""

    settings_hash: str
    templates_hash: str
    engine_version: str
    """Of the sentence engine: a pipeline given by its path can change under the same name."""


def stage_key(stage: Stage, basis: Basis) -> str:
    """Sixteen hex digits over everything but the input that decides what ``stage`` makes."""
    parts = {
        "schema": SCHEMA_VERSION,
        "settings": basis.settings_hash,
        "templates": basis.templates_hash if stage.templates else "",
        "sentences": basis.engine_version if stage.sentences else "",
        "code": code_version((*_SHARED, *stage.rooms)),
        "libraries": [(name, _version(name)) for name in ("pyarrow", *stage.libraries)],
        # Classes of characters (letters, digits, blanks) follow the interpreter's tables.
        "unicode": unicodedata.unidata_version,
        "after": [stage_key(STAGES[asset], basis) for asset in stage.after],
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


@cache
def code_version(rooms: tuple[str, ...]) -> str:
    """Twelve hex digits over the source files of the rooms named."""
    digest = hashlib.sha256()
    for path in sorted(set(_files(rooms))):
        digest.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0")
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


def _files(rooms: Iterable[str]) -> Iterable[Path]:
    for room in rooms:
        path = _PACKAGE / room
        if path.is_dir():
            yield from path.rglob("*.py")
        elif path.exists():
            yield path


@cache
def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""
