"""A model as an agent: prompt, request, parse, and request again when the reply cannot be parsed."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Sequence

from garabench.agents.dialects.dialect import Dialect
from garabench.agents.dialects.reply import ParsedReply, UnparsedReply
from garabench.agents.interface import Brief, Decision, Turn
from garabench.agents.models.cost import PriceTable, usage_of
from garabench.agents.models.messages import Chat, ModelReply, StopReason
from garabench.agents.models.reply_parsing import outcome_to_json, parse_reply
from garabench.agents.models.transcript import TranscriptWriter
from garabench.agents.profile import AgentProfile
from garabench.agents.prompting.request import PreparedRequest, RequestBuilder
from garabench.core.observation import Observation
from garabench.core.usage import NO_USAGE, Usage
from garabench.errors import AgentError, AgentFault, ModelError

_MAX_QUOTED = 200
_REFUSAL = re.compile(
    r"\bI(?:'|’| a)m (?:sorry|unable to)\b|\bI apologi[sz]e\b|\bI (?:can(?:'|’|no)t|won(?:'|’)t)\b"
    "|抱歉|对不起|我(?:不能|无法|没办法)",
    re.IGNORECASE,
)
"""Refusal phrases of models without a refusal field; used only in messages, never for a decision."""


class ModelAgent:
    """A model as an agent, for one episode.

    Attributes:
        name: Name in tables and paths.
        reference: False.
    """

    reference = False

    def __init__(
        self,
        name: str,
        profile: AgentProfile,
        chat: Chat,
        prices: PriceTable,
        transcript: TranscriptWriter | None = None,
        count: Callable[[Usage], None] = lambda usage: None,
    ) -> None:
        """Build the agent without sending a request.

        Args:
            name: Name in tables and paths.
            profile: The agent's profile.
            chat: Sends the requests.
            prices: Prices of tokens.
            transcript: Records requests and answers; None to record nothing.
            count: Called with the usage of each reply.
        """
        self.name = name
        self._profile = profile
        self._chat = chat
        self._prices = prices
        self._transcript = transcript
        self._count = count
        self._dialect: Dialect = profile.tuned_dialect()
        self._builder = RequestBuilder(profile)
        self._brief: Brief | None = None
        # the latest steps, for histories with screenshots
        self._earlier: deque[PreparedRequest] = deque(maxlen=profile.history.last)

    def start(self, brief: Brief) -> None:
        """Store the task; the first request is sent at the first step."""
        self._brief = brief
        self._earlier.clear()

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        """Request the next action from the model.

        Raises:
            DeviceError: The screenshot cannot be read.
            ModelError: The endpoint returned no reply.
            AgentError: No reply could be parsed, up to the limit of repairs.
        """
        if self._brief is None:
            raise RuntimeError("decide() was called before start()")
        prepared = self._builder.prepare(self._brief, observation, history, tuple(self._earlier))
        self._earlier.append(prepared)
        request, total = prepared.request, NO_USAGE
        repairs = 0
        while True:
            try:
                answer = self._chat.ask(request)
            except ModelError as error:
                if self._transcript:
                    self._transcript.write(observation.step, prepared.view, request, fault=str(error))
                error.usage = total
                raise
            cost = self._prices.cost(answer, self._profile.model, self._profile.endpoint.base_url)
            reply_usage = usage_of(answer, cost, repair=repairs > 0)
            total += reply_usage
            self._count(reply_usage)
            reply = parse_reply(answer, self._dialect, prepared.view)
            if self._transcript:
                self._transcript.write(
                    observation.step,
                    prepared.view,
                    request,
                    answer=answer,
                    outcome=outcome_to_json(reply),
                    usage=reply_usage,
                )
            if isinstance(reply, ParsedReply):
                return Decision(reply.action, reply.thought or answer.reasoning, usage=total)
            if repairs == self._profile.limits.repairs:
                raise _failed(answer, reply, repairs, total)
            repairs += 1
            request = self._builder.repair(prepared, answer.text, reply)

    def close(self) -> None:
        """Release nothing: the connection to the endpoint belongs to the run."""


def _failed(answer: ModelReply, reply: UnparsedReply, repairs: int, total: Usage) -> AgentError:
    after = "" if not repairs else f" after {repairs} repair{'s' if repairs > 1 else ''}"
    text = " ".join(answer.text.split())
    quoted = f": {text[:_MAX_QUOTED]}" if text else ""
    match answer.stop:
        case StopReason.REFUSED:
            error = AgentError(AgentFault.REFUSED, f"the model refused{after}{quoted}")
        case StopReason.FILTERED:
            error = AgentError(AgentFault.REFUSED, f"a content filter blocked the reply{after}{quoted}")
        case _:
            suspicion = "; it reads like a refusal" if _REFUSAL.search(answer.text[:_MAX_QUOTED]) else ""
            error = AgentError(
                AgentFault.UNPARSEABLE,
                f"unparseable reply{after} ({reply.flaw.value}): {reply.reason}{suspicion}",
            )
    error.usage = total
    return error
