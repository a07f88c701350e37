"""Agents of a run that were never reached."""

from __future__ import annotations

import pytest

from garabench.records.results import Summary
from garabench.stats.never_reached import never_reached_agents

DOWN = "model: http://127.0.0.1:9/v1: nobody listens there."


def summary(agent: str, outcome: str, fault: str = "") -> Summary:
    return Summary("task", agent, "clean", 0, outcome, "fault" if fault else "goal_met", 1, fault=fault)


@pytest.mark.parametrize(
    ("episodes", "found"),
    [
        ([], {}),
        ([summary("a", "success")], {}),
        ([summary("a", "error", DOWN)], {"a": DOWN}),
        ([summary("a", "error", "model: first"), summary("a", "error", DOWN)], {"a": DOWN}),
        ([summary("a", "error", DOWN), summary("a", "failure")], {}),
        ([summary("a", "error", DOWN), summary("b", "success")], {"a": DOWN}),
        ([summary("a", "error", "device: gone"), summary("a", "error", DOWN)], {"a": DOWN}),
        ([summary("a", "error", "harness: the disk is full")], {}),
        ([summary("a", "error", DOWN), summary("a", "error", "harness: model: no")], {}),
    ],
)
def test_agents_that_were_never_reached_are_listed(episodes: list[Summary], found: dict[str, str]) -> None:
    assert never_reached_agents(episodes) == found
