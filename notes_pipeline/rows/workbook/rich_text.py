"""Strings of a workbook as shown: escapes decoded, raised and lowered runs kept as such.

Belongs here: shared and inline strings. Stays out: cells (sheet_xml).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree.ElementTree import Element

from notes_pipeline.rows.workbook.package import Events

_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
_BREAK = re.compile(r"\r\n?")
_RAISED = dict(
    zip(
        "0123456789+-−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWβγδθφχ",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵝᵞᵟᶿᵠᵡ",
        strict=True,
    )
)
_LOWERED = dict(
    zip(
        "0123456789+-−=()aehijklmnoprstuvxβγρφχ",
        "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ",
        strict=True,
    )
)
_LIST_MARKS = re.compile(r"(\s*[,;]\s+|\s+[,;]|\s+)")
_RAISED_BY_NATURE = "*†‡§°ªº™®′″"
_ORDINALS = ("st", "nd", "rd", "th")


class Shown(NamedTuple):
    """A string as its reader sees it."""

    text: str
    struck: bool = False
    """Every part of it is crossed out."""


def unescape(text: str) -> str:
    """``_x0041_`` is ``A`` (and ``_x005F_x0041_`` the words ``_x0041_``); line breaks are ``\\n``.

    >>> unescape("one_x000D_"), unescape("_x005F_x0041_")
    ('one\\n', '_x0041_')
    """
    if "_x" in text:
        text = _ESCAPE.sub(_character, text)
    return _BREAK.sub("\n", text) if "\r" in text else text


def _character(match: re.Match[str]) -> str:
    code = int(match[1], 16)
    return match[0] if 0xD800 <= code <= 0xDFFF else chr(code)


def read_strings(events: Events) -> Iterator[Shown]:
    """The shared strings in their order; raises ``ParseError`` and ``DefusedXmlException``."""
    for _, element in events:
        if _local(element) == "si":
            yield string(element)
            element.clear()


def string(element: Element) -> Shown:
    """What an ``si`` or ``is`` element shows; reading aids (phonetic runs) are left out."""
    parts: list[str] = []
    struck: list[bool] = []
    for child in element:
        name = _local(child)
        if name == "t":
            parts.append(unescape(child.text or ""))
            struck.append(False)
        elif name == "r":
            text, crossed = _run(child, parts[-1] if parts else "")
            parts.append(text)
            if text.strip():
                struck.append(crossed)
    return Shown("".join(parts).strip(), bool(struck) and all(struck))


def _run(element: Element, before: str) -> tuple[str, bool]:
    text, align, crossed = "", "", False
    for child in element:
        name = _local(child)
        if name == "t":
            text += unescape(child.text or "")
        elif name == "rPr":
            for setting in child:
                if _local(setting) == "vertAlign":
                    align = setting.get("val", "")
                elif _local(setting) == "strike":
                    crossed = is_on(setting)
    if align == "superscript":
        return raised(text, before), crossed
    return (lowered(text) if align == "subscript" else text), crossed


def raised(text: str, before: str = "") -> str:
    """``text`` as superscript: in Unicode's own characters, else ``^(…)``; ordinals stay as they are."""
    core = text.strip()
    if not core or (core.lower() in _ORDINALS and before[-1:].isdigit()):
        return text
    return text.replace(core, _shift(core, _RAISED, "^"))


def lowered(text: str) -> str:
    """``text`` as subscript: in Unicode's own characters, else ``_(…)``."""
    core = text.strip()
    return text.replace(core, _shift(core, _LOWERED, "_")) if core else text


def _shift(text: str, table: dict[str, str], mark: str) -> str:
    if all(character in _RAISED_BY_NATURE for character in text):
        return text
    parts = _LIST_MARKS.split(text)  # the notes 6, 7 and 8 of a table are a list, each shifted by itself
    if all(character in table for part in parts[::2] for character in part):
        return "".join(table.get(character, character) for character in text)
    return f"{mark}({text})"


def is_on(element: Element) -> bool:
    """Whether an on/off element is on: present means on unless its ``val`` says otherwise."""
    return element.get("val", "1") not in ("0", "false", "off", "none")


def _local(element: Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
