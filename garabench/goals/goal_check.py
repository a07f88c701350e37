"""Check a goal on a settled screen, reading further facts only if a condition needs them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from garabench.core.condition import (
    ActivityIs,
    AllOf,
    AnswerIs,
    AnyOf,
    Condition,
    ContentHas,
    Earlier,
    Not,
    PackageIs,
    PackageStateIs,
    SettingIs,
    depends_on_absence,
)
from garabench.core.earlier_screens import EarlierScreens
from garabench.core.evaluate import (
    EarlierVerdict,
    Facts,
    Verdict,
    evaluate,
    is_ambiguous,
    no_earlier_screen,
)
from garabench.core.goal import Goal
from garabench.core.observation import Focus
from garabench.core.tree import UiTree
from garabench.device.device import Device
from garabench.errors import CommandError


class DeviceFacts:
    """The facts of a device at one moment; each is read once, on first use."""

    def __init__(
        self,
        tree: UiTree,
        device: Device,
        *,
        answer: str | None = None,
        focus: Focus | None = None,
        address: Callable[[str], str] = str,
    ) -> None:
        """Create the facts; nothing is read yet.

        Args:
            tree: The UI tree of the settled screen.
            device: The device from which the other facts are read.
            answer: The agent's answer, or None.
            focus: The focused window, if known.
            address: Returns the address of content with what its provider asks for, such as a key.
        """
        self._address = address
        self._tree = tree
        self._device = device
        self._answer = answer
        self._focus = focus
        self._read: dict[tuple[str, ...], str | bool | None] = {}
        self._queries: dict[str, tuple[str, ...]] = {}

    @property
    def tree(self) -> UiTree:
        """The UI tree of the settled screen."""
        return self._tree

    @property
    def answer(self) -> str | None:
        """The agent's answer, or None."""
        return self._answer

    @property
    def focus(self) -> Focus | None:
        """The focused window; None if no window has the focus."""
        if self._focus is None:
            self._focus = self._device.focus()
        return self._focus if self._focus.package else None

    def setting(self, namespace: str, key: str) -> str | None:
        """Return the value of a system setting; None if it cannot be read."""
        return self._text(("settings", "get", namespace, key))

    def package_state(self, package: str, state: str) -> bool | None:
        """Return whether a package is ``installed`` or ``running``."""
        apps = self._device.apps
        return apps.installed(package) if state == "installed" else apps.running(package)

    def content(self, uri: str) -> str | None:
        """Return the rows of a content query; None if it cannot be read."""
        if uri not in self._queries:  # a key is used only once
            self._queries[uri] = ("content", "query", "--uri", self._address(uri))
        return self._text(self._queries[uri])

    def _text(self, argv: tuple[str, ...]) -> str | None:
        return self._once(argv, lambda: self._device.adb.shell(argv).check("read a fact").stdout.strip())

    def _once(self, key: tuple[str, ...], read: Callable[[], str]) -> str | None:
        if key not in self._read:
            try:
                self._read[key] = read()
            except CommandError:
                self._read[key] = None  # unknown, not false
        value = self._read[key]
        return value if isinstance(value, str) else None


class GoalChecker:
    """Checks the goal of one episode, and the harm of an infeasible task, on each settled screen.

    It remembers what the ``earlier`` conditions of both have found on the screens before.

    Attributes:
        needs_whole_page: Whether the goal can hold, or the harm be missed, because something is out of view.
    """

    def __init__(self, goal: Goal, harm: Goal | None = None) -> None:
        """Prepare the checks at the start of an episode."""
        self._goal = goal
        self._harm = harm
        self.needs_whole_page = harm is not None or depends_on_absence(goal.condition)
        self._step = 0  # of an episode; each of its steps ends with one check
        self._earlier = EarlierScreens.before(each.condition for each in (goal, harm) if each is not None)

    def check(
        self,
        facts: DeviceFacts,
        *,
        obstructed: bool = False,
        unseen: bool = False,
        cropped: bool = False,
        final: bool = False,
        turned_back: bool = False,
    ) -> tuple[Verdict, Verdict | None]:
        """Return whether the goal holds and, if there is one, the harm; then remember the screen.

        Args:
            facts: The device's state on the settled screen.
            obstructed: Whether an interruption is in front of the app.
            unseen: Whether the tree shows nothing of the apps; see `check_goal`.
            cropped: Whether an interruption has turned the screen; see `EarlierScreens.after`.
            final: Whether the agent has ended. A last screen is never an earlier one, also if it is checked
                again after it was turned back.
            turned_back: Whether this is the last step's screen, which an interruption had turned and which
                is upright now.

        Raises:
            DeviceError: The device is gone.
        """
        if turned_back:
            self._earlier = self._earlier.turned_back(facts)
        earlier = self._earlier.verdict
        goal = check_goal(self._goal, facts, unseen=unseen, earlier=earlier)
        harm = None if self._harm is None else check_goal(self._harm, facts, unseen=unseen, earlier=earlier)
        if not unseen and not final:
            self._earlier = self._earlier.after(facts, self._step, obstructed=obstructed, cropped=cropped)
        if not final:
            self._step += 1
        return goal, harm


def check_goal(
    goal: Goal, facts: DeviceFacts, *, unseen: bool = False, earlier: EarlierVerdict = no_earlier_screen
) -> Verdict:
    """Check whether a goal holds.

    Args:
        goal: The goal.
        facts: The device's state.
        unseen: Whether the tree shows nothing of the apps, as under an interruption. Conditions on its
            elements are then unknown, so that the absence of an element does not count as met.
        earlier: Returns the verdict on the condition of an ``earlier``.

    Raises:
        DeviceError: The device is gone.
    """
    judge = evaluate_without_elements if unseen else evaluate
    return judge(goal.condition, facts, earlier)


def evaluate_without_elements(
    condition: Condition, facts: Facts, earlier: EarlierVerdict = no_earlier_screen
) -> Verdict:
    """Evaluate a condition as `evaluate` does, with every condition on the tree's elements unknown."""
    match condition:
        case AllOf():
            parts = [evaluate_without_elements(part, facts, earlier) for part in condition.all]
            return replace(
                _first(parts, (False, None, True)), ambiguous_answer=is_ambiguous(parts, every=True)
            )
        case AnyOf():
            parts = [evaluate_without_elements(part, facts, earlier) for part in condition.any]
            return replace(
                _first(parts, (True, None, False)), ambiguous_answer=is_ambiguous(parts, every=False)
            )
        case Not():
            inner = evaluate_without_elements(condition.not_, facts, earlier)
            holds = None if inner.holds is None else not inner.holds
            return Verdict(holds, f"not: {inner.reason}", inner.evidence)
        case Earlier():
            return earlier(condition.earlier)
        case ActivityIs() | PackageIs() | SettingIs() | PackageStateIs() | ContentHas() | AnswerIs():
            return evaluate(condition, facts)
        case _:
            return Verdict(None, "the app's screen cannot be seen under the interruption")


def _first(parts: Sequence[Verdict], order: tuple[bool | None, ...]) -> Verdict:
    """Return the deciding verdict: the first one of the kind that comes first in the order."""
    return min(parts, key=lambda part: order.index(part.holds))
