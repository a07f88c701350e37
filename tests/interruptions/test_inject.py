from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import pytest

from garabench.core.clock import FakeClock
from garabench.core.companion_app import PACKAGE, PERMISSION, SHOW
from garabench.core.injection import DeliveryMethod, FailureKind
from garabench.core.observation import Focus, TreeSource
from garabench.core.tree import SYSTEM_UI, UiNode, UiTree
from garabench.device.adb import ShellResult
from garabench.device.device import Device
from garabench.device.foreground import Foreground
from garabench.device.settle import Settled
from garabench.device.trees import TreeReading
from garabench.errors import CommandError, DeviceLostError, TreeUnavailableError
from garabench.interruptions.inject import LIMIT, METHODS, attempt_token, cover_reason, inject
from tests.interruptions.test_lifecycle import APP, SHOWN, planned

HEADS_UP = UiTree(
    (UiNode(package=SYSTEM_UI, children=(UiNode(text="电量不足", package=SYSTEM_UI),)), *APP.roots)
)
DIALOG = "  mCurrentFocus=Window{f96644 u0 Application Error: a.b}\n"
POSTED = 'Broadcast completed: result=-1, data="posted"\n'
OFF = 'Broadcast completed: result=0, data="notifications-off"\n'
NO_FULL_SCREEN = 'Broadcast completed: result=-1, data="no-full-screen"\n'
STARTED = (
    f"05-20 09:41:00.000  1000  1000 I ActivityTaskManager: START u0 {{cmp={PACKAGE}/.Show}} from uid 2000\n"
)
BLOCKED = (
    "05-20 09:41:00.100  1000  1000 W ActivityTaskManager: Background activity launch blocked! "
    f"[callingPackage: com.android.shell; intent: Intent {{ cmp={PACKAGE}/.Show (has extras) }}]\n"
)


class FakeDevice:
    """A device on which the interruption appears at a given observation of a given attempt."""

    def __init__(
        self,
        *,
        shown_at: tuple[int, int] | None = None,
        tree: UiTree = SHOWN,
        refuses: str = "",
        installed: bool = True,
        results: Sequence[str] = (POSTED,),
        sdk: int = 34,
        seconds: float = 0.3,
        outputs: Mapping[str, str] | None = None,
    ) -> None:
        self.clock = FakeClock()
        self.apps = self.adb = self.info = self
        self.sdk, self.serial = sdk, "fake-1"
        self.sent: list[tuple[DeliveryMethod, str]] = []
        self.commands: list[tuple[str, ...]] = []
        self.observations = 0
        self._shown_at, self._tree = shown_at, tree
        self._refuses, self._installed = refuses, installed
        self._results, self._seconds = list(results), seconds
        self._outputs = {"dumpsys window": DIALOG} | dict(outputs or {})

    def start(self, *, component: str, extras: Mapping[str, Any]) -> None:
        assert component == SHOW
        self.sent.append((DeliveryMethod.ACTIVITY, extras["token"]))
        self.observations = 0
        if self._refuses:
            raise CommandError(self._refuses)

    def shell(self, argv: Sequence[str]) -> ShellResult:
        self.commands.append(tuple(argv))
        output = self._outputs.get(" ".join(argv), "")
        if f"{PACKAGE}.NOTIFY" in argv:
            self.sent.append((DeliveryMethod.NOTIFICATION, argv[argv.index("token") + 1]))
            self.observations = 0
            output = self._results.pop(0)
        elif argv[0] == "logcat":
            output = "".join(text for key, text in self._outputs.items() if key in argv[-1] + argv[5])
        return ShellResult(tuple(argv), 0, output)

    def read_tree(self) -> TreeReading:
        self.clock.advance(self._seconds)
        self.observations += 1
        seen = self._shown_at is not None and (len(self.sent), self.observations) >= self._shown_at
        return TreeReading(self._tree if seen else APP, TreeSource.U2)

    def settle(self, *, first: TreeReading) -> Settled:
        self.clock.advance(self._seconds)
        return Settled(first, True, 2, self._seconds)

    def wait(self, seconds: float) -> None:
        self.clock.advance(seconds)

    def installed(self, package: str) -> bool:
        assert package == PACKAGE
        return self._installed


