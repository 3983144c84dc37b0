"""Markup to reading text: what is left when a block is read aloud.

Belongs here: the marks the CommonMark parser does not know (wikilinks, attributes, highlights,
block ids, properties), HTML, image alternatives, and the clean form of titles. Stays out: where
blocks begin and end.

The parser hands over a *raw* text: escapes and entities resolved, emphasis and links reduced to
their words, each soft line break a ``SOFT``, each piece that must not be looked into (code,
mathematics, images) a ``KEPT`` with the piece itself in a list beside.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence

from notes_pipeline.words import count_words

CELL = " | "
"""Between the cells of a row's text."""

SOFT = "\x00"
KEPT = "\x01"
PIPE = "\x02"
"""Stands for a ``|`` inside ``[[target|alias]]``, so that no table is cut there."""

MOST_ALT_WORDS = 30
"""Longer image alternatives are recognised text (OneNote), which is noise."""

_ATTRIBUTE = r"""(?:[#.][\w:.-]+|[\w:.-]+=(?:"[^"\x00{}]*"|'[^'\x00{}]*'|[^\s"'{}=]+)|-)"""
ATTRIBUTES = rf"\{{:?[ \x00]*{_ATTRIBUTE}(?:[ \x00]+{_ATTRIBUTE})*[ \x00]*\}}"
"""``{#id .class key="value"}`` as pandoc and kramdown write it."""
_SPAN = re.compile(rf"\[([^\[\]]*)\]{ATTRIBUTES}")
_AFTER_KEPT = re.compile(rf"(?<={KEPT}){ATTRIBUTES}")
_TRAILING = re.compile(rf"[ \x00]+{ATTRIBUTES}[ \x00]*$")
_SIZES = re.compile(r"\{:(?:height|width) [^{}]*\}")
"""What Logseq writes behind an image."""
_RAW = re.compile(rf"(?<={KEPT})\{{=\w+\}}")
_WIKILINK = re.compile(r"(!?)\[\[([^\[\]|\x00\x02]*)(?:\\?[|\x02]([^\[\]]*))?\]\]")
_IMAGE_WITH_BLANKS = re.compile(r"!\[([^\[\]]*)\]\(([^()\x00\n]+\.\w{2,4})\)(?:\{[^{}\x00\n]*\})?")
_LINK_WITH_BLANKS = re.compile(
    r"\[([^\[\]]+)\]\((?:\[\[[^\[\]]*\]\]|\(\([0-9a-f-]+\)\)|[^()\x00\n]*(?:/|\.md)[^()\x00\n]*)\)"
)
_SUPERSCRIPT = re.compile(r"\^(?<=\w\^)([\w+-]{1,20})\^")
_SUBSCRIPT = re.compile(r"~(?<=\w~)([\w+-]{1,20})~")
_LOOSE_BOLD = re.compile(r"\*\*[ ]?([^*\x00\n]+?)[ ]?\*\*")
"""Bold with a blank inside its marks, which CommonMark leaves as it is."""
_TARGET_ID = re.compile(r"#?\^[\w-]*$")
_MEDIA = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|bmp|tiff?|pdf|mp[34]|m4a|wav|mov|webm|excalidraw)$", re.I)
_SIZE = re.compile(r"^\d+(?:x\d+)?$")
_ALT_SIZE = re.compile(r"\|\d+(?:x\d+)?$")
_HIGHLIGHT = re.compile(r"==([^\s=](?:[^=]*[^\s=])?)==")
_CARET_HIGHLIGHT = re.compile(r"\^\^([^\s^](?:[^^]*[^\s^])?)\^\^")
_BLOCK_ID = re.compile(r"(?:^|(?<=[\s\x00]))\^[A-Za-z0-9-]+[ ]*(?=[\n\x00]|$)")
_COMMENT = re.compile(r"(?:^|(?<=[\s\x00(]))%%(?:(?! \| ).)*?%%", re.DOTALL)
_PROPERTY = re.compile(r"(?:^|(?<=[\x00\n]))([A-Za-z][\w./-]*)::(?:[ \t]([^\x00\n]*))?(?:\x00|\n|$)")
PROPERTY_LINES = re.compile(r"(?:[A-Za-z][\w./-]*::(?:[ \t][^\x00\n]*)?(?:[\x00\n]|$))+")
"""Nothing but ``key:: value`` lines."""
_OF_THE_APP = re.compile(
    r"id|title|collapsed|heading|icon|public|filters|template|template-including-parent|file|file-path"
    r"|exclude-from-graph-view|(?:created|updated)-at|background-(?:color|image)"
    r"|logseq\..*|query-.*|card-.*|ls-.*|hl-.*",
    re.IGNORECASE,
)
"""Properties by which an app keeps house; all others are facts about the note."""
_TIME_STAMP = re.compile(r"\d{10,}")
_DEFINITION = re.compile(r"\x00:[ \t]+")
_BLOCK_REFERENCE = re.compile(r"\(\([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\)\)")
_FENCED_DIV = re.compile(r"(?:^|(?<=[\x00\n])):{3,}(?:[ \t]*\{[^{}\x00\n]*\}|[^\x00\n]*)(?:\x00|\n|$)")
"""The lines pandoc puts around a division: ``::: {.note}``."""
_MACRO = re.compile(r"\{\{(?:\{(?=[^{}]*\}\}\}))?(\w[\w-]*)\b:?([^{}]*)\}\}\}?")
_PROGRAMS = re.compile(
    r"query|renderer|function|embed|video|youtube(?:-timestamp)?|vimeo|tweet|twitter|cards|namespace|pdf",
    re.I,
)
"""Logseq's macros whose words are addresses or code."""
_ORG_BLOCK = re.compile(r"#\+BEGIN_(QUERY|EXPORT|COMMENT)\b.*?(?:#\+END_\1|$)", re.DOTALL | re.IGNORECASE)
_ORG_MARK = re.compile(r"#\+(?:BEGIN|END)_\w+[ ]*(?:\x00|$)?", re.IGNORECASE)
_DRAWER = re.compile(r":(?:LOGBOOK|PROPERTIES):.*?(?::END:|$)", re.DOTALL)
_INLINE_NOTE = re.compile(r"[ ]?\^\[([^\[\]]*)\]")
_AROUND_BREAKS = " \t" + SOFT
_BLANKS = re.compile(r"[ \t]{2,}")
# The mark first and what stands before it second: the search then leaps from mark to mark.
_CJK_BREAK = re.compile(r"\x00(?<=[\u2e80-\u9fff\uff00-\uffef]\x00)(?=[\u2e80-\u9fff\uff00-\uffef])")


