"""Run episodes over the real wire with a scripted agent."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from garabench.agents.interface import Brief, Decision, Turn
from garabench.campaign.planner import make_plan
from garabench.core import action as act
from garabench.core import events as ev
from garabench.core.clock import SystemClock
from garabench.core.companion_app import PACKAGE
from garabench.core.goal import Goal
from garabench.core.observation import Observation
from garabench.core.rule import BoundRule, Rule
from garabench.core.selector import Selector, find
from garabench.device.device import Device
from garabench.episode.runner import perform_episode
from garabench.episode.spec import EpisodeSpec
from tests.bundled import bundled_suite
from tests.planned import episodes

SUITE = bundled_suite()
TASK = "bili-like-song-live"
_E = TypeVar("_E", bound=ev.Event)
Move = Callable[[Observation], act.Action]


class ScriptedAgent:
    """An agent that makes the given moves, one per step, and then gives up."""

    name = "scripted"
    reference = False

    def __init__(self, moves: Sequence[Move]) -> None:
        self.moves = list(moves)
        self.observations: list[Observation] = []

    def start(self, brief: Brief) -> None:
        pass

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        self.observations.append(observation)
        if not self.moves:
            return Decision(act.GiveUp(reason="the script is over"))
        return Decision(self.moves.pop(0)(observation))

    def close(self) -> None:
        pass


def tap_nowhere(observation: Observation) -> act.Action:
    """Tap the left edge of the status bar, where nothing reacts."""
    return act.Tap(x=2, y=2)


def press_button(key: str) -> Move:
    """Make a move that taps a button of the interruption."""

    def move(observation: Observation) -> act.Action:
        (button,) = find(observation.tree, Selector(id=f"button_{key}", package=PACKAGE))
        at = button.bounds.center
        return act.Tap(x=at.x, y=at.y)

    return move


def always(action: act.Action) -> Move:
    """Make a move that performs the action on any screen."""
    return lambda observation: action


def make_rule(inject: str) -> Rule:
    """Make a rule that fires on the first screen."""
    return Rule.model_validate(
        {
            "id": "at-once",
            "description": "On any screen",
            "when": {"all": [{"not": {"exists": {"text": "nothing has this text"}}}]},
            "inject": inject,
        }
    )


def make_spec(inject: str, condition: str = "dual", goal: object = None) -> EpisodeSpec:
    """Make an episode of the test task with one rule, and a goal that is never met by default."""
    plan = make_plan(SUITE.select(TASK), ("ignore",), conditions=(condition,))
    (planned,) = episodes(plan, SUITE)
    goal_condition = goal or {"exists": {"text": "nothing has this text"}}
    return dataclasses.replace(
        planned,
        agent="scripted",
        rules=(BoundRule(make_rule(inject), "any"),),
        goal=Goal.model_validate({"id": "requested", "condition": goal_condition}),
    )


def run_scripted(
    device: Device, folder: Path, spec: EpisodeSpec, *moves: Move
) -> tuple[tuple[ev.Event, ...], ScriptedAgent]:
    """Run an episode with the given moves, and return its events and the agent."""
    agent = ScriptedAgent(moves)
    perform_episode(spec, device, agent, folder, SystemClock())
    (path,) = folder.glob("episodes/**/events.jsonl")
    with path.open(encoding="utf-8") as lines:
        return ev.read_lines(lines, path.name), agent


def events_of(log: Sequence[ev.Event], kind: type[_E]) -> list[_E]:
    """Return the events of one type."""
    return [event for event in log if isinstance(event, kind)]


def outcome(log: Sequence[ev.Event]) -> tuple[str, str]:
    """Return the outcome and its reason."""
    end = log[-1]
    assert isinstance(end, ev.EpisodeEnded)
    return end.outcome, end.reason
