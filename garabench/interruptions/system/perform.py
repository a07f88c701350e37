"""Perform a system anomaly on a device, see that it is in force, and see whether it was answered."""

from __future__ import annotations

from dataclasses import dataclass

from garabench.core.changes import Change, Choice, Probe, Setting, Switch
from garabench.core.injection import FailureKind, Sent
from garabench.core.instants import Instant
from garabench.core.interruption import Mode, SystemInterruption
from garabench.core.observation import Focus
from garabench.core.tree import UiTree
from garabench.device import console
from garabench.device.console import is_emulator
from garabench.device.device import Device
from garabench.device.undo.change import apply, note, read, read_until
from garabench.device.undo.entry import Scope
from garabench.device.undo.moved import move, read_instant
from garabench.device.undo.restore import restore
from garabench.errors import CommandFailed
from garabench.interruptions.followup import over_the_air
from garabench.interruptions.system import beside, hang, parts
from garabench.interruptions.system.anomaly import (
    Aftermath,
    Anomaly,
    Beside,
    ClockMove,
    Event,
    FieldTap,
    Given,
    Hang,
    Over,
    Part,
    Precondition,
    Requirement,
    Seen,
)
from garabench.interruptions.system.catalogue import ANOMALIES
from garabench.interruptions.system.hang import Hung
from garabench.interruptions.system.lifecycle import PlannedSystem

_CRASH_DIALOG = "android"
_SYSTEM_UI = "com.android.systemui"
_PERMISSION_DIALOGS = ("permissioncontroller", "packageinstaller")
_MAIN, _HOME = "android.intent.action.MAIN", "android.intent.category.HOME"
_CHOOSER = "android"
"""Of whose package the activity is that Android resolves an intent to when it has to ask for an app."""
_MONKEY_FAILED = ("No activities found", "aborted")
_LOOKS = 8


@dataclass(frozen=True, slots=True)
class InForce:
    """A system anomaly that is in force.

    Attributes:
        anomaly: Which one.
        given: What it was asked for.
        evidence: What was read that shows it, command by command.
        moved: A moment after the clock was moved; None where it was not.
        beside: The package of the app that shares the screen; empty where none does.
        hung: The app's process that does not respond; None where it does.
    """

    anomaly: Anomaly
    given: Given
    evidence: tuple[str, ...] = ()
    moved: Instant | None = None
    beside: str = ""
    hung: Hung | None = None


@dataclass(frozen=True, slots=True)
class _Before:
    """How the device was before.

    Attributes:
        pid: The app's processes.
        focus: What had the focus.
    """

    pid: str
    focus: Focus


def given(device: Device, anomaly: Anomaly, *, app: str, value: str = "", language: str = "en") -> Given:
    """What an anomaly is asked for on a device; an empty value is the default.

    Raises:
        CommandFailed: The device cannot have it, or the value can be none: never a silent no-op.
    """
    info = device.info
    refusal = anomaly.problem(value) or anomaly.refusal(
        sdk=info.sdk, emulator=is_emulator(info.serial), over_the_air=over_the_air(info.serial)
    )
    if refusal:
        raise CommandFailed(refusal)
    chosen = value or (anomaly.parameter.default if anomaly.parameter else "")
    return Given(app=app, value=chosen, language=language, sdk=info.sdk)


def perform(device: Device, anomaly: Anomaly, asked: Given) -> InForce:
    """Bring an anomaly about; each change is in the device's journal before it is made.

    Args:
        device: The device.
        anomaly: Which one.
        asked: As `given` has checked it.

    Raises:
        CommandFailed: It is not seen to be in force; what was changed for it is in the journal.
        DeviceError: The device is gone.
        HarnessError: The journal cannot be written.
    """
    before = _Before(_pid(device, asked.app) if anomaly.seen is Seen.DIED else "", device.focus())
    if anomaly.seen is Seen.DIED and not before.pid:
        raise CommandFailed(f"{anomaly.id}: {asked.app} does not run")
    evidence = [f"pidof {asked.app}: {before.pid}"] if before.pid else []
    moved, other, hung = None, "", None
    for part in anomaly.parts(asked):
        if isinstance(part, ClockMove):
            moved = move(device.adb, device.journal, part.seconds, why=anomaly.id)
            evidence.append(f"date: {moved}, {part.seconds:+d} s")
        elif isinstance(part, Beside):
            shared = beside.share(device, part, app=asked.app, why=anomaly.id)
            evidence, other = [*evidence, *shared.evidence], shared.beside
        elif isinstance(part, Hang):
            hung = hang.hang(device, app=asked.app, why=anomaly.id)
            evidence += hung.evidence
        else:
            evidence += _do(device, anomaly, part)
    evidence += _seen(device, anomaly, asked, before)
    return InForce(anomaly, asked, tuple(evidence), moved, other, hung)


