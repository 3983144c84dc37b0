"""What a note is called where its chunks are read: the title that stands above every heading path.

Belongs here: telling the note's own title from that of its first part. Stays out: finding the
title (sources.metadata), heading paths (headings).
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from notes_pipeline.records import Document, Section
from notes_pipeline.sources.content import stem
from notes_pipeline.sources.metadata import name_title
from notes_pipeline.split.headings import label


def note_title(document: Document, sections: Sequence[Section]) -> str:
    """The title of a note: the stated one, or that of its only top heading, or the file's name.

    Of several top headings each names its own part, the first too: it stands above no other.
    """
    title = " ".join(document.title.split())
    tops = [section.heading_path[0] for section in sections if len(section.heading_path) == 1]
    if len(set(tops)) > 1 and folded(label(title)) in map(folded, tops) and not is_stated(document, title):
        return name_title(stem(document.source_path))
    return label(title)


def is_stated(document: Document, title: str) -> bool:
    """Whether the front matter gives this title."""
    fields = json.loads(document.front_matter or "{}")
    return any(" ".join(str(fields.get(key, "")).split()) == title for key in ("title", "Title"))


def folded(title: str) -> str:
    """A title without what two writings of it may differ by: case, blanks, a colon at its end."""
    return " ".join(title.casefold().split()).rstrip(":")


_ORDER = re.compile(
    r"(?!\d{2}([-_.])\d{2}\1\d{2})"
    r"(?:ch\d{1,3}[a-z]?[._-]+(?:\d{1,3}[a-z]?[._-]+)*|(?:0\d{1,2}[a-z]?(?:[.)_-]+[ ]?|[ ]+-[ ]+|[ ]))+"
    r"|\d{1,3}(?:[.)][ ]+|[ ]+-[ ]+))[ ]?"
)
"""What puts files in order (``ch04-01-``, ``3. ``); a date or a year says something, so it stays."""
_MARKS = re.compile(r",(?!\d)|[:;!?'\"’‘“”()…]+|\.(?=\s|$)")
"""What file names leave out."""
_BETWEEN = re.compile(r"(?<=[^\s_-])[\s_-]+")


def says_the_same(name: str, title: str) -> bool:
    """Whether a note's name says no more than its first title, but for the signs a file's name lacks.

    >>> says_the_same("ch02-01-mending-a-net", "Mending a Net!"), says_the_same("C++", "C")
    (True, False)
    """
    if folded(name) == folded(title):
        return True
    said = _spoken(title)
    return bool(said) and said in (_spoken(name), _spoken(_unnumbered(name)))


def _unnumbered(name: str) -> str:
    found = _ORDER.match(name)
    return name[found.end() :] if found else name


def _spoken(title: str) -> str:
    return _BETWEEN.sub(" ", _MARKS.sub("", title.casefold())).strip()
