"""Submissions to a leaderboard: scores as JSON, which are recomputed from the records and not believed.

A submission states what its runs found. Whoever receives it validates it against the runs themselves: the
scores are computed again from the logs of the episodes, not from ``results.jsonl``, and must be equal.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from garabench.core.end_criterion import EndCriterion
from garabench.core.file_errors import unreadable
from garabench.core.schemas import DIALECT
from garabench.errors import InputError
from garabench.records.device_environment import DeviceKind
from garabench.records.fsck import InconsistencyKind, check_run
from garabench.records.reader import Run
from garabench.records.results import summarize_episodes
from garabench.records.run_file import RunAgentKind
from garabench.records.run_layout import RESULTS
from garabench.stats.comparability import incomparable_reasons
from garabench.stats.measures import ConditionRow, DropRow
from garabench.stats.result_tables import ResultTables

SUBMISSION_VERSION = 2
"""2: intervals of rates allow for several seeds of one task; unknown outcomes, left-out pairs and the
denominator of the RSR are stated."""
KINDS = ("leaderboard",)
"""Kinds of published schemas."""
_DIGITS = 6
"""Decimals of published rates."""
_MAX_BYTES = 50_000_000
_MAX_SUBMITTER = 200
_HASH = "^[0-9a-f]{64}$"
_FORBIDDING = ConfigDict(frozen=True, extra="forbid")


class ConditionScore(BaseModel):
    """An agent's success under one condition.

    Attributes:
        condition: The condition.
        successes: Number of successes.
        valid: Number of valid episodes: without error, and with the interruption shown if any.
        errors: Number of episodes that ended in error.
        excluded: Number of episodes whose interruption could not be shown.
        unknown: Number of episodes whose outcome is unknown.
        rate: Success rate; null without a valid episode.
        interval: Its 95% interval (Wilson); it allows for several seeds of one task.
    """

    model_config = _FORBIDDING

    condition: str
    successes: int = Field(ge=0)
    valid: int = Field(ge=0)
    errors: int = Field(ge=0)
    excluded: int = Field(ge=0)
    unknown: int = Field(ge=0)
    rate: float | None = Field(ge=0, le=1)
    interval: tuple[float, float] | None


class DropScore(BaseModel):
    """What interruptions of one condition cost an agent, on the same tasks and seeds.

    Attributes:
        condition: The interrupted condition.
        pairs: Number of pairs in which both episodes are valid.
        drop: Clean success rate minus interrupted one.
        interval: Its 95% interval (bootstrap over tasks; Newcombe if only a few tasks differ).
        left_out: Number of tasks and seeds in no pair, by reason.
        solved_clean: Number of pairs solved clean.
        rsr: Robust success rate: share of the pairs solved clean that are also solved interrupted.
    """

    model_config = _FORBIDDING

    condition: str
    pairs: int = Field(ge=0)
    drop: float | None = Field(ge=-1, le=1)
    interval: tuple[float, float] | None
    left_out: dict[str, int]
    solved_clean: int = Field(ge=0)
    rsr: float | None = Field(ge=0, le=1)


class AgentScore(BaseModel):
    """The scores of one agent.

    Attributes:
        agent: Its name.
        kind: Kind of agent; reference agents do not compete.
        profile: Id of its profile, if it is a model agent.
        conditions: Success by condition.
        drops: The effect of interruptions by condition.
    """

    model_config = _FORBIDDING

    agent: str
    kind: RunAgentKind
    profile: str = ""
    conditions: tuple[ConditionScore, ...]
    drops: tuple[DropScore, ...]


class Submission(BaseModel):
    """A submission to a leaderboard.

    Attributes:
        version: Version of the format.
        submitter: Who submits it.
        garabench: Version of GaraBench of all runs.
        suite_hash: Hash of the suite of all runs.
        device: ``virtual`` or ``real``; the two are never ranked together.
        end: When the episodes ended.
        interruptions: Stress level; null if the rules alone decided.
        tasks: Number of tasks.
        seeds: Number of seeds of each task, over all runs.
        planned: Number of planned episodes.
        ended: Number of those with a result.
        agents: The scores.
    """

    model_config = _FORBIDDING

    version: int = SUBMISSION_VERSION
    submitter: str = Field(min_length=1, max_length=_MAX_SUBMITTER)
    garabench: str
    suite_hash: str = Field(pattern=_HASH)
    device: DeviceKind
    end: EndCriterion
    interruptions: int | None = None
    tasks: int = Field(ge=1)
    seeds: int = Field(ge=1)
    planned: int = Field(ge=1)
    ended: int = Field(ge=0)
    agents: tuple[AgentScore, ...] = Field(min_length=1)


def make_submission(runs: Sequence[Run], submitter: str) -> Submission:
    """Return the submission of runs, with scores computed from the logs of their episodes.

    Args:
        runs: Comparable runs.
        submitter: Who submits it.

    Raises:
        InputError: There is no run, a log is broken, the runs are not comparable, or the submitter's name is
            empty or too long.
    """
    if not 1 <= len(submitter) <= _MAX_SUBMITTER:
        raise InputError(
            f"the submitter's name must have 1 to {_MAX_SUBMITTER} characters, not {len(submitter)}"
        )
    if not runs:
        raise InputError("no run was given to submit")
    for reason in incomparable_reasons(runs):
        raise InputError(reason.message, hint=reason.hint)
    first = runs[0]
    summaries = tuple(summary for run in runs for summary in summarize_episodes(run.folder, run.file))
    tables = ResultTables(summaries=summaries)
    kinds = {agent.name: agent for run in runs for agent in run.agents}
    return Submission(
        submitter=submitter,
        garabench=first.file.garabench,
        suite_hash=first.file.suite_hash,
        device=first.kind,
        end=first.plan.end,
        interruptions=first.plan.interruptions,
        tasks=len({task for run in runs for task in run.plan.tasks}),
        seeds=len({key.seed for run in runs for key in run.file.episode_keys()}),
        planned=sum(1 for run in runs for _ in run.file.episode_keys()),
        ended=len(summaries),
        agents=tuple(
            AgentScore(
                agent=name,
                kind=agent.kind,
                profile=agent.profile,
                conditions=tuple(_condition(row) for row in tables.conditions if row.agent == name),
                drops=tuple(_drop(row) for row in tables.drops if row.agent == name),
            )
            for name, agent in kinds.items()
        ),
    )


def _condition(row: ConditionRow) -> ConditionScore:
    return ConditionScore(
        condition=row.condition,
        successes=row.success.successes,
        valid=row.success.trials,
        errors=row.errors,
        excluded=sum(count for _, count in row.missed),
        unknown=row.unknown,
        rate=_rounded(row.success.value),
        interval=_rounded_interval(row.interval),
    )


def _drop(row: DropRow) -> DropScore:
    return DropScore(
        condition=row.condition,
        pairs=row.paired.trials,
        drop=_rounded(row.drop),
        interval=_rounded_interval(row.drop_interval),
        left_out=dict(row.left_out),
        solved_clean=row.rsr.trials,
        rsr=_rounded(row.rsr.value),
    )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)


def _rounded_interval(interval: tuple[float, float] | None) -> tuple[float, float] | None:
    return None if interval is None else (round(interval[0], _DIGITS), round(interval[1], _DIGITS))


def read_submission(path: Path) -> Submission:
    """Read a submission.

    Raises:
        InputError: It is missing, not a submission, or of another version.
    """
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise InputError(f"{path} is larger than {_MAX_BYTES:,} bytes: it is not a submission")
        data = json.loads(path.read_bytes())
    except OSError as error:
        raise unreadable(path, error) from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not JSON: {error}") from error
    version = data.get("version") if isinstance(data, dict) else None
    if isinstance(version, int) and version > SUBMISSION_VERSION:
        raise InputError(
            f"{path} has version {version}; this GaraBench reads versions up to {SUBMISSION_VERSION}",
            hint="Use a newer GaraBench to read it.",
        )
    if isinstance(version, int) and version < SUBMISSION_VERSION:
        raise InputError(
            f"{path} has version {version}, whose intervals were computed differently; this GaraBench "
            f"validates version {SUBMISSION_VERSION}",
            hint="Create it again from its runs: garabench leaderboard create RUN... --submitter NAME",
        )
    try:
        return Submission.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise InputError(f"{path}: {place}: {first['msg']}") from error


def submission_problems(submission: Submission, runs: Sequence[Run], suite_hash: str = "") -> Iterator[str]:
    """Yield the reasons why a submission is not accepted; none if it is valid.

    Args:
        submission: The submission.
        runs: The runs that it is about.
        suite_hash: Hash of the suite that the leaderboard is about; empty to accept any.

    Raises:
        InputError: There is no run, a log is broken, or the runs are not comparable.
    """
    recomputed = make_submission(runs, submission.submitter)
    stated, found = (each.model_dump(mode="json") for each in (submission, recomputed))
    yield from _differences("", stated, found)
    if submission.ended < submission.planned:
        missing = submission.planned - submission.ended
        yield f"{missing} of {submission.planned} planned episodes have no result: the run is not complete"
    if suite_hash and recomputed.suite_hash != suite_hash:
        yield f"the suite is {recomputed.suite_hash[:12]}, not {suite_hash[:12]}"
    for run in runs:
        for wrong in check_run(run):
            # Screenshots and trees may be left out of a bundle, and orphans change no score. Without trees
            # the results cannot be compared in full; what a score depends on is compared below.
            if wrong.kind in (InconsistencyKind.BROKEN, InconsistencyKind.ALTERED):
                yield f"{run.folder.name}: {wrong.path}: {wrong.message}"
        yield from _altered_results(run)


def _altered_results(run: Run) -> Iterator[str]:
    """Yield the lines of a run's results that contradict its logs."""
    recorded = {summary.key: summary for summary in run.summaries}
    for summary in summarize_episodes(run.folder, run.file):
        other = recorded.get(summary.key)
        if other is None or (other.outcome, other.reason, other.steps, other.counts) != (
            summary.outcome,
            summary.reason,
            summary.steps,
            summary.counts,
        ):
            yield f"{run.folder.name}: {RESULTS}: {summary.key} differs from its log"


def _differences(place: str, stated: Any, found: Any) -> Iterator[str]:
    """Yield where two values of JSON differ."""
    if isinstance(stated, dict) and isinstance(found, dict):
        for name in stated | found:
            inner = f"{place}.{name}" if place else str(name)
            yield from _differences(inner, stated.get(name), found.get(name))
    elif isinstance(stated, list) and isinstance(found, list) and len(stated) == len(found):
        for number, (one, other) in enumerate(zip(stated, found, strict=True)):
            yield from _differences(f"{place}[{number}]", one, other)
    elif stated != found:
        yield f"{place} is {_short(stated)}, but the records give {_short(found)}"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else f"{text[:80]}…"


def submission_schema(kind: str) -> dict[str, Any]:
    """Return the JSON Schema of a submission.

    Raises:
        KeyError: The kind is unknown.
    """
    if kind not in KINDS:
        raise KeyError(kind)
    return {
        "$schema": DIALECT,
        **Submission.model_json_schema(),
        "title": "A submission to a leaderboard of GaraBench",
    }
