"""A text as rules compare its words: small letters, digits and apostrophes, all else blank.

Belongs here: that one translation. Stays out: which words are looked for. Bytes, because they are cut
into words a fifth faster than text is; one a character, so that a span of the text is the same span here.
"""

from __future__ import annotations

_PUNCTUATION = "“”‘„«»–—…•·→。，、：；！？（）\u00a0"


def _small(character: str) -> str:
    """A character of western text: small, a blank, or "?" for letters beyond ASCII."""
    if character.isascii():
        return character.lower() if character.isalnum() or character in "'?" else " "
    return "'" if character == "’" else " " if character in _PUNCTUATION else "?"


_SMALL = "".join(_small(bytes((byte,)).decode("cp1252", "replace")) for byte in range(256)).encode()


def plain(text: str) -> bytes:
    """``text`` with one byte a character; words stay whole whatever their letters are.

    >>> plain("Zoë’s 3 cats, you say?").split()
    [b"zo?'s", b'3', b'cats', b'you', b'say']
    """
    text = text.replace("?", " ")
    if text.isascii():
        data = text.encode()
    else:
        try:
            data = text.encode("cp1252")
        except UnicodeEncodeError:
            data = _in_ascii(text)
    return data.translate(_SMALL)


def _in_ascii(text: str) -> bytes:
    """``text`` with letters beyond ASCII as "?", so that words stay whole; punctuation as blanks."""
    text = text.replace("’", "'")
    for mark in _PUNCTUATION:
        if mark in text:
            text = text.replace(mark, " ")
    return text.encode("ascii", "replace")
