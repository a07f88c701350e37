"""Compute the cost of replies from a dated price table; an unknown cost never counts as 0."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator, model_validator

from garabench.agents.models.messages import ModelReply, StopReason, TokenUsage
from garabench.core.cross_field import Violation, raise_violations
from garabench.core.file_errors import unreadable
from garabench.core.usage import Usage
from garabench.core.yamldoc import decode_text
from garabench.core.yamlmodel import load_model

_MILLION = Decimal(1_000_000)
_SMALLEST = Decimal("0.000000001")
Price = Annotated[Decimal, Field(ge=0, le=1_000_000, allow_inf_nan=False)]


class ModelPrice(BaseModel):
    """The price of a model in US dollars per million tokens.

    Attributes:
        model: The model's name at its endpoint; a dated version (``-2024-08-06``) has the same price.
        host: Host of the endpoint, such as ``api.openai.com``; any host if empty. A vendor's price does not
            apply to the same model on your own server.
        input: Price of tokens sent.
        cached: Price of tokens sent that the endpoint read from its cache; ``input`` by default.
        output: Price of tokens received, including reasoning.
        source: Where the price is published.
        date: When it was published or checked.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str = Field(min_length=1, max_length=200)
    host: str = Field(default="", max_length=200)
    input: Price
    cached: Price | None = None
    output: Price
    source: Annotated[str, StringConstraints(max_length=500)] = ""
    date: dt.date | None = None

    @field_validator("input", "cached", "output", mode="before")
    @classmethod
    def _exact(cls, value: object) -> object:
        # YAML parses 0.1 as a float; its shortest representation is what was written.
        return str(value) if isinstance(value, float) else value

    @field_validator("host")
    @classmethod
    def _is_a_host(cls, value: str) -> str:
        if "/" in value or " " in value:
            raise ValueError("host must be a name such as api.openai.com, without https://")
        return value.lower()

    def of(self, usage: TokenUsage) -> Decimal:
        """Compute the cost of some usage, in US dollars."""
        from_cache = min(usage.cached, usage.sent)
        cached = self.input if self.cached is None else self.cached
        money = (usage.sent - from_cache) * self.input + from_cache * cached + usage.received * self.output
        return (money / _MILLION).quantize(_SMALLEST).normalize() + Decimal(0)


class PriceFile(BaseModel):
    """The content of a price file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    prices: tuple[ModelPrice, ...] = Field(max_length=10_000)

    @model_validator(mode="after")
    def _no_duplicates(self) -> PriceFile:
        """Reject two prices of the same model at the same host."""
        first: dict[tuple[str, str], int] = {}
        violations: list[Violation] = []
        for place, row in enumerate(self.prices):
            before = first.setdefault((row.host, row.model), place)
            if before != place:
                at = f" at {row.host}" if row.host else ""
                violations.append((("prices", place, "model"), f"duplicate price of {row.model!r}{at}"))
        raise_violations("PriceFile", violations)
        return self


@dataclass(frozen=True, slots=True)
class PriceTable:
    """A price table.

    Attributes:
        rows: The prices; the first match wins.
    """

    rows: tuple[ModelPrice, ...] = ()
    _found: dict[tuple[str, str], ModelPrice | None] = field(default_factory=dict, compare=False, repr=False)

    def price(self, model: str, url: str) -> ModelPrice | None:
        """Look up the price of a model at an endpoint; None if it is unknown.

        Args:
            model: The model's name at the endpoint.
            url: The endpoint's URL.
        """
        key = (model, url)
        if key not in self._found:
            self._found[key] = self._look_up(model, (urlsplit(url).hostname or "").lower())
        return self._found[key]

    def _look_up(self, model: str, host: str) -> ModelPrice | None:
        fitting = [row for row in self.rows if row.host in ("", host) and _is_version_of(model, row.model)]
        # The exact name wins, then the longest: gpt-4o-mini is not a version of gpt-4o.
        return max(fitting, key=lambda row: (row.model == model, len(row.model)), default=None)

    def cost(self, answer: ModelReply, model: str, url: str) -> Decimal | None:
        """Compute the cost of a reply; None if it is unknown, 0 if the reply came from the cache.

        Args:
            answer: The reply, with the usage that the endpoint reported.
            model: The requested model.
            url: The endpoint's URL.
        """
        if answer.from_cache or (answer.stop is StopReason.FILTERED and answer.usage == TokenUsage()):
            return Decimal(0)  # a prompt that a filter rejected never reached a model
        price = self.price(model, url)
        if price is None:
            return None
        if price.input == price.output == 0:
            return Decimal(0)
        if answer.usage.sent == 0:
            return None  # the endpoint did not report its usage
        return price.of(answer.usage)


def _is_version_of(model: str, name: str) -> bool:
    """Return whether a model's name equals another one or is a dated version of it."""
    if model == name:
        return True
    rest = model.removeprefix(name)
    return (
        rest != model and rest[:1] in ("-", "@") and rest[1:].replace("-", "").isdecimal() and len(rest) >= 5
    )


def usage_of(answer: ModelReply, cost: Decimal | None, *, repair: bool) -> Usage:
    """Return the usage of a reply.

    Args:
        answer: The reply.
        cost: Its cost; None if it is unknown.
        repair: Whether the request asked for a corrected reply.
    """
    return Usage(
        requests=1,
        tries=0 if answer.from_cache else answer.tries,
        repairs=int(repair),
        from_cache=int(answer.from_cache),
        sent=0 if answer.from_cache else answer.usage.sent,
        received=0 if answer.from_cache else answer.usage.received,
        cached=0 if answer.from_cache else answer.usage.cached,
        pictures=0 if answer.from_cache else answer.usage.pictures,
        reasoning=0 if answer.from_cache else answer.usage.reasoning,
        seconds=answer.seconds,
        queued=answer.queued,
        cost=cost,
    )


@cache
def _built_in() -> tuple[ModelPrice, ...]:
    source = resources.files("garabench.agents.models") / "prices.yaml"
    file, _ = load_model(source.read_text(encoding="utf-8"), "garabench/agents/models/prices.yaml", PriceFile)
    return file.prices


def load_prices(file: Path | str | None = None) -> PriceTable:
    """Load the built-in price table, with the prices of a user's file in front.

    Raises:
        InputError: The file cannot be read or is invalid.
    """
    if file is None:
        return PriceTable(_built_in())
    try:
        text = decode_text(Path(file).read_bytes(), str(file))
    except OSError as error:
        raise unreadable(file, error) from error
    own, _ = load_model(text, str(file), PriceFile)
    return PriceTable((*own.prices, *_built_in()))


def format_cost(cost: Decimal | None) -> str:
    """Format a cost: ``$0.0123``, ``$12.34``, ``unknown``."""
    if cost is None:
        return "unknown"
    if cost == 0:
        return "$0"
    return f"${cost:.2f}" if cost >= 1 else f"${cost:.4f}" if cost >= Decimal("0.0001") else "<$0.0001"
