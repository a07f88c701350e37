"""Check the goal on the device's screen: close what covers the app, and turn a turned screen upright."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, replace

from garabench.core.companion_app import CLOSE, PACKAGE
from garabench.core.device_switches import UPRIGHT
from garabench.core.end_criterion import EndCriterion
from garabench.core.evaluate import Verdict
from garabench.core.observation import Focus
from garabench.core.tree import UiTree
from garabench.device.device import Device
from garabench.device.settle import Settled
from garabench.device.undo.entry import Scope, UndoEntry
from garabench.effects.episode_states import EffectsTracker
from garabench.episode.app_visibility import is_app_covered, without_companion
from garabench.episode.passive_machine import content_signature
from garabench.episode.spec import EpisodeSpec
from garabench.goals.goal_check import DeviceFacts, GoalChecker

_CLOSING = "close the interruption"
_TURNING = "turn the screen back"


@dataclass(frozen=True, slots=True)
class CheckedGoal:
    """The verdicts on a screen.

    Attributes:
        goal: Whether the goal holds.
        harm: Whether the task's harm holds; None if it has none.
        settled: The screen that the verdicts are about.
        fault: What failed while it was read; empty if nothing did.
    """

    goal: Verdict
    harm: Verdict | None
    settled: Settled
    fault: str


class ScreenGoalCheck:
    """Checks the goal and the harm of one episode on its device."""

    def __init__(
        self,
        spec: EpisodeSpec,
        device: Device,
        checker: GoalChecker,
        effects: EffectsTracker,
        address: Callable[[str], str],
    ) -> None:
        """Set up the check.

        Args:
            spec: The episode.
            device: The device.
            checker: The checker of its goal and harm.
            effects: Reads the apps' states; a reading that has begun is discarded when the screen changes.
            address: Returns the address of content, with a key if it is a locked state.
        """
        self._spec = spec
        self._device = device
        self._checker = checker
        self._effects = effects
        self._address = address
        self._failures = device.read_failures
        self._held: tuple[str, Verdict] | None = None
        """The goal as it held on the turned screen before a check turned it upright and back in vain, with
        the content that this left behind."""

    def check(
        self, settled: Settled | None, answer: str | None, *, final: bool, is_driven: bool
    ) -> CheckedGoal:
        """Check the goal and the harm.

        Args:
            settled: The screen; None to read it.
            answer: The agent's answer; None if it has given none.
            final: Whether the agent has ended.
            is_driven: Whether an agent is driving the device, so that the check must not change it.

        Raises:
            DeviceError: The device is gone, or refuses a command.
        """
        settled = settled or self._device.settle()
        if self._held is not None and settled.reading.tree.derived(content_signature) != self._held[0]:
            self._held = None
        if final and is_app_covered(settled.reading.tree):
            settled = self._uncover()
        goal, harm = self._evaluate(settled, answer, final=final)
        if self._has_turned(settled.reading.tree) and self._is_upright_needed(goal, final=final):
            goal, harm, settled = self._check_upright(settled, goal, answer, final=final, is_driven=is_driven)
        failures, before = self._device.read_failures, self._failures
        self._failures = failures
        fault = f"{failures - before} readings of the screen failed" if failures > before else ""
        return CheckedGoal(goal, harm, settled, fault)

    def _settle(self) -> Settled:
        self._effects.discard_started()
        return self._device.settle()

    def _uncover(self) -> Settled:
        """Close the interruption, after the agent has ended, and return the screen that it has left behind.

        ``uiautomator dump`` starts a virtual machine, as the command that closes the window does, and then
        waits until nothing has changed for a second. It is therefore started at the same time; a tree that
        shows the interruption nevertheless is read again.
        """
        if self._device.has_fast_trees:
            self._device.adb.shell(CLOSE).check(_CLOSING)
            return self._settle()
        with contextlib.closing(self._device.adb.start_shell(CLOSE)) as closing:
            reading = self._device.read_tree()
            closing.result().check(_CLOSING)
        settled = self._device.settle(first=reading)
        return self._settle() if is_app_covered(settled.reading.tree) else settled

    def _is_upright_needed(self, goal: Verdict, *, final: bool) -> bool:
        """Return whether what a turned screen shows does not decide."""
        if final:
            return not goal.holds or self._checker.needs_whole_page
        if self._spec.end is not EndCriterion.GOAL or self._spec.harm is not None:
            return False  # the goal does not end the episode yet
        return bool(goal.holds) and self._checker.needs_whole_page

    def _check_upright(
        self, turned: Settled, goal: Verdict, answer: str | None, *, final: bool, is_driven: bool
    ) -> tuple[Verdict, Verdict | None, Settled]:
        """Check the goal on the upright screen: a turned one shows less, also of what must not be there.

        A goal that holds only on the turned screen is unknown. It still is if it held there until an earlier
        check turned the screen, since lists move then, and nothing has changed afterwards.
        """
        held = self._held[1] if self._held is not None and not goal.holds else goal
        doubtful = f"{held.reason}, but on a turned screen, which shows less"
        if is_driven:
            return Verdict(None, doubtful), None, turned
        # The apps' states that are being read are those before this change, which is not the agent's.
        settled = self._turn_back(final=final)
        upright, harm = self._evaluate(settled, answer, final=True, turned_back=True)
        if upright.holds or not held.holds:
            return upright, harm, settled
        if not final:
            again = replace(UPRIGHT, value=str(turned.reading.tree.rotation)).commands[0]
            self._device.adb.shell(again).check("turn the screen again")
            settled = self._settle()
            self._held = (settled.reading.tree.derived(content_signature), held)
        return Verdict(None, f"{doubtful}; upright: {upright.reason}"), harm, settled

    def _turn_back(self, *, final: bool) -> Settled:
        """Turn the screen upright, and return it when it is still.

        At the end of an episode on a slow device this is the undo of the anomaly, which then needs to be
        verified only, and runs while the dump starts, as in `_uncover`. A dump that is still turned is read
        again.
        """
        device = self._device
        if device.has_fast_trees or not final:
            device.adb.shell(UPRIGHT.commands[0]).check(_TURNING)
            return device.settle()
        undone = self._turns()[-1]  # the entries are newest first
        upright = all(UPRIGHT.is_in_effect(reading) for reading in undone.expected)
        (command,) = undone.undo_commands if upright else UPRIGHT.commands
        with contextlib.closing(device.adb.start_shell(command)) as turning:
            reading = device.read_tree()
            turning.result().check(_TURNING)
        return device.settle(first=None if reading.tree.rotation else reading)

    def _turns(self) -> list[UndoEntry]:
        """Return the open changes of the screen's rotation by this episode."""
        entries = (entry for _, entry in self._device.journal.entries)
        return [
            entry for entry in entries if entry.scope is Scope.EPISODE and entry.subject == UPRIGHT.subject
        ]

    def _has_turned(self, tree: UiTree) -> bool:
        """Return whether an interruption has turned the screen, rather than the agent or an app."""
        return tree.rotation != 0 and bool(self._turns())

    def _evaluate(
        self, settled: Settled, answer: str | None, *, final: bool, turned_back: bool = False
    ) -> tuple[Verdict, Verdict | None]:
        tree = settled.reading.tree
        interrupted = PACKAGE in tree.packages
        known = settled.window.focus if settled.window else None
        facts = DeviceFacts(
            without_companion(tree),
            self._device,
            answer=answer,
            # The interruption has the focus: the app's page behind it is unknown.
            focus=Focus(package="", activity="") if interrupted else known,
            address=self._address,
        )
        return self._checker.check(
            facts,
            obstructed=interrupted,
            unseen=is_app_covered(tree),
            cropped=self._has_turned(tree),
            final=final,
            turned_back=turned_back,
        )
