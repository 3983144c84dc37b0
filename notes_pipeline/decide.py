"""Findings -> keep, review or omit; the only place that omits.

Belongs here: the order of qualities, the action each finding leads to, and a reviewer's last word.
Stays out: what a finding is (``flags``). Pure: same chunk, settings and verdicts, same decision.

A rule starts as information or review; it may omit only where labels showed it right nine times in
ten. A chunk of more than ``POINTER_WORDS`` words is never omitted for its wording.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from notes_pipeline.records import Chunk, Finding, reviser
from notes_pipeline.settings import Bands, Settings

POINTER_WORDS = 15
"""A context-dead chunk up to this many words holds nothing worth a reader's time."""

CONTEXT_DEAD = frozenset(("pointer", "placeholder"))
"""Rules whose finding makes a chunk context-dead: it points elsewhere or holds a place."""

REVIEW = frozenset(
    (
        "leading_pronoun",
        "bare_demonstrative",
        "generic_definite",
        "backward_reference",
        "deixis",
        "mid_sentence_start",
        "cut_end",
        "lead_in_only",
        "bare_answer",
        "table_fragment",
        "no_anchor",
        "headerless_values",
        "free_text",
    )
)
"""Rules a person should look at; findings of all others are information."""

FEW_VALUES = "few_values"
_TOO_LITTLE = frozenset((FEW_VALUES,))


class Decision(NamedTuple):
    """What becomes of a chunk and the rule that said so."""

    action: str
    reason: str


_BY_QUALITY = {
    "short": Decision("keep", "short"),
    "ok": Decision("keep", "ok"),
    "too_long": Decision("review", "too_long"),
}
"""What follows from a quality where no rule speaks."""
_decided = reviser("quality", "decision", "decision_reason")


def decide(chunk: Chunk, settings: Settings, verdicts: Mapping[str, str] | None = None) -> Chunk:
    """``chunk`` with quality, decision and decision_reason set.

    ``verdicts`` are reviewers' labels, content hash to ``keep`` or ``omit``; they overrule everything.
    """
    quality = quality_of(chunk, settings)
    verdict = verdicts.get(chunk.content_hash) if verdicts else None
    action, reason = Decision(verdict, "label") if verdict else _action(chunk, quality)
    if chunk.quality == quality and chunk.decision == action and chunk.decision_reason == reason:
        return chunk
    return _decided(chunk, quality, action, reason)


def quality_of(chunk: Chunk, settings: Settings) -> str:
    """``context_dead``, else ``fragment``, else ``short``, else ``too_long``, else ``ok``."""
    if chunk.findings and _first(chunk.findings, CONTEXT_DEAD):
        return "context_dead"
    bands, count = bands_of(chunk, settings), chunk.word_count
    if count < bands.fragment or (chunk.findings and _first(chunk.findings, _TOO_LITTLE)):
        return "fragment"
    if count < bands.short:
        return "short"
    return "too_long" if count > bands.too_long else "ok"


def bands_of(chunk: Chunk, settings: Settings) -> Bands:
    """The word bands of the chunk's kind: rows are shorter by nature."""
    return settings.bands if chunk.row_number is None else settings.excel.bands


def _action(chunk: Chunk, quality: str) -> Decision:
    if quality == "context_dead":
        action = "omit" if chunk.word_count <= POINTER_WORDS else "review"
        return Decision(action, _first(chunk.findings, CONTEXT_DEAD))
    if quality == "fragment":
        return _fragment(chunk)
    if chunk.findings and (rule := _first(chunk.findings, REVIEW)):
        return Decision("review", rule)
    return _BY_QUALITY[quality]


def _fragment(chunk: Chunk) -> Decision:
    """A short note may be all there is to say, so a person looks; a short row with values is a fact."""
    if chunk.row_number is None:
        return Decision("review", "fragment")
    if rule := _first(chunk.findings, _TOO_LITTLE):
        return Decision("omit", rule)
    if rule := _first(chunk.findings, REVIEW):
        return Decision("review", rule)
    return Decision("keep", "fragment")


def _first(findings: Iterable[Finding], rules: frozenset[str]) -> str:
    for finding in findings:
        if finding.rule in rules:
            return finding.rule
    return ""
