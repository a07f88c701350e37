"""Estimate the model usage of a run before it begins: episodes x steps x tokens, by stated assumptions."""

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
from garabench.agents.prompting.tokens import estimate as tokens_of
from garabench.agents.spec import AgentSpec
from garabench.core.geometry import Size
from garabench.records.plan import Plan
from garabench.suite.suite import Suite

SCREEN = Size(1080, 2400)
STEPS = 1.5
"""Steps of an agent per step of the reference solution; at most the task's limit."""
REPAIRS = 0.05
"""Share of the replies that are requested again because they cannot be parsed."""
_TREE_SHARE = 0.5
"""Share of the tree's token limit that an ordinary screen takes."""
_PIXELS_PER_TOKEN = 28 * 28
"""Pixels of a picture per token, as Qwen and UI-TARS count them; other vendors count more coarsely."""
_REPLY_TOKENS, _REASONING_REPLY_TOKENS = 120, 900
_PAST_STEP_TOKENS = 30
_TASK_TOKENS = 60

ASSUMPTIONS = (
    f"steps: {STEPS:g} times the reference solution's, at most the task's limit; "
    f"{REPAIRS:.0%} of the replies asked for again",
    f"a picture: one token for 28x28 pixels of a screen of {SCREEN}; a tree: half of its limit",
    f"a reply: {_REPLY_TOKENS} tokens, {_REASONING_REPLY_TOKENS} of a reasoning model; "
    "nothing read from a cache",
)


@dataclass(frozen=True, slots=True)
class EstimateRow:
    """The estimated usage of one agent.

    Attributes:
        agent: The agent's name.
        model: The model's name.
        episodes: Number of episodes of the plan.
        requests: Number of requested replies.
        sent, received: Tokens.
        cost: US dollars; None if the price is unknown.
    """

    agent: str
    model: str
    episodes: int
    requests: int
    sent: int
    received: int
    cost: Decimal | None


def estimate(
    plan: Plan, suite: Suite, specs: Sequence[AgentSpec], prices: PriceTable
) -> tuple[EstimateRow, ...]:
    """Estimate the usage of each agent of a plan that is a model.

    Args:
        plan: The plan; nothing of it is counted as done.
        suite: With the plan's tasks.
        specs: The plan's agents.
        prices: The price table.
    """
    each = len(plan.conditions) * plan.seeds
    tasks = [suite.every_task[name].task for name in plan.tasks]
    steps = [min(task.max_steps, math.ceil(STEPS * max(1, len(task.solution)))) for task in tasks]
    return tuple(
        _row(spec.name, spec.make.profile, each, steps, prices)
        for spec in specs
        if isinstance(spec.make, ModelAgentMaker)
    )


def _row(
    name: str, profile: AgentProfile, each: int, steps: Sequence[int], prices: PriceTable
) -> EstimateRow:
    more = 1 + REPAIRS
    first, picture = _screen(profile)
    asked = sum(first + _history(profile, past, picture) for count in steps for past in range(count))
    sent = round(asked * each * more)
    requests = round(sum(steps) * each * more)
    received = requests * _reply(profile)
    price = prices.price(profile.model, profile.endpoint.base_url)
    cost = None if price is None else price.of(TokenUsage(sent=sent, received=received))
    return EstimateRow(name, profile.model, len(steps) * each, requests, sent, received, cost)


def _screen(profile: AgentProfile) -> tuple[int, int]:
    """Return the tokens of the first prompt, and those of its picture alone."""
    dialect = profile.tuned_dialect()
    size = dialect.image.size(SCREEN)
    picture = -(-size.width * size.height // _PIXELS_PER_TOKEN) if profile.input.has_picture else 0
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
