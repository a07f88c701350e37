"""Gemini's generateContent over the ``google-genai`` package."""

from __future__ import annotations

from urllib.parse import urlsplit

import httpx2
from google import genai
from google.genai import errors, types

from garabench.agents.models import google_error
from garabench.agents.models.codecs import gemini as codec
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
from garabench.agents.models.http_client import http_client
from garabench.agents.models.messages import ChatRequest, ModelReply
from garabench.agents.models.retry_policy import retry_after, retry_info
from garabench.agents.models.transports.openai import decoded
from garabench.core.clock import Clock

_VERSION = "v1beta"


class GeminiTransport:
    """Gemini's generateContent.

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
        parts = urlsplit(where.url)
        # The path of Google's OpenAI-compatible endpoint denotes the same service.
        path = parts.path.rstrip("/").removesuffix("/openai").removesuffix(f"/{_VERSION}")
        options = types.HttpOptions(
            base_url=f"{parts.scheme}://{parts.netloc}{path}",
            api_version=_VERSION,
            timeout=round(seconds * 1000),
            httpx_client=http_client(where, seconds, connections, with_key=bool(key.reveal())),
        )
        self._client = genai.Client(api_key=key.reveal() or "none", vertexai=False, http_options=options)

    def send(self, request: ChatRequest) -> ModelReply:
        """Send a request once.

        Raises:
            EndpointError: The request failed.
        """
        body = codec.body(request)
        try:
            reply = self._client.models.generate_content(
                model=request.model,
                contents=body.pop("contents"),
                config=types.GenerateContentConfig(
                    should_return_http_response=True,
                    http_options=types.HttpOptions(extra_body=body),
                    automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
                ),
            )
            response = reply.sdk_http_response
            return codec.read(decoded((response.body if response and response.body else "").encode()))
        except InvalidPayloadError as error:
            raise invalid_reply(str(error), self.where) from None
        except errors.APIError as error:
            raise self._endpoint_error(error) from None
        except (httpx2.RequestError, OSError, ValueError) as error:
            fault = from_connection_error(error, self.where)
            late = isinstance(fault, ReplyTimeoutError)
            raise (reply_timeout(self._seconds, self.where) if late else fault) from None

    def _endpoint_error(self, error: errors.APIError) -> EndpointError:
        headers = getattr(error.response, "headers", None) or {}
        after = retry_after({str(name).lower(): value for name, value in headers.items()}, self._clock.now())
        after = retry_info(error.details) if after is None else after
        return from_status(
            int(error.code or 500),
            str(error.message or ""),
            self.where,
            code=f"{error.status or ''} {google_error.reasons(error.details)}",
            after=after,
        )
