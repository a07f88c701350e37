"""The catalog entry of the baseline agent."""

from __future__ import annotations

from garabench.agents.context import AgentContext
from garabench.agents.interface import Agent
from garabench.agents.spec import AgentKind, AgentMaker, CatalogEntry, Options
from garabench.core.suggestions import did_you_mean
from garabench.errors import InputError


def _build(options: Options) -> AgentMaker:
    if options:
        name = next(iter(options))
        raise InputError(f"heuristic has no option {name!r}", hint=did_you_mean(name, ()))
    return _make


def _make(context: AgentContext) -> Agent:
    from garabench.agents.heuristic.agent import HeuristicAgent  # not needed to complete names

    return HeuristicAgent(context.name)


def heuristic_entries() -> tuple[CatalogEntry, ...]:
    """Return the only agent of this family."""
    about = "a rule-based baseline without a model; it does not see the solution"
    return (CatalogEntry("heuristic", AgentKind.HEURISTIC, about, _build),)
