"""Verify a run or imported trajectories: with a model, or with a judge that needs none."""

from __future__ import annotations

import dataclasses
import itertools
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from garabench.agents.agent_name import parse_agent_name
from garabench.agents.models.catalog import model_entries, profile_of
from garabench.agents.profile import AgentProfile
from garabench.agents.registry import names, resolve
from garabench.core.progress import Progress
from garabench.core.suggestions import did_you_mean
from garabench.core.usage import NO_USAGE
from garabench.errors import InputError
from garabench.records.episode import Episode
from garabench.records.episode_selection import SelectEpisode, every_episode
from garabench.records.reader import Run, load_run
from garabench.suite.suite import Suite
from garabench.verifier.judge_runner import (
    JudgeOptions,
    JudgeResult,
    JudgeRunner,
    OnVerdict,
    ReadTrajectory,
    make_judge,
    with_limit,
)
from garabench.verifier.offline import offline_judge
from garabench.verifier.recorded_side_effects import (
    RequestedChanges,
    recorded_side_effects,
    requested_changes,
)
from garabench.verifier.recorded_trajectory import recorded_trajectory
from garabench.verifier.trajectory import Trajectory
from garabench.verifier.verdict import TrajectoryVerdict, VerdictState
from garabench.verifier.verdict_store import VERDICTS, VerdictStore

TrajectoryJudge = Callable[[Trajectory], TrajectoryVerdict]
"""Judges a trajectory without a model."""
MakeLocalJudge = Callable[[Suite], TrajectoryJudge]
"""Makes a judge that needs no model for the tasks of a suite."""

LOCAL_JUDGES: Mapping[str, MakeLocalJudge] = MappingProxyType(
    {offline_judge.NAME: offline_judge.OfflineJudge}
)
"""The judges that need no model, by name."""
DEFAULT_JUDGE = offline_judge.NAME
"""The judge if none is named."""

DEFAULT_OPTIONS = JudgeOptions()
_DECIDED = {"success": True, "failure": False}


@dataclass(frozen=True, slots=True)
class ResolvedJudge:
    """A judge by name.

    Attributes:
        name: Its name, under which its verdicts are stored.
        profile: The profile of its model; None for a judge that needs none.
    """

    name: str
    profile: AgentProfile | None = None


def resolve_judge(name: str) -> ResolvedJudge:
    """Return a judge by name: one that needs no model, or a model agent, whose model judges.

    Args:
        name: ``offline``, or the name of a model agent, as for ``garabench run --agents``.

    Raises:
        InputError: The agent is unknown, or is not a model.
    """
    if name in LOCAL_JUDGES:
        return ResolvedJudge(name)
    named = parse_agent_name(name)
    if ":" not in named.body and named.base not in names():
        judges = (*LOCAL_JUDGES, *(entry.name for entry in model_entries()))
        raise InputError(f"unknown judge {name!r}", hint=did_you_mean(named.base, judges))
    spec = resolve(name)
    profile = profile_of(spec)
    if profile is None:
        raise InputError(
            f"{name!r} is not a model, so it cannot judge", hint=did_you_mean(name, LOCAL_JUDGES)
        )
    return ResolvedJudge(spec.name, profile)


def judged_episodes(run: Run, select: SelectEpisode = every_episode) -> Iterator[Episode]:
    """Iterate over the episodes to judge: those that ended in success or failure.

    An episode that ended in an error says nothing about its agent.

    Args:
        run: The run.
        select: Returns whether to judge an episode.
    """
    for episode in run.episodes:
        if select(episode.key) and _ended(episode):
            yield episode


def _ended(episode: Episode) -> bool:
    return episode.outcome in ("success", "failure")


def _ended_or_broken(episode: Episode) -> bool:
    try:
        return _ended(episode)
    except InputError:
        return True


def run_readers(run: Run, suite: Suite | None, select: SelectEpisode = every_episode) -> list[ReadTrajectory]:
    """Return the readers of a run's trajectories; that of a broken record raises `InputError`.

    Args:
        run: The run.
        suite: The suite, from which the tasks' apps are read; None if it is not at hand.
        select: Returns whether to judge an episode.
    """
    apps = {} if suite is None else {name: item.app for name, item in suite.every_task.items()}

    def reader(episode: Episode) -> ReadTrajectory:
        # A fresh value: the log of an episode that was read before is not held in memory.
        fresh = dataclasses.replace(episode)
        return lambda: recorded_trajectory(fresh, apps=apps)

    return [reader(episode) for episode in run.episodes if select(episode.key) and _ended_or_broken(episode)]