def answered(device: Device, force: InForce, tree: UiTree, front: str) -> bool:
    """Whether an anomaly was answered.

    Args:
        device: The device.
        force: The anomaly.
        tree: The settled screen.
        front: The package in focus.
    """
    if force.anomaly.over is Over.AT_ONCE:
        return True
    if force.hung is not None and hang.hangs(device, force.hung):
        return False
    if force.anomaly.over is Over.IN_FRONT:
        return front == force.given.app and not any(_is_dialog(root.package) for root in tree.roots)
    if force.moved is not None and not force.moved.goes_on(read_instant(device.adb)):
        return True
    if force.beside:
        return not beside.still(device, force.given.app, force.beside)
    return any(not part.is_so(read(device.adb, part.probe)) for part in _changes(force))


def _changes(force: InForce) -> list[Change]:
    done = [part.brings if isinstance(part, FieldTap) else part for part in force.anomaly.parts(force.given)]
    return [part for part in done if isinstance(part, Setting | Switch | Choice)]


def _is_dialog(package: str) -> bool:
    return package == _CRASH_DIALOG or package.endswith(_PERMISSION_DIALOGS)


def _do(device: Device, anomaly: Anomaly, part: Part) -> list[str]:
    """Do a part; what was read that shows it."""
    adb, sdk = device.adb, device.info.sdk
    match part:
        case ClockMove() | Beside() | Hang():
            return []  # its caller keeps what comes of it
        case Requirement():
            if read(adb, part.probe) not in part.expected:
                raise CommandFailed(f"{anomaly.id}: {part.problem}")
            return []
        case Precondition():
            apply(adb, device.journal, part.change, sdk=sdk, why=anomaly.id)
            return []
        case Event():
            return _event(device, anomaly, part)
        case FieldTap():
            return _tap_field(device, anomaly, part.brings)
        case Aftermath():
            note(adb, device.journal, part.brings, sdk=sdk, why=anomaly.id, scope=Scope.EPISODE)
            return []
        case _:
            if not apply(adb, device.journal, part, sdk=sdk, why=anomaly.id):
                raise CommandFailed(f"{anomaly.id}: {part.what} is so already: nothing would change")
            return [_told(part.probe, read(adb, part.probe))]


def _event(device: Device, anomaly: Anomaly, event: Event) -> list[str]:
    result = console.run(device.adb, event.argv).check(f"bring about {anomaly.id}")
    if any(word in result.output for word in _MONKEY_FAILED) and event.argv[0] == "monkey":
        raise CommandFailed(f"{anomaly.id}: {event.argv[2]} cannot be opened")
    if event.probe is None:
        return []
    reading = read_until(device.adb, event.probe, lambda reading: reading in event.expected)
    if reading not in event.expected:
        said = f"it reads {reading!r}" if reading else "nothing changed"
        raise CommandFailed(f"{anomaly.id}: {' '.join(event.argv)!r} was not followed: {said}")
    return [_told(event.probe, reading)]


def _tap_field(device: Device, anomaly: Anomaly, brings: Switch) -> list[str]:
    adb = device.adb
    if brings.is_so(read(adb, brings.probe)):
        raise CommandFailed(f"{anomaly.id}: {brings.what} is so already: nothing would change")
    fields = [
        node
        for node in device.settle().reading.tree.nodes
        if node.cls.endswith("EditText") and node.enabled and node.visible and not node.bounds.is_empty
    ]
    if not fields:
        raise CommandFailed(f"{anomaly.id}: there is no text field on the screen")
    note(adb, device.journal, brings, sdk=device.info.sdk, why=anomaly.id, scope=Scope.EPISODE)
    at = fields[0].bounds.center
    adb.shell(["input", "tap", str(at.x), str(at.y)]).check(f"bring about {anomaly.id}")
    reading = read_until(adb, brings.probe, brings.is_so)
    if not brings.is_so(reading):
        raise CommandFailed(f"{anomaly.id}: a tap into a text field does not bring it")
    return [_told(brings.probe, reading)]


def _told(probe: Probe, reading: str) -> str:
    """What was read, as `garabench interruptions show` tells what is to be read."""
    after = f"{probe.after.strip()} " if probe.after else ""
    return f"{' '.join(probe.argv)}: {after}{reading or '(nothing)'}"


