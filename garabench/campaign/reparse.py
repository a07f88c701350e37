"""Parse the recorded replies of a run's models again, in the same or another dialect."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from garabench.agents.dialects.dialect import Dialect
from garabench.agents.models.catalog import profiles_of
from garabench.agents.models.reply_parsing import outcome_to_json, parse_reply
from garabench.agents.models.transcript import read_transcript
from garabench.agents.registry import resolve
from garabench.campaign.recorded_agents import RecordedAgents
from garabench.errors import InputError
from garabench.records.reader import Run
from garabench.records.run_file import RunAgentKind

_MODELS = (RunAgentKind.MODEL, RunAgentKind.UNKNOWN)


@dataclass(frozen=True, slots=True)
class ReparsedReply:
    """A recorded reply that was parsed again.

    Attributes:
        episode: Folder of the episode, relative to the run's.
        agent: Name of the agent.
        step: Number of the step, from 0.
        number: Number of the reply within the step: 0 for the first one, from 1 for repairs.
        text: Text of the reply.
        recorded: The recorded result, an action or a flaw, as JSON data.
        reparsed: The result of parsing it again.
    """

    episode: str
    agent: str
    step: int
    number: int
    text: str
    recorded: dict[str, object]
    reparsed: dict[str, object]

    @property
    def unchanged(self) -> bool:
        """Whether the result is the same; the explanation of a flaw may differ."""
        return _without_reason(self.recorded) == _without_reason(self.reparsed)


def reparse(run: Run, agent: str = "") -> Iterator[ReparsedReply]:
    """Parse every recorded reply of a run's models again.

    Args:
        run: The run.
        agent: Name of the agent with whose profile all replies are parsed; default: each agent's own.

    Raises:
        InputError: No agent of the run is a model, or its record is corrupt.
    """
    agents = RecordedAgents(run)
    dialects: dict[str, Dialect] = {
        recorded.name: profile.tuned_dialect()
        for recorded in run.agents
        if recorded.kind in _MODELS
        for profile in profiles_of([agents.spec(recorded.name)])
    }
    if not dialects:
        raise InputError(f"no agent of {run.folder} is a model, so it has no replies to parse")
    if agent:
        profiles = profiles_of([resolve(agent)])
        if not profiles:
            raise InputError(f"{agent!r} is not a model and parses no replies")
        dialects = dict.fromkeys(dialects, profiles[0].tuned_dialect())
    for episode in run.episodes:
        dialect = dialects.get(episode.agent.name)
        if dialect is None:
            continue
        for step in read_transcript(episode.folder):
            for number, exchange in enumerate(step.exchanges):
                if exchange.answer is None:
                    continue
                yield ReparsedReply(
                    episode=str(episode.key.folder),
                    agent=episode.agent.name,
                    step=step.step,
                    number=number,
                    text=exchange.answer.text,
                    recorded=dict(exchange.outcome),
                    reparsed=outcome_to_json(parse_reply(exchange.answer, dialect, step.view)),
                )


def _without_reason(outcome: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in outcome.items() if name != "why"}
