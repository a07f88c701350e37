"""What replies cost: exact money by a dated table of prices; what is not known is never taken for nothing."""

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

from garabench.agents.chat.messages import Answer, Stop, Usage
from garabench.core.misfits import Misfit, refuse
from garabench.core.spending import Spent
from garabench.core.yamldoc import decode
from garabench.core.yamlmodel import load_model
from garabench.errors import InputError

_MILLION = Decimal(1_000_000)
_SMALLEST = Decimal("0.000000001")
Price = Annotated[Decimal, Field(ge=0, le=1_000_000, allow_inf_nan=False)]


class ModelPrice(BaseModel):
    """What a model costs, in US dollars for a million tokens.

    Attributes:
        model: Its name at its endpoint; a dated form of it (``-2024-08-06``) has the same price.
        host: Of the endpoint, such as ``api.openai.com``; any where it is left out. A model that one serves
            oneself is not to be had at the price of the one that sells it.
        input: For tokens sent.
        cached: For tokens sent that the endpoint read from its cache; as ``input`` unless told.
        output: For tokens received, hidden thoughts among them.
        source: Where the price stands.
        date: When it was read there.
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
        # 0.1 of YAML is a float; its shortest form is what was written.
        return str(value) if isinstance(value, float) else value

    @field_validator("host")
    @classmethod
    def _is_a_host(cls, value: str) -> str:
        if "/" in value or " " in value:
            raise ValueError("a host is a name such as api.openai.com, without https://")
        return value.lower()

    def of(self, usage: Usage) -> Decimal:
        """The money for a number of tokens."""
        read = min(usage.cached, usage.sent)
        cached = self.input if self.cached is None else self.cached
        money = (usage.sent - read) * self.input + read * cached + usage.received * self.output
        return (money / _MILLION).quantize(_SMALLEST).normalize() + Decimal(0)


class PriceFile(BaseModel):
    """A table of prices as it stands in a file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    prices: tuple[ModelPrice, ...] = Field(max_length=10_000)

    @model_validator(mode="after")
    def _once(self) -> PriceFile:
        """Two prices of one model at one host: nobody can tell which of them holds."""
        first: dict[tuple[str, str], int] = {}
        misfits: list[Misfit] = []
        for place, row in enumerate(self.prices):
            before = first.setdefault((row.host, row.model), place)
            if before != place:
                at = f" at {row.host}" if row.host else ""
                misfits.append((("prices", place, "model"), f"{row.model!r}{at} has a price already"))
        refuse("PriceFile", misfits)
        return self


@dataclass(frozen=True, slots=True)
class Prices:
    """A table of prices.

    Attributes:
        rows: Those that win first.
    """

    rows: tuple[ModelPrice, ...] = ()
    _found: dict[tuple[str, str], ModelPrice | None] = field(default_factory=dict, compare=False, repr=False)

    def price(self, model: str, url: str) -> ModelPrice | None:
        """The price of a model at an endpoint, or None where it is not known.

        Args:
            model: As its endpoint calls it.
            url: The endpoint's address.
        """
        key = (model, url)
        if key not in self._found:
            self._found[key] = self._look_up(model, (urlsplit(url).hostname or "").lower())
        return self._found[key]

    def _look_up(self, model: str, host: str) -> ModelPrice | None:
        fitting = [row for row in self.rows if row.host in ("", host) and _is_form_of(model, row.model)]
        # The exact name wins, then the longest: gpt-4o-mini is not a form of gpt-4o.
        return max(fitting, key=lambda row: (row.model == model, len(row.model)), default=None)

    def cost(self, answer: Answer, model: str, url: str) -> Decimal | None:
        """What an answer cost; None where that is not known, nothing where it came from a cache.

        Args:
            answer: With the tokens that its endpoint told.
            model: The model that was asked for.
            url: The endpoint's address.
        """
        if answer.from_cache or (answer.stop is Stop.FILTERED and answer.usage == Usage()):
            return Decimal(0)  # a prompt that a filter has refused was given to no model
        price = self.price(model, url)
        if price is None:
            return None
        if price.input == price.output == 0:
            return Decimal(0)
        if answer.usage.sent == 0:
            return None  # it was sent something, and does not tell how much
        return price.of(answer.usage)


def _is_form_of(model: str, name: str) -> bool:
    """Whether a model's name is another one, or a dated form of it."""
    if model == name:
        return True
    rest = model.removeprefix(name)
    return (
        rest != model and rest[:1] in ("-", "@") and rest[1:].replace("-", "").isdecimal() and len(rest) >= 5
    )


def spent(answer: Answer, cost: Decimal | None, *, repair: bool) -> Spent:
    """What one answer took.

    Args:
        answer: The answer.
        cost: Its money, None where that is not known.
        repair: Whether it was asked for since the one before could not be read.
    """
    return Spent(
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
    source = resources.files("garabench.agents.chat") / "prices.yaml"
    file, _ = load_model(source.read_text(encoding="utf-8"), "garabench/agents/chat/prices.yaml", PriceFile)
    return file.prices


def load_prices(file: Path | None = None) -> Prices:
    """The table that comes with GaraBench, and a user's own in front of it.

    Raises:
        InputError: The file cannot be read, or a mistake stands in it.
    """
    if file is None:
        return Prices(_built_in())
    try:
        text = decode(file.read_bytes(), str(file))
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error}") from error
    own, _ = load_model(text, str(file), PriceFile)
    return Prices((*own.prices, *_built_in()))


def in_words(cost: Decimal | None) -> str:
    """Money for a person: ``$0.0123``, ``$12.34``, ``unknown``."""
    if cost is None:
        return "unknown"
    if cost == 0:
        return "$0"
    return f"${cost:.2f}" if cost >= 1 else f"${cost:.4f}" if cost >= Decimal("0.0001") else "<$0.0001"
