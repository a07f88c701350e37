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
    Not,
    PackageIs,
    PackageStateIs,
    SettingIs,
)
from garabench.core.evaluate import Facts, Verdict, evaluate, is_ambiguous
from garabench.core.goal import Goal
from garabench.core.observation import Focus
from garabench.core.tree import UiTree
from garabench.device.device import Device
from garabench.errors import CommandError


class DeviceFacts:
    """The facts of a device at one moment; each is read once, on first use."""

    def __init__(
        self, tree: UiTree, device: Device, *, answer: str | None = None, focus: Focus | None = None
    ) -> None:
        """Create the facts; nothing is read yet.

        Args:
            tree: The UI tree of the settled screen.
            device: The device from which the other facts are read.
            answer: The agent's answer, or None.
            focus: The focused window, if known.
        """
        self._tree = tree
        self._device = device
        self._answer = answer
        self._focus = focus
        self._read: dict[tuple[str, ...], str | bool | None] = {}

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
        return self._text(("content", "query", "--uri", uri))

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


def check(goal: Goal, facts: DeviceFacts, *, unseen: bool = False) -> Verdict:
    """Check whether a goal holds.

    Args:
        goal: The goal.
        facts: The device's state.
        unseen: Whether the tree shows nothing of the apps, as under an interruption. Conditions on its
            elements are then unknown, so that the absence of an element does not count as met.

    Raises:
        DeviceError: The device is gone.
    """
    return evaluate_without_elements(goal.condition, facts) if unseen else evaluate(goal.condition, facts)


def evaluate_without_elements(condition: Condition, facts: Facts) -> Verdict:
    """Evaluate a condition as `evaluate` does, with every condition on the tree's elements unknown."""
    match condition:
        case AllOf():
            parts = [evaluate_without_elements(part, facts) for part in condition.all]
            return replace(
                _first(parts, (False, None, True)), ambiguous_answer=is_ambiguous(parts, every=True)
            )
        case AnyOf():
            parts = [evaluate_without_elements(part, facts) for part in condition.any]
            return replace(
                _first(parts, (True, None, False)), ambiguous_answer=is_ambiguous(parts, every=False)
            )
        case Not():
            inner = evaluate_without_elements(condition.not_, facts)
            holds = None if inner.holds is None else not inner.holds
            return Verdict(holds, f"not: {inner.reason}", inner.evidence)
        case ActivityIs() | PackageIs() | SettingIs() | PackageStateIs() | ContentHas() | AnswerIs():
            return evaluate(condition, facts)
        case _:
            return Verdict(None, "the app's screen cannot be seen under the interruption")


def _first(parts: Sequence[Verdict], order: tuple[bool | None, ...]) -> Verdict:
    """Return the deciding verdict: the first one of the kind that comes first in the order."""
    return min(parts, key=lambda part: order.index(part.holds))
