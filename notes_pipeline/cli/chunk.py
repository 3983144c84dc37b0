"""``chunk``: files to standard output, without Dagster, without a trace."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from notes_pipeline.cli.options import PresetOption
from notes_pipeline.errors import UserError
from notes_pipeline.paths import expanded
from notes_pipeline.plural import plural

_OTHER, _EMPTY = "unsupported", "empty"
_READ = ("read", _EMPTY)
_NO_NEWS = (_OTHER, "linked")
"""Attachments of a folder are no news; a file named alone that nobody reads is."""


class Format(StrEnum):
    """How records are written."""

    jsonl = "jsonl"
    text = "text"


def chunk(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH…", help="Files, or folders of them.")],
    preset: PresetOption = None,
    form: Annotated[Format, typer.Option("--format", "-f", help="For programs or for eyes.")] = Format.jsonl,
    root: Annotated[
        Path | None, typer.Option("--root", help="Paths are told relative to this.", show_default=False)
    ] = None,
) -> None:
    """Chunk files to standard output: every chunk, then every discard. Writes nothing."""
    from notes_pipeline.rows.templates.registry import load_registry
    from notes_pipeline.settings import load_workspace
    from notes_pipeline.split.sentences import check_engine
    from notes_pipeline.stages.corpus_of import corpus_of_files, files_under

    base = _root(paths, root)
    # The settings and templates of the current folder, where it is a workspace: what a build would use.
    here = load_workspace(Path.cwd(), notes=base, preset=preset)
    check_engine(here.settings.sentences.engine)
    files = [found for path in paths for found in files_under(path.expanduser(), base, here.settings)]
    given = {path.expanduser() for path in paths}
    corpus = corpus_of_files(files, here.settings, load_registry(here.root / "templates" / "rows"))
    _tell(corpus.documents, {found.source_path for found in files if found.path in given})
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    for line in _jsonl(corpus) if form is Format.jsonl else _text(corpus):
        sys.stdout.write(line + "\n")
    sys.stdout.flush()
    if not any(document.state in _READ for document in corpus.documents):
        raise UserError(str(paths[0]), "nothing was read", "name Markdown files or workbooks")


def _root(paths: Sequence[Path], root: Path | None) -> Path:
    """The folder that paths are told relative to: the one named, the current one, or the first path's own."""
    resolved = [expanded(path).resolve() for path in paths]
    for path, given in zip(resolved, paths, strict=True):
        if not path.exists():
            raise UserError(str(given), "is not there", "name files or folders", usage=True)
    base = expanded(root).resolve() if root else Path.cwd()
    outside = [path for path in resolved if not path.is_relative_to(base)]
    if outside and root:
        raise UserError(str(outside[0]), f"is not under {base}", "choose another --root", usage=True)
    if not outside:
        return base
    first = resolved[0] if resolved[0].is_dir() else resolved[0].parent
    if all(path.is_relative_to(first) for path in resolved):
        return first
    raise UserError(
        str(outside[0]), f"is not under {base}", "name a folder above all of them with --root", usage=True
    )


def _tell(documents: Sequence[Any], named: Set[str]) -> None:
    """On standard error: what was not read, file by file where it is news, else by kind."""
    from notes_pipeline.report.phrases import other_kinds

    others: Counter[str] = Counter()
    for document in documents:
        if document.state in _NO_NEWS and document.source_path not in named:
            others[f".{document.source_type}" if document.source_type else ""] += document.state == _OTHER
        elif document.state == _EMPTY and document.source_path in named:
            typer.echo(f"{document.source_path}: is empty", err=True)
        elif document.state not in _READ:
            detail = f": {document.error}" if document.error else ""
            typer.echo(f"{document.source_path}: not read: {document.state}{detail}", err=True)
    if told := other_kinds(+others):
        typer.echo(f"not read: {told}", err=True)


def _jsonl(corpus: Any) -> Iterator[str]:
    for name, records in (("chunk", corpus.chunks), ("discard", corpus.discards)):
        for record in records:
            fields = {**asdict(record), **_structs(record)}
            yield json.dumps({"record": name, **fields}, ensure_ascii=False)


def _structs(record: Any) -> dict[str, Any]:
    # Named tuples would come out as bare lists.
    return {"findings": [one._asdict() for one in record.findings]} if hasattr(record, "findings") else {}


def _text(corpus: Any) -> Iterator[str]:
    for record in corpus.chunks:
        path = " > ".join(record.heading_path)
        words = plural(record.word_count, "word")
        yield f"── {record.locator}  {record.decision} ({record.decision_reason}), {words}"
        yield f"{path}\n{record.text}\n" if path else f"{record.text}\n"
    for record in corpus.discards:
        place = record.start_line or (record.sheet and f"{record.sheet}!{record.row_number}") or ""
        yield f"── discarded {record.source_path}:{place}  {record.reason} {record.detail}".rstrip()
        yield f"{record.text}\n"
