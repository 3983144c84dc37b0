"""Truths about the web UI: it comes up on a workspace, shows its graph, and goes when it is told to."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from notes_pipeline.cli import ui

GRAPH = "locations/notes_pipeline/asset-groups/corpus/lineage"
ASSETS = ("markdown_chunks", "excel_chunks", "flagged_chunks", "notes_corpus", "qa_artifacts")
"""What stands in the graph of the group corpus, with its neighbours."""

PATIENCE = 80
"""Seconds a slow machine may take to start it; no test fails for being slow before that."""


@pytest.fixture
def handlers() -> Iterator[None]:
    """What this process does on signals, put back after."""
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.getsignal(number) for number in numbers}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("handlers")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("hears", [True, False])
def test_told_to_stop_it_leaves_no_process(
    monkeypatch: pytest.MonkeyPatch, number: signal.Signals, hears: bool
) -> None:
    """Ctrl-C or a plain kill: the server is asked, then made to go, with all it started."""
    monkeypatch.setattr(ui, "_SECONDS_TO_STOP", 5 if hears else 0.2)
    handler = "default_int_handler" if hears else "SIG_IGN"
    code = f"import time; from signal import *; signal(SIGINT, {handler}); print(flush=True); time.sleep(60)"
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as server:
        assert server.stdout is not None
        server.stdout.readline()
        teller = threading.Timer(0.2, os.kill, (os.getpid(), number))
        teller.start()

        status = ui._wait(server)

        assert status == 0
        assert (server.wait() == -signal.SIGKILL) is not hears


def test_it_says_when_it_is_ready(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Once the address answers and not before; nothing where the server ends first."""
    monkeypatch.setattr(ui, "_SECONDS_BETWEEN_LOOKS", 0.05)
    (tmp_path / "server_info").write_text("{}")
    port = _free_port()
    slow = "import sys, time, runpy; time.sleep(0.3); sys.argv = ['x', sys.argv[1], '--bind', '127.0.0.1']"
    code = f"{slow}; runpy.run_module('http.server', run_name='__main__')"
    with subprocess.Popen(
        [sys.executable, "-c", code, str(port)],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as server:
        ui.announce(server, f"http://127.0.0.1:{port}")
        assert capsys.readouterr().out == f"ready: http://127.0.0.1:{port}\n"
        server.terminate()
        server.wait()
        ui.announce(server, f"http://127.0.0.1:{port}")
        assert capsys.readouterr().out == ""


@pytest.mark.browser
def test_the_graph_of_a_workspace_is_there_for_the_eye(tmp_path: Path) -> None:
    """On loopback, in a browser: the asset graph with its names; told to stop, nothing of it stays."""
    (tmp_path / "notes" / "Orchard").mkdir(parents=True)
    (tmp_path / "notes" / "Orchard" / "apples.md").write_text("# Apples\n\nThe russet keeps until Easter.\n")
    (tmp_path / "notes.toml").write_text('notes = "notes"\n')
    port = _free_port()
    command = [sys.executable, "-m", "notes_pipeline.cli", "ui", "--workspace", str(tmp_path)]
    with subprocess.Popen([*command, "--port", str(port)], stdout=subprocess.DEVNULL) as process:
        try:
            _await_server(f"http://127.0.0.1:{port}", process)
            shown = _text_of(f"http://127.0.0.1:{port}/{GRAPH}", ASSETS)
        finally:
            process.terminate()
            status = process.wait()

    assert [name for name in ASSETS if name not in shown] == []
    assert status == 0
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _await_server(address: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/server_info", timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.3)
    raise AssertionError(f"no server at {address}, status {process.poll()}")


def _text_of(address: str, awaited: Sequence[str]) -> str:
    """What a page reads once all of ``awaited`` is on it."""
    from playwright.sync_api import sync_playwright

    names = ("chromium", "chromium-browser", "google-chrome")
    path = next(found for found in map(shutil.which, names) if found)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1600, "height": 1000})
        page.goto(address, timeout=PATIENCE * 1000)
        for name in awaited:
            page.get_by_text(name).first.wait_for(timeout=PATIENCE * 1000)
        text = page.inner_text("body")
        browser.close()
    return str(text)
