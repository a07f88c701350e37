"""Record what a person does on the phone itself, from ``getevent``.

A gesture has happened when it is read, so its step is not performed again; the screen before it is the one
that was observed last. Touches on the soft keyboard are left out: the text of the focused field becomes a
step when they pause, when something else is touched, or when the keyboard closes, as its action key does.
"""

from __future__ import annotations

import contextlib
import queue
import subprocess
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType

from garabench.authoring.recording.gesture_steps import (
    PersonGesture,
    PressedKey,
    TouchGesture,
    TypedText,
)
from garabench.authoring.recording.getevent_lines import GeteventParser, TouchPanel, touch_panel
from garabench.authoring.recording.person_session import FinishRecording, PersonSession
from garabench.core import action as act
from garabench.core.geometry import Point, Size
from garabench.core.touch import TEXT_FIELDS
from garabench.core.tree import UiNode, UiTree, is_system
from garabench.device.device import ActionResult, Device
from garabench.errors import DeviceError, InputError

_PAUSE_S = 1.5
"""Time without touches on the keyboard after which a text counts as typed."""
_LOOK_S = 0.3
"""Time without touches on the keyboard after which the text so far is read."""
_WAIT_S = 10.0
_EARLY = "touched before the last screen was read: check this step, and wait for each to be printed"
_UNREAD = "the end of the text may be missing: check this step, and pause before the next touch"


class HandDevice(Device):
    """A device whose actions a person has performed already, but for the steps of a resumed recording.

    Attributes:
        by_hand: Counts the actions that the person has performed and the episode has yet to perform.
    """

    by_hand: threading.Semaphore

    def perform(self, action: act.Action, screen: Size) -> ActionResult:
        """Do nothing if a person has performed this action; perform it otherwise."""
        if self.by_hand.acquire(blocking=False):
            return ActionResult(True, "performed by hand")
        return super().perform(action, screen)


@dataclass
class _Typing:
    """A text that is being typed on the keyboard.

    Attributes:
        last_key: When the keyboard was touched last, on the monotonic clock.
        text: The text of the field, as read last; None before.
        tree: The screen that it was read from.
        stale: Whether the keyboard was touched since.
    """

    last_key: float
    text: str | None = None
    tree: UiTree | None = None
    stale: bool = True