def _seen(device: Device, anomaly: Anomaly, asked: Given, before: _Before) -> list[str]:
    """What shows that it is in force, beside what its parts have read.

    Raises:
        CommandFailed: It is not.
    """
    problem = ""
    match anomaly.seen:
        case Seen.STATE | Seen.HALVED | Seen.ASKED:
            return []  # each part was read back
        case Seen.CONFIRMED:
            return ["the emulator's console: OK"]
        case Seen.DIED:
            dialogs = [part.brings for part in anomaly.parts(asked) if isinstance(part, Aftermath)]
            for _ in range(_LOOKS):
                if (after := _pid(device, asked.app)) != before.pid:
                    return [f"pidof {asked.app}: {after or '(nothing)'}"]
                for dialog in dialogs:  # while it is there, a process can wait for its answer
                    if dialog.is_so(reading := read(device.adb, dialog.probe)):
                        return [_told(dialog.probe, reading)]
                device.wait(0.25)
            problem = f"the process of {asked.app} lives on"
        case Seen.HOME | Seen.SWITCHED:
            home = anomaly.seen is Seen.HOME
            wanted = device.apps.resolve(
                action=_MAIN if home else parts.SETTINGS, category=_HOME if home else ""
            )
            device.settle()
            for _ in range(_LOOKS):
                now = device.focus()
                if now != before.focus and _arrived(now, wanted, asked.app):
                    return [f"dumpsys window: the focus is {now.package}"]
                device.wait(0.25)
            problem = f"{now.package or 'no app'} has the focus"
        case Seen.AT_THE_TOP:
            title = parts.heads_up_title(asked)
            for _ in range(4):
                tree = device.look().tree
                if any(node.text == title and node.package == _SYSTEM_UI for node in tree.nodes):
                    return [f"a window of {_SYSTEM_UI}: {title}"]
                device.wait(0.25)
            problem = f"it was posted, and {title!r} is in no window of {_SYSTEM_UI}"
        case Seen.TURNED:
            turned = device.settle().reading.tree.rotation * 90
            if str(turned) == asked.value:
                return [f"the tree's rotation: {turned} degrees"]
            problem = "the app in front keeps its own orientation"
    raise CommandFailed(f"{anomaly.id}: {problem}")


def _arrived(now: Focus, wanted: Focus | None, app: str) -> bool:
    """Whether an activity of the wanted app is in front; where none is told, of another than `app`."""
    if wanted is None or wanted.package == _CHOOSER:
        return bool(now.activity) and now.package != app
    return bool(now.activity) and now.package == wanted.package


def _pid(device: Device, app: str) -> str:
    return device.adb.shell(["pidof", app]).stdout.strip()


def plan_system(use: SystemInterruption, mode: Mode, *, app: str, language: str, token: str) -> PlannedSystem:
    """Plan an injection; arguments as the attributes of `PlannedSystem`."""
    anomaly = ANOMALIES[use.system]
    return PlannedSystem(
        name=use.id,
        system=use.system,
        value=use.value,
        category=anomaly.category.value,
        severity=anomaly.severity.value,
        answer=anomaly.over.name.lower().replace("_", " "),
        waits=anomaly.over is Over.IN_FRONT,
        mode=mode,
        app=app,
        language=language,
        token=token,
    )


class Systems:
    """The system anomalies of one episode that are in force."""

    def __init__(self, device: Device) -> None:
        """Prepare.

        Args:
            device: The device, whose journal takes what is changed.
        """
        self._device = device
        self._open: dict[str, InForce] = {}

    def inject(self, planned: PlannedSystem) -> Sent:
        """Bring one about; what is not in force leaves nothing changed.

        Returns:
            What was read that shows it, or why it is not in force.

        Raises:
            DeviceError: The device is gone.
            HarnessError: The journal cannot be written.
        """
        device, anomaly = self._device, ANOMALIES[planned.system]
        before = device.journal.last
        try:
            asked = given(device, anomaly, app=planned.app, value=planned.value, language=planned.language)
            force = perform(device, anomaly, asked)
        except CommandFailed as error:
            restore(device.adb, device.journal, after=before)
            return Sent(kind=FailureKind.NOT_IN_FORCE, reason=str(error))
        self._open[planned.token] = force
        return Sent(evidence=force.evidence)

    def answered(self, tree: UiTree, front: str) -> frozenset[str]:
        """The tokens of those that are not in force any more; each is told once.

        Args:
            tree: The settled screen.
            front: The package in focus.

        Raises:
            DeviceError: The device is gone.
        """
        over = {token for token, force in self._open.items() if answered(self._device, force, tree, front)}
        for token in over:
            del self._open[token]
        return frozenset(over)
