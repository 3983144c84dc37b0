"""Outlines under a heading at the margin: Logseq indents them by a tab, CommonMark sees code.

Belongs here: making such an outline a list for the parser, byte for byte. Stays out: every other
indented block, which is code.
"""

from __future__ import annotations

import re

_UNDER_HEADING = re.compile(
    r"^(?:#{1,6}[ \t][^\n]*|[A-Za-z][\w-]*::[^\n]*)\n(?=\t[-*+][ \t\r\n])"  # a heading or a property
    r"((?:\t[^\n]*(?:\n|\Z)|[ \t\r]*\n(?=\t))+)",
    re.MULTILINE,
)
_FIRST_TAB = re.compile(r"^\t", re.MULTILINE)


def read_outlines(text: str) -> str:
    """``text`` with each tab-indented outline right under a heading moved to the margin, same length."""
    if "\t" not in text or ("\n\t- " not in text and "\n\t* " not in text):
        return text
    return _UNDER_HEADING.sub(_dedented, text)


def _dedented(match: re.Match[str]) -> str:
    # One blank still is a list for CommonMark, and as many bytes as the tab.
    start = match.start(1) - match.start()
    return match[0][:start] + _FIRST_TAB.sub(" ", match[1])
