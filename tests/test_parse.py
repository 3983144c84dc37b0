"""The parse of a note: sections of exact blocks, and what each block reads like."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from strategies import hostile_texts, markdown_texts

from notes_pipeline.records import Block, Document, Section
from notes_pipeline.settings import Settings
from notes_pipeline.sources import document_from_bytes
from notes_pipeline.split.parse import parse
from notes_pipeline.split.warnings import warnings

CASES = Path(__file__).parent / "cases" / "markdown"
DEFAULT = Settings()


def note(
    text: str, name: str = "note.md", chosen: Settings = DEFAULT
) -> tuple[Document, tuple[Section, ...]]:
    """A text as a document with its sections."""
    document = document_from_bytes(name, text.encode(), chosen)
    return document, parse(document, chosen)


def oddities(document: Document, sections: tuple[Section, ...]) -> list[str]:
    """Everything about the sections that breaks what ``records`` promises of them."""
    text = document.text or ""
    found: list[str] = []
    at = document.front_matter_end
    for section in sections:
        if section.char_start != at:
            found.append(f"section {section.section_index} starts at {section.char_start}, not {at}")
        at = section.char_end
        found += _blocks_oddities(text, section)
    if at != len(text) and text[at:].strip():
        found.append(f"{text[at:]!r} is in no section")
    return found


def _blocks_oddities(text: str, section: Section) -> list[str]:
    found = []
    done = section.char_start
    opened: list[Block] = []
    for block in section.blocks:
        while opened and opened[-1].depth >= block.depth:
            opened.pop()
        if block.depth == 0:
            if text[done : block.start].strip():
                found.append(f"{text[done : block.start]!r} is in no block")
            if block.start < done or not _is_whole_lines(text, block):
                found.append(f"not whole lines: {block}")
            done = block.end
        elif len(opened) != block.depth or not opened[-1].start <= block.start <= block.end <= opened[-1].end:
            found.append(f"outside its parent: {block}")
        opened.append(block)
        if set(block.plain) & set("\x00\x01\x02"):
            found.append(f"control characters in {block.plain!r}")
    if text[done : section.char_end].strip():
        found.append(f"{text[done : section.char_end]!r} is in no block")
    return found


def _is_whole_lines(text: str, block: Block) -> bool:
    before = block.start == 0 or text[block.start - 1] in "\r\n"
    return before and (block.end == len(text) or text[block.end] in "\r\n")


@given(markdown_texts())
@settings(max_examples=250, deadline=None)
@example("- \n\n\x01tail")
@example("**[`[[Pier|pier]]`]{.underline}**\n\n|  |\n|---|\n")
def test_sections_tile_and_blocks_hold_every_character(text: str) -> None:
    """Sections tile the body; top-level blocks are whole lines, apart, and hold all that is not blank."""
    assert oddities(*note(text)) == []


@given(hostile_texts())
@settings(max_examples=400, deadline=None)
@example("[a]: b\n- $$\n  x\n\n  $$ y\n")
@example("\x00\x00\u2028")
@example("> <!-- a\n\n# b -->\n")
def test_the_same_holds_for_hostile_input(text: str) -> None:
    """No string of marks makes a character disappear."""
    assert oddities(*note(text)) == []


@given(markdown_texts())
@settings(max_examples=60, deadline=None)
def test_no_setting_loses_a_character(text: str) -> None:
    """Quoted titles opened, bold titles off: the same laws."""
    chosen = Settings.model_validate({"markdown": {"bold_headings": False, "quoted_headings": True}})

    assert oddities(*note(text, chosen=chosen)) == []


def _cases() -> list[Any]:
    return [pytest.param(path, id=path.parent.name) for path in sorted(CASES.glob("*/expected.json"))]


@pytest.mark.parametrize("path", _cases())
def test_case(path: Path) -> None:
    """Each case reads as its README says."""
    expected = json.loads(path.read_text(encoding="utf-8"))
    chosen = Settings.model_validate(expected.get("settings", {}))
    for name, facts in expected["notes"].items():
        document = document_from_bytes(name, (path.parent / name).read_bytes(), chosen)
        sections = parse(document, chosen)

        assert oddities(document, sections) == []
        for fact, value in facts.items():
            assert value == FACTS[fact](document, sections, value), f"{name}: {fact}"


def _sections(_: Document, sections: tuple[Section, ...], __: Any) -> Any:
    return [[list(s.heading_path), s.start_line, s.end_line] for s in sections]


def _blocks(document: Document, sections: tuple[Section, ...], _: Any) -> Any:
    text = document.text or ""
    return [
        [block.kind, _line(text, block.start), _line(text, max(block.start, block.end - 1))]
        for section in sections
        for block in section.blocks
        if block.depth == 0
    ]


def _line(text: str, offset: int) -> int:
    return 1 + text[:offset].replace("\r\n", "\n").replace("\r", "\n").count("\n")


def _plain(_: Document, sections: tuple[Section, ...], __: Any) -> Any:
    return [block.plain for section in sections for block in section.blocks if block.plain]


def _contains(document: Document, sections: tuple[Section, ...], wanted: Any) -> Any:
    plain = "\n".join(_plain(document, sections, None))
    return [piece for piece in wanted if piece in plain]


def _lacks(document: Document, sections: tuple[Section, ...], unwanted: Any) -> Any:
    plain = "\n".join(_plain(document, sections, None))
    return [piece for piece in unwanted if piece not in plain]


def _kinds(_: Document, sections: tuple[Section, ...], __: Any) -> Any:
    return [[section.kind, section.level] for section in sections]


def _lines_of_front_matter(document: Document, _: Any, __: Any) -> Any:
    return (document.text or "")[: document.front_matter_end].rstrip().count("\n") + 1


def _fields(document: Document, _: Any, __: Any) -> Any:
    return json.loads(document.front_matter or "{}")


FACTS = {
    "sections": _sections,
    "kinds": _kinds,
    "blocks": _blocks,
    "plain": _plain,
    "plain_contains": _contains,
    "plain_lacks": _lacks,
    "front_matter_lines": _lines_of_front_matter,
    "front_matter": _fields,
    "title": lambda document, *_: document.title,
    "tags": lambda document, *_: list(document.tags),
    "aliases": lambda document, *_: list(document.aliases),
    "state": lambda document, *_: document.state,
    "encoding": lambda document, *_: document.encoding,
    "replaced": lambda document, *_: document.replaced_characters,
    "warnings": lambda document, sections, _: [
        warning.partition(":")[0] for warning in (*document.warnings, *warnings(document, sections))
    ],
    "infos": lambda _, sections, wanted: [
        [block.kind, block.info] for section in sections for block in section.blocks if block.info
    ],
}
"""What an ``expected.json`` may say of a note, and how it is read off."""
