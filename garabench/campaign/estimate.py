"""Estimate the model usage of a run before it begins: episodes x steps x tokens."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from garabench.agents.dialects.coordinates import ScreenView
from garabench.agents.models.catalog import ModelAgentMaker
from garabench.agents.models.cost import PriceTable
from garabench.agents.models.messages import TokenUsage
from garabench.agents.profile import AgentProfile, HistoryForm
from garabench.agents.prompting.tokens import estimate_tokens as tokens_of
from garabench.agents.spec import AgentSpec
from garabench.core.geometry import Size
from garabench.records.plan import Plan
from garabench.suite.suite import Suite

SCREEN = Size(1080, 2400)
STEPS = 1.5
"""Steps of an agent per step of the reference solution; at most the task's limit."""
REPAIRS = 0.05
"""Share of the replies that are requested again because they could not be parsed."""
_TREE_SHARE = 0.5
"""Share of the tree's token limit that an ordinary screen uses."""
_PIXELS_PER_TOKEN = 28 * 28
"""Pixels of a picture per token, as Qwen and UI-TARS count them; other vendors count factor coarsely."""
_REPLY_TOKENS, _REASONING_REPLY_TOKENS = 120, 900
_PAST_STEP_TOKENS = 30
_TASK_TOKENS = 60

ASSUMPTIONS = (
    f"steps: {STEPS:g} times the reference solution's, at most the task's limit; "
    f"{REPAIRS:.0%} of the replies requested again",
    f"a picture: one token per 28x28 pixels of a {SCREEN} screen; a tree: half of its limit",
    f"a reply: {_REPLY_TOKENS} tokens, {_REASONING_REPLY_TOKENS} of a reasoning model; no cached tokens",
)


@dataclass(frozen=True, slots=True)
class EstimateRow:
    """The estimated usage of one agent.

    Attributes:
        agent: The agent's name.
        model: The model's name.
        episodes: Number of planned episodes.
        requests: Number of requested replies.
        sent, received: Number of tokens.
        cost: Cost in US dollars; None if the price is unknown.
    """

    agent: str
    model: str
    episodes: int
    requests: int
    sent: int
    received: int
    cost: Decimal | None


def estimate_usage(
    plan: Plan, suite: Suite, specs: Sequence[AgentSpec], prices: PriceTable
) -> tuple[EstimateRow, ...]:
    """Estimate the usage of each model agent of a plan.

    Args:
        plan: The plan, of which no episode has been performed.
        suite: The suite with the plan's tasks.
        specs: The plan's agents.
        prices: The price table.
    """
    repetitions = len(plan.conditions) * plan.seeds
    tasks = [suite.every_task[name].task for name in plan.tasks]
    steps = [min(task.max_steps, math.ceil(STEPS * max(1, len(task.solution)))) for task in tasks]
    return tuple(
        _row(spec.name, spec.make.profile, repetitions, steps, prices)
        for spec in specs
        if isinstance(spec.make, ModelAgentMaker)
    )


def _row(
    name: str, profile: AgentProfile, repetitions: int, steps: Sequence[int], prices: PriceTable
) -> EstimateRow:
    factor = 1 + REPAIRS
    first, picture = _screen(profile)
    prompted = sum(first + _history(profile, past, picture) for count in steps for past in range(count))
    sent = round(prompted * repetitions * factor)
    requests = round(sum(steps) * repetitions * factor)
    received = requests * _reply(profile)
    price = prices.price(profile.model, profile.endpoint.base_url)
    cost = None if price is None else price.of(TokenUsage(sent=sent, received=received))
    return EstimateRow(name, profile.model, len(steps) * repetitions, requests, sent, received, cost)


def _screen(profile: AgentProfile) -> tuple[int, int]:
    """Return the tokens of the first prompt, and those of its picture alone."""
    dialect = profile.tuned_dialect()
    size = dialect.image.size(SCREEN)
    picture = -(-size.width * size.height // _PIXELS_PER_TOKEN) if profile.input.has_image else 0
    tree = round(profile.tree.tokens * _TREE_SHARE) if profile.input.has_tree else 0
    return tokens_of(dialect.system(ScreenView(SCREEN, size))) + _TASK_TOKENS + picture + tree, picture


def _history(profile: AgentProfile, past: int, picture: int) -> int:
    """Return the tokens of the history after a number of steps."""
    steps = min(past, profile.history.last)
    match profile.history.form:
        case HistoryForm.NONE:
            return 0
        case HistoryForm.SCREENSHOTS:
            return steps * (picture + _REPLY_TOKENS)
        case _:
            return steps * _PAST_STEP_TOKENS


def _reply(profile: AgentProfile) -> int:
    given = profile.parameters
    usual = _REASONING_REPLY_TOKENS if "reasoning_effort" in given else _REPLY_TOKENS
    limit = given.get("max_tokens") or given.get("max_completion_tokens")
    return min(usual, limit) if isinstance(limit, int) and limit > 0 else usual
