"""Truths about the stages: what is worked on again, what is carried over, what a build leaves on disk."""

from __future__ import annotations

import hashlib
import os
import pkgutil
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import spacy
from build import discard as build_discard
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

from notes_pipeline.corpus.generations import Generation
from notes_pipeline.corpus.parquet import read_table, table_writer
from notes_pipeline.errors import UserError
from notes_pipeline.records import DISCARDS, Discard, table_of
from notes_pipeline.settings import PRESETS, Settings
from notes_pipeline.settings import Workspace as WorkspaceSettings
from notes_pipeline.stages import AFTER_SNAPSHOT, build_partition, keys, markdown, pool, remove_gone, snapshot
from notes_pipeline.stages.build import Build, Outcome
from notes_pipeline.stages.by_file import ByFile
from notes_pipeline.stages.corpus import merge_partitions, staged
from notes_pipeline.stages.corpus_of import corpus_of_files
from notes_pipeline.stages.guard import failed
from notes_pipeline.stages.partitions import keys_on_disk, partition_key, product_path
from notes_pipeline.stages.pool import Pool
from notes_pipeline.stages.proof import prove
from notes_pipeline.stages.publish import prove_staged, publish_with_report
from notes_pipeline.stages.snapshot import fingerprint, known_fingerprint
from notes_pipeline.stages.stale import stale_files

LONG_AGO = 1_700_000_000
"""A file time far enough from now that its stat proves something."""

