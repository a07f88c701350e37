"""Bad input: every value stays defined, and the page says what cannot be concluded."""

from __future__ import annotations

import json

import pytest

from garabench.graph.action_trajectory import ActionStep, ActionTrajectory
from garabench.graph.analysis import analyze
from garabench.graph.graph_formats import analysis_data, dot, graphml
from garabench.graph.graph_page import graph_page
from garabench.graph.page_data import page_data
from tests.graph.made_trajectories import tap, trajectory

HOSTILE = "</script><img src=x onerror=alert(1)>\"'\\ \u202e\u2028\ud800\x00 {{ 7*7 }} <!--"


@pytest.mark.parametrize(
    ("found", "words"),
    [
        ([trajectory("ABC", True)], "only one trajectory"),
        ([trajectory("AB", False, 1), trajectory("AC", False, 2)], "No trajectory succeeded"),
        ([trajectory("ABC", True, number) for number in range(5)], "All trajectories are equal"),
        ([trajectory("A", True, 1), trajectory("A", True, 2)], "Every success has a single action"),
        ([trajectory("A", True, 1), trajectory("AB", True, 2)], "1 of 2 successes have a single action"),
        ([trajectory("", False, 1), trajectory("AB", True, 2)], "1 of 2 trajectories have no action"),
        ([trajectory("", False, 1)], "only one trajectory"),
        ([trajectory("ABABABAB" * 25, False, 1), trajectory("AB", True, 2)], ""),
        ([trajectory("A" * 200, False, 1), trajectory("A" * 200, True, 2)], ""),
        ([trajectory("A!iB", True, 1, condition="dual")], "No clean trajectory"),
        ([trajectory("?A?", True, 1), trajectory("?", False, 2)], "3 of 4 steps reach an unknown element"),
        ([trajectory("!i", False, 1, condition="dual"), trajectory("!i!i", True, 2, condition="dual")], ""),
    ],
)
def test_bad_input_is_defined_and_reported(found: list[ActionTrajectory], words: str) -> None:
    analysis = analyze(found)
    (task,) = analysis.tasks
    assert any(words in limit for limit in task.limits) or not words
    json.dumps(analysis_data(analysis), allow_nan=False)
    json.dumps(page_data(analysis), allow_nan=False)
    assert graphml([task.graph])
    assert dot([task.graph])


def test_hostile_texts_stay_text() -> None:
    steps = (ActionStep(tap(HOSTILE, argument=HOSTILE)), ActionStep(tap("B")))
    found = trajectory("", True, 1, steps=steps, task=HOSTILE, agent=HOSTILE, id=HOSTILE)
    analysis = analyze([found])
    page = graph_page(analysis, title=HOSTILE)
    assert page.count("<script") == 4
    assert page.count("</script") == 4
    assert "<img src=x" not in page
    page.encode()
    graph = analysis.tasks[0].graph
    assert b"<img" not in graphml([graph])
    assert '\\"' in dot([graph])
    assert not {"\x00", "\u202e"} & set(dot([graph]))
    json.dumps(analysis_data(analysis), allow_nan=False)
