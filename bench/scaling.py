"""What a whole build costs as the notes grow: CPU seconds a megabyte, peak memory, and a second build.

    python bench/scaling.py [--megabytes 1,4,16,64] [--file-kilobytes 8] [--notebooks 8]

The notes are made up from a few words, every file different. Each build is a process of its own,
with one worker and without Dagster, whose share does not grow with the notes. Read the ratios:
the cost of a megabyte should not depend on how many there are, and a second build of unchanged
notes should work on no file at all.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

TEXT = """
river gauge bread oven salt harbour tide shelf kiln glaze winter bridge meadow lantern engine letter
boat rope garden apple stove larch water spring road hill mill stone market weather clock window
"""
WORDS = TEXT.split()
STEPS = ("snapshot and stages", "merge", "laws", "report")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--megabytes", default="1,4,16,64")
    parser.add_argument("--file-kilobytes", type=float, default=8)
    parser.add_argument("--notebooks", type=int, default=8)
    parser.add_argument("--one-build", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one_build:
        print(json.dumps(_one_build(arguments.one_build)))
        return
    sizes = [float(size) for size in arguments.megabytes.split(",")]
    print(f"{'MB':>5} {'files':>6} {'CPU s':>7} {'s/MB':>6} {'ratio':>6} {'peak MB':>8}   second build")
    first = 0.0
    for size in sizes:
        first = _measure(size, arguments.file_kilobytes, arguments.notebooks, first)


def _measure(megabytes: float, kilobytes: float, notebooks: int, first: float) -> float:
    """One line of the table; returns the cost a megabyte of the first line."""
    root = Path(tempfile.mkdtemp(prefix="scaling-"))
    try:
        files = _write_notes(root / "notes", megabytes, kilobytes, notebooks)
        once, again = _build(root), _build(root)
    finally:
        shutil.rmtree(root)
    each = once["cpu"] / megabytes
    first = first or each
    worked = sum(again["worked"].values())
    second = f"{worked} files worked on, {again['cpu'] / once['cpu']:.0%} of the first"
    print(
        f"{megabytes:>5g} {files:>6} {once['cpu']:>7.1f} {each:>6.2f} {each / first:>6.2f}"
        f" {once['peak']:>8.0f}   {second}"
    )
    shares = ", ".join(f"{name} {once['steps'][name] / once['cpu']:.0%}" for name in STEPS)
    print(f"      {shares}", flush=True)
    return first


def _write_notes(folder: Path, megabytes: float, kilobytes: float, notebooks: int) -> int:
    random.seed(1)
    count = max(1, round(megabytes * 1000 / kilobytes))
    for number in range(count):
        path = folder / f"Notebook {number % notebooks}" / f"note {number:06}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_note(number, round(kilobytes * 1000)))
        os.utime(path, (1_700_000_000, 1_700_000_000))
    return count


def _note(number: int, size: int) -> str:
    lines = [f"# Note {number}", ""]
    length = 0
    while length < size:
        section = [f"## {_sentence(3)}", "", _paragraph(), "", _paragraph(), ""]
        section += [f"- {_sentence(12)}" for _ in range(4)] + [""]
        lines += section
        length += sum(len(line) + 1 for line in section)
    return "\n".join(lines)[:size] + "\n"


def _paragraph() -> str:
    return " ".join(_sentence(random.randint(6, 18)) for _ in range(4))


def _sentence(words: int) -> str:
    return " ".join(random.choices(WORDS, k=words)).capitalize() + "."


def _build(root: Path) -> dict[str, dict[str, float] | float]:
    command = [sys.executable, __file__, "--one-build", str(root)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    result: dict[str, dict[str, float] | float] = json.loads(done.stdout)
    return result


def _one_build(root: Path) -> dict[str, object]:
    from notes_pipeline.settings import load_workspace
    from notes_pipeline.stages import build_partition
    from notes_pipeline.stages.build import Build
    from notes_pipeline.stages.corpus import merge_partitions
    from notes_pipeline.stages.publish import prove_staged, publish_with_report

    build = Build(load_workspace(root / "workspace", notes=root / "notes"))
    worked: Counter[str] = Counter()
    marks = [time.process_time()]
    scan = build.scan()
    for key in scan.files:
        for outcome in build_partition(build, key, scan):
            worked[outcome.asset] += outcome.worked
    marks.append(time.process_time())
    generation = merge_partitions(build)
    marks.append(time.process_time())
    assert prove_staged(build, generation).holds
    marks.append(time.process_time())
    publish_with_report(build, generation)
    marks.append(time.process_time())
    return {
        "cpu": marks[-1] - marks[0],
        "steps": {name: marks[at + 1] - marks[at] for at, name in enumerate(STEPS)},
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "worked": dict(worked),
    }


if __name__ == "__main__":
    main()
