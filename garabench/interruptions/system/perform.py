"""Perform a system anomaly on a device, verify that it is in effect, and detect that it was answered."""

from __future__ import annotations

from dataclasses import dataclass

from garabench.core.anomalies import notification_anomalies, screen_anomalies
from garabench.core.anomalies.anomaly import (
    Aftermath,
    Anomaly,
    AnomalyRequest,
    AnsweredWhen,
    AppLaunch,
    ClockShift,
    HangPart,
    Part,
    Precondition,
    Requirement,
    SplitScreenPart,
    TextFieldTap,
    TransientCommand,
    Verification,
)
from garabench.core.anomalies.catalog import ANOMALIES
from garabench.core.clock_reading import Instant
from garabench.core.device_changes import Change, Choice, Setting, StateQuery, Switch
from garabench.core.injection import Delivery, FailureKind
from garabench.core.interruption import Mode, SystemInterruption
from garabench.core.observation import Focus
from garabench.core.tree import UiTree
from garabench.device import console
from garabench.device.console import is_emulator
from garabench.device.device import Device
from garabench.device.undo.apply import apply, read_query, read_until, record_change
from garabench.device.undo.clock_shift import read_instant, shift_clock
from garabench.device.undo.entry import Scope
from garabench.device.undo.restore import restore_device
from garabench.errors import CommandError
from garabench.interruptions.follow_up import over_network
from garabench.interruptions.system import anr, split_screen
from garabench.interruptions.system.anr import HungApp
from garabench.interruptions.system.tracker import PlannedAnomaly

_CRASH_DIALOG = "android"
_SYSTEM_UI = "com.android.systemui"
_PERMISSION_DIALOGS = ("permissioncontroller", "packageinstaller")
_MAIN, _HOME = "android.intent.action.MAIN", "android.intent.category.HOME"
_CHOOSER = "android"
"""Package of the activity to which Android resolves an intent when the user must choose an app."""
_LOOKS = 8


@dataclass(frozen=True, slots=True)
class ActiveAnomaly:
    """A system anomaly that is in effect.

    Attributes:
        anomaly: The anomaly.
        request: What was requested.
        evidence: The readings that show it, by command.
        shifted_clock: An instant after the clock was shifted; None if the clock was not shifted.
        other_app: The package of the app that shares the screen; empty if none does.
        hung: The app that does not respond, or None.
    """

    anomaly: Anomaly
    request: AnomalyRequest
    evidence: tuple[str, ...] = ()
    shifted_clock: Instant | None = None
    other_app: str = ""
    hung: HungApp | None = None


@dataclass(frozen=True, slots=True)
class _Before:
    """The state of the device before the anomaly.

    Attributes:
        pid: The app's process ids.
        focus: The window in focus.
    """

    pid: str
    focus: Focus


def request_for(
    device: Device, anomaly: Anomaly, *, app: str, value: str = "", language: str = "en"
) -> AnomalyRequest:
    """Return the request for an anomaly on a device; an empty value means the default.

    Raises:
        CommandError: The device does not support the anomaly, or the value is invalid.
    """
    info = device.info
    refusal = anomaly.value_problem(value) or anomaly.unsupported_reason(
        sdk=info.sdk, emulator=is_emulator(info.serial), over_network=over_network(info.serial)
    )
    if refusal:
        raise CommandError(refusal)
    chosen = value or (anomaly.parameter.default if anomaly.parameter else "")
    return AnomalyRequest(app=app, value=chosen, language=language, sdk=info.sdk)


def perform_anomaly(device: Device, anomaly: Anomaly, request: AnomalyRequest) -> ActiveAnomaly:
    """Perform an anomaly; each change is recorded in the device's journal first.

    Args:
        device: The device.
        anomaly: The anomaly.
        request: The request, from `request_for`.

    Raises:
        CommandError: It could not be verified to be in effect; its changes are in the journal.
        DeviceError: The device is gone.
        HarnessError: The journal cannot be written.
    """
    ends_process = anomaly.verification is Verification.PROCESS_ENDED
    before = _Before(_pid(device, request.app) if ends_process else "", device.focus())
    if ends_process and not before.pid:
        raise CommandError(f"{anomaly.id}: {request.app} is not running")
    evidence = [f"pidof {request.app}: {before.pid}"] if before.pid else []
    moved, other, hung = None, "", None
    for part in anomaly.parts(request):
        if isinstance(part, ClockShift):
            moved = shift_clock(device.adb, device.journal, part.seconds, purpose=anomaly.id)
            evidence.append(f"date: {moved}, {part.seconds:+d} s")
        elif isinstance(part, SplitScreenPart):
            shared = split_screen.enter(device, part, app=request.app, purpose=anomaly.id)
            evidence, other = [*evidence, *shared.evidence], shared.other_app
        elif isinstance(part, AppLaunch):
            if not device.apps.open(request.app):
                raise CommandError(f"{anomaly.id}: {request.app} cannot be opened")
        elif isinstance(part, HangPart):
            hung = anr.hang(device, app=request.app, purpose=anomaly.id)
            evidence += hung.evidence
        else:
            evidence += _perform_part(device, anomaly, part)
    evidence += _verify(device, anomaly, request, before)
    return ActiveAnomaly(anomaly, request, tuple(evidence), moved, other, hung)