NOTES = {
    "Garden/beds.md": "# Beds\n\nThe north bed gets four hours of sun in June and none before April.\n",
    "Garden/tools.md": "# Tools\n\nThe spade with the ash handle is on loan from the mill.\n\n- rake\n",
    "Sea/tides.md": "Tides\n=====\n\nHigh water comes fifty minutes later each day, and with it the ferry.\n",
    "inbox.md": "A thought without a notebook, long enough to be more than a fragment of one.\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace folder over a few notes and one workbook, all of them old."""
    for path, text in NOTES.items():
        write(tmp_path, path, text)
    book = Workbook()
    for row in (["Plant", "Sown", "Place"], ["Leek", "March", "north bed"], ["Bean", "May", "south wall"]):
        book.active.append(row)
    book.save(tmp_path / "notes" / "Garden" / "plants.xlsx")
    age(tmp_path / "notes" / "Garden" / "plants.xlsx")
    return tmp_path


def write(root: Path, source_path: str, text: str | bytes) -> Path:
    path = root / "notes" / source_path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return age(path)


def age(path: Path) -> Path:
    os.utime(path, (LONG_AGO, LONG_AGO))
    return path


def build_of(
    root: Path, pool: Pool | None = None, *, fresh: bool = False, settings: Settings | None = None
) -> Build:
    chosen = WorkspaceSettings(root=root / "ws", notes=root / "notes", settings=settings or Settings())
    return Build(chosen, pool or Pool(1), fresh)


def run(
    root: Path, pool: Pool | None = None, *, fresh: bool = False, settings: Settings | None = None
) -> list[Outcome]:
    """All stages of all notebooks, as the graph runs them."""
    build = build_of(root, pool, fresh=fresh, settings=settings)
    scan = build.scan()
    remove_gone(build, list(scan.files))
    return [outcome for key in scan.files for outcome in build_partition(build, key, scan)]


def merged(root: Path) -> Generation:
    return merge_partitions(build_of(root))


def products(root: Path) -> dict[str, str]:
    """Hash of every table that the stages left, by its path."""
    data = root / "ws" / "data"
    paths = sorted(path for asset in keys.STAGES for path in (data / asset).glob("*.parquet"))
    return {str(path.relative_to(data)): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def worked(outcomes: list[Outcome]) -> dict[str, int]:
    found = {outcome.asset: 0 for outcome in outcomes}
    for outcome in outcomes:
        found[outcome.asset] += outcome.worked
    return found


class TestReuse:
    def test_a_second_build_works_on_nothing_and_rewrites_nothing(self, root: Path) -> None:
        """Unchanged files are not opened, parsed, cut, read as rows or judged, and no product is touched."""
        run(root)
        before = {path: path.stat().st_mtime_ns for path in (root / "ws" / "data").rglob("*.parquet")}

        second = run(root)

        assert set(worked(second).values()) == {0}
        assert not any(outcome.written for outcome in second)
        assert {path: path.stat().st_mtime_ns for path in before} == before

    def test_an_edit_is_all_that_is_worked_on(self, root: Path) -> None:
        """One edited note costs one note, in every stage."""
        run(root)
        write(root, "Garden/beds.md", NOTES["Garden/beds.md"] + "\nThe east bed floods.\n")

        assert worked(run(root)) == {
            "source_files": 1,
            "markdown_sections": 1,
            "markdown_chunks": 1,
            "excel_rows": 0,
            "excel_chunks": 0,
            "flagged_chunks": 1,
        }

    def test_an_edit_leads_to_the_same_bytes_as_a_build_from_nothing(self, root: Path) -> None:
        """Carried-over rows stand where new ones would."""
        run(root)
        write(root, "Garden/beds.md", "# Beds\n\nAll beds were turned over in the last week of October.\n")
        write(
            root,
            "Garden/a new note.md",
            "# First by name\n\nIt must stand first in every table of its notebook.\n",
        )
        (root / "notes" / "Garden" / "tools.md").unlink()
        run(root)
        grown = products(root)
        shutil.rmtree(root / "ws")
        run(root)

        assert products(root) == grown

    def test_a_touched_file_is_read_but_not_worked_on(self, root: Path) -> None:
        """A new time without new content reaches no stage after the snapshot, and rewrites nothing."""
        run(root)
        os.utime(root / "notes" / "Sea" / "tides.md", (LONG_AGO + 9, LONG_AGO + 9))

        second = run(root)

        assert worked(second)["source_files"] == 1
        assert not any(outcome.written for outcome in second)
        assert worked(second)["markdown_sections"] == 0

    def test_an_edit_within_the_same_instant_is_seen(self, root: Path) -> None:
        """Same size, same time, same inode: a file young at the scan is read again all the same."""
        path = root / "notes" / "Sea" / "tides.md"
        path.touch()
        run(root)
        stat = path.stat()
        with path.open("r+b") as file:
            file.write(b"T1des")
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))

        assert worked(run(root))["markdown_sections"] == 1

    def test_fresh_works_on_everything_and_comes_out_the_same(self, root: Path) -> None:
        """--fresh is slower, and that is all."""
        run(root)
        before = products(root)

        again = run(root, fresh=True)

        assert worked(again)["markdown_sections"] == 4
        assert products(root) == before

    def test_other_settings_are_other_work(self, root: Path) -> None:
        """A preset's numbers are part of the reuse key."""
        run(root)

        assert worked(run(root, settings=Settings(preset=PRESETS["structure"])))["markdown_chunks"] == 4

    def test_other_templates_touch_rows_alone(self, root: Path) -> None:
        """Row templates are part of the key of what they decide, and of nothing else."""
        run(root)
        folder = root / "ws" / "templates" / "rows"
        folder.mkdir(parents=True)
        (folder / "plants.yaml").write_text(
            "version: 1\ntemplates:\n  - id: plants\n    match: {columns: {all: [Plant, Sown]}}\n"
            '    text: "{{ Plant }} is sown in {{ Sown }}."\n'
        )

        again = worked(run(root))

        assert (again["excel_rows"], again["excel_chunks"], again["flagged_chunks"]) == (1, 1, 5)
        assert (again["source_files"], again["markdown_chunks"]) == (0, 0)

    def test_code_is_part_of_the_key(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Products of older code are not taken for new ones."""
        run(root)
        monkeypatch.setattr(keys, "code_version", lambda rooms: "another")

        assert worked(run(root))["flagged_chunks"] == 5

    def test_a_pipeline_that_changed_at_its_path_cuts_anew(self, root: Path, tmp_path: Path) -> None:
        """A sentence engine given by its folder is known by what is in it, not by its name."""
        engine = spacy.blank("en")
        engine.add_pipe("sentencizer")
        engine.to_disk(tmp_path / "engine")
        chosen = Settings(sentences={"engine": str(tmp_path / "engine")})
        run(root, settings=chosen)
        assert worked(run(root, settings=chosen))["markdown_chunks"] == 0
        engine.get_pipe("sentencizer").punct_chars.add(";")
        engine.to_disk(tmp_path / "engine")

        again = worked(run(root, settings=chosen))

        assert (again["markdown_sections"], again["markdown_chunks"], again["flagged_chunks"]) == (0, 4, 5)
        assert (again["excel_rows"], again["excel_chunks"]) == (0, 0)

    @pytest.mark.parametrize("side", ["", "discards"])
    def test_a_torn_product_is_made_again(self, root: Path, side: str) -> None:
        """A crash between two tables of one product leaves work to do, never a mixture."""
        run(root)
        whole = products(root)
        product_path(root / "ws" / "data", "markdown_chunks", partition_key("Garden"), side).unlink()

        assert worked(run(root))["markdown_chunks"] == 2
        assert products(root) == whole

    def test_a_damaged_product_is_made_again(self, root: Path) -> None:
        """Half a file is no file."""
        run(root)
        whole = products(root)
        path = product_path(root / "ws" / "data", "source_files", partition_key("Garden"))
        path.write_bytes(path.read_bytes()[:100])

        run(root)

        assert products(root) == whole


class TestRowGroups:
    def test_borders_follow_the_files_alone(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A row group is a batch of files, so a stage holds one batch, however large the notebook."""
        monkeypatch.setattr("notes_pipeline.stages.reuse.BATCH_FILES", 2)
        for number in range(7):
            write(root, f"Rain/{number}.md", f"# Rain {number}\n\nIt fell on the beds for {number} days.\n")
        run(root)
        for asset in ("source_files", "markdown_sections", "markdown_chunks", "flagged_chunks"):
            file = pq.ParquetFile(product_path(root / "ws" / "data", asset, partition_key("Rain")))
            groups = [
                sorted(set(file.read_row_group(at).column("source_path").to_pylist()))
                for at in range(file.num_row_groups)
            ]
            assert groups == [
                ["Rain/0.md", "Rain/1.md"],
                ["Rain/2.md", "Rain/3.md"],
                ["Rain/4.md", "Rain/5.md"],
                ["Rain/6.md"],
            ]

    def test_files_are_found_across_groups(self, tmp_path: Path) -> None:
        """A file's rows may go on in the next group; those asked for come whole and in order."""
        paths = ["a", "a", "b", "b", "b", "c"]
        notes = [build_discard("x", path, str(at)) for at, path in enumerate(paths)]
        table = table_of(notes, Discard)
        with table_writer(tmp_path / "t.parquet", DISCARDS) as writer:
            for start in (0, 3, 5):
                writer.write_group(table.slice(start, 3 if start == 0 else 2 if start == 3 else 1))

        found = ByFile(tmp_path / "t.parquet").records(["c", "none", "b"], Discard)

        assert {path: [one.text for one in rows] for path, rows in found.items()} == {
            "c": ["5"],
            "none": [],
            "b": ["2", "3", "4"],
        }


class TestGone:
    def test_a_file_that_goes_takes_its_rows_along(self, root: Path) -> None:
        """Nothing of a removed note stays in any table."""
        run(root)
        (root / "notes" / "Garden" / "tools.md").unlink()
        run(root)

        for asset in keys.STAGES:
            table = read_table(product_path(root / "ws" / "data", asset, partition_key("Garden")))
            assert "Garden/tools.md" not in table.column("source_path").to_pylist()

    def test_a_notebook_that_goes_takes_its_products_along(self, root: Path) -> None:
        """All tables of a removed folder go, and the merge does not miss them."""
        run(root)
        shutil.rmtree(root / "notes" / "Sea")
        run(root)

        assert not list((root / "ws" / "data").glob(f"*/{partition_key('Sea')}*"))
        paths = read_table(merged(root).table("documents")).column("source_path").to_pylist()
        assert paths == ["Garden/beds.md", "Garden/plants.xlsx", "Garden/tools.md", "inbox.md"]

    def test_a_run_for_a_notebook_that_is_gone_removes_it(self, root: Path) -> None:
        """The web UI may ask for a folder that was there a minute ago."""
        run(root)
        shutil.rmtree(root / "notes" / "Sea")
        build = build_of(root)

        [outcome] = build_partition(build, partition_key("Sea"), build.scan())

        assert outcome.records == {"": 0}
        assert partition_key("Sea") not in keys_on_disk(build.data, "source_files")


class TestWorkers:
    def test_workers_leave_no_trace(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """The bytes are the same from one process and from several."""
        monkeypatch.setattr("notes_pipeline.stages.reuse.BATCH_FILES", 3)
        for number in range(12):
            write(
                root,
                f"Garden/note {number:02}.md",
                f"# Note {number}\n\n" + "It rains on the beds. " * number,
            )
        run(root)
        alone = products(root)
        shutil.rmtree(root / "ws")
        monkeypatch.setattr(pool, "WORTH_A_PROCESS", 0)
        with Pool(2) as several:
            run(root, several)

        assert products(root) == alone

    def test_little_work_starts_no_process(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Starting a process costs about a second; a few notes cost milliseconds."""
        with Pool(4) as four:
            assert list(four.map(str, [1, 2], size=100)) == ["1", "2"]
            assert four._executor is None


edits = st.lists(
    st.tuples(
        st.sampled_from(["A/one.md", "A/two.md", "A/sub/three.md", "B/four.md", "five.md", "B/six.csv"]),
        st.one_of(
            st.none(),
            st.sampled_from(
                [
                    "",
                    "# T\n",
                    "a,b\n1,2\n",
                    "# T\r\n\r\ntext\r\n",
                    "---\na: 1\n---\ntext",
                    "\x00\x01",
                    "- a\n- b",
                ]
            ),
            st.text(max_size=60),
        ),
    ),
    min_size=1,
    max_size=8,
)


@settings(max_examples=15)
@given(st.lists(edits, min_size=2, max_size=3))
def test_whatever_the_history_the_products_are_those_of_the_files(
    tmp_path_factory: pytest.TempPathFactory, history: list[list[tuple[str, str | None]]]
) -> None:
    """Edits, new files, removed files, in any order: an old workspace ends where a new one begins."""
    root = tmp_path_factory.mktemp("history")
    (root / "notes").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("notes_pipeline.stages.reuse.BATCH_FILES", 2)
        _live_through(root, history)


def _live_through(root: Path, history: list[list[tuple[str, str | None]]]) -> None:
    for round_number, round_of_edits in enumerate(history):
        for path, text in round_of_edits:
            if text is None:
                (root / "notes" / path).unlink(missing_ok=True)
            else:
                os.utime(write(root, path, text.encode("utf-8", "replace")), (LONG_AGO + round_number,) * 2)
        run(root)
    grown = products(root)
    shutil.rmtree(root / "ws", ignore_errors=True)
    run(root)

    assert products(root) == grown
    if grown:
        assert prove(merged(root), Settings()).holds


FAULTS = [
    ("markdown.parse", "Sea/tides.md", NOTES["Sea/tides.md"]),
    ("markdown.chunk", "Sea/tides.md", NOTES["Sea/tides.md"]),
    ("excel.rows.read", "Garden/plants.xlsx", "Leek\tMarch\tnorth bed\nBean\tMay\tsouth wall"),
    ("excel.rows.chunk", "Garden/plants.xlsx", "Plant: Bean; Sown: May; Place: south wall"),
]
"""What breaks, on which file, and what must be among its losses."""


def breaks(patch: pytest.MonkeyPatch, step: str, path: str, error: Exception | None = None) -> None:
    """Makes one step of a stage raise on one file."""
    name = f"notes_pipeline.stages.{step}"
    module, _, function = name.rpartition(".")
    sound = getattr(pkgutil.resolve_name(module), function)

    def broken(first: object, *rest: object) -> object:
        subject = rest[0].document if step == "flagged.flag" else first  # type: ignore[attr-defined]
        if subject.source_path == path and not getattr(subject, "error", ""):  # type: ignore[attr-defined]
            raise error or ZeroDivisionError("a mistake of ours")
        return sound(first, *rest)

    patch.setattr(pkgutil.resolve_name(module), function, broken)


class TestBadFiles:
    @pytest.mark.parametrize(("stage", "path", "lost"), FAULTS)
    def test_a_fault_of_ours_in_one_file_is_told_and_counted(
        self, root: Path, monkeypatch: pytest.MonkeyPatch, stage: str, path: str, lost: str
    ) -> None:
        """Its state names error and line; its text is a discard, whole; all others are built."""
        breaks(monkeypatch, stage, path)
        run(root)
        generation = merged(root)

        states = {row["source_path"]: row for row in read_table(generation.table("documents")).to_pylist()}
        assert states[path]["state"] == "internal_error"
        assert (
            "internal error: ZeroDivisionError: a mistake of ours (test_stages.py:" in states[path]["error"]
        )
        assert states[path]["error"].endswith("please report it")
        assert {row["state"] for name, row in states.items() if name != path} == {"read"}
        discards = read_table(generation.table("discards")).to_pylist()
        assert lost in "\n".join(row["text"] for row in discards if row["reason"] == "internal_error")
        assert path not in read_table(generation.table("chunks")).column("source_path").to_pylist()
        assert prove(generation, Settings()).holds

    def test_what_no_discard_holds_after_a_fault_is_lost(
        self, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A file's state excuses nothing: its text is looked for all the same."""
        breaks(monkeypatch, "markdown.chunk", "Sea/tides.md")
        monkeypatch.setattr(markdown, "lost_note", failed)
        run(root)

        ink = len("".join(NOTES["Sea/tides.md"].split()))
        assert prove(merged(root), Settings()).lost_characters == ink

    @pytest.mark.parametrize("step", ["flag", "decide"])
    @pytest.mark.parametrize("path", ["Sea/tides.md", "Garden/plants.xlsx"])
    def test_chunks_that_no_rule_could_judge_wait_for_a_person(
        self, root: Path, monkeypatch: pytest.MonkeyPatch, step: str, path: str
    ) -> None:
        """A rule that raises costs its file the judgement, not the chunks; and the file's state says so."""
        breaks(monkeypatch, f"flagged.{step}", path)
        run(root)
        generation = merged(root)

        chunks = read_table(generation.table("chunks")).to_pylist()
        assert {
            (row["decision"], row["decision_reason"]) for row in chunks if row["source_path"] == path
        } == {("review", "internal_error")}
        assert "internal_error" not in {
            row["decision_reason"] for row in chunks if row["source_path"] != path
        }
        states = {row["source_path"]: row for row in read_table(generation.table("documents")).to_pylist()}
        assert states[path]["state"] == "internal_error"
        assert prove(generation, Settings()).holds

    def test_a_reader_that_breaks_is_tried_again(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A file that could not even be read through a fault of ours is a state, and no state for ever."""
        with monkeypatch.context() as patch:
            breaks(patch, "snapshot.read", "Sea/tides.md")
            run(root)
            states = read_table(merged(root).table("documents")).to_pylist()
            assert [row["source_path"] for row in states if row["state"] == "internal_error"] == [
                "Sea/tides.md"
            ]

        assert worked(run(root))["markdown_chunks"] == 1

    def test_a_file_at_a_time_breaks_like_a_build(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """chunk shows the same losses and states as a build."""
        breaks(monkeypatch, "markdown.parse", "Sea/tides.md")
        build = build_of(root)
        files = [found for group in build.scan().files.values() for found in group]

        corpus = corpus_of_files(files, build.workspace.settings, build.registry)

        [lost] = [one for one in corpus.discards if one.reason == "internal_error"]
        assert (lost.text, lost.start_line) == (NOTES["Sea/tides.md"], 1)
        assert [one.state for one in corpus.documents].count("internal_error") == 1

    def test_what_the_user_must_mend_stops_the_run(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A mistake in the settings is no fault of one file, and no internal error."""
        breaks(monkeypatch, "markdown.chunk", "Sea/tides.md", UserError("notes.toml", "is wrong", "mend it"))

        with pytest.raises(UserError, match="mend it"):
            run(root)

    def test_a_folder_nobody_may_look_into_is_told(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Its notes leave the corpus, as an unreadable file's chunks do; the folder stands in their place."""
        run(root)
        real = os.scandir

        def refused(path: str | Path) -> object:
            if Path(path).name == "Sea":
                raise PermissionError(13, "Permission denied")
            return real(path)

        monkeypatch.setattr(os, "scandir", refused)
        run(root)
        build = build_of(root)
        generation = merge_partitions(build)
        assert prove_staged(build, generation).holds

        published = publish_with_report(build, generation)

        assert published.bad_files == ("Sea: unreadable: folder cannot be read: Permission denied",)
        paths = read_table(generation.table("documents")).column("source_path").to_pylist()
        assert "Sea" in paths
        assert "Sea/tides.md" not in paths
        monkeypatch.undo()
        run(root)
        assert "Sea/tides.md" in read_table(merged(root).table("chunks")).column("source_path").to_pylist()

    def test_bad_files_are_listed_and_the_rest_is_built(self, root: Path) -> None:
        """Binary, empty, truncated, unknown, dangling: each is a state, none stops the run."""
        write(root, "Sea/binary.md", bytes(range(256)) * 4)
        write(root, "Sea/empty.md", b"")
        write(root, "Sea/chart.png", b"\x89PNG")
        write(root, "Sea/broken.xlsx", b"PK\x03\x04 and no more")
        (root / "notes" / "Sea" / "loop").symlink_to(root / "notes" / "Sea")
        (root / "notes" / "Sea" / "nowhere.md").symlink_to(root / "notes" / "no such note.md")
        run(root)
        generation = merged(root)

        rows = {
            row["source_path"]: row["state"] for row in read_table(generation.table("documents")).to_pylist()
        }
        assert rows["Sea/binary.md"] == "binary"
        assert rows["Sea/empty.md"] == "empty"
        assert rows["Sea/chart.png"] == "unsupported"
        assert rows["Sea/broken.xlsx"] == "unreadable"
        assert rows["Sea/nowhere.md"] == "linked"
        assert rows["Sea/tides.md"] == "read"
        assert prove(generation, Settings()).holds

    def test_an_unreadable_file_is_tried_again(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """What the system refused once says nothing of the next time, though size and time are the same."""
        sound = snapshot.read

        def refused(found: object, settings: Settings) -> object:
            document = sound(found, settings)  # type: ignore[arg-type]
            return document if "tides" not in document.source_path else _unreadable(document)

        monkeypatch.setattr(snapshot, "read", refused)
        run(root)
        monkeypatch.setattr(snapshot, "read", sound)

        assert worked(run(root))["markdown_chunks"] == 1


def _unreadable(document: object) -> object:
    from dataclasses import replace

    return replace(document, state="unreadable", file_hash="", text=None)  # type: ignore[type-var]


class TestCorpus:
    def test_a_half_built_notebook_is_not_merged(self, root: Path) -> None:
        """The merge names what is behind and what to do, instead of mixing old with new."""
        run(root)
        write(root, "Sea/tides.md", "# Tides\n\nThe table on the pier is wrong since the clocks changed.\n")
        build = build_of(root)
        snapshot.source_files(build, partition_key("Sea"), build.scan())

        with pytest.raises(UserError, match="markdown_sections is behind its files; materialise build_all"):
            merge_partitions(build)

    def test_nothing_read_is_nothing_to_merge(self, root: Path) -> None:
        """A merge before the first build says so."""
        with pytest.raises(UserError, match="nothing was read"):
            merge_partitions(build_of(root))

    def test_nothing_new_is_not_merged_again(self, root: Path) -> None:
        """The published generation stands for itself until a product, a label or the code changes."""
        run(root)
        build = build_of(root)
        first = publish_all(build)
        before = (first.path / "chunks.parquet").stat().st_mtime_ns

        again = merge_partitions(build_of(root))

        assert again == first
        assert (first.path / "chunks.parquet").stat().st_mtime_ns == before

    def test_a_label_decides_without_work_on_any_note(self, root: Path) -> None:
        """A reviewer's verdict is applied at the merge, by content."""
        run(root)
        table = read_table(publish_all(build_of(root)).table("chunks"))
        digest = table.column("content_hash")[0].as_py()
        labels = root / "ws" / "qa" / "labels.csv"
        labels.write_text(f"content_hash,chunk_id,rule,verdict,note\n{digest},,,omit,old\n")

        assert set(worked(run(root)).values()) == {0}
        [row] = [
            row
            for row in read_table(merged(root).table("chunks")).to_pylist()
            if row["content_hash"] == digest
        ]
        assert (row["decision"], row["decision_reason"]) == ("omit", "label")

    def test_what_was_not_proved_is_not_published(self, root: Path) -> None:
        """Publishing without holding the laws is refused, and what was there stays."""
        run(root)
        build = build_of(root)
        generation = merge_partitions(build)

        with pytest.raises(UserError, match="was not proved; run the job publish"):
            publish_with_report(build, generation)
        assert not (build.data / "current").exists()

    def test_a_generation_keeps_the_snapshot_it_came_from(self, root: Path) -> None:
        """verify looks at the very texts the chunks were cut from, whatever was read since."""
        run(root)
        build = build_of(root)
        generation = publish_all(build)
        write(root, "Sea/tides.md", "# Tides\n\nEverything here was written anew, after the build.\n")
        newer = build_of(root)
        snapshot.source_files(newer, partition_key("Sea"), newer.scan())

        assert prove(generation, Settings()).holds
        assert stale_files(newer, generation) == ["Sea/tides.md: edited"]

    def test_stale_files_are_told_apart(self, root: Path) -> None:
        """Edited, new, gone: each by name; unchanged ones are not named."""
        run(root)
        generation = publish_all(build_of(root))
        write(root, "Garden/beds.md", "other")
        write(root, "Garden/new.md", "new")
        (root / "notes" / "inbox.md").unlink()

        assert stale_files(build_of(root), generation) == [
            "Garden/beds.md: edited",
            "Garden/new.md: new",
            "inbox.md: gone",
        ]


class TestWarnings:
    def test_what_is_odd_in_a_note_reaches_documents_and_report(self, root: Path) -> None:
        """Front matter, characters, fences and comments; told again where nothing is parsed again."""
        note = "---\ntags: [a\n---\n# Odd\n\nSome text \x00here.\n\n```\nopen\n\n<!-- no\n"
        write(root, "Garden/odd.md", note.replace("\x00", "\xff").encode("latin-1") + "é".encode() * 3)
        write(root, "Sea/hidden.md", "# Seen\n\nText.\n\n<!-- not yet\n\n# Gone\n")
        write(root, "Sea/kb/notes.toml", 'notes = "."\n')
        run(root)
        publish_all(build_of(root))
        write(root, "inbox.md", "A thought that was thought again, and is longer than it was before.\n")
        run(root)
        generation = publish_all(build_of(root))
        table = read_table(generation.table("documents")).select(["source_path", "warnings"]).to_pylist()
        warned = {row["source_path"]: row["warnings"] for row in table if row["warnings"]}
        summary = (generation.qa / "summary.md").read_text()
        page = (generation.qa / "report.html").read_text()

        assert [it.partition(":")[0] for it in warned["Garden/odd.md"]] == [
            "front_matter_error",
            "replaced_characters",
            "unclosed_fence",
        ]
        assert warned["Sea/hidden.md"] == ["unclosed_comment: line 5"]
        assert set(warned) == {"Garden/odd.md", "Sea/hidden.md"}
        assert "| Sea/hidden.md | unclosed_comment: line 5 |" in summary
        assert "unclosed_comment: line 5" in page
        assert "| Sea/kb | workspace: is a workspace of its own (notes.toml) |" in summary


def publish_all(build: Build) -> Generation:
    generation = merge_partitions(build)
    assert prove_staged(build, generation).holds
    publish_with_report(build, staged(build))
    return generation


class TestPartitions:
    @given(st.lists(st.text(min_size=1, max_size=80), unique=True, max_size=20))
    def test_keys_are_distinct_and_any_file_system_holds_them(self, names: list[str]) -> None:
        """Accents, emoji, case, dots and slashes are in the true name, never in the key."""
        made = [partition_key(name) for name in names]

        assert len(set(made)) == len(names)
        assert all(key.isascii() and set(key) <= set("abcdefghijklmnopqrstuvwxyz0123456789-") for key in made)
        assert all(len(key) <= 48 for key in made)

    def test_composed_and_decomposed_names_are_two_notebooks(self) -> None:
        """Two folders on the disk are two partitions, though they look the same."""
        assert partition_key("Caf\u00e9") != partition_key("Cafe\u0301")

    def test_names_that_are_hard_elsewhere(self, root: Path) -> None:
        """Blanks, #, %, emoji and accents in folder and file names go through every stage."""
        for name in ("50 % #1", "Größe 🌊", "Cafe\u0301", "a...b"):
            write(
                root,
                f"{name}/note #1 100%.md",
                "# One\n\nA text long enough that it stands alone as a chunk.\n",
            )
        run(root)
        ids = read_table(merged(root).table("chunks")).column("chunk_id").to_pylist()

        assert any(one.startswith("50 %25 %231/note %231 100%25.md#") for one in ids)
        assert prove(staged(build_of(root)), Settings()).holds

    def test_a_workspace_inside_the_notes_is_not_read(self, tmp_path: Path) -> None:
        """Products, labels and templates of a workspace are no notes, wherever it lies."""
        write(tmp_path, "a.md", "A note beside its own workspace, and the only one that counts.\n")
        notes = tmp_path / "notes"
        for root in (notes, notes / "kb"):
            (root / "qa").mkdir(parents=True)
            (root / "qa" / "labels.csv").write_text("content_hash,verdict\n")
            (root / "templates").mkdir()
            (root / "templates" / "x.md").write_text("no note")
            build = Build(WorkspaceSettings(root=root, notes=notes, settings=Settings()))
            found = [file.source_path for files in build.scan().files.values() for file in files]
            assert "a.md" in found
            assert not [
                path for path in found if path.startswith(str(root.relative_to(notes)).lstrip(".") + "qa")
            ]
            shutil.rmtree(root / "qa")
            shutil.rmtree(root / "templates")

    def test_the_fingerprint_moves_with_names_sizes_and_times(self, root: Path) -> None:
        """What the sensor compares: nothing moved, same print; anything moved, another."""
        run(root)
        build = build_of(root)
        key = partition_key("Sea")

        assert known_fingerprint(build.data, key) == fingerprint(build.scan().files[key])
        write(root, "Sea/tides.md", "longer than it was, or shorter\n")
        assert known_fingerprint(build.data, key) != fingerprint(build.scan().files[key])


def test_footers_say_what_made_a_table(root: Path) -> None:
    """Schema version, settings, reuse key and the hash of every input are in the file itself."""
    run(root)
    for name in products(root):
        footer = pq.read_metadata(root / "ws" / "data" / name).metadata
        assert {b"schema_version", b"settings_hash", b"key", b"inputs", b"records", b"asset"} <= footer.keys()


def test_every_stage_after_the_snapshot_is_in_the_graph() -> None:
    """The order of stages and the table of reuse keys name the same assets."""
    assert ["source_files", *AFTER_SNAPSHOT] == list(keys.STAGES)
