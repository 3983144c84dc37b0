"""What all tests share: how long hypothesis may think, and which tests this machine cannot run.

A test that needs what a machine may lack is marked for it. It is left out before it runs, and the
end of the run says so plainly, with the remedy; ``.ci/run`` installs what is needed.
"""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

# Machines differ in speed; no test fails for that. The same tree gives the same verdict: examples are
# drawn anew only under HYPOTHESIS=explore, which is how new ones are sought.
_SHARED = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow], "database": None}
settings.register_profile("house", derandomize=True, **_SHARED)
settings.register_profile("explore", **_SHARED)
settings.load_profile(os.environ.get("HYPOTHESIS", "house"))

BROWSERS = ("chromium", "chromium-browser", "google-chrome")

NEEDS = {
    "browser": (
        lambda: any(shutil.which(name) for name in BROWSERS),
        "a browser (Debian: apt install chromium)",
    ),
}
"""Mark to whether this machine has it, and what it is."""

_left_out: Counter[str] = Counter()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what this machine cannot run, and counts it."""
    lacking = {mark for mark, (has, _) in NEEDS.items() if not has()}
    kept, gone = [], []
    for item in items:
        missing = next((mark for mark in sorted(lacking) if item.get_closest_marker(mark)), None)
        if missing is None:
            kept.append(item)
        else:
            gone.append(item)
            _left_out[missing] += 1
    if gone:
        config.hook.pytest_deselected(items=gone)
        items[:] = kept


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says what was left out and what would bring it in; or that nothing was."""
    for mark, count in sorted(_left_out.items()):
        terminalreporter.write_line(f"{count} tests were left out: this machine lacks {NEEDS[mark][1]}")
    if not _left_out:
        terminalreporter.write_line("nothing was left out: this machine has all that the tests need")


@pytest.fixture(scope="session", autouse=True)
def _no_power_cuts() -> Iterator[None]:
    """No test pulls the plug, so none waits for the disk: flushing is most of what small files cost."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda handle: None)
        yield
