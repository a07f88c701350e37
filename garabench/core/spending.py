"""What an agent's model took for a step, an episode or a run."""

from __future__ import annotations

from decimal import Decimal

from pydantic import BaseModel, ConfigDict, Field


class Spent(BaseModel):
    """What a model took.

    Attributes:
        requests: Replies that were asked for, repairs among them.
        tries: Requests that were sent for them, those that were sent again among them.
        repairs: How often the model was told that its reply could not be read.
        from_cache: Replies that were read from the response cache and cost nothing.
        sent: Tokens of the prompts, cached ones and pictures among them, as the endpoint counts them.
        received: Tokens of the replies, hidden thoughts among them.
        cached: Of those sent, how many the endpoint read from its cache.
        pictures: Of those sent, how many the endpoint says were pictures.
        reasoning: Of those received, how many were hidden thoughts.
        seconds: Waiting for the model, pauses between tries among them.
        queued: Seconds of waiting for a place at an endpoint that was busy with the run's other episodes.
        cost: In US dollars by the table of prices; None where the price or the tokens are not known.
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

    def __add__(self, other: Spent) -> Spent:
        unknown = self.cost is None or other.cost is None
        return Spent(
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


NOTHING = Spent(cost=Decimal(0))
"""What is spent before anything is asked."""
