"""Plan a run: its episodes, their order and their seeds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from garabench.agents.models.catalog import profile_of
from garabench.agents.spec import AgentKind, AgentSpec
from garabench.core.identifiers import did_you_mean
from garabench.core.seeds import generator
from garabench.episode.spec import EpisodeSpec
from garabench.errors import InputError
from garabench.records.plan import CLEAN, CONDITIONS, DECISION_SECONDS, START_SECONDS, Plan
from garabench.records.run_file import RunAgent, RunAgentKind, repetition_seed
from garabench.suite.suite import Suite, SuiteTask


def parse_conditions(text: str) -> tuple[str, ...]:
    """Parse a comma-separated list of conditions.

    Raises:
        InputError: One is unknown.
    """
    names = tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    for name in names:
        if name not in CONDITIONS:
            raise InputError(f"no condition is called {name!r}", hint=did_you_mean(name, CONDITIONS))
    if not names:
        raise InputError("a run needs a condition", hint=f"Known: {', '.join(CONDITIONS)}")
    return names


def make_plan(
    tasks: Sequence[SuiteTask],
    agents: Sequence[str],
    *,
    conditions: Sequence[str] = CONDITIONS,
    seeds: int = 1,
    seed: int = 0,
    shuffle: bool = False,
    limit: int | None = None,
    decision_seconds: float = DECISION_SECONDS,
    start_seconds: float = START_SECONDS,
    interruptions: int | None = None,
) -> Plan:
    """Plan a run.

    Args:
        tasks: The selected tasks.
        agents: The agents, in the syntax of ``garabench run --agents``; duplicates are dropped.
        conditions: As in `Plan`, like all other arguments except `limit`.
        seeds: Repetitions of each episode.
        seed: The run's seed.
        shuffle: Draw the order of the tasks from the seed.
        limit: Plan only this many tasks, the first ones after shuffling.
        decision_seconds: Time limit of a decision.
        start_seconds: Time limit of an agent's start.
        interruptions: The stress level.
    """
    names = [item.task.id for item in tasks]
    if shuffle:
        generator(seed, "plan", "shuffle").shuffle(names)
    return Plan(
        tasks=tuple(names[:limit]),
        agents=tuple(dict.fromkeys(agents)),
        conditions=tuple(conditions),
        seeds=seeds,
        seed=seed,
        shuffle=shuffle,
        decision_seconds=decision_seconds,
        start_seconds=start_seconds,
        interruptions=interruptions,
    )


def recorded_agents(plan: Plan, agents: Iterable[AgentSpec]) -> tuple[RunAgent, ...]:
    """Return a plan's resolved agents as a run's file lists them."""
    return tuple(
        RunAgent(
            name=spec.name,
            text=text,
            kind=_KINDS.get(spec.kind, RunAgentKind.EXTERNAL),
            profile=profile.base_id if (profile := profile_of(spec)) is not None else "",
        )
        for text, spec in zip(plan.agents, agents, strict=True)
    )


_KINDS = {
    AgentKind.REFERENCE: RunAgentKind.REFERENCE,
    AgentKind.HEURISTIC: RunAgentKind.HEURISTIC,
    AgentKind.MODEL: RunAgentKind.MODEL,
}


def episodes(plan: Plan, suite: Suite, agents: Sequence[str]) -> tuple[EpisodeSpec, ...]:
    """Return all episodes of a plan, in the order in which they are performed.

    The conditions of a task, agent and seed are consecutive, so that a partial run has complete pairs.

    Args:
        plan: The plan.
        suite: The suite with the plan's tasks.
        agents: Names of the plan's resolved agents.

    Raises:
        InputError: The suite lacks a task.
    """
    result: list[EpisodeSpec] = []
    for name in plan.tasks:
        item = suite.every_task.get(name)
        if item is None:
            raise InputError(f"no task is called {name!r}", hint=did_you_mean(name, suite.every_task))
        for agent in agents:
            for number in range(plan.seeds):
                for condition in plan.conditions:
                    wanted = None if condition == CLEAN else plan.interruptions
                    result.append(
                        EpisodeSpec(
                            task=item.task,
                            app=item.app,
                            goal=item.goal,
                            rules=() if condition == CLEAN else suite.rules_of(item),
                            interruptions=suite.interruptions,
                            anomalies=suite.anomalies,
                            agent=agent,
                            decision_seconds=plan.decision_seconds,
                            start_seconds=plan.start_seconds,
                            condition=condition,
                            seed=repetition_seed(plan, number),
                            suite_hash=suite.digest,
                            seconds=plan.seconds,
                            harm=item.harm,
                            wanted=wanted,
                            further=() if wanted is None else suite.further_rules(item),
                        )
                    )
    return tuple(result)
