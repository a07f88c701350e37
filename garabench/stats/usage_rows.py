"""Model usage by agent and condition: tokens, money, and model time against device time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from garabench.core.usage import NO_USAGE
from garabench.records.results import Summary


@dataclass(frozen=True, slots=True)
class UsageRow:
    """One model agent under one condition, over all its episodes, including those that ended in error.

    Attributes:
        agent, condition, reference: The agent, its condition, whether it is a reference agent.
        episodes: Number of episodes with reported usage.
        steps: Number of performed decisions.
        requests: Number of requested replies.
        repairs: How many of them repaired an unparseable reply.
        retries: Number of requests that were sent again after a fault.
        from_cache: Number of replies from the response cache.
        sent, received, cached, pictures, reasoning: Tokens, as in `garabench.core.usage.Usage`.
        cost: US dollars; None if a price or a token count is unknown.
        model_seconds: Time waiting for the model.
        queued_seconds: Time waiting for a slot at its endpoint.
        agent_seconds: Time preparing requests and parsing replies: deciding minus the two above.
        device_seconds: All other time: device, interruptions, checks.
    """

    agent: str
    condition: str
    reference: bool
    episodes: int
    steps: int
    requests: int
    repairs: int
    retries: int
    from_cache: int
    sent: int
    received: int
    cached: int
    pictures: int
    reasoning: int
    cost: Decimal | None
    model_seconds: float
    queued_seconds: float
    agent_seconds: float
    device_seconds: float

    @property
    def cost_per_episode(self) -> Decimal | None:
        """Mean cost of an episode in US dollars; None if the cost is unknown."""
        return None if self.cost is None else self.cost / self.episodes


def usage_rows(summaries: Iterable[Summary]) -> tuple[UsageRow, ...]:
    """Return a row per model agent and condition, in order of first appearance; none without a model."""
    groups: dict[tuple[str, str], list[Summary]] = {}
    for item in summaries:
        if item.usage is not None:
            groups.setdefault((item.agent, item.condition), []).append(item)
    return tuple(_row(group) for group in groups.values())


def _row(group: list[Summary]) -> UsageRow:
    total = sum((item.usage for item in group if item.usage is not None), NO_USAGE)
    deciding = sum(item.deciding for item in group)
    return UsageRow(
        agent=group[0].agent,
        condition=group[0].condition,
        reference=group[0].reference,
        episodes=len(group),
        steps=sum(item.steps for item in group),
        requests=total.requests,
        repairs=total.repairs,
        retries=max(0, total.tries + total.from_cache - total.requests),
        from_cache=total.from_cache,
        sent=total.sent,
        received=total.received,
        cached=total.cached,
        pictures=total.pictures,
        reasoning=total.reasoning,
        cost=total.cost,
        model_seconds=round(total.seconds, 3),
        queued_seconds=round(total.queued, 3),
        agent_seconds=round(max(0.0, deciding - total.seconds - total.queued), 3),
        device_seconds=round(max(0.0, sum(item.seconds for item in group) - deciding), 3),
    )
