"""The model usage of a step, an episode or a run: requests, tokens, time and cost."""

from __future__ import annotations

from decimal import Decimal

from pydantic import BaseModel, ConfigDict, Field


class Usage(BaseModel):
    """The usage of a model.

    Attributes:
        requests: Number of requested replies, including repairs.
        tries: Number of HTTP requests for them, including retries.
        repairs: Number of requests to repair a reply that could not be parsed.
        from_cache: Number of replies that came from the response cache, at no cost.
        sent: Prompt tokens, including cached ones and pictures, as the endpoint counts them.
        received: Reply tokens, including reasoning.
        cached: Prompt tokens that the endpoint read from its cache.
        pictures: Prompt tokens of pictures, as far as the endpoint reports them.
        reasoning: Reply tokens of hidden reasoning.
        seconds: Seconds spent waiting for the model, including the pauses between retries.
        queued: Seconds spent waiting because the run's other episodes used the endpoint to its limit.
        cost: Cost in US dollars by the price table; None if the price or the token counts are unknown.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    requests: int = Field(default=0, ge=0)
    tries: int = Field(default=0, ge=0)
    repairs: int = Field(default=0, ge=0)
    from_cache: int = Field(default=0, ge=0)
    sent: int = Field(default=0, ge=0)
    received: int = Field(default=0, ge=0)
    cached: int = Field(default=0, ge=0)
    pictures: int = Field(default=0, ge=0)
    reasoning: int = Field(default=0, ge=0)
    seconds: float = Field(default=0, ge=0)
    queued: float = Field(default=0, ge=0)
    cost: Decimal | None = Field(default=None, ge=0)

    @property
    def tokens(self) -> int:
        """Tokens sent and received."""
        return self.sent + self.received

    def __add__(self, other: Usage) -> Usage:
        unknown = self.cost is None or other.cost is None
        return Usage(
            requests=self.requests + other.requests,
            tries=self.tries + other.tries,
            repairs=self.repairs + other.repairs,
            from_cache=self.from_cache + other.from_cache,
            sent=self.sent + other.sent,
            received=self.received + other.received,
            cached=self.cached + other.cached,
            pictures=self.pictures + other.pictures,
            reasoning=self.reasoning + other.reasoning,
            seconds=round(self.seconds + other.seconds, 3),
            queued=round(self.queued + other.queued, 3),
            cost=None if unknown else (self.cost or Decimal(0)) + (other.cost or Decimal(0)),
        )


NO_USAGE = Usage(cost=Decimal(0))
"""No usage at all."""
