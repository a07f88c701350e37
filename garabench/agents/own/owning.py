"""An agent that drives the device itself through adb, such as another project with a few lines around it."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from garabench.agents.interface import Brief
from garabench.agents.own import messages as msg
from garabench.agents.own.boundedlog import AGENT_LOG, BoundedLog
from garabench.agents.own.child import Child, Ended, Late
from garabench.agents.own.door import Door
from garabench.agents.own.owner import Handover, LastWord
from garabench.agents.setting import Setting
from garabench.errors import AgentError, AgentFailed, AgentFault, ModelError

DONE, GAVE_UP, MODEL_FAILED = 0, 10, 75
"""Exit statuses with a meaning; 75 is EX_TEMPFAIL of ``sysexits.h``. All others are crashes."""
MOST_ANSWER = 10_000
"""Bytes of an answer."""
_SAY_SECONDS = 10.0
_MOMENT = 0.1
_ANSWER, _BRIEF = "answer.txt", "brief.json"


class OwningAgent:
    """A program that drives the device.

    Attributes:
        name: As in tables and paths.
        reference: False.
    """

    reference = False

    def __init__(self, argv: Sequence[str], setting: Setting) -> None:
        """Prepare; nothing is started.

        Args:
            argv: The program and its arguments.
            setting: For which episode.
        """
        self.name = setting.name
        self._argv = tuple(argv)
        self._setting = setting
        self._child: Child | None = None
        self._files: tempfile.TemporaryDirectory[str] | None = None
        self._door: Door | None = None
        self._taken = 0.0
        self._begun: float | None = None  # when it was first seen to use the device

    def take(self, brief: Brief, handover: Handover) -> None:
        """Start the program.

        Raises:
            AgentFailed: It does not start.
        """
        self._files = tempfile.TemporaryDirectory(prefix="garabench-")
        folder = Path(self._files.name)
        told = msg.OwningBrief(
            instruction=brief.instruction,
            language=brief.language,
            app=brief.app,
            max_steps=brief.max_steps,
            seconds=handover.seconds,
            screen=msg.ScreenSize(width=brief.screen.width, height=brief.screen.height),
            seed=brief.seed,
            serial=handover.serial,
            answer=str(folder / _ANSWER),
        )
        data = told.model_dump_json().encode() + b"\n"
        (folder / _BRIEF).write_bytes(data)
        log = BoundedLog(self._setting.folder / AGENT_LOG)
        try:
            self._door = Door((handover.host, handover.port))
            env = environment(told, handover, self._door, folder / _BRIEF)
            self._child = Child(self._argv, log, self._setting, env=env, speaks=False)
        except OSError as error:
            raise AgentFailed(f"{self.name} could not be started: {error}") from error
        with contextlib.suppress(Late, Ended):  # it need not read it
            self._child.say(data, _SAY_SECONDS)
        self._child.hush()
        self._taken = self._setting.clock.monotonic()

    def wait(self, seconds: float, idle: float) -> LastWord | None:
        """Let it go on for that long, or until it ends; what it leaves running is ended, too.

        Raises:
            AgentFailed: It has not begun to use the device in the time to get ready.
            AgentError: It has crashed, or no action of it was seen for as long as a decision may take.
            ModelError: It has ended since its model failed.
        """
        child = self._child
        if child is None:
            raise RuntimeError("the agent was not started")
        before = self._setting.clock.monotonic()
        status = child.wait(seconds)
        if status is None:
            self._look_after(idle + self._setting.clock.monotonic() - before)
            return None
        said, answer = child.died, self._answer()
        self._child = None
        child.end()
        if status == DONE:
            return LastWord(done=True, answer=answer, detail=said)
        if status == GAVE_UP:
            return LastWord(done=False, detail=said)
        if status == MODEL_FAILED:
            raise ModelError(f"{self.name} {said}: its model failed")
        raise AgentError(AgentFault.FAILED, f"{self.name} {said}")

    def _look_after(self, idle: float) -> None:
        """Hold it to its limits while it goes on."""
        setting, door = self._setting, self._door
        now = setting.clock.monotonic()
        if self._begun is None:
            lasted = now - self._taken
            # One that does not go through its door has begun when its first action was seen.
            if (door is not None and door.used) or idle < lasted - _MOMENT:
                self._begun = now
            elif lasted >= setting.start_seconds:
                raise AgentFailed(f"{self.name} has not used the device within {setting.start_seconds:g} s")
        elif min(idle, now - self._begun) >= setting.seconds:
            raise AgentError(
                AgentFault.TIMEOUT, f"{self.name} has done nothing that can be seen for {setting.seconds:g} s"
            )

    def close(self) -> None:
        """End it with all that it has started."""
        child, self._child = self._child, None
        try:
            if child is not None:
                child.end()
        finally:
            if self._door is not None:
                self._door.close()
            if self._files is not None:
                self._files.cleanup()

    def _answer(self) -> str:
        """What it has written as its answer; empty for none."""
        if self._files is None:
            return ""
        try:
            with (Path(self._files.name) / _ANSWER).open("rb") as file:
                return file.read(MOST_ANSWER).decode("utf-8", errors="replace").strip()
        except OSError:
            return ""


def environment(brief: msg.OwningBrief, handover: Handover, door: Door, file: Path) -> dict[str, str]:
    """What is added to the program's environment.

    Args:
        brief: What it is told.
        handover: Which device.
        door: Where it reaches the adb server.
        file: Where the brief is, as JSON.
    """
    return {
        "ANDROID_SERIAL": handover.serial,
        "ANDROID_ADB_SERVER_ADDRESS": door.host,
        "ANDROID_ADB_SERVER_PORT": str(door.port),
        # Last, so that a person's own adb comes first.
        "PATH": os.pathsep.join([os.environ.get("PATH", os.defpath), str(Path(handover.adb).parent)]),
        "GARABENCH_INSTRUCTION": brief.instruction,
        "GARABENCH_LANGUAGE": brief.language,
        "GARABENCH_APP": brief.app,
        "GARABENCH_MAX_STEPS": str(brief.max_steps),
        "GARABENCH_SECONDS": f"{brief.seconds:g}",
        "GARABENCH_SEED": str(brief.seed),
        "GARABENCH_BRIEF": str(file),
        "GARABENCH_ANSWER": brief.answer,
    }