def verify(
    run: Run,
    judge: str = DEFAULT_JUDGE,
    *,
    options: JudgeOptions = DEFAULT_OPTIONS,
    suite: Suite | None = None,
    select: SelectEpisode = every_episode,
    on_verdict: OnVerdict = lambda _: None,
    on_progress: Callable[[Progress[TrajectoryVerdict]], None] = lambda progress: None,
) -> JudgeResult:
    """Judge the episodes of a run and store the verdicts in its folder.

    Episodes with an up-to-date verdict are skipped, so a verification that was interrupted continues.

    Args:
        run: The run.
        judge: ``offline``, which needs no model, or the name of a model agent.
        options: The options.
        suite: The suite of the run's tasks; the bundled one by default.
        select: Returns whether to judge an episode.
        on_verdict: Called with each verdict.
        on_progress: Called with the verdict of each judged episode, also with those that were up to date.

    Raises:
        InputError: The judge is unknown or unusable.
        RecordError: A verdict cannot be written.
    """
    resolved = resolve_judge(judge)
    whole = suite or Suite.load()
    store = VerdictStore.of_run(run.folder, resolved.name)
    readers = run_readers(run, whole, select)
    number = itertools.count(1)

    def report(verdict: TrajectoryVerdict) -> None:
        on_verdict(verdict)
        on_progress(Progress(next(number), len(readers), verdict))

    return verify_trajectories(
        readers,
        resolved,
        store,
        options=options,
        suite=whole,
        finish=recorded_effects_of(run),
        on_verdict=report,
    )


FinishVerdict = Callable[[Trajectory, TrajectoryVerdict], TrajectoryVerdict]
"""Adds to a verdict what its judge does not know."""


def recorded_effects_of(run: Run) -> FinishVerdict:
    """Return what adds the recorded changes to the verdicts on a run.

    Args:
        run: The run.
    """
    requested = requested_changes(run)
    return lambda trajectory, verdict: with_recorded_effects(verdict, trajectory, requested)


def verify_trajectories(
    readers: Iterable[ReadTrajectory],
    judge: ResolvedJudge,
    store: VerdictStore,
    *,
    options: JudgeOptions = DEFAULT_OPTIONS,
    suite: Suite | None = None,
    finish: FinishVerdict = lambda _, verdict: verdict,
    on_verdict: OnVerdict = lambda _: None,
) -> JudgeResult:
    """Judge trajectories from anywhere and store the verdicts.

    Args:
        readers: Read the trajectories.
        judge: The judge.
        store: Stores the verdicts.
        options: The options.
        suite: The suite of the tasks, for a judge without a model; the bundled one by default.
        finish: Adds what the judge does not know.
        on_verdict: Called with each verdict.

    Raises:
        InputError: The judge is unusable.
        RecordError: A verdict cannot be written.
    """
    if judge.profile is None:
        local = LOCAL_JUDGES[judge.name](suite or Suite.load())
        return _judge_locally(readers, local, store, finish, on_verdict)
    profile = with_limit(judge.profile, options.at_once)
    stopped = threading.Event()
    model, _ = make_judge(judge.name, profile, options, store.judge_folder, stopped.is_set)
    runner = JudgeRunner(model, store, options, profile.limits.at_once, finish, stopped=stopped)
    return runner.run(readers, on_verdict)


def with_recorded_effects(
    verdict: TrajectoryVerdict, trajectory: Trajectory, requested: RequestedChanges
) -> TrajectoryVerdict:
    """Return a verdict with the recorded changes in addition to the side effects that the judge found.

    Args:
        verdict: The verdict.
        trajectory: The trajectory.
        requested: The changes that the reference solution of each task makes.
    """
    effects = trajectory.effects
    known = not effects.unknown and all(app.known for app in effects.apps)
    recorded = recorded_side_effects(effects, requested.get(trajectory.task))
    return verdict.model_copy(
        update={"side_effects": (*verdict.side_effects, *recorded), "effects_known": known}
    )


def _judge_locally(
    readers: Iterable[ReadTrajectory],
    judge: TrajectoryJudge,
    store: VerdictStore,
    finish: FinishVerdict,
    on_verdict: OnVerdict,
) -> JudgeResult:
    judged = failed = 0
    unreadable: list[InputError] = []
    for reader in readers:
        try:
            trajectory = reader()
        except InputError as error:  # the others are judged all the same
            unreadable.append(error)
            continue
        verdict = finish(trajectory, judge(trajectory))
        store.write(verdict)
        judged += 1
        failed += verdict.state is VerdictState.FAILED
        on_verdict(verdict)
    return JudgeResult(judged, 0, failed, NO_USAGE, unreadable=tuple(unreadable))


def stored_verdicts(folder: Path, judge: str) -> Sequence[TrajectoryVerdict]:
    """Return the stored verdicts of a judge.

    Args:
        folder: The folder of all judges, ``RUN/verdicts`` for a run.
        judge: Name of the judge.

    Raises:
        InputError: There is none, or one is broken.
    """
    found = tuple(VerdictStore(folder, judge).verdicts())
    if not found:
        raise InputError(
            f"{folder} has no verdict of {judge!r}", hint=f"Run: garabench verify RUN --judge {judge}"
        )
    return found


def run_outcomes(folder: Path, judge: str) -> tuple[dict[str, bool], dict[str, bool]]:
    """Return the outcomes of a judge's stored verdicts on a run, and those of the goals.

    Args:
        folder: The run.
        judge: Name of the judge.

    Returns:
        Both by episode; undecided verdicts, and episodes that ended in ``error``, are left out.

    Raises:
        InputError: The run has no verdict of the judge.
    """
    verdicts = stored_verdicts(folder / VERDICTS, judge)
    judged = {each.trajectory: each.outcome for each in verdicts if each.outcome is not None}
    goals = {
        str(each.key): _DECIDED[each.outcome]
        for each in load_run(folder).summaries
        if each.outcome in _DECIDED
    }
    return judged, goals
