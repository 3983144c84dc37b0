"""Work spread over processes, results in the order of the work.

Belongs here: when a second process pays, and how it is started. Stays out: what the work is.
Results come back in the order they were asked for, so a product never shows how many
workers made it.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from types import TracebackType
from typing import Any, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

WORTH_A_PROCESS = 4_000_000
"""Bytes of work below which starting processes (about a second each) costs more than it saves."""

_AHEAD = 2
"""Tasks waiting per worker: enough to keep it busy, few enough to bound memory."""


class Pool:
    """Processes started at the first task that is worth them, ended with the ``with`` block."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or available_cores()
        self._executor: ProcessPoolExecutor | None = None

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._executor is not None:
            self._executor.shutdown(cancel_futures=True)
            self._executor = None

    def map(
        self,
        work: Callable[[Task], Result],
        tasks: Iterable[Task],
        size: int,
        *,
        worth: int = WORTH_A_PROCESS,
    ) -> Iterator[Result]:
        """``work`` of each task, in order; ``size`` is the whole work in bytes."""
        if self.workers < 2 or size < worth:
            return map(work, tasks)
        return self._spread(work, tasks)

    def _spread(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        if self._executor is None:
            self._executor = ProcessPoolExecutor(
                self.workers, mp_context=_context(), initializer=_leave_interrupts_to_the_parent
            )
        waiting: deque[Future[Result]] = deque()
        for task in tasks:
            waiting.append(self._executor.submit(work, task))
            if len(waiting) > self.workers * _AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _leave_interrupts_to_the_parent() -> None:
    # Ctrl-C reaches every process of a terminal; one that tells of it is enough.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def available_cores() -> int:
    """Cores this process may use (containers and ``taskset`` give fewer than the machine has)."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _context() -> Any:
    # Never a plain fork: Dagster and Arrow run threads, whose locks a forked child would inherit held.
    methods = multiprocessing.get_all_start_methods()
    return multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
