"""The experiment: produce failures with known causes, probe them, and write the tables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from garabench.core.progress import Progress
from garabench.known_causes.cause import TRUTH
from garabench.known_causes.data_set import EPISODES, make_data_set
from garabench.known_causes.experiment_report import experiment_tables
from garabench.known_causes.probed_failures import MeasureOptions, measure
from garabench.records.disk import write_atomic

TABLES = "tables.md"
"""Name of the file of tables, in the data set's folder."""


def experiment(
    folder: Path,
    options: MeasureOptions,
    *,
    planned: int = EPISODES,
    on_progress: Callable[[Progress[str]], None] = lambda progress: None,
) -> str:
    """Perform the experiment, or resume it, and return its tables as Markdown.

    Args:
        folder: The data set's folder; an existing data set is used.
        options: How its failures are probed.
        planned: Number of episodes of a new data set; about four in five fail.
        on_progress: Called with the name of each performed episode and of each probed failure.

    Raises:
        InputError: The folder contains something else.
        GaraError: A phone does not start, or a result cannot be written.
    """
    if not (folder / TRUTH).is_file():
        make_data_set(
            folder,
            episodes=planned,
            phones=options.phones,
            on_progress=lambda each: on_progress(
                Progress(each.done, each.total, f"{each.result.key}: {each.result.outcome}")
            ),
        )
    tables = experiment_tables(measure(folder, options, on_progress=on_progress))
    write_atomic(folder / TABLES, tables.encode())
    return tables
