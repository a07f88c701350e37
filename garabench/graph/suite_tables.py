"""The graphs of many tasks, summarized: by agent, length, complexity, kind of action, step and attempt."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from garabench.graph.strategies import Strategy, TrajectoryFacts, mean_inflation, strategy_counts
from garabench.graph.task_analysis import TaskAnalysis
from garabench.stats.rates import Rate

LENGTHS = ((0, 5), (6, 10), (11, 15), (16, 20), (21, None))
"""Bins of trajectories by number of actions; the last one is open."""
LEVELS = ("simple", "medium", "complex", "very complex")
"""The quarters of the tasks, by complexity."""
PHASES = ("first third", "middle third", "last third")
STEPS = ((1, 3), (4, 10), (11, None))
"""Bins of actions by their number within the trajectory, from 1."""
MOST_ATTEMPTS = 10
"""Later attempts are counted together with this one."""


@dataclass(frozen=True, slots=True)
class GraphAgentRow:
    """An agent under one condition.

    Attributes:
        agent, condition: The agent and its condition.
        reference: Whether it follows the reference solution.
        success: Its success rate.
        mean_actions: Mean number of actions.
        necessity: Share of its actions that were necessary.
        inflation: Mean inflation of its successes; None without one.
        strategies: Number of successes with each strategy.
        early: Share of its failures that ended before the shortest success; its denominator has the failures
            on tasks that were solved.
    """

    agent: str
    condition: str
    reference: bool
    success: Rate
    mean_actions: float
    necessity: Rate
    inflation: float | None
    strategies: dict[Strategy, int]
    early: Rate


@dataclass(frozen=True, slots=True)
class BinRow:
    """A bin of trajectories, tasks or actions.

    Attributes:
        name: The bin's name.
        count: Number of its tasks, trajectories or actions.
        success: Success rate of its trajectories; empty for a bin of actions.
        necessity: Share of its actions that were necessary.
        inflation: Mean inflation of its successes; None without one.
    """

    name: str
    count: int
    success: Rate
    necessity: Rate
    inflation: float | None = None


@dataclass(frozen=True, slots=True)
class TaskAgreement:
    """Which of the agents that have tried a task under a condition have solved it.

    Attributes:
        task, condition: The task and the condition.
        agents: The agents that have tried it, sorted.
        solvers: Those that have solved it: more than half of their trajectories succeeded.
    """

    task: str
    condition: str
    agents: tuple[str, ...]
    solvers: tuple[str, ...]

    @property
    def solved_by(self) -> str:
        """``all``, ``none`` or ``some`` of them."""
        if not self.solvers:
            return "none"
        return "all" if len(self.solvers) == len(self.agents) else "some"


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """Whether agents agree on the tasks that all of them have tried.

    Attributes:
        condition: The condition.
        agents: Number of agents.
        solved_by_all, solved_by_none, solved_by_some: Numbers of tasks. An agent has solved a task if more
            than half of its trajectories succeeded.
    """

    condition: str
    agents: int
    solved_by_all: int
    solved_by_none: int
    solved_by_some: int

    @property
    def tasks(self) -> int:
        """Number of tasks that all agents have tried."""
        return self.solved_by_all + self.solved_by_none + self.solved_by_some


@dataclass(frozen=True, slots=True)
class MergeRow:
    """What merging did.

    Attributes:
        tasks, trajectories, actions: Their numbers.
        nodes, edges: Their numbers after merging.
        step_nodes: Number of nodes after merging within the same step only.
        shared_nodes: Share of the nodes that more than one trajectory visits.
        tasks_with_shared: Share of the tasks that have such a node.
        worded: Share of the nodes that unite different wordings.
        mean_nodes, mean_edges: Means over the tasks.
        mean_diversity: Mean normalized entropy of the paths.
        mean_clusters: Mean number of clusters of paths.
    """

    tasks: int
    trajectories: int
    actions: int
    nodes: int
    edges: int
    step_nodes: int
    shared_nodes: Rate
    tasks_with_shared: Rate
    worded: Rate
    mean_nodes: float
    mean_edges: float
    mean_diversity: float
    mean_clusters: float


def _facts(tasks: Iterable[TaskAnalysis]) -> list[TrajectoryFacts]:
    return [each for task in tasks for each in task.paths.facts]


def _necessity(facts: Iterable[TrajectoryFacts]) -> Rate:
    rates = [each.necessity for each in facts]
    return Rate(sum(rate.successes for rate in rates), sum(rate.trials for rate in rates))


def _success(facts: Sequence[TrajectoryFacts]) -> Rate:
    return Rate(sum(each.trajectory.success for each in facts), len(facts))


def _mean(values: Sequence[float]) -> float:
    return statistics.fmean(values) if values else 0.0


def agent_rows(tasks: Sequence[TaskAnalysis]) -> tuple[GraphAgentRow, ...]:
    """Return a row per agent and condition, sorted."""
    groups: dict[tuple[str, str], list[TrajectoryFacts]] = {}
    for each in _facts(tasks):
        groups.setdefault((each.trajectory.agent, each.trajectory.condition), []).append(each)
    rows = []
    for (agent, condition), group in sorted(groups.items()):
        early = [each.early for each in group if each.early is not None]
        rows.append(
            GraphAgentRow(
                agent=agent,
                condition=condition,
                reference=group[0].trajectory.reference,
                success=_success(group),
                mean_actions=_mean([float(each.trajectory.length) for each in group]),
                necessity=_necessity(group),
                inflation=mean_inflation(group),
                strategies=strategy_counts(group),
                early=Rate(sum(early), len(early)),
            )
        )
    return tuple(rows)


def _bin_name(low: int, high: int | None) -> str:
    return f"{low}–{high}" if high is not None else f"{low} and more"


def _within(value: int, low: int, high: int | None) -> bool:
    return value >= low and (high is None or value <= high)


def length_rows(tasks: Sequence[TaskAnalysis]) -> tuple[BinRow, ...]:
    """Return success by the trajectories' number of actions, without empty bins."""
    facts = _facts(tasks)
    rows = []
    for low, high in LENGTHS:
        group = [each for each in facts if _within(each.trajectory.length, low, high)]
        if group:
            rows.append(
                BinRow(
                    _bin_name(low, high),
                    len(group),
                    _success(group),
                    _necessity(group),
                    mean_inflation(group),
                )
            )
    return tuple(rows)


