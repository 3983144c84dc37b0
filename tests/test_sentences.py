"""The sentence room: where sentences of notes end, with and without a model."""

from __future__ import annotations

import hashlib
import importlib
import itertools
import pickle
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from notes_pipeline.errors import UserError
from notes_pipeline.settings import Sentences, Settings
from notes_pipeline.split.sentences import engine, engine_version, sentence_ends, upper_bound
from notes_pipeline.split.sentences.propose import MAX_CHARACTERS, propose

CASES = Path(__file__).parent / "cases" / "sentences"
MODEL = Settings(sentences=Sentences(engine=engine.SMALL_MODEL))
RULES = Settings()
BENCH = Path(__file__).parent.parent / "bench"

sys.path.insert(0, str(BENCH))
bench = importlib.import_module("sentences")
sys.path.remove(str(BENCH))


def sentences(text: str, settings: Settings = RULES) -> list[str]:
    """The sentences of one unit."""
    starts = [0, *sentence_ends([text], settings)[0]]
    return [text[start:end].strip() for start, end in itertools.pairwise(starts)]


def exact_cases() -> list[object]:
    """Every case of the files that hold one kind of place each."""
    return [
        pytest.param(case, id=f"{path.stem}-{number}")
        for path in sorted((CASES / "exact").glob("*.txt"))
        for number, case in enumerate(bench.read_cases(path), 1)
    ]


@pytest.mark.parametrize("case", exact_cases())
def test_ends_stand_where_a_reader_puts_them(case: bench.Case) -> None:
    """Each case of each kind is cut exactly."""
    found = bench.found_ends(case.text, sentence_ends([case.text], RULES)[0])

    assert sorted(case.ends) == sorted(found - case.free)


@pytest.mark.parametrize("name", ["unseen_notes", "unseen_legal", "notes", "legal", "prose"])
@pytest.mark.parametrize("settings", [RULES, MODEL], ids=["rules", "model"])
def test_f1_reaches_the_target_on_text_not_tuned_on(name: str, settings: Settings) -> None:
    """F1 is at least 0.95 on note-like text and on legal prose, with either engine."""
    cases = bench.read_cases(CASES / f"{name}.txt")
    total = bench.score(cases, lambda texts: sentence_ends(texts, settings))

    assert total.f1 >= 0.95


PIECES = [
    *(
        "Word",
        "word",
        "Dr.",
        "e.g.",
        "No.",
        "12.",
        "3.5",
        "a.m.",
        "U.S.",
        "J.",
        "etc.",
        "end.",
        "Why?",
        "Go!",
    ),
    *(
        "...",
        "…",
        "**",
        "*",
        "_",
        "`",
        "``",
        "[",
        "](x.y/z)",
        "[a. B](c. D)",
        "`x. Y`",
        "[[n. M|o]]",
        "![",
        "]",
    ),
    *(
        "https://e.org/a.b?c=D.e",
        "<b>",
        "</b>",
        "<br>",
        "&amp;",
        "&nbsp;",
        "<!--",
        "-->",
        "%%",
        "$x. Y$",
        "\\",
    ),
    *(
        "\n",
        "\r\n",
        "\r",
        "\n> ",
        "\n- ",
        "\n1. ",
        "\n2) ",
        "\na. ",
        "\n\n",
        "\n# ",
        "\n```\n",
        "\n| ",
        "\n: ",
    ),
    *(
        " ",
        "  ",
        "\t",
        "\u00a0",
        "\u2028",
        "。",
        "你好",
        "।",
        "؟",
        "🎉",
        ":)",
        "(",
        ")",
        '"',
        "’",
        "¿",
        "[^1]",
    ),
    *("\x00", "\ud800", "{.u}", "key:: ", "(ii) ", "1) ", "2) "),
]
UNITS = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


def check_laws(text: str, ends: Sequence[int], settings: Settings = RULES) -> None:
    """What must hold of the ends of any text."""
    assert list(ends) == sorted(set(ends))
    assert not text.strip() or ends[-1] == len(text.rstrip())
    assert bool(ends) == bool(text.strip())
    for end in ends[:-1]:
        assert not text[end - 1].isspace()
        assert not (text[end - 1].isalnum() and text[end].isalnum())
    assert upper_bound(text, settings) >= len(ends)


@given(UNITS)
@hypothesis_settings(max_examples=400, deadline=None)
def test_ends_are_ordered_complete_and_never_inside_a_word(text: str) -> None:
    """Ends ascend, the last is that of the text, none follows a blank or lies inside a word."""
    check_laws(text, sentence_ends([text], RULES)[0])