def device(fake: FakeDevice) -> Device:
    return cast(Device, fake)


@pytest.mark.parametrize(
    ("shown_at", "tree", "sent"),
    [
        ((1, 1), SHOWN, [(DeliveryMethod.ACTIVITY, "t")]),
        ((1, 3), SHOWN, [(DeliveryMethod.ACTIVITY, "t")]),
        ((2, 1), SHOWN, [(DeliveryMethod.ACTIVITY, "t"), (DeliveryMethod.NOTIFICATION, "t-2")]),
        ((2, 2), HEADS_UP, [(DeliveryMethod.ACTIVITY, "t"), (DeliveryMethod.NOTIFICATION, "t-2")]),
    ],
)
def test_an_interruption_that_is_not_seen_is_sent_by_the_next_method(
    shown_at: tuple[int, int], tree: UiTree, sent: list[tuple[DeliveryMethod, str]]
) -> None:
    fake = FakeDevice(shown_at=shown_at, tree=tree)
    injected = inject(device(fake), planned())
    assert injected.shown
    assert fake.sent == sent
    assert (injected.method, injected.token) == sent[-1]
    assert [each.method for each in injected.tries] == [method for method, _ in sent[:-1]]
    assert injected.settled is not None
    assert injected.settled.reading.tree is tree
    assert (injected.delivery.kind, injected.reason) == (None, "")


def test_the_time_ends_at_the_first_tree_that_shows_it() -> None:
    assert inject(device(FakeDevice(shown_at=(1, 1))), planned()).seconds == pytest.approx(0.3)


def test_the_title_in_a_system_window_counts_only_for_a_notification() -> None:
    fake = FakeDevice(shown_at=(1, 1), tree=HEADS_UP)
    injected = inject(device(fake), planned())
    assert (injected.method, injected.shown, len(fake.sent)) == (DeliveryMethod.NOTIFICATION, True, 2)


TAGS = "ActivityStarter:V"
FAILURES = [
    (
        FakeDevice(),
        FailureKind.DIALOG_ON_TOP,
        "another window is in the foreground: Application Error: a.b",
        2,
    ),
    (FakeDevice(refuses="Permission Denial"), FailureKind.START_REFUSED, "Permission Denial", 2),
    (FakeDevice(refuses="Error type 3", installed=False), FailureKind.NOT_INSTALLED, "is not installed", 1),
    (FakeDevice(outputs={TAGS: STARTED + BLOCKED}), FailureKind.START_REFUSED, "launch blocked", 2),
    (FakeDevice(outputs={"dumpsys power": "  mWakefulness=Asleep"}), FailureKind.SCREEN_OFF, "is off", 1),
    (
        FakeDevice(outputs={"dumpsys window": DIALOG + "    isKeyguardShowing=true\n"}),
        FailureKind.SECURE_SCREEN,
        "the lock screen is up",
        2,
    ),
    (
        FakeDevice(
            outputs={
                "GaraBench:V": "05-20 09:41:00.000  1  1 I GaraBench: "
                '{"token":"t","seq":1,"event":"error:x"}\n'
            }
        ),
        FailureKind.BAD_SPEC,
        "the companion app reported: x",
        1,
    ),
]


@pytest.mark.parametrize(("fake", "kind", "reason", "tries"), FAILURES)
def test_a_failure_is_diagnosed_and_decides_on_another_attempt(
    fake: FakeDevice, kind: FailureKind, reason: str, tries: int
) -> None:
    injected = inject(device(fake), planned())
    assert not injected.shown
    assert injected.delivery.kind is kind
    assert reason in injected.reason
    assert [each.method for each in injected.tries] == list(METHODS[:tries])
    if tries > 1:
        assert injected.reason.startswith("by activity: ")
        assert "; by notification: " in injected.reason