def reading_text(raw: str, kept: Sequence[str] = ()) -> str:
    """The plain text of one block's raw text; one line but for hard breaks."""
    if raw == KEPT and len(kept) == 1:
        return kept[0].strip()
    for mark, without in _STEPS:
        if mark in raw:
            raw = without(raw)
    if "\n" in raw:
        lines = (line.strip(_AROUND_BREAKS) for line in raw.split("\n"))
        raw = "\n".join(line for line in lines if line)
    if SOFT in raw:
        if not raw.isascii():
            raw = _CJK_BREAK.sub("", raw)
        raw = raw.replace(SOFT, " ")
    if "  " in raw:
        raw = _tidy(raw)
    if kept:
        raw = restored(raw, kept) if all(kept) else _tidy(restored(raw, kept))
    return raw.strip()


def marks_in(raws: Sequence[str]) -> list[str]:
    """Those of the marks ``reading_text`` looks for that stand in some of ``raws``.

    A raw text with none of them reads as it is, but for the blanks around it and a colon in front.
    """
    whole = "".join(raws).encode("utf-8", "surrogatepass")
    left = whole.translate(None, _OTHER_BYTES)  # a few dozen bytes, looked through in no time
    return ["  ", *[mark for signs, mark in _MARK_BYTES if signs in left]]


def _tidy(raw: str) -> str:
    """Without the blanks that stood around what is gone, but those between the cells of a row."""
    return _BLANKS.sub(" ", raw) if CELL not in raw else raw


def _without_links(raw: str) -> str:
    """Links the parser does not know as their words: of wikis, and with blanks in their address."""
    if "](" in raw:
        raw = _IMAGE_WITH_BLANKS.sub(lambda match: image_text(match[1], match[2]), raw)
        raw = _LINK_WITH_BLANKS.sub(r"\1", raw)
    return _WIKILINK.sub(_wikilink, raw) if "[[" in raw else raw


