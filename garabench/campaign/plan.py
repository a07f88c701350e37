"""The plan of a run: which episodes, in which order, from which seeds; pure."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field, field_validator

from garabench.agents.naming import read_name
from garabench.agents.setting import DECISION_SECONDS, START_SECONDS
from garabench.campaign.suite import Suite, SuiteTask
from garabench.core.names import did_you_mean
from garabench.core.seeds import derive, generator
from garabench.episode.spec import CLEAN, EpisodeSpec
from garabench.errors import InputError

CONDITIONS = (CLEAN, "dual", "forced")
MOST_INTERRUPTIONS = 5
"""The highest stress level."""


class Plan(BaseModel):
    """What a run does; kept in its ``run.json``.

    Attributes:
        tasks: Ids, in the suite's order.
        agents: As a person names them, see `garabench.agents.naming`.
        conditions: Of ``clean``, ``dual``, ``forced``.
        seeds: How often each episode is repeated, each time from another seed.
        seed: The run's seed.
        shuffle: Whether tasks are performed in an order drawn from the seed.
        seconds: Time limit of an episode.
        decision_seconds: How long an agent may take for a decision.
        start_seconds: How long it may take to get ready.
        retries: How often an episode that ended in ``error`` is tried again.
        interruptions: How many of them are wanted in an episode, the stress level; None where the rules alone
            decide, as they do unless one asks for more or fewer.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    tasks: tuple[str, ...] = Field(min_length=1)
    agents: tuple[str, ...] = Field(min_length=1)
    conditions: tuple[str, ...] = CONDITIONS
    seeds: int = Field(default=1, ge=1, le=1000)
    seed: int = 0
    shuffle: bool = False
    seconds: float = Field(default=600, gt=0)
    decision_seconds: float = Field(default=DECISION_SECONDS, gt=0)
    start_seconds: float = Field(default=START_SECONDS, gt=0)
    retries: int = Field(default=1, ge=0, le=10)
    interruptions: int | None = Field(default=None, ge=1, le=MOST_INTERRUPTIONS)

    @field_validator("conditions")
    @classmethod
    def _known(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not value:
            raise ValueError("a run needs a condition")
        if len(set(value)) != len(value):
            raise ValueError("a condition stands twice")
        return value


def parse_conditions(text: str) -> tuple[str, ...]:
    """Read a comma list of conditions.

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
        tasks: What was selected.
        agents: Names of agents.
        conditions: As in `Plan`, like the three that follow.
        seeds: Repetitions.
        seed: The run's seed.
        shuffle: Whether the order is drawn.
        limit: Take only the first so many tasks (after shuffling).
        decision_seconds: How long an agent may take for a decision.
        start_seconds: How long it may take to get ready.
        interruptions: The stress level, as in `Plan`.
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


def episodes(plan: Plan, suite: Suite) -> tuple[EpisodeSpec, ...]:
    """Every episode of a plan, in the order in which they are performed.

    The conditions of one task, agent and seed follow each other, so that a run that is broken off has
    whole pairs.

    Raises:
        InputError: The suite has no such task.
    """
    result: list[EpisodeSpec] = []
    for name in plan.tasks:
        item = suite.every_task.get(name)
        if item is None:
            raise InputError(f"no task is called {name!r}", hint=did_you_mean(name, suite.every_task))
        for agent in plan.agents:
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
                            agent=read_name(agent).name,
                            agent_text=agent,
                            decision_seconds=plan.decision_seconds,
                            start_seconds=plan.start_seconds,
                            condition=condition,
                            seed=derive(plan.seed, "repetition", number) % 2**31,
                            suite_hash=suite.digest,
                            seconds=plan.seconds,
                            harm=item.harm,
                            wanted=wanted,
                            further=() if wanted is None else suite.further_rules(item),
                        )
                    )
    return tuple(result)
