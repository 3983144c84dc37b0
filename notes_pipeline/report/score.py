"""The retrieval score: a proxy, from the text alone, for how well a chunk can be found.

Belongs here: the formula. Stays out: measured retrieval, which asks real questions. Names, years,
amounts and abbreviations stand for entities, so that no model is needed; the numbers compare builds of
the same notes, nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from notes_pipeline.records import Chunk

BIN = 0.2
_GOOD_WORDS = {False: (100, 300), True: (10, 100)}
_NEAR_WORDS = {False: (20, 350), True: (5, 150)}
_GOOD_DENSITY = {False: (5.0, 20.0), True: (2.0, 15.0)}
"""By whether the chunk is a row: words, words near it, entities in a hundred words."""

HIGH_VALUE = frozenset(
    ("definition", "timeline", "comparison", "causal", "legal_policy", "historical_event", "statistical")
)
FACT_LIKE = HIGH_VALUE | {"biographical", "geographic", "factual"}
"""Types that state something which can be right or wrong."""

# Each begins with its first character and looks back after: the others are passed over three times as fast.
_NAME = re.compile(r"[A-Z](?<=[a-z,;:(] [A-Z])[a-z]+(?: [A-Z][a-z]+)*")
_SHORT = re.compile(r"[A-Z](?<!\w[A-Z])[A-Z]{1,5}\b")
_YEAR = re.compile(r"[12](?<!\w[12])(?:(?<=1)[0-9]|(?<=2)0)\d\d\b")
_AMOUNT = re.compile(r"\d(?<!\w\d)\d*(?:[.,]\d+)*\b")
_AUXILIARY = re.compile(r"\b(?:is|are|was|were|has|have|had|can|will|does)\b")
_SENTENCE_END = re.compile(r"[.!?](?=\s+\S)")


def retrieval_score(chunk: Chunk, tags: Mapping[str, int] | None = None) -> float:
    """0 to 1; ``tags`` says how many tags the note of each source path carries."""
    row = chunk.row_number is not None
    text = chunk.text
    kinds = [len(pattern.findall(text)) for pattern in (_NAME, _SHORT, _YEAR)]
    kinds.append(max(0, len(_AMOUNT.findall(text)) - kinds[2]))
    density = 100 * sum(kinds) / max(chunk.word_count, 1)
    has_verb = _AUXILIARY.search(text) is not None
    score = _length(chunk.word_count, row)
    score += 0.25 * _within(density, _GOOD_DENSITY[row])
    score += 0.20 * (chunk.semantic_type in HIGH_VALUE)
    score += 0.10 * (_SENTENCE_END.search(text) is not None)
    score += 0.05 * has_verb
    score += 0.05 * (sum(count > 0 for count in kinds) > 1)
    score -= 0.10 * (text.count(",") > 2 and not has_verb)
    score += 0.15 * (chunk.decision != "omit" and chunk.quality == "ok")
    score += 0.10 * ((tags or {}).get(chunk.source_path, 0) > 1)
    return min(1.0, max(0.0, score))


def _length(words: int, row: bool) -> float:
    if _within(words, _GOOD_WORDS[row]):
        return 0.30
    return 0.15 if _within(words, _NEAR_WORDS[row]) else 0.0


def _within(value: float, band: tuple[float, float]) -> bool:
    return band[0] <= value <= band[1]
