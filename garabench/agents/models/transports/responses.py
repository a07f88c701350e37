"""OpenAI's Responses API over the ``openai`` package."""

from __future__ import annotations

import httpx2
import openai

from garabench.agents.models.codecs import responses as codec
from garabench.agents.models.codecs.completions import InvalidPayloadError
from garabench.agents.models.credentials import Secret
from garabench.agents.models.endpoint_errors import EndpointLabel, from_connection_error, invalid_reply
from garabench.agents.models.messages import ChatRequest, ModelReply
from garabench.agents.models.transports.openai import decoded, endpoint_error, filtered_reply, make_client
from garabench.core.clock import Clock


class ResponsesTransport:
    """OpenAI's Responses API.

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
        self._client = make_client(where, key, seconds=seconds, connections=connections)

    def send(self, request: ChatRequest) -> ModelReply:
        """Send a request once.

        Raises:
            EndpointError: The request failed.
        """
        try:
            reply = self._client.responses.with_raw_response.create(extra_body=codec.body(request))
            return codec.read(decoded(reply.http_response.content))
        except InvalidPayloadError as error:
            raise invalid_reply(str(error), self.where) from None
        except openai.OpenAIError as error:
            if (answer := filtered_reply(error)) is not None:
                return answer
            raise endpoint_error(error, self.where, self._clock, self._seconds) from None
        except (httpx2.RequestError, OSError) as error:
            raise from_connection_error(error, self.where) from None
