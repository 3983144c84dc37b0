"""The flags table: each rule, what it leads to, how often it fired and how often it was right.

Belongs here: counting findings by rule, and a rule's precision from reviewers' labels.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from notes_pipeline import decide
from notes_pipeline.flags import RULES
from notes_pipeline.labels import Label
from notes_pipeline.records import Chunk, Finding
from notes_pipeline.report.data import Example, RuleRow
from notes_pipeline.report.marks import around

EXAMPLES = 3


class RuleTally:
    """Counts findings chunk by chunk, and keeps the first few of each rule to show."""

    def __init__(self) -> None:
        self._chunks: Counter[str] = Counter()
        self._hits: defaultdict[str, list[Example]] = defaultdict(list)
        self._total = 0

    def add(self, chunk: Chunk) -> None:
        """Looks at one chunk."""
        self._total += 1
        self._chunks.update({finding.rule for finding in chunk.findings})
        for finding in chunk.findings:
            hits = self._hits[finding.rule]
            if len(hits) < EXAMPLES:
                hits.append(_example(chunk, finding))

    def rows(self, labels: Iterable[Label], before: Mapping[str, int] | None) -> tuple[RuleRow, ...]:
        """Rules that fired, those first that may be wrong about most chunks.

        ``before`` counts chunks by rule in the build before, or None where there was none.
        """
        verdicts = _verdicts(labels)
        rows = (
            RuleRow(
                rule=rule,
                about=about(rule),
                action=action_of(rule),
                chunks=count,
                share=count / self._total,
                delta=None if before is None else count - before.get(rule, 0),
                labelled=len(right),
                precision=sum(right) / len(right) if right else None,
                examples=tuple(self._hits[rule]),
            )
            for rule, count in self._chunks.items()
            for right in [verdicts.get(rule, [])]
        )
        return tuple(sorted(rows, key=lambda row: (-row.to_mend, row.rule)))


def _example(chunk: Chunk, finding: Finding) -> Example:
    shown = around(chunk.text, finding.start, finding.end, finding.rule)
    return Example(chunk.locator, " > ".join(chunk.heading_path), shown, finding.note)


REMARKS = {
    "cut_atom": "A single block longer than a chunk was cut inside; the note says which kind.",
    "lead_in_cut": "A lead-in and what it introduces did not fit one chunk.",
    "comment": "A comment stands in the text and is left out of the reading text.",
    "cells_left_out": "Cells that the row's sentence leaves out on purpose.",
    "template_fields_missing": "The row lacks a cell its template needs; the fallback made the sentence.",
    "template_not_used": "The row's template failed on it; the fallback made the sentence.",
    "cleaned": "A memory aid or study tag stood in a cell and was taken out; the note says what.",
    "link": "A cell carries a link; its address is in the note, not in the sentence.",
    "uncertain_header": "The header of this table was a close call; its columns may be named wrongly.",
    "free_text": "Prose in a sheet that holds no table: a line of it, read as it stands.",
    "row_cut": "The row was too long for one chunk; each part names its entity.",
}
"""Findings that the cutter and the row writer leave themselves: name to what it means."""

_ABOUT = REMARKS | {rule.name: (rule.find.__doc__ or "").strip().split("\n")[0] for rule in RULES}
"""What each rule looks for: for the rules of ``flags``, the first line of their docstring."""


def about(rule: str) -> str:
    """What a rule looks for, in a sentence."""
    return _ABOUT.get(rule, "A remark of the stage that made the chunk.")


def action_of(rule: str) -> str:
    """What ``decide`` does with a finding of ``rule``."""
    if rule in decide.CONTEXT_DEAD:
        return "omit or review"
    if rule == decide.FEW_VALUES:
        return "omit"
    return "review" if rule in decide.REVIEW else "info"


def _verdicts(labels: Iterable[Label]) -> dict[str, list[bool]]:
    """By rule: for each labelled chunk, whether the reviewer agreed that it should not be kept."""
    last = {(label.content_hash, label.rule): label.verdict for label in labels if label.rule}
    found: dict[str, list[bool]] = {}
    for (_, rule), verdict in last.items():
        found.setdefault(rule, []).append(verdict == "omit")
    return found
