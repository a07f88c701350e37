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

_MOST_TOLD = 200
_REFUSAL = re.compile(
    r"\bI(?:'|’| a)m (?:sorry|unable to)\b|\bI apologi[sz]e\b|\bI (?:can(?:'|’|no)t|won(?:'|’)t)\b"
    "|抱歉|对不起|我(?:不能|无法|没办法)",
    re.IGNORECASE,
)
"""Refusal phrases of models without a refusal field; they are reported only and decide nothing."""


class ModelAgent:
    """A model as an agent, for one episode.

    Attributes:
        name: Name in tables and paths.
        reference: False: it knows nothing of the solution.
    """

    reference = False

    def __init__(
        self,
        name: str,
        profile: AgentProfile,
        chat: Chat,
        prices: PriceTable,
        transcript: TranscriptWriter | None = None,
        count: Callable[[Usage], None] = lambda took: None,
    ) -> None:
        """Build the agent without sending a request.

        Args:
            name: Name in tables and paths.
            profile: The model, its prompts and its reply format.
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
        self._prompter = RequestBuilder(profile)
        self._brief: Brief | None = None
        # of the latest steps, for histories that show screenshots
        self._earlier: deque[PreparedRequest] = deque(maxlen=profile.history.last)

    def start(self, brief: Brief) -> None:
        """Take the task in; the model is first asked for the first step."""
        self._brief = brief
        self._earlier.clear()

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        """Ask the model for the next action.

        Raises:
            DeviceError: The screenshot cannot be read.
            ModelError: Its endpoint gave no reply.
            AgentError: No reply could be parsed, up to the limit of repairs.
        """
        if self._brief is None:
            raise RuntimeError("decide() was called before start()")
        prepared = self._prompter.prepare(self._brief, observation, history, tuple(self._earlier))
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
            took = usage_of(answer, cost, repair=repairs > 0)
            total += took
            self._count(took)
            reply = parse_reply(answer, self._dialect, prepared.view)
            if self._transcript:
                self._transcript.write(
                    observation.step,
                    prepared.view,
                    request,
                    answer=answer,
                    outcome=outcome_to_json(reply),
                    usage=took,
                )
            if isinstance(reply, ParsedReply):
                return Decision(reply.action, reply.thought or answer.reasoning, usage=total)
            if repairs == self._profile.limits.repairs:
                raise _failed(answer, reply, repairs, total)
            repairs += 1
            request = self._prompter.repair(prepared, answer.text, reply)

    def close(self) -> None:
        """Nothing to release: the line to the endpoint belongs to the run."""


def _failed(answer: ModelReply, reply: UnparsedReply, repairs: int, total: Usage) -> AgentError:
    often = "" if not repairs else f" after {repairs} repair{'s' if repairs > 1 else ''}"
    said = " ".join(answer.text.split())
    said = f", which said: {said[:_MOST_TOLD]}" if said else ""
    match answer.stop:
        case StopReason.REFUSED:
            error = AgentError(AgentFault.REFUSED, f"the model refused{often}{said}")
        case StopReason.FILTERED:
            error = AgentError(AgentFault.REFUSED, f"a content filter blocked the reply{often}{said}")
        case _:
            looks = "; it reads like a refusal" if _REFUSAL.search(answer.text[:_MOST_TOLD]) else ""
            error = AgentError(
                AgentFault.UNPARSEABLE,
                f"unparseable reply{often} ({reply.flaw.value}): {reply.why}{looks}",
            )
    error.usage = total
    return error