def answered(device: Device, active: ActiveAnomaly, tree: UiTree, front: str) -> bool:
    """Return whether an anomaly was answered.

    Args:
        device: The device.
        active: The anomaly.
        tree: The settled screen.
        front: The package in focus.
    """
    if active.anomaly.answered_when is AnsweredWhen.IMMEDIATELY:
        return True
    if active.hung is not None and anr.is_still_hung(device, active.hung):
        return False
    if active.anomaly.answered_when is AnsweredWhen.APP_IN_FOREGROUND:
        return front == active.request.app and not any(_is_dialog(root.package) for root in tree.roots)
    if active.shifted_clock is not None and not active.shifted_clock.agrees_with(read_instant(device.adb)):
        return True
    if active.other_app:
        return not split_screen.is_still_split(device, active.request.app, active.other_app)
    return any(not part.is_in_effect(read_query(device.adb, part.query)) for part in _changes(active))


def _changes(active: ActiveAnomaly) -> list[Change]:
    effects = [
        part.effect if isinstance(part, TextFieldTap) else part
        for part in active.anomaly.parts(active.request)
    ]
    return [part for part in effects if isinstance(part, Setting | Switch | Choice)]


def _is_dialog(package: str) -> bool:
    return package == _CRASH_DIALOG or package.endswith(_PERMISSION_DIALOGS)


def _perform_part(device: Device, anomaly: Anomaly, part: Part) -> list[str]:
    """Perform a part and return its evidence."""
    adb, sdk = device.adb, device.info.sdk
    match part:
        case ClockShift() | SplitScreenPart() | HangPart() | AppLaunch():
            return []  # performed by the caller
        case Requirement():
            if read_query(adb, part.query) not in part.expected:
                raise CommandError(f"{anomaly.id}: {part.problem}")
            return []
        case Precondition():
            apply(adb, device.journal, part.change, sdk=sdk, purpose=anomaly.id)
            return []
        case TransientCommand():
            return _event(device, anomaly, part)
        case TextFieldTap():
            return _tap_field(device, anomaly, part.effect)
        case Aftermath():
            record_change(adb, device.journal, part.effect, sdk=sdk, purpose=anomaly.id, scope=Scope.EPISODE)
            return []
        case _:
            if not apply(adb, device.journal, part, sdk=sdk, purpose=anomaly.id):
                raise CommandError(
                    f"{anomaly.id}: {part.subject} is already in this state; nothing would change"
                )
            return [_evidence(part.query, read_query(adb, part.query))]


def _event(device: Device, anomaly: Anomaly, event: TransientCommand) -> list[str]:
    console.run_in_shell_or_console(device.adb, event.argv).check(f"bring about {anomaly.id}")
    if event.query is None:
        return []
    reading = read_until(device.adb, event.query, lambda reading: reading in event.expected)
    if reading not in event.expected:
        result_text = f"it reads {reading!r}" if reading else "nothing changed"
        raise CommandError(f"{anomaly.id}: {' '.join(event.argv)!r} had no effect: {result_text}")
    return [_evidence(event.query, reading)]


def _tap_field(device: Device, anomaly: Anomaly, effect: Switch) -> list[str]:
    adb = device.adb
    if effect.is_in_effect(read_query(adb, effect.query)):
        raise CommandError(f"{anomaly.id}: {effect.subject} is already in this state; nothing would change")
    fields = [
        node
        for node in device.settle().reading.tree.nodes
        if node.cls.endswith("EditText") and node.enabled and node.visible and not node.bounds.is_empty
    ]
    if not fields:
        raise CommandError(f"{anomaly.id}: the screen has no text field")
    record_change(adb, device.journal, effect, sdk=device.info.sdk, purpose=anomaly.id, scope=Scope.EPISODE)
    at = fields[0].bounds.center
    adb.shell(["input", "tap", str(at.x), str(at.y)]).check(f"bring about {anomaly.id}")
    reading = read_until(adb, effect.query, effect.is_in_effect)
    if not effect.is_in_effect(reading):
        raise CommandError(f"{anomaly.id}: tapping the text field did not open {effect.subject}")
    return [_evidence(effect.query, reading)]


def _evidence(query: StateQuery, reading: str) -> str:
    """Format a reading as `garabench interruptions show` prints it."""
    after = f"{query.after.strip()} " if query.after else ""
    return f"{' '.join(query.argv)}: {after}{reading or '(nothing)'}"


