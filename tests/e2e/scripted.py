"""Run episodes over the wire with a scripted agent."""

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
from garabench.episode.runner import run_episode
from garabench.episode.spec import EpisodeSpec
from tests.bundled import bundled_suite
from tests.planned import episodes

SUITE = bundled_suite()
TASK = "bili-like-song-live"
_E = TypeVar("_E", bound=ev.Event)
Move = Callable[[Observation], act.Action]


class Scripted:
    """An agent that makes the given moves, one per step, and then gives up."""

    name = "scripted"
    reference = False

    def __init__(self, moves: Sequence[Move]) -> None:
        self.moves = list(moves)
        self.seen: list[Observation] = []

    def start(self, brief: Brief) -> None:
        pass

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        self.seen.append(observation)
        if not self.moves:
            return Decision(act.GiveUp(reason="the script is over"))
        return Decision(self.moves.pop(0)(observation))

    def close(self) -> None:
        pass


def nowhere(observation: Observation) -> act.Action:
    """Tap where nothing reacts, on the left edge of the status bar."""
    return act.Tap(x=2, y=2)


def press(key: str) -> Move:
    def move(observation: Observation) -> act.Action:
        (button,) = find(observation.tree, Selector(id=f"button_{key}", package=PACKAGE))
        at = button.bounds.center
        return act.Tap(x=at.x, y=at.y)

    return move


def does(action: act.Action) -> Move:
    return lambda observation: action


def rule(inject: str) -> Rule:
    return Rule.model_validate(
        {
            "id": "at-once",
            "description": "On any screen",
            "when": {"all": [{"not": {"exists": {"text": "nothing has this text"}}}]},
            "inject": inject,
        }
    )


def spec(inject: str, condition: str = "dual", goal: object = None) -> EpisodeSpec:
    plan = make_plan(SUITE.select(TASK), ("ignore",), conditions=(condition,))
    (made,) = episodes(plan, SUITE)
    condition_of_goal = goal or {"exists": {"text": "nothing has this text"}}
    return dataclasses.replace(
        made,
        agent="scripted",
        rules=(BoundRule(rule(inject), "any"),),
        goal=Goal.model_validate({"id": "asked", "condition": condition_of_goal}),
    )


def perform(
    device: Device, folder: Path, what: EpisodeSpec, *moves: Move
) -> tuple[tuple[ev.Event, ...], Scripted]:
    agent = Scripted(moves)
    run_episode(what, device, agent, folder, SystemClock())
    (path,) = folder.glob("episodes/**/events.jsonl")
    with path.open(encoding="utf-8") as lines:
        return ev.read_lines(lines, path.name), agent


def of(log: Sequence[ev.Event], kind: type[_E]) -> list[_E]:
    return [event for event in log if isinstance(event, kind)]


def outcome(log: Sequence[ev.Event]) -> tuple[str, str]:
    end = log[-1]
    assert isinstance(end, ev.EpisodeEnded)
    return end.outcome, end.reason
