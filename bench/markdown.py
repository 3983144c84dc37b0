"""How fast Markdown is cut, in MB per CPU second, and how its cost grows.

    python bench/markdown.py FOLDER [--preset NAME] [--megabytes 1,4,16,64] [--rounds 5]

Prints, over the same files in one run: the whole path (bytes to judged chunks), stage by stage over
a batch as a build walks it and note by note, its stages, the bare parser (only walking its events
from Python), and the ratios the project wants beside them; then the growth of the cost with the size
of the input, as the exponent of a power law (1.00 is linear), for many notes and for one note of many
sections, of many paragraphs, and of one line.

Two public splitters are measured beside it where they are installed:

    pip install langchain-text-splitters==1.1.* spacy==3.8.*

Belongs here: measuring. Stays out: every judgement of a chunk's quality.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pyromark

from notes_pipeline.decide import decide
from notes_pipeline.flags import Context, flag
from notes_pipeline.records import Chunk, Document, Section
from notes_pipeline.settings import Settings, preset_named
from notes_pipeline.sources import document_from_bytes
from notes_pipeline.split.chunking import chunk
from notes_pipeline.split.inline import OPTIONS
from notes_pipeline.split.parse import parse
from notes_pipeline.stages.reuse import Input, batches

Files = Sequence[tuple[str, bytes]]

WHOLE, BARE = "whole path", "bare parser"
TARGETS = {BARE: 0.2, "LangChain headers + recursive": 1.6, "LangChain headers + spaCy": 14.0}
"""How many times as fast as each the whole path is to be."""


def main() -> None:
    arguments = _arguments()
    settings = Settings(preset=preset_named(arguments.preset))
    files = [(str(path), path.read_bytes()) for path in sorted(arguments.folder.rglob("*.md"))]
    if not files:
        sys.exit(f"{arguments.folder}: holds no .md file; name a folder of notes")
    megabytes = sum(len(data) for _, data in files) / 1e6
    print(
        f"{len(files)} files, {megabytes:.2f} MB, preset {settings.preset.name}, best of {arguments.rounds}"
    )
    _speed(files, megabytes, settings, arguments.rounds)
    sizes = [float(size) for size in arguments.megabytes.split(",")]
    for name, make in _SHAPES.items():
        _growth(name, make, files, sizes, settings)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?", default=Path("examples/notes"))
    parser.add_argument("--preset", default="default")
    parser.add_argument("--megabytes", default="1,4,16,64")
    parser.add_argument("--rounds", type=int, default=5)
    return parser.parse_args()


def _speed(files: Files, megabytes: float, settings: Settings, rounds: int) -> None:
    documents = [document_from_bytes(path, data, settings) for path, data in files]
    texts = [document.text or "" for document in documents]
    sections = [parse(document, settings) for document in documents]
    pairs = list(zip(documents, sections, strict=True))
    chunks = [_cut(document, own, settings) for document, own in pairs]
    flagged = [_flag(d, s, made, settings) for (d, s), made in zip(pairs, chunks, strict=True)]
    stages = {
        WHOLE: _best(lambda: _path(files, settings), rounds),
        "  note by note": _best(lambda: [_path([file], settings) for file in files], rounds),
        "  read": _best(lambda: [document_from_bytes(p, d, settings) for p, d in files], rounds),
        "  parse": _best(lambda: [parse(document, settings) for document in documents], rounds),
        "  chunk": _best(lambda: [_cut(document, own, settings) for document, own in pairs], rounds),
        "  flag": _best(
            lambda: [_flag(d, s, made, settings) for (d, s), made in zip(pairs, chunks, strict=True)], rounds
        ),
        "  decide": _best(lambda: [decide(it, settings) for made in flagged for it in made], rounds),
        BARE: _best(lambda: [_walk(text) for text in texts], rounds),
    }
    for name, split in _peers().items():
        stages[name] = _best(lambda split=split: [split(text) for text in texts], rounds)
    for name, seconds in stages.items():
        print(f"  {name:32} {megabytes / seconds:8.2f} MB per CPU second")
    for name, target in TARGETS.items():
        if name in stages:
            print(f"  whole path / {name:32} {stages[name] / stages[WHOLE]:6.2f}   wanted: {target}")


def _path(files: Files, settings: Settings) -> None:
    """Every file through every stage, a batch at a time: a stage's code stays warm from note to note."""
    data = dict(files)
    for batch in batches([Input(path, "", len(content)) for path, content in files]):
        documents = [document_from_bytes(it.source_path, data[it.source_path], settings) for it in batch]
        sections = [parse(document, settings) for document in documents]
        pairs = list(zip(documents, sections, strict=True))
        chunks = [_cut(document, own, settings) for document, own in pairs]
        for (document, own), made in zip(pairs, chunks, strict=True):
            for flagged in _flag(document, own, made, settings):
                decide(flagged, settings)


