"""What a note is called where its chunks are read: the title that stands above every heading path.

Belongs here: telling the note's own title from that of its first part. Stays out: finding the
title (sources.metadata), heading paths (headings).
"""

from __future__ import annotations

import json
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
    if len(set(tops)) > 1 and folded(label(title)) in map(folded, tops) and not _is_stated(document, title):
        return name_title(stem(document.source_path))
    return label(title)


def _is_stated(document: Document, title: str) -> bool:
    """Whether the front matter gives this title."""
    fields = json.loads(document.front_matter or "{}")
    return any(" ".join(str(fields.get(key, "")).split()) == title for key in ("title", "Title"))


def folded(title: str) -> str:
    """A title without what two writings of it may differ by: case, blanks, a colon at its end."""
    return " ".join(title.casefold().split()).rstrip(":")
