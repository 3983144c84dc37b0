"""What a reader sees of a piece of Markdown, by another parser than the pipeline's, and what is said of it.

``missing(chunk)`` are words seen in a chunk's text that its ``embed_text`` lacks; ``repeated(chunk)``
lines of it said more often than the text has them. Only markup may go: each pattern below names a
thing no reader hears.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from itertools import chain, pairwise, zip_longest
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from notes_pipeline.records import Chunk

_PARSER = MarkdownIt("commonmark", {"maxNesting": 200}).enable(["table", "strikethrough"])
_WORD = re.compile(r"[^\W_]+")
_PROGRAMS = ("dataview", "dataviewjs", "query", "mermaid", "excalidraw", "compressed-json", "plantuml")
_UNHEARD = tuple(
    re.compile(pattern, re.DOTALL | re.MULTILINE | re.IGNORECASE)
    for pattern in (
        r"<!--.*?(?:-->|\Z)",
        r"(?:^|(?<=[\s(]))%%.*?%%",
        r":(?:LOGBOOK|PROPERTIES):.*?(?::END:|\Z)",
        r"#\+BEGIN_(QUERY|EXPORT|COMMENT)\b.*?(?:#\+END_\1|\Z)",
        r"#\+(?:BEGIN|END)_\w+",
        r"\(\([0-9a-f-]{36}\)\)",
        r"\{{2,3}(?:query|renderer|function|embed|video|youtube|vimeo|tweet|twitter|cards|namespace|pdf)[^{}]*\}{2,3}",
        r"\{:(?:height|width) [^{}]*\}",
        r"\{:?[ \n]*(?:[#.][\w:.-]+|[\w:.-]+=(?:\"[^\"{}]*\"|[^\s{}]+)|-|=\w+)[^{}]*\}",
        r"(?:^|(?<=\s))\^[A-Za-z0-9-]+[ ]*$",
        r"^[ \t>]*\[![^\]\n]*\][+-]?",
        r"^[ \t>]*:{3,}.*?$",
        r"^[ \t>*+-]*(?:id|title|collapsed|heading|icon|public|filters|template|file|file-path"
        r"|template-including-parent|exclude-from-graph-view|(?:created|updated)-at|background-\w+"
        r"|(?:logseq\.|query-|card-|ls-|hl-)[\w./-]*)::.*?$",
        r"^[ \t>*+-]*[\w./-]+::\s*\d{10,}\s*$",
        r"!\[\[[^\[\]|]*\.\w{2,10}(?:\|\s*\d+(?:x\d+)?)?\]\]",
        r"\]\((?:[^()\n]|\([^()\n]*\))*\)",
        r"\|\d+(?:x\d+)?(?=$|\])",
    )
)
_RAISED = re.compile(r"(?<=\w)[\^~](\w{1,20})[\^~]")
_COMMENT = re.compile(r"^%%.*?%%[ \t]*$", re.DOTALL | re.MULTILINE)
_WIKI = re.compile(r"\[\[(?:[^\[\]|]*\\?\|)?([^\[\]|]*?)(?:#?\^[\w-]*)?\]\]")
_PIPED = re.compile(r"(?<![!`])\[\[[^\[\]|\n]*\|([^\[\]|\n]*)\]\](?=[^\n`]*\|)")
"""A link whose bar would end a cell for a parser that knows none."""
_FOOTNOTE = re.compile(r"\[\^[^\]\s]+\]:?")
_TAGS_AT_END = re.compile(r"(?<=\S)(?:[ ]#(?=[^\s#]*[^\W\d_])[\w/&-]*\w)+$")
"""Of a title: they are metadata."""
_TASK = re.compile(r"^\[[ xX]\][ \t]")
_CLOZE = re.compile(r"\{\{cloze ([^{}\\]*)[^{}]*\}\}")
_TAG = re.compile(
    r"<(script|style|template)\b.*?(?:</\1\s*>|\Z)|</?[a-zA-Z](?:[^<>\"']|\"[^\"]*\"|'[^']*')*>|<[!?][^>]*>",
    re.DOTALL | re.I,
)
_NO_ALT = re.compile(r".*\.\w{2,10}(?:\|.*)?$|^(?:Untitled|image)$|^\d+(?:x\d+)?$|\|\d+(?:x\d+)?$", re.DOTALL)
_MOST_ALT_WORDS = 30


def seen(source: str, whole: str = "") -> Counter[str]:
    """The words a reader sees of a piece of Markdown; ``whole`` is the note, whose link definitions hold."""
    env: dict[str, Any] = {}
    if "]:" in whole:
        _PARSER.parse(_FOOTNOTE.sub("", whole), env)
    source = _COMMENT.sub("", _outdented(_FOOTNOTE.sub("", source)))
    source = _PIPED.sub(r"[[\1]]", source)
    return _words(" ".join(_texts(_PARSER.parse(source, env))))


def _outdented(source: str) -> str:
    """A slice that starts in a nested item, moved to the margin: its indentation is no code."""
    lines = re.split(r"(?:\r\n|\n|\r)", source)
    inset = re.match(r"[ \t]*", lines[0])
    margin = inset[0] if inset else ""
    return "\n".join(line.removeprefix(margin) for line in lines)


def _texts(tokens: list[Token]) -> Iterator[str]:
    rows: list[list[str]] = []
    for before, token in pairwise([None, *tokens]):
        assert token is not None
        if token.type == "tr_open":
            rows.append([])
        elif before is not None and before.type == "heading_open":
            yield _TAGS_AT_END.sub("", _inline(token.children or []))
        elif token.type == "table_close":
            yield from _named_columns(rows)
            rows = []
        elif rows and token.type == "inline":
            rows[-1].append(_inline(token.children or []))
        else:
            yield from _text(token)


def _named_columns(rows: list[list[str]]) -> Iterator[str]:
    """The cells of a table; the name of a column that says nothing is not missed."""
    values = [" ".join(column) for column in zip_longest(*rows[1:], fillvalue="")]
    said = [bool(_WORD.search(value)) for value in values]
    yield from values
    yield from (name for number, name in enumerate(rows[0]) if not any(said) or said[number])


def _text(token: Token) -> Iterator[str]:
    if token.type == "code_block":  # or bullets that an outline indents
        yield from (_inline(_PARSER.parseInline(line)[0].children or []) for line in _lines(token.content))
    elif token.type == "fence":
        if token.info.strip().split(" ")[0].lower() not in _PROGRAMS:
            yield token.content
    elif token.type == "html_block":
        yield _unheard(unescape(_TAG.sub(" ", _unheard(token.content))))
    elif token.type == "inline":
        yield _inline(token.children or [])


def _lines(code: str) -> Iterator[str]:
    return (line.strip().removeprefix("- ") for line in code.split("\n") if line.strip())


def _inline(tokens: list[Token]) -> str:
    """The words of inline tokens; code is put back after the marks of the dialects are gone."""
    parts: list[str] = []
    code: list[str] = []
    for token in tokens:
        if token.type in ("text", "text_special"):
            parts.append(token.content)
        elif token.type in ("softbreak", "hardbreak"):
            parts.append("\n")
        elif token.type == "html_inline":
            parts.append(token.content if token.content.startswith("<!--") else " ")
        elif token.type == "code_inline":
            parts.append("\x01")
            code.append(token.content)
        elif token.type == "image" and len(token.content.split()) <= _MOST_ALT_WORDS:
            alt = _NO_ALT.sub("", "".join(child.content for child in token.children or []))
            parts.append(f" {alt} " if any(map(str.isalpha, alt)) else "")
    around = _unheard(_TASK.sub("", "".join(parts))).split("\x01")
    return "".join(chain.from_iterable(zip_longest(around, code, fillvalue="")))


def _unheard(text: str) -> str:
    if "$" not in text:
        text = _RAISED.sub(r"\1", text)
    text = _CLOZE.sub(r"\1", text)
    for pattern in _UNHEARD:
        text = pattern.sub(" ", text)
    return _WIKI.sub(r"\1", text)


def _words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text))


def missing(chunk: Chunk, whole: str = "") -> list[str]:
    """Words seen in the chunk's text that are not read."""
    read = _words(chunk.embed_text)
    titles = _words(" ".join(chunk.heading_path))
    return sorted(word for word in seen(chunk.text, whole) if word not in read and word not in titles)


