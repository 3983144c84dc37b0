"""Truths about the graph: its names, what stops a build, what the sensor asks for, and equal bytes."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
import yaml
from sqlalchemy import NullPool, create_engine, text

from notes_pipeline.corpus.generations import current
from notes_pipeline.corpus.laws import LAWS, Material
from notes_pipeline.definitions import defs
from notes_pipeline.errors import UserError
from notes_pipeline.orchestration import home, sensors
from notes_pipeline.orchestration.bookkeeping import databases_held_open
from notes_pipeline.orchestration.partitions import NOTEBOOKS, range_tags, register
from notes_pipeline.orchestration.resource import Running, Watcher
from notes_pipeline.orchestration.run import run_build
from notes_pipeline.settings import load_workspace
from notes_pipeline.stages import flagged
from notes_pipeline.stages.build import Build
from notes_pipeline.stages.partitions import partition_key
from notes_pipeline.stages.pool import Pool
from notes_pipeline.stages.proof import Proof

ROOT = Path(__file__).resolve().parent.parent
LONG_AGO = 1_700_000_000

NOTES = {
    "Orchard/apples.md": "# Apples\n\nThe russet keeps until Easter if it is picked dry and laid on straw.\n",
    "Orchard/wasps.md": "# Wasps\n\nA jar of beer under the pear tree keeps the wasps from the table.\n",
    "Attic/boxes.csv": "Box,Content,Shelf\n1,winter curtains and two lamps,upper\n2,old letters,lower\n",
    "loose.md": "A loose leaf about the chimney sweep, who comes on the second Monday in May.\n",
}
QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
SECRET_WORDS = ("russet", "curtains", "chimney")


def write(root: Path, source_path: str, text: str) -> None:
    path = root / "notes" / source_path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    os.utime(path, (LONG_AGO, LONG_AGO))


@pytest.fixture(scope="session")
def empty_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Dagster's databases without a run in them: making them takes longer than most tests."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("DAGSTER_HOME", "DAGSTER_DISABLE_TELEMETRY", home.WORKSPACE_VARIABLE):
            patch.setenv(name, "")
        folder = tmp_path_factory.mktemp("home")
        with home.open_instance(folder) as instance:
            instance.get_dynamic_partitions(NOTEBOOKS)
            instance.get_run_records(limit=1)
        return folder / ".dagster"


@pytest.fixture
def root(tmp_path: Path, empty_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with its notes inside, and the environment put back after."""
    shutil.copytree(empty_home, tmp_path / ".dagster")
    for name in ("DAGSTER_HOME", "DAGSTER_DISABLE_TELEMETRY", home.WORKSPACE_VARIABLE):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    for path, note in NOTES.items():
        write(tmp_path, path, note)
    (tmp_path / "notes.toml").write_text('notes = "notes"\n')
    return tmp_path


def build_at(root: Path) -> Build:
    return Build(load_workspace(root), Pool(1))


def run(root: Path, watcher: Watcher | None = None) -> bool:
    return run_build(build_at(root), watcher or Watcher(), lambda: None)


def tables(root: Path) -> dict[str, str]:
    data = root / "data"
    paths = [path for path in data.rglob("*.parquet") if ".generations" not in path.parts]
    return {str(p.relative_to(data)): hashlib.sha256(p.read_bytes()).hexdigest() for p in sorted(paths)}


@pytest.fixture
def ephemeral() -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.ephemeral() as instance:
        yield instance


def execute(
    root: Path,
    instance: dg.DagsterInstance,
    job: str,
    tags: dict[str, str] | None = None,
    key: str | None = None,
) -> dg.ExecuteInProcessResult:
    """A run as the web UI starts one."""
    return (
        defs()
        .resolve_job_def(job)
        .execute_in_process(
            instance=instance,
            tags=tags or {},
            partition_key=key,
            resources={"running": Running(build_at(root))},
            run_config=QUIET,
            raise_on_error=False,
        )
    )


