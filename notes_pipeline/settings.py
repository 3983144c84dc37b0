"""Every number of the house once, with its unit and the reason for it; and ``notes.toml``.

Belongs here: presets as data, the settings a user may change, their validation, their hash.
Stays out: what any stage does with them.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from notes_pipeline.errors import UserError
from notes_pipeline.mistakes import first_mistake
from notes_pipeline.paths import expanded

HARD_CHARACTERS = 4_000
"""Ceiling of a chunk beside every limit in words: text without blanks has few words and no end."""

Words = Annotated[int, Field(ge=1)]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Bands(_Frozen):
    """Word counts that name a quality: ``fragment`` below the first, ``short`` below the second,
    ``too_long`` above the third. Source: architecture of the first notes pipeline, its ``short`` mended."""

    fragment: Words = 15
    short: Words = 30
    too_long: Words = 500

    @model_validator(mode="after")
    def _ordered(self) -> Bands:
        if not self.fragment <= self.short <= self.too_long:
            raise ValueError("fragment <= short <= too_long must hold")
        return self


ROW_BANDS = Bands(fragment=8, short=12, too_long=200)
"""Rows are shorter by nature: a name and two labelled values make sense alone."""


class Preset(_Frozen):
    """One way to cut Markdown: numbers over one engine (sizes in words unless named otherwise)."""

    name: str
    unit: Literal["block", "sentence", "word", "character"] = "block"
    """The finest piece a window is made of where a section is longer than the limits."""
    headings: Literal["all", "atx"] = "all"
    """``all``: ``#``, setext and pseudo-headings; ``atx``: ``#`` only."""
    soft_words: Words | None = 150
    """A window is closed before it passes this; None: only the hard limits close it."""
    hard_words: Words | None = 300
    """No chunk passes this, whatever is in it; None where the preset limits characters alone."""
    hard_characters: Annotated[int, Field(ge=1, le=HARD_CHARACTERS)] = HARD_CHARACTERS
    window: Annotated[int, Field(ge=1)] | None = None
    """Most units in a window (sentences, words, characters); None: no limit in units."""
    overlap: Annotated[int, Field(ge=0)] = 0
    """Units a window shares with the one before."""
    merge_below: Annotated[int, Field(ge=0)] = 0
    """A chunk under this many words joins a neighbour where ``merge`` allows it."""
    merge: Literal["none", "siblings", "previous", "next"] = "none"
    """``siblings``: under one parent, result within ``soft_words``; ``previous``/``next``: blindly."""
    bullets_below: Annotated[int, Field(ge=0)] = 0
    """A bullet chunk under this many words merges forward …"""
    bullets_result: Annotated[int, Field(ge=0)] = 150
    """… where the result has at most this many."""
    glue: bool = True
    """Lead-ins stay with what they introduce, headings with their body, blocks whole (laws 6 and 7)."""

    @model_validator(mode="after")
    def _terminates(self) -> Preset:
        if self.window is not None and self.overlap >= self.window:
            raise ValueError(f"overlap ({self.overlap}) must be smaller than window ({self.window})")
        if self.soft_words and self.hard_words and self.soft_words > self.hard_words:
            raise ValueError(f"soft_words ({self.soft_words}) must not pass hard_words ({self.hard_words})")
        return self


PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        # Whole blocks to about 150 words, no overlap: found best per word read on 472 questions.
        Preset(name="default", merge="siblings", merge_below=30, bullets_below=20),
        # The first notes pipeline: windows of 100 sentences that step by 70.
        Preset(
            name="sentence-window",
            unit="sentence",
            soft_words=None,
            hard_words=500,
            window=100,
            overlap=30,
            bullets_below=20,
        ),
        # The note app's decision record: 300 words with 40 of overlap inside the limit, small ones merge up.
        Preset(
            name="heading-words",
            unit="word",
            headings="atx",
            soft_words=None,
            hard_words=300,
            window=300,
            overlap=40,
            merge="previous",
            merge_below=30,
            glue=False,
        ),
        # The retrieval article's recipe: headings, paragraphs, sentences; very short ones join the next.
        Preset(name="structure", soft_words=300, hard_words=300, merge="next", merge_below=20),
        # Every 300 characters, stride 150: the baseline to beat.
        Preset(
            name="fixed",
            unit="character",
            soft_words=None,
            hard_words=None,
            hard_characters=300,
            window=300,
            overlap=150,
            glue=False,
        ),
    )
}


class Markdown(_Frozen):
    """How notes are read."""

    bold_headings: bool = True
    """A paragraph wholly bold and followed by a body opens a soft section."""
    quoted_headings: bool = False
    """Underlined titles inside block quotes count (a quarter of them are page headers)."""


