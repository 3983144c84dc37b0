"""The cyclic garbage collector, paused where many records are made and none of them is garbage.

Belongs here: one context manager. Stays out: everything else about memory.
"""

from __future__ import annotations

import gc


class collector_paused:  # a class: a generator would cost five times as much, note by note
    """No cycle is looked for inside: a million new blocks would be walked again and again for nothing.

    Reference counts free what is dropped as ever; nested uses are fine.
    """

    __slots__ = ("_was_enabled",)

    def __enter__(self) -> None:
        self._was_enabled = gc.isenabled()
        gc.disable()

    def __exit__(self, *_: object) -> None:
        if self._was_enabled:
            gc.enable()
