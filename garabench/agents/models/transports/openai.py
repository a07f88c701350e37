"""Chat completions over the ``openai`` package, at any address."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx2
import openai

from garabench.agents.models import google_error
from garabench.agents.models.codecs import completions
from garabench.agents.models.credentials import Secret
from garabench.agents.models.endpoint_errors import (
    EndpointError,
    EndpointLabel,
    ReplyTimeoutError,
    endpoint_excerpt,
    from_connection_error,
    from_status,
    invalid_reply,
    is_content_filter,
    reply_timeout,
)
from garabench.agents.models.http_client import http_client, time_limits
from garabench.agents.models.messages import ChatRequest, ModelReply, StopReason, TokenUsage
from garabench.agents.models.retry_policy import retry_after, retry_info
from garabench.core.clock import Clock


def make_client(where: EndpointLabel, key: Secret, *, seconds: float, connections: int) -> openai.OpenAI:
    """Return a client for an endpoint without retries, which are made by `RetryingChat`."""
    return openai.OpenAI(
        base_url=where.url,
        api_key=key.reveal() or "none",
        max_retries=0,
        timeout=time_limits(seconds),
        http_client=http_client(where, seconds, connections, with_key=bool(key.reveal())),
    )


class CompletionsTransport:
    """OpenAI's chat completions.

    The whole body is passed as ``extra_body``, which the package sends unchanged. It would validate its own
    arguments against its types, which takes longer than everything else.

    Attributes:
        where: The endpoint.
    """

    def __init__(
        self,
        where: EndpointLabel,
        key: Secret,
        clock: Clock,
        *,
        seconds: float,
        connections: int,
        stream: bool = False,
    ) -> None:
        """Prepare; nothing is sent yet.

        Args:
            where: The endpoint.
            key: The API key.
            clock: The clock for dates in ``Retry-After``.
            seconds: Longest wait for a reply.
            connections: Maximum number of idle connections to keep open.
            stream: Whether replies are streamed, for servers that drop idle connections.
        """
        self.where = where
        self._clock = clock
        self._seconds = seconds
        self._stream = stream
        self._client = make_client(where, key, seconds=seconds, connections=connections)

    def send(self, request: ChatRequest) -> ModelReply:
        """Send a request once.

        Raises:
            EndpointError: The request failed.
        """
        try:
            data = self._streamed(request) if self._stream else self._complete(request)
            return completions.read(data, 0.0)
        except completions.InvalidPayloadError as error:
            raise invalid_reply(str(error), self.where) from None
        except openai.OpenAIError as error:
            if (answer := filtered_reply(error)) is not None:
                return answer
            raise endpoint_error(error, self.where, self._clock, self._seconds) from None
        except (httpx2.RequestError, OSError) as error:
            raise from_connection_error(error, self.where) from None
        except ValueError as error:  # the package parses each chunk of a stream
            raise invalid_reply(f"a chunk is not JSON: {error}", self.where) from None

    def _complete(self, request: ChatRequest) -> object:
        reply = self._client.chat.completions.with_raw_response.create(
            model=request.model, messages=[], extra_body=completions.body(request)
        )
        return decoded(reply.http_response.content)

    def _streamed(self, request: ChatRequest) -> object:
        chunks = self._client.chat.completions.create(
            model=request.model, messages=[], stream=True, extra_body=completions.body(request, stream=True)
        )
        with chunks:
            return completions.merge_chunks(
                self._within_limit(chunk.to_dict(warnings=False) for chunk in chunks)
            )

    def _within_limit(self, chunks: Iterator[Any]) -> Iterator[Any]:
        """Yield the chunks until the time limit of the whole reply."""
        ends = self._clock.monotonic() + self._seconds
        for chunk in chunks:
            if self._clock.monotonic() > ends:
                raise reply_timeout(self._seconds, self.where)
            yield chunk


def decoded(content: bytes) -> object:
    """Decode the JSON body of a reply.

    Raises:
        InvalidPayloadError: The body is not JSON.
    """
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        start = content[:80].decode("utf-8", "replace")
        raise completions.InvalidPayloadError(f"not JSON, starting with {start!r}") from error


def filtered_reply(error: openai.OpenAIError) -> ModelReply | None:
    """Return the answer that an error represents if a content filter blocked the prompt or the reply."""
    if not isinstance(error, openai.APIStatusError):
        return None
    message, code = _message_and_code(error)
    if not is_content_filter(error.status_code, code):
        return None
    return ModelReply(
        text=endpoint_excerpt(message), calls=(), stop=StopReason.FILTERED, usage=TokenUsage(), seconds=0.0
    )


def endpoint_error(
    error: openai.OpenAIError, where: EndpointLabel, clock: Clock, seconds: float
) -> EndpointError:
    """Convert an error of the package to an endpoint error."""
    if isinstance(error, openai.APIStatusError):
        message, code = _message_and_code(error)
        after = retry_after(
            {name.lower(): value for name, value in error.response.headers.items()}, clock.now()
        )
        after = retry_info(error.body) if after is None else after
        return from_status(error.status_code, message, where, code=code, after=after)
    fault = from_connection_error(error, where)
    return reply_timeout(seconds, where) if isinstance(fault, ReplyTimeoutError) else fault


def _message_and_code(error: openai.APIStatusError) -> tuple[str, str]:
    """Return the endpoint's error message and error code."""
    body = google_error.inner(error.body)
    if isinstance(body, dict):
        message = body.get("message") or body.get("detail") or body.get("error") or body
        inner = body.get("innererror")
        deeper = inner.get("code") if isinstance(inner, dict) else None
        codes = (body.get("code"), body.get("type"), deeper)
        return str(message), " ".join([*(str(each) for each in codes if each), google_error.reasons(body)])
    text = body if isinstance(body, str) else error.response.text
    # An HTML error page says nothing useful.
    return ("an HTML page" if text.lstrip()[:1] == "<" else text), ""
