"""The documentation names everything a user can type."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from pydantic import BaseModel

from notes_pipeline import cli
from notes_pipeline.settings import PRESETS, Settings

ROOT = Path(__file__).parent.parent
CLI_PAGE = (ROOT / "docs/cli.md").read_text(encoding="utf-8")
SETTINGS_PAGE = (ROOT / "docs/settings.md").read_text(encoding="utf-8")


def _keys(model: type[BaseModel]) -> Iterator[str]:
    for name, field in model.model_fields.items():
        yield name
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from _keys(field.annotation)


@pytest.mark.parametrize("name", [*sorted(set(_keys(Settings))), *PRESETS])
def test_every_setting_and_preset_is_on_the_settings_page(name: str) -> None:
    """A key that can be set is a key that can be read about."""
    assert f"{name}" in SETTINGS_PAGE


def _commands(group: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _commands(command, (*words, name))
        else:
            yield " ".join((*words, name)), command


COMMANDS = dict(_commands(typer.main.get_command(cli.app)))


def _section(command: str) -> str:
    """What the page says of a command, from its head line to the next."""
    found = re.search(rf"^## `{command}\b.*?(?=^## |\Z)", CLI_PAGE, re.MULTILINE | re.DOTALL)
    return found.group() if found else ""


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_and_option_is_on_the_page_of_commands(command: str) -> None:
    """What can be typed can be read about: under its command, by its long and its short name."""
    section = _section(command)
    shared = CLI_PAGE.partition("\n## ")[0]
    options = [it for it in COMMANDS[command].params if it.param_type_name == "option" and it.name != "help"]

    assert options
    for option in options:
        assert f"`{option.opts[0]}" in section
        for short in option.opts[1:]:
            assert f"`{short}`" in section + shared


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_an_example_with_its_output(command: str) -> None:
    """A line to type, and what it says."""
    example = _section(command).partition("```console\n")[2].partition("```")[0].splitlines()

    assert example[0].startswith(f"$ notes-pipeline {command}")
    assert len(example) > 1


@pytest.mark.parametrize("preset", PRESETS.values(), ids=lambda preset: preset.name)
def test_the_numbers_of_each_preset_are_on_the_settings_page(preset: Any) -> None:
    """As they are in the program; a dash where there is no such limit."""
    columns = ("unit", "soft_words", "hard_words", "hard_characters", "window", "overlap", "merge_below")
    head = " | ".join(f"`{name}`" if name != "unit" else name for name in columns)
    values = (getattr(preset, name) for name in columns)
    numbers = " | ".join("–" if value is None else str(value) for value in values)

    assert f"| preset | {head} |" in SETTINGS_PAGE
    assert f"| `{preset.name}` | {numbers} |" in SETTINGS_PAGE
