"""Chat completions over the ``openai`` package, at any address."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx2
import openai

from garabench.agents.chat import completions, google_error
from garabench.agents.chat.faults import (
    EndpointFault,
    ReplyTimeout,
    Where,
    from_broken,
    from_status,
    is_held_back,
    shortened,
    timed_out,
    unreadable,
)
from garabench.agents.chat.messages import Answer, Request, Stop, Usage
from garabench.agents.chat.retry import retry_after, retry_info
from garabench.agents.chat.secret import Secret
from garabench.agents.chat.wire import http_client, time_limits
from garabench.core.clock import Clock


def make_client(where: Where, key: Secret, *, seconds: float, connections: int) -> openai.OpenAI:
    """A client for an endpoint, which tries once only: `PatientChat` tries again."""
    return openai.OpenAI(
        base_url=where.url,
        api_key=key.reveal() or "none",
        max_retries=0,
        timeout=time_limits(seconds),
        http_client=http_client(where, seconds, connections, with_key=bool(key.reveal())),
    )


class CompletionsLine:
    """OpenAI's chat completions.

    The whole body is handed over as an extra one, which the package sends as it is. Its own arguments it
    would compare with its types, part by part, which takes longer than all the rest of sending.

    Attributes:
        where: Which endpoint.
    """

    def __init__(
        self,
        where: Where,
        key: Secret,
        clock: Clock,
        *,
        seconds: float,
        connections: int,
        stream: bool = False,
    ) -> None:
        """Prepare; nothing is sent.

        Args:
            where: Which endpoint.
            key: What is sent as the key.
            clock: For dates in ``Retry-After``.
            seconds: Longest wait for a reply.
            connections: Kept open at once.
            stream: Whether replies are asked for piece by piece, for servers that hold no silent connection.
        """
        self.where = where
        self._clock = clock
        self._seconds = seconds
        self._stream = stream
        self._client = make_client(where, key, seconds=seconds, connections=connections)

    def send(self, request: Request) -> Answer:
        """Send a request once.

        Raises:
            EndpointFault: There is no reply.
        """
        try:
            data = self._streamed(request) if self._stream else self._whole(request)
            return completions.read(data, 0.0)
        except completions.Unreadable as error:
            raise unreadable(str(error), self.where) from None
        except openai.OpenAIError as error:
            if (answer := held_back(error)) is not None:
                return answer
            raise fault_of(error, self.where, self._clock, self._seconds) from None
        except (httpx2.RequestError, OSError) as error:
            raise from_broken(error, self.where) from None
        except ValueError as error:  # of a stream, each piece of which the package reads by itself
            raise unreadable(f"a piece of it is not JSON: {error}", self.where) from None

    def _whole(self, request: Request) -> object:
        reply = self._client.chat.completions.with_raw_response.create(
            model=request.model, messages=[], extra_body=completions.body(request)
        )
        return decoded(reply.http_response.content)

    def _streamed(self, request: Request) -> object:
        chunks = self._client.chat.completions.create(
            model=request.model, messages=[], stream=True, extra_body=completions.body(request, stream=True)
        )
        with chunks:
            return completions.merge(self._until_late(chunk.to_dict(warnings=False) for chunk in chunks))

    def _until_late(self, pieces: Iterator[Any]) -> Iterator[Any]:
        """The pieces, as long as the whole is within its limit."""
        ends = self._clock.monotonic() + self._seconds
        for piece in pieces:
            if self._clock.monotonic() > ends:
                raise timed_out(self._seconds, self.where)
            yield piece


def decoded(content: bytes) -> object:
    """The JSON of a reply's body.

    Raises:
        Unreadable: It is none.
    """
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        start = content[:80].decode("utf-8", "replace")
        raise completions.Unreadable(f"it is not JSON and begins with {start!r}") from error


def held_back(error: openai.OpenAIError) -> Answer | None:
    """The answer that an error stands for when a content filter has held the prompt or the reply back."""
    if not isinstance(error, openai.APIStatusError):
        return None
    told, code = _said(error)
    if not is_held_back(error.status_code, code):
        return None
    return Answer(text=shortened(told), calls=(), stop=Stop.FILTERED, usage=Usage(), seconds=0.0)


def fault_of(error: openai.OpenAIError, where: Where, clock: Clock, seconds: float) -> EndpointFault:
    """The fault that an error of the package tells."""
    if isinstance(error, openai.APIStatusError):
        told, code = _said(error)
        after = retry_after(
            {name.lower(): value for name, value in error.response.headers.items()}, clock.now()
        )
        after = retry_info(error.body) if after is None else after
        return from_status(error.status_code, told, where, code=code, after=after)
    fault = from_broken(error, where)
    return timed_out(seconds, where) if isinstance(fault, ReplyTimeout) else fault


def _said(error: openai.APIStatusError) -> tuple[str, str]:
    """What the endpoint says, and its own name for it."""
    body = google_error.inner(error.body)
    if isinstance(body, dict):
        told = body.get("message") or body.get("detail") or body.get("error") or body
        inner = body.get("innererror")
        deeper = inner.get("code") if isinstance(inner, dict) else None
        codes = (body.get("code"), body.get("type"), deeper)
        return str(told), " ".join([*(str(each) for each in codes if each), google_error.reasons(body)])
    text = body if isinstance(body, str) else error.response.text
    # A page of HTML says nothing but its title.
    return ("an HTML page" if text.lstrip()[:1] == "<" else text), ""
