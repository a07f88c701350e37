"""What the models of a run share: places at endpoints, clients, prices, the meter, cache and replay."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from garabench.agents.chat.budget import Budget, Meter
from garabench.agents.chat.cache import CachedChat, ReplyCache
from garabench.agents.chat.client import Line, PatientChat
from garabench.agents.chat.cost import Prices, load_prices
from garabench.agents.chat.faults import EndpointFault, Interrupted, Where
from garabench.agents.chat.gate import Gates
from garabench.agents.chat.lines import make_line
from garabench.agents.chat.messages import Answer, Chat, Request
from garabench.agents.chat.replay import NotRecorded, ReplayChat
from garabench.agents.chat.retry import Backoff
from garabench.agents.chat.secret import Secret, find_key, system_keyring
from garabench.agents.profile import AgentProfile, Endpoint
from garabench.core.clock import Clock, SystemClock
from garabench.core.seeds import generator
from garabench.core.spending import Spent
from garabench.errors import InputError

_EPISODE_PARTS = 5
"""``episodes/<task>/<agent>/<condition>/<seed>``"""
MOST_FAULTS = 8
"""Requests in a row, over all episodes, that met a fault: an endpoint that is down ends the run then."""


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """How a run asks its models.

    Attributes:
        prices: A table of prices in front of the one that comes with GaraBench.
        budget: What may be taken in all.
        cache: Folder of the cache of replies; none unless given.
        replay: Folder of a recorded run whose answers are taken in place of the models'.
    """

    prices: Path | None = None
    budget: Budget = field(default_factory=Budget)
    cache: Path | None = None
    replay: Path | None = None


class Desk:
    """What the models of a run share; may be used by threads."""

    def __init__(
        self,
        options: ModelOptions = ModelOptions(),  # a frozen value
        clock: Clock | None = None,
        *,
        environ: Mapping[str, str] | None = None,
        keyring: Callable[[str, str], str | None] = system_keyring,
        before: Iterable[Spent] = (),
    ) -> None:
        """Prepare; nothing is asked.

        Args:
            options: How models are asked.
            clock: For every pause and limit.
            environ: Where keys are looked up; the process's environment unless given.
            keyring: Where other keys are looked up.
            before: What each reply has taken before the run was gone on with.

        Raises:
            InputError: The table of prices has a mistake, or the cache's folder cannot be made.
        """
        self._options = options
        self._clock = clock or SystemClock()
        self._environ = os.environ if environ is None else environ
        self._keyring = keyring
        self.prices: Prices = load_prices(options.prices)
        self.meter = Meter(options.budget, self._clock, before)
        self._cache = None if options.cache is None else ReplyCache(options.cache)
        self._gates = Gates()
        self._lines: dict[tuple[Endpoint, str, float, int], tuple[Line, Secret]] = {}
        self._lock = threading.Lock()
        self._in_a_row = 0
        self._fatal: EndpointFault | None = None

    def check(self, profile: AgentProfile) -> None:
        """Whether an agent can be asked, as far as that can be told without asking.

        Raises:
            InputError: Its key is missing, its protocol's package is not installed, or a budget of money is
                given and its price is not known.
        """
        if self._options.replay is None:
            self._line(profile)
            url = profile.endpoint.base_url
            if self._options.budget.cost is not None and self.prices.price(profile.model, url) is None:
                raise InputError(
                    f"a budget of money cannot be kept: the price of {profile.model!r} at {url} is not known",
                    hint="Give its price by --prices FILE, or a budget of tokens by --max-tokens.",
                )

    @property
    def fatal(self) -> EndpointFault | None:
        """A fault that every further request would meet, if there was one."""
        with self._lock:
            return self._fatal

    def chat(self, profile: AgentProfile, folder: Path, stop: Callable[[], bool]) -> Chat:
        """A chat for one episode.

        Args:
            profile: Of the agent.
            folder: The episode's folder.
            stop: Whether the run is to stop.

        Raises:
            InputError: As for `check`, or the recorded run has no such episode.
        """
        if self._options.replay is not None:
            recorded = self._options.replay.joinpath(*folder.parts[-_EPISODE_PARTS:])
            if not recorded.is_dir():
                raise NotRecorded(f"{self._options.replay} has no such episode: there is no {recorded}")
            return ReplayChat(recorded)
        line, key = self._line(profile)
        limits, url = profile.limits, profile.endpoint.base_url
        patient = PatientChat(
            line,
            key,
            self._gates.at(url),
            self._clock,
            generator(0, "retry", *folder.parts[-_EPISODE_PARTS:]),
            seconds=limits.seconds,
            at_once=limits.at_once,
            backoff=Backoff(tries=limits.tries),
            stop=stop,
        )
        watched = _Watched(patient, self._note)
        return watched if self._cache is None else CachedChat(watched, self._cache, url)

    def _line(self, profile: AgentProfile) -> tuple[Line, Secret]:
        endpoint, limits = profile.endpoint, profile.limits
        name = (endpoint, profile.model, limits.seconds, limits.at_once)
        with self._lock:
            if name not in self._lines:
                key = find_key(endpoint, self._environ, self._keyring)
                where = Where(endpoint.base_url, profile.model, endpoint.key_env or endpoint.keyring or "")
                self._lines[name] = make_line(profile, where, key, self._clock), key
            return self._lines[name]

    def _note(self, fault: EndpointFault | None) -> None:
        """Take in how a request went."""
        with self._lock:
            self._in_a_row = 0 if fault is None else self._in_a_row + 1
            if fault is not None and (fault.lasting or _is_long(fault) or self._in_a_row >= MOST_FAULTS):
                self._fatal = self._fatal or fault


def _is_long(fault: EndpointFault) -> bool:
    """Whether the endpoint asks for a wait that is not waited for: until then nothing may ask it again."""
    return fault.retry_after is not None and fault.retry_after > Backoff().patience


class _Watched:
    """A chat whose faults are told to the desk."""

    def __init__(self, chat: Chat, note: Callable[[EndpointFault | None], None]) -> None:
        self._chat = chat
        self._note = note

    def ask(self, request: Request) -> Answer:
        try:
            answer = self._chat.ask(request)
        except Interrupted:
            raise
        except EndpointFault as fault:
            self._note(fault)
            raise
        self._note(None)
        return answer
