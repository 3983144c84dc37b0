"""A modern workbook (.xlsx, .xlsm): its parts, its sheets in order, and what had to be mended.

Belongs here: parts and relations. Stays out: archives (package), the XML of a sheet (sheet_xml).
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple
from urllib.parse import unquote
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException

from notes_pipeline.rows.workbook.package import BROKEN_XML, Package, forbidden
from notes_pipeline.rows.workbook.refusal import Refused
from notes_pipeline.rows.workbook.rich_text import Shown, read_strings
from notes_pipeline.rows.workbook.styles import Style, read_styles

_MOST_STRINGS = 2_000_000
"""More than the cells of ten of the largest sheets allowed can point to."""
STRICT_NAMESPACE = "purl.oclc.org/ooxml"


class Relation(NamedTuple):
    """A part's link to another part or to the outside."""

    kind: str
    """Last word of its type: ``worksheet``, ``table``, ``hyperlink``, …"""
    target: str
    """Part name, or address where external."""
    external: bool


class SheetEntry(NamedTuple):
    """A sheet as the workbook lists it."""

    name: str
    state: str
    """``visible``, ``hidden`` or ``very_hidden``."""
    kind: str
    """``worksheet``, ``chartsheet``, ``dialogsheet``, …; empty where the part is missing."""
    part: str


@dataclass(slots=True)
class Workbook:
    """What all sheets share."""

    package: Package
    sheets: list[SheetEntry]
    date1904: bool
    strings: list[Shown] = field(default_factory=list)
    styles: list[Style] = field(default_factory=list)
    mends: list[str] = field(default_factory=list)
    """What was wrong with the workbook and is read all the same."""


def open_workbook(package: Package) -> Workbook:
    """The shared parts of a workbook; raises ``Refused`` only where no sheet can be found."""
    part = _main_part(package)
    try:
        root = package.tree(part)
    except ParseError as error:
        raise Refused("unreadable", f"part {part} is broken XML: {error}",
                      "open it in a spreadsheet program and save it anew") from error  # fmt: skip
    related = relations(package, part)
    workbook = Workbook(package, _sheets(root, related, package), _is_1904(root))
    if STRICT_NAMESPACE in root.tag:
        package.strict = True
        workbook.mends.append("mended: Strict Open XML read as transitional")
    _read_strings(workbook, related)
    _read_styles(workbook, related)
    for relation in related.values():
        if not relation.external and relation.target not in package:
            workbook.mends.append(f"mended: missing part {relation.target}")
    return workbook


def relations(package: Package, part: str) -> dict[str, Relation]:
    """Relations of a part by id; empty where it has none or they cannot be read."""
    folder, name = posixpath.split(part)
    path = posixpath.join(folder, "_rels", f"{name}.rels")
    try:
        root = package.tree(path) if path in package else None
    except (ParseError, Refused):
        return {}
    found: dict[str, Relation] = {}
    for entry in () if root is None else root:
        external = entry.get("TargetMode", "") == "External"
        target = entry.get("Target", "")
        place = target if external else _resolve(package, folder, target)
        found[entry.get("Id", "")] = Relation(entry.get("Type", "").rpartition("/")[2], place, external)
    return found


def _resolve(package: Package, folder: str, target: str) -> str:
    target = target.replace("\\", "/")
    place = (
        target.lstrip("/") if target.startswith("/") else posixpath.normpath(posixpath.join(folder, target))
    )
    return place if place in package else unquote(place)


def _main_part(package: Package) -> str:
    for relation in relations(package, "").values():
        if relation.kind == "officeDocument" and relation.target in package:
            return relation.target
    for name in package.names():
        if name.endswith("workbook.xml"):
            return name
    raise _not_a_workbook(package)


def _not_a_workbook(package: Package) -> Refused:
    names = set(package.names())
    what = "a zip archive without a workbook"
    if "word/document.xml" in names:
        what = "a Word document"
    elif "ppt/presentation.xml" in names:
        what = "a presentation"
    elif not names:
        what = "an empty zip archive"
    return Refused("unreadable", f"the file is {what}, whatever its name says", "give it its true suffix")


def _sheets(root: Element, related: dict[str, Relation], package: Package) -> list[SheetEntry]:
    found: list[SheetEntry] = []
    for element in root.iter():
        if _local(element) != "sheet":
            continue
        key = next((value for name, value in element.attrib.items() if name.endswith("}id")), "")
        relation = related.get(key)
        known = relation is not None and relation.target in package
        state = {"hidden": "hidden", "veryHidden": "very_hidden"}.get(element.get("state", ""), "visible")
        name = element.get("name") or f"Sheet{len(found) + 1}"
        kind, part = (relation.kind, relation.target) if relation is not None and known else ("", "")
        found.append(SheetEntry(name, state, kind, part))
    if not found:
        raise Refused("unreadable", "the workbook lists no sheets",
                      "open it in a spreadsheet program and save it anew")  # fmt: skip
    return found


def _is_1904(root: Element) -> bool:
    return any(
        element.get("date1904") in ("1", "true") for element in root.iter() if _local(element) == "workbookPr"
    )


def _read_strings(workbook: Workbook, related: dict[str, Relation]) -> None:
    part = _part_of_kind(related, "sharedStrings")
    if part is None or part not in workbook.package:
        return
    try:
        strings = read_strings(workbook.package.events(part))
        workbook.strings.extend(islice(strings, _MOST_STRINGS))
    except DefusedXmlException as error:
        raise forbidden(part) from error
    except (*BROKEN_XML, Refused) as error:
        workbook.mends.append(f"mended: texts of {part} read up to number {len(workbook.strings)} ({error})")


def _read_styles(workbook: Workbook, related: dict[str, Relation]) -> None:
    part = _part_of_kind(related, "styles")
    if part is None or part not in workbook.package:
        return
    try:
        workbook.styles = read_styles(workbook.package.tree(part))
    except (ParseError, Refused) as error:
        workbook.mends.append(f"mended: {part} is broken, values are shown without their formats ({error})")


def _part_of_kind(related: dict[str, Relation], kind: str) -> str | None:
    return next((relation.target for relation in related.values() if relation.kind == kind), None)


def _local(element: Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
