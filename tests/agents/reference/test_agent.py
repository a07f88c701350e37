"""The reference agents on screens made by hand: following, answering, ignoring, and finding the way back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from garabench.agents.interface import Brief, Decision
from garabench.agents.reference.agent import ReferenceAgent
from garabench.agents.reference.policy import COMPANION, Policy
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


def test_the_solution_is_followed_by_selectors_to_its_end() -> None:
    last = screen("Product", "picture", "add_to_cart")
    found = decide(agent(), HOME, RESULTS, last, last)
    assert found == [act.Tap(x=540, y=50), act.Tap(x=540, y=50), act.Tap(x=540, y=150), act.Done(answer="")]


@pytest.mark.parametrize(
    ("policy", "y"), [(Policy.DISMISS, 50), (Policy.ACCEPT, 150)], ids=["dismiss", "accept"]
)
def test_an_interruption_is_answered_by_the_policys_button(policy: Policy, y: int) -> None:
    assert decide(agent(policy), DIALOG) == [act.Tap(x=540, y=y)]


def test_random_draws_the_same_buttons_from_the_same_seed() -> None:
    draws = [decide(agent(Policy.RANDOM), *[DIALOG] * 12) for _ in range(2)]
    assert draws[0] == draws[1]
    assert len({str(action) for action in draws[0]}) == 3


def test_a_page_without_buttons_is_waited_for() -> None:
    assert decide(agent(), screen("Progress", "bar", package=COMPANION)) == [act.Wait(seconds=2)]


def test_ignore_taps_on_through_the_dialog_where_the_steps_element_was() -> None:
    one = agent(Policy.IGNORE)
    both = screen("Results", "filter", "product_title")
    found = decide(one, HOME, both)
    assert found == [act.Tap(x=540, y=50), act.Tap(x=540, y=150)]
    # "add_to_cart" was on no screen yet: the middle of the screen.
    assert decide(one, DIALOG) == [act.Tap(x=540, y=1200)]
    assert decide(one, DIALOG) == [act.Done(answer="")]


def test_ignore_goes_back_through_the_dialog_and_never_presses_its_buttons_by_name() -> None:
    one = agent(Policy.IGNORE, (BackStep(back=None), SOLUTION[0]))
    assert decide(one, DIALOG) == [act.Back()]


@pytest.mark.parametrize("package", ["android", "com.google.android.permissioncontroller"])
def test_a_systems_dialog_over_the_app_is_no_foreign_screen(package: str) -> None:
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
def test_settings_and_the_page_of_permissions_are_left_by_back_at_once(page: Observation) -> None:
    one = agent()
    decide(one, HOME)
    assert decide(one, page, RESULTS) == [act.Back(), act.Tap(x=540, y=50)]


def test_from_the_launcher_where_back_changes_nothing_the_app_is_opened_again() -> None:
    one = agent()
    decide(one, HOME)
    assert decide(one, LAUNCHER, LAUNCHER) == [act.Back(), act.OpenApp(package=APP)]


def test_after_a_relaunch_a_step_is_begun_again_only_where_it_was_done() -> None:
    one = agent()
    decide(one, HOME, RESULTS)
    found: list[Decision] = [one.decide(HOME, ()) for _ in range(3)]
    waits, again = found[:2], found[2]
    assert [each.action for each in waits] == [act.Wait(seconds=0.5)] * 2
    assert again.thought == "restart from step 1 of the solution"
    assert again.action == act.Tap(x=540, y=50)  # not the product that the home page recommends


def test_after_a_relaunch_it_passes_over_what_has_lasted_as_well() -> None:
    # What the cart was freed of before a crash is not there to be taken out a second time.
    one = agent()
    decide(one, HOME, RESULTS)
    found = [one.decide(HOME, ()) for _ in range(3)]
    assert found[2].thought == "restart from step 1 of the solution"
    assert decide(one, *[screen("Cart", "add_to_cart")] * 3)[2] == act.Tap(x=540, y=50)


def test_lost_within_the_app_it_goes_back_a_few_times_and_gives_up() -> None:
    one = agent()
    elsewhere = screen("Help", "text")
    found = decide(one, *[elsewhere] * 6)
    assert found[:5] == [act.Wait(seconds=0.5)] * 2 + [act.Back()] * 3
    assert isinstance(found[5], act.GiveUp)


def test_begun_again_it_passes_over_steps_whose_elements_are_gone() -> None:
    # As after a restart of the app, when what the first steps did has lasted.
    one = agent()
    decide(one, HOME, RESULTS)
    one.restart()
    found = decide(one, *[screen("Product", "add_to_cart")] * 3)
    assert found == [act.Wait(seconds=0.5)] * 2 + [act.Tap(x=540, y=50)]


def test_begun_again_it_takes_the_first_step_where_its_element_is_there() -> None:
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


def test_wifi_that_is_off_is_turned_on_before_its_page_is_left() -> None:
    off, on = wifi_page(on=False), wifi_page(on=True)
    assert decide(agent(), HOME, off, on) == [act.Tap(x=540, y=50), act.Tap(x=540, y=150), act.Back()]
    stuck = decide(agent(), HOME, off, off)
    assert stuck[1:] == [act.Tap(x=540, y=150), act.Back()]  # it is tried once, not for ever