class TestGraph:
    def test_the_names_are_those_of_the_interface(self) -> None:
        """Assets, groups, jobs and sensors are promises."""
        graph = defs().resolve_asset_graph()

        groups = {node.key.to_user_string(): node.group_name for node in graph.asset_nodes}
        assert groups == {
            "source_files": "ingest",
            "markdown_sections": "markdown",
            "markdown_chunks": "markdown",
            "excel_rows": "excel",
            "excel_chunks": "excel",
            "flagged_chunks": "corpus",
            "notes_corpus": "corpus",
            "qa_artifacts": "qa",
        }
        repository = defs().get_repository_def()
        assert {"build_all", "publish"} <= set(repository.job_names)
        assert [sensor.name for sensor in repository.sensor_defs] == ["notebook_sensor"]

    def test_each_asset_follows_those_it_is_made_from(self) -> None:
        """The arrows of the interface, and no others."""
        graph = defs().resolve_asset_graph()

        parents = {
            node.key.to_user_string(): {key.to_user_string() for key in node.parent_keys}
            for node in graph.asset_nodes
        }
        assert parents["markdown_sections"] == parents["excel_rows"] == {"source_files"}
        assert parents["flagged_chunks"] == {"markdown_chunks", "excel_chunks"}
        assert parents["notes_corpus"] == {"flagged_chunks"}
        assert parents["qa_artifacts"] == {"notes_corpus"}

    def test_every_law_is_a_blocking_check_and_bad_files_is_not(self) -> None:
        """A new law is a new check without a line here."""
        specs = {spec.name: spec for checks in defs().asset_checks or () for spec in checks.check_specs}

        assert set(LAWS) < set(specs)
        assert [name for name, spec in specs.items() if not spec.blocking] == ["bad_files"]
        assert all(spec.description for spec in specs.values())

    def test_one_partition_a_notebook_and_one_process_a_run(self) -> None:
        """Files are never partitions, steps are never processes."""
        definitions = defs()
        [partitions] = {
            node.partitions_def.name
            for node in definitions.resolve_asset_graph().asset_nodes
            if isinstance(node.partitions_def, dg.DynamicPartitionsDefinition)
        }

        assert partitions == NOTEBOOKS
        assert definitions.executor is dg.in_process_executor

    def test_the_location_has_one_name_everywhere(self) -> None:
        """Sensor state and backfills are kept by the name of the location."""
        [location] = yaml.safe_load((ROOT / "workspace.yaml").read_text())["load_from"]

        assert location["python_module"]["location_name"] == home.LOCATION == "notes_pipeline"

    def test_dagster_is_known_in_one_room_only(self) -> None:
        """Every other module imports without it."""
        code = (
            "import sys, pkgutil, importlib, notes_pipeline as p\n"
            "for m in pkgutil.walk_packages(p.__path__, 'notes_pipeline.'):\n"
            "    if not m.name.startswith(('notes_pipeline.orchestration', 'notes_pipeline.definitions',\n"
            "                              'notes_pipeline.cli.progress', 'notes_pipeline.cli.__main__')):\n"
            "        importlib.import_module(m.name)\n"
            "sys.exit(any(name.split('.')[0] == 'dagster' for name in sys.modules))"
        )
        assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


class TestHome:
    def test_dagster_stays_at_home(self, root: Path) -> None:
        """Its files are in the workspace, its telemetry is off, what runs print is not kept."""
        kept = yaml.safe_load((home.prepare_home(root) / "dagster.yaml").read_text())

        assert os.environ["DAGSTER_HOME"] == str(root / ".dagster")
        assert kept["telemetry"] == {"enabled": False}
        assert kept["concurrency"]["runs"]["max_concurrent_runs"] == 2
        assert kept["compute_logs"]["class"] == "NoOpComputeLogManager"

    def test_what_a_user_changed_there_stays(self, root: Path) -> None:
        """The configuration is written once."""
        folder = home.prepare_home(root)
        (folder / "dagster.yaml").write_text("telemetry:\n  enabled: false\n")
        home.prepare_home(root)

        assert "concurrency" not in (folder / "dagster.yaml").read_text()

    def test_databases_stay_open_for_a_build_and_are_let_go_after(self, tmp_path: Path) -> None:
        """While one connection is ours, closing another leaves the log beside the database unflushed."""
        engine = create_engine(f"sqlite:///{tmp_path}/kept.db", poolclass=NullPool)
        with databases_held_open():
            for number in range(2):
                with engine.begin() as connection:
                    connection.execute(text("PRAGMA journal_mode=WAL"))
                    connection.execute(text(f"CREATE TABLE t{number} (a)"))
            assert (tmp_path / "kept.db-wal").exists()
        assert not (tmp_path / "kept.db-wal").exists()
        with engine.begin() as connection:
            connection.execute(text("INSERT INTO t1 VALUES (1)"))


