"""Inline markup of one piece: what of it a reader sees.

Belongs here: emphasis, code, links, images, wikilinks, footnote marks, HTML, attributes, entities,
addresses. Stays out: offsets (``view.py``), lines (``blocks.py``), what ends a sentence
(``rules.py``). One walk from left to right; every pattern is bounded, so cost is linear.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from collections.abc import Iterator
from heapq import merge

from notes_pipeline.split.sentences.view import Edit, Span, View

_MARKUP = re.compile(r"[`*_~\[<>{\\&$]")
_MARKUP_PAIRS = ("://", "==", "%%", "www.")
_TOKEN = re.compile(
    # One set of first characters in front of everything: the search skips all others fast.
    r"""
    [`\\*_~=\[\]!<%{&$\r\n]
    (?:
        (?<=`)(?P<code>`*)
    |   (?<=\\)(?P<escape>)(?=[!-/:-@\[-`{-~\r\n])
    |   (?P<emphasis>(?<=\*)\*{0,2}|(?<=~)~|(?<==)=|(?<=_)(?:(?<![^\W_]_)_{0,2}|_{0,2}(?![^\W_])))
    |   (?<=\[)(?P<footnote>\^[^\]\[\s]{1,100}\])
    |   (?P<wiki>(?:(?<=!)\[\[|(?<=\[)\[)
            (?P<target>[^\[\]|\n]{1,500})(?:\|(?P<alias>[^\[\]\n]{0,500}))?\]\](?!\())
    |   (?P<opening>(?<=\[)|(?<=!)\[)
    |   (?<=\])(?P<closing>(?P<tail>\((?:[^()\n]++|\([^()\n]{0,200}\)){0,50}+\)(?:\{[^{}\n]{0,300}\})?
            |\[[^\[\]\n]{0,200}\]|\{[^{}\n]{0,300}\})?)
    |   (?P<comment>(?<=<)!--|(?<=%)%)
    |   (?<=<)(?P<address>[a-zA-Z][\w+.-]{1,30}:[^<>\s]{1,2000}>)
    |   (?<=<)(?P<tag>/?[a-zA-Z][\w-]{0,30}(?:\s[^<>]{0,500})?/?>)
    |   (?<=\{)(?P<attributes>[.#][^{}\n]{0,300}\})
    |   (?<=&)(?P<entity>(?:[a-zA-Z][a-zA-Z0-9]{1,30}|\#\d{1,7}|\#[xX][0-9a-fA-F]{1,6});)
    |   (?<=\$)(?P<math>\$?(?=[^\s$])[^$\n]{1,300}(?<=[^\s$\\])\$\$?(?!\d))
    |   (?<=[\r\n])(?P<quote>[ \t]*+(?:>[ \t]?)+)
    )
    """,
    re.VERBOSE,
)
_ADDRESS = re.compile(
    r"(?P<address>(?:(?:https?|ftp|file|obsidian|bear|mailto)://|(?<!\w)www\.)[^\s<>\"'`\[\]]{1,4000})"
)
_ADDRESS_TAIL = ".,;:!?…*_~)}"
_BREAK_TAG = re.compile(r"<br\b", re.IGNORECASE)


def read(source: str, start: int, end: int) -> View:
    """``source[start:end]`` as a reader sees it."""
    if not has_markup(source, start, end):
        return View(source, start, end)
    reader = _Reader(source, start, end)
    for match in _tokens(source, start, end):
        if match.start() >= reader.position:
            reader.token(match)
    return View(source, start, end, reader.edits, reader.atoms)


def _tokens(source: str, start: int, end: int) -> Iterator[re.Match[str]]:
    tokens = _TOKEN.finditer(source, start, end)
    if source.find("://", start, end) < 0 and source.find("www.", start, end) < 0:
        return tokens
    addresses = _ADDRESS.finditer(source, start, end)
    return merge(tokens, addresses, key=lambda match: match.start())


def has_markup(source: str, start: int, end: int) -> bool:
    """Whether anything in ``source[start:end]`` may be markup; quick."""
    if _MARKUP.search(source, start, end):
        return True
    return any(source.find(pair, start, end) >= 0 for pair in _MARKUP_PAIRS)


class _Reader:
    """Collects the edits and atoms of one piece."""

    def __init__(self, source: str, start: int, end: int) -> None:
        self.source = source
        self.end = end
        self.position = start
        """Tokens before this lie inside one already read."""
        self.edits: list[Edit] = []
        self.atoms: list[Span] = []
        self._start = start
        self._brackets: list[Span] = []
        self._marks: set[str] = set()
        self._ticks: dict[int, list[int]] | None = None
        self._unclosed: set[str] = set()

    def token(self, match: re.Match[str]) -> None:
        getattr(self, f"_{match.lastgroup}")(match)

    def _hide(self, start: int, end: int, *, closes: bool, text: str = "") -> None:
        self.edits.append(Edit(start, end, text, closes))
        self.position = end

    def _stand_in(self, start: int, end: int, text: str) -> None:
        self.edits.append(Edit(start, end, text, closes=False))
        self.atoms.append(Span(start, end))
        self.position = end

    def _code(self, match: re.Match[str]) -> None:
        starts = self._tick_runs().get(match.end() - match.start(), [])
        at = bisect_left(starts, match.end())
        if at == len(starts):
            self.position = match.end()
        else:
            self._stand_in(match.start(), starts[at] + match.end() - match.start(), "Code")

    def _tick_runs(self) -> dict[int, list[int]]:
        if self._ticks is None:
            self._ticks = {}
            for run in re.finditer("`+", self.source[self._start : self.end]):
                self._ticks.setdefault(run.end() - run.start(), []).append(self._start + run.start())
        return self._ticks

    def _escape(self, match: re.Match[str]) -> None:
        self._hide(match.start(), match.end(), closes=True)
        self.position = match.end() + 1

    def _emphasis(self, match: re.Match[str]) -> None:
        start, end = match.span()
        blank_before = start == self._start or self.source[start - 1].isspace()
        blank_after = end == self.end or self.source[end].isspace()
        if blank_before and blank_after:
            return
        mark = match[0]
        closes = blank_after or (not blank_before and mark in self._marks)
        (self._marks.discard if closes else self._marks.add)(mark)
        self._hide(start, end, closes=closes)

    def _footnote(self, match: re.Match[str]) -> None:
        self._hide(match.start(), match.end(), closes=True)

    def _wiki(self, match: re.Match[str]) -> None:
        self._stand_in(match.start(), match.end(), (match["alias"] or match["target"]).strip() or "Link")

    def _opening(self, match: re.Match[str]) -> None:
        self._brackets.append(Span(match.start(), match.end()))

    def _closing(self, match: re.Match[str]) -> None:
        opening = self._brackets.pop() if self._brackets else None
        if opening is None or not match["tail"]:
            self.position = match.start() + 1
            return
        self._hide(opening.start, opening.end, closes=False)
        self._hide(match.start(), match.end(), closes=True)
        self.atoms.append(Span(opening.start, match.end()))

    def _comment(self, match: re.Match[str]) -> None:
        mark = "-->" if match[0] == "<!--" else match[0]
        end = -1 if mark in self._unclosed else self.source.find(mark, match.end(), self.end)
        if end < 0:
            self._unclosed.add(mark)
            return
        self._hide(match.start(), end + len(mark), closes=True)
        self.atoms.append(Span(match.start(), end + len(mark)))

    def _address(self, match: re.Match[str]) -> None:
        end = match.end()
        if not match[0].startswith("<"):
            end = match.start() + len(match[0].rstrip(_ADDRESS_TAIL))
        self._stand_in(match.start(), end, "Link")

    def _tag(self, match: re.Match[str]) -> None:
        text = " " if _BREAK_TAG.match(match[0]) else ""
        self._hide(match.start(), match.end(), closes=bool(text) or match[0].startswith("</"), text=text)
        self.atoms.append(Span(match.start(), match.end()))

    def _attributes(self, match: re.Match[str]) -> None:
        self._hide(match.start(), match.end(), closes=True)

    def _entity(self, match: re.Match[str]) -> None:
        text = html.unescape(match[0])
        if text.isspace():
            self._hide(match.start(), match.end(), closes=True, text=" ")
        elif text != match[0]:
            self._stand_in(match.start(), match.end(), text)

    def _math(self, match: re.Match[str]) -> None:
        self._stand_in(match.start(), match.end(), "Math")

    def _quote(self, match: re.Match[str]) -> None:
        self._hide(match.start() + 1, match.end(), closes=False)
