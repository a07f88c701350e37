"""The reference agents on small screens: they follow, answer or ignore interruptions, and recover."""

from __future__ import annotations

from dataclasses import replace

import pytest

from garabench.agents.interface import Brief, Decision
from garabench.agents.reference.agent import ReferenceAgent
from garabench.agents.reference.exit_choice import COMPANION, Policy
from garabench.core import action as act
from garabench.core.geometry import Rect, Size
from garabench.core.observation import Focus, Observation, Screenshot, TreeSource
from garabench.core.selector import Selector
from garabench.core.steps import BackStep, SolutionStep, TapStep
from garabench.core.tree import UiNode, UiTree

APP = "com.example.shop"
SCREEN = Size(1080, 2400)
SOLUTION: tuple[SolutionStep, ...] = (
    TapStep(tap=Selector(id="search_bar")),
    TapStep(tap=Selector(id="product_title")),
    TapStep(tap=Selector(id="add_to_cart")),
)


def node(name: str, top: int, package: str = APP, text: str = "") -> UiNode:
    bounds = Rect(0, top, 1080, top + 100)
    return UiNode(resource_id=f"{package}:id/{name}", package=package, bounds=bounds, text=text)


def screen(activity: str, *names: str, package: str = APP) -> Observation:
    children = tuple(node(name, 100 * place, package) for place, name in enumerate(names))
    tree = UiTree((UiNode(package=package, bounds=Rect(0, 0, 1080, 2400), children=children),))
    return Observation(
        step=0,
        tree=tree,
        screenshot=Screenshot(png=b"", size=SCREEN),
        focus=Focus(package, activity),
        source=TreeSource.U2,
        source_reason="",
        elapsed=0,
        screen=SCREEN,
    )


HOME = screen("Home", "search_bar", "product_title")  # the home page recommends other products
RESULTS = screen("Results", "product_title")
LAUNCHER = screen("Launcher", "icon", package="com.android.launcher3")
SETTINGS = screen("Wifi", "switch", package="com.android.settings")
DIALOG = screen("Show", "button_close", "button_accept", "button_exit", package=COMPANION)


def agent(policy: Policy = Policy.DISMISS, solution: tuple[SolutionStep, ...] = SOLUTION) -> ReferenceAgent:
    made = ReferenceAgent(solution, policy)
    made.start(Brief("buy it", "en", APP, 15, SCREEN, 7))
    return made


def decide(one: ReferenceAgent, *screens: Observation) -> list[act.Action]:
    return [one.decide(each, ()).action for each in screens]


def test_the_solution_is_followed_to_its_end() -> None:
    last = screen("Product", "picture", "add_to_cart")
    found = decide(agent(), HOME, RESULTS, last, last)
    assert found == [act.Tap(x=540, y=50), act.Tap(x=540, y=50), act.Tap(x=540, y=150), act.Done(answer="")]


@pytest.mark.parametrize(
    ("policy", "y"), [(Policy.DISMISS, 50), (Policy.ACCEPT, 150)], ids=["dismiss", "accept"]
)
def test_an_interruption_is_answered_according_to_the_policy(policy: Policy, y: int) -> None:
    assert decide(agent(policy), DIALOG) == [act.Tap(x=540, y=y)]


def test_random_is_reproducible() -> None:
    draws = [decide(agent(Policy.RANDOM), *[DIALOG] * 12) for _ in range(2)]
    assert draws[0] == draws[1]
    assert len({str(action) for action in draws[0]}) == 3


def test_it_waits_on_a_page_without_buttons() -> None:
    assert decide(agent(), screen("Progress", "bar", package=COMPANION)) == [act.Wait(seconds=2)]


def test_ignore_taps_where_the_element_was() -> None:
    one = agent(Policy.IGNORE)
    both = screen("Results", "filter", "product_title")
    found = decide(one, HOME, both)
    assert found == [act.Tap(x=540, y=50), act.Tap(x=540, y=150)]
    # "add_to_cart" was on no screen yet: the middle of the screen.
    assert decide(one, DIALOG) == [act.Tap(x=540, y=1200)]
    assert decide(one, DIALOG) == [act.Done(answer="")]