class TestBuild:
    def test_a_run_of_the_web_ui_gives_the_same_bytes_as_the_command_line(
        self, root: Path, tmp_path_factory: pytest.TempPathFactory, ephemeral: dg.DagsterInstance
    ) -> None:
        """Notebook by notebook in another order, then publish: every table is the same."""
        assert run(root)
        other = tmp_path_factory.mktemp("other")
        shutil.copytree(root / "notes", other / "notes")
        shutil.copy(root / "notes.toml", other)
        keys = list(build_at(other).scan().files)
        register(ephemeral, keys)
        for key in reversed(keys):
            assert execute(other, ephemeral, "build_all", key=key).success
        assert execute(other, ephemeral, "publish").success

        assert tables(other) == tables(root)

    def test_a_missing_engine_fails_a_run_of_the_web_ui_with_its_line(
        self, root: Path, ephemeral: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Before the first step, and nothing is written."""
        with (root / "notes.toml").open("a") as file:
            file.write('[sentences]\nengine = "en_core_web_trf"\n')
        monkeypatch.setenv(home.WORKSPACE_VARIABLE, str(root))
        job = defs().resolve_job_def("publish")

        result = job.execute_in_process(instance=ephemeral, run_config=QUIET, raise_on_error=False)

        [failure] = [event for event in result.all_events if event.is_job_failure]
        error = failure.job_failure_data.error
        assert not result.success
        assert error is not None
        assert error.cause is not None
        assert "Failure: notes.toml, sentences.engine = 'en_core_web_trf'" in error.cause.message
        assert "python -m spacy download en_core_web_trf" in error.cause.message
        assert not (root / "data").exists()

    def test_a_range_is_one_run_over_all_its_notebooks(
        self, root: Path, ephemeral: dg.DagsterInstance
    ) -> None:
        """What a backfill of the web UI starts."""
        keys = list(build_at(root).scan().files)
        register(ephemeral, keys)
        result = execute(root, ephemeral, "build_all", range_tags(keys, keys))

        assert result.success
        for key in keys:
            assert (root / "data" / "flagged_chunks" / f"{key}.parquet").exists()
        assert set(ephemeral.get_materialized_partitions(dg.AssetKey("flagged_chunks"))) == set(keys)

    def test_metadata_holds_counts_and_ids_but_no_word_of_a_note(
        self, root: Path, ephemeral: dg.DagsterInstance
    ) -> None:
        """Dagster's pages are open to whoever reaches the port."""
        keys = list(build_at(root).scan().files)
        register(ephemeral, keys)
        runs = [
            execute(root, ephemeral, "build_all", range_tags(keys, keys)),
            execute(root, ephemeral, "publish"),
        ]

        said = " ".join(str(event) for result in runs for event in result.all_events)
        assert "files_worked_on" in said
        assert "build_hash" in said
        assert not [word for word in SECRET_WORDS if word in said]

    def test_a_broken_law_stops_the_report_and_leaves_the_last_good_build(
        self, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Checks look at what was staged, before it takes anybody's place."""
        assert run(root)
        good = current(root / "data")
        write(
            root, "Orchard/apples.md", "# Apples\n\nThis year the frost came in May and took the blossom.\n"
        )
        monkeypatch.setitem(LAWS, "slices", _always_broken)
        seen = _Seen()

        assert not run(root, seen)
        assert current(root / "data") == good
        assert seen.proof_ is not None
        assert set(seen.proof_.broken) == {"slices"}
        monkeypatch.undo()
        assert run(root)
        assert current(root / "data") != good

    def test_bad_files_warn_and_the_build_goes_on(
        self, root: Path, ephemeral: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A broken workbook, or a note that breaks a rule of ours, is a yellow mark, not a red run."""
        monkeypatch.setattr(flagged, "flag", _breaks_on("Orchard/wasps.md", flagged.flag))
        (root / "notes" / "Attic" / "broken.xlsx").write_bytes(b"PK\x03\x04 and no more")
        keys = list(build_at(root).scan().files)
        register(ephemeral, keys)
        execute(root, ephemeral, "build_all", range_tags(keys, keys))
        result = execute(root, ephemeral, "publish")

        [check] = [one for one in result.get_asset_check_evaluations() if one.check_name == "bad_files"]
        assert result.success
        assert not check.passed
        assert check.severity == dg.AssetCheckSeverity.WARN
        assert check.metadata["files"].value == [
            "Attic/broken.xlsx: unreadable",
            "Orchard/wasps.md: internal_error",
        ]

    def test_an_error_of_a_step_reaches_the_caller_as_it_is(self, root: Path) -> None:
        """A template that is wrong is told with file and line, not as a stack of Dagster's frames."""
        (root / "templates" / "rows").mkdir(parents=True)
        (root / "templates" / "rows" / "bad.yaml").write_text("version: 2\n")

        with pytest.raises(UserError, match=r"bad\.yaml:1"):
            run(root)

    def test_no_files_is_an_error_and_drops_nothing(self, root: Path) -> None:
        """A folder that is not mounted must not look like a folder that was emptied."""
        assert run(root)
        before = tables(root)
        shutil.rmtree(root / "notes")
        (root / "notes").mkdir()

        with pytest.raises(UserError, match="no files to read"):
            run(root)
        assert tables(root) == before

    def test_a_run_whose_process_died_does_not_stay_open(self, root: Path) -> None:
        """After a kill in mid-run the web UI must not show a build at work for ever."""
        with home.open_instance(root) as instance:
            job = defs().resolve_job_def("publish")
            made = {"notes_pipeline/made_by": "command line"}
            dead = instance.create_run_for_job(job, status=dg.DagsterRunStatus.STARTED, tags=made)
        assert run(root)

        with home.open_instance(root) as instance:
            kept = instance.get_run_by_id(dead.run_id)
            assert kept is not None
            assert kept.status == dg.DagsterRunStatus.FAILURE

    def test_notebooks_that_go_are_dropped_everywhere(self, root: Path) -> None:
        """Key, products and chunks of a removed folder go with the next build."""
        assert run(root)
        shutil.rmtree(root / "notes" / "Attic")

        assert run(root)
        with home.open_instance(root) as instance:
            assert partition_key("Attic") not in instance.get_dynamic_partitions(NOTEBOOKS)
        assert not list((root / "data").glob(f"*/{partition_key('Attic')}*"))


def _breaks_on(path: str, sound: Callable[..., Any]) -> Callable[..., Any]:
    def flag(chunks: Any, context: Any) -> Any:
        if context.document.source_path == path:
            raise ZeroDivisionError("a mistake of ours")
        return sound(chunks, context)

    return flag


def _always_broken(material: Material, settings: Any) -> Iterator[tuple[str, str]]:
    yield "1", "broken on purpose"


class _Seen(Watcher):
    proof_: Proof | None = None

    def proof(self, proof: Proof) -> None:
        self.proof_ = proof


@pytest.fixture(params=["ephemeral", "sqlite"])
def instance(request: pytest.FixtureRequest) -> Iterator[dg.DagsterInstance]:
    """Both storages: one hides what the other refuses."""
    make: Callable[[], Any] = (
        dg.DagsterInstance.ephemeral if request.param == "ephemeral" else dg.instance_for_test
    )
    with make() as made:
        yield made


class TestSensor:
    def test_new_then_published_then_silent(
        self, root: Path, instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """First the notebooks are built, in one run; then the merge; then nothing is asked for."""
        monkeypatch.setenv(home.WORKSPACE_VARIABLE, str(root))
        first = look(instance)
        keys = list(build_at(root).scan().files)
        assert [request.job_name for request in first.run_requests] == ["build_all"]
        assert first.run_requests[0].tags == range_tags(keys, keys)

        assert execute(root, instance, "build_all", dict(first.run_requests[0].tags)).success
        second = look(instance)
        assert [request.job_name for request in second.run_requests] == ["publish"]

        assert execute(root, instance, "publish").success
        assert look(instance).run_requests == []

    def test_what_changed_is_asked_for_and_no_more(
        self, root: Path, ephemeral: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """An edit asks for its own notebook, once for each state of it."""
        monkeypatch.setenv(home.WORKSPACE_VARIABLE, str(root))
        built(root, ephemeral)
        write(root, "Orchard/apples.md", "# Apples\n\nPicked late this year, and all the better for it.\n")

        [request] = look(ephemeral).run_requests
        [again] = look(ephemeral).run_requests

        key = partition_key("Orchard")
        assert request.tags == {
            "dagster/asset_partition_range_start": key,
            "dagster/asset_partition_range_end": key,
        }
        assert request.run_key == again.run_key
        write(
            root, "Orchard/apples.md", "# Apples\n\nPicked late this year, and then it rained on the straw.\n"
        )
        assert look(ephemeral).run_requests[0].run_key != request.run_key

    def test_other_settings_ask_for_everything(
        self, root: Path, ephemeral: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A preset changed in notes.toml makes all products old."""
        monkeypatch.setenv(home.WORKSPACE_VARIABLE, str(root))
        built(root, ephemeral)
        (root / "notes.toml").write_text('notes = "notes"\npreset = "structure"\n')

        [request] = look(ephemeral).run_requests

        keys = list(build_at(root).scan().files)
        assert request.tags == range_tags(keys, keys)

    def test_gone_is_dropped_and_merged_anew(
        self, root: Path, ephemeral: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The key goes, the products go, and the merge is due."""
        monkeypatch.setenv(home.WORKSPACE_VARIABLE, str(root))
        built(root, ephemeral)
        shutil.rmtree(root / "notes" / "Attic")

        result = look(ephemeral)

        assert [request.job_name for request in result.run_requests] == ["publish"]
        assert partition_key("Attic") not in ephemeral.get_dynamic_partitions(NOTEBOOKS)

    def test_an_empty_folder_drops_nothing(
        self, root: Path, ephemeral: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Notes that are not mounted are no notes removed."""
        monkeypatch.setenv(home.WORKSPACE_VARIABLE, str(root))
        built(root, ephemeral)
        before = tables(root)
        shutil.rmtree(root / "notes")

        result = sensors.notebook_sensor(dg.build_sensor_context(instance=ephemeral))

        assert isinstance(result, dg.SkipReason)
        assert tables(root) == before
        assert len(ephemeral.get_dynamic_partitions(NOTEBOOKS)) == 3


def look(instance: dg.DagsterInstance) -> dg.SensorResult:
    """One tick, its requests about partitions carried out as the daemon does."""
    result = sensors.notebook_sensor(dg.build_sensor_context(instance=instance))
    assert isinstance(result, dg.SensorResult)
    for request in result.dynamic_partitions_requests or ():
        if isinstance(request, dg.AddDynamicPartitionsRequest):
            instance.add_dynamic_partitions(NOTEBOOKS, list(request.partition_keys))
        else:
            for key in request.partition_keys:
                instance.delete_dynamic_partition(NOTEBOOKS, key)
    return result


def built(root: Path, instance: dg.DagsterInstance) -> None:
    keys = list(build_at(root).scan().files)
    register(instance, keys)
    assert execute(root, instance, "build_all", range_tags(keys, keys)).success
    assert execute(root, instance, "publish").success


def test_ranges_follow_the_order_of_registration() -> None:
    """One run covers all that is wanted; what lies between is unchanged and costs nothing."""
    tags = range_tags(["b", "c", "a", "d"], ["a", "b"])

    assert list(tags.values()) == ["b", "a"]
