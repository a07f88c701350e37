"""Estimate what a judge needs before it begins: calls, tokens and cost."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any

from garabench.agents.models.cost import PriceTable
from garabench.agents.models.messages import TokenUsage
from garabench.agents.profile import AgentProfile
from garabench.agents.prompting.tokens import estimate_tokens as tokens_of
from garabench.core.geometry import Size
from garabench.errors import InputError
from garabench.verifier import judge_prompts
from garabench.verifier.call_rendering import image_rule
from garabench.verifier.judge_budget import PIXELS_PER_TOKEN
from garabench.verifier.judge_runner import ReadTrajectory
from garabench.verifier.pipeline import PipelineOptions
from garabench.verifier.scoring import call_count
from garabench.verifier.selection import distinct_frames

CRITERIA = 4
"""Criteria of an ordinary rubric."""
SELECTED = 0.6
"""Share of the frames that step 3 selects, at most `top_k` for each criterion."""
REPAIRS = 0.05
"""Share of the replies that are requested again because they are not valid."""
SCREEN = Size(1080, 2400)
_TREE_TOKENS, _STEP_TOKENS, _EVIDENCE_TOKENS, _RUBRIC_TOKENS, _REPLY_TOKENS = 600, 60, 120, 350, 350

ASSUMPTIONS = (
    f"{CRITERIA} criteria; {SELECTED:.0%} of the screens selected as evidence; {REPAIRS:.0%} of the replies"
    " requested again; nothing cached",
    f"a screen: one token per 28x28 pixels of its picture, and {_TREE_TOKENS} of its elements",
    f"a reply: {_REPLY_TOKENS} tokens",
)


@dataclass(frozen=True, slots=True)
class JudgeEstimate:
    """The estimated usage of a judge.

    Attributes:
        trajectories: Number of trajectories.
        unreadable: Number of trajectories that cannot be read, which are left out.
        calls: Number of calls.
        sent, received: Number of tokens.
        cost: US dollars; None if the price is unknown.
    """

    trajectories: int
    unreadable: int
    calls: int
    sent: int
    received: int
    cost: Decimal | None


def estimate_judge(
    readers: Iterable[ReadTrajectory],
    profile: AgentProfile,
    options: PipelineOptions,
    prices: PriceTable,
    on_unreadable: Callable[[InputError], None],
) -> JudgeEstimate:
    """Estimate the usage of a judge on trajectories that are not cached.

    Args:
        readers: Read the trajectories.
        profile: The judge's profile.
        options: The options of the pipeline.
        prices: The price table.
        on_unreadable: Called with why a trajectory cannot be read; it is left out, as the judge does.
    """
    count = unreadable = calls = sent = 0
    frame = _frame_tokens(profile)
    rules = round(sum(map(tokens_of, judge_prompts.system_texts())) / len(judge_prompts.system_texts()))
    for reader in readers:
        try:
            trajectory = reader()
        except InputError as error:
            unreadable += 1
            on_unreadable(error)
            continue
        frames = len(distinct_frames(trajectory.frames))
        selected = min(math.ceil(frames * SELECTED), options.top_k * CRITERIA)
        story = _STEP_TOKENS * len(trajectory.steps) + tokens_of(trajectory.instruction) + _RUBRIC_TOKENS
        evidence = _EVIDENCE_TOKENS * selected
        count += 1
        needed = call_count(frames, selected, votes=options.votes)
        calls += needed
        sent += needed * (rules + _RUBRIC_TOKENS) + (frames + selected) * frame
        sent += 2 * story + (2 + 3 * options.votes) * (story + evidence)
    calls, sent = round(calls * (1 + REPAIRS)), round(sent * (1 + REPAIRS))
    received = calls * _REPLY_TOKENS
    price = prices.price(profile.model, profile.endpoint.base_url)
    cost = None if price is None else price.of(TokenUsage(sent=sent, received=received))
    return JudgeEstimate(count, unreadable, calls, sent, received, cost)


def estimate_data(estimate: JudgeEstimate) -> dict[str, Any]:
    """Return an estimate as JSON values, with its assumptions.

    Args:
        estimate: The estimate.
    """
    cost = None if estimate.cost is None else float(estimate.cost)
    return {**asdict(estimate), "cost": cost, "assumptions": ASSUMPTIONS}


def _frame_tokens(profile: AgentProfile) -> int:
    if not profile.input.has_image:
        return _TREE_TOKENS
    rule, _ = image_rule(profile)
    size = rule.size(SCREEN)
    return _TREE_TOKENS + -(-size.width * size.height // PIXELS_PER_TOKEN)
