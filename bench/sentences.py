"""Sentence detection: precision, recall, F1 and words per CPU second, per engine.

    python bench/sentences.py [--errors] [FILE…]

Without files: the project's own cases. A file marks each sentence end that is not its last with
``¦``, may mark places that do not count with ``†``, and holds one case a line (``⏎`` for a line
break, ``#`` for a comment) or, where it has lines of ``%%``, cases of several lines between them.

Ends are compared as positions among the characters that are not blank; the last of a case is given
and does not count. Engines that are not installed are left out. Speed is measured on the same
cases, repeated to about 30,000 words, one core, the pipeline loaded before the clock starts.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from notes_pipeline.errors import UserError
from notes_pipeline.settings import Sentences, Settings
from notes_pipeline.split.sentences import engine, sentence_ends

OWN_CASES = Path(__file__).parent.parent / "tests" / "cases" / "sentences"
END, FREE, LINE = "¦", "†", "⏎"
PARSER = "its parser"
"""Stands for the small model with its parser in place of its senter."""
SPEED_WORDS = 30_000

Detector = Callable[[Sequence[str]], list[list[int]]]


class Case(NamedTuple):
    """A text, the ends that are right in it and those that do not count, among its non-blank characters."""

    text: str
    ends: frozenset[int]
    free: frozenset[int]


class Score(NamedTuple):
    """Counts over many cases."""

    hits: int
    wrong: int
    missed: int
    exact: int
    cases: int

    @property
    def precision(self) -> float:
        return self.hits / max(1, self.hits + self.wrong)

    @property
    def recall(self) -> float:
        return self.hits / max(1, self.hits + self.missed)

    @property
    def f1(self) -> float:
        return 2 * self.hits / max(1, 2 * self.hits + self.wrong + self.missed)


def read_cases(path: Path) -> list[Case]:
    """The cases of a file."""
    text = path.read_text(encoding="utf-8")
    if "\n%%\n" in text:
        return [parse_case(part) for part in f"\n{text}\n".split("\n%%\n") if part.strip()]
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [parse_case(line.replace(LINE, "\n")) for line in lines]


def parse_case(marked: str) -> Case:
    """A case from its marked text."""
    places: dict[str, set[int]] = {END: set(), FREE: set()}
    solid = 0
    for sign in marked:
        if sign in places:
            places[sign].add(solid)
        elif not sign.isspace():
            solid += 1
    text = marked.replace(END, "").replace(FREE, "").strip("\n")
    free = frozenset(places[FREE])
    return Case(text, frozenset(places[END]) - free - {0, solid}, free | {0, solid})


def found_ends(text: str, ends: Iterable[int]) -> frozenset[int]:
    """Ends in ``text`` as positions among its characters that are not blank."""
    return frozenset(sum(not sign.isspace() for sign in text[:end]) for end in ends)


def score(cases: Sequence[Case], detect: Detector) -> Score:
    """How ``detect`` does on ``cases``, all given in one call."""
    hits = wrong = missed = exact = 0
    for case, ends in zip(cases, detect([case.text for case in cases]), strict=True):
        found = found_ends(case.text, ends) - case.free
        hits += len(found & case.ends)
        wrong += len(found - case.ends)
        missed += len(case.ends - found)
        exact += found == case.ends
    return Score(hits, wrong, missed, exact, len(cases))


def speed(cases: Sequence[Case], detect: Detector) -> float:
    """Words per CPU second."""
    texts = [case.text for case in cases]
    words = sum(len(text.split()) for text in texts)
    times = max(1, SPEED_WORDS // max(1, words))
    started = time.process_time()
    detect(texts * times)
    return words * times / max(1e-9, time.process_time() - started)


def detector(name: str) -> Detector:
    """``sentence_ends`` with one engine."""
    settings = Settings(sentences=Sentences(engine=name))
    return lambda texts: sentence_ends(texts, settings)


def bare(name: str) -> Detector:
    """The engine alone, on the raw text: what the layer above it is worth."""
    nlp = engine.load(name)

    def detect(texts: Sequence[str]) -> list[list[int]]:
        return [[sentence.end_char for sentence in doc.sents] for doc in nlp.pipe(texts, batch_size=256)]

    return detect


def show_errors(cases: Sequence[Case], detect: Detector) -> None:
    """Each case that is not exact, as it was cut."""
    for case, ends in zip(cases, detect([case.text for case in cases]), strict=True):
        if found_ends(case.text, ends) - case.free == case.ends:
            continue
        cut = case.text
        for end in sorted(ends, reverse=True):
            cut = cut[:end] + END + cut[end:] if end < len(case.text) else cut
        print("   ", cut.replace("\n", LINE), sorted(case.ends ^ (found_ends(case.text, ends) - case.free)))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--errors", action="store_true", help="show every case that is not exact")
    parser.add_argument("--engine", action="append", help="a pipeline by name or path (more than one)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        _table(options, folder)


def parser_only(folder: str) -> str:
    """The small model without its senter, saved in ``folder``: what a pipeline with a parser alone does."""
    import spacy

    spacy.load(engine.SMALL_MODEL, exclude=["senter", "ner", "lemmatizer", "tagger"]).to_disk(folder)
    return folder


def _table(options: argparse.Namespace, folder: str) -> None:
    files = options.files or sorted(OWN_CASES.glob("*.txt"))
    print(f"{'file':<28}{'engine':<28}{'P':>7}{'R':>7}{'F1':>7}{'exact':>7}{'words/CPU-s':>13}")
    for name in options.engine or (engine.RULES, engine.SMALL_MODEL, PARSER):
        try:
            engine.load(engine.SMALL_MODEL if name == PARSER else name)
        except UserError as error:
            print(f"{name}: left out ({error})")
            continue
        for path in files:
            cases = read_cases(path)
            used = parser_only(folder) if name == PARSER else name
            for label, detect in ((name, detector(used)), (f"{name}, bare", bare(used))):
                total = score(cases, detect)
                print(
                    f"{path.stem:<28}{label:<28}{total.precision:7.3f}{total.recall:7.3f}{total.f1:7.3f}"
                    f"{total.exact / max(1, total.cases):7.3f}{speed(cases, detect):13,.0f}"
                )
            if options.errors:
                show_errors(cases, detector(used))


if __name__ == "__main__":
    main()
