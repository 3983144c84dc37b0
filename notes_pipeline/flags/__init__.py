"""Chunks -> chunks with findings: what keeps a chunk from standing alone, and what kind it is.

``RULES`` is the whole behaviour in order. A rule finds a span and says a sentence; it never judges:
what a finding leads to is decided in ``decide`` alone. Each chunk is judged as it will be embedded,
heading path and text together.
"""

from __future__ import annotations

from collections.abc import Sequence

from notes_pipeline.flags import anchors, blocks, endings, openings, pointers, references, row_values
from notes_pipeline.flags.candidates import Candidates
from notes_pipeline.flags.rule import Rule
from notes_pipeline.flags.semantic_types import ASKED, semantic_type
from notes_pipeline.flags.surroundings import Context, Surroundings
from notes_pipeline.flags.view import View
from notes_pipeline.garbage import collector_paused
from notes_pipeline.records import Chunk, Finding, reviser

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
    Rule("mid_sentence_start", openings.mid_sentence_start, kinds=openings.PROSE, cut=True),
    Rule("cut_end", endings.cut_end, endings=endings.CUT_ENDINGS),
    Rule("lead_in_only", endings.lead_in_only, endings=endings.COLONS),
    Rule("orphan_number", openings.orphan_number, kinds=openings.NUMBERED),
    Rule("bare_answer", openings.bare_answer, openings.ANSWER_OPENERS),
    Rule("table_fragment", blocks.table_fragment, kinds=blocks.TABLES, marks=("|",)),
    Rule("unbalanced", blocks.unbalanced, marks=("```", "~~~")),
    Rule("unresolved_footnote", blocks.unresolved_footnote, marks=("[^",)),
    Rule("relative_time", anchors.relative_time, words=anchors.TIME_WORDS),
    Rule("undefined_acronym", anchors.undefined_acronym, where=anchors.spells_out),
    Rule("no_anchor", anchors.no_anchor, where=anchors.is_untitled),
    Rule("few_values", row_values.few_values, rows=True),
    Rule("headerless_values", row_values.headerless_values, rows=True),
)

_CANDIDATES = Candidates(RULES)
_ASKED = ASKED | _CANDIDATES.words
"""Words any rule or type asks for."""
_with_findings = reviser("findings", "semantic_type")


def flag(chunks: Sequence[Chunk], context: Context) -> list[Chunk]:
    """The chunks of one document with the findings of every rule and their semantic type.

    Findings a chunk brings along (the cutter's own) stay, before those of the rules; a rule that
    has spoken already is not asked again, so flagging twice changes nothing.
    """
    if not chunks:
        return []
    with collector_paused():
        around = Surroundings(context)
        allowed = _CANDIDATES.in_document(around)
        return [_flagged(chunk, around, allowed) for chunk in chunks]


def _flagged(chunk: Chunk, around: Surroundings, allowed: int) -> Chunk:
    view = View(chunk, around, _ASKED)
    rules = _CANDIDATES.of_chunk(view, allowed)
    findings = _found(rules, view) if rules else chunk.findings
    return _with_findings(chunk, findings, semantic_type(view))


def _found(rules: Sequence[Rule], view: View) -> tuple[Finding, ...]:
    found = list(view.chunk.findings)
    spoken = {finding.rule for finding in found} if found else ()
    for rule in rules:
        if rule.name not in spoken:
            found += rule.find(view)
    return tuple(found)
