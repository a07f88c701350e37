"""Perception drift on a virtual phone: from the agents' actions to the tables and the report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from lxml import etree

import garabench
from garabench.cli.main import main
from garabench.records.aftermath import Drift
from tests.bundled import bundled_suite

pytestmark = pytest.mark.e2e
TASK = "bili-like-hottest-comment"
AGENTS = """
from garabench import Decision, Selector, actions, find

SEARCH, FIELD, GO = Selector(id="expand_search"), Selector(id="search_src_text"), Selector(id="action_search")
FIRST_RESULT = (540, 440)

def tap(selector):
    def act(tree):
        place = next(iter(find(tree, selector))).bounds.center
        return actions.Tap(x=place.x, y=place.y)
    return act

def type_text(tree):
    return actions.Type(text="圆的面积", submit=True)

def tap_where_the_first_result_was(tree):
    return actions.Tap(x=FIRST_RESULT[0], y=FIRST_RESULT[1])

class Searching:
    # The app crashes on the page of results. Reopened, it is on its first page.
    after = ()
    def start(self, brief):
        self.moves = [tap(SEARCH), type_text, tap(Selector(id="button_accept")), tap(SEARCH), *self.after]
    def decide(self, observation, history):
        return Decision(self.moves.pop(0)(observation.tree) if self.moves else actions.GiveUp(reason="over"))
    def close(self):
        pass

class SearchesWithoutText(Searching):
    after = (tap(GO),)
class TapsTheGoneResult(Searching):
    after = (tap_where_the_first_result_was,)
class TypesAgain(Searching):
    after = (type_text,)
"""


def test_an_agent_that_acts_on_what_a_crash_removed_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "drifting_agents_for_e2e_test.py").write_text(AGENTS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    agents = ("SearchesWithoutText", "TapsTheGoneResult", "TypesAgain")
    plan = garabench.make_plan(
        bundled_suite().select(TASK),
        [f"{name}=drifting_agents_for_e2e_test:{name}" for name in agents],
        conditions=("forced",),
    )
    run = garabench.run(plan, tmp_path / "run")
    expected = {
        "SearchesWithoutText": (Drift.TEXT_GONE,),
        "TapsTheGoneResult": (Drift.TARGET_GONE,),
        "TypesAgain": (),
    }
    found = {each.agent: each.interruptions for each in run.summaries}
    assert {agent: [each.interruption for each in shown] for agent, shown in found.items()} == {
        agent: ["app-crash"] for agent in expected
    }
    for agent, (shown,) in found.items():
        assert shown.aftermath is not None
        assert shown.aftermath.drift == expected[agent], agent

    compared = CliRunner().invoke(main, ["compare", "run", "--format", "json"])
    rows = {row["agent"]: row for row in json.loads(compared.output)["recovery"]}
    assert {
        agent: [row[name]["successes"] for name in ("drift", "text_gone", "target_gone")]
        for agent, row in rows.items()
    } == {"SearchesWithoutText": [1, 1, 0], "TapsTheGoneResult": [1, 0, 1], "TypesAgain": [0, 0, 0]}
    assert all((row["drift"]["trials"], row["drift_unknown"]) == (1, 0) for row in rows.values())

    page = garabench.write_report(run, tmp_path / "report.html").read_text(encoding="utf-8")
    (table,) = [each for each in etree.HTML(page).iter("table") if "perception drift" in text_of(each)]
    heads, *rows_shown = [[text_of(cell) for cell in row] for row in table.iter("tr")]
    shares = {cells[0]: cells[heads.index("Drift")] for cells in rows_shown}
    assert shares == {
        "SearchesWithoutText": "100% (1/1)",
        "TapsTheGoneResult": "100% (1/1)",
        "TypesAgain": "0% (0/1)",
    }


def text_of(element: etree._Element) -> str:
    return str(element.xpath("normalize-space(translate(., '\N{NO-BREAK SPACE}', ' '))"))
