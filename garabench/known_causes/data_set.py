"""Produce a data set of failed episodes with known causes, on virtual phones.

The data set's folder::

    FOLDER/runs/ROUND/     a run: one agent, one cause for each task
    FOLDER/causes/ROUND.json   the agent's fault in each task, which the agent reads
    FOLDER/truth.jsonl     the failed episodes with their causes

A run's record names neither defects nor faults. Every round performs a task with one cause, clean or
interrupted; episodes that succeed all the same are not part of the data set.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import json
import math
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from garabench.agents.registry import resolve_all
from garabench.campaign import executor
from garabench.campaign.device_kind import VIRTUAL
from garabench.campaign.devices import Lease, RecoverableLease, VirtualLease, open_devices
from garabench.campaign.planner import make_plan, recorded_agents
from garabench.campaign.preflight import recorded_environment
from garabench.campaign.resume import check_plan
from garabench.core.clock import Clock, SystemClock
from garabench.core.progress import Progress
from garabench.core.seeds import derive
from garabench.episode.spec import EpisodeSpec
from garabench.errors import InputError
from garabench.known_causes.affected_tasks import defects_by_task
from garabench.known_causes.cause import Cause, CauseKind, KnownFailure, write_truth
from garabench.known_causes.cause_assignment import BREAKING_IMPACTS, assign_defects, assign_faults
from garabench.records.device_environment import Environment
from garabench.records.disk import disk_error
from garabench.records.plan import CLEAN, Plan
from garabench.records.results import Summary
from garabench.records.run_file import RunFile
from garabench.records.run_layout import RUN_FILE
from garabench.records.run_log import run_log
from garabench.records.run_writer import RunWriter
from garabench.suite.suite import Suite, SuiteTask

_SUBJECT = "subject"
"""Label of the agent in every run, so that its name does not give the cause away."""
RUNS, CAUSES = "runs", "causes"
EPISODES = 490
"""Default number of episodes, of which more than 400 fail."""


@dataclass(frozen=True, slots=True)
class Round:
    """Episodes with one agent and one condition, and one cause for each task.

    Attributes:
        name: Name of its run.
        agent: The agent.
        condition: ``clean``, ``dual`` or ``forced``.
        causes: The cause in each task.
        share: Share of the data set's episodes.
        seed: The run's seed.
    """

    name: str
    agent: str
    condition: str
    causes: Mapping[str, Cause]
    share: float
    seed: int = 0


class DefectSwitcher:
    """Switches on each phone the defect of the episode that it is about to perform."""

    def __init__(self, causes: Mapping[str, Cause]) -> None:
        self._causes = causes
        self._on: dict[int, str] = {}
        self._lock = threading.Lock()

    def __call__(self, spec: EpisodeSpec, lease: Lease) -> None:
        """Prepare a phone for an episode."""
        self.switch(lease, self._causes.get(spec.task.id))

    def switch(self, lease: Lease, cause: Cause | None, *, draw: int = 0) -> None:
        """Switch a phone's earlier defect off, and that of a cause on.

        Args:
            lease: The phone.
            cause: The cause; None, or another kind of cause, leaves no defect on.
            draw: Number of the sequence of draws of a flaky defect; a diagnosis uses another one than the
                episode, since a real flaky app does not repeat itself.

        Raises:
            InputError: The device is not a virtual phone.
        """
        if not isinstance(lease, VirtualLease):
            raise InputError("only virtual phones have defects")
        with self._lock:
            earlier = self._on.pop(id(lease), "")
        if earlier and lease.phone.running:
            lease.phone.defect(earlier, on=False)
        if cause is not None and cause.kind is CauseKind.DEFECT:
            if not lease.phone.running:  # it has just been lost, and is restarted for this episode
                lease.connect().close()
            lease.phone.defect(cause.name, draw=draw)
            with self._lock:
                self._on[id(lease)] = cause.name


def plan_rounds(items: Sequence[SuiteTask], seed: int) -> tuple[Round, ...]:
    """Plan the rounds of a data set: half of the causes are the environment's, half the agent's.

    Args:
        items: The tasks; infeasible ones are left out.
        seed: Seed of the draws.
    """
    tasks = [item.task for item in items if item.task.infeasible is None]
    names = [task.id for task in tasks]
    broken = defects_by_task(BREAKING_IMPACTS)
    by_itself = {name: Cause(CauseKind.AGENT) for name in names}
    return (
        Round("a", "dismiss", CLEAN, assign_defects(names, broken, seed), 0.25),
        Round("b", "dismiss", CLEAN, assign_faults(tasks, CLEAN, seed), 0.2),
        Round("c", "dismiss", "dual", assign_faults(tasks, "dual", seed, number=1), 0.2),
        Round("d", "dismiss", "dual", assign_defects(names, broken, seed, number=1), 0.2),
        Round("e", "heuristic", CLEAN, by_itself, 0.15),
    )


def make_data_set(
    folder: Path,
    *,
    tasks: str = "all",
    episodes: int | None = EPISODES,
    suite: Suite | None = None,
    seed: int = 0,
    phones: int = 4,
    clock: Clock | None = None,
    on_progress: Callable[[Progress[Summary]], None] = lambda progress: None,
) -> tuple[KnownFailure, ...]:
    """Produce a data set; a later call with the same arguments resumes.

    Args:
        folder: The data set's folder.
        tasks: A task selector.
        episodes: Limit of the episodes, divided by the rounds' shares; None performs all.
        suite: The suite; default: the bundled one.
        seed: Seed of the draws.
        phones: Number of virtual phones.
        clock: Clock for all times and limits.
        on_progress: Called with the result of each ended episode.

    Returns:
        The failed episodes with their causes.

    Raises:
        InputError: The folder contains another data set.
        GaraError: A phone does not start, or a record cannot be written.
    """
    suite, clock = suite or Suite.load(), clock or SystemClock()
    rounds = plan_rounds(suite.select(tasks), seed)
    found: list[KnownFailure] = []
    with open_devices([VIRTUAL], clock, phones=phones, seed=seed) as leases:
        for each in rounds:
            limited = each if episodes is None else _limited(each, math.ceil(episodes * each.share), seed)
            if limited.causes:
                found += _perform(limited, folder, suite, leases, clock, on_progress)
    write_truth(folder, found)
    return tuple(found)


def _limited(each: Round, most: int, seed: int) -> Round:
    """Return a round with at most this many tasks, drawn by the seed."""
    names = sorted(each.causes, key=lambda name: derive(seed, "known-causes", each.name, name))[:most]
    return replace(each, causes={name: each.causes[name] for name in names})


def _perform(
    each: Round,
    folder: Path,
    suite: Suite,
    leases: Sequence[RecoverableLease],
    clock: Clock,
    on_progress: Callable[[Progress[Summary]], None],
) -> Iterator[KnownFailure]:
    """Perform a round, and yield its failures."""
    out = folder / RUNS / each.name
    agents = (f"{_SUBJECT}=faulty:@{_write_faults(each, folder)}:{each.agent}",)
    specs = resolve_all(agents)
    items = [suite.tasks[name] for name in each.causes]
    plan = make_plan(items, agents, conditions=(each.condition,), seed=each.seed)
    if (out / RUN_FILE).is_file():
        writer = RunWriter.open(out)
        check_plan(writer, plan, suite)
    else:
        RunWriter.check_free(out)
        file = RunFile(
            garabench=importlib.metadata.version("garabench"),
            plan=plan,
            agents=recorded_agents(plan, specs),
            suite_hash=suite.digest,
            device=_environment(leases[0], plan),
        )
        writer = RunWriter.create(out, file)
    with contextlib.ExitStack() as stack:
        stack.enter_context(writer.lock())
        stack.enter_context(run_log(out))
        switcher = DefectSwitcher(each.causes)
        summaries = executor.perform_episodes(
            writer, suite, specs, leases, clock, before_episode=switcher, on_progress=on_progress
        )
        for lease in leases:
            switcher.switch(lease, None)
    for summary in summaries:
        if summary.outcome == "failure":
            yield KnownFailure(
                run=f"{RUNS}/{each.name}",
                task=summary.task,
                agent=summary.agent,
                condition=summary.condition,
                seed=summary.seed,
                cause=each.causes[summary.task],
            )


def _environment(lease: Lease, plan: Plan) -> Environment:
    device = lease.connect()
    try:
        return recorded_environment(device, plan)[0]
    finally:
        device.close()


def _write_faults(each: Round, folder: Path) -> Path:
    """Write the agent's fault in each task; return the file."""
    path = (folder / CAUSES / f"{each.name}.json").resolve()
    faults = {
        task: cause.name if cause.kind is CauseKind.AGENT_FAULT else None
        for task, cause in each.causes.items()
    }
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(faults, indent=1), encoding="utf-8")
    except OSError as error:
        raise disk_error(error, path) from error
    return path
