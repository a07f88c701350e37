"""Sends requests with retries, a deadline and a concurrency limit, over any transport."""

from __future__ import annotations

import dataclasses
import logging
import random
from collections.abc import Callable
from typing import Protocol

from garabench.agents.deadline import CallCancelledError, CallTimeoutError, call_with_deadline
from garabench.agents.models.credentials import Secret
from garabench.agents.models.endpoint_errors import (
    EndpointError,
    EndpointLabel,
    RequestCancelledError,
    reply_timeout,
)
from garabench.agents.models.limiter import EndpointLimiter
from garabench.agents.models.messages import ChatRequest, ModelReply
from garabench.agents.models.reply_parsing import replace_surrogates
from garabench.agents.models.retry_policy import Backoff
from garabench.core.clock import Clock

_LOG = logging.getLogger(__name__)
LATE = 1.0
"""Seconds by which the limit of the whole reply exceeds the HTTP client's, whose errors are more precise."""
_SLICE = 1.0
"""Interval in seconds at which a pause checks whether the run is stopping."""


class Transport(Protocol):
    """One protocol's client: a request is sent once.

    Attributes:
        where: The endpoint.
    """

    where: EndpointLabel

    def send(self, request: ChatRequest) -> ModelReply:
        """Send a request and read the reply.

        Raises:
            EndpointError: The request failed.
        """
        ...


class RetryingChat:
    """A chat over a transport; may be shared by threads."""

    def __init__(
        self,
        transport: Transport,
        key: Secret,
        limiter: EndpointLimiter,
        clock: Clock,
        rng: random.Random,
        *,
        seconds: float,
        at_once: int,
        backoff: Backoff,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        """Prepare; nothing is sent yet.

        Args:
            transport: Sends requests.
            key: Redacted from everything that the endpoint returns.
            limiter: The endpoint's limiter, shared by all its clients.
            clock: The clock for pauses and durations.
            rng: Draws the jitter.
            seconds: Longest wait for the reply to each try.
            at_once: Maximum number of concurrent requests to the endpoint.
            backoff: How often, and with which pauses, a request is retried.
            stop: Returns whether the run should stop, which cancels every wait.
        """
        self._transport = transport
        self._key = key
        self._limiter = limiter
        self._clock = clock
        self._rng = rng
        self._seconds = seconds
        self._at_once = at_once
        self._backoff = backoff
        self._stop = stop

    def ask(self, request: ChatRequest) -> ModelReply:
        """Request a reply.

        Raises:
            EndpointError: The last retry failed; the message says why.
        """
        tries, queued, waited = 0, 0.0, 0.0
        while True:
            tries += 1
            with self._limiter.slot(self._at_once, self._clock) as waited_for_slot:
                queued += waited_for_slot
                begun = self._clock.monotonic()
                result = self._once(request)
                waited += self._clock.monotonic() - begun
            if isinstance(result, ModelReply):
                return dataclasses.replace(
                    result, tries=tries, seconds=round(waited, 3), queued=round(queued, 3)
                )
            # The slot is released during the pause.
            pause = self._backoff.pause(tries, self._rng, result.retry_after) if result.transient else None
            if pause is None:
                raise self._sanitized(result, f" Tried {tries} times." if tries > 1 else "")
            _LOG.warning(
                "%s: attempt %d failed (%s); retrying in %.1f s",
                self._transport.where.url,
                tries,
                type(result).__name__,
                pause,
            )
            self._sleep(pause)
            waited += pause

    def _sleep(self, seconds: float) -> None:
        while seconds > 0:
            if self._stop():
                raise self._cancelled()
            self._clock.sleep(min(seconds, _SLICE))
            seconds -= _SLICE

    def _cancelled(self) -> RequestCancelledError:
        return RequestCancelledError(
            f"the run was stopped while waiting for a reply from {self._transport.where.url}."
        )

    def _once(self, request: ChatRequest) -> ModelReply | EndpointError:
        try:
            answer = call_with_deadline(
                lambda: self._transport.send(request), self._seconds + LATE, self._stop
            )
        except CallCancelledError:
            raise self._cancelled() from None
        except CallTimeoutError:
            return reply_timeout(self._seconds, self._transport.where)
        except EndpointError as fault:
            return self._sanitized(fault)

        def redact(text: str) -> str:
            return replace_surrogates(self._key.redact(text))

        return dataclasses.replace(
            answer,
            text=redact(answer.text),
            reasoning=redact(answer.reasoning),
            model=redact(answer.model),
            calls=tuple(
                dataclasses.replace(call, name=redact(call.name), arguments=redact(call.arguments))
                for call in answer.calls
            ),
        )

    def _sanitized(self, fault: EndpointError, more: str = "") -> EndpointError:
        """Return the fault without the key and without its causes, which may contain the key."""
        message = replace_surrogates(self._key.redact_fragments(str(fault)))
        return type(fault)(message + more, retry_after=fault.retry_after)
