"""How commands end when they cannot go on: one line on standard error, the right status, no traceback."""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path
from typing import NoReturn

import pytest

from notes_pipeline import cli
from notes_pipeline.errors import UserError

SPACE = "free some space and try again; the last good build stays"
RIGHTS = "may you write there? the last good build stays"
REPORT = "please report it (NOTES_PIPELINE_DEBUG=1 shows where it was)"


def _wrapped() -> Exception:
    error = RuntimeError("a library's own words\nin two lines")
    error.__cause__ = OSError(errno.ENOSPC, "No space left on device", "data/chunks.parquet")
    return error


def _ended(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    with pytest.raises(SystemExit) as end:
        cli.main([str(it) for it in arguments])
    return int(end.value.code or 0), capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "status", "line"),
    [
        (UserError("a.yaml:3", "is wrong", "mend it", usage=True), 2, "a.yaml:3: is wrong; mend it"),
        (UserError("kb", "is empty"), 1, "kb: is empty"),
        (PermissionError(13, "Permission denied", "kb/qa"), 1, f"kb/qa: Permission denied; {RIGHTS}"),
        (OSError(errno.EROFS, "Read-only file system", "kb"), 1, f"kb: Read-only file system; {RIGHTS}"),
        (OSError(errno.ENOSPC, "No space left on device"), 1, f"No space left on device; {SPACE}"),
        (_wrapped(), 1, f"data/chunks.parquet: No space left on device; {SPACE}"),
        (
            sqlite3.OperationalError("database or disk is full"),
            1,
            f"database of the web UI in .dagster: database or disk is full; {SPACE}",
        ),
        (KeyError("x"), 1, f"templates check: internal error: KeyError: 'x'; {REPORT}"),
        (ValueError("two\nlines"), 1, f"templates check: internal error: ValueError: two lines; {REPORT}"),
    ],
    ids=str,
)
def test_every_error_is_one_line(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    status: int,
    line: str,
) -> None:
    """What the user, the system or we did wrong; the code that raised it is shown on request alone."""

    def fail(**_: object) -> NoReturn:
        raise error

    monkeypatch.delenv("NOTES_PIPELINE_DEBUG", raising=False)
    monkeypatch.setattr(cli, "app", fail)
    assert _ended(capsys, "templates", "check", "--all", "x") == (status, f"notes-pipeline: {line}\n")

    monkeypatch.setenv("NOTES_PIPELINE_DEBUG", "1")
    _, said = _ended(capsys, "templates", "check", "--all", "x")
    assert "Traceback (most recent call last)" in said
    assert said.endswith(f"notes-pipeline: {line}\n")


@pytest.mark.parametrize(
    ("toml", "what"),
    [
        ('preset = ["a"]', "preset: ['a'] is not known; use one of: default"),
        ('notes = "~nobody-of-this-name/x"', "notes: '~nobody-of-this-name/x': is no path: nobody here has"),
        ('notes = "a\\u0000b"', "notes: 'a\\x00b': is no path: it holds a NUL character"),
        ("notes = 3", "names no notes folder"),
    ],
)
@pytest.mark.parametrize("command", ["build", "verify", "ui"])
def test_a_workspace_that_leads_nowhere_is_wrong_usage(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str, toml: str, what: str
) -> None:
    """Every command names the file and the key."""
    beside = "" if toml.startswith("notes") else 'notes = "."\n'
    (tmp_path / "notes.toml").write_text(f"{beside}{toml}\n")

    status, said = _ended(capsys, command, "--workspace", tmp_path)

    assert (status, said.count("\n")) == (2, 1)
    assert said.startswith(f"notes-pipeline: {tmp_path}/notes.toml: {what}")


def test_paths_on_the_command_line_are_told_the_same_way(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A home nobody has, and a workspace below a file."""
    (tmp_path / "file").write_text("x")

    for command in (["build", "~nobody-of-this-name"], ["chunk", "~nobody-of-this-name/x.md"]):
        status, said = _ended(capsys, *command)
        assert (status, said.count("\n")) == (2, 1)
        assert "is no path: nobody here has that home folder" in said
    status, said = _ended(capsys, "init", tmp_path / "file" / "kb", "--notes", tmp_path)
    assert (status, said) == (1, f"notes-pipeline: {tmp_path}/file/kb: Not a directory\n")


def test_notes_that_are_all_another_workspace_say_so(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing to read is an error that names what is there instead."""
    (tmp_path / "notes" / "sub").mkdir(parents=True)
    (tmp_path / "notes" / "sub" / "notes.toml").write_text('notes = "."\n')
    (tmp_path / "notes" / "sub" / "a.md").write_text("text")
    for name in ("DAGSTER_HOME", "DAGSTER_DISABLE_TELEMETRY", "NOTES_PIPELINE_WORKSPACE"):
        monkeypatch.setenv(name, "")

    status, said = _ended(capsys, "build", tmp_path / "notes", "--workspace", tmp_path / "kb")

    what = "no files to read; sub/: is a workspace of its own (notes.toml)"
    assert status == 1
    assert said == f"notes-pipeline: {tmp_path}/notes: {what}; name a folder that holds notes or workbooks\n"


def test_a_full_disk_in_the_middle_of_a_build(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever wrapped it on its way, the system's own line is what is told."""
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# A\n\nThe lamp burns oil from the mill below the weir.\n")
    real = os.replace

    def replace(source: Path, target: Path) -> None:
        if str(target).endswith("chunks.parquet") or "markdown_sections" in str(target):
            raise OSError(errno.ENOSPC, "No space left on device", str(target))
        real(source, target)

    monkeypatch.setattr(os, "replace", replace)
    for name in ("DAGSTER_HOME", "DAGSTER_DISABLE_TELEMETRY", "NOTES_PIPELINE_WORKSPACE"):
        monkeypatch.setenv(name, "")

    status, said = _ended(
        capsys, "build", tmp_path / "notes", "--workspace", tmp_path / "kb", "-j", "1", "-q"
    )

    assert (status, said.count("\n")) == (1, 1)
    assert said.endswith(f": No space left on device; {SPACE}\n")
