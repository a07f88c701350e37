"""Agents that follow a task's reference solution by selectors, and differ in how they answer interruptions.

They measure the cost of a task and the effect of an interruption without a model; every table marks them as
*reference*. In addition to what all agents see (tree, screenshot, focus), they see the solution.
"""

from __future__ import annotations

from collections.abc import Sequence

from garabench.agents.interface import Brief, Decision, Turn
from garabench.agents.reference import exit_choice as policies
from garabench.agents.reference.exit_choice import Policy
from garabench.core import action as act
from garabench.core import steps
from garabench.core.geometry import Point, Size
from garabench.core.observation import Observation
from garabench.core.seeds import generator
from garabench.core.selector import Selector, find
from garabench.core.step_planner import plan_step, target_of
from garabench.core.steps import SolutionStep
from garabench.core.tree import UiNode, UiTree

_MAX_WAITS = 2  # waits for an element before the agent assumes that it is on another screen
_MAX_BACKS = 3
_MAX_SCROLLS = 12
_WAIT, _RETRACE, _LOST = "wait for the screen", "this screen is not part of the solution: go back", "lost"
SEARCHING_THOUGHTS = frozenset({_WAIT, _RETRACE, _LOST})
"""Thoughts of an agent that cannot find the solution's next element."""
_SYSTEM_DIALOGS = frozenset(
    {
        "android",
        "com.android.packageinstaller",
        "com.google.android.packageinstaller",
        "com.android.permissioncontroller",
        "com.google.android.permissioncontroller",
    }
)
"""Packages whose dialogs appear over the app that they concern; not the launcher or Settings."""
_PERMISSION_PAGE = "ManagePermissionsActivity"
"""A full page of these packages, which the agent leaves as it leaves Settings."""
_WIFI_OFF = Selector(id="android:id/switch_widget", package="com.android.settings", checked=False)