@pytest.mark.parametrize(
    ("results", "sdk", "kind", "granted"),
    [
        ([OFF, OFF], 34, FailureKind.NOTIFICATION_REFUSED, True),
        ([OFF], 30, FailureKind.NOTIFICATION_REFUSED, False),
        (['Broadcast completed: result=0, data="error:bad-title"'], 30, FailureKind.BAD_SPEC, False),
        (["Broadcast completed: result=0"], 30, FailureKind.START_REFUSED, False),
    ],
)
def test_a_notification_that_cannot_be_posted_is_diagnosed(
    results: list[str], sdk: int, kind: FailureKind, granted: bool
) -> None:
    fake = FakeDevice(results=results, sdk=sdk)
    injected = inject(device(fake), planned())
    assert injected.tries[1].kind is kind
    assert (("pm", "grant", PACKAGE, PERMISSION) in fake.commands) is granted


def test_a_missing_permission_is_granted() -> None:
    fake = FakeDevice(results=[OFF, POSTED], shown_at=(3, 1), tree=HEADS_UP)
    assert inject(device(fake), planned()).method is DeliveryMethod.NOTIFICATION


def test_a_denied_full_screen_intent_is_a_failure_only_if_nothing_is_seen() -> None:
    injected = inject(device(FakeDevice(results=[NO_FULL_SCREEN], shown_at=(2, 3), tree=HEADS_UP)), planned())
    assert (injected.shown, injected.method) == (True, DeliveryMethod.NOTIFICATION)
    unseen = FakeDevice(results=[NO_FULL_SCREEN])
    injected = inject(device(unseen), planned())
    assert injected.tries[1].kind is FailureKind.FULL_SCREEN_REFUSED
    assert (
        "is not allowed to use full-screen intents; allow them with: garabench device setup fake-1"
        in injected.tries[1].reason
    )
    assert unseen.observations > 1, "it may still appear at the top of the screen"


OURS = Focus(PACKAGE, f"{PACKAGE}.Show")
COVERS = [
    (Foreground(awake=False, title=SHOW), FailureKind.SCREEN_OFF, "the screen is off"),
    (Foreground(locked=True, title="NotificationShade"), FailureKind.SECURE_SCREEN, "the lock screen is up"),
    (Foreground(title="BiometricPrompt", secure=True), FailureKind.SECURE_SCREEN, "BiometricPrompt"),
    (
        Foreground(title="a.b/a.b.Main", resumed=OURS),
        FailureKind.DIALOG_ON_TOP,
        "a.b/a.b.Main, and the companion app's",
    ),
    (Foreground(title=SHOW, resumed=OURS), FailureKind.TIMEOUT, "without the interruption's texts"),
    (Foreground(resumed=OURS), FailureKind.TIMEOUT, f"{PACKAGE} is resumed, and no window has the focus"),
    (Foreground(), FailureKind.TIMEOUT, "the window is not visible, and no window has the focus"),
]


@pytest.mark.parametrize(("front", "kind", "description"), COVERS)
def test_what_covers_the_window_is_described(front: Foreground, kind: FailureKind, description: str) -> None:
    actual_kind, actual_description = cover_reason(front)
    assert actual_kind is kind
    assert description in actual_description


def test_each_attempt_has_a_time_limit() -> None:
    fake = FakeDevice(seconds=5.0)
    assert not inject(device(fake), planned()).shown
    assert fake.clock.monotonic() <= len(METHODS) * (LIMIT + 10.0)


def test_a_screen_without_a_tree_is_diagnosed() -> None:
    class Dark(FakeDevice):
        def read_tree(self) -> TreeReading:
            raise TreeUnavailableError("null root node")

    injected = inject(device(Dark(outputs={"dumpsys power": "  mWakefulness=Asleep"})), planned())
    assert (injected.settled, injected.delivery.kind) == (None, FailureKind.SCREEN_OFF)


def test_a_lost_device_is_an_error_and_not_a_failed_injection() -> None:
    class Lost(FakeDevice):
        def start(self, *, component: str, extras: Mapping[str, Any]) -> None:
            raise DeviceLostError("it is gone")

    with pytest.raises(DeviceLostError):
        inject(device(Lost()), planned())


def test_each_attempt_has_its_own_token() -> None:
    assert [attempt_token("t", number) for number in (1, 2, 3)] == ["t", "t-2", "t-3"]
