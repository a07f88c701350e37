"""Read a run's recorded replies again, with no model: in the same dialect, or in another one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from garabench.agents.chat.entries import profiles_of
from garabench.agents.chat.kept import read_kept
from garabench.agents.chat.reading import outcome_to_json, read
from garabench.agents.dialects.dialect import Dialect
from garabench.agents.registry import check_agents
from garabench.campaign.plan import episodes
from garabench.campaign.store import RunStore
from garabench.campaign.suite import Suite
from garabench.errors import InputError


@dataclass(frozen=True, slots=True)
class Reread:
    """A recorded reply that was read again.

    Attributes:
        episode: Folder of its episode, relative to the run's.
        agent: Its agent.
        step: Its step.
        number: Which reply of the step, from 0: the first one, or a repair.
        text: What the model wrote.
        then: What it was read as: an action or a flaw, as JSON values.
        now: What it is read as.
    """

    episode: str
    agent: str
    step: int
    number: int
    text: str
    then: dict[str, object]
    now: dict[str, object]

    @property
    def same(self) -> bool:
        """Whether nothing has changed; the words that explain a flaw may."""
        return _bare(self.then) == _bare(self.now)


def reread(store: RunStore, suite: Suite, instead: str = "") -> Iterator[Reread]:
    """Every recorded reply of a run's models, read again.

    Args:
        store: The run.
        suite: With the run's tasks.
        instead: An agent by whose profile all replies are read; each agent's own unless given.

    Raises:
        InputError: The run has no agent that is a model, or its record is broken.
    """
    specs = check_agents(store.run.plan.agents)
    dialects: dict[str, Dialect] = {
        spec.named.text: profile.spoken() for spec in specs for profile in profiles_of([spec])
    }
    if not dialects:
        raise InputError(f"no agent of {store.folder} is a model, so that there are no replies to read")
    if instead:
        other = profiles_of(check_agents([instead]))
        if not other:
            raise InputError(f"{instead!r} is no model, and reads no replies")
        dialects = dict.fromkeys(dialects, other[0].spoken())
    for spec in episodes(store.run.plan, suite):
        dialect = dialects.get(spec.agent_named)
        if dialect is None:
            continue
        for step in read_kept(store.folder / spec.folder):
            for number, exchange in enumerate(step.exchanges):
                if exchange.answer is None:
                    continue
                yield Reread(
                    episode=str(spec.folder),
                    agent=spec.agent,
                    step=step.step,
                    number=number,
                    text=exchange.answer.text,
                    then=dict(exchange.outcome),
                    now=outcome_to_json(read(exchange.answer, dialect, step.view)),
                )


def _bare(outcome: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in outcome.items() if name != "why"}
