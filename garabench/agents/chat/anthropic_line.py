"""Anthropic's messages over the ``anthropic`` package."""

from __future__ import annotations

import anthropic
import httpx2

from garabench.agents.chat import anthropic_form
from garabench.agents.chat.completions import Unreadable
from garabench.agents.chat.faults import (
    EndpointFault,
    ReplyTimeout,
    Where,
    from_broken,
    from_status,
    timed_out,
    unreadable,
)
from garabench.agents.chat.messages import Answer, Request
from garabench.agents.chat.openai_line import decoded
from garabench.agents.chat.retry import retry_after
from garabench.agents.chat.secret import Secret
from garabench.agents.chat.wire import http_client, time_limits
from garabench.core.clock import Clock


class AnthropicLine:
    """Anthropic's messages.

    Attributes:
        where: Which endpoint.
    """

    def __init__(self, where: Where, key: Secret, clock: Clock, *, seconds: float, connections: int) -> None:
        """Prepare; nothing is sent. Arguments as for `openai_line.CompletionsLine`."""
        self.where = where
        self._clock = clock
        self._seconds = seconds
        self._client = anthropic.Anthropic(
            # The package adds the version to the address by itself.
            base_url=where.url.removesuffix("/v1"),
            api_key=key.reveal() or "none",
            max_retries=0,
            timeout=time_limits(seconds),
            http_client=http_client(where, seconds, connections, with_key=bool(key.reveal())),
        )

    def send(self, request: Request) -> Answer:
        """Send a request once.

        Raises:
            EndpointFault: There is no reply.
        """
        body, headers = anthropic_form.body(request)
        try:
            reply = self._client.messages.with_raw_response.create(
                model=body.pop("model"),
                messages=body.pop("messages"),
                max_tokens=body.pop("max_tokens"),
                extra_body=body,
                extra_headers=headers,
            )
            return anthropic_form.read(decoded(reply.http_response.content))
        except Unreadable as error:
            raise unreadable(str(error), self.where) from None
        except anthropic.APIStatusError as error:
            raise self._refused(error) from None
        except (anthropic.AnthropicError, httpx2.RequestError, OSError) as error:
            fault = from_broken(error, self.where)
            late = isinstance(fault, ReplyTimeout)
            raise (timed_out(self._seconds, self.where) if late else fault) from None

    def _refused(self, error: anthropic.APIStatusError) -> EndpointFault:
        body = error.body if isinstance(error.body, dict) else {}
        inner = body.get("error")
        told = inner if isinstance(inner, dict) else body
        text = error.response.text
        said = str(told.get("message") or ("an HTML page" if text.lstrip()[:1] == "<" else text))
        after = retry_after(
            {name.lower(): value for name, value in error.response.headers.items()}, self._clock.now()
        )
        return from_status(error.status_code, said, self.where, code=str(told.get("type") or ""), after=after)