class HandRecorder:
    """Reads the touches of a device and sends them to a session.

    Attributes:
        device: The device for the episode.
    """

    def __init__(self, device: Device, warn: Callable[[str], None]) -> None:
        """Find the touch panel.

        Args:
            device: The device.
            warn: Called with a message about each gesture that could not be recorded.

        Raises:
            DeviceError: It lists no touch panel.
        """
        listing = device.adb.shell(("getevent", "-lp")).stdout
        panel = touch_panel(listing)
        if panel is None:
            raise DeviceError(f"{device.info.serial} lists no touch panel (getevent -lp)")
        self._panel: TouchPanel = panel
        self._plain = device
        self._warn = warn
        self._clock = device.clock
        self._lines: queue.Queue[tuple[float, str] | None] = queue.Queue()
        self._session: PersonSession | None = None
        self._typing: _Typing | None = None
        self._typed = ""
        self._ready = 0.0
        self._process: subprocess.Popen[str] | None = None
        self.device = HandDevice.connect(device.adb.serial, device.clock, info=device.info)
        self.device.by_hand = threading.Semaphore(0)

    def __enter__(self) -> HandRecorder:
        adb = self._plain.adb
        host, port = adb.server
        words = [adb.program, "-H", host, "-P", str(port), "-s", adb.serial, "shell", "getevent", "-lt"]
        self._process = subprocess.Popen(words, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        threading.Thread(target=self._read, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        with contextlib.suppress(DeviceError):
            self.device.close()

    def _read(self) -> None:
        process = self._process
        if process is None or process.stdout is None:
            return
        for line in process.stdout:
            self._lines.put((self._clock.monotonic(), line))
        self._lines.put(None)

    def drive(self, session: PersonSession) -> None:
        """Send the gestures to a session, from a separate thread."""
        self._session = session
        threading.Thread(target=self._send_all, args=(session,), daemon=True).start()

    def finish(self) -> None:
        """End the recording: the task is done."""
        session = self._session
        if session is not None:
            if session.observation is None:
                session.wait_for_change(session.version, _WAIT_S)
            session.send(FinishRecording())

    def _send_all(self, session: PersonSession) -> None:
        parser: GeteventParser | None = None
        while session.ended is None:
            try:
                line = self._lines.get(timeout=_PAUSE_S if self._typing is None else _LOOK_S)
            except queue.Empty:
                self._look(session)
                continue
            if line is None:
                return
            observation = session.observation or session.last
            if observation is None:
                continue
            if parser is None:
                parser = GeteventParser(self._panel, observation.screen, observation.rotation)
            parser.screen, parser.rotation = observation.screen, observation.rotation
            at, text = line
            gesture = parser.feed(text)
            if gesture is None:
                continue
            if isinstance(gesture, TouchGesture) and on_keyboard(observation.tree, gesture.start):
                if self._typing is None:
                    self._typing = _Typing(at)
                self._typing.last_key, self._typing.stale = at, True
                continue
            tree = self._end_text(session)
            self._send(session, gesture, _EARLY if tree is None and at < self._ready else "", tree)

    def _look(self, session: PersonSession) -> None:
        """Read the text so far, and record it if it has paused or the keyboard has closed."""
        typing = self._typing
        if typing is None:
            return
        if not typing.stale:
            if self._clock.monotonic() - typing.last_key >= _PAUSE_S:
                self._end_text(session)
            return
        try:
            tree = self._plain.read_tree().tree
        except DeviceError as error:
            self._warn(f"the typed text could not be read: {error}")
            self._typing = None
            return
        typing.stale = False
        if shows_keyboard(tree):
            field = next((node for node in _text_fields(tree) if node.focused), None)
            typing.text, typing.tree = None if field is None else field.text, tree
            return
        # The last touch was on a key that closed the keyboard: the action key. The next page, such as that of
        # results, often shows the text as well.
        known = self._typed if typing.text is None else typing.text
        longer = (node.text for node in _text_fields(tree) if known and node.text.startswith(known))
        self._typing = None
        text = max(longer, key=len, default=known)
        if text and text != self._typed:
            self._send(session, TypedText(text, clear=True, submit=True))
        else:
            self._send(session, PressedKey("enter"))

    def _end_text(self, session: PersonSession) -> UiTree | None:
        """Record the text that was being typed; return the screen that it was read from, or None."""
        typing, self._typing = self._typing, None
        if typing is None or typing.tree is None:
            if typing is not None:
                self._warn("a text was typed faster than it could be read, and is not recorded")
            return None
        if typing.text and typing.text != self._typed:
            self._typed = typing.text
            self._send(session, TypedText(typing.text, clear=True), _UNREAD if typing.stale else "")
        return typing.tree

    def _send(
        self, session: PersonSession, gesture: PersonGesture, doubt: str = "", tree: UiTree | None = None
    ) -> None:
        """Send a gesture, and wait for the next screen."""
        if not isinstance(gesture, TypedText):
            self._typed = ""  # another field may be focused next
        self._wait(session)
        number = len(session.steps) + 1
        self.device.by_hand.release()
        try:
            text = session.preview(gesture, tree).text
            session.send(gesture, tree)
        except InputError as error:
            self.device.by_hand.acquire(blocking=False)
            self._warn(f"not recorded: {error}")
            return
        self._wait(session)
        self._ready = self._clock.monotonic()
        self._warn(f"{number}. {text}" + (f"   # {doubt}" if doubt else ""))

    def _wait(self, session: PersonSession) -> None:
        """Wait until the session shows a screen."""
        deadline = self._clock.monotonic() + _WAIT_S
        while session.observation is None and session.ended is None:
            version = session.version
            remaining = deadline - self._clock.monotonic()
            if session.observation is not None or remaining <= 0:
                return
            session.wait_for_change(version, remaining)


def _text_fields(tree: UiTree) -> Iterator[UiNode]:
    return (node for node in tree.app_nodes if node.cls.endswith(TEXT_FIELDS))


def shows_keyboard(tree: UiTree) -> bool:
    """Return whether the soft keyboard is open."""
    return any(_is_keyboard(root) for root in tree.roots)


def on_keyboard(tree: UiTree, point: Point) -> bool:
    """Return whether a point is on the soft keyboard."""
    return any(_is_keyboard(root) and root.bounds.contains(point) for root in tree.roots)


def _is_keyboard(root: UiNode) -> bool:
    return is_system(root.package) and "systemui" not in root.package
