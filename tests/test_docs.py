"""The documentation names everything a user can type."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel

from notes_pipeline.settings import PRESETS, Settings

ROOT = Path(__file__).parent.parent
SETTINGS_PAGE = (ROOT / "docs/settings.md").read_text(encoding="utf-8")


def _keys(model: type[BaseModel]) -> Iterator[str]:
    for name, field in model.model_fields.items():
        yield name
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from _keys(field.annotation)


@pytest.mark.parametrize("name", [*sorted(set(_keys(Settings)) - {"file"}), *PRESETS])
def test_every_setting_and_preset_is_on_the_settings_page(name: str) -> None:
    """A key that can be set is a key that can be read about."""
    assert f"{name}" in SETTINGS_PAGE