def complexity_rows(tasks: Sequence[TaskAnalysis]) -> tuple[BinRow, ...]:
    """Return success, necessity and inflation by the tasks' complexity, in quarters."""
    if not tasks:
        return ()
    values = [task.graph.complexity for task in tasks]
    limits = [float(limit) for limit in np.percentile(values, [25, 50, 75])]
    groups: list[list[TaskAnalysis]] = [[] for _ in LEVELS]
    for task, value in zip(tasks, values, strict=True):
        groups[sum(value > limit for limit in limits)].append(task)
    rows = []
    for name, group in zip(LEVELS, groups, strict=True):
        if group:
            facts = _facts(group)
            spread = [task.graph.complexity for task in group]
            title = f"{name} ({min(spread):.1f}–{max(spread):.1f})"
            rows.append(BinRow(title, len(group), _success(facts), _necessity(facts), mean_inflation(facts)))
    return tuple(rows)


def _labelled(facts: Iterable[TrajectoryFacts]) -> Iterable[tuple[TrajectoryFacts, int, str, bool]]:
    """Yield the trajectory, number from 0, kind and necessity of each action that has a necessity."""
    for each in facts:
        number = 0
        for step, label in zip(each.trajectory.steps, each.necessary, strict=True):
            if label is not None:
                yield each, number, step.action.kind, label
            number += not step.action.is_arrival


def _action_rows(
    tasks: Sequence[TaskAnalysis], name: Callable[[TrajectoryFacts, int, str], str], order: Sequence[str] = ()
) -> tuple[BinRow, ...]:
    total: Counter[str] = Counter()
    needed: Counter[str] = Counter()
    for each, number, kind, label in _labelled(_facts(tasks)):
        total[key := name(each, number, kind)] += 1
        needed[key] += label
    names = [each for each in order if total[each]] or sorted(total, key=lambda one: (-total[one], one))
    return tuple(BinRow(each, total[each], Rate(0, 0), Rate(needed[each], total[each])) for each in names)


def kind_rows(tasks: Sequence[TaskAnalysis]) -> tuple[BinRow, ...]:
    """Return necessity by kind of action, the most frequent first."""
    return _action_rows(tasks, lambda _, __, kind: kind)


