"""The stored diagnoses as sections of a report: of runs, and of one episode's page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from garabench.core.sections import (
    Block,
    CellFormat,
    Details,
    Paragraph,
    Picture,
    Section,
    Table,
    TableColumn,
)
from garabench.diagnosis.attribution_rows import AttributionRow, Diagnosed, attribution_rows
from garabench.diagnosis.case_diagnosis import Diagnosis
from garabench.diagnosis.diagnosis_file import read_diagnoses, read_diagnosis
from garabench.diagnosis.loop import PerformedProbe
from garabench.diagnosis.reasons import result_words
from garabench.diagnosis.suspects import Suspect, suspects
from garabench.records.episode import Episode
from garabench.records.reader import Run
from garabench.records.run_layout import EpisodeKey
from garabench.stats.comparison import Comparison, named_agent

ID, TITLE = "diagnosis", "Whose failure: agent or environment"


def sections(runs: Sequence[Run]) -> tuple[Section, ...]:
    """Return a section about the diagnosed failures; none if no run has diagnoses.

    Raises:
        InputError: A stored diagnosis is broken or of a newer version.
    """
    diagnosed = [(run, tuple(read_diagnoses(run))) for run in runs]
    if not any(found for _, found in diagnosed):
        return ()
    every = tuple(each for _, found in diagnosed for each in found)
    blocks: list[Block] = [
        Paragraph(
            "Failures were probed from the step at which they began. A probe that meets the goal shows that "
            "the agent failed; probes that all fail show that the environment did. No episode is removed "
            "from any other table."
        ),
        attribution_table(attribution_rows((run.summaries, found) for run, found in diagnosed)),
    ]
    if found := suspects(every):
        blocks.append(_suspect_table(found))
    blocks.append(Details("Each diagnosed failure", (_failure_table(every),)))
    blocks += [_pictured(key, diagnosis) for key, diagnosis in every[:_PICTURED] if diagnosis.probes]
    if len(every) > _PICTURED:
        blocks.append(Paragraph(f"The probes of the first {_PICTURED} failures; the viewer shows all."))
    return (Section(ID, TITLE, tuple(blocks)),)


_PICTURED = 20
"""Failures whose probes a report shows with pictures, to limit its size."""


def _pictured(key: EpisodeKey, diagnosis: Diagnosis) -> Block:
    """Return the probes of a failure with their pictures."""
    return Details(f"{key}: {diagnosis.attributed_to.value}", tuple(_episode_blocks(diagnosis)))


def episode_sections(run: Run, episode: Episode) -> tuple[Section, ...]:
    """Return a section about the diagnosis of an episode; none without one.

    Raises:
        InputError: The stored diagnosis is broken or of a newer version.
    """
    diagnosis = read_diagnosis(run, episode.key)
    if diagnosis is None:
        return ()
    return (Section(ID, TITLE, tuple(_episode_blocks(diagnosis))),)


def compared_attribution_rows(compared: Comparison) -> tuple[AttributionRow, ...]:
    """Return the rows of the compared episodes; none if no run has diagnoses.

    Raises:
        InputError: A stored diagnosis is broken or of a newer version.
    """
    diagnosed = [(run, tuple(read_diagnoses(run))) for run in compared.runs]
    if not any(found for _, found in diagnosed):
        return ()
    return attribution_rows(
        (
            [
                replace(summary, agent=named_agent(name, summary.agent))
                for summary in run.summaries
                if compared.tasks is None or summary.task in compared.tasks
            ],
            [(replace(key, agent=named_agent(name, key.agent)), diagnosis) for key, diagnosis in found],
        )
        for name, (run, found) in zip(compared.names, diagnosed, strict=True)
    )


def attribution_table(rows: Sequence[AttributionRow]) -> Table:
    """Return success rates as recorded, and without the environment's failures.

    Args:
        rows: The rows.
    """
    cells = tuple(
        (
            f"{row.agent}*" if row.reference else row.agent,
            row.condition,
            row.episodes,
            row.solved,
            row.agent_failed,
            row.environment_failed,
            row.inconclusive,
            row.undiagnosed,
            row.success.value,
            row.success_without_environment.value,
        )
        for row in rows
    )
    columns = (
        TableColumn("agent"),
        TableColumn("condition"),
        TableColumn("episodes", CellFormat.INTEGER, "episodes that ended in success or failure"),
        TableColumn("solved", CellFormat.INTEGER),
        TableColumn("by agent", CellFormat.INTEGER, "failures in which a probe met the goal"),
        TableColumn("by env", CellFormat.INTEGER, "failures in which the probes failed as well"),
        TableColumn("unclear", CellFormat.INTEGER, "failures whose probes showed too little"),
        TableColumn("undiagnosed", CellFormat.INTEGER, "failures not diagnosed yet"),
        TableColumn("SR", CellFormat.PERCENT, "solved / episodes"),
        TableColumn(
            "SR without env",
            CellFormat.PERCENT,
            "solved / episodes without those in which the environment failed",
        ),
    )
    note = "* reference agent: it follows the reference solution of the task."
    marked = note if any(row.reference for row in rows) else ""
    return Table("Attribution of failures by agent and condition", columns, cells, marked)


def _suspect_table(found: Sequence[Suspect]) -> Table:
    columns = (
        TableColumn("suspected"),
        TableColumn("task"),
        TableColumn("agents"),
        TableColumn("conditions"),
        TableColumn("reason"),
    )
    rows = tuple(
        (each.kind, each.task, ", ".join(each.agents), ", ".join(each.conditions), each.reason)
        for each in found
    )
    note = "Several agents failed at the environment of these tasks: the task or a rule may be wrong."
    return Table("Suspected tasks and rules", columns, rows, note)


def _failure_table(every: Sequence[Diagnosed]) -> Table:
    columns = (
        TableColumn("task"),
        TableColumn("agent"),
        TableColumn("condition"),
        TableColumn("attributed to"),
        TableColumn("p", CellFormat.NUMBER, "the preference for a fault of the environment, 0 to 1"),
        TableColumn("first wrong step", CellFormat.INTEGER),
        TableColumn("reason"),
    )
    rows = tuple(
        (
            key.task,
            key.agent,
            key.condition,
            diagnosis.attributed_to.value,
            round(diagnosis.p, 3),
            diagnosis.wrong_step,
            diagnosis.reason,
        )
        for key, diagnosis in every
    )
    return Table("Diagnosed failures", columns, rows)


def _episode_blocks(diagnosis: Diagnosis) -> Iterator[Block]:
    yield Paragraph(diagnosis.reason)
    path = " → ".join(f"{p:.3f}" for p in diagnosis.path)
    where = "" if diagnosis.wrong_step is None else f" First step that looks wrong: {diagnosis.wrong_step}."
    yield Paragraph(f"Attributed to: {diagnosis.attributed_to.value}. Attribution signal p: {path}.{where}")
    for number, found in enumerate(diagnosis.rounds, start=1):
        yield Paragraph(
            f"Round {number}: {found.summary.explanation} Category: {found.summary.category.value}."
        )
    for probe in diagnosis.probes:
        yield Details(_probe_title(probe), tuple(_probe_blocks(probe)))


def _probe_title(done: PerformedProbe) -> str:
    result = done.result
    return (
        f"Probe {done.probe.name} (type {done.type}): {result.outcome.value}, "
        f"p {done.before:.3f} → {done.after:.3f}"
    )


def _probe_blocks(done: PerformedProbe) -> Iterator[Block]:
    result = done.result
    quality = "unknown" if result.restore_quality is None else f"{result.restore_quality:.2f}"
    again = " It only repeated the failed action, and so counts as type C." if result.repeated else ""
    device = f" Device: {result.device}." if result.device else ""
    reason = done.probe.reason[:1].upper() + done.probe.reason[1:].rstrip(".")
    yield Paragraph(
        f"{reason}. Continued by the {done.probe.continuation.value}.{again} "
        f"{result_words(done)[:1].upper()}{result_words(done)[1:].rstrip('.')}."
    )
    yield Paragraph(
        f"Restore quality: {quality}. {result.steps} steps, {result.seconds:.1f} s.{device} "
        f"Record: {result.record}."
    )
    for seen in result.evidence:
        mark = {True: "as expected", False: "not as expected", None: "nothing expected"}[seen.met]
        yield Paragraph(f"{seen.detail} ({mark}).")
        for sha256, when in ((seen.before, "before"), (seen.after, "after")):
            if sha256:
                yield Picture(sha256, f"The screen {when}: {seen.label}", when)
