"""Diagnosed failures with the codes of the verdicts on them: a second opinion, which no diagnosis uses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from garabench.core.sections import Cell, CellFormat, Section, Table, TableColumn
from garabench.diagnosis.diagnosis_file import read_diagnoses
from garabench.records.episode import Episode
from garabench.records.reader import Run
from garabench.records.run_layout import DIAGNOSIS, EpisodeKey
from garabench.report.wording import agent_label
from garabench.verifier.taxonomy import ErrorCode
from garabench.verifier.verdict import TrajectoryVerdict, VerdictState
from garabench.verifier.verdict_store import VERDICTS, VerdictStore, judges

_COLUMNS = (
    TableColumn("Task"),
    TableColumn("Agent"),
    TableColumn("Condition"),
    TableColumn("Seed"),
    TableColumn("Attributed to", help="By the diagnosis."),
    TableColumn("First wrong step", CellFormat.INTEGER, "By the diagnosis."),
    TableColumn("Judge"),
    TableColumn("Failure codes", help="By the verdict."),
    TableColumn("First failure step", CellFormat.INTEGER, "By the verdict."),
)


def sections(runs: Sequence[Run]) -> tuple[Section, ...]:
    """Return a section with the verdicts on the diagnosed failures; none without both on one episode.

    Args:
        runs: The runs.

    Raises:
        InputError: A diagnosis or a verdict is broken or of a newer version.
    """
    rows = tuple(row for run in runs for row in _rows(run))
    if not rows:
        return ()
    table = Table(
        "Diagnosed failures with a verdict: one row for each judge",
        _COLUMNS,
        rows,
        note="A diagnosis probes a device and does not read the verdict; a verdict is of the record alone."
        " Diagnosed failures without a verdict are left out.",
    )
    return (Section("diagnosed-verdicts", "Diagnoses and verdicts of the same failures", (table,)),)


def episode_sections(_run: Run, _episode: Episode) -> tuple[Section, ...]:
    """Return no section: the page of an episode has its diagnosis and its verdicts one below the other."""
    return ()


def _rows(run: Run) -> Iterator[tuple[Cell, ...]]:
    if not (run.folder / DIAGNOSIS).is_dir() or not (run.folder / VERDICTS).is_dir():
        return
    references = {agent.name for agent in run.agents if agent.reference}
    for key, diagnosis in read_diagnoses(run):
        for verdict in verdicts_of_episode(run.folder, key):
            yield (
                key.task,
                agent_label(key.agent, key.agent in references),
                key.condition,
                str(key.seed),
                diagnosis.attributed_to.value,
                diagnosis.wrong_step,
                verdict.judge,
                failure_titles(verdict),
                verdict.first_failure_step,
            )


def verdicts_of_episode(run: Path, key: EpisodeKey) -> tuple[TrajectoryVerdict, ...]:
    """Return the verdicts of all judges on an episode, in the order of the judges' names.

    Args:
        run: Folder of the run.
        key: The episode.

    Raises:
        InputError: A verdict is broken or of a newer version.
    """
    found = (VerdictStore.of_run(run, judge).read(str(key)) for judge in judges(run))
    return tuple(verdict for verdict in found if verdict is not None)


def failure_codes(verdict: TrajectoryVerdict) -> tuple[ErrorCode, ...]:
    """Return the codes of a verdict's failure points, each once.

    Args:
        verdict: The verdict.
    """
    return tuple(dict.fromkeys(point.error_code for point in verdict.failure_points))


def failure_titles(verdict: TrajectoryVerdict) -> str:
    """Return a verdict's failure codes with their titles, each once; why there is none if it was not reached.

    Args:
        verdict: The verdict.
    """
    if verdict.state is VerdictState.FAILED:
        return "no verdict: a call of the judge failed"
    titles = (f"{code.value} {code.entry.title}" for code in failure_codes(verdict))
    return ", ".join(titles) or "no failure point"


def failure_line(verdict: TrajectoryVerdict) -> str:
    """Return a line with a verdict's failure codes and its first failure step.

    Args:
        verdict: The verdict.
    """
    step = verdict.first_failure_step
    return f"  verdict of {verdict.judge}: {failure_titles(verdict)}" + (
        "" if step is None else f"; first at step {step}"
    )
