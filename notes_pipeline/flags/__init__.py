"""Chunks -> chunks with findings: what keeps a chunk from standing alone, and what kind it is.

``RULES`` is the whole behaviour in order. A rule finds a span and says a sentence; it never judges:
what a finding leads to is decided in ``decide`` alone. Each chunk is judged as it will be embedded,
heading path and text together.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from notes_pipeline.flags import anchors, blocks, endings, openings, pointers, references, row_values
from notes_pipeline.flags.rule import Rule
from notes_pipeline.flags.semantic_types import ASKED, semantic_type
from notes_pipeline.flags.view import Context, View
from notes_pipeline.garbage import collector_paused
from notes_pipeline.records import Chunk, revised

__all__ = ["RULES", "Context", "Rule", "flag"]

RULES: tuple[Rule, ...] = (
    Rule("pointer", pointers.pointer, pointers.POINTER_OPENERS),
    Rule("placeholder", pointers.placeholder, most_words=pointers.MOST_PLACEHOLDER_WORDS),
    Rule("continuation_phrase", openings.continuation_phrase, openings.CONTINUATION_OPENERS),
    Rule("leading_pronoun", references.leading_pronoun, references.PRONOUN_OPENERS),
    Rule("bare_demonstrative", references.bare_demonstrative, references.DEMONSTRATIVE_OPENERS),
    Rule("demonstrative_noun", references.demonstrative_noun, references.DEMONSTRATIVE_OPENERS | {"the"}),
    Rule("generic_definite", references.generic_definite, words=references.GENERIC_NOUNS),
    Rule("backward_reference", references.backward_reference, openers=frozenset(("as", "like"))),
    Rule("deixis", references.deixis, words=references.DEIXIS_WORDS),
    Rule("dangling_connective", openings.dangling_connective, openings.CONNECTIVE_OPENERS),
    Rule("mid_sentence_start", openings.mid_sentence_start),
    Rule("cut_end", endings.cut_end),
    Rule("lead_in_only", endings.lead_in_only),
    Rule("orphan_number", openings.orphan_number),
    Rule("bare_answer", openings.bare_answer, openings.ANSWER_OPENERS),
    Rule("table_fragment", blocks.table_fragment, mark="|"),
    Rule("unbalanced", blocks.unbalanced),
    Rule("unresolved_footnote", blocks.unresolved_footnote, mark="^"),
    Rule("relative_time", anchors.relative_time, words=anchors.TIME_WORDS),
    Rule("undefined_acronym", anchors.undefined_acronym),
    Rule("no_anchor", anchors.no_anchor, words=anchors.POINTING),
    Rule("few_values", row_values.few_values, rows=True),
    Rule("headerless_values", row_values.headerless_values, rows=True),
)

_ASKED = ASKED.union(*(rule.words for rule in RULES))
"""Words any rule or type asks for."""


def flag(chunks: Sequence[Chunk], context: Context) -> list[Chunk]:
    """The chunks of one document with the findings of every rule and their semantic type.

    Findings a chunk brings along (the cutter's own) stay, before those of the rules; a rule that
    has spoken already is not asked again, so flagging twice changes nothing.
    """
    with collector_paused():
        return [_flagged(chunk, context) for chunk in chunks]


def _flagged(chunk: Chunk, context: Context) -> Chunk:
    view = View(chunk, context, _ASKED)
    found = list(chunk.findings)
    spoken = {finding.rule for finding in found}
    for name, find, _, words, most_words, mark, _ in _candidates(view.first, view.is_row):
        if (
            chunk.word_count <= most_words
            and not (words and words.isdisjoint(view.vocabulary))
            and mark in view.text
            and name not in spoken
        ):
            found.extend(find(view))
    return revised(chunk, findings=tuple(found), semantic_type=semantic_type(view))


@lru_cache(maxsize=4096)
def _candidates(first_word: str, row: bool) -> tuple[Rule, ...]:
    """Rules that can fire on a chunk that opens with ``first_word``; few differ, so the table is small."""
    return tuple(
        rule for rule in RULES if rule.rows == row and (not rule.openers or first_word in rule.openers)
    )
