"""Openings that only send the reader elsewhere, and bodies that only hold a place.

Belongs here: junk pointers, which alone make a chunk context-dead. Stays out: connectives such as
"for example" or "including", which are information (``openings``).

A pointer counts only where it is most of the chunk: under ``SHORT`` words in all, or under
``LITTLE_LEFT`` words once the pointing sentence is taken away. Measured on 17 note corpora, the
gate brings wrong flags under 2 %.
"""

from __future__ import annotations

import re

from notes_pipeline.flags.rule import words
from notes_pipeline.flags.view import View
from notes_pipeline.records import Finding
from notes_pipeline.words import count_words

SHORT = 30
LITTLE_LEFT = 20
MOST_PLACEHOLDER_WORDS = 4

_PLACE = (
    r"(?:sections?|figures?|fig\.|tables?|docs?|documentation|notes?|chapters?|pages?|appendix|"
    r"links?|guides?|articles?|posts?|examples?|references?)\b"
)
_SEE = r"(?:see|refer|visit|consult|check|read|go\s+to|click|head|look|have\s+a\s+look|take\s+a\s+look)\b"
_POINTER = re.compile(
    "|".join(
        (
            r"(?:please\s+)?(?:click|tap|press)\s+(?:here\b|(?:on\s+)?(?:this|the)\s+links?\b)",
            r"(?:please\s+)?see\s+also\b",
            r"(?:please\s+)?see\s+(?:the\s+)?(?:above|below|previous|next|here)\b",
            rf"(?:please\s+)?see\s+(?:(?:the|this|our|my|also)\s+)?(?:[\w`'’.-]+\s+){{0,3}}{_PLACE}",
            r"(?:please\s+)?see\s*:",
            r"(?:please\s+)?see\s+(?:\[|§|\(\(|<?https?:)",
            r"(?:please\s+)?refer\s+(?:back\s+)?to\b",
            r"for\s+(?:more|further|full|additional|complete)\s+(?:(?:detailed|specific|in-depth|general|"
            r"technical|background|complete|detailed)\s+)?(?:info(?:rmation)?|details?|reading|"
            r"explanations?|help|instructions|documentation|context|background|resources)\b",
            r"for\s+more\s*(?:,|(?:on|about|see)\b)",
            rf"for\s+(?!example\b|instance\b)(?:an?\s+|the\s+)?(?:[\w-]+\s+){{0,2}}(?:details?|lists?|examples?|overview|information|"
            rf"info|discussions?|explanations?|references?)\b(?!\s*[:.]?\s*$)[^.!?\n]{{0,80}}?\b{_SEE}",
            r"(?:read|learn|find\s+out|see|know)\s+more\s*(?:\b(?:about|in|at|on|here)\b|[\])>:.…]|$)",
            r"more\s+(?:info(?:rmation)?|details?|examples?|resources)\s*(?:[\]:]|\b(?:here|at|in|on|about|see|"
            r"can\s+be\s+found|is\s+available|are\s+available)\b)",
            rf"(?:check\s+out|consult|visit|view)\s+(?:(?:the|this|our|my)\s+)?(?:[\w-]+\s+){{0,3}}"
            rf"(?:{_PLACE}|(?:manual|wiki|website|site|repo(?:sitory)?)\b)",
            r"(?:related|sources?|links?|references?|upstream|further\s+reading|see)(?:\s+\w+)?\s*[*_]*\s*:",
            r"this\s+link\b",
            r"(?:continued|cont['’]d|contd\.?)(?:\s+(?:from|in|on|below|above)\b|\s*[)….]|\s*$)",
            r"back\s+to\s+(?:the\s+)?(?:top|index|contents|toc|home|start)\b",
            r"(?:next|prev(?:ious)?|up)\s*[*_]*\s*:",
            r"same\s+as\s+(?:the\s+)?(?:above|before|below|previous)\b",
        )
    ),
    re.IGNORECASE,
)
_BACKWARD = re.compile(
    r"(?:as|like)\s+(?:(?:was|has\s+been|is|already|we|i|previously|just)\s+){0,2}"
    r"(?:mentioned|stated|discussed|noted|shown|described|explained|seen|said|outlined|above|before)\b"
    r"|as\s+you\s+can\s+see\b",
    re.IGNORECASE,
)
POINTER_OPENERS = words(
    "click tap press please see refer for read learn find know more check consult visit view related source"
    " sources link links reference references upstream further this continued cont cont'd contd back next"
    " prev previous up same as like"
)
_SENTENCE_END = re.compile(r"[.!?…](?=[\s)\]*_\"”]|$)|\n\s*\n|\n\s*[-*+]\s|\n\s*\d+[.)]\s|\Z")
_PLACEHOLDER = re.compile(
    r"(?:none|n\s*/\s*a|to\s?-?do|tbd|tba|tbc|wip|fixme|xxx+|lorem ipsum|placeholder|coming\s+soon|"
    r"work\s+in\s+progress|under\s+construction|to\s+be\s+(?:added|done|determined|written|continued|filled"
    r"(?:\s+in)?|completed|announced)|(?:write|add|fill\s+in)\s+(?:this|later|something)(?:\s+(?:here|in|up|later))?|"
    r"no\s+(?:content|notes?|text)(?:\s+yet)?|nothing(?:\s+(?:here|yet|here\s+yet))?|empty)\s*[.!…:]*",
    re.IGNORECASE,
)
_NOTHING_SAID = re.compile(r"[.…?_\-–—\s]+")


def pointer(view: View) -> list[Finding]:
    """The chunk opens by sending the reader elsewhere and holds little more."""
    match = _POINTER.match(view.head)
    if match and _little_else(view, match.end()):
        note = "opens with a pointer to another place and says little else"
        return [Finding("pointer", view.start, view.start + match.end(), note)]
    match = _BACKWARD.match(view.head)
    if match and view.chunk.word_count < SHORT:
        note = "refers back to something said in another place and says little else"
        return [Finding("pointer", view.start, view.start + match.end(), note)]
    return []


def _little_else(view: View, opening: int) -> bool:
    if view.chunk.word_count < SHORT:
        return True
    end = _SENTENCE_END.search(view.text, view.start + opening)
    stop = end.end() if end else len(view.text)
    return count_words(view.text[stop:]) < LITTLE_LEFT


def placeholder(view: View) -> list[Finding]:
    """The whole body is a word that holds a place for text not yet written."""
    if view.chunk.word_count > MOST_PLACEHOLDER_WORDS:
        return []
    body = view.text[view.start : view.trimmed_end].rstrip("*_~=)]\"'”’» ")
    if _PLACEHOLDER.fullmatch(body) or (body and _NOTHING_SAID.fullmatch(body)):
        note = "holds a place for text that is not written"
        return [Finding("placeholder", view.start, view.start + len(body), note)]
    return []


def refers_back(view: View) -> re.Match[str] | None:
    """The opening that refers back, in a chunk long enough to hold something of its own."""
    return _BACKWARD.match(view.head) if view.chunk.word_count >= SHORT else None