def repeated(chunk: Chunk, whole: str = "") -> list[str]:
    """Lines of five words or more, rows of tables aside, that are read more often than they are written.

    What a later part of a list carries from above it (its parents, its lead-in) is written there, once.
    """
    heard = [_MARK_READ.sub("", line) for line in chunk.embed_text.split("\n")[1:] if "; " not in line]
    lines = Counter(" ".join(_WORD.findall(line)) for line in heard)
    often = [line for line, count in lines.items() if count > 1 and line.count(" ") > 3]
    if not often:
        return []
    sources = chunk.text, " ".join(_texts(_PARSER.parse(_outdented(chunk.text))))
    said = [" ".join(_WORD.findall(source)) for source in sources]
    above = [" ".join(_WORD.findall(line)) for line in _above(whole[: chunk.char_start], chunk.text)]
    return sorted(
        line
        for line in often
        if lines[line] > max(1, *(each.count(line) for each in said)) + above.count(line)
    )


_MARK_READ = re.compile(r"^\s*(?:-|\d+\.) |\(done\) |\[image: |\[image\]")
"""What is read for a bullet, a number that counts on, a box or an image, beside their words."""
_INSET = re.compile(r"[ \t>]*")


def _above(before: str, text: str) -> Iterator[str]:
    """The lines that hold what follows ``before``, each less indented than the one below; and a lead-in."""
    lines = re.split(r"\r\n|\n|\r", before)
    inset = _inset(lines[-1] + text)
    for line in reversed(lines[:-1]):
        if not line.strip(" \t>"):
            continue
        if _inset(line) < inset:
            inset = _inset(line)
        elif inset or not line.rstrip().endswith(":"):
            continue
        yield " ".join(_texts(_PARSER.parse(line.strip(" \t>"))))
        if line.rstrip().endswith(":") and not inset:
            return


def _inset(line: str) -> int:
    found = _INSET.match(line.expandtabs(4))
    return found.end() if found else 0