def step_rows(tasks: Sequence[TaskAnalysis]) -> tuple[BinRow, ...]:
    """Return necessity by the action's number within its trajectory."""

    def name(_: TrajectoryFacts, number: int, __: str) -> str:
        return next(_bin_name(low, high) for low, high in STEPS if _within(number + 1, low, high))

    return _action_rows(tasks, name, [_bin_name(*each) for each in STEPS])


def phase_rows(tasks: Sequence[TaskAnalysis]) -> tuple[BinRow, ...]:
    """Return necessity by the third of its trajectory in which the action is."""

    def name(each: TrajectoryFacts, number: int, _: str) -> str:
        return PHASES[number * len(PHASES) // each.trajectory.length]

    return _action_rows(tasks, name, PHASES)


def attempt_rows(tasks: Sequence[TaskAnalysis]) -> tuple[BinRow, ...]:
    """Return success and necessity by how often the agent had tried the task: the learning curve."""
    groups: dict[int, list[TrajectoryFacts]] = {}
    for each in _facts(tasks):
        groups.setdefault(min(each.trajectory.attempt, MOST_ATTEMPTS), []).append(each)
    return tuple(
        BinRow(str(number), len(group), _success(group), _necessity(group), mean_inflation(group))
        for number, group in sorted(groups.items())
    )


def task_agreements(tasks: Sequence[TaskAnalysis]) -> tuple[TaskAgreement, ...]:
    """Return the agents' agreement by condition and task; reference agents are left out, they cannot fail.

    If all agents are reference agents, or only one is not, all of them are counted.
    """
    facts = _facts(tasks)
    independent = {each.trajectory.agent for each in facts if not each.trajectory.reference}
    counted = independent if len(independent) > 1 else {each.trajectory.agent for each in facts}
    found: dict[tuple[str, str], dict[str, list[bool]]] = {}
    for each in facts:
        one = each.trajectory
        if one.agent in counted:
            by_agent = found.setdefault((one.condition, one.task), {})
            by_agent.setdefault(one.agent, []).append(one.success)
    return tuple(
        TaskAgreement(
            task,
            condition,
            agents=tuple(sorted(by_agent)),
            solvers=tuple(agent for agent, won in sorted(by_agent.items()) if 2 * sum(won) > len(won)),
        )
        for (condition, task), by_agent in sorted(found.items())
    )


def agreement_rows(tasks: Sequence[TaskAnalysis]) -> tuple[AgreementRow, ...]:
    """Return the agents' agreement under each condition, over the tasks that all agents have tried."""
    found = task_agreements(tasks)
    rows = []
    for condition in sorted({each.condition for each in found}):
        own = [each for each in found if each.condition == condition]
        agents = {agent for each in own for agent in each.agents}
        numbers = Counter(each.solved_by for each in own if len(each.agents) == len(agents))
        rows.append(AgreementRow(condition, len(agents), numbers["all"], numbers["none"], numbers["some"]))
    return tuple(rows)


def merge_row(tasks: Sequence[TaskAnalysis]) -> MergeRow:
    """Return what merging did over all tasks."""
    graphs = [task.graph for task in tasks]
    nodes = sum(len(graph.nodes) for graph in graphs)
    return MergeRow(
        tasks=len(tasks),
        trajectories=sum(graph.trajectories for graph in graphs),
        actions=sum(graph.actions for graph in graphs),
        nodes=nodes,
        edges=sum(len(graph.edges) for graph in graphs),
        step_nodes=sum(graph.step_nodes for graph in graphs),
        shared_nodes=Rate(sum(graph.shared for graph in graphs), nodes),
        tasks_with_shared=Rate(sum(graph.shared > 0 for graph in graphs), len(graphs)),
        worded=Rate(sum(len(node.members) > 1 for graph in graphs for node in graph.nodes), nodes),
        mean_nodes=_mean([float(len(graph.nodes)) for graph in graphs]),
        mean_edges=_mean([float(len(graph.edges)) for graph in graphs]),
        mean_diversity=_mean([task.diversity.normalized for task in tasks]),
        mean_clusters=_mean([float(len(task.clusters.clusters)) for task in tasks]),
    )


def sum_rates(rates: Iterable[Rate]) -> Rate:
    """Return the rate over all trials of several rates."""
    found = list(rates)
    return Rate(sum(rate.successes for rate in found), sum(rate.trials for rate in found))