def _cut(document: Document, sections: Sequence[Section], settings: Settings) -> list[Chunk]:
    return [made for made in chunk(document, sections, settings) if isinstance(made, Chunk)]


def _flag(
    document: Document, sections: Sequence[Section], chunks: Sequence[Chunk], settings: Settings
) -> list[Chunk]:
    return flag(chunks, Context(document=document, sections=sections, rows=(), settings=settings))


def _walk(text: str) -> int:
    return sum(1 for _ in pyromark.events_with_range(text, options=OPTIONS))


def _best(work: Callable[[], object], rounds: int) -> float:
    seconds = []
    for _ in range(rounds):
        started = time.process_time()
        work()
        seconds.append(time.process_time() - started)
    return max(min(seconds), 1e-9)


def _peers() -> dict[str, Callable[[str], object]]:
    try:
        from langchain_text_splitters import (
            MarkdownHeaderTextSplitter,
            RecursiveCharacterTextSplitter,
            SpacyTextSplitter,
        )
    except ImportError:
        print("  (public splitters left out: langchain-text-splitters is not installed)")
        return {}
    marks = [("#" * level, f"h{level}") for level in range(1, 7)]
    headers = MarkdownHeaderTextSplitter(marks, strip_headers=False)
    recursive = RecursiveCharacterTextSplitter(chunk_size=1000, chunk_overlap=0)
    sentences = SpacyTextSplitter(pipeline="sentencizer", chunk_size=1000, chunk_overlap=0)
    return {
        "LangChain headers + recursive": lambda text: recursive.split_documents(headers.split_text(text)),
        "LangChain headers + spaCy": lambda text: sentences.split_documents(headers.split_text(text)),
    }


def _many_notes(files: Files, size: int) -> Files:
    made: list[tuple[str, bytes]] = []
    total = 0
    while total < size:
        path, data = files[len(made) % len(files)]
        made.append((f"{len(made)}-{path}", data))
        total += len(data)
    return made


def _one_note(piece: bytes, head: bytes = b"") -> Callable[[Files, int], Files]:
    return lambda _, size: [("one.md", head + piece * (size // len(piece)))]


_SHAPES: dict[str, Callable[[Files, int], Files]] = {
    "many notes": _many_notes,
    "one note of many sections": _one_note(b"## Part\n\nA few words on the matter, and no more.\n\n"),
    "one note of many paragraphs": _one_note(
        b"A paragraph that says a little about one thing only.\n\n", b"# One\n\n"
    ),
    "one note of one list": _one_note(
        b"- an item of a very long list, with a handful of words\n", b"# One\n\n"
    ),
    "one note of one fence": _one_note(b"value = compute(value, step)\n", b"# One\n\n```py\n"),
    "one note of one line": _one_note(b"It says one thing. Then it says the next, and goes on. "),
    "one line without blanks": _one_note(b"QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo"),
    "headings alone": _one_note(b"## Part\n\n"),
    "quotes in quotes": _one_note(b"> " * 40 + b"deep\n\n"),
    "backticks": _one_note(b"`` ` ```"),
}


def _growth(
    name: str, make: Callable[[Files, int], Files], files: Files, sizes: Sequence[float], settings: Settings
) -> None:
    points = []
    for size in sizes:
        made = make(files, int(size * 1e6))
        megabytes = sum(len(data) for _, data in made) / 1e6
        seconds = _best(lambda made=made: _path(made, settings), 1)
        points.append((megabytes, seconds))
    speeds = "  ".join(f"{megabytes:.0f} MB {megabytes / seconds:.2f} MB/s" for megabytes, seconds in points)
    print(f"{name:32} exponent {_exponent(points):.2f}   {speeds}", flush=True)


def _exponent(points: Sequence[tuple[float, float]]) -> float:
    """Slope of the least-squares line through the logarithms."""
    xs, ys = ([math.log(value) for value in column] for column in zip(*points, strict=True))
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - mean_x) ** 2 for x in xs)
    return (
        sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / spread if spread else math.nan
    )


if __name__ == "__main__":
    main()
