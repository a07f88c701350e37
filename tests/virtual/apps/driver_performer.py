"""The driver as a path performer: it proves tasks by touch, without adb."""

from __future__ import annotations

from collections.abc import Sequence

from garabench.core.app_state import AppEffects
from garabench.core.evaluate import Facts
from garabench.core.steps import AnswerStep, DeviceStep, GiveUpStep, SolutionStep
from garabench.proof.path_performer import SOLUTION
from garabench.virtual.apps.catalog import installed_apps
from tests.virtual.apps.driver import Driver

APPS = {app.package: app for app in installed_apps()}


class DriverPerformer:
    """See `garabench.proof.prove_task.Stage`; each solution starts on its own phone."""

    def __init__(self, profile: str, *, all_apps: bool = False) -> None:
        self._profile = profile
        self._others = tuple(APPS.values()) if all_apps else ()
        self._driver: Driver | None = None

    @property
    def driver(self) -> Driver:
        assert self._driver is not None, "begin first"
        return self._driver

    def begin(self, app: str, setup: Sequence[DeviceStep], path: str = SOLUTION) -> None:
        assert not setup, "the driver has no shell"
        self._driver = Driver(self._profile, APPS[app], self._others)

    def facts(self, answer: str | None) -> Facts:
        self.driver.answer = answer
        return self.driver.facts()

    def perform(self, step: SolutionStep) -> str:
        if isinstance(step, AnswerStep | GiveUpStep):
            return ""
        try:
            self.driver.do(step)
        except AssertionError as error:
            return str(error)
        return ""

    def height_dp(self) -> int | None:
        return None

    def effects(self) -> tuple[AppEffects, ...]:
        return ()  # unknown: the driver has no shell

    def save_evidence(self, name: str) -> str:
        return ""