class ReferenceAgent:
    """Follows a task's reference solution.

    Attributes:
        name: The policy's name.
        reference: True.
    """

    reference = True

    def __init__(self, solution: Sequence[SolutionStep], policy: Policy) -> None:
        """Prepare.

        Args:
            solution: The task's reference solution.
            policy: How to answer interruptions.
        """
        self.name = policy.value
        self._solution = tuple(solution)
        self._policy = policy

    def start(self, brief: Brief) -> None:
        """Start at the solution's first step."""
        self._brief = brief
        self._draw = generator(brief.seed, "agent", self.name)
        self._cursor = 0
        self._waits = 0
        self._backs = 0
        self._scrolls = 0
        self._last_app_tree: UiTree | None = None
        self._last_activity = ""
        self._turned_on = ""  # the page on which the agent last turned Wi-Fi on
        self._left = ""  # the foreign activity on which the agent last pressed Back
        self._places: dict[int, str] = {}  # the activity of each completed step
        self._reached = 0  # number of steps completed before a restart
        opened = [step.open_app for step in self._solution if isinstance(step, steps.OpenAppStep)]
        self._own = {brief.app, *opened}

    @property
    def furthest(self) -> int:
        """Largest number of completed steps of the solution, before or since a restart."""
        return max(self._reached, self._cursor)

    def restart(self) -> None:
        """Restart at the first step, as after a restart of the app.

        A completed step is skipped if its element is gone and that of a later step is on screen, since its
        effect has persisted.
        """
        self._reached = self.furthest
        self._cursor = self._waits = self._backs = self._scrolls = 0

    def skip(self, places: Sequence[str]) -> None:
        """Begin after the first steps, which were performed before the agent was called.

        Args:
            places: The activity of each of these steps, on which it may be repeated if a later element is
                missing.
        """
        self._cursor = self._reached = min(len(places), len(self._solution))
        self._places = dict(enumerate(places))

    def close(self) -> None:
        """Release nothing."""

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        """Decide on the next step of the solution, or on a step back to it."""
        tree = observation.tree
        if policies.interrupted(tree):
            if self._policy is Policy.IGNORE:
                return self._tap_on(observation.screen)
            return self._answer(tree)
        if not self._at_home(observation):
            return self._return(observation)
        self._last_app_tree, self._last_activity = tree, observation.focus.activity
        self._left = self._turned_on = ""
        return self._follow(observation)

    def _answer(self, tree: UiTree) -> Decision:
        if self._policy is Policy.DISMISS and policies.announces_close_button(tree):
            return Decision(act.Wait(seconds=2), "wait for the close button")
        button = policies.choose(self._policy, policies.buttons(tree), self._draw)
        if button is None:
            return Decision(act.Wait(seconds=2), "wait until the page disappears")
        return Decision(_tap(button), f"press {button.text!r}")

    def _tap_on(self, screen: Size) -> Decision:
        """Perform the next step blindly: where its element was last seen, or at the center of the screen."""
        if self._cursor >= len(self._solution):
            return self._done()
        step = self._solution[self._cursor]
        self._places[self._cursor] = self._last_activity
        self._cursor += 1
        selector = target_of(step)
        seen = find(self._last_app_tree, selector) if selector and self._last_app_tree else ()
        if isinstance(step, steps.AnswerStep | steps.GiveUpStep):
            return self._done()
        if isinstance(step, steps.BackStep):
            return Decision(act.Back(), "continue as if nothing were there")
        at = seen[0].bounds.center if seen else Point(screen.width // 2, screen.height // 2)
        return Decision(act.Tap(x=at.x, y=at.y), "continue as if nothing were there")

    def _at_home(self, observation: Observation) -> bool:
        package, activity = observation.focus.package, observation.focus.activity
        dialog = package in _SYSTEM_DIALOGS and not activity.endswith(_PERMISSION_PAGE)
        if package in self._own or dialog:
            return True
        if self._cursor < len(self._solution):
            step = self._solution[self._cursor]
            selector = target_of(step)
            if isinstance(step, steps.OpenAppStep | steps.HomeStep | steps.BackStep):
                return True
            return selector is not None and bool(find(observation.tree, selector))
        return False

    def _return(self, observation: Observation) -> Decision:
        """Leave a foreign screen by Back or, if that has no effect (as on the launcher), by opening the app.

        On the Wi-Fi page it first turns Wi-Fi on if it is off: without it the app cannot load its pages.
        """
        here = str(observation.focus)
        off = find(observation.tree, _WIFI_OFF) if "Wifi" in observation.focus.activity else ()
        if off and here != self._turned_on:
            self._turned_on = here
            return Decision(_tap(off[0]), "turn Wi-Fi on")
        if self._backs < _MAX_BACKS and here != self._left:
            self._backs += 1
            self._left = here
            return Decision(act.Back(), "this is another app: go back")
        self._backs, self._left = 0, ""
        return Decision(act.OpenApp(package=self._brief.app), "open the app again")

    def _follow(self, observation: Observation) -> Decision:
        while self._cursor < len(self._solution):
            step = self._solution[self._cursor]
            decision = self._perform(step, observation)
            if decision is not None:
                return decision
            if self._cursor < len(self._solution) and self._solution[self._cursor] is step:
                return self._search(observation)
        return self._done()

    def _perform(self, step: SolutionStep, observation: Observation) -> Decision | None:
        """Return a step's action; None if it needs none (the cursor advances) or its element is absent."""
        tree = observation.tree
        if isinstance(step, steps.WaitForStep) and find(tree, step.wait_for):
            self._advance(observation)
            return None
        if isinstance(step, steps.ScrollStep):
            return self._scroll(step, observation)
        action = plan_step(step, tree, observation.screen)
        if action is None:
            return None
        self._advance(observation)
        return Decision(action, f"step {self._cursor} of the solution")

    def _scroll(self, step: steps.ScrollStep, observation: Observation) -> Decision | None:
        spec = step.scroll
        if spec.until is not None and find(observation.tree, spec.until):
            self._advance(observation)
            return None
        if spec.until is None or self._scrolls >= _MAX_SCROLLS:
            self._advance(observation)
        self._scrolls += 1
        action = plan_step(step, observation.tree, observation.screen)
        return None if action is None else Decision(action, "keep scrolling")

    def _advance(self, observation: Observation) -> None:
        self._places[self._cursor] = observation.focus.activity
        self._cursor += 1
        self._waits = self._backs = self._scrolls = 0

    def _search(self, observation: Observation) -> Decision:
        """Handle an absent element: wait briefly, then find the position in the solution, then go back.

        A step is repeated only on the activity on which it was performed: a shop's home page has product
        titles as well, but not those of the search results.
        """
        tree, activity = observation.tree, observation.focus.activity
        if self._waits < _MAX_WAITS:
            self._waits += 1
            return Decision(act.Wait(seconds=0.5), _WAIT)
        for later in range(self._cursor + 1, min(self._reached, len(self._solution) - 1) + 1):
            selector = target_of(self._solution[later])
            if selector is not None and find(tree, selector):
                self._cursor, self._waits = later, 0
                return self._follow(observation)
        for earlier in range(self._cursor - 1, -1, -1):
            selector = target_of(self._solution[earlier])
            if selector is not None and self._places.get(earlier) == activity and find(tree, selector):
                self._reached = max(self._reached, self._cursor)
                self._cursor = earlier
                self._waits = self._backs = 0
                step = self._solution[earlier]
                action = plan_step(step, tree, observation.screen)
                if action is not None:
                    self._advance(observation)
                    return Decision(action, f"restart from step {earlier + 1} of the solution")
        if self._backs < _MAX_BACKS:
            self._backs += 1
            return Decision(act.Back(), _RETRACE)
        return Decision(act.GiveUp(reason="the next element of the solution was not found"), _LOST)

    def _done(self) -> Decision:
        last = self._solution[-1]
        if isinstance(last, steps.GiveUpStep):
            return Decision(act.GiveUp(reason=last.give_up), "the solution gives up here")
        answer = last.answer if isinstance(last, steps.AnswerStep) else ""
        return Decision(act.Done(answer=answer), "the solution is complete")


def _tap(node: UiNode) -> act.Tap:
    at = node.bounds.center
    return act.Tap(x=at.x, y=at.y)
