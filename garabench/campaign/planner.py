"""Plan a run: its episodes, their order and their seeds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from pydantic import ValidationError

from garabench.agents.models.catalog import profile_of
from garabench.agents.spec import AgentKind, AgentSpec
from garabench.core.end_criterion import EndCriterion
from garabench.core.phrases import first_and_more
from garabench.core.rule import BoundRule
from garabench.core.seeds import generator
from garabench.core.suggestions import did_you_mean
from garabench.episode.spec import EpisodeSpec
from garabench.errors import InputError
from garabench.records.plan import CLEAN, CONDITIONS, DECISION_SECONDS, RETRIES, START_SECONDS, Plan
from garabench.records.run_file import RunAgent, RunAgentKind, repetition_seed
from garabench.suite.suite import Suite, SuiteTask


def check_solutions(plan: Plan, suite: Suite, agents: Sequence[AgentSpec]) -> None:
    """Check that every task has a solution if an agent follows it.

    Args:
        plan: The plan.
        suite: The suite with the plan's tasks.
        agents: The plan's resolved agents.

    Raises:
        InputError: A reference agent, or a faulty agent made from one, would have no solution to follow.
    """
    followers = [spec.name for spec in agents if _follows_solution(spec)]
    unsolved = [
        name for name in plan.tasks if name in suite.every_task and not suite.every_task[name].task.solution
    ]
    if followers and unsolved:
        raise InputError(
            f"{first_and_more(unsolved)}: no solution, which the agent {followers[0]} follows",
            hint="Choose other agents, or record a solution: garabench tasks record "
            f"TASK{suite.command_option}",
        )


def _follows_solution(spec: AgentSpec) -> bool:
    inner = spec if spec.faulty is None else spec.faulty.agent
    return inner.make is None


def parse_conditions(text: str) -> tuple[str, ...]:
    """Parse a comma-separated list of conditions.

    Raises:
        InputError: A condition is unknown, or the list is empty.
    """
    names = tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    for name in names:
        if name not in CONDITIONS:
            raise InputError(f"unknown condition {name!r}", hint=did_you_mean(name, CONDITIONS))
    if not names:
        raise InputError("a run needs at least one condition", hint=f"Known: {', '.join(CONDITIONS)}")
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
    end: EndCriterion | str = EndCriterion.GOAL,
    retries: int = RETRIES,
) -> Plan:
    """Plan a run.

    Args:
        tasks: The selected tasks.
        agents: The agents, in the syntax of ``garabench run --agents``; duplicates are dropped.
        conditions: Conditions under which each task is performed: ``clean``, ``dual``, ``forced``.
        seeds: Number of repetitions of each episode, each with its own seed.
        seed: Random seed of the run.
        shuffle: Whether to shuffle the tasks by the seed.
        limit: Maximum number of tasks, counted after shuffling.
        decision_seconds: Time limit for each decision.
        start_seconds: Time limit for an agent to start in each episode.
        interruptions: Stress level: number of interruptions per episode; None if the rules alone decide.
        end: When an episode ends: ``goal`` at the first screen that meets the goal, ``done`` when the agent
            says so.
        retries: How often an episode that ended in ``error`` is repeated.

    Raises:
        InputError: No task or agent is selected, `end` is unknown, or a number is out of range.
    """
    if not tasks:
        raise InputError(
            "no task is selected", hint="`garabench tasks list SELECTOR` lists the tasks it selects."
        )
    if not agents:
        raise InputError("no agent is selected")
    if limit is not None and limit < 1:
        raise InputError(f"limit must be at least 1, not {limit}")
    names = [item.task.id for item in tasks]
    if shuffle:
        generator(seed, "plan", "shuffle").shuffle(names)
    criterion = _end_criterion(end)
    try:
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
            end=criterion,
            retries=retries,
        )
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        message = first["msg"].removeprefix("Value error, ")
        raise InputError(f"the plan's {where}: {message[:1].lower()}{message[1:]}") from error


def _end_criterion(name: str) -> EndCriterion:
    if name not in set(EndCriterion):
        raise InputError(f"unknown end {name!r}", hint=f"Known: {', '.join(EndCriterion)}")
    return EndCriterion(name)


def recorded_agents(plan: Plan, agents: Iterable[AgentSpec]) -> tuple[RunAgent, ...]:
    """Return the resolved agents of a plan as ``run.json`` lists them."""
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


def episodes(
    plan: Plan, suite: Suite, agents: Sequence[str], *, left_out: Collection[str] = ()
) -> tuple[EpisodeSpec, ...]:
    """Return all episodes of a plan, in the order in which they are performed.

    The conditions of a task, agent and seed are consecutive, so that a partial run has complete pairs.

    Args:
        plan: The plan.
        suite: The suite with the plan's tasks.
        agents: Names of the plan's resolved agents.
        left_out: Ids of the rules that are not injected.

    Raises:
        InputError: The suite lacks a task.
    """
    result: list[EpisodeSpec] = []
    for name in plan.tasks:
        item = suite.every_task.get(name)
        if item is None:
            raise InputError(f"unknown task {name!r}", hint=did_you_mean(name, suite.every_task))
        rules = _without(suite.rules_of(item), left_out)
        additional = _without(suite.additional_rules(item), left_out)
        for agent in agents:
            for number in range(plan.seeds):
                for condition in plan.conditions:
                    level = None if condition == CLEAN else plan.interruptions
                    result.append(
                        EpisodeSpec(
                            task=item.task,
                            app=item.app,
                            goal=item.goal,
                            rules=() if condition == CLEAN else rules,
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
                            stress_level=level,
                            additional_rules=() if level is None else additional,
                            end=plan.end,
                            effects=item.effects,
                        )
                    )
    return tuple(result)


def _without(rules: Iterable[BoundRule], left_out: Collection[str]) -> tuple[BoundRule, ...]:
    return tuple(bound for bound in rules if bound.rule.id not in left_out)
