"""Sentences of notes: spaCy under a layer that knows Markdown, abbreviations and scripts.

``sentence_ends`` is all a caller needs; ``upper_bound`` spares it the call where a text is short.
"""

from notes_pipeline.split.sentences.detect import sentence_ends, upper_bound

__all__ = ["sentence_ends", "upper_bound"]
