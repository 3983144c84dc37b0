"""Packs units into windows: runs of units under the limits, with an overlap in units.

Belongs here: what must stay together, where a window closes, where the next one starts. Stays
out: what a unit is, and joining windows of different sections (``merge``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from notes_pipeline.split.limits import Limits
from notes_pipeline.split.units import Unit


@dataclass(slots=True)
class Window:
    """Units ``first:last`` of a run."""

    first: int
    last: int
    start: int
    end: int
    words: int
    weight: int
    depth: int = 0
    """Of its first unit."""
    torn: bool = False
    """Ends with a unit that should have stayed with the next; the hard limits forbade it."""


def windows(units: Sequence[Unit], limits: Limits) -> list[Window]:
    """The windows over ``units``, in order; none lies inside another."""
    groups = [group for group in _groups(units, limits) if not _says_nothing(units, group)]
    packed = _pack(groups, limits)
    return packed if limits.overlap else _settled(packed, groups, limits)


def _groups(units: Sequence[Unit], limits: Limits) -> list[Window]:
    """Maximal chains of glued units, broken only where the hard limits break them."""
    groups: list[Window] = []
    first = 0
    for index in range(len(units)):
        if index + 1 < len(units) and units[index].glue:
            continue
        groups.extend(_within_limits(units, first, index + 1, limits))
        first = index + 1
    return groups


def _within_limits(units: Sequence[Unit], first: int, last: int, limits: Limits) -> list[Window]:
    parts = [_window(units, first, first + 1)]
    bare = is_bare(units[first])
    body = first
    for index in range(first + 1, last):
        unit, part = units[index], parts[-1]
        body = index if bare else body
        if bare or (units[index - 1].kind == "paragraph" and not unit.weak):
            _shed(units, part, min(body, index - 1), unit.end - limits.characters)
        words, weight = part.words + unit.words, part.weight + unit.weight
        fits = words <= limits.hard and (weight <= limits.window or bare)
        if fits and unit.end - part.start <= limits.characters:
            part.last, part.end, part.words, part.weight = index + 1, unit.end, words, weight
        else:
            parts[-1:] = _torn(units, part, index, limits)
        bare = bare and is_bare(unit)
    return parts


def _torn(units: Sequence[Unit], part: Window, index: int, limits: Limits) -> list[Window]:
    """A chain broken before ``units[index]``, or one lead-in earlier, so that the last keeps its own."""
    border = index - 1
    while border > part.first and units[border].weak:
        border -= 1
    after = _span(units, border, index + 1)
    says_something = any(not is_bare(unit) for unit in units[part.first : border])
    if not (
        says_something
        and units[border].glue
        and _fits((after,), limits.hard, limits.window, limits.characters)
    ):
        border, after = index, _window(units, index, index + 1)
    before = _span(units, part.first, border)
    last = units[border - 1]
    before.torn = last.glue and not last.weak and says_something
    return [before, after]


def _span(units: Sequence[Unit], first: int, last: int) -> Window:
    span = _joined([_window(units, at, at + 1) for at in range(first, last)])
    span.torn = False
    return span


def is_bare(unit: Unit) -> bool:
    """Whether a unit says nothing without the next."""
    return unit.weak or (unit.kind == "heading" and not unit.words)


def _says_nothing(units: Sequence[Unit], group: Window) -> bool:
    """Whether a chain found no room for the body it leads to: what no chunk holds becomes a discard."""
    return all(is_bare(unit) for unit in units[group.first : group.last])


def _shed(units: Sequence[Unit], part: Window, body: int, least: int) -> None:
    """Of what leads to the unit at ``body``, the farthest goes where it leaves no room for what must follow.

    Nothing goes where that would not help: a chunk that starts there starts before ``least``.
    """
    if units[body].start < least:
        return
    while part.first < body and part.start < least:
        part.words -= units[part.first].words
        part.weight -= units[part.first].weight
        part.first += 1
        part.start = units[part.first].start


def _window(units: Sequence[Unit], first: int, last: int) -> Window:
    unit = units[first]
    return Window(first, last, unit.start, units[last - 1].end, unit.words, unit.weight, unit.depth)


def _joined(parts: Sequence[Window]) -> Window:
    first, last = parts[0], parts[-1]
    words, weight = sum(part.words for part in parts), sum(part.weight for part in parts)
    return Window(first.first, last.last, first.start, last.end, words, weight, first.depth, last.torn)


def _fits(parts: Sequence[Window], words: int, weight: int, characters: int) -> bool:
    return (
        sum(part.words for part in parts) <= words
        and sum(part.weight for part in parts) <= weight
        and parts[-1].end - parts[0].start <= characters
    )


def _pack(groups: Sequence[Window], limits: Limits) -> list[Window]:
    packed: list[Window] = []
    first = 0
    while first < len(groups):
        last, words, weight, start = first, 0, 0, groups[first].start
        while last < len(groups):
            group = groups[last]
            over = (
                words + group.words > limits.soft
                or weight + group.weight > limits.window
                or group.end - start > limits.characters
            )
            if over and last > first:
                break
            words, weight, last = words + group.words, weight + group.weight, last + 1
        if last < len(groups) and not limits.overlap:
            last = _shallowest(groups, first, last, words)
        packed.append(_joined(groups[first:last]))
        if last == len(groups):
            break
        first = _next_first(groups, first, last, weight, limits) if limits.overlap else last
    return packed


def _shallowest(groups: Sequence[Window], first: int, last: int, words: int) -> int:
    """The latest of the shallowest borders in the second half of a full window."""
    best, rest = last, words
    for border in range(last - 1, first, -1):
        rest -= groups[border].words
        if 2 * rest < words:
            break
        if groups[border].depth < groups[best].depth:
            best = border
    return best


def _next_first(groups: Sequence[Window], first: int, last: int, weight: int, limits: Limits) -> int:
    """Where the next window starts, so that it shares the right part and holds at least one new group."""
    shared = weight * limits.overlap // limits.window
    start = last
    while start - 1 > first and groups[start - 1].weight <= shared:
        start -= 1
        shared -= groups[start].weight
    while start < last and not _fits(groups[start : last + 1], limits.soft, limits.window, limits.characters):
        start += 1
    return start


def _settled(packed: list[Window], groups: Sequence[Window], limits: Limits) -> list[Window]:
    """Small windows joined to a neighbour of their own section, or filled up from the one before."""
    by_first = {group.first: index for index, group in enumerate(groups)}
    settled: list[Window] = []
    for window in packed:
        if settled and window.words < limits.small:
            _fill_up(settled, window, groups, by_first, limits)
        if settled and _may_join(settled[-1], window, limits):
            settled[-1] = _joined([settled[-1], window])
        else:
            settled.append(window)
    return settled


def _may_join(before: Window, after: Window, limits: Limits) -> bool:
    smaller = min(before.words, after.words)
    if smaller >= limits.small and smaller >= limits.fragment:
        return False
    # A fragment says nothing alone, so it may stretch a window up to the hard limits.
    most = limits.hard if smaller < limits.fragment else min(limits.hard, limits.soft + limits.small)
    return _fits((before, after), most, limits.window, limits.characters)


def _fill_up(
    settled: list[Window], window: Window, groups: Sequence[Window], by_first: dict[int, int], limits: Limits
) -> None:
    """Move groups from the end of the window before to a small last one, while both stay well sized."""
    before = settled[-1]
    low, high = by_first[before.first], by_first[window.first]
    while high - 1 > low and window.words < limits.small:
        group = groups[high - 1]
        if before.words - group.words < max(limits.small, window.words + group.words):
            return
        if not _fits((group, window), limits.soft, limits.window, limits.characters):
            return
        before.words, before.weight = before.words - group.words, before.weight - group.weight
        before.last, before.end, before.torn = group.first, groups[high - 2].end, groups[high - 2].torn
        window.first, window.start = group.first, group.start
        window.words, window.weight = window.words + group.words, window.weight + group.weight
        high -= 1