def _verify(device: Device, anomaly: Anomaly, request: AnomalyRequest, before: _Before) -> list[str]:
    """Return the evidence that an anomaly is in effect, besides that of its parts.

    Raises:
        CommandError: It is not in effect.
    """
    problem = ""
    match anomaly.verification:
        case Verification.STATE | Verification.SPLIT | Verification.ANR_DIALOG_SHOWN:
            return []  # each part was read back
        case Verification.CONFIRMED:
            return ["the emulator's console: OK"]
        case Verification.PROCESS_ENDED:
            dialogs = [part.effect for part in anomaly.parts(request) if isinstance(part, Aftermath)]
            for _ in range(_LOOKS):
                if (after := _pid(device, request.app)) != before.pid:
                    return [f"pidof {request.app}: {after or '(nothing)'}"]
                for dialog in dialogs:  # while it is shown, the process may not have ended yet
                    if dialog.is_in_effect(reading := read_query(device.adb, dialog.query)):
                        return [_evidence(dialog.query, reading)]
                device.wait(0.25)
            problem = f"the process of {request.app} is still running"
        case Verification.HOME | Verification.APP_SWITCHED:
            home = anomaly.verification is Verification.HOME
            wanted = device.apps.resolve(
                action=_MAIN if home else screen_anomalies.SETTINGS, category=_HOME if home else ""
            )
            device.settle()
            for _ in range(_LOOKS):
                now = device.focus()
                if now != before.focus and _is_in_front(now, wanted, request.app):
                    return [f"dumpsys window: the focus is {now.package}"]
                device.wait(0.25)
            problem = f"{now.package or 'no app'} has the focus"
        case Verification.HEADS_UP_SHOWN:
            title = notification_anomalies.heads_up_title(request)
            for _ in range(4):
                tree = device.read_tree().tree
                if any(node.text == title and node.package == _SYSTEM_UI for node in tree.nodes):
                    return [f"a window of {_SYSTEM_UI}: {title}"]
                device.wait(0.25)
            problem = f"it was posted, and {title!r} is in no window of {_SYSTEM_UI}"
        case Verification.ROTATED:
            degrees = device.settle().reading.tree.rotation * 90
            if str(degrees) == request.value:
                return [f"the tree's rotation: {degrees} degrees"]
            problem = "the app in front keeps its own orientation"
    raise CommandError(f"{anomaly.id}: {problem}")


def _is_in_front(now: Focus, wanted: Focus | None, app: str) -> bool:
    """Return whether an activity of the wanted app is in front; if unknown, of any app but `app`."""
    if wanted is None or wanted.package == _CHOOSER:
        return bool(now.activity) and now.package != app
    return bool(now.activity) and now.package == wanted.package


def _pid(device: Device, app: str) -> str:
    return device.adb.shell(["pidof", app]).stdout.strip()


def plan_anomaly(
    use: SystemInterruption, mode: Mode, *, app: str, language: str, token: str
) -> PlannedAnomaly:
    """Plan an injection; arguments as the attributes of `PlannedAnomaly`."""
    anomaly = ANOMALIES[use.system]
    return PlannedAnomaly(
        name=use.id,
        system=use.system,
        value=use.value,
        category=anomaly.category.value,
        severity=anomaly.severity.value,
        answer=anomaly.answered_when.name.lower().replace("_", " "),
        blocks_agent=anomaly.answered_when is AnsweredWhen.APP_IN_FOREGROUND,
        mode=mode,
        app=app,
        language=language,
        token=token,
    )


class ActiveAnomalies:
    """The system anomalies of one episode that are in effect."""

    def __init__(self, device: Device) -> None:
        """Start with none.

        Args:
            device: The device, whose journal records the changes.
        """
        self._device = device
        self._open: dict[str, ActiveAnomaly] = {}

    def inject(self, planned: PlannedAnomaly) -> Delivery:
        """Perform an anomaly; if it is not in effect afterwards, its changes are undone.

        Returns:
            The evidence, or why it is not in effect.

        Raises:
            DeviceError: The device is gone.
            HarnessError: The journal cannot be written.
        """
        device, anomaly = self._device, ANOMALIES[planned.system]
        before = device.journal.last
        try:
            request = request_for(
                device, anomaly, app=planned.app, value=planned.value, language=planned.language
            )
            active = perform_anomaly(device, anomaly, request)
        except CommandError as error:
            restore_device(device.adb, device.journal, after=before)
            return Delivery(kind=FailureKind.NOT_IN_FORCE, reason=str(error))
        self._open[planned.token] = active
        return Delivery(evidence=active.evidence)

    def answered(self, tree: UiTree, front: str) -> frozenset[str]:
        """Return the tokens of the anomalies that were answered; each is returned once.

        Args:
            tree: The settled screen.
            front: The package in focus.

        Raises:
            DeviceError: The device is gone.
        """
        tokens = {
            token for token, active in self._open.items() if answered(self._device, active, tree, front)
        }
        for token in tokens:
            del self._open[token]
        return frozenset(tokens)
