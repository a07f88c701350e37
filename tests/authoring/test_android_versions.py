"""Trees as three Android versions dump them: rules and goals are proposed for them, explained and tested."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from garabench.authoring.goal_proposal import propose_goal
from garabench.authoring.goal_test import check_goal_on
from garabench.authoring.rule_proposal import NamedScreen, propose_rule
from garabench.core.goal import bind
from garabench.core.recorded_facts import RecordedFacts
from garabench.core.selector import Selector, find
from garabench.core.tree import parse_tree
from garabench.rules.explain import explain_rule
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.app_files.app_loader import read_app
from garabench.virtual.kit.framework import Intent
from garabench.virtual.ui.dump import u2_xml, uiautomator_xml, windows_xml
from garabench.virtual.ui.scene import Scene

TEA_SHOP = Path(__file__).parents[2] / "docs" / "examples" / "tea-shop" / "apps" / "tea-shop.yaml"


@pytest.mark.parametrize(
    ("profile", "dump"),
    [
        ("android-19", lambda scene: uiautomator_xml(scene, decor=True)),
        ("android-30", uiautomator_xml),
        ("android-30", u2_xml),
        ("android-34", uiautomator_xml),
        ("android-34", u2_xml),
        ("android-34", windows_xml),
    ],
)
def test_rules_and_goals_work_on_the_trees_of_each_version(
    profile: str, dump: Callable[[Scene], str]
) -> None:
    app = read_app(TEA_SHOP)
    phone = Phone(Profile.parse(profile), apps=(app,), lang="zh")
    phone.activities.start(Intent(package=app.package, activity=app.launcher))
    phone.clock.advance(300)

    def screen(name: str) -> NamedScreen:
        return NamedScreen(name, RecordedFacts(parse_tree(dump(phone.scene()))))

    menu = screen("menu")
    (row,) = find(menu.facts.tree, Selector(text="铁观音"))
    phone.input.tap(row.bounds.center.x, row.bounds.center.y)
    phone.clock.advance(500)
    tea = screen("tea")

    rule = propose_rule(tea, [menu], rule="tea-options", inject="data-usage").bound
    assert rule.app == app.package
    assert [explain_rule(rule, each.facts, None).fires for each in (tea, menu)] == [True, False]

    goal = propose_goal(menu.facts, tea.facts, goal="tea-open", named=["铁观音"])
    bound = bind(goal.schema, dict(goal.values))
    assert [check_goal_on(bound, each.facts).holds for each in (tea, menu)] == [True, False]
