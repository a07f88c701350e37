"""Gemini's generateContent over the ``google-genai`` package."""

from __future__ import annotations

from urllib.parse import urlsplit

import httpx2
from google import genai
from google.genai import errors, types

from garabench.agents.chat import gemini_form, google_error
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
from garabench.agents.chat.retry import retry_after, retry_info
from garabench.agents.chat.secret import Secret
from garabench.agents.chat.wire import http_client
from garabench.core.clock import Clock

_VERSION = "v1beta"


class GeminiLine:
    """Gemini's generateContent.

    Attributes:
        where: Which endpoint.
    """

    def __init__(self, where: Where, key: Secret, clock: Clock, *, seconds: float, connections: int) -> None:
        """Prepare; nothing is sent. Arguments as for `openai_line.CompletionsLine`."""
        self.where = where
        self._clock = clock
        self._seconds = seconds
        parts = urlsplit(where.url)
        # The path of Google's OpenAI-compatible endpoint stands for the same service.
        path = parts.path.rstrip("/").removesuffix("/openai").removesuffix(f"/{_VERSION}")
        options = types.HttpOptions(
            base_url=f"{parts.scheme}://{parts.netloc}{path}",
            api_version=_VERSION,
            timeout=round(seconds * 1000),
            httpx_client=http_client(where, seconds, connections, with_key=bool(key.reveal())),
        )
        self._client = genai.Client(api_key=key.reveal() or "none", vertexai=False, http_options=options)

    def send(self, request: Request) -> Answer:
        """Send a request once.

        Raises:
            EndpointFault: There is no reply.
        """
        body = gemini_form.body(request)
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
            told = reply.sdk_http_response
            return gemini_form.read(decoded((told.body if told and told.body else "").encode()))
        except Unreadable as error:
            raise unreadable(str(error), self.where) from None
        except errors.APIError as error:
            raise self._refused(error) from None
        except (httpx2.RequestError, OSError, ValueError) as error:
            fault = from_broken(error, self.where)
            late = isinstance(fault, ReplyTimeout)
            raise (timed_out(self._seconds, self.where) if late else fault) from None

    def _refused(self, error: errors.APIError) -> EndpointFault:
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
