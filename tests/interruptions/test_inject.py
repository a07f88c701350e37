from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import pytest

from garabench.core.clock import FakeClock
from garabench.core.observation import Focus, TreeSource
from garabench.core.tree import UiTree
from garabench.device.device import Device
from garabench.device.settle import Settled
from garabench.device.trees import TreeReading
from garabench.errors import CommandFailed, DeviceLost
from garabench.interruptions.inject import LIMIT, TRIES, again, inject
from garabench.interruptions.plan import PACKAGE, SHOW
from tests.interruptions.test_lifecycle import APP, SHOWN, planned

SHADE = Focus("com.android.systemui", "")


class FakeDevice:
    """A device whose companion comes up at a given look of a given try."""

    def __init__(
        self,
        *,
        shown_at: tuple[int, int] | None = None,
        refuses: str = "",
        installed: bool = True,
        front: Focus = SHADE,
        seconds: float = 0.3,
    ) -> None:
        self.clock = FakeClock()
        self.apps = self
        self.sent: list[Mapping[str, Any]] = []
        self.looks = 0
        self._shown_at = shown_at
        self._refuses = refuses
        self._installed = installed
        self._front = front
        self._seconds = seconds

    def start(self, *, component: str, extras: Mapping[str, Any]) -> None:
        assert component == SHOW
        self.sent.append(extras)
        self.looks = 0
        if self._refuses:
            raise CommandFailed(self._refuses)

    def settle(self) -> Settled:
        self.clock.advance(self._seconds)
        self.looks += 1
        tree: UiTree = APP
        if self._shown_at is not None and (len(self.sent), self.looks) >= self._shown_at:
            tree = SHOWN
        return Settled(TreeReading(tree, TreeSource.U2), True, 2, self._seconds)

    def installed(self, package: str) -> bool:
        assert package == PACKAGE
        return self._installed

    def focus(self) -> Focus:
        return self._front


def device(fake: FakeDevice) -> Device:
    return cast(Device, fake)


@pytest.mark.parametrize(("look", "tokens"), [((1, 1), ["t"]), ((1, 3), ["t"]), ((2, 1), ["t", "t-2"])])
def test_it_is_looked_for_and_sent_once_more(look: tuple[int, int], tokens: list[str]) -> None:
    fake = FakeDevice(shown_at=look)
    injected = inject(device(fake), planned())
    assert injected.shown
    assert injected.token == tokens[-1]
    assert [extras["token"] for extras in fake.sent] == tokens
    assert injected.settled.reading.tree is SHOWN


@pytest.mark.parametrize(
    ("fake", "said"),
    [
        (FakeDevice(), "another window is in front: com.android.systemui"),
        (FakeDevice(front=Focus("a.b", "a.b.Main")), "another window is in front: a.b/a.b.Main"),
        (FakeDevice(front=Focus("", "")), "another window is in front: one without a name"),
        (FakeDevice(front=Focus(PACKAGE, SHOW)), "in front without the interruption's texts"),
        (FakeDevice(refuses="could not start it: Permission Denial"), "Permission Denial"),
        (FakeDevice(refuses="could not start it: Error type 3", installed=False), "is not installed"),
    ],
)
def test_why_nothing_is_shown_is_told_after_two_tries(fake: FakeDevice, said: str) -> None:
    injected = inject(device(fake), planned())
    assert not injected.shown
    assert said in injected.reason
    assert len(fake.sent) == TRIES


def test_each_try_has_a_limit_on_a_screen_that_never_rests() -> None:
    fake = FakeDevice(seconds=5.0)
    assert not inject(device(fake), planned()).shown
    assert fake.clock.monotonic() <= TRIES * (LIMIT + 5.0)


def test_a_device_that_is_lost_is_an_error_and_no_failed_injection() -> None:
    class Lost(FakeDevice):
        def start(self, *, component: str, extras: Mapping[str, Any]) -> None:
            raise DeviceLost("it is gone")

    with pytest.raises(DeviceLost):
        inject(device(Lost()), planned())


def test_every_try_has_a_token_of_its_own() -> None:
    assert [again("t", number) for number in (1, 2, 3)] == ["t", "t-2", "t-3"]
