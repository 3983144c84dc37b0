"""The cyclic garbage collector, paused where many records are made and none of them is garbage.

Belongs here: one context manager. Stays out: everything else about memory.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """No cycle is looked for inside: a million new blocks would be walked again and again for nothing.

    Reference counts free what is dropped as ever; nested uses are fine.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
