"""The one error a user sees: a place, what is wrong, what to do about it. And the fault that is ours."""

from __future__ import annotations

from collections.abc import Callable


class UserError(Exception):
    """One line: ``place: what; remedy``. ``usage`` marks wrong usage (exit 2) from failure (exit 1)."""

    def __init__(self, place: str, what: str, remedy: str = "", *, usage: bool = False) -> None:
        self.place = place
        self.what = what
        self.remedy = remedy
        self.usage = usage
        super().__init__(f"{place}: {what}" + (f"; {remedy}" if remedy else ""))

    def __reduce__(self) -> tuple[Callable[..., UserError], tuple[str, str, str, bool]]:
        # An error of a worker process is sent back as what it was made from, not as its one line.
        return _again, (self.place, self.what, self.remedy, self.usage)


class InternalFault(Exception):
    """A fault of ours in one file's result: that file is given up with its reason, the run goes on."""


def _again(place: str, what: str, remedy: str, usage: bool) -> UserError:
    return UserError(place, what, remedy, usage=usage)
