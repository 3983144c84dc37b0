"""The one way a row source says no."""

from __future__ import annotations


class Refused(Exception):
    """A file that gives no grids: a state of ``records.DOCUMENT_STATES``, what is wrong, the remedy."""

    def __init__(self, state: str, what: str, remedy: str = "") -> None:
        self.state = state
        self.what = what
        self.remedy = remedy
        super().__init__(what + (f"; {remedy}" if remedy else ""))
