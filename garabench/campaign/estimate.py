"""What a run's models will take, told before it begins: episodes x steps x tokens, by stated assumptions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from garabench.agents.chat.cost import Prices
from garabench.agents.chat.entries import ModelMaker
from garabench.agents.chat.messages import Usage
from garabench.agents.dialects.coordinates import View
from garabench.agents.modes.tokens import estimate as tokens_of
from garabench.agents.profile import AgentProfile, HistoryForm
from garabench.agents.spec import AgentSpec
from garabench.campaign.plan import Plan
from garabench.campaign.suite import Suite
from garabench.core.geometry import Size

SCREEN = Size(1080, 2400)
STEPS = 1.5
"""Steps of an agent over those of the reference solution; never more than the task's limit."""
REPAIRS = 0.05
"""Share of the replies that are asked for again."""
_TREE_SHARE = 0.5
"""Of the tokens that the tree may have, a usual screen's share."""
_A_TOKEN = 28 * 28
"""Pixels of a picture for a token, as Qwen and UI-TARS count; other vendors count less finely."""
_A_REPLY, _A_THOUGHTFUL_REPLY = 120, 900
_A_PAST_STEP = 30
_A_TASK = 60

ASSUMPTIONS = (
    f"steps: {STEPS:g} times the reference solution's, at most the task's limit; "
    f"{REPAIRS:.0%} of the replies asked for again",
    f"a picture: one token for 28x28 pixels of a screen of {SCREEN}; a tree: half of its limit",
    f"a reply: {_A_REPLY} tokens, {_A_THOUGHTFUL_REPLY} of a reasoning model; nothing read from a cache",
)


@dataclass(frozen=True, slots=True)
class EstimateRow:
    """What one agent will take, about.

    Attributes:
        agent: Its name.
        model: Its model's name.
        episodes: Of the plan.
        requests: Replies that will be asked for.
        sent, received: Tokens.
        cost: US dollars; None where the price is not known.
    """

    agent: str
    model: str
    episodes: int
    requests: int
    sent: int
    received: int
    cost: Decimal | None


def estimate(plan: Plan, suite: Suite, specs: Sequence[AgentSpec], prices: Prices) -> tuple[EstimateRow, ...]:
    """A row for each agent of a plan that is a model; none where there is no such agent.

    Args:
        plan: The plan, of which nothing is done yet.
        suite: With the plan's tasks.
        specs: The plan's agents.
        prices: The table of prices.
    """
    each = len(plan.conditions) * plan.seeds
    tasks = [suite.every_task[name].task for name in plan.tasks]
    steps = [min(task.max_steps, math.ceil(STEPS * max(1, len(task.solution)))) for task in tasks]
    return tuple(
        _row(spec.name, spec.make.profile, each, steps, prices)
        for spec in specs
        if isinstance(spec.make, ModelMaker)
    )


def _row(name: str, profile: AgentProfile, each: int, steps: Sequence[int], prices: Prices) -> EstimateRow:
    more = 1 + REPAIRS
    first, picture = _screen(profile)
    asked = sum(first + _reminder(profile, past, picture) for count in steps for past in range(count))
    sent = round(asked * each * more)
    requests = round(sum(steps) * each * more)
    received = requests * _reply(profile)
    price = prices.price(profile.model, profile.endpoint.base_url)
    cost = None if price is None else price.of(Usage(sent=sent, received=received))
    return EstimateRow(name, profile.model, len(steps) * each, requests, sent, received, cost)


def _screen(profile: AgentProfile) -> tuple[int, int]:
    """Tokens of a prompt before any step, and of its picture alone."""
    dialect = profile.spoken()
    size = dialect.image.size(SCREEN)
    picture = -(-size.width * size.height // _A_TOKEN) if profile.input.has_picture else 0
    tree = round(profile.tree.tokens * _TREE_SHARE) if profile.input.has_tree else 0
    return tokens_of(dialect.system(View(SCREEN, size))) + _A_TASK + picture + tree, picture


def _reminder(profile: AgentProfile, past: int, picture: int) -> int:
    """Tokens by which a model is reminded of a number of steps."""
    told = min(past, profile.history.last)
    match profile.history.form:
        case HistoryForm.NONE:
            return 0
        case HistoryForm.SCREENSHOTS:
            return told * (picture + _A_REPLY)
        case _:
            return told * _A_PAST_STEP


def _reply(profile: AgentProfile) -> int:
    given = profile.parameters
    usual = _A_THOUGHTFUL_REPLY if "reasoning_effort" in given else _A_REPLY
    limit = given.get("max_tokens") or given.get("max_completion_tokens")
    return min(usual, limit) if isinstance(limit, int) and limit > 0 else usual
