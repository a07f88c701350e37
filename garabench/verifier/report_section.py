"""The verdicts as sections of a report: of runs, and of one episode's page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from garabench.core.phrases import counted
from garabench.core.sections import (
    Block,
    Cell,
    CellFormat,
    Details,
    Paragraph,
    Picture,
    Section,
    Table,
    TableColumn,
)
from garabench.core.usage import NO_USAGE
from garabench.records.episode import Episode
from garabench.records.reader import Run
from garabench.verifier.goal_comparison import GoalComparison, against_goals
from garabench.verifier.recorded_side_effects import side_effect_agreement
from garabench.verifier.rubric import ScoredCriterion
from garabench.verifier.taxonomy import ErrorCode
from garabench.verifier.verdict import FrameEvidence, JudgeStage, TrajectoryVerdict, VerdictState
from garabench.verifier.verdict_rows import verdict_rows
from garabench.verifier.verdict_store import VerdictStore, judges

_MOST_SUSPECTS = 20
_DRAWS = 500
_MOST_PICTURES = 5
_MOST_THUMBNAILS = 3
_MOST_EPISODES = 10
"""Episodes whose rubric a report shows with thumbnails, to limit its size; the viewer shows all."""


def sections(runs: Sequence[Run]) -> tuple[Section, ...]:
    """Return a section for each judge with verdicts on any of the runs.

    Args:
        runs: The runs.

    Raises:
        InputError: A stored verdict is broken or of a newer version.
    """
    names = sorted({name for run in runs for name in judges(run.folder)})
    found: list[Section] = []
    for name in names:
        verdicts = [(run, tuple(VerdictStore.of_run(run.folder, name).verdicts())) for run in runs]
        if any(each for _, each in verdicts):
            found.append(
                Section(f"verdicts-{name}".lower(), f"Verdicts of the judge {name}", _run_blocks(verdicts))
            )
    return tuple(found)


def episode_sections(run: Run, episode: Episode) -> tuple[Section, ...]:
    """Return a section for each judge with a verdict on an episode.

    Args:
        run: The run.
        episode: The episode.

    Raises:
        InputError: A stored verdict is broken or of a newer version.
    """
    found: list[Section] = []
    for name in judges(run.folder):
        verdict = VerdictStore.of_run(run.folder, name).read(str(episode.key))
        if verdict is not None:
            found.append(Section(f"verdict-{name}".lower(), f"Verdict of {name}", verdict_blocks(verdict)))
    return tuple(found)


def _run_blocks(verdicts: Sequence[tuple[Run, Sequence[TrajectoryVerdict]]]) -> tuple[Block, ...]:
    every = [verdict for _, each in verdicts for verdict in each]
    references = {agent.name for run, _ in verdicts for agent in run.agents if agent.reference}
    blocks: list[Block] = [_scores(every, references)]
    if failures := _failures(every):
        blocks.append(failures)
    blocks += _judged_episodes(every)
    blocks.append(_passes(every))
    for run, each in verdicts:
        if each:
            blocks += goal_blocks(against_goals(run, each, draws=_DRAWS))
    blocks.append(_side_effects(every))
    blocks.append(_stages(every))
    return tuple(blocks)


def _scores(verdicts: Sequence[TrajectoryVerdict], references: Collection[str]) -> Table:
    found = verdict_rows(verdicts, references)
    rows: list[tuple[Cell, ...]] = [
        (
            f"{row.agent}*" if row.reference else row.agent,
            row.condition,
            row.verdicts,
            row.process,
            row.process_passed.value,
            row.done.value,
            row.failed,
            row.undecided,
        )
        for row in found
    ]
    note = "Failed and undecided verdicts are in no mean and no share."
    if any(row.reference for row in found):
        note += " * reference agent: it follows the reference solution of the task."
    return Table(
        "Process and outcome by agent and condition",
        (
            TableColumn("Agent"),
            TableColumn("Condition"),
            TableColumn("Verdicts", CellFormat.INTEGER),
            TableColumn("Process", CellFormat.NUMBER, "Mean process score, 0 to 1."),
            TableColumn("Process ≥ 0.8", CellFormat.PERCENT, "Share with a process score of at least 0.8."),
            TableColumn("Outcome", CellFormat.PERCENT, "Share that the judge considers done."),
            TableColumn(
                "Failed", CellFormat.INTEGER, "Verdicts that were not reached because a stage failed."
            ),
            TableColumn("Undecided", CellFormat.INTEGER, "Verdicts without sufficient evidence."),
        ),
        tuple(rows),
        note=note,
    )


def _failures(verdicts: Iterable[TrajectoryVerdict]) -> Table | None:
    counts: Counter[ErrorCode] = Counter()
    episodes: Counter[ErrorCode] = Counter()
    for verdict in verdicts:
        codes = [point.error_code for point in verdict.failure_points]
        counts.update(codes)
        episodes.update(set(codes))
    if not counts:
        return None
    rows = tuple(
        (code.category.heading, code.value, code.entry.title, counts[code], episodes[code], _control(code))
        for code in ErrorCode
        if counts[code]
    )
    return Table(
        "Failure points by code",
        (
            TableColumn("Category"),
            TableColumn("Code"),
            TableColumn("Failure"),
            TableColumn("Points", CellFormat.INTEGER),
            TableColumn("Episodes", CellFormat.INTEGER),
            TableColumn("Controllable", help="Whether the agent could have avoided it."),
        ),
        rows,
    )


def shown_verdicts(verdicts: Sequence[TrajectoryVerdict]) -> list[TrajectoryVerdict]:
    """Return the verdicts whose rubrics a report shows: failures first, and of different tasks if possible.

    Args:
        verdicts: Verdicts with a rubric, by trajectory.
    """
    seen: Counter[tuple[bool, str]] = Counter()
    ranks: list[tuple[bool, int]] = []
    for verdict in verdicts:
        done, task = verdict.outcome is True, verdict.trajectory.partition("/")[0]
        ranks.append((done, seen[done, task]))
        seen[done, task] += 1
    order = sorted(range(len(verdicts)), key=ranks.__getitem__)
    return [verdicts[number] for number in order[:_MOST_EPISODES]]


def _judged_episodes(verdicts: Sequence[TrajectoryVerdict]) -> list[Block]:
    """Return the rubrics of some episodes with their evidence."""
    judged = [verdict for verdict in verdicts if verdict.rubric is not None]
    chosen = shown_verdicts(judged)
    blocks: list[Block] = [
        Details(f"{verdict.trajectory}: {verdict_sentence(verdict)}", tuple(_rubric_and_failures(verdict)))
        for verdict in chosen
    ]
    if len(judged) > len(chosen):
        blocks.append(
            Paragraph(
                f"These are {len(chosen)} of {len(judged):,} judged episodes, failures of different tasks"
                " first; the viewer has all."
            )
        )
    return blocks


def _rubric_and_failures(verdict: TrajectoryVerdict) -> Iterator[Block]:
    if verdict.outcome_reason:
        yield Paragraph(verdict.outcome_reason)
    if verdict.rubric is not None:
        yield _rubric_table(verdict.rubric.items, verdict.evidence)
    if verdict.failure_points:
        yield _failure_table(verdict)


def _control(code: ErrorCode) -> str:
    return "yes" if code.controllable else "no"


def _passes(verdicts: Sequence[TrajectoryVerdict]) -> Table:
    """Return how often the two passes of the scoring disagree."""
    lower = higher = same = 0
    for verdict in verdicts:
        for item in () if verdict.rubric is None else verdict.rubric.items:
            if item.applies and not item.criterion.penalty and item.post_image_earned_points is not None:
                lower += item.disagreement < 0
                higher += item.disagreement > 0
                same += item.disagreement == 0
    return Table(
        "Points with the screens against points by the actions alone, over all criteria",
        tuple(TableColumn(title, CellFormat.INTEGER) for title in ("Lower", "Equal", "Higher")),
        ((lower, same, higher),),
        note="Lower means that the screens contradict what the agent did or said.",
    )


def goal_blocks(comparison: GoalComparison) -> tuple[Block, ...]:
    """Return the agreement of verdicts and goals, and the suspected goals.

    Args:
        comparison: The comparison.
    """
    counts, found = comparison.agreement.confusion, comparison.agreement
    rows: list[tuple[Cell, ...]] = [
        (name, value, None if interval is None else interval.low, None if interval is None else interval.high)
        for name, value, interval in (
            ("accuracy", counts.accuracy, found.accuracy),
            ("Cohen's kappa", counts.kappa, found.kappa),
            ("false positive rate", counts.false_positive_rate, found.false_positive_rate),
            ("false negative rate", counts.false_negative_rate, found.false_negative_rate),
            ("F1", counts.f1, None),
        )
    ]
    blocks: list[Block] = [
        Table(
            f"Agreement of outcomes with goals over {counted(counts.items, 'episode')}",
            (
                TableColumn("Measure"),
                TableColumn("Value", CellFormat.NUMBER),
                TableColumn("Low", CellFormat.NUMBER, "Lower end of the 95% interval."),
                TableColumn("High", CellFormat.NUMBER, "Upper end of the 95% interval."),
            ),
            tuple(rows),
            note=comparison.extent,
        )
    ]
    if comparison.suspects:
        suspects: list[tuple[Cell, ...]] = [
            (
                suspect.task,
                len(suspect.disagreements),
                suspect.episodes,
                str(one.key),
                one.fault.value.replace("-", " "),
                one.goal_reason,
                one.verdict_reason,
            )
            for suspect in comparison.suspects[:_MOST_SUSPECTS]
            for one in suspect.disagreements[:1]
        ]
        blocks.append(
            Table(
                "Suspected goals: tasks in which verdict and goal disagree",
                (
                    TableColumn("Task"),
                    TableColumn("Disagreements", CellFormat.INTEGER),
                    TableColumn("Episodes", CellFormat.INTEGER),
                    TableColumn("First episode"),
                    TableColumn(
                        "The goal is", help="What the disagreement suggests if the verdict is right."
                    ),
                    TableColumn("Goal"),
                    TableColumn("Verdict"),
                ),
                tuple(suspects),
                note=f"The {_MOST_SUSPECTS} tasks with the most disagreements.",
            )
        )
    return tuple(blocks)


def _side_effects(verdicts: Sequence[TrajectoryVerdict]) -> Block:
    found = side_effect_agreement(verdicts)
    if not found.episodes:
        return Paragraph(
            "Side effects: no episode has known effects and a clean success of the reference solution to hold"
            " the judge against."
        )
    return Table(
        f"Side effects that the judge found without the record, over {found.episodes:,} episodes",
        (
            TableColumn("Found", CellFormat.INTEGER),
            TableColumn("Missed", CellFormat.INTEGER),
            TableColumn("Invented", CellFormat.INTEGER),
            TableColumn("Precision", CellFormat.PERCENT),
            TableColumn("Recall", CellFormat.PERCENT),
        ),
        ((found.found, found.missed, found.invented, found.precision, found.recall),),
        note="A recorded change is a side effect if the reference solution does not make it.",
    )


def _stages(verdicts: Sequence[TrajectoryVerdict]) -> Block:
    rows: list[tuple[Cell, ...]] = []
    for stage in JudgeStage:
        parts = [part for verdict in verdicts for part in verdict.stages if part.stage is stage]
        if parts:
            last = sum((part.usage for part in parts), NO_USAGE)
            usage = sum((part.when_requested_or_used for part in parts), NO_USAGE)
            rows.append(
                (
                    stage.value,
                    sum(part.calls for part in parts),
                    usage.repairs,
                    usage.sent,
                    usage.received,
                    None if usage.cost is None else float(usage.cost),
                    usage.seconds,
                    last.from_cache,
                    None if last.cost is None else float(last.cost),
                    sum(part.seconds for part in parts),
                )
            )
    if not rows:
        return Paragraph("The judge uses no model.")
    return Details(
        "Calls, tokens and time by stage",
        (
            Table(
                "Calls, tokens and time by stage",
                (
                    TableColumn("Stage"),
                    TableColumn("Calls", CellFormat.INTEGER),
                    TableColumn("Repairs", CellFormat.INTEGER),
                    TableColumn("Sent", CellFormat.INTEGER, "Tokens when the replies were requested."),
                    TableColumn("Received", CellFormat.INTEGER, "Tokens when the replies were requested."),
                    TableColumn("Cost", CellFormat.MONEY, "When the replies were requested."),
                    TableColumn(
                        "Model", CellFormat.SECONDS, "Time of the model when the replies were requested."
                    ),
                    TableColumn(
                        "From cache", CellFormat.INTEGER, "Calls that needed no request in the last command."
                    ),
                    TableColumn("Last cost", CellFormat.MONEY, "Cost in the last command."),
                    TableColumn(
                        "Last time",
                        CellFormat.SECONDS,
                        "Time of the stage in the last command: sum over episodes, judged at the same time.",
                    ),
                ),
                tuple(rows),
                note="The last command is the one that wrote the verdict. Replies are cached, so that it may"
                " have requested few or none of them.",
            ),
        ),
    )


def verdict_blocks(verdict: TrajectoryVerdict) -> tuple[Block, ...]:
    """Return a verdict: result, rubric, evidence next to each criterion, failures, side effects, votes.

    Args:
        verdict: The verdict.
    """
    blocks: list[Block] = [Paragraph(verdict_sentence(verdict))]
    if verdict.outcome_reason:
        blocks.append(Paragraph(verdict.outcome_reason))
    blocks += [
        Paragraph(f"{error.stage.value}{f' ({error.detail})' if error.detail else ''}: {error.message}")
        for error in verdict.errors
    ]
    if verdict.rubric is not None:
        blocks.append(_rubric_table(verdict.rubric.items, verdict.evidence))
        blocks += [
            _evidence(index, item, [each for each in verdict.evidence if each.criterion == index])
            for index, item in enumerate(verdict.rubric.items)
            if not item.criterion.penalty
        ]
    if verdict.failure_points:
        blocks.append(_failure_table(verdict))
    if verdict.side_effects:
        blocks.append(
            Table(
                "Side effects",
                tuple(TableColumn(title) for title in ("what", "app", "found by", "requested")),
                tuple(
                    (
                        effect.description,
                        effect.app,
                        "record" if effect.recorded else "judge",
                        {True: "yes", False: "no", None: "unknown"}[effect.requested],
                    )
                    for effect in verdict.side_effects
                ),
            )
        )
    if len(verdict.votes) > 1:
        blocks.append(
            Table(
                "Votes: the median of the process, the majority of the outcome",
                (
                    TableColumn("Vote", CellFormat.INTEGER),
                    TableColumn("Process", CellFormat.NUMBER),
                    TableColumn("Outcome"),
                    TableColumn("Reason"),
                ),
                tuple(
                    (number, vote.process_score, outcome_word(vote.outcome), vote.reason)
                    for number, vote in enumerate(verdict.votes, start=1)
                ),
            )
        )
    return tuple(blocks)


def verdict_sentence(verdict: TrajectoryVerdict) -> str:
    """Return a verdict in a sentence.

    Args:
        verdict: The verdict.
    """
    if verdict.state is VerdictState.FAILED:
        return f"No verdict: {len(verdict.errors)} calls failed."
    score = verdict.process_score
    process = "undefined" if score is None else f"{score:.2f}"
    first = verdict.first_failure_step
    parts = [f"Outcome: {outcome_word(verdict.outcome)}", f"process score: {process}"]
    if first is not None:
        parts.append(f"first failure at step {first}")
    if verdict.missing_frames:
        parts.append(f"{len(verdict.missing_frames)} screens could not be read")
    return "; ".join(parts) + "."


def outcome_word(outcome: bool | None) -> str:
    """Return an outcome in a word.

    Args:
        outcome: The outcome; None if it was not decided.
    """
    return {True: "success", False: "failure", None: "undecided"}[outcome]


def _failure_table(verdict: TrajectoryVerdict) -> Table:
    return Table(
        "Failure points",
        tuple(
            TableColumn(title)
            for title in ("steps", "code", "failure", "what happened", "evidence", "impact")
        ),
        tuple(
            (
                ", ".join(map(str, point.step_numbers)),
                point.error_code.value,
                point.error_code.entry.title,
                point.what_happened,
                point.evidence,
                point.impact,
            )
            for point in verdict.failure_points
        ),
    )


def _rubric_table(items: Sequence[ScoredCriterion], evidence: Sequence[FrameEvidence]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for index, item in enumerate(items):
        met = {True: "met", False: "not met", None: ""}[item.is_condition_met]
        rows.append(
            (
                f"{index}: {item.criterion.criterion}{' (penalty)' if item.criterion.penalty else ''}",
                item.criterion.max_points,
                item.earned_points,
                item.post_image_earned_points,
                f"{item.criterion.condition}: {met}" if item.criterion.condition else "",
                item.post_image_justification or item.justification,
                "yes" if item.applies and item.disagreement else "",
            )
        )
    pictures = tuple(tuple(_thumbnails(index, evidence)) for index in range(len(items)))
    return Table(
        "Rubric",
        (
            TableColumn("Criterion"),
            TableColumn("Max", CellFormat.NUMBER),
            TableColumn("By actions", CellFormat.NUMBER, "Points by the actions alone."),
            TableColumn("With screens", CellFormat.NUMBER, "Points with the evidence of the screens."),
            TableColumn("Condition"),
            TableColumn("Why"),
            TableColumn("Passes differ", help="The screens changed the points."),
        ),
        tuple(rows),
        note="A criterion whose condition is not met is in neither sum.",
        pictures=pictures if any(pictures) else (),
    )


def _thumbnails(criterion: int, evidence: Sequence[FrameEvidence]) -> Iterator[Picture]:
    """Return the screens that are evidence of a criterion, each once."""
    found = {
        each.picture_sha256: each for each in evidence if each.criterion == criterion and each.picture_sha256
    }
    for sha256, each in list(found.items())[:_MOST_THUMBNAILS]:
        yield Picture(sha256, f"Screen at step {each.step}: {each.screenshot_evidence}", f"Step {each.step}")


def _evidence(index: int, item: ScoredCriterion, evidence: Sequence[FrameEvidence]) -> Block:
    blocks: list[Block] = []
    if item.criterion.cites:
        blocks.append(Paragraph("Required by: " + ", ".join(f"“{cited}”" for cited in item.criterion.cites)))
    if item.reality_notes:
        blocks.append(Paragraph(f"On the device: {item.reality_notes}"))
    for each in evidence[:_MOST_PICTURES]:
        parts = [each.screenshot_evidence, each.criterion_analysis]
        parts += [f"Contradicts: {each.discrepancies}"] if each.discrepancies else []
        parts += (
            [f"Environment: {each.environment_issues_confirmed}"] if each.environment_issues_confirmed else []
        )
        text = " ".join(part for part in parts if part)
        if each.picture_sha256:
            blocks.append(
                Picture(each.picture_sha256, f"Screen at step {each.step}", f"Step {each.step}: {text}")
            )
        else:
            blocks.append(Paragraph(f"Step {each.step}: {text}"))
    if not evidence:
        blocks.append(Paragraph("No screen was selected as evidence."))
    return Details(f"Criterion {index}: {item.criterion.criterion}", tuple(blocks))
