"""Sentences of notes: spaCy under a layer that knows Markdown, abbreviations and scripts.

``sentence_ends`` is all a caller needs; ``upper_bound`` spares it the call where a text is short, and
``engine_version`` belongs into the key of whatever is kept of the answer. ``check_engine`` says before
any work whether the engine can be had.
"""

from notes_pipeline.split.sentences.detect import sentence_ends, upper_bound
from notes_pipeline.split.sentences.engine import check as check_engine
from notes_pipeline.split.sentences.engine import version as engine_version

__all__ = ["check_engine", "engine_version", "sentence_ends", "upper_bound"]
