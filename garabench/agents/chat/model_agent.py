"""An agent that is a model behind a chat: prompt, ask, read, and ask again where the reply cannot be read."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Sequence

from garabench.agents.chat.cost import Prices, spent
from garabench.agents.chat.kept import Keeper
from garabench.agents.chat.messages import Answer, Chat, Stop
from garabench.agents.chat.reading import outcome_to_json, read
from garabench.agents.dialects.dialect import Dialect
from garabench.agents.dialects.reply import Parsed, Unparsed
from garabench.agents.interface import Brief, Decision, Turn
from garabench.agents.modes.prompting import Prepared, Prompter
from garabench.agents.profile import AgentProfile
from garabench.core.observation import Observation
from garabench.core.spending import NOTHING, Spent
from garabench.errors import AgentError, AgentFault, ModelError

_MOST_TOLD = 200
_REFUSAL = re.compile(
    r"\bI(?:'|’| a)m (?:sorry|unable to)\b|\bI apologi[sz]e\b|\bI (?:can(?:'|’|no)t|won(?:'|’)t)\b"
    "|抱歉|对不起|我(?:不能|无法|没办法)",
    re.IGNORECASE,
)
"""Words of models that refuse without a field for it: they are told, and decide nothing."""


class ModelAgent:
    """A model as an agent, for one episode.

    Attributes:
        name: As in tables and paths.
        reference: False: it knows nothing of the solution.
    """

    reference = False

    def __init__(
        self,
        name: str,
        profile: AgentProfile,
        chat: Chat,
        prices: Prices,
        keeper: Keeper | None = None,
        count: Callable[[Spent], None] = lambda took: None,
    ) -> None:
        """Prepare; nothing is asked.

        Args:
            name: As in tables and paths.
            profile: Which model, how it is asked and how it answers.
            chat: Answers.
            prices: What answers cost.
            keeper: Keeps what was asked and answered; None to keep nothing.
            count: Told what each answer took.
        """
        self.name = name
        self._profile = profile
        self._chat = chat
        self._prices = prices
        self._keeper = keeper
        self._count = count
        self._dialect: Dialect = profile.spoken()
        self._prompter = Prompter(profile)
        self._brief: Brief | None = None
        # of the latest steps, for histories that show screenshots
        self._earlier: deque[Prepared] = deque(maxlen=profile.history.last)

    def start(self, brief: Brief) -> None:
        """Take the task in; the model is first asked for the first step."""
        self._brief = brief
        self._earlier.clear()

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        """Ask the model for the next action.

        Raises:
            DeviceError: The screenshot cannot be read.
            ModelError: Its endpoint gave no reply.
            AgentError: Its replies are no action, after as many repairs as it is granted.
        """
        if self._brief is None:
            raise RuntimeError("an agent is started before it decides")
        prepared = self._prompter.prepare(self._brief, observation, history, tuple(self._earlier))
        self._earlier.append(prepared)
        request, total = prepared.request, NOTHING
        repairs = 0
        while True:
            try:
                answer = self._chat.ask(request)
            except ModelError as error:
                if self._keeper:
                    self._keeper.keep(observation.step, prepared.view, request, fault=str(error))
                error.spent = total
                raise
            cost = self._prices.cost(answer, self._profile.model, self._profile.endpoint.base_url)
            took = spent(answer, cost, repair=repairs > 0)
            total += took
            self._count(took)
            reply = read(answer, self._dialect, prepared.view)
            if self._keeper:
                self._keeper.keep(
                    observation.step,
                    prepared.view,
                    request,
                    answer=answer,
                    outcome=outcome_to_json(reply),
                    spent=took,
                )
            if isinstance(reply, Parsed):
                return Decision(reply.action, reply.thought or answer.reasoning, spent=total)
            if repairs == self._profile.limits.repairs:
                raise _failed(answer, reply, repairs, total)
            repairs += 1
            request = self._prompter.repair(prepared, answer.text, reply)

    def close(self) -> None:
        """Nothing to release: the line to the endpoint belongs to the run."""


def _failed(answer: Answer, reply: Unparsed, repairs: int, total: Spent) -> AgentError:
    often = "" if not repairs else f" after {repairs} repair{'s' if repairs > 1 else ''}"
    said = " ".join(answer.text.split())
    said = f", which said: {said[:_MOST_TOLD]}" if said else ""
    match answer.stop:
        case Stop.REFUSED:
            error = AgentError(AgentFault.REFUSED, f"the model refused{often}{said}")
        case Stop.FILTERED:
            error = AgentError(AgentFault.REFUSED, f"a content filter held the reply back{often}{said}")
        case _:
            looks = "; it reads like a refusal" if _REFUSAL.search(answer.text[:_MOST_TOLD]) else ""
            error = AgentError(
                AgentFault.UNPARSEABLE,
                f"the reply is no action{often} ({reply.flaw.value}): {reply.why}{looks}",
            )
    error.spent = total
    return error
