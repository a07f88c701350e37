"""The tables of ``garabench verify``: scores, agreement, suspected goals, the estimate."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from garabench.agents.models.cost import format_cost
from garabench.cli.cost_tables import format_tokens
from garabench.cli.tables import REFERENCE_NOTE, format_agent, render
from garabench.core.phrases import counted
from garabench.core.usage import Usage
from garabench.stats.intervals import Interval
from garabench.verifier.agreement import Agreement
from garabench.verifier.goal_comparison import GoalComparison
from garabench.verifier.judge_estimate import ASSUMPTIONS, JudgeEstimate
from garabench.verifier.judge_runner import JudgeResult
from garabench.verifier.rubric import PROCESS_THRESHOLD
from garabench.verifier.verdict import TrajectoryVerdict, VerdictState
from garabench.verifier.verdict_rows import verdict_rows

_MOST_SUSPECTS = 20
_MOST_ERRORS = 10


def estimate_text(judge: str, estimate: JudgeEstimate) -> str:
    """Return the table of a judge's estimated usage.

    Args:
        judge: Name of the judge.
        estimate: The estimate.
    """
    row = (
        judge,
        str(estimate.trajectories),
        str(estimate.calls),
        format_tokens(estimate.sent),
        format_tokens(estimate.received),
        format_cost(estimate.cost),
    )
    columns = ("judge", "trajectories", "calls", "sent", "received", "cost")
    notes = list(ASSUMPTIONS)
    if estimate.unreadable:
        number = counted(estimate.unreadable, "trajectory that cannot", "trajectories that cannot")
        notes.insert(0, f"left out: {number} be read")
    return render("Estimated model usage", columns, [row], notes)


def verification_text(
    result: JudgeResult,
    verdicts: Sequence[TrajectoryVerdict],
    compared: GoalComparison | Agreement | None,
    folder: Path,
    references: Collection[str] = (),
) -> str:
    """Return the tables of a verification.

    Args:
        result: What was judged.
        verdicts: The verdicts.
        compared: Their comparison with goals or results, if one was requested.
        folder: Where the verdicts are stored.
        references: Names of the reference agents.
    """
    parts = [_scores(verdicts, references)]
    if failed := [verdict for verdict in verdicts if verdict.state is VerdictState.FAILED]:
        parts.append(_failed(failed))
    if undecided := [verdict for verdict in verdicts if verdict.state is VerdictState.UNDECIDED]:
        one = undecided[0]
        parts.append(f"{len(undecided)} undecided, such as {one.trajectory}: {one.outcome_reason}")
    if missing := [verdict for verdict in verdicts if verdict.missing_frames]:
        screens = counted(sum(len(verdict.missing_frames) for verdict in missing), "screen")
        parts.append(
            f"{screens} of {counted(len(missing), 'trajectory', 'trajectories')} could not be read,"
            f" such as of {missing[0].trajectory}"
        )
    if result.unreplaced:
        parts.append(
            f"{counted(result.unreplaced, 'failed verdict')} not stored:"
            " a complete verdict is never replaced by a failed one"
        )
    found = compared.agreement if isinstance(compared, GoalComparison) else compared
    if found is not None:
        title = (
            "Outcomes against goals" if isinstance(compared, GoalComparison) else "Outcomes against results"
        )
        if isinstance(compared, GoalComparison):
            notes = [*compared.warnings, compared.extent]
        else:
            notes = [f"Compared: {counted(found.confusion.items, 'trajectory', 'trajectories')}."]
        parts.append(render(title, ("measure", "value", "95%"), agreement_measures(found), notes))
    if isinstance(compared, GoalComparison) and compared.suspects:
        parts.append(_suspects(compared))
    usage = result.usage
    summary = f"{counted(result.judged, 'trajectory', 'trajectories')} judged"
    if result.skipped:
        summary += f", {result.skipped} already had a verdict"
    if usage.requests:
        summary += f"; {counted(usage.requests, 'call')}, {usage.from_cache} of them cached, {_spent(usage)}"
        if usage.from_cache:
            summary += f"\nWhen the replies were requested, they needed {_spent(result.when_requested)}"
    parts.append(f"{summary}\nVerdicts: {folder}")
    return "\n\n".join(parts)


def _spent(usage: Usage) -> str:
    """Return tokens, cost and time of a model in words."""
    cost = "cost unknown" if usage.cost is None else format_cost(usage.cost)
    return f"{format_tokens(usage.tokens)} tokens, {cost}, {usage.seconds:.1f} s of the model"


def interval_cell(interval: Interval | None) -> str:
    """Return an interval as text.

    Args:
        interval: The interval; None if there is none.
    """
    return "–" if interval is None else f"[{interval.low:.2f}–{interval.high:.2f}]"


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def agreement_measures(found: Agreement) -> list[tuple[str, str, str]]:
    """Return the measures of an agreement: name, value, 95% interval.

    Args:
        found: The agreement.
    """
    counts = found.confusion
    return [
        ("accuracy", _share(counts.accuracy), interval_cell(found.accuracy)),
        ("Cohen's kappa", _share(counts.kappa), interval_cell(found.kappa)),
        ("false positive rate", _share(counts.false_positive_rate), interval_cell(found.false_positive_rate)),
        ("false negative rate", _share(counts.false_negative_rate), interval_cell(found.false_negative_rate)),
        ("F1", _share(counts.f1), "–"),
    ]


def _scores(verdicts: Sequence[TrajectoryVerdict], references: Collection[str]) -> str:
    found = verdict_rows(verdicts, references)
    notes = [
        "process: mean score; outcome: done in the user's eyes; failed and undecided verdicts are in no mean"
    ]
    if any(row.reference for row in found):
        notes.append(REFERENCE_NOTE)
    rows = [
        (
            format_agent(row.agent, row.reference) or "–",
            row.condition or "–",
            str(row.verdicts),
            _share(row.process),
            f"{row.process_passed.successes}/{row.process_passed.trials}",
            f"{row.done.successes}/{row.done.trials}",
            str(row.failed),
        )
        for row in found
    ]
    return render(
        "Verdicts",
        ("agent", "condition", "judged", "process", f"process ≥ {PROCESS_THRESHOLD}", "outcome", "failed"),
        rows,
        notes,
    )


def _failed(verdicts: Sequence[TrajectoryVerdict]) -> str:
    lines = [f"No verdict on {counted(len(verdicts), 'trajectory', 'trajectories')}:"]
    for verdict in verdicts[:_MOST_ERRORS]:
        first = verdict.errors[0]
        detail = f", {first.detail}" if first.detail else ""
        lines.append(f"  {verdict.trajectory}: {first.stage.value}{detail}: {first.message}")
    if len(verdicts) > _MOST_ERRORS:
        lines.append(f"  and {len(verdicts) - _MOST_ERRORS} more")
    return "\n".join(lines)


def _suspects(compared: GoalComparison) -> str:
    lines = ["Suspected goals: verdict and goal disagree"]
    for suspect in compared.suspects[:_MOST_SUSPECTS]:
        lines.append(
            f"  {suspect.task}: {len(suspect.disagreements)} of {counted(suspect.episodes, 'episode')}"
        )
        one = suspect.disagreements[0]
        lines.append(
            f"    {one.key}: the goal is {one.fault.value.replace('-', ' ')} if the verdict is right"
        )
        lines.append(f"      goal:    {one.goal_reason}")
        lines.append(f"      verdict: {one.verdict_reason}")
    return "\n".join(lines)
