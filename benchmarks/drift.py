"""Perception drift of an agent that repeats the gestures of clean episodes on any screen."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import garabench
from benchmarks.report import Measure
from garabench import Brief, Decision, Observation, Selector, Turn, actions, find
from garabench.core.action import from_json
from garabench.core.events import Decided, EpisodeStarted

_TASKS = (
    "amap-company-hopson,amap-favorite-tongji,amazon-list-duo-plus,bili-coin-newest-of-uploader,"
    "bili-keep-short-video,ctrip-train-g1122-second-class,fb-save-cheapest-desk,gmaps-home-address,"
    "jd-open-cheapest-humidifier,jd-order-two-books,weibo-keep-post-found-on-a-page,"
    "weibo-pass-on-top-of-hot-search"
)
"""Tasks of all apps with an interruption after whose hard exit the app is open anew."""
_WINDOW = "org.garabench.interruptions"
_BUTTONS = ("accept", "dismiss", "close", "exit")


class ReplayingAgent:
    """Repeats the actions of a clean episode by their coordinates, and accepts what interrupts it."""

    name = "replaying"
    reference = False

    def __init__(self, clean: str) -> None:
        """Make an agent.

        Args:
            clean: JSON file with the actions of the clean episodes, by instruction.
        """
        self._clean = json.loads(Path(clean).read_text(encoding="utf-8"))
        self._left: list[dict[str, object]] = []

    def start(self, brief: Brief) -> None:
        """Begin with the first action of the task's clean episode."""
        self._left = list(self._clean[brief.instruction])

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        """Accept an interruption, or else repeat the next action without a look at the screen."""
        for key in _BUTTONS:
            for button in find(observation.tree, Selector(id=f"button_{key}", package=_WINDOW)):
                place = button.bounds.center
                return Decision(actions.Tap(x=place.x, y=place.y))
        if not self._left:
            return Decision(actions.GiveUp(reason="every action was repeated"))
        return Decision(from_json(self._left.pop(0)))

    def close(self) -> None:
        """Do nothing."""


def measure_drift(folder: Path) -> list[Measure]:
    """Record clean episodes, repeat their actions under interruption, and count what drifted.

    Args:
        folder: An empty folder for the runs.
    """
    tasks = garabench.Suite.load().select(_TASKS)
    clean = garabench.run(garabench.make_plan(tasks, ("dismiss",), conditions=("clean",)), folder / "clean")
    recorded = {}
    for episode in clean.episodes:
        (started,) = (event for event in episode.events if isinstance(event, EpisodeStarted))
        decided = (event for event in episode.events if isinstance(event, Decided))
        recorded[started.instruction] = [event.action for event in decided]
    path = folder / "clean.json"
    path.write_text(json.dumps(recorded), encoding="utf-8")
    agent = f"replaying=benchmarks.drift:ReplayingAgent?clean={path}"
    run = garabench.run(garabench.make_plan(tasks, (agent,), conditions=("clean", "forced")), folder / "run")
    solved = sum(each.outcome == "success" for each in run.summaries if each.condition == "clean")
    (row,) = garabench.compare(run).recovery
    note = f"of {row.drift.trials} interruptions with a known answer, forced"
    return [
        Measure("drift: clean episodes solved", solved, "times", len(tasks), at_least=True),
        Measure("drift: found", row.drift.successes, "times", 1, at_least=True, note=note),
        Measure("drift: an element is gone", row.target_gone.successes, "times", note=note),
        Measure("drift: a text is gone", row.text_gone.successes, "times", note=note),
    ]
