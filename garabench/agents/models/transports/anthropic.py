"""Anthropic's Messages API over the ``anthropic`` package."""

from __future__ import annotations

import anthropic
import httpx2

from garabench.agents.models.codecs import anthropic as codec
from garabench.agents.models.codecs.completions import InvalidPayloadError
from garabench.agents.models.credentials import Secret
from garabench.agents.models.endpoint_errors import (
    EndpointError,
    EndpointLabel,
    ReplyTimeoutError,
    from_connection_error,
    from_status,
    invalid_reply,
    reply_timeout,
)
from garabench.agents.models.http_client import http_client, time_limits
from garabench.agents.models.messages import ChatRequest, ModelReply
from garabench.agents.models.retry_policy import retry_after
from garabench.agents.models.transports.openai import decoded
from garabench.core.clock import Clock


class AnthropicTransport:
    """Anthropic's Messages API.

    Attributes:
        where: The endpoint.
    """

    def __init__(
        self, where: EndpointLabel, key: Secret, clock: Clock, *, seconds: float, connections: int
    ) -> None:
        """Prepare; nothing is sent yet. The arguments are those of `CompletionsTransport`."""
        self.where = where
        self._clock = clock
        self._seconds = seconds
        self._client = anthropic.Anthropic(
            # The package adds the version to the URL.
            base_url=where.url.removesuffix("/v1"),
            api_key=key.reveal() or "none",
            max_retries=0,
            timeout=time_limits(seconds),
            http_client=http_client(where, seconds, connections, with_key=bool(key.reveal())),
        )

    def send(self, request: ChatRequest) -> ModelReply:
        """Send a request once.

        Raises:
            EndpointError: The request failed.
        """
        body, headers = codec.body(request)
        try:
            reply = self._client.messages.with_raw_response.create(
                model=body.pop("model"),
                messages=body.pop("messages"),
                max_tokens=body.pop("max_tokens"),
                extra_body=body,
                extra_headers=headers,
            )
            return codec.read(decoded(reply.http_response.content))
        except InvalidPayloadError as error:
            raise invalid_reply(str(error), self.where) from None
        except anthropic.APIStatusError as error:
            raise self._endpoint_error(error) from None
        except (anthropic.AnthropicError, httpx2.RequestError, OSError) as error:
            fault = from_connection_error(error, self.where)
            late = isinstance(fault, ReplyTimeoutError)
            raise (reply_timeout(self._seconds, self.where) if late else fault) from None

    def _endpoint_error(self, error: anthropic.APIStatusError) -> EndpointError:
        body = error.body if isinstance(error.body, dict) else {}
        inner = body.get("error")
        details = inner if isinstance(inner, dict) else body
        text = error.response.text
        message = str(details.get("message") or ("an HTML page" if text.lstrip()[:1] == "<" else text))
        after = retry_after(
            {name.lower(): value for name, value in error.response.headers.items()}, self._clock.now()
        )
        return from_status(
            error.status_code, message, self.where, code=str(details.get("type") or ""), after=after
        )
