"""Record what a person does on the phone itself, from ``getevent``.

A gesture has happened when it is read, so its step is not performed again; the screen before it is the one
that was observed last. Touches on the soft keyboard are left out: when they pause, the text of the focused
field becomes a step.
"""

from __future__ import annotations

import contextlib
import queue
import subprocess
import threading
from collections.abc import Callable
from types import TracebackType

from garabench.authoring.recording.gesture_steps import PersonGesture, TouchGesture, TypedText
from garabench.authoring.recording.getevent_lines import GeteventParser, TouchPanel, touch_panel
from garabench.authoring.recording.person_session import FinishRecording, PersonSession
from garabench.core import action as act
from garabench.core.geometry import Point, Size
from garabench.core.touch import TEXT_FIELDS
from garabench.core.tree import UiTree, is_system
from garabench.device.device import ActionResult, Device
from garabench.errors import DeviceError, InputError

_PAUSE_S = 1.5
"""Time without touches on the keyboard after which a text counts as typed."""
_WAIT_S = 10.0


class HandDevice(Device):
    """A device whose actions a person has performed already."""

    def perform(self, action: act.Action, screen: Size) -> ActionResult:
        """Do nothing."""
        return ActionResult(True, "performed by hand")


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
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._session: PersonSession | None = None
        self._process: subprocess.Popen[str] | None = None
        self.device = HandDevice.connect(device.adb.serial, device.clock, info=device.info)

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
            self._lines.put(line)
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
        typing = False
        parser: GeteventParser | None = None
        while session.ended is None:
            try:
                line = self._lines.get(timeout=_PAUSE_S)
            except queue.Empty:
                if typing:
                    typing = False
                    self._send_text(session)
                continue
            if line is None:
                return
            observation = session.observation or session.last
            if observation is None:
                continue
            if parser is None:
                parser = GeteventParser(self._panel, observation.screen, observation.rotation)
            parser.screen, parser.rotation = observation.screen, observation.rotation
            gesture = parser.feed(line)
            if gesture is None:
                continue
            if isinstance(gesture, TouchGesture) and on_keyboard(observation.tree, gesture.start):
                typing = True
                continue
            self._send(session, gesture)

    def _send_text(self, session: PersonSession) -> None:
        try:
            tree = self._plain.read_tree().tree
        except DeviceError as error:
            self._warn(f"the typed text could not be read: {error}")
            return
        field = next(
            (node for node in tree.app_nodes if node.focused and node.cls.endswith(TEXT_FIELDS)), None
        )
        if field is not None and field.text:
            self._send(session, TypedText(field.text, clear=True))

    def _send(self, session: PersonSession, gesture: PersonGesture) -> None:
        if session.observation is None:
            version = session.version
            session.wait_for_change(version, _WAIT_S)
        try:
            preview = session.preview(gesture)
            session.send(gesture)
            self._warn(f"{len(session.recorded) + 1}. {preview.text}")
        except InputError as error:
            self._warn(f"not recorded: {error}")


def on_keyboard(tree: UiTree, point: Point) -> bool:
    """Return whether a point is on the soft keyboard."""
    return any(
        is_system(root.package) and "systemui" not in root.package and root.bounds.contains(point)
        for root in tree.roots
    )