def _without_lines(raw: str) -> str:
    """Without properties, drawers and the marks of divisions, which stand on lines of their own."""
    if "::" in raw:
        raw = _PROPERTY.sub(_property, _FENCED_DIV.sub("", raw) if ":::" in raw else raw)
    if raw.startswith(": "):
        raw = raw[2:]  # a definition, or a table's caption
    if "\x00: " in raw:
        raw = _DEFINITION.sub("; ", _DEFINITION.sub(": ", raw, count=1))
    return _DRAWER.sub("", raw) if ":END:" in raw else raw


def _property(match: re.Match[str]) -> str:
    """``author:: X`` as ``author: X`` on a line of its own; nothing where only an app needs it."""
    name, value = match[1], (match[2] or "").strip()
    kept = value and not (_OF_THE_APP.fullmatch(name) or _TIME_STAMP.fullmatch(value))
    return f"\n{name}: {value}\n" if kept else ""


def _macro(match: re.Match[str]) -> str:
    name, words = match[1], match[2].strip()
    if _PROGRAMS.fullmatch(name):
        return ""
    return words.partition("\\")[0].strip() if name.lower() == "cloze" else match[0]


def _without_braces(raw: str) -> str:
    return without_attributes(_MACRO.sub(_macro, raw) if "{{" in raw else raw)


def _without_carets(raw: str) -> str:
    if "^^" in raw:
        raw = _CARET_HIGHLIGHT.sub(r"\1", raw)
    if "^[" in raw:
        raw = _INLINE_NOTE.sub(r" (\1)", raw)
    return _SUPERSCRIPT.sub(r"\1", _BLOCK_ID.sub("", raw))


def _without_org(raw: str) -> str:
    return _ORG_MARK.sub("", _ORG_BLOCK.sub("", raw)) if "#+" in raw else raw


def restored(raw: str, kept: Sequence[str]) -> str:
    """``raw`` with the kept pieces back in their places."""
    around = raw.split(KEPT)
    if len(around) != len(kept) + 1:  # a mark swallowed some
        kept = [*kept, *[""] * len(around)][: len(around) - 1]
    pieces = [""] * (2 * len(around) - 1)
    pieces[::2], pieces[1::2] = around, kept
    return "".join(pieces)


def without_attributes(raw: str) -> str:
    """``[words]{…}`` as its words, and attributes behind code, images and titles gone."""
    for _ in range(4):  # spans in spans: as deep as converters nest them
        shorter = _SPAN.sub(r"\1", raw)
        if shorter == raw:
            break
        raw = shorter
    if KEPT + "{" in raw:
        raw = _AFTER_KEPT.sub("", _RAW.sub("", raw))
    return _SIZES.sub("", raw) if "{:" in raw else raw


def _wikilink(match: re.Match[str]) -> str:
    embed, target, alias = match.groups()
    if alias is not None and alias.strip() and not (embed and _SIZE.match(alias.strip())):
        return alias if not embed or not _MEDIA.search(target) else f"[image: {alias}]"
    if embed and _MEDIA.search(target):
        return _named_image(target)
    if "^" in target:
        target = _TARGET_ID.sub("", target)
    return target.replace("#", " ").strip()


_STEPS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("[", _without_links),
    ("{", _without_braces),
    ("=", lambda raw: _HIGHLIGHT.sub(r"\1", raw) if "==" in raw else raw),
    ("%", lambda raw: _COMMENT.sub("", raw) if "%%" in raw else raw),
    ("^", _without_carets),
    ("~", lambda raw: _SUBSCRIPT.sub(r"\1", raw)),
    ("*", lambda raw: _LOOSE_BOLD.sub(r"\1", raw) if "**" in raw else raw),
    (":", _without_lines),
    ("(", lambda raw: _BLOCK_REFERENCE.sub("", raw) if "((" in raw else raw),
    ("#", _without_org),
)
"""What is taken out of raw text, in order, each behind the one character it needs: a single character
is found many times as fast as two, and most texts have few of these."""

