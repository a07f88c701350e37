"""Episodes that end when the agent says done, over the real wire."""

from __future__ import annotations

from pathlib import Path

import pytest

import garabench
from garabench.core import events as ev
from garabench.core.end_criterion import EndCriterion
from tests.bundled import bundled_suite

pytestmark = pytest.mark.e2e

TASK = "amap-satellite-with-traffic"
RESTLESS = """
from garabench import Decision, actions

class Restless:
    def __init__(self, labels: str): self.labels = labels.split()
    def start(self, brief): pass
    def decide(self, observation, history):
        if not self.labels:
            return Decision(actions.Done(), "no label is left")
        label = self.labels.pop(0)
        point = next(n.bounds.center for n in observation.tree.nodes if label in (n.text, n.desc))
        return Decision(actions.Tap(x=point.x, y=point.y), label)
    def close(self): pass
"""
"""Taps the given labels, then says done; the last tap may undo what was reached."""


@pytest.mark.parametrize(
    ("end", "labels", "outcome", "reason", "steps"),
    [
        (EndCriterion.GOAL, "图层 卫星图 实时路况 实时路况", "success", "goal_met", 3),
        (EndCriterion.DONE, "图层 卫星图 实时路况 实时路况", "failure", "false_done", 4),
        (EndCriterion.DONE, "图层 卫星图 实时路况", "success", "goal_met", 3),
    ],
)
def test_undoing_the_goal_counts_until_done_only(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    adb_server: None,
    end: EndCriterion,
    labels: str,
    outcome: str,
    reason: str,
    steps: int,
) -> None:
    (tmp_path / "restless_agent.py").write_text(RESTLESS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    agent = f"restless_agent:Restless?labels={labels.replace(' ', '+')}"
    plan = garabench.make_plan(bundled_suite().select(TASK), (agent,), conditions=("clean",), end=end)
    done = garabench.run(plan, tmp_path / "run", jobs=1)
    (summary,) = done.summaries
    assert (summary.outcome, summary.reason, summary.steps) == (outcome, reason, steps)
    (episode,) = garabench.load_run(tmp_path / "run").episodes
    assert next(event.end for event in episode.events if isinstance(event, ev.EpisodeStarted)) is end
