"""Truths about the command line: what each command says, writes, and exits with."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer
from openpyxl import Workbook

from notes_pipeline import cli
from notes_pipeline.corpus.generations import current
from notes_pipeline.corpus.laws import LAWS
from notes_pipeline.corpus.parquet import read_table
from notes_pipeline.records import CHUNKS
from notes_pipeline.settings import PRESETS
from notes_pipeline.stages import markdown

ROOT = Path(__file__).resolve().parent.parent
LONG_AGO = 1_700_000_000

NOTES = {
    "Hut/stove.md": "# Stove\n\nThe stove burns larch, dry for two winters.\nIt smokes in an east wind.\n",
    "Hut/ash.md": "# Ash\n\nSee above.\n",
    "Hut/water.md": "# Water\r\n\r\nThe spring behind the hut runs until July; then water comes in cans.\r\n",
    "path.md": "The path to the hut leaves the road at the second bridge and climbs for an hour.\n",
}


class Said(NamedTuple):
    """What a command left behind."""

    status: int
    out: str
    err: str


class Terminal:
    """Runs commands as a shell would, in one process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: object) -> Said:
        status = 0
        try:
            cli.main([str(argument) for argument in arguments])
        except SystemExit as end:
            status = int(end.code or 0)
        said = self._capsys.readouterr()
        return Said(status, said.out, said.err)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(capsys)


def write_notes(folder: Path) -> Path:
    for path, text in NOTES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode())
        os.utime(folder / path, (LONG_AGO, LONG_AGO))
    book = Workbook()
    for row in (["Bunk", "Blankets", "Note"], ["upper", 3, "by the window"], ["lower", 2, "by the stove"]):
        book.active.append(row)
    book.save(folder / "Hut" / "bunks.xlsx")
    os.utime(folder / "Hut" / "bunks.xlsx", (LONG_AGO, LONG_AGO))
    return folder


@pytest.fixture(scope="session")
def built_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace that was built, for tests that only look at one or change a copy of it."""
    root = tmp_path_factory.mktemp("built")
    write_notes(root / "notes")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("DAGSTER_HOME", "DAGSTER_DISABLE_TELEMETRY", "NOTES_PIPELINE_WORKSPACE"):
            patch.setenv(name, "")
        patch.chdir(root)
        with pytest.raises(SystemExit) as end:
            cli.main(["init", "kb", "--notes", "notes"])
        assert not end.value.code
        with pytest.raises(SystemExit) as end:
            cli.main(["build", "--workspace", "kb", "--quiet"])
        assert not end.value.code
    return root


@pytest.fixture
def kb(built_once: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the built workspace, entered; the environment is put back after."""
    shutil.copytree(built_once, tmp_path / "home", symlinks=True)
    kb = tmp_path / "home" / "kb"
    text = (kb / "notes.toml").read_text().replace(str(built_once), str(tmp_path / "home"))
    (kb / "notes.toml").write_text(text)
    for name in ("DAGSTER_HOME", "DAGSTER_DISABLE_TELEMETRY", "NOTES_PIPELINE_WORKSPACE"):
        monkeypatch.setenv(name, "")
    monkeypatch.chdir(kb)
    return kb


def chunks(kb: Path) -> list[dict[str, Any]]:
    return list(read_table(kb / "data" / "chunks.parquet").to_pylist())


def commands() -> list[tuple[str, ...]]:
    """Every command there is, by the words that call it."""
    group = typer.main.get_command(cli.app)
    found: list[tuple[str, ...]] = [()]
    for name, command in group.commands.items():  # type: ignore[attr-defined]
        found.append((name,))
        found += [(name, inner) for inner in getattr(command, "commands", {})]
    return found


class TestHelp:
    @pytest.mark.parametrize("words", commands(), ids=" ".join)
    def test_every_command_explains_itself(self, run: Terminal, words: Sequence[str]) -> None:
        """--help is there, exits 0 and says more than the usage line."""
        said = run(*words, "--help")

        assert said.status == 0
        assert "Usage: notes-pipeline" in said.out
        assert len(said.out.splitlines()) > 6

    def test_the_commands_are_those_of_the_interface(self) -> None:
        """Names are promises."""
        assert {words[0] for words in commands() if len(words) == 1} >= {
            *("build", "chunk", "verify", "explain", "label", "diff", "init", "ui", "templates")
        }

    def test_version(self, run: Terminal) -> None:
        """One line, exit 0."""
        assert run("--version") == Said(0, "notes-pipeline 0.1.0\n", "")

    def test_wrong_usage_is_status_two(self, run: Terminal) -> None:
        """An unknown command or option is no failure of the notes."""
        assert run("no-such-command").status == 2
        assert run("build", "--no-such-option").status == 2


