"""Truths about setting up: two commands, a lock that names no place, a wheel that has everything in it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PROMISED = ("setup", "run", "test", "ui", "check", "bench", "lock", "help")
LOCK = (ROOT / "requirements.lock").read_text()


def make(*arguments: str, folder: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    """A make of its own, not a child of the one that may run these tests."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(
        ["make", *arguments], cwd=folder, env={**kept, **environment}, capture_output=True, text=True
    )


class TestMake:
    @pytest.mark.parametrize("target", PROMISED)
    def test_every_promised_target_is_there_and_listed(self, target: str) -> None:
        """`make help` is the table of contents."""
        assert re.search(rf"^  make {target} +\S", make("help").stdout, re.MULTILINE)

    def test_run_passes_notes_and_workspace_on(self) -> None:
        """NOTES= and WORKSPACE= reach the command as one argument each, blanks and all."""
        plain = make("-n", "-o", ".venv/.ready", "run").stdout
        both = make("-n", "-o", ".venv/.ready", "run", "NOTES=/a b/Notes", "WORKSPACE=/kb").stdout

        assert plain.strip().endswith("notes-pipeline build")
        assert both.strip().endswith('notes-pipeline build "/a b/Notes" --workspace "/kb"')

    def test_a_python_out_of_range_is_told(self, tmp_path: Path) -> None:
        """No traceback of pip, but what to install and how to name it."""
        for name in ("Makefile", "requirements.lock", "pyproject.toml"):
            shutil.copy(ROOT / name, tmp_path)
        tools = tmp_path / "tools"
        tools.mkdir()
        for tool in ("make", "sh", "cat", "rm", "pwd", "touch"):
            (tools / tool).symlink_to(shutil.which(tool) or tool)

        done = make("setup", folder=tmp_path, PATH=str(tools))

        assert done.returncode != 0
        assert (
            "no Python 3.11, 3.12 or 3.13 found; install one, or name it: make setup PYTHON=" in done.stderr
        )

    def test_a_second_set_up_runs_nothing(self, tmp_path: Path) -> None:
        """The stamp is newer than lock and project, and says for which folder it holds."""
        for name in ("Makefile", "requirements.lock", "pyproject.toml"):
            shutil.copy(ROOT / name, tmp_path)
        (tmp_path / ".venv" / "bin").mkdir(parents=True)
        (tmp_path / ".venv" / "bin" / "python").symlink_to(sys.executable)
        stamp = tmp_path / ".venv" / ".ready"
        stamp.write_text(f"{tmp_path}\n")

        assert "Nothing to be done" in make("setup", folder=tmp_path).stdout
        os.utime(tmp_path / "requirements.lock", (2**31, 2**31))
        assert "require-hashes" in make("-n", "setup", folder=tmp_path).stdout
        os.utime(tmp_path / "requirements.lock", (1, 1))
        stamp.write_text("/moved/from/here\n")
        assert "require-hashes" in make("-n", "setup", folder=tmp_path).stdout


class TestLock:
    def test_every_package_is_pinned_and_hashed(self) -> None:
        """A name, one version, at least one hash."""
        blocks = re.split(r"\n(?=\S)", LOCK.strip())
        for block in blocks:
            assert re.match(r"[a-z0-9.-]+==\S+( ; [^\\]+)? \\\n", block), block.splitlines()[0]
            assert "--hash=sha256:" in block

    def test_no_place_is_named(self) -> None:
        """Neither a registry nor a path: the lock holds wherever packages come from."""
        assert not re.search(r"https?://|--index|--find-links|file:|@ ", LOCK)

    def test_everything_the_project_asks_for_is_in_it(self) -> None:
        """What pyproject.toml names is pinned to a version it allows."""
        project = tomllib.loads((ROOT / "pyproject.toml").read_text())
        pinned = dict(re.findall(r"^([a-z0-9.-]+)==([^\s;]+)", LOCK, re.MULTILINE))
        asked = [
            *project["project"]["dependencies"],
            *(one for extra in project["project"]["optional-dependencies"].values() for one in extra),
            *project["dependency-groups"]["dev"],
        ]
        for requirement in map(Requirement, asked):
            assert requirement.specifier.contains(pinned[canonicalize_name(requirement.name)]), requirement


class TestCheckout:
    def test_ci_runs_make_test(self) -> None:
        """What a machine runs is what a person runs."""
        assert os.access(ROOT / ".ci" / "run", os.X_OK)
        assert (ROOT / ".ci" / "run").read_text().rstrip().endswith("exec make test")

    def test_products_are_not_kept_in_git(self) -> None:
        """The repository is a workspace; what its builds leave is ignored."""
        ignored = (ROOT / ".gitignore").read_text().split()

        assert {
            "/data/",
            "/qa/latest",
            "/qa/runs/",
            "/qa/history.jsonl",
            "/.dagster/",
            "/workspaces/",
        } <= set(ignored)

    def test_the_examples_fill_four_notebooks(self) -> None:
        """Notes of four apps, two workbooks, a table of commas, something nobody reads."""
        notes = ROOT / "examples" / "notes"
        folders = {path.name for path in notes.iterdir() if path.is_dir()}
        suffixes = {path.suffix for path in notes.rglob("*") if path.is_file()}

        assert len(folders) == 4
        assert {".md", ".xlsx", ".csv", ".png"} <= suffixes


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as `pip install .` would install it, unpacked."""
    folder = tmp_path_factory.mktemp("wheel")
    builder = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(builder, cwd=ROOT, check=True, capture_output=True)
    [built] = folder.glob("*.whl")
    with zipfile.ZipFile(built) as archive:
        archive.extractall(folder / "installed")
    return folder / "installed"


class TestWheel:
    def test_every_file_of_the_package_is_in_it(self, wheel: Path) -> None:
        """Code, report templates, styles: what a checkout has, an installed copy has."""
        package = ROOT / "notes_pipeline"
        own = {
            path.relative_to(ROOT).as_posix()
            for path in package.rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        }
        packed = {path.relative_to(wheel).as_posix() for path in wheel.rglob("*") if path.is_file()}

        assert own <= packed
        assert any(name.endswith(".jinja") for name in packed)

    def test_an_installed_copy_chunks_and_reports(self, wheel: Path, tmp_path: Path) -> None:
        """From outside the checkout, with nothing of it on the path."""
        (tmp_path / "note.md").write_text(
            "# Post\n\nLetters for the island leave with the boat at noon, parcels a day later.\n"
        )
        code = (
            "import notes_pipeline, sys; from pathlib import Path\n"
            "from notes_pipeline.report import as_html\n"
            "assert Path(notes_pipeline.__file__).is_relative_to(sys.argv[1])\n"
            "from notes_pipeline.cli import main; main(['chunk', 'note.md', '--format', 'text'])"
        )
        environment = {**os.environ, "PYTHONPATH": str(wheel)}
        done = subprocess.run(
            [sys.executable, "-P", "-c", code, str(wheel)],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
        )

        assert done.returncode == 0, done.stderr
        assert "Letters for the island" in done.stdout
