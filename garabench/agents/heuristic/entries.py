"""The baseline agent, as the list of agents shows it."""

from __future__ import annotations

from garabench.agents.interface import Agent
from garabench.agents.setting import Setting
from garabench.agents.spec import Entry, Kind, Maker, Options
from garabench.core.names import did_you_mean
from garabench.errors import InputError


def _build(options: Options) -> Maker:
    if options:
        name = next(iter(options))
        raise InputError(f"heuristic has no option {name!r}", hint=did_you_mean(name, ()))
    return _make


def _make(setting: Setting) -> Agent:
    from garabench.agents.heuristic.agent import HeuristicAgent  # names are completed without it

    return HeuristicAgent(setting.name)


def entries() -> tuple[Entry, ...]:
    """The one agent of this family."""
    about = "reads the instruction and the screen by rules; no model, no solution"
    return (Entry("heuristic", Kind.HEURISTIC, about, _build),)