_STEP_MARKS = "[{=%^~*:(#" + SOFT + KEPT + PIPE + "\n"
_OTHER_BYTES = bytes(byte for byte in range(256) if chr(byte) not in _STEP_MARKS)
_MARKS = ("[", "{", "==", "%%", "^", "~", "**", "::", ":END:", "((", "#+", SOFT, KEPT, PIPE, "\n")
"""Without any of these, two blanks, or a colon in front, no step changes a text, nothing is restored."""
_MARK_BYTES = [(bytes(ord(sign) for sign in mark if sign in _STEP_MARKS), mark) for mark in _MARKS]


_NO_NAME = re.compile(
    r"pasted|image|images|img|screenshot|screen|shot|at|am|pm|photo|picture|pic|file|untitled|dsc|scan|attachment"
    r"|png|jpe?g|[0-9a-f-]*\d[0-9a-f-]*|\w*\d{3}\w*|.?.?",
    re.IGNORECASE,
)
_BETWEEN_NAMES = re.compile(r"[\s_.,()-]+")


def _named_image(target: str) -> str:
    """An embedded file by its name, where that has a word nobody's camera or clipboard gave it."""
    words = _BETWEEN_NAMES.split(_MEDIA.sub("", target.rpartition("/")[2]))
    if all(_NO_NAME.fullmatch(word) for word in words):
        return ""
    return f"[image: {' '.join(word for word in words if word)}]"


def image_text(alt: str, url: str) -> str:
    """What is read for an image: its alternative where that is words, and not too many."""
    if "|" in alt:
        alt = _ALT_SIZE.sub("", alt)
    alt = " ".join(alt.replace(SOFT, " ").split())
    if _SIZE.match(alt) or _MEDIA.search(alt) or alt in ("Untitled", "image"):
        alt = ""
    if any(map(str.isalpha, alt)) and count_words(alt) <= MOST_ALT_WORDS:
        return f"[image: {alt}]"
    return "[image]" if url.startswith("data:") else ""


def title_text(source: str) -> str:
    """A title's source as clean words, on one line; for places where no parser ran."""
    from notes_pipeline.split.inline import inline_text

    return without_tags(" ".join(inline_text(_TRAILING.sub("", source)).split()))


def without_tags(title: str) -> str:
    """A title without the tags at its end, which are metadata; nothing but tags stays as it is."""
    return _TAGS_AT_END.sub("", title) if "#" in title else title


_TAGS_AT_END = re.compile(r"(?<=\S)(?:[ ]#(?=[^\s#]*[^\W\d_])[\w/&-]*\w)+$")
_TAG = re.compile(
    r"<(?:!--.*?(?:-->|$)|/?([a-zA-Z][\w-]*)(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>|[!?][^<>]*>)", re.DOTALL
)
_SILENT = re.compile(r"<(script|style|template)\b.*?(?:</\1\s*>|$)", re.DOTALL | re.IGNORECASE)
_IMG_ALT = re.compile(r"""\balt\s*=\s*("[^"]*"|'[^']*')""", re.IGNORECASE)
_NEXT_CELL = re.compile(r"</t[dh]\s*>\s*<t[dh]\b[^>]*>", re.IGNORECASE)
_BREAKING = re.compile(
    r"address|article|aside|blockquote|br|caption|center|d[dlt]|details|div|fig(?:caption|ure)|footer|form"
    r"|h[1-6]|header|hr|li|main|nav|p|ol|pre|section|summary|table|tbody|t[dhr]|tfoot|thead|ul"
)


def html_text(source: str) -> str:
    """The text of a piece of HTML: table rows as lines with `` | `` between cells, no tags, no comments."""
    if "<script" in source or "<style" in source or "<template" in source:
        source = _SILENT.sub("", source)
    if "<t" in source.lower():
        source = _NEXT_CELL.sub(" | ", source)
    text = html.unescape(_TAG.sub(_tag, source))
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def _tag(match: re.Match[str]) -> str:
    name = match[1]
    if name is None:
        return ""
    name = name.lower()
    if name == "img":
        return tag_image(match[0])
    return "\n" if _BREAKING.fullmatch(name) else ""


def tag_image(tag: str) -> str:
    """What is read for an ``<img …>`` tag."""
    alt = _IMG_ALT.search(tag)
    return image_text(html.unescape(alt[1][1:-1]), "data:" if 'src="data:' in tag else "") if alt else ""
