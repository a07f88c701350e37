"""Perform a task's steps by touch: find the element in the UI tree and tap its centre."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from garabench.core.evaluate import Verdict, evaluate
from garabench.core.geometry import Point
from garabench.core.goal import Goal
from garabench.core.observation import Focus
from garabench.core.selector import Selector, find
from garabench.core.steps import (
    AnswerStep,
    BackStep,
    LongPressStep,
    OpenAppStep,
    ScrollStep,
    SolutionStep,
    TapStep,
    TypeStep,
    WaitForStep,
)
from garabench.core.tree import UiNode, UiTree, parse_tree
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.package_manager import LAUNCHER, MAIN
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.settings import Settings
from garabench.virtual.apps.bilibili.app import APP as BILIBILI
from garabench.virtual.apps.settings.app import APP as SETTINGS
from garabench.virtual.kit.framework import App, Intent
from garabench.virtual.ui.dump import u2_xml
from garabench.virtual.ui.scene import Scene

MILLISECONDS_TO_SETTLE = 800
ENTER = 66
MAX_SCROLLS = 8


@dataclass(frozen=True)
class PhoneFacts:
    """The screen for goals and rules, and the settings of its phone."""

    tree: UiTree
    focus: Focus | None
    answer: str | None
    settings: Settings

    def setting(self, namespace: str, key: str) -> str | None:
        return self.settings.get(namespace, key)

    def package_state(self, package: str, state: str) -> bool | None:
        return None

    def content(self, uri: str) -> str | None:
        return None


class Driver:
    """A phone with an app in the foreground, the system's settings, and possibly other apps."""

    def __init__(
        self, profile: str = "android-34:1080x2400", app: App = BILIBILI, others: Iterable[App] = ()
    ) -> None:
        self.app = app
        installed = {each.package: each for each in (app, SETTINGS, *others)}
        self.phone = Phone(Profile.parse(profile), apps=list(installed.values()), strict=True)
        self.answer: str | None = None
        self._read: tuple[Scene, UiTree] | None = None
        self.launch()

    def launch(self) -> None:
        self.phone.activities.start(Intent(package=self.app.package, activity=self.app.launcher))
        self.settle()

    def settle(self) -> None:
        self.phone.clock.advance(MILLISECONDS_TO_SETTLE)

    def facts(self) -> PhoneFacts:
        scene = self.phone.scene()
        if self._read is None or self._read[0] is not scene:  # the same scene is the same tree
            self._read = scene, parse_tree(u2_xml(scene, compressed=False, max_depth=50))
        tree = self._read[1]
        front = self.phone.activities.resumed
        focus = Focus(front.app.package, front.name) if front else None
        return PhoneFacts(tree, focus, self.answer, self.phone.settings)

    def holds(self, goal: Goal) -> Verdict:
        return evaluate(goal.condition, self.facts())

    def find(self, selector: Selector) -> UiNode:
        found = find(self.facts().tree, selector)
        assert found, f"nothing is {selector.describe()}"
        return found[0]

    def do(self, step: SolutionStep) -> None:
        """Perform one step and let the screen settle."""
        touch = self.phone.input
        match step:
            case TapStep():
                at = self.find(step.tap).bounds.center
                touch.tap(at.x, at.y)
            case LongPressStep():
                at = self.find(step.long_press).bounds.center
                touch.long_press(at.x, at.y, 800)
            case TypeStep():
                at = self.find(step.type.into or Selector(cls="EditText")).bounds.center
                touch.tap(at.x, at.y)
                if step.type.clear:
                    self.phone.ime.clear()
                self.phone.ime.commit_text(step.type.text)
                if step.type.submit:
                    touch.key(ENTER)
            case BackStep():
                if self.phone.ime.shown:  # as in the runner: the keyboard does not count as a screen
                    self.phone.press_back()
                self.phone.press_back()
            case OpenAppStep():
                app = self.phone.packages.get(step.open_app)
                assert app is not None, f"there is no {step.open_app}"
                opened = Intent(
                    action=MAIN,
                    categories=frozenset({LAUNCHER}),
                    package=step.open_app,
                    activity=app.app.launcher,
                )
                self.phone.activities.start(opened)
            case AnswerStep():
                self.answer = step.answer
            case ScrollStep():
                self._scroll(step)
            case WaitForStep():
                self.find(step.wait_for)
            case _:
                raise AssertionError(f"the driver knows no {type(step).__name__}")
        self.settle()

    def _scroll(self, step: ScrollStep) -> None:
        inside = step.scroll.inside
        area = self.find(inside).bounds if inside else None
        middle = area.center if area else Point(*_half(self.phone))
        reach = (area.height if area else self.phone.display.current_size.height) // 4
        if step.scroll.direction == "up":
            reach = -reach
        assert step.scroll.direction in ("up", "down"), "the driver scrolls up and down"
        for _ in range(MAX_SCROLLS):
            if step.scroll.until is None or find(self.facts().tree, step.scroll.until):
                return
            self.phone.input.swipe(middle.x, middle.y + reach, middle.x, middle.y - reach, 400)
            self.settle()
        assert step.scroll.until is None, f"no scrolling shows {step.scroll.until.describe()}"


def _half(phone: Phone) -> tuple[int, int]:
    size = phone.display.current_size
    return size.width // 2, size.height // 2
