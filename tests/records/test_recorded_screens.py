"""Screens of an episode, with what had happened before each."""

from __future__ import annotations

from pathlib import Path

from garabench.records.recorded_screens import read_screens

EPISODE = Path(__file__).parents[1] / "data/runs/v1/episodes/amap-favorite-tongji/heuristic/dual/728928978"


def test_actions_are_counted_since_each_rule_fired() -> None:
    screens = read_screens(EPISODE)
    first, second = "amap-search-connection-lost", "amap-results-not-responding"
    at = {each.injected: number for number, each in enumerate(screens) if each.injected}
    assert list(at)[:2] == [first, second]
    assert screens[at[first]].fired == frozenset()
    assert screens[at[second]].fired == {first}
    assert screens[at[first]].actions_since(first) == {"tap": 2}  # since the start
    assert screens[at[second]].actions_since(first) == {"tap": 1, "type": 1}
    assert screens[-1].actions_since(first) == {"tap": 5, "type": 2}
    assert screens[-1].actions_since(second) == {"tap": 4, "type": 1}


def test_actions_before_a_single_tree_are_unknown() -> None:
    (screen,) = read_screens(next(EPISODE.parents[4].rglob("*.xml.gz")))
    assert screen.actions_since("any") is None