class Sentences(_Frozen):
    """What finds sentence ends under the note-aware layer."""

    engine: str = "rules"
    """``rules``: spaCy's rule sentencizer, no model; else any spaCy pipeline by name or path."""


class Excel(_Frozen):
    """How workbooks are read; a template may overrule each."""

    hidden: Literal["skip", "read"] = "skip"
    """Hidden sheets, rows and columns."""
    max_cells: Annotated[int, Field(ge=1)] = 200_000
    """Cells read of one sheet; a larger one is refused with a clear line."""
    bands: Bands = ROW_BANDS
    min_value_words: Annotated[int, Field(ge=0)] = 3
    """A row sentence needs this many words of values: labels alone do not make a fact."""


class Alerts(_Frozen):
    """Where a failed check is told; what sends them comes with its own issue."""

    file: str | None = None


class Settings(_Frozen):
    """All that decides what a build makes; ``hash`` names it in every product."""

    preset: Preset = PRESETS["default"]
    bands: Bands = Bands()
    markdown: Markdown = Markdown()
    sentences: Sentences = Sentences()
    excel: Excel = Excel()
    ignore: tuple[str, ...] = ()
    """Patterns in the manner of ``.gitignore``, relative to the notes."""
    max_file_bytes: Annotated[int, Field(ge=1)] = 200 * 1024 * 1024
    """Larger files are a state in ``documents``: memory is bounded by the largest file."""
    alerts: Alerts = Alerts()

    @cached_property
    def hash(self) -> str:
        """Twelve hex digits over everything that can change a chunk; paths, alerts and workers cannot."""
        data = self.model_dump(mode="json", exclude={"alerts", "ignore"})
        return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:12]


class Workspace(_Frozen):
    """A workspace as its ``notes.toml`` describes it; ``root`` and ``notes`` are absolute."""

    root: Path
    notes: Path
    settings: Settings


NOTES_TOML = "notes.toml"


def preset_named(name: str) -> Preset:
    """The preset called ``name``, or a usage error that lists the others."""
    if name not in PRESETS:
        raise UserError(f"preset {name!r}", "is not known", f"use one of: {', '.join(PRESETS)}", usage=True)
    return PRESETS[name]


def load_workspace(root: Path, *, notes: Path | None = None, preset: str | None = None) -> Workspace:
    """The workspace at ``root``: ``notes.toml`` with the command line's choices on top.

    A missing ``notes.toml`` is no error where ``notes`` is given. Raises ``UserError`` that
    names the file, the key and the remedy.
    """
    root = root.resolve()
    path = root / NOTES_TOML
    data = _read_toml(path)
    folder = data.pop("notes", None)
    if notes is None:
        if not isinstance(folder, str):
            raise UserError(
                str(path), "names no notes folder", 'add a line like: notes = "~/Notes"', usage=True
            )
        notes = root / expanded(folder, f"{path}: notes")
    return Workspace(root=root, notes=expanded(notes).resolve(), settings=_settings(path, data, preset))


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise UserError(str(path), f"cannot be read: {error}", "mend the file", usage=True) from error


def _settings(path: Path, data: dict[str, Any], preset: str | None) -> Settings:
    named, overrides = data.pop("preset", "default"), data.pop("overrides", {})
    try:
        chosen = _preset(preset_named(preset) if preset else _preset_in_file(named), overrides)
        return Settings.model_validate({**data, "preset": chosen})
    except ValidationError as error:
        raise _mistake(path, first_mistake(error, Settings, extra=_BESIDE)) from error
    except _WrongKey as error:
        raise _mistake(path, str(error)) from error


_BESIDE = ("notes", "preset", "overrides")
"""Keys of the file that are no setting by themselves."""


class _WrongKey(Exception):
    """``key: what is wrong``."""


def _preset_in_file(name: object) -> Preset:
    if not isinstance(name, str) or name not in PRESETS:
        raise _WrongKey(f"preset: {name!r} is not known; use one of: {', '.join(PRESETS)}")
    return PRESETS[name]


def _preset(base: Preset, overrides: object) -> Preset:
    if not isinstance(overrides, dict):
        raise _WrongKey("overrides: is a table; write a line [overrides] and its keys under it")
    try:
        return Preset.model_validate({**base.model_dump(), **overrides})
    except ValidationError as error:
        raise _WrongKey(first_mistake(error, Preset, "overrides")) from error


def _mistake(path: Path, what: str) -> UserError:
    return UserError(str(path), what, "see docs/settings.md for every key", usage=True)
