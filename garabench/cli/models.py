"""The options of commands that ask models: prices, budgets, cache, replay."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, TypeVar

import click

from garabench.agents.chat.budget import Budget
from garabench.agents.chat.desk import ModelOptions

_R = TypeVar("_R")
_UNITS = {"s": 1, "m": 60, "h": 3600}
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*([smh]?)")


class Money(click.ParamType[Decimal]):
    """US dollars."""

    name = "usd"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Decimal:
        """Read an amount."""
        try:
            amount = Decimal(str(value).removeprefix("$"))
        except InvalidOperation:
            self.fail(f"{value!r} is no amount of money, such as 2.50", param, ctx)
        if not amount.is_finite() or amount <= 0:
            self.fail("a budget is more than nothing", param, ctx)
        return amount


class Duration(click.ParamType[float]):
    """Seconds, or minutes or hours with their letter."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read a duration."""
        if isinstance(value, float):
            return value
        match = _DURATION.fullmatch(str(value).strip())
        if match is None or float(match[1]) <= 0:
            self.fail(f"{value!r} is no time, such as 90s, 30m or 2h", param, ctx)
        return float(match[1]) * _UNITS[match[2] or "s"]


def model_options(command: Callable[..., _R]) -> Callable[..., _R]:
    """Give a command the options of models; it gets them as one `ModelOptions`, ``models``."""
    path = click.Path(path_type=Path)

    @click.option("--prices", type=path, help="A table of prices of your own, in front of GaraBench's.")
    @click.option("--max-cost", type=Money(), help="Stop when the models have cost so many US dollars.")
    @click.option("--max-tokens", type=click.IntRange(min=1), help="Stop when they have used so many tokens.")
    @click.option("--max-time", type=Duration(), help="Stop after so long: 90s, 30m, 2h.")
    @click.option(
        "--cache-replies", type=path, metavar="DIR", help="Keep replies there, and take them again."
    )
    @click.option("--replay", type=path, metavar="RUN", help="Take the replies of that run; ask no model.")
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
