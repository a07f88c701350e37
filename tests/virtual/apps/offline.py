"""Check that an app's server actions fail with its notice offline, and work once the network is back."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.virtual.apps.robot import AppRobot

Gesture = Callable[[Any], None]


@dataclass(frozen=True)
class ServerAction:
    """An action that needs the app's servers.

    `go` prepares it online; `do` is the final gesture, which can be repeated after a failure.
    """

    name: str
    go: Gesture
    do: Gesture

    def __str__(self) -> str:
        return self.name


def assert_needs_network(robot: AppRobot, action: ServerAction, notice: str) -> None:
    """Check that the action shows the notice and changes nothing offline, and works afterwards."""
    action.go(robot)
    robot.network(False)
    before = copy.deepcopy(app_data(robot))
    action.do(robot)
    assert robot.toast == notice
    assert app_data(robot) == before
    robot.network(True)
    action.do(robot)
    assert app_data(robot) != before


def app_data(robot: AppRobot) -> dict[str, Any]:
    """Return the app's persistent data."""
    installed = robot.phone.packages.get(robot.app.package)
    assert installed is not None
    return installed.data


def opens(activity: str, **extras: Any) -> Gesture:
    """Return a gesture that opens a page."""
    return lambda robot: robot.open(activity, **extras)


def taps(*selectors: dict[str, Any]) -> Gesture:
    """Return a gesture that taps the elements one after the other."""

    def do(robot: AppRobot) -> None:
        for selector in selectors:
            robot.tap(**selector)

    return do
