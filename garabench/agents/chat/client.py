"""A chat that is patient: places at the endpoint, limits of time, pauses and tries, for any protocol."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable
from typing import Protocol

from garabench.agents.chat.deadline import Overdue, Stopped, within
from garabench.agents.chat.faults import EndpointFault, Interrupted, Where, timed_out
from garabench.agents.chat.gate import Gate
from garabench.agents.chat.messages import Answer, Request
from garabench.agents.chat.reading import without_halves
from garabench.agents.chat.retry import Backoff
from garabench.agents.chat.secret import Secret
from garabench.core.clock import Clock

LATE = 1.0
"""Seconds that a limit of the whole reply is above the limits of the HTTP client, which tell more exactly."""
_SLICE = 1.0
"""Seconds of a pause after which it is asked whether the run is to stop."""


class Line(Protocol):
    """One protocol's client: a request is sent once.

    Attributes:
        where: Which endpoint.
    """

    where: Where

    def send(self, request: Request) -> Answer:
        """Send a request and read the reply.

        Raises:
            EndpointFault: There is no reply.
        """
        ...


class PatientChat:
    """A chat over a line; may be shared by threads."""

    def __init__(
        self,
        line: Line,
        key: Secret,
        gate: Gate,
        clock: Clock,
        rng: random.Random,
        *,
        seconds: float,
        at_once: int,
        backoff: Backoff,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        """Prepare; nothing is sent.

        Args:
            line: Sends requests.
            key: Hidden in all that the endpoint says.
            gate: Of the endpoint, shared by all that ask it.
            clock: For the pauses and the times that are told.
            rng: Draws the jitter.
            seconds: Longest wait for one reply, for each try.
            at_once: Requests at the endpoint at the same time.
            backoff: How often and how patiently a request is tried.
            stop: Whether the run is to stop, so that nothing more is waited for.
        """
        self._line = line
        self._key = key
        self._gate = gate
        self._clock = clock
        self._rng = rng
        self._seconds = seconds
        self._at_once = at_once
        self._backoff = backoff
        self._stop = stop

    def ask(self, request: Request) -> Answer:
        """Ask for a reply.

        Raises:
            EndpointFault: There is none, after the tries that it is given; the message says why.
        """
        tries, queued, waited = 0, 0.0, 0.0
        while True:
            tries += 1
            with self._gate.entered(self._at_once, self._clock) as entering:
                queued += entering
                begun = self._clock.monotonic()
                found = self._once(request)
                waited += self._clock.monotonic() - begun
            if isinstance(found, Answer):
                return dataclasses.replace(
                    found, tries=tries, seconds=round(waited, 3), queued=round(queued, 3)
                )
            # The place at the endpoint is free while it is not used.
            pause = self._backoff.pause(tries, self._rng, found.retry_after) if found.passing else None
            if pause is None:
                raise self._again(found, f" Tried {tries} times." if tries > 1 else "")
            self._sleep(pause)
            waited += pause

    def _sleep(self, seconds: float) -> None:
        while seconds > 0:
            if self._stop():
                raise self._interrupted()
            self._clock.sleep(min(seconds, _SLICE))
            seconds -= _SLICE

    def _interrupted(self) -> Interrupted:
        return Interrupted(f"the run was stopped while a reply of {self._line.where.url} was waited for.")

    def _once(self, request: Request) -> Answer | EndpointFault:
        try:
            answer = within(self._seconds + LATE, lambda: self._line.send(request), self._stop)
        except Stopped:
            raise self._interrupted() from None
        except Overdue:
            return timed_out(self._seconds, self._line.where)
        except EndpointFault as fault:
            return self._again(fault)

        def hide(text: str) -> str:
            return without_halves(self._key.hide(text))

        return dataclasses.replace(
            answer,
            text=hide(answer.text),
            reasoning=hide(answer.reasoning),
            model=hide(answer.model),
            calls=tuple(
                dataclasses.replace(call, name=hide(call.name), arguments=hide(call.arguments))
                for call in answer.calls
            ),
        )

    def _again(self, fault: EndpointFault, more: str = "") -> EndpointFault:
        """The fault without the key, and without the errors behind it, which may hold the key, too."""
        told = without_halves(self._key.hide_parts(str(fault)))
        return type(fault)(told + more, retry_after=fault.retry_after)
