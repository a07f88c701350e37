"""The experiment: produce failures with known causes, probe them, and write the tables."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import TypeAdapter

from garabench.core.clock import Clock, SystemClock
from garabench.core.file_errors import unreadable
from garabench.core.progress import Progress
from garabench.diagnosis.evaluation import KnownCase
from garabench.diagnosis.probe import Continuation
from garabench.errors import InputError
from garabench.known_causes.calibration_plot import calibration_plot
from garabench.known_causes.cause import TRUTH, Half
from garabench.known_causes.data_set import EPISODES, make_data_set
from garabench.known_causes.experiment_report import (
    PLOT,
    ExperimentCost,
    ExperimentResults,
    PartCost,
    experiment_tables,
    held_out_scores,
)
from garabench.known_causes.probed_failures import MeasureOptions, measure
from garabench.records.disk import disk_error, write_atomic

_COSTS = TypeAdapter(dict[str, PartCost])
TABLES, COST = "tables.md", "cost.json"
"""Names of the files of tables and of the experiment's cost, in the data set's folder."""
WEAKER = (Continuation.HEURISTIC, Continuation.AGENT)
"""Who continues the probes of a part of the failures, for comparison."""
WEAKER_LIMIT = 60
"""Number of held-out failures that are probed again with each of them."""
RETRIED = 60
"""Number of held-out failures of the agent that the agent tries again."""
_MARKED = re.compile(r"(<!-- experiment -->\n).*?(<!-- end of experiment -->)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ExperimentPage:
    """What an experiment writes.

    Attributes:
        tables: Its tables as Markdown.
        plot: The reliability diagram as an SVG document; empty if no held-out failure was measured.
    """

    tables: str
    plot: str


def experiment(
    folder: Path,
    options: MeasureOptions,
    *,
    planned: int = EPISODES,
    weaker_limit: int = WEAKER_LIMIT,
    clock: Clock | None = None,
    on_progress: Callable[[Progress[str]], None] = lambda progress: None,
    on_part: Callable[[str], None] = lambda name: None,
) -> ExperimentPage:
    """Perform the experiment, or resume it, and return its tables; they are also written to the folder.

    Args:
        folder: The data set's folder; an existing data set is used.
        options: How its failures are probed.
        planned: Number of episodes of a new data set; about four in five fail.
        weaker_limit: Number of held-out failures that are also probed with each weaker continuation.
        clock: Clock for all times and limits.
        on_progress: Called with the name of each performed episode and of each probed failure.
        on_part: Called with the name of each part before it begins, since phones must start first.

    Raises:
        InputError: The folder contains something else.
        GaraError: A phone does not start, or a result cannot be written.
    """
    clock = clock or SystemClock()
    meter = _CostMeter(folder, clock, options.phones, on_part)
    if not (folder / TRUTH).is_file():
        with meter.part("episodes"):
            make_data_set(
                folder,
                episodes=planned,
                phones=options.phones,
                clock=clock,
                on_progress=lambda each: on_progress(
                    Progress(each.done, each.total, f"{each.result.key}: {each.result.outcome}")
                ),
            )
    with meter.part("probes and retries"):
        cases = measure(folder, options, clock=clock, on_progress=on_progress)
    weaker: dict[Continuation, Sequence[KnownCase]] = {}
    weaker_limit = min(weaker_limit, sum(case.held_out for case in cases))
    for each in WEAKER if weaker_limit else ():
        with meter.part(f"probes continued by the {each.value}"):
            few = replace(
                options,
                continuation=each,
                half=Half.HELD_OUT,
                limit=weaker_limit,
                rounds=1,
                retries=0,
                compare=False,
            )
            weaker[each] = measure(folder, few, clock=clock, on_progress=on_progress)
    tables = experiment_tables(ExperimentResults(cases, weaker, options.continuation, meter.cost))
    done = ExperimentPage(tables, calibration_plot(held_out_scores(cases)))
    write_atomic(folder / TABLES, tables.encode())
    _write_plot(folder, done)
    return done


def check_page(page: Path) -> None:
    """Check that a Markdown page has a place for the tables, as before an experiment of many minutes.

    Args:
        page: The page.

    Raises:
        InputError: It cannot be read, or lacks the comments.
    """
    _page_text(page)


def write_page(page: Path, content: ExperimentPage) -> None:
    """Replace the experiment's tables in a Markdown page, between its two comments, and its diagram.

    Args:
        page: The page; the diagram is written to `PLOT` in its folder.
        content: The tables and the diagram.

    Raises:
        InputError: The page cannot be read, or lacks the comments.
        RecordError: It cannot be written.
    """
    text = _page_text(page)
    write_atomic(page, _MARKED.sub(lambda found: f"{found[1]}{content.tables}{found[2]}", text).encode())
    _write_plot(page.parent, content)


def _page_text(page: Path) -> str:
    try:
        text = page.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise unreadable(page, error) from error
    if _MARKED.search(text) is None:
        raise InputError(
            f"{page} has no place for the tables",
            hint="Write <!-- experiment --> and <!-- end of experiment --> on separate lines.",
        )
    return text


def _write_plot(folder: Path, content: ExperimentPage) -> None:
    if not content.plot:
        return
    path = folder / PLOT
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise disk_error(error, path) from error
    write_atomic(path, content.plot.encode())


class _CostMeter:
    """Adds up what an experiment uses, with the earlier calls that it resumes."""

    def __init__(self, folder: Path, clock: Clock, phones: int, on_part: Callable[[str], None]) -> None:
        self._path = folder / COST
        self._on_part = on_part
        self._clock = clock
        self.cost = ExperimentCost(_stored_parts(self._path), phones, os.cpu_count() or 1)

    @contextlib.contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Measure a part, also of a call that is interrupted."""
        self._on_part(name)
        begun, used = self._clock.monotonic(), _processor_seconds()
        try:
            yield
        finally:
            before = self.cost.parts.get(name, PartCost())
            now = PartCost(
                round(before.seconds + self._clock.monotonic() - begun, 1),
                round(before.processor_seconds + _processor_seconds() - used, 1),
            )
            self.cost = replace(self.cost, parts={**self.cost.parts, name: now})
            self._store()

    def _store(self) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(self._path, _COSTS.dump_json(dict(self.cost.parts)))
        except OSError as error:
            raise disk_error(error, self._path) from error


def _stored_parts(path: Path) -> dict[str, PartCost]:
    try:
        return _COSTS.validate_json(path.read_bytes()) if path.is_file() else {}
    except OSError as error:
        raise unreadable(path, error) from error
    except ValueError as error:
        raise InputError(
            f"{path} is not of this version of GaraBench",
            hint="Delete it; the experiment's cost begins anew.",
        ) from error


def _processor_seconds() -> float:
    """Return the processor time of this process and of its ended children, such as virtual phones."""
    return sum(os.times()[:4])
