"""``qa/labels.csv``: what a person said of a chunk, the one file of the workspace edited by hand.

Belongs here: reading, setting and taking back labels. Stays out: what a verdict does (``decide``),
and what it says about a rule (``report``). A label hangs on the content of a chunk (heading path and
text), so it survives a re-chunking.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from notes_pipeline.errors import UserError

COLUMNS = ("content_hash", "chunk_id", "rule", "verdict", "note")
VERDICTS = ("keep", "omit")
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""With any of these a cell is a formula to some spreadsheet."""


def guarded(text: str) -> str:
    """``text`` as a cell no spreadsheet takes for a formula: an apostrophe goes before one that would be.

    >>> guarded("=1+1"), guarded("plain"), guarded("'=1")
    ("'=1+1", 'plain', "''=1")
    """
    return f"'{text}" if text.lstrip("'").startswith(FORMULA_STARTS) else text


def unguarded(cell: str) -> str:
    """What ``guarded`` made a cell of; other cells as they are."""
    return cell[1:] if cell.startswith("'") and guarded(cell[1:]) == cell else cell


class Label(NamedTuple):
    """One line: a verdict on one chunk, and the rule it speaks about (empty: the chunk as a whole)."""

    content_hash: str
    chunk_id: str
    rule: str
    verdict: str
    note: str


def read_labels(path: Path) -> list[Label]:
    """The labels of ``path`` in file order; none where there is no file.

    Raises ``UserError`` naming file and line where a column is missing or a verdict unknown.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            missing = {"content_hash", "verdict"} - set(reader.fieldnames or ())
            if missing and reader.fieldnames:
                raise UserError(
                    f"{path}:1",
                    f"lacks the column {min(missing)}",
                    f"the columns are: {','.join(COLUMNS)}",
                    usage=True,
                )
            return [_label(path, reader.line_num, row) for row in reader if any(row.values())]
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UserError(str(path), f"cannot be read: {error}", "save it as UTF-8 CSV", usage=True) from error


def _label(path: Path, line: int, row: dict[str, str | None]) -> Label:
    label = Label(*(unguarded((row.get(column) or "").strip()) for column in COLUMNS))
    if label.verdict not in VERDICTS:
        raise UserError(
            f"{path}:{line}", f"verdict {label.verdict!r} is not known", "use keep or omit", usage=True
        )
    return label


def set_label(path: Path, label: Label) -> None:
    """Puts a label last, in the place of an earlier one on the same content and rule, whose note stays.

    What else a person put into the file (other lines, columns of their own) stays as it is.
    Raises ``UserError`` where the file is wrong.
    """
    names, rows = _rows(path)
    old = [row for row in rows if _speaks_of(row, label)]
    note = label.note or unguarded(next((row["note"] for row in reversed(old) if row.get("note")), "") or "")
    cells = {name: guarded(text) for name, text in label._replace(note=note)._asdict().items()}
    own = {**(old[-1] if old else {}), **cells}
    _write(path, names, [*(row for row in rows if row not in old), own])


def remove_labels(path: Path, content_hash: str) -> int:
    """Takes back every label on this content; returns how many there were."""
    names, rows = _rows(path)
    kept = [row for row in rows if (row["content_hash"] or "").strip() != content_hash]
    if len(kept) < len(rows):
        _write(path, names, kept)
    return len(rows) - len(kept)


def _speaks_of(row: Mapping[str, str | None], label: Label) -> bool:
    place = ((row["content_hash"] or "").strip(), (row.get("rule") or "").strip())
    return place == (label.content_hash, label.rule)


def _rows(path: Path) -> tuple[list[str], list[dict[str, str | None]]]:
    """The columns of the file, ours among them, and its lines."""
    read_labels(path)
    if not path.exists():
        return list(COLUMNS), []
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        rows = [row for row in reader if any(row.values())]
        return list(dict.fromkeys([*(reader.fieldnames or ()), *COLUMNS])), rows


def _write(path: Path, names: list[str], rows: Iterable[Mapping[str, str | None]]) -> None:
    # Not above: it brings Arrow, and every start of the command line would wait for it.
    from notes_pipeline.corpus.parquet import write_text

    text = io.StringIO()
    writer = csv.DictWriter(text, names, restval="", extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, text.getvalue())


def verdicts(labels: Iterable[Label]) -> dict[str, str]:
    """Content hash to verdict; of several labels on one content the last one stands."""
    return {label.content_hash: label.verdict for label in labels}
