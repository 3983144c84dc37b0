"""A preset's numbers as the engine asks for them: no ``None`` left, every limit a number.

Belongs here: what fits into a chunk. Stays out: the presets themselves (``settings``).
"""

from __future__ import annotations

from dataclasses import dataclass

from notes_pipeline.settings import Settings

UNLIMITED = 1 << 60


@dataclass(frozen=True, slots=True)
class Limits:
    """What a window may hold."""

    soft: int
    """Words a window is closed before it passes."""
    hard: int
    """Words no chunk passes."""
    characters: int
    window: int
    """Sentences."""
    overlap: int
    """Sentences of ``window`` shared with the window before."""
    small: int
    """Words under which a window looks for a neighbour."""
    fragment: int
    """Words under which a window takes any neighbour the hard limits allow."""
    sentences: bool
    """Whether every paragraph of a cut section is cut into sentences, or only long ones."""

    @classmethod
    def of(cls, settings: Settings) -> Limits:
        """The limits of the settings' preset."""
        preset = settings.preset
        hard = preset.hard_words or UNLIMITED
        return cls(
            soft=preset.soft_words or hard,
            hard=hard,
            characters=preset.hard_characters,
            window=preset.window or UNLIMITED,
            overlap=preset.overlap,
            small=preset.merge_below,
            fragment=settings.bands.fragment,
            sentences=preset.unit == "sentence",
        )
