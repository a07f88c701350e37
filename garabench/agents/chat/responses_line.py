"""OpenAI's responses over the ``openai`` package."""

from __future__ import annotations

import httpx2
import openai

from garabench.agents.chat import responses_form
from garabench.agents.chat.completions import Unreadable
from garabench.agents.chat.faults import Where, from_broken, unreadable
from garabench.agents.chat.messages import Answer, Request
from garabench.agents.chat.openai_line import decoded, fault_of, held_back, make_client
from garabench.agents.chat.secret import Secret
from garabench.core.clock import Clock


class ResponsesLine:
    """OpenAI's responses.

    Attributes:
        where: Which endpoint.
    """

    def __init__(self, where: Where, key: Secret, clock: Clock, *, seconds: float, connections: int) -> None:
        """Prepare; nothing is sent. Arguments as for `openai_line.CompletionsLine`."""
        self.where = where
        self._clock = clock
        self._seconds = seconds
        self._client = make_client(where, key, seconds=seconds, connections=connections)

    def send(self, request: Request) -> Answer:
        """Send a request once.

        Raises:
            EndpointFault: There is no reply.
        """
        try:
            reply = self._client.responses.with_raw_response.create(extra_body=responses_form.body(request))
            return responses_form.read(decoded(reply.http_response.content))
        except Unreadable as error:
            raise unreadable(str(error), self.where) from None
        except openai.OpenAIError as error:
            if (answer := held_back(error)) is not None:
                return answer
            raise fault_of(error, self.where, self._clock, self._seconds) from None
        except (httpx2.RequestError, OSError) as error:
            raise from_broken(error, self.where) from None
