"""What Markdown costs that was made, or happened, to break programs: CPU seconds and peak memory as it grows.

    python bench/pathological.py [--shapes NAME,NAME] [--part 1]

Every shape is cut and judged whole, at a quarter, a half and all of its size, each in a process of its
own. The exponent is that of a power law through the three (1.00 is linear); times under a tenth of a
second are the clock's and say nothing. The peak is what the process held beyond what it held before.
``--part 0.1`` makes all shapes a tenth of their size.

Belongs here: shapes of one file. Stays out: how fast common notes are cut (markdown), whole builds (scaling).
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

from notes_pipeline.decide import decide
from notes_pipeline.flags import Context, flag
from notes_pipeline.garbage import collector_paused
from notes_pipeline.records import Chunk
from notes_pipeline.settings import Settings
from notes_pipeline.sources import document_from_bytes
from notes_pipeline.split.chunking import chunk
from notes_pipeline.split.parse import parse


class Shape(NamedTuple):
    """How many of something, and the text with that many."""

    count: int
    unit: str
    make: Callable[[int], str]


_SAID = "The tide comes in and the boats turn at their ropes. "

SHAPES = {
    "lists in lists": Shape(2_000, "levels", lambda n: "".join(f"{'  ' * at}- rope\n" for at in range(n))),
    "bullets on one line": Shape(60_000, "bullets", lambda n: "- " * n + "rope"),
    "quotes in quotes": Shape(100_000, "marks", lambda n: ">" * n + " rope"),
    "divisions never closed": Shape(100_000, "tags", lambda n: "<div>\n\n" * n),
    "one run of backticks": Shape(100_000, "backticks", lambda n: "`" * n),
    "backticks never closed": Shape(
        100_000, "backticks", lambda n: " ".join("`" * at for at in range(1, math.isqrt(2 * n)))
    ),
    "open brackets": Shape(100_000, "brackets", lambda n: "[" * n),
    "links never closed": Shape(100_000, "links", lambda n: "[a](" * n),
    "emphasis never closed": Shape(100_000, "stars", lambda n: "*a " * n),
    "formulas never closed": Shape(100_000, "dollars", lambda n: "$a " * n),
    "comments never closed": Shape(100_000, "comments", lambda n: "rope <!-- a\n\n" * n),
    "link definitions": Shape(100_000, "lines", lambda n: "".join(f"[{at}]: pier\n" for at in range(n))),
    "footnotes": Shape(
        40_000, "footnotes", lambda n: "".join(f"rope[^{at}]\n\n[^{at}]: pier\n\n" for at in range(n))
    ),
    "headings": Shape(100_000, "headings", lambda n: "".join(f"# Part {at}\n\n" for at in range(n))),
    "headings with a body": Shape(
        100_000, "headings", lambda n: "".join(f"## Part {at}\n\n{_SAID}\n\n" for at in range(n))
    ),
    "a section of one line": Shape(
        200_000, "characters", lambda n: f"# One\n\n{_SAID * (n // len(_SAID))}\n\n# Two\n\nEnd.\n"
    ),
    "a section of paragraphs": Shape(
        20_000_000, "characters", lambda n: "# One\n\n" + f"{_SAID}\n\n" * (n // len(_SAID))
    ),
    "a line of sentences": Shape(50_000_000, "characters", lambda n: _SAID * (n // len(_SAID))),
    "a line without blanks": Shape(50_000_000, "characters", lambda n: "QUJDREVG" * (n // 8)),
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--shapes", default=",".join(SHAPES))
    parser.add_argument("--part", type=float, default=1.0)
    parser.add_argument("--one", nargs=2, metavar=("SHAPE", "COUNT"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(_cost(*arguments.one)))
        return
    columns = f"{'MB':>7} {'CPU s':>7} {'MB/s':>7} {'exponent':>8} {'peak MB':>8} {'chunks':>8}"
    print(f"{'shape':24} {'':>22} {columns}")
    for name in arguments.shapes.split(","):
        _measure(name, arguments.part)


def _measure(name: str, part: float) -> None:
    shape = SHAPES[name]
    counts = [max(1, int(shape.count * part * share)) for share in (0.25, 0.5, 1)]
    costs = [_in_a_process(name, count) for count in counts]
    last = costs[-1]
    columns = (
        f"{last['megabytes']:>7.2f} {last['cpu']:>7.2f} {last['megabytes'] / last['cpu']:>7.2f}"
        f" {_exponent(costs):>8} {last['peak']:>8.0f} {last['chunks']:>8.0f}"
    )
    print(f"{name:24} {counts[-1]:>11,} {shape.unit:10} {columns}", flush=True)


def _exponent(costs: list[dict[str, float]]) -> str:
    """Growth from the first to the last, where both are long enough to be told from the clock's own noise."""
    first, last = costs[0], costs[-1]
    if first["cpu"] < 0.025:
        return "-"
    growth = math.log(last["cpu"] / first["cpu"]) / math.log(last["megabytes"] / first["megabytes"])
    return f"{growth:.2f}"


def _in_a_process(name: str, count: int) -> dict[str, float]:
    command = [sys.executable, __file__, "--one", name, str(count)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    result: dict[str, float] = json.loads(done.stdout)
    return result


def _cost(name: str, count: str) -> dict[str, float]:
    settings = Settings()
    _path(b"# Warm\n\nA rope.\n", settings)  # what is imported late is no cost of the shape
    data = SHAPES[name].make(int(count)).encode()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.process_time()
    chunks = _path(data, settings)
    return {
        "megabytes": len(data) / 1e6,
        "cpu": max(time.process_time() - started, 1e-4),
        "peak": (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024,
        "chunks": chunks,
    }


def _path(data: bytes, settings: Settings) -> int:
    """From bytes to judged chunks, the collector paused as in a build; how many there are."""
    with collector_paused():
        document = document_from_bytes("one.md", data, settings)
        sections = parse(document, settings)
        made = [it for it in chunk(document, sections, settings) if isinstance(it, Chunk)]
        context = Context(document=document, sections=sections, rows=(), settings=settings)
        return len([decide(it, settings) for it in flag(made, context)])


if __name__ == "__main__":
    main()