@given(UNITS)
@hypothesis_settings(max_examples=100, deadline=None)
def test_the_laws_hold_with_a_model(text: str) -> None:
    """A model's proposals are held to the same laws, and to its own upper bound."""
    check_laws(text, sentence_ends([text], MODEL)[0], MODEL)


ATOMS = ["[a. B](c. D)", "`x. Y`", "[[n. M|o. P]]", "https://e.org/a.b?c=D.e", "![i. J](k)", "<b c='d. E'>"]


@given(st.lists(st.sampled_from([*ATOMS, "Word", "end. ", "Next", " ", ". ", "\n"]), max_size=20))
@hypothesis_settings(max_examples=300, deadline=None)
def test_no_end_splits_what_is_one_thing(parts: list[str]) -> None:
    """A link, code span, wikilink, address, image or tag lies in one sentence."""
    text = "".join(f" {part} " if part in ATOMS else part for part in parts)
    ends = sentence_ends([text], RULES)[0]
    for atom in ATOMS:
        for match in re.finditer(re.escape(atom), text):
            assert not any(match.start() < end < match.end() for end in ends)


@given(st.lists(UNITS, max_size=5))
@hypothesis_settings(max_examples=50, deadline=None)
def test_units_do_not_see_each_other(units: list[str]) -> None:
    """Many units in one call end as each does alone."""
    assert sentence_ends(units, RULES) == [sentence_ends([unit], RULES)[0] for unit in units]


PATHOLOGICAL = {
    "brackets": "(" * 100_000,
    "quotes": '"' * 100_000 + ". Next",
    "blanks": "a." + " " * 1_000_000 + "B",
    "blank lines": "\n" * 100_000 + "a",
    "unspaced Chinese": "你好世界" * 25_000,
    "emoji": "😀" * 100_000 + " Next. one",
    "lone dots": ". " * 50_000,
    "dots": "." * 100_000 + " x. y",
    "ticks": "` `` " * 20_000 + ". x",
    "open links": "[a](b" * 20_000 + ". x",
    "open tags": "<a " * 50_000 + ". x",
    "open comments": "<!-- " * 20_000 + ". x",
    "quote marks": "> " * 50_000 + "a. b",
    "one word": "aB.c,d;" * 20_000 + ". x",
}


@pytest.mark.parametrize("name", PATHOLOGICAL)
def test_pathological_text_is_cut_like_any_other(name: str) -> None:
    """Runs that make tokenizers and patterns crawl come back, and the laws hold."""
    text = PATHOLOGICAL[name]
    check_laws(text, sentence_ends([text], RULES)[0])


def test_line_ends_of_every_kind_wrap_a_sentence() -> None:
    """CRLF, CR and LF inside a paragraph are blanks."""
    for wrap in ("\r\n", "\r", "\n"):
        assert [f"One{wrap}two.", "Three."] == sentences(f"One{wrap}two.{wrap}Three.")


def test_blank_units_have_no_sentences() -> None:
    """Nothing but blanks holds no sentence; any other character at least one."""
    assert sentence_ends(["", " \n\t", ".", "x "], RULES) == [[], [], [1], [1]]


def test_a_bound_spares_the_call() -> None:
    """One line without a mark is one sentence at most."""
    assert upper_bound("no mark here, and no second line") == 1


