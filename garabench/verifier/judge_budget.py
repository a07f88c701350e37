"""The budget of a judge: a call is sent only if its estimated prompt and its longest reply still fit."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import ROUND_UP, Decimal
from urllib.parse import urlsplit

from garabench.agents.models.cost import format_cost
from garabench.agents.models.messages import ChatRequest, ImagePart
from garabench.agents.profile import ModelEndpoint
from garabench.agents.prompting.tokens import estimate_tokens
from garabench.core.usage import NO_USAGE, Usage
from garabench.errors import BudgetExceededError

PIXELS_PER_TOKEN = 28 * 28
"""Pixels of a picture per token."""
MAX_REPLY_TOKENS = 4000
"""The limit of a reply's tokens under a budget, unless the options or the parameters have one."""
_REPLY_LIMITS = ("max_tokens", "max_completion_tokens", "max_output_tokens")
"""The parameters that limit a reply, by protocol and model."""
_OPENAI_HOST = "api.openai.com"
_CENT = Decimal("0.01")

PriceOf = Callable[[int, int], Decimal | None]
"""Returns the cost of tokens sent and received; None if the price is unknown."""


@dataclass(frozen=True, slots=True)
class JudgeLimits:
    """The limits of an invocation; None for no limit.

    Attributes:
        cost: US dollars.
        tokens: Tokens sent and received.
    """

    cost: Decimal | None = None
    tokens: int | None = None


NO_LIMITS = JudgeLimits()
"""No limit at all."""


def request_tokens(request: ChatRequest) -> int:
    """Return the estimated number of tokens that a request sends.

    Args:
        request: The request.
    """
    total = 0
    for message in request.messages:
        for part in message.parts:
            if isinstance(part, ImagePart):
                total += -(-part.size.width * part.size.height // PIXELS_PER_TOKEN)
            else:
                total += estimate_tokens(part.text)
    return total


def reply_tokens(request: ChatRequest) -> int:
    """Return the most tokens that a reply may have: the limit in the parameters, else `MAX_REPLY_TOKENS`.

    Args:
        request: The request.
    """
    return reply_limit(request.parameters) or MAX_REPLY_TOKENS


def reply_limit(parameters: Mapping[str, object]) -> int | None:
    """Return the limit of a reply's tokens in parameters; None without one.

    Args:
        parameters: The parameters of a request.
    """
    limits = (parameters.get(name) for name in _REPLY_LIMITS)
    return next((limit for limit in limits if isinstance(limit, int) and limit > 0), None)


def with_reply_limit(request: ChatRequest, limit: int, endpoint: ModelEndpoint) -> ChatRequest:
    """Return a request that limits its reply.

    The parameter is the one that the request has. Without one it is ``max_tokens``, which every server reads;
    but OpenAI's own refuses it for reasoning models, and reads ``max_completion_tokens`` for all.

    Args:
        request: The request.
        limit: Maximum number of tokens of the reply.
        endpoint: Where it is sent.
    """
    given = [name for name in _REPLY_LIMITS if name in request.parameters]
    is_openai = urlsplit(endpoint.base_url).hostname == _OPENAI_HOST
    names = given or ["max_completion_tokens" if is_openai else "max_tokens"]
    return replace(request, parameters={**request.parameters, **dict.fromkeys(names, limit)})


class JudgeBudget:
    """Counts what a judge spends and refuses calls that could exceed its limits; thread-safe."""

    def __init__(self, limits: JudgeLimits = NO_LIMITS) -> None:
        """Start at zero.

        Args:
            limits: The limits.
        """
        self._limits = limits
        self._spent = NO_USAGE
        self._cost = Decimal(0)
        self._reserved_cost = Decimal(0)
        self._reserved_tokens = 0
        self._lock = threading.Lock()

    @property
    def spent(self) -> Usage:
        """The usage so far."""
        with self._lock:
            return self._spent

    @contextlib.contextmanager
    def reserved(self, request: ChatRequest, price_of: PriceOf) -> Iterator[Callable[[Usage], None]]:
        """Reserve the most that a request can need while it is sent.

        Args:
            request: The request.
            price_of: Returns the cost of tokens.

        Yields:
            A function that records the actual usage.

        Raises:
            BudgetExceededError: The reservation does not fit into the budget.
        """
        sent, received = request_tokens(request), reply_tokens(request)
        cost = price_of(sent, received) or Decimal(0)
        tokens = sent + received
        with self._lock:
            self._check(cost, tokens)
            self._reserved_cost += cost
            self._reserved_tokens += tokens
        try:
            yield self._spend
        finally:
            with self._lock:
                self._reserved_cost -= cost
                self._reserved_tokens -= tokens

    def _spend(self, usage: Usage) -> None:
        with self._lock:
            self._spent += usage
            self._cost += usage.cost or Decimal(0)

    def _check(self, cost: Decimal, tokens: int) -> None:
        limits = self._limits
        if limits.cost is not None and self._cost + self._reserved_cost + cost > limits.cost:
            raise BudgetExceededError(
                f"the budget of {format_cost(limits.cost)} does not allow the next call:"
                f" {format_cost(self._cost)} was spent",
                cost=(2 * max(limits.cost, self._cost + cost)).quantize(_CENT, ROUND_UP),
                tokens=None,
                seconds=None,
            )
        used = self._spent.tokens
        if limits.tokens is not None and used + self._reserved_tokens + tokens > limits.tokens:
            raise BudgetExceededError(
                f"the budget of {limits.tokens:,} tokens does not allow the next call: {used:,} were used",
                cost=None,
                tokens=2 * max(limits.tokens, used + tokens),
                seconds=None,
            )
