"""Command-line options for models: prices, budgets, cache, replay."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, TypeVar

import click

from garabench.agents.models.budget import Budget
from garabench.agents.models.session import ModelOptions

_R = TypeVar("_R")
_UNITS = {"s": 1, "m": 60, "h": 3600}
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*([smh]?)")


class Money(click.ParamType[Decimal]):
    """Amount in US dollars."""

    name = "usd"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Decimal:
        """Parse an amount."""
        try:
            amount = Decimal(str(value).removeprefix("$"))
        except InvalidOperation:
            self.fail(f"{value!r} is not an amount such as 2.50", param, ctx)
        if not amount.is_finite() or amount <= 0:
            self.fail("a budget must be positive", param, ctx)
        return amount


class Duration(click.ParamType[float]):
    """Duration such as ``90s``, ``30m`` or ``2h``, in seconds; the default unit is seconds."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Parse a duration."""
        if isinstance(value, float):
            return value
        match = _DURATION.fullmatch(str(value).strip())
        if match is None or float(match[1]) <= 0:
            self.fail(f"{value!r} is not a duration such as 90s, 30m or 2h", param, ctx)
        return float(match[1]) * _UNITS[match[2] or "s"]


def model_options(command: Callable[..., _R]) -> Callable[..., _R]:
    """Add the model options to a command, which receives them as ``models``, a `ModelOptions`."""
    path = click.Path(path_type=Path)

    @click.option(
        "--prices",
        metavar="FILE",
        type=path,
        help="Read your own price table; its entries override the built-in ones.",
    )
    @click.option("--max-cost", type=Money(), help="Stop when the models have cost this much, in US dollars.")
    @click.option(
        "--max-tokens", type=click.IntRange(min=1), help="Stop when the models have used this many tokens."
    )
    @click.option("--max-time", type=Duration(), help="Stop after this time, such as 90s, 30m or 2h.")
    @click.option("--cache-replies", type=path, metavar="DIR", help="Cache model replies in DIR.")
    @click.option(
        "--replay",
        type=path,
        metavar="RUN",
        help="Use the recorded replies of RUN instead of calling models.",
    )
    @functools.wraps(command)
    def wrapped(
        *args: Any,
        prices: Path | None,
        max_cost: Decimal | None,
        max_tokens: int | None,
        max_time: float | None,
        cache_replies: Path | None,
        replay: Path | None,
        **kwargs: Any,
    ) -> _R:
        budget = Budget(cost=max_cost, tokens=max_tokens, seconds=max_time)
        options = ModelOptions(prices=prices, budget=budget, cache=cache_replies, replay=replay)
        return command(*args, models=options, **kwargs)

    return wrapped
