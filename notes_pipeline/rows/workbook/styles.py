"""Cell styles: of all a stylesheet says, what a reader's eye needs (number format, bold, fill, crossed out).

Belongs here: styles.xml and the built-in formats. Stays out: how a format shows (formats).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple
from xml.etree.ElementTree import Element

from openpyxl.styles.numbers import BUILTIN_FORMATS

from notes_pipeline.rows.shown.formats import LONG_DATE
from notes_pipeline.rows.workbook.rich_text import is_on


class Style(NamedTuple):
    """What a cell of this style looks like."""

    number_format: str = "General"
    bold: bool = False
    filled: bool = False
    struck: bool = False


PLAIN = Style()

LONGEST_FORMAT = 255
"""Characters a spreadsheet lets a format have; a longer one is somebody's trap."""

SYSTEM_BUILTINS = {
    14: LONG_DATE,
    15: LONG_DATE,
    16: "d mmmm",
    17: "mmmm yyyy",
    22: f"{LONG_DATE} h:mm",
    # East Asian systems keep their own dates and times under these numbers.
    **dict.fromkeys((27, 36, 50, 52, 57), "mmmm yyyy"),
    **dict.fromkeys((28, 29, 51, 53, 54, 58), "d mmmm"),
    **dict.fromkeys((30, 31), LONG_DATE),
    **dict.fromkeys((32, 34, 55), "h:mm"),
    **dict.fromkeys((33, 35, 56), "h:mm:ss"),
}
"""Built-in formats that show by the reader's own system; here they are spelled out in words."""


def read_styles(root: Element) -> list[Style]:
    """The styles that a cell's ``s`` attribute counts in; entries that make no sense are plain ones."""
    formats = _formats(root)
    fonts = [(_has(font, "b"), _has(font, "strike")) for font in _children(root, "fonts")]
    fills = [_is_filled(fill) for fill in _children(root, "fills")]
    return [_style(xf, formats, fonts, fills) for xf in _children(root, "cellXfs")]


def _formats(root: Element) -> dict[int, str]:
    formats: dict[int, str] = {**BUILTIN_FORMATS, **SYSTEM_BUILTINS}
    for entry in _children(root, "numFmts"):
        number = _number(entry.get("numFmtId"))
        code = entry.get("formatCode", "")
        if 0 < len(code) <= LONGEST_FORMAT:
            formats[number] = code
    return formats


def _style(xf: Element, formats: dict[int, str], fonts: list[tuple[bool, bool]], fills: list[bool]) -> Style:
    code = formats.get(_number(xf.get("numFmtId")), "General")
    font, fill = _number(xf.get("fontId")), _number(xf.get("fillId"))
    bold, struck = fonts[font] if font < len(fonts) else (False, False)
    return Style(code, bold, fills[fill] if fill < len(fills) else False, struck)


def _is_filled(fill: Element) -> bool:
    for pattern in fill:
        kind = pattern.get("patternType")
        if _local(pattern) == "gradientFill":
            return True
        if kind not in (None, "none", "gray125"):
            return not any(_is_white(color) for color in pattern if _local(color) == "fgColor")
    return False


def _is_white(color: Element) -> bool:
    # Theme colour 0 is the sheet's own background, 9 the system's; a white fill is no fill to the eye.
    if color.get("tint", "0") not in ("0", "0.0"):
        return False
    return (
        (color.get("rgb") or "").upper().endswith("FFFFFF")
        or color.get("theme") == "0"
        or color.get("indexed") == "9"
    )


def _children(root: Element, name: str) -> Iterable[Element]:
    for child in root:
        if _local(child) == name:
            return list(child)
    return []


def _has(font: Element, name: str) -> bool:
    return any(_local(child) == name and is_on(child) for child in font)


def _number(text: str | None) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 10 else 0


def _local(element: Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
