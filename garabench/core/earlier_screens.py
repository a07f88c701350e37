"""What has held on the earlier settled screens of an episode, for the ``earlier`` conditions of its goal.

Each such condition is evaluated once on each settled screen after an action, and only its verdict is stored,
so that no screen needs to be stored or read again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from garabench.core.condition import Condition, Earlier, nested_conditions
from garabench.core.evaluate import Facts, Verdict, evaluate, no_earlier_screen

_CONDITION: TypeAdapter[Condition] = TypeAdapter(Condition)


def earlier_conditions(conditions: Iterable[Condition]) -> tuple[Condition, ...]:
    """Return what the ``earlier`` conditions inside conditions ask for, at any depth, each once."""
    found: list[Condition] = []
    for condition in conditions:
        for part in nested_conditions(condition):
            if isinstance(part, Earlier) and part.earlier not in found:
                found.append(part.earlier)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class EarlierScreens:
    """The verdicts on the earlier settled screens of an episode.

    Attributes:
        verdicts: Each condition that is asked for, with its verdict so far: true once it has held; else
            unknown if it could not be evaluated on some screen; else false.
    """

    verdicts: tuple[tuple[Condition, Verdict], ...] = ()

    @classmethod
    def before(cls, conditions: Iterable[Condition]) -> EarlierScreens:
        """Return the value at the start of an episode.

        Args:
            conditions: The conditions, such as goals, that contain ``earlier``.
        """
        return cls(tuple((each, no_earlier_screen(each)) for each in earlier_conditions(conditions)))

    def verdict(self, condition: Condition) -> Verdict:
        """Return whether a condition has held; unknown if it was not asked for at the start."""
        for each, verdict in self.verdicts:
            if each == condition:
                return verdict
        return Verdict(None, "earlier screens were not recorded")

    def after(
        self, facts: Facts, step: int, *, obstructed: bool = False, cropped: bool = False
    ) -> EarlierScreens:
        """Return the value after one more settled screen.

        Args:
            facts: The screen and the device's state.
            step: The number of the step that led there.
            obstructed: Whether an interruption is in front of the app, so that facts about the app may be
                unknown. They stay unknown then, but do not make the episode's verdict unknown: the agent
                did not see the app either.
            cropped: Whether an interruption has turned the screen, which then shows less of a page.
                A condition that does not hold on it may have held: it is unknown, not false.

        Raises:
            DeviceError: The device is gone.
        """
        if all(verdict.holds for _, verdict in self.verdicts):
            return self
        return EarlierScreens(
            tuple(
                (
                    each,
                    verdict
                    if verdict.holds
                    else self._updated(each, verdict, facts, step, obstructed, cropped),
                )
                for each, verdict in self.verdicts
            )
        )

    def _updated(
        self, condition: Condition, before: Verdict, facts: Facts, step: int, obstructed: bool, cropped: bool
    ) -> Verdict:
        now = evaluate(condition, facts, self.verdict)
        if now.holds:
            return Verdict(True, f"earlier, at step {step}: {now.reason}")
        if now.holds is None and not obstructed:
            return Verdict(None, f"unknown at step {step}: {now.reason}")
        if cropped and now.holds is False:
            return Verdict(None, f"unknown at step {step}, since the screen was turned: {now.reason}")
        if before.holds is None or now.holds is None:
            return before
        return Verdict(False, f"on no earlier screen, last: {now.reason}")

    def turned_back(self, facts: Facts) -> EarlierScreens:
        """Return the value after the screen of the last step was turned back.

        What was unknown because a turned screen shows less is known if the whole screen shows it.

        Args:
            facts: The upright screen and the device's state.

        Raises:
            DeviceError: The device is gone.
        """
        return EarlierScreens(
            tuple(
                (each, self._upright(each, verdict, facts) if verdict.holds is None else verdict)
                for each, verdict in self.verdicts
            )
        )

    def _upright(self, condition: Condition, before: Verdict, facts: Facts) -> Verdict:
        now = evaluate(condition, facts, self.verdict)
        return Verdict(True, f"earlier, on the turned screen: {now.reason}") if now.holds else before

    def to_json(self) -> list[Any]:
        """Return the verdicts as JSON-compatible data."""
        return [
            [
                each.model_dump(mode="json", by_alias=True, exclude_unset=True),
                verdict.holds,
                verdict.reason,
            ]
            for each, verdict in self.verdicts
        ]


NO_EARLIER_SCREENS = EarlierScreens()
"""The value of facts for which no earlier screens were recorded."""


def earlier_screens_from_json(data: Any) -> EarlierScreens:
    """Read the result of `EarlierScreens.to_json`.

    Raises:
        ValueError, TypeError: The data is malformed.
    """
    return EarlierScreens(
        tuple((_CONDITION.validate_python(each), Verdict(holds, reason)) for each, holds, reason in data)
    )
