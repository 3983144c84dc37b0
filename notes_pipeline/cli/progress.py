"""What a build shows while it runs, and what it says when it is done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from notes_pipeline.orchestration.resource import Watcher
from notes_pipeline.plural import plural
from notes_pipeline.report.phrases import other_kinds
from notes_pipeline.settings import Workspace
from notes_pipeline.stages.build import Outcome
from notes_pipeline.stages.proof import Proof
from notes_pipeline.stages.publish import Published

_BAD_FILES_SHOWN = 20


class Screen(Watcher):
    """A line that moves on standard error where that is a terminal; nothing where it is not."""

    def __init__(self, *, quiet: bool) -> None:
        console = Console(stderr=True, quiet=quiet)
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=quiet or not console.is_terminal,
        )
        self._task = self._progress.add_task("starting", total=None)
        self._console = console
        self._worked: Counter[str] = Counter()
        self._reused: Counter[str] = Counter()
        self._proof: Proof | None = None
        self._published: Published | None = None

    def __enter__(self) -> Screen:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def waiting(self) -> None:
        """Another build holds the workspace."""
        self._console.print("another build of this workspace is at work; waiting for it")

    def outcome(self, outcome: Outcome) -> None:
        """One stage of one notebook is done."""
        self._worked[outcome.asset] += outcome.worked
        self._reused[outcome.asset] += outcome.reused
        self._progress.update(self._task, description=f"{outcome.asset}  {outcome.partition}")

    def proof(self, proof: Proof) -> None:
        """The laws were held; the report comes next."""
        self._proof = proof
        self._progress.update(self._task, description="report")

    def published(self, published: Published) -> None:
        """The build took its place."""
        self._published = published

    def summary(self, workspace: Workspace, seconds: float) -> Summary:
        """All that was told, in one record."""
        return Summary(
            workspace=workspace,
            seconds=seconds,
            worked=self._worked["source_files"],
            reused=self._reused["source_files"],
            stages={asset: self._worked[asset] for asset in self._worked},
            proof=self._proof,
            published=self._published,
        )


@dataclass(frozen=True)
class Summary:
    """What a build did and where its results are."""

    workspace: Workspace
    seconds: float
    worked: int
    """Files that were opened."""
    reused: int
    stages: dict[str, int]
    """Files worked on by stage."""
    proof: Proof | None
    published: Published | None

    def as_dict(self) -> dict[str, Any]:
        """For ``--json``."""
        numbers = dict(self.published.numbers) if self.published else {}
        return {
            "workspace": str(self.workspace.root),
            "notes": str(self.workspace.notes),
            "preset": self.workspace.settings.preset.name,
            **numbers,
            "lost": self.proof.lost if self.proof else None,
            "laws_broken": dict(self.proof.broken) if self.proof else None,
            "files_opened": self.worked,
            "files_unchanged": self.reused,
            "files_worked_on": self.stages,
            "bad_files": list(self.published.bad_files) if self.published else [],
            "other_kinds": dict(self.published.other_kinds) if self.published else {},
            "warnings": list(self.warnings()),
            "build_hash": self.published.build_hash if self.published else None,
            "report": str(self.published.report) if self.published else None,
            "seconds": round(self.seconds, 2),
        }

    def show(self) -> None:
        """The table a user sees."""
        console = Console(highlight=False)
        if self.published is not None:
            console.print(self._table())
            for line in self.published.bad_files[:_BAD_FILES_SHOWN]:
                console.print(f"  not read: {line}", style="yellow", markup=False, soft_wrap=True)
            if (more := len(self.published.bad_files) - _BAD_FILES_SHOWN) > 0:
                console.print(f"  … and {more} more, in data/documents.parquet", style="yellow")
            if others := other_kinds(self.published.other_kinds):
                console.print(f"  not read: {others}", markup=False, soft_wrap=True)
            console.print(f"report: {self.published.report}", markup=False, soft_wrap=True)

    def _table(self) -> Table:
        assert self.published is not None
        numbers = self.published.numbers
        table = Table(box=None, show_header=False, padding=(0, 2))
        table.add_column(justify="left")
        table.add_column(justify="right")
        table.add_column(justify="left", style="dim")
        for name, value, remark in self._lines(numbers):
            table.add_row(name, value, remark)
        return table

    def _lines(self, numbers: Any) -> Iterator[tuple[str, str, str]]:
        lost = self.proof.lost if self.proof else 0
        yield "files", f"{numbers['files']:,}", f"{self.worked:,} opened, {self.reused:,} unchanged"
        yield "chunks", f"{numbers['chunks']:,}", f"{plural(numbers['words'], 'word')}, preset {self._preset}"
        yield "  kept", f"{numbers['keep']:,}", ""
        yield "  review", f"{numbers['review']:,}", "worth a look: the report lists them"
        yield "  omitted", f"{numbers['omit']:,}", "each names the rule that decided"
        yield "discarded", f"{numbers['discards']:,}", "pieces with reason and place in data/discards.parquet"
        yield "lost", f"{lost:,}", "characters and rows in neither; counted, not assumed"
        yield "seconds", f"{self.seconds:.1f}", ""

    @property
    def _preset(self) -> str:
        return self.workspace.settings.preset.name

    def warnings(self) -> tuple[str, ...]:
        """One line each of what the user should mend, though the build went on."""
        return self.published.warnings if self.published else ()

    def broken_laws(self) -> Iterator[str]:
        """One line a law that broke, with the first place."""
        if self.proof is None:
            return
        for law, count in sorted(self.proof.broken.items()):
            first = self.proof.shown[law][0]
            yield f"{first}; {count} in all, nothing was published, the last good build stays"
        if self.proof.lost:
            lost = plural(self.proof.lost, "character or row is", "characters or rows are")
            yield f"{lost} lost; nothing was published"