def test_spacy_is_not_imported_until_an_engine_is_asked() -> None:
    """Text the rules know alone costs no import of spaCy."""
    import subprocess

    code = (
        "import sys; from notes_pipeline.settings import Settings\n"
        "from notes_pipeline.split.sentences import sentence_ends\n"
        "assert [[10, 21]] == sentence_ends(['First one. Second one.'[:21]], Settings()), 1\n"
        "assert 'spacy' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_default_engine_is_spacys_sentencizer() -> None:
    """``rules`` is a blank pipeline with spaCy's sentencizer and nothing else."""
    assert engine.load(engine.RULES).pipe_names == ["sentencizer"]


def test_of_the_small_model_only_the_senter_is_kept() -> None:
    """The model's senter has its own vectors; tagger, parser and the rest are not loaded."""
    assert engine.load(engine.SMALL_MODEL).pipe_names == ["senter"]


def test_the_small_model_is_the_official_one() -> None:
    """Its inner files have the checksums of spaCy's own release."""
    package = importlib.import_module(engine.SMALL_MODEL)
    folder = next(Path(package.__file__ or "").parent.glob(f"{engine.SMALL_MODEL}-*"))
    found = {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in engine.SMALL_MODEL_FILES
    }

    assert found == engine.SMALL_MODEL_FILES


def test_a_changed_small_model_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that differs from the official release is named, and nothing is loaded."""
    monkeypatch.setitem(engine.SMALL_MODEL_FILES, "senter/model", "0" * 64)
    engine.load.cache_clear()
    with pytest.raises(UserError, match=r"senter/model.*not the file"):
        engine.load(engine.SMALL_MODEL)


def test_any_pipeline_serves_by_its_path(tmp_path: Path) -> None:
    """A pipeline on disk is used; one without sentence ends gets a sentencizer."""
    import spacy

    spacy.blank("xx").to_disk(tmp_path)
    settings = Settings(sentences=Sentences(engine=str(tmp_path)))

    assert sentences("He said so. She did not.", settings) == ["He said so.", "She did not."]


def test_a_pipeline_without_a_senter_keeps_its_parser_and_what_feeds_it(tmp_path: Path) -> None:
    """Where sentences come from the parser, its vectors stay and all else goes."""
    import spacy

    spacy.load(engine.SMALL_MODEL, exclude=["senter", "ner"]).to_disk(tmp_path)
    assert engine.load(str(tmp_path)).pipe_names == ["tok2vec", "parser"]

    settings = Settings(sentences=Sentences(engine=str(tmp_path)))
    assert sentences("She met Dr. Osei. They spoke.", settings) == ["She met Dr. Osei.", "They spoke."]


def test_a_pipeline_that_changes_has_another_version(tmp_path: Path) -> None:
    """What was found with one pipeline is not reused for another at the same place."""
    import spacy

    spacy.blank("en").to_disk(tmp_path)
    before = engine_version(str(tmp_path))
    spacy.blank("de").to_disk(tmp_path)

    assert engine_version(str(tmp_path)) != before
    assert engine_version(engine.SMALL_MODEL).endswith("3.8.0")
    assert engine_version(engine.RULES) == ""


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("en_core_web_trf", "python -m spacy download en_core_web_trf"),
        ("en_core_web_md", "python -m spacy download en_core_web_md"),
        ("my_pipeline", "config.cfg"),
        ("no/such/folder", "config.cfg"),
    ],
)
def test_a_missing_pipeline_says_how_to_get_it(name: str, remedy: str) -> None:
    """The error names the setting and the remedy, and never a registry command for the name."""
    with pytest.raises(UserError) as caught:
        sentence_ends(["One. two"], Settings(sentences=Sentences(engine=name)))

    assert remedy in str(caught.value)
    assert name in str(caught.value)
    assert "pip install" not in str(caught.value)
    assert str(caught.value).startswith("notes.toml, sentences.engine")
    assert caught.value.usage


def test_an_error_of_a_worker_process_arrives_whole() -> None:
    """Place, remedy and exit status survive the way between processes."""
    sent = UserError("notes.toml", "names nothing", "name it", usage=True)

    arrived = pickle.loads(pickle.dumps(sent))

    assert (str(arrived), arrived.usage) == ("notes.toml: names nothing; name it", True)


def test_a_pipeline_with_an_unknown_part_says_what_is_missing(tmp_path: Path) -> None:
    """A transformer pipeline without its plugin names the plugin and the range that fits."""
    import spacy

    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.to_disk(tmp_path)
    config = tmp_path / "config.cfg"
    config.write_text(
        config.read_text().replace('factory = "sentencizer"', 'factory = "curated_transformer"')
    )
    with pytest.raises(UserError, match=r"curated_transformer.*spacy-curated-transformers>=0\.2\.2,<1"):
        engine.load(str(tmp_path))


def test_a_long_text_is_shown_in_windows() -> None:
    """Starts found in a text over the limit are those of the whole; its cuts are none."""
    text = "Some words stand here and go on. " * (3 * MAX_CHARACTERS // 33)
    found = propose([text], engine.load(engine.RULES))[0]

    assert {33 * number for number in range(1, len(text) // 33)} >= found
    assert len(found) >= len(text) // 33 - 5


def test_strings_are_forgotten_between_calls() -> None:
    """Words met once do not stay in spaCy's store."""
    nlp = engine.load(engine.RULES)
    propose(["warm up. now"], nlp)
    before = len(nlp.vocab.strings)
    propose([f"unheardof{number}x. then" for number in range(5_000)], nlp)

    assert len(nlp.vocab.strings) <= before + 10