class TestBuild:
    def test_the_summary_counts(self, run: Terminal, kb: Path) -> None:
        """Kept, review, omitted, discarded, lost and the report's place; a second build opens nothing."""
        said = run("build")

        words = said.out.split()
        assert said.status == 0
        for name in ("kept", "review", "omitted", "discarded", "lost", "report:"):
            assert name in words
        assert words[words.index("lost") + 1] == "0"
        assert (kb / "qa" / "latest" / "report.html").exists()

    def test_json_is_one_object(self, run: Terminal, kb: Path) -> None:
        """Nothing else is on standard output."""
        told = json.loads(run("build", "--json").out)

        assert told["lost"] == 0
        assert told["chunks"] == told["keep"] + told["review"] + told["omit"] == len(chunks(kb))
        assert told["laws_broken"] == {}

    def test_an_unchanged_build_changes_no_published_byte(self, run: Terminal, kb: Path) -> None:
        """The same generation stays in its place."""
        first = current(kb / "data")
        before = (kb / "data" / "chunks.parquet").read_bytes()

        assert run("build", "--quiet") == Said(0, "", "")
        assert current(kb / "data") == first
        assert (kb / "data" / "chunks.parquet").read_bytes() == before

    def test_another_preset_for_once(self, run: Terminal, kb: Path) -> None:
        """--preset overrules notes.toml and leaves it as it is."""
        told = json.loads(run("build", "--preset", "fixed", "--json").out)

        assert told["preset"] == "fixed"
        assert 'preset = "default"' in (kb / "notes.toml").read_text()

    def test_a_broken_law_is_status_one_and_says_where(
        self, run: Terminal, kb: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """One line on standard error with file, place and law; the last good build stays."""
        before = current(kb / "data")
        (kb.parent / "notes" / "path.md").write_text(
            "The path was moved after the landslide, and now starts at the mill.\n"
        )
        monkeypatch.setitem(LAWS, "slices", lambda material, settings: iter([("7", "broken on purpose")]))

        said = run("build", "--quiet")

        assert said.status == 1
        assert "Hut/ash.md:7: slices: broken on purpose; 5 in all" in said.err
        assert current(kb / "data") == before

    def test_bad_files_are_named_and_no_failure(self, run: Terminal, kb: Path) -> None:
        """The rest of the run goes on; each bad file is one line."""
        (kb.parent / "notes" / "Hut" / "torn.xlsx").write_bytes(b"PK\x03\x04 and no more")

        said = run("build")

        assert said.status == 0
        assert "not read: Hut/torn.xlsx: unreadable" in said.out

    def test_files_of_other_kinds_are_counted_in_one_line(self, run: Terminal, kb: Path) -> None:
        """In the summary, for programs, in summary.md and on the page; documents say it of each."""
        for name in ("Hut/door.png", "Hut/roof.PNG", "list.txt"):
            (kb.parent / "notes" / name).write_bytes(b"words, perhaps")
        line = "not read: 3 files of other kinds (.png 2, .txt 1)"

        shown, told = run("build"), json.loads(run("build", "--json").out)

        assert [it.strip() for it in shown.out.splitlines() if "other kinds" in it] == [line]
        assert told["other_kinds"] == {".png": 2, ".txt": 1}
        assert f"- {line}" in (kb / "qa" / "latest" / "summary.md").read_text()
        assert line[4:] in (kb / "qa" / "latest" / "report.html").read_text()
        documents = read_table(kb / "data" / "documents.parquet").to_pylist()
        [picture] = [it for it in documents if it["source_path"] == "Hut/roof.PNG"]
        assert picture["state"] == "unsupported"
        assert picture["error"].startswith(".png: no kind that is read; ")

    def test_a_template_that_fails_its_own_test_is_a_warning(self, run: Terminal, kb: Path) -> None:
        """One line with file and line, in the report too; the row is made all the same."""
        (kb / "templates" / "rows" / "bunks.yaml").write_text(
            "version: 1\ntemplates:\n  - id: bunks\n    match: {columns: {all: [Bunk, Blankets]}}\n"
            "    text: The {{ bunk }} bunk has {{ blankets }} blankets.\n    tests:\n"
            "      - row: {Bunk: upper, Blankets: '3'}\n        is: The upper bunk has 4 blankets.\n"
            "      - row: {Bunk: lower, Blankets: '2'}\n        is: The lower bunk has 5 blankets.\n"
        )
        what = "template 'bunks', test 1: reads 'The upper bunk has 3 blankets.', not"
        line = f"templates/rows/bunks.yaml:7: {what} 'The upper bunk has 4 blankets.'"
        line += "; run: notes-pipeline templates check"

        first, again = run("build"), json.loads(run("build", "--json").out)

        assert first.status == 0
        assert first.err == f"warning: {line}\n"
        assert again["warnings"] == [line]
        assert f"- fails its own test: {line}" in (kb / "qa" / "latest" / "summary.md").read_text()
        metrics = json.loads((kb / "qa" / "latest" / "metrics.json").read_text())
        assert metrics["workbooks"]["failing_templates"] == 1
        assert any(it["text"].startswith("The upper bunk has 3 blankets.") for it in chunks(kb))

    def test_a_fault_of_ours_is_one_line_and_no_failure(
        self, run: Terminal, kb: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The file is named with what to do; everything of it is counted, so nothing is lost."""
        sound = markdown.parse

        def broken(document: Any, *rest: Any) -> Any:
            if document.source_path == "Hut/ash.md":
                raise IndexError("a mistake of ours")
            return sound(document, *rest)

        monkeypatch.setattr(markdown, "parse", broken)

        said = run("build", "--fresh", "--workers", "1")

        assert said.status == 0
        assert "not read: Hut/ash.md: internal error: IndexError: a mistake of ours (test_cli.py:" in said.out
        assert "please report it" in said.out
        assert re.search(r"lost +0 ", said.out)

    def test_nothing_to_read_is_status_one(
        self, run: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """An empty folder is told in one line, with a remedy."""
        (tmp_path / "empty").mkdir()
        monkeypatch.chdir(tmp_path)

        said = run("build", "empty", "--workspace", "kb")

        assert said.status == 1
        remedy = "name a folder that holds notes or workbooks"
        assert said.err == f"notes-pipeline: {tmp_path}/empty: no files to read; {remedy}\n"

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (["nowhere"], "nowhere: is not there"),
            (["file.md"], "file.md: is a file; name the folder it is in"),
            ([], "is no workspace (no notes.toml); name one with --workspace"),
            (["notes", "--preset", "huge"], "preset 'huge': is not known; use one of: default"),
        ],
    )
    def test_mistakes_are_status_two_and_make_nothing(
        self, run: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
    ) -> None:
        """A wrong folder, a file for a folder, a preset nobody knows: one line, and no workspace."""
        (tmp_path / "file.md").write_text("text")
        (tmp_path / "notes").mkdir()
        monkeypatch.chdir(tmp_path)

        result = run("build", *arguments)

        assert result.status == 2
        assert said in result.err
        assert len(result.err.splitlines()) == 1
        assert sorted(path.name for path in tmp_path.iterdir()) == ["file.md", "notes"]

    def test_a_workspace_belongs_to_its_notes(self, run: Terminal, kb: Path, tmp_path: Path) -> None:
        """Two folders of the same name do not replace each other's products."""
        (tmp_path / "notes").mkdir()

        said = run("build", tmp_path / "notes", "--workspace", kb)

        assert said.status == 2
        assert f"belongs to {tmp_path}/home/notes, not to {tmp_path}/notes" in said.err

    @pytest.mark.parametrize(
        ("toml", "what"),
        [
            ('preste = "fixed"', "preste: unknown key; did you mean 'preset'?"),
            ("zzz = 1", "zzz: unknown key; known are: preset, bands, markdown, sentences, excel, ignore, "),
            ('preset = "huge"', "preset: 'huge' is not known; use one of: default"),
            ("preset = []", "preset: [] is not known; use one of: default"),
            ("overrides = 3", "overrides: is a table; write a line [overrides]"),
            ('[overrides]\nsoft_words = "x"', "overrides.soft_words: wants a whole number, not 'x'"),
            ("[overrides]\nsoft_word = 9", "overrides.soft_word: unknown key; did you mean 'soft_words'?"),
            (
                "[overrides]\nsoft_words = 900",
                "overrides: soft_words (900) must not pass hard_words (300)",
            ),
            ("[bands]\nshort = 3", "bands: fragment <= short <= too_long must hold"),
            ("[excel]\nhiden = 1", "excel.hiden: unknown key; did you mean 'hidden'?"),
            ("[markdown]\nbold_headings = 3.5", "markdown.bold_headings: wants true or false, not 3.5"),
            (
                'ignore = "Archive/"',
                'ignore: wants a list, such as ["Archive/", "*.tmp.md"], not \'Archive/\'',
            ),
            ('alerts = "me"', "alerts: is a table with the keys file; write a line [alerts] and these"),
        ],
    )
    def test_a_mistake_in_notes_toml_names_file_and_key(
        self, run: Terminal, kb: Path, toml: str, what: str
    ) -> None:
        """The place as it stands in the file, what is wanted there, and nothing of a library's words."""
        (kb / "notes.toml").write_text(f'notes = "../notes"\n{toml}\n')

        said = run("build")

        assert said.status == 2
        assert said.err.startswith(f"notes-pipeline: {kb}/notes.toml: {what}")
        assert len(said.err.splitlines()) == 1

    @pytest.mark.parametrize(("notes", "what"), [("gone", "is not there"), ("notes.toml", "is a file")])
    def test_notes_that_are_no_folder_are_status_two_wherever_they_are_named(
        self, run: Terminal, kb: Path, notes: str, what: str
    ) -> None:
        """In the file and as an argument alike, and nothing is touched."""
        argument = run("build", notes)
        (kb / "notes.toml").write_text(f'notes = "{notes}"\n')

        said = run("build")

        assert (argument.status, said.status) == (2, 2)
        assert f"{notes}: {what}; " in argument.err
        assert f"notes.toml: notes: {kb}/{notes}: {what}; name an existing folder" in said.err

    def test_what_a_user_wrote_wrongly_is_status_two(self, run: Terminal, kb: Path) -> None:
        """A verdict nobody knows, a column that is missing, a template that is none: file and line."""
        labels, template = kb / "qa" / "labels.csv", kb / "templates" / "rows" / "bad.yaml"
        wrong = [
            (labels, "content_hash,verdict\nabc,maybe\n", "labels.csv:2: verdict 'maybe' is not known"),
            (labels, "hash,verdict\nabc,keep\n", "labels.csv:1: lacks the column content_hash"),
            (labels, "content_hash,verdict\n", ""),
            (template, "version: 1\ntemplates: [{id: x, matsch: {}}]\n", "bad.yaml:2: templates.0.matsch is"),
        ]
        for path, text, what in wrong:
            path.write_text(text)

            said = run("build", "--quiet")

            assert what in said.err
            assert said.status == (2 if what else 0)


MISSING_ENGINES = [
    ("en_core_web_trf", "get it with: python -m spacy download en_core_web_trf"),
    ("someones_model", "give the folder of its config.cfg, or install the package that you know holds it"),
]


class TestMissingEngine:
    @pytest.mark.parametrize(("engine", "remedy"), MISSING_ENGINES)
    @pytest.mark.parametrize("command", [("build", "--fresh"), ("build", "--json"), ("chunk", "path.md")])
    def test_it_is_one_line_and_nothing_is_written(
        self, run: Terminal, kb: Path, command: Sequence[str], engine: str, remedy: str
    ) -> None:
        """Status 2 before any work, though no note here has a block that must be cut at sentences."""
        before = {path: path.stat().st_mtime_ns for path in (kb / "data").rglob("*")}
        (kb / "path.md").write_text("The path is closed.\n")
        with (kb / "notes.toml").open("a") as file:
            file.write(f'[sentences]\nengine = "{engine}"\n')

        said = run(*command)

        what = f"notes.toml, sentences.engine = {engine!r}: no such pipeline here"
        assert said == Said(2, "", f'notes-pipeline: {what}; {remedy}; or set engine = "rules"\n')
        assert {path: path.stat().st_mtime_ns for path in (kb / "data").rglob("*")} == before


class TestChunk:
    def test_records_are_those_of_a_build(self, run: Terminal, kb: Path) -> None:
        """Every chunk record, field by field, then every discard."""
        said = run("chunk", "../notes", "--root", "../notes")

        records = [json.loads(line) for line in said.out.splitlines()]
        made = [record for record in records if record.pop("record") == "chunk"]
        assert made == chunks(kb)
        assert list(made[0]) == CHUNKS.names
        assert [record["reason"] for record in records[len(made) :]] == [
            row["reason"] for row in read_table(kb / "data" / "discards.parquet").to_pylist()
        ]

    def test_it_starts_no_dagster_and_writes_nothing(self, built_once: Path, tmp_path: Path) -> None:
        """A fresh process, its modules and its folder looked at after."""
        shutil.copy(built_once / "notes" / "path.md", tmp_path)
        code = (
            "import sys\nfrom notes_pipeline.cli import main\n"
            "try: main(['chunk', 'path.md'])\nexcept SystemExit: pass\n"
            "print(sorted({'dagster', 'pandas', 'spacy'} & set(sys.modules)), file=sys.stderr)"
        )
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True
        )

        assert json.loads(done.stdout)["source_path"] == "path.md"
        assert done.stderr == "[]\n"
        assert [path.name for path in tmp_path.iterdir()] == ["path.md"]

    def test_paths_are_relative_to_the_root(self, run: Terminal, kb: Path) -> None:
        """Inside the root or refused."""
        inside = run("chunk", "../notes/Hut/stove.md", "--root", "..")
        outside = run("chunk", "../notes/Hut/stove.md", "--root", kb)

        assert json.loads(inside.out.splitlines()[0])["source_path"] == "notes/Hut/stove.md"
        assert outside.status == 2
        assert "is not under" in outside.err

    def test_text_is_for_eyes(self, run: Terminal, kb: Path) -> None:
        """Place, decision and heading path before each text."""
        out = run("chunk", "../notes", "--root", "../notes", "--format", "text").out

        assert "── path.md#0  keep (short), 17 words\nThe path to the hut" in out
        assert "Stove\n# Stove" in out

    def test_presets_by_name(self, run: Terminal, kb: Path) -> None:
        """Each cuts, none fails."""
        for preset in PRESETS:
            assert run("chunk", "../notes", "--root", "..", "--preset", preset).status == 0

    def test_a_file_nobody_reads_is_said_and_is_status_one(self, run: Terminal, tmp_path: Path) -> None:
        """Nothing was read, so nothing was done."""
        (tmp_path / "picture.png").write_bytes(b"\x89PNG")

        said = run("chunk", tmp_path / "picture.png")

        assert said.status == 1
        assert "picture.png: not read: unsupported" in said.err

    def test_what_was_named_and_not_read_is_said_of_each(self, run: Terminal, tmp_path: Path) -> None:
        """Of files met in a folder only their kinds are; an empty file is read, and said to be empty."""
        for name, text in {
            "a.txt": "a",
            "b.txt": "b",
            "c.png": "c",
            "empty.md": "",
            "d.md": "Words.",
        }.items():
            (tmp_path / name).write_text(text)

        named = run("chunk", tmp_path / "a.txt", tmp_path / "c.png")
        folder = run("chunk", tmp_path)
        empty = run("chunk", tmp_path / "empty.md")

        assert [line.split("; ")[0] for line in named.err.splitlines()[:2]] == [
            "a.txt: not read: unsupported: .txt: no kind that is read",
            "c.png: not read: unsupported: .png: no kind that is read",
        ]
        assert named.status == 1
        assert folder.err == "not read: 3 files of other kinds (.txt 2, .png 1)\n"
        assert folder.status == 0
        assert empty == Said(0, "", "empty.md: is empty\n")


class TestVerify:
    def test_it_holds_and_knows_what_is_stale(self, run: Terminal, kb: Path) -> None:
        """An edited file is stale, not broken."""
        (kb.parent / "notes" / "path.md").write_text("The path is closed.")

        said = run("verify")
        told = json.loads(run("verify", "--json").out)

        assert said.status == 0
        assert "lost = 0" in said.out
        assert "path.md: edited" in said.out
        assert told["holds"]
        assert told["stale"] == ["path.md: edited"]

    def test_what_was_tampered_with_is_found(self, run: Terminal, kb: Path) -> None:
        """A chunk changed in the published table breaks a law."""
        from notes_pipeline.corpus.parquet import read_metadata, write_table

        path = kb / "data" / "current" / "chunks.parquet"
        table = read_table(path)
        texts = [text + "!" if number == 0 else text for number, text in enumerate(table["text"].to_pylist())]
        changed = table.set_column(CHUNKS.names.index("text"), CHUNKS.field("text"), [texts])
        write_table(path, changed.cast(CHUNKS), read_metadata(path))

        said = run("verify")

        assert said.status == 1
        assert "broken" in said.out

    def test_before_the_first_build_there_is_nothing_to_verify(self, run: Terminal, tmp_path: Path) -> None:
        """Said in one line."""
        (tmp_path / "notes.toml").write_text('notes = "."\n')

        assert run("verify", "--workspace", tmp_path) == Said(
            1, "", f"notes-pipeline: {tmp_path}/data: holds no build; make one: notes-pipeline build\n"
        )


class TestExplain:
    def test_a_note_is_shown_in_its_source(self, run: Terminal, kb: Path) -> None:
        """Place, cut, judgement, reason, and the lines with their neighbours."""
        [chunk] = [chunk for chunk in chunks(kb) if chunk["source_path"] == "Hut/ash.md"]

        out = run("explain", chunk["chunk_id"]).out

        assert f"decision   {chunk['decision']}, by {chunk['decision_reason']}" in out
        assert "Hut/ash.md:1-3" in out
        assert "│ See above." in out
        assert "preset default" in out

    def test_why_a_chunk_is_a_part(self, run: Terminal, kb: Path) -> None:
        """A part of a long section is told from a part of one thing that had to be cut."""
        long = "The stones of the wall were counted twice, and the numbers differ by one. " * 30
        fence = "```\n" + "counted = stones + one more stone behind the water trough\n" * 60 + "```\n"
        note = f"# Wall\n\n{long}\n\n{long}\n\n# Count\n\n{fence}"
        (kb.parent / "notes" / "wall.md").write_text(note)
        run("build", "--quiet")
        mine = [chunk for chunk in chunks(kb) if chunk["source_path"] == "wall.md"]
        of_section = next(chunk for chunk in mine if chunk["heading_path"] == ["Wall"])
        of_fence = next(chunk for chunk in mine if chunk["heading_path"] == ["Count"])

        assert (
            "its section is longer than the limit; this is part of it"
            in run("explain", of_section["chunk_id"]).out
        )
        assert "one thing alone was over the hard limit" in run("explain", of_fence["chunk_id"]).out

    def test_a_row_is_shown_with_its_cells(self, run: Terminal, kb: Path) -> None:
        """The cells by their place and column, then the sentence made of them."""
        [chunk] = [chunk for chunk in chunks(kb) if chunk["row_number"] == 2]

        out = run("explain", chunk["locator"]).out

        assert "A2     Bunk: upper" in out
        assert chunk["text"] in out

    def test_names_are_found_by_their_beginning(self, run: Terminal, kb: Path) -> None:
        """One match is meant; several are listed; none is told."""
        [chunk] = [chunk for chunk in chunks(kb) if chunk["source_path"] == "path.md"]

        assert json.loads(run("explain", "path.md", "--json").out)["chunk_id"] == chunk["chunk_id"]
        assert "Hut/: names 5 chunks; say which: Hut/" in run("explain", "Hut/").err
        key = chunk["chunk_id"].partition("#")[2]
        assert json.loads(run("explain", key, "--json").out)["chunk_id"] == chunk["chunk_id"]
        assert run("explain", "no such chunk").status == 2


class TestLabel:
    def test_a_verdict_is_obeyed_by_the_next_build(self, run: Terminal, kb: Path) -> None:
        """Written to qa/labels.csv, applied by content, visible in the decision's reason."""
        [chunk] = [chunk for chunk in chunks(kb) if chunk["source_path"] == "path.md"]

        assert run("label", chunk["chunk_id"], "omit", "--note", "out of date, really").status == 0
        assert run("build", "--quiet").status == 0

        [after] = [chunk for chunk in chunks(kb) if chunk["source_path"] == "path.md"]
        assert (after["decision"], after["decision_reason"]) == ("omit", "label")
        assert '"out of date, really"' in (kb / "qa" / "labels.csv").read_text()
        assert "changed  1" in run("diff").out

    def test_a_second_verdict_takes_the_place_of_the_first(self, run: Terminal, kb: Path) -> None:
        """One line a chunk, its note kept, what a person put there left alone; --undo takes it back."""
        [chunk] = [chunk for chunk in chunks(kb) if chunk["source_path"] == "path.md"]
        key, labels = chunk["chunk_id"].partition("#")[2], kb / "qa" / "labels.csv"
        labels.write_text("verdict,content_hash,who\nkeep,ffff,Ann\n")
        line = f"{chunk['content_hash']},,{chunk['chunk_id']},"

        for words in (["omit", "--note", "old"], ["omit"], ["keep"]):
            assert run("label", key, *words).status == 0

        head = "verdict,content_hash,who,chunk_id,rule,note\nkeep,ffff,Ann,,,\n"
        assert labels.read_text() == f"{head}keep,{line},old\n"
        assert run("build", "--quiet").status == 0
        assert run("label", key, "omit", "--note", "new").status == 0
        assert labels.read_text() == f"{head}omit,{line},new\n"
        assert run("label", key, "--undo").out.endswith("label taken back, from the next build on\n")
        assert labels.read_text() == head
        assert run("label", key, "--undo").status == 2
        assert run("label", key).status == 2
        assert run("label", key, "keep", "--undo").status == 2

    def test_only_two_verdicts(self, run: Terminal, kb: Path) -> None:
        """keep or omit."""
        assert run("label", "path.md", "maybe").status == 2


class TestDiff:
    def test_what_a_store_must_do(self, run: Terminal, kb: Path) -> None:
        """An edit is the old id and the new one; what was not touched is kept."""
        before = {chunk["source_path"]: chunk["chunk_id"] for chunk in chunks(kb)}
        (kb.parent / "notes" / "path.md").write_text(
            "The path to the hut starts at the mill since the landslide.\n"
        )
        assert run("build", "--quiet").status == 0
        after = {chunk["source_path"]: chunk["chunk_id"] for chunk in chunks(kb)}
        edit = (before["path.md"], after["path.md"])

        told = json.loads(run("diff", "--json").out)

        assert (told["added"], told["gone"]) == ([], [])
        assert told["changed"] == [{"from": edit[0], "to": edit[1]}]
        assert f"    {edit[0]} -> {edit[1]}\n" in run("diff").out
        assert run("diff", "99").status == 2


class TestInit:
    def test_a_workspace_says_where_its_notes_are(
        self, run: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """notes.toml, templates/rows, qa; a name with quotes and backslashes survives."""
        odd = tmp_path / 'no"t\\es'
        odd.mkdir()
        monkeypatch.chdir(tmp_path)

        assert run("init", "kb", "--notes", odd).status == 0
        from notes_pipeline.settings import load_workspace

        assert load_workspace(tmp_path / "kb").notes == odd
        assert (tmp_path / "kb" / "templates" / "rows").is_dir()
        assert run("init", "kb", "--notes", odd).status == 2


class TestTemplates:
    def test_from_draft_to_rows(self, run: Terminal, kb: Path) -> None:
        """A suggestion saved as it is passes the check and words the rows."""
        draft = run("templates", "suggest", "../notes/Hut/bunks.xlsx").out
        (kb / "templates" / "rows" / "bunks.yaml").write_text(draft)

        assert run("templates", "check").out == "1 template, 0 tests, 0 problems\n"
        assert "template bunks" in run("templates", "preview", "../notes/Hut/bunks.xlsx").out

    def test_what_is_no_workbook_is_said(self, run: Terminal, kb: Path) -> None:
        """A note is wrong usage; a broken workbook has the reason that ``chunk`` gives."""
        torn = kb.parent / "notes" / "Hut" / "torn.xlsx"
        torn.write_bytes(b"PK\x03\x04 and no more")
        why = run("chunk", torn).err.splitlines()[0].partition("not read: ")[2]

        note = run("templates", "suggest", "../notes/path.md")
        broken = run("templates", "suggest", torn)
        both = run("templates", "suggest", torn, "../notes/Hut/bunks.xlsx")

        what = "../notes/path.md: is no workbook; name a workbook or a CSV file"
        assert note == Said(2, "", f"notes-pipeline: {what}\n")
        remedy = "mend the file, or name another"
        assert broken == Said(1, "", f"notes-pipeline: Hut/torn.xlsx: not read: {why}; {remedy}\n")
        assert (both.status, both.err) == (0, f"Hut/torn.xlsx: not read: {why}\n")

    def test_a_wrong_template_is_status_one_with_file_and_line(self, run: Terminal, kb: Path) -> None:
        """The place and the remedy are in the line."""
        (kb / "templates" / "rows" / "bad.yaml").write_text(
            "version: 1\ntemplates:\n  - id: x\n    matsch: {}\n"
        )

        said = run("templates", "check")

        assert said.status == 1
        assert "bad.yaml:4: templates.0.matsch is no key of the format" in said.out
