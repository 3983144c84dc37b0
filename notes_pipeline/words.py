"""What a word is, once, for every limit and band of the house.

A word is a run of letters and digits. In scripts written without blanks (Chinese, Japanese,
Thai, Lao, Khmer, Burmese, Tibetan) two characters count as one word.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence

_RUN = re.compile(r"[^\W_]+")
_DENSE_SCRIPTS = (
    "\u0e00-\u0edf\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff"
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\uff66-\uff9f\U00020000-\U0003134f"
)
_DENSE = re.compile(f"[{_DENSE_SCRIPTS}]+")

# The same runs in western text as runs of "a": their starts are counted four times as fast as matched.
_RUNS = bytes(
    ord("a") if _RUN.match(bytes([byte]).decode("cp1252", "replace")) else ord(" ") for byte in range(256)
)


def _blanks(error: UnicodeError) -> tuple[str, int]:
    """Signs that western text has not (``₹``, ``→``) part words as blanks do; letters and digits do more."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    signs = error.object[error.start : error.end]
    if _RUN.search(signs) or _DENSE.search(signs):
        raise error
    return " " * len(signs), error.end


_APART = b"\x00"
_RUNS_APART = _APART + _RUNS[1:]
_SEPARATOR = _APART.decode() + " "

_BLANKS = "notes_pipeline.blanks"
codecs.register_error(_BLANKS, _blanks)


def count_words(text: str) -> int:
    """Words in ``text``; half a character of a dense script too many counts up.

    >>> count_words("It's 3.5 km"), count_words("東京都"), count_words("_ - …")
    (5, 2, 0)
    """
    try:
        western = f" {text}".encode("ascii") if text.isascii() else f" {text}".encode("cp1252", _BLANKS)
        return western.translate(_RUNS).count(b" a")
    except UnicodeEncodeError:
        pass
    sparse, runs = _DENSE.subn(" ", text)
    dense = len(text) - len(sparse) + runs
    return len(_RUN.findall(sparse)) + (dense + 1) // 2


def count_each(texts: Sequence[str]) -> list[int]:
    """``count_words`` of each of many short texts: those in ASCII, most of them, are looked at as one."""
    plain = [text if text.isascii() else "" for text in texts]
    runs = f" {_SEPARATOR.join(plain)}".encode("ascii").translate(_RUNS_APART).split(_APART)
    if len(runs) != len(texts):  # a text holds the separator
        return [count_words(text) for text in texts]
    return [
        run.count(b" a") if run != b" " or not text else count_words(text)
        for run, text in zip(runs, texts, strict=True)
    ]
