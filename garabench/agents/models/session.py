"""State shared by the models of a run: limiters, clients, prices, the meter, cache and replay."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from garabench.agents.context import AgentContext
from garabench.agents.interface import Agent
from garabench.agents.models.budget import Budget, Meter
from garabench.agents.models.cache import CachedChat, ReplyCache
from garabench.agents.models.cost import PriceTable, load_prices
from garabench.agents.models.credentials import Secret, find_key, system_keyring
from garabench.agents.models.endpoint_errors import EndpointError, EndpointLabel, RequestCancelledError
from garabench.agents.models.limiter import EndpointLimiters
from garabench.agents.models.messages import Chat, ChatRequest, ModelReply
from garabench.agents.models.replay import NotRecordedError, ReplayChat
from garabench.agents.models.retry_policy import Backoff
from garabench.agents.models.retrying_client import RetryingChat, Transport
from garabench.agents.models.transcript import TranscriptWriter
from garabench.agents.models.transports.catalog import make_transport
from garabench.agents.profile import AgentProfile, ModelEndpoint
from garabench.core.clock import Clock, SystemClock
from garabench.core.seeds import generator
from garabench.core.usage import Usage
from garabench.errors import InputError

_EPISODE_PARTS = 5
"""``episodes/<task>/<agent>/<condition>/<seed>``"""
MAX_CONSECUTIVE_ERRORS = 8
"""Consecutive failed requests, over all episodes, after which the run ends."""


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """A run's options for its models.

    Attributes:
        prices: A price file that takes precedence over the built-in table.
        budget: The run's limits.
        cache: Folder of the reply cache; None for no cache.
        replay: Folder of a recorded run whose replies replace those of the models.
    """

    prices: Path | str | None = None
    budget: Budget = field(default_factory=Budget)
    cache: Path | str | None = None
    replay: Path | str | None = None


class ModelSession:
    """State shared by the models of a run; thread-safe."""

    def __init__(
        self,
        options: ModelOptions = ModelOptions(),  # a frozen value
        clock: Clock | None = None,
        *,
        environ: Mapping[str, str] | None = None,
        keyring: Callable[[str, str], str | None] = system_keyring,
        before: Iterable[Usage] = (),
        on_usage: Callable[[Usage], None] = lambda usage: None,
    ) -> None:
        """Prepare; no request is sent.

        Args:
            options: The run's options.
            clock: The clock for every pause and limit.
            environ: Environment variables with API keys; those of the process by default.
            keyring: Looks up a key in a keyring.
            before: The usage of each reply before the run was resumed.
            on_usage: Called with the usage of each reply.

        Raises:
            InputError: The price file is invalid, or the cache's folder cannot be created.
        """
        self._options = options
        self._clock = clock or SystemClock()
        self._environ = os.environ if environ is None else environ
        self._keyring = keyring
        self.prices: PriceTable = load_prices(options.prices)
        self.meter = Meter(options.budget, self._clock, before, on_usage)
        self._cache = None if options.cache is None else ReplyCache(Path(options.cache))
        self._limiters = EndpointLimiters()
        self._transports: dict[tuple[ModelEndpoint, str, float, int], tuple[Transport, Secret]] = {}
        self._lock = threading.Lock()
        self._consecutive_errors = 0
        self._fatal: EndpointError | None = None

    def check(self, profile: AgentProfile) -> None:
        """Check that an agent's model can be used, as far as possible without a request.

        Raises:
            InputError: Its key is missing, its protocol's package is not installed, or there is a cost budget
                and its price is unknown.
        """
        if self._options.replay is None:
            self._transport(profile)
            url = profile.endpoint.base_url
            if self._options.budget.cost is not None and self.prices.price(profile.model, url) is None:
                raise InputError(
                    f"a cost budget cannot be enforced: the price of {profile.model!r} at {url} is unknown",
                    hint="Add its price with --prices FILE, or use --max-tokens.",
                )

    @property
    def fatal_error(self) -> EndpointError | None:
        """Return the error that every later request would raise as well, if any."""
        with self._lock:
            return self._fatal

    def report_fatal_error(self, error: EndpointError) -> None:
        """Report an error with which every later request would fail, from another process of the run."""
        with self._lock:
            self._fatal = self._fatal or error

    def make_agent(self, profile: AgentProfile, context: AgentContext) -> Agent:
        """Make a model agent for an episode; no request is sent.

        Raises:
            InputError: As for `chat`.
        """
        from garabench.agents.models.model_agent import ModelAgent  # loads Pillow and lxml

        return ModelAgent(
            context.name,
            profile,
            self.chat(profile, context.folder, context.stop),
            self.prices,
            TranscriptWriter(context.folder, profile.endpoint.base_url, profile.to_record()),
            self.meter.add,
        )

    def chat(self, profile: AgentProfile, folder: Path, stop: Callable[[], bool]) -> Chat:
        """Return a chat for one episode.

        Args:
            profile: The agent's profile.
            folder: The episode's folder.
            stop: Returns whether the run is to stop.

        Raises:
            InputError: As for `check`, or the recorded run lacks the episode.
        """
        if self._options.replay is not None:
            recorded = Path(self._options.replay).joinpath(*folder.parts[-_EPISODE_PARTS:])
            if not recorded.is_dir():
                raise NotRecordedError(
                    f"{self._options.replay} does not contain the episode: {recorded} is missing"
                )
            return ReplayChat(recorded)
        transport, key = self._transport(profile)
        limits, url = profile.limits, profile.endpoint.base_url
        retrying = RetryingChat(
            transport,
            key,
            self._limiters.for_url(url),
            self._clock,
            generator(0, "retry", *folder.parts[-_EPISODE_PARTS:]),
            seconds=limits.seconds,
            at_once=limits.at_once,
            backoff=Backoff(tries=limits.tries),
            stop=stop,
        )
        watched = _WatchedChat(retrying, self._record_result)
        return watched if self._cache is None else CachedChat(watched, self._cache, url)

    def _transport(self, profile: AgentProfile) -> tuple[Transport, Secret]:
        endpoint, limits = profile.endpoint, profile.limits
        name = (endpoint, profile.model, limits.seconds, limits.at_once)
        with self._lock:
            if name not in self._transports:
                key = find_key(endpoint, self._environ, self._keyring)
                where = EndpointLabel(
                    endpoint.base_url, profile.model, endpoint.key_env or endpoint.keyring or ""
                )
                self._transports[name] = make_transport(profile, where, key, self._clock), key
            return self._transports[name]

    def _record_result(self, fault: EndpointError | None) -> None:
        """Record the result of a request."""
        with self._lock:
            self._consecutive_errors = 0 if fault is None else self._consecutive_errors + 1
            if fault is not None and (
                fault.fatal or _waits_too_long(fault) or self._consecutive_errors >= MAX_CONSECUTIVE_ERRORS
            ):
                self._fatal = self._fatal or fault


def _waits_too_long(fault: EndpointError) -> bool:
    """Return whether the endpoint requests a longer wait than a run makes, so later requests fail, too."""
    return fault.retry_after is not None and fault.retry_after > Backoff().patience


class _WatchedChat:
    """A chat that reports its errors to the session."""

    def __init__(self, chat: Chat, record_result: Callable[[EndpointError | None], None]) -> None:
        self._chat = chat
        self._record_result = record_result

    def ask(self, request: ChatRequest) -> ModelReply:
        try:
            answer = self._chat.ask(request)
        except RequestCancelledError:
            raise
        except EndpointError as fault:
            self._record_result(fault)
            raise
        self._record_result(None)
        return answer
