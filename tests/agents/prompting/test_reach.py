"""On the screens of all apps, each control has a number, and the number taps the control."""

from __future__ import annotations

import pytest

from garabench.agents.dialects.catalog import DIALECTS
from garabench.agents.dialects.coordinates import ScreenView
from garabench.agents.prompting.element_list import describe_elements
from garabench.agents.prompting.elements import acts, elements_of
from garabench.core.geometry import Point, Size
from garabench.core.tree import UiNode, UiTree, parse_tree
from garabench.virtual.apps.catalog import installed_apps
from garabench.virtual.ui import dump
from tests.virtual.apps.robot import AppRobot

APPS = [app for app in installed_apps() if app.launcher and not app.package.startswith("org.garabench")]
SCREEN = Size(1080, 2400)


def hit(node: UiNode, point: Point) -> UiNode | None:
    """Return the control that a tap reaches: the topmost clickable one at the point."""
    for child in reversed(node.children):
        if child.visible and child.bounds.contains(point) and (found := hit(child, point)) is not None:
            return found
    return node if acts(node) else None


def reached(tree: UiTree, point: Point) -> UiNode | None:
    window = next((root for root in tree.roots if root.bounds.contains(point)), None)
    return None if window is None else hit(window, point)


@pytest.mark.parametrize("app", APPS, ids=[app.package for app in APPS])
def test_every_control_is_reached_by_a_number(app: object) -> None:
    robot = AppRobot(app)  # type: ignore[arg-type]
    robot.open(robot.app.launcher)
    tree = parse_tree(dump.u2_xml(robot.phone.scene()))
    found = elements_of(tree, SCREEN)
    controls = [node for root in tree.roots if root.package == robot.app.package for node in root.walk()]
    tapped = {id(reached(tree, element.rect.center)) for element in found}
    missed = [
        (node.entry, node.text, str(node.bounds))
        for node in controls
        if node.clickable and reached(tree, node.bounds.center) is node and id(node) not in tapped
    ]
    assert found and not missed
    expected = describe_elements(
        found, ScreenView(SCREEN, SCREEN, tuple(one.rect for one in found)), DIALECTS["json"], 3000
    )
    assert expected.omitted == 0, "the first screen of an app fits into the usual budget"