def test_ignore_performs_back_despite_the_dialog() -> None:
    one = agent(Policy.IGNORE, (BackStep(back=None), SOLUTION[0]))
    assert decide(one, DIALOG) == [act.Back()]


@pytest.mark.parametrize("package", ["android", "com.google.android.permissioncontroller"])
def test_a_system_dialog_over_the_app_is_not_another_app(package: str) -> None:
    one = agent(solution=(TapStep(tap=Selector(id="permission_deny_button")), *SOLUTION))
    dialog = screen("Grant", "permission_allow_button", "permission_deny_button", package=package)
    assert decide(one, dialog) == [act.Tap(x=540, y=150)]


@pytest.mark.parametrize(
    "page",
    [
        SETTINGS,
        screen(
            "com.android.permissioncontroller.permission.ui.ManagePermissionsActivity",
            "recycler_view",
            package="com.android.permissioncontroller",
        ),
    ],
    ids=["settings", "permissions"],
)
def test_settings_pages_are_left_by_back(page: Observation) -> None:
    one = agent()
    decide(one, HOME)
    assert decide(one, page, RESULTS) == [act.Back(), act.Tap(x=540, y=50)]


def test_from_the_launcher_the_app_is_opened() -> None:
    one = agent()
    decide(one, HOME)
    assert decide(one, LAUNCHER, LAUNCHER) == [act.Back(), act.OpenApp(package=APP)]


def test_after_a_relaunch_a_step_is_repeated_only_on_its_activity() -> None:
    one = agent()
    decide(one, HOME, RESULTS)
    found: list[Decision] = [one.decide(HOME, ()) for _ in range(3)]
    waits, again = found[:2], found[2]
    assert [each.action for each in waits] == [act.Wait(seconds=0.5)] * 2
    assert again.thought == "restart from step 1 of the solution"
    assert again.action == act.Tap(x=540, y=50)  # not the product that the home page recommends


def test_after_a_relaunch_persistent_steps_are_skipped() -> None:
    # What the cart was freed of before a crash is not there to be taken out a second time.
    one = agent()
    decide(one, HOME, RESULTS)
    found = [one.decide(HOME, ()) for _ in range(3)]
    assert found[2].thought == "restart from step 1 of the solution"
    assert decide(one, *[screen("Cart", "add_to_cart")] * 3)[2] == act.Tap(x=540, y=50)


def test_when_lost_it_goes_back_and_gives_up() -> None:
    one = agent()
    elsewhere = screen("Help", "text")
    found = decide(one, *[elsewhere] * 6)
    assert found[:5] == [act.Wait(seconds=0.5)] * 2 + [act.Back()] * 3
    assert isinstance(found[5], act.GiveUp)


def test_a_restart_skips_steps_whose_elements_are_gone() -> None:
    # As after a restart of the app, when what the first steps did has lasted.
    one = agent()
    decide(one, HOME, RESULTS)
    one.restart()
    found = decide(one, *[screen("Product", "add_to_cart")] * 3)
    assert found == [act.Wait(seconds=0.5)] * 2 + [act.Tap(x=540, y=50)]


def test_a_restart_performs_the_first_step_if_its_element_is_shown() -> None:
    one = agent()
    decide(one, HOME, RESULTS)
    one.restart()
    assert decide(one, HOME, RESULTS) == [act.Tap(x=540, y=50)] * 2


def wifi_page(*, on: bool) -> Observation:
    package = "com.android.settings"
    switch = UiNode(
        resource_id="android:id/switch_widget", package=package, bounds=Rect(0, 100, 1080, 200), checked=on
    )
    tree = UiTree((UiNode(package=package, bounds=Rect(0, 0, 1080, 2400), children=(switch,)),))
    return replace(SETTINGS, tree=tree, focus=Focus(package, f"{package}.Settings$WifiSettingsActivity"))


def test_wifi_is_turned_on_before_its_page_is_left() -> None:
    off, on = wifi_page(on=False), wifi_page(on=True)
    assert decide(agent(), HOME, off, on) == [act.Tap(x=540, y=50), act.Tap(x=540, y=150), act.Back()]
    stuck = decide(agent(), HOME, off, off)
    assert stuck[1:] == [act.Tap(x=540, y=150), act.Back()]  # it is tried once, not for ever
