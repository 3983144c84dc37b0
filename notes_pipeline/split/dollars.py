"""Dollars that open no formula: sums of money and the names of a shell.

Belongs here: telling them from mathematics, and hiding them from the parser, which takes a dollar
in front of a character and the next one behind a character for a pair. Stays out: formulas themselves.

As in pandoc, a formula is not closed in front of a digit. What pandoc does not ask besides: that it
is not closed inside code, not opened by a shell's name (``$HOME/bin:$PATH``), and not by an amount
with words behind it (``$5, or 5$ more``).
"""

from __future__ import annotations

import re

DOLLAR = "\x03"
"""Stands for a ``$`` that is text, in what the parser is given."""

_REST = r"(?:[^$\n]|\n(?![ \t]*\n))*?"
_PROSE = r"[^$\\^_={}<>]*"
"""Without what formulas have."""
_TEXT_DOLLAR = re.compile(
    rf"""
    \$(?:(?<![\w\\$)\]}}]\$)|(?<=\b(?:US|AU|CA|NZ|HK|SG)\$)(?=\d))   # no end of a formula
    (?=
        (?:[\w\\({{\[]|[.+-]\d){_REST}\$\d            # from $5-$10, not the end of $|x|$, or $2$
    |   (?:[A-Z_][A-Z0-9_]+\b|\{{\w+\}})(?=[/:.,;)"'*-]|\s+[a-z])
        [^$\\^={{}}<>]*\$[A-Za-z_{{]                  # $HOME/bin:$PATH
    |   [^\s$`][^$`]*`(?:[^$`]*`[^$`]*`)*[^$`]*\$    # $HOME and, in code, `$PATH`
    |   \d[\d.,]*(?:[kKmMbB]|bn)?(?:[,;:.]\s+[a-z]|\s+[a-z]{{2,}}\s+[A-Za-z]{{2}}){_PROSE}\$
    )
    """,
    re.VERBOSE,
)


def hidden_dollars(text: str) -> str:
    """``text``, which holds no ``DOLLAR``, with one for every ``$`` that the parser would wrongly open at.

    >>> hidden_dollars("from $5-$10, where $x$ is") == "from \\x035-$10, where $x$ is"
    True
    """
    if "$" not in text:
        return text
    return _TEXT_DOLLAR.sub(DOLLAR, text)


def shown_dollars(text: str) -> str:
    """``text`` with its dollars again."""
    return text.replace(DOLLAR, "$") if DOLLAR in text else text
