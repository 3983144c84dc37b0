"""``ui``: Dagster's web server and daemon on loopback, on the workspace."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO, Annotated

import typer

from notes_pipeline.cli.options import WorkspaceOption, existing_workspace, require_notes
from notes_pipeline.errors import UserError

_LOOPBACK = "127.0.0.1"
_SECONDS_TO_STOP = 6
_SECONDS_BETWEEN_LOOKS = 0.5


def ui(
    workspace: WorkspaceOption = None,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Where to listen.")] = 3000,
) -> None:
    """Dagster's web UI, on this machine only; while it runs, notes are built as they change."""
    chosen = existing_workspace(workspace)
    require_notes(chosen)
    from notes_pipeline.orchestration.home import open_instance, prepare_home
    from notes_pipeline.orchestration.partitions import register
    from notes_pipeline.stages.build import Build

    _free(port)
    with open_instance(chosen.root) as instance:
        register(instance, list(Build(chosen).scan().files))
    home = prepare_home(chosen.root)
    log = home / "ui.log"
    typer.echo(f"starting on port {port} … (Ctrl-C stops it; log: {log})")
    with log.open("wb") as output:
        process = _start(home, chosen.root, port, output)
        address = f"http://{_LOOPBACK}:{port}"
        threading.Thread(target=announce, args=(process, address), daemon=True).start()
        status = _wait(process)
    if status:
        raise UserError(str(log), f"the web UI ended with status {status}", "its last lines say why")


def _free(port: int) -> None:
    import socket

    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((_LOOPBACK, port))
        except OSError as error:
            raise UserError(f"port {port}", "is taken", "choose another with --port", usage=True) from error


def _start(home: Path, root: Path, port: int, output: IO[bytes]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "dagster", "dev", "--workspace", str(home / "workspace.yaml")]
    command += ["--host", _LOOPBACK, "--port", str(port), "--log-level", "warning"]
    # A session of its own, so that Ctrl-C reaches us alone and we stop its five processes in order; and
    # Ctrl-C itself restored there: Dagster stops on it, and a shell's background job is born deaf to it.
    return subprocess.Popen(
        command,
        cwd=root,
        stdout=output,
        stderr=output,
        start_new_session=True,
        preexec_fn=_hear_interrupts if os.name == "posix" else None,
    )


def _hear_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def announce(process: subprocess.Popen[bytes], address: str) -> None:
    """Says once that the server answers; says nothing if it ends before."""
    from urllib.request import ProxyHandler, build_opener

    # Never through a proxy: it is this machine that is asked.
    opener = build_opener(ProxyHandler({}))
    while process.poll() is None:
        try:
            with opener.open(f"{address}/server_info", timeout=_SECONDS_BETWEEN_LOOKS * 4):
                typer.echo(f"ready: {address}")
                return
        except OSError:
            time.sleep(_SECONDS_BETWEEN_LOOKS)


def _wait(process: subprocess.Popen[bytes]) -> int:
    """Waits for the server's end, or stops it when we are told to stop; returns its status, 0 if stopped."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return process.wait()
    except KeyboardInterrupt:
        _stop(process)
        return 0


def _stop(process: subprocess.Popen[bytes]) -> None:
    typer.echo("stopping …")
    process.send_signal(signal.SIGINT)
    deadline = time.monotonic() + _SECONDS_TO_STOP
    while process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.2)
    if os.name == "posix":
        # The code server outlives its parent by up to a heartbeat; nothing of the session may stay.
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return
    else:
        process.kill()
