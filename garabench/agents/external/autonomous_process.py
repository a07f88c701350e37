"""Run an autonomous agent as a program that drives the device itself through adb."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from garabench.agents.context import AgentContext
from garabench.agents.external import protocol as msg
from garabench.agents.external.adb_proxy import AdbProxy
from garabench.agents.external.agent_process import AgentProcess, ChildExitedError, ChildTimeoutError
from garabench.agents.external.autonomous import DeviceHandover, FinalReport
from garabench.agents.interface import Brief
from garabench.errors import AgentError, AgentFault, AgentStartError, HarnessError, ModelError
from garabench.records.bounded_log import BoundedLog
from garabench.records.run_layout import AGENT_LOG

DONE, GAVE_UP, MODEL_FAILED = 0, 10, 75
"""Exit statuses with a meaning; 75 is EX_TEMPFAIL of ``sysexits.h``. Any other status is a crash,
unless it shows a signal from outside."""
MAX_ANSWER_BYTES = 10_000
"""Maximum size of an answer."""
_SEND_SECONDS = 10.0
_TOLERANCE = 0.1
_ANSWER, _BRIEF = "answer.txt", "brief.json"


class AutonomousProcess:
    """An autonomous agent that is a program.

    Attributes:
        name: Name in tables and paths.
        reference: False.
    """

    reference = False

    def __init__(self, argv: Sequence[str], context: AgentContext) -> None:
        """Prepare; nothing is started yet.

        Args:
            argv: The program and its arguments.
            context: The episode's context.
        """
        self.name = context.name
        self._argv = tuple(argv)
        self._context = context
        self._child: AgentProcess | None = None
        self._files: tempfile.TemporaryDirectory[str] | None = None
        self._proxy: AdbProxy | None = None
        self._started = 0.0
        self._first_used: float | None = None  # when it was first seen to use the device

    def start(self, brief: Brief, handover: DeviceHandover) -> None:
        """Start the program.

        Raises:
            AgentStartError: The program cannot be started.
        """
        self._files = tempfile.TemporaryDirectory(prefix="garabench-")
        folder = Path(self._files.name)
        autonomous_brief = msg.AutonomousBrief(
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
        data = autonomous_brief.model_dump_json().encode() + b"\n"
        (folder / _BRIEF).write_bytes(data)
        log = BoundedLog(self._context.folder / AGENT_LOG)
        try:
            self._proxy = AdbProxy((handover.host, handover.port))
            env = environment(autonomous_brief, handover, self._proxy, folder / _BRIEF)
            self._child = AgentProcess(self._argv, log, self._context, env=env, reads_output=False)
        except OSError as error:
            raise AgentStartError(f"{self.name} cannot be started: {error}") from error
        with contextlib.suppress(ChildTimeoutError, ChildExitedError):  # a program need not read its input
            self._child.send(data, _SEND_SECONDS)
        self._child.close_input()
        self._started = self._context.clock.monotonic()

    def wait(self, seconds: float, idle: float) -> FinalReport | None:
        """Let the program run for that long or until it exits; its remaining child processes are terminated.

        Raises:
            AgentStartError: The program did not use the device within the start limit.
            AgentError: The program crashed, or did nothing observable within the limit of a decision.
            ModelError: The program reported that its model failed.
            HarnessError: A signal from outside ended the program.
        """
        child = self._child
        if child is None:
            raise RuntimeError("the agent was not started")
        before = self._context.clock.monotonic()
        status = child.wait(seconds)
        if status is None:
            self._check_limits(idle + self._context.clock.monotonic() - before)
            return None
        detail, answer, killed = child.exit_text, self._answer(), child.killed_from_outside
        self._child = None
        child.terminate()
        if status == DONE:
            return FinalReport(done=True, answer=answer, detail=detail)
        if status == GAVE_UP:
            return FinalReport(done=False, detail=detail)
        if status == MODEL_FAILED:
            raise ModelError(f"{self.name} {detail}: its model failed")
        if killed:
            raise HarnessError(f"{self.name} {detail}: a signal from outside ended it")
        raise AgentError(AgentFault.FAILED, f"{self.name} {detail}")

    def _check_limits(self, idle: float) -> None:
        """Enforce the program's limits while it runs."""
        context, proxy = self._context, self._proxy
        now = context.clock.monotonic()
        if self._first_used is None:
            elapsed = now - self._started
            # A program that bypasses the proxy begins with its first observed action.
            if (proxy is not None and proxy.used) or idle < elapsed - _TOLERANCE:
                self._first_used = now
            elif elapsed >= context.start_seconds:
                raise AgentStartError(
                    f"{self.name} did not use the device within {context.start_seconds:g} s"
                )
        elif min(idle, now - self._first_used) >= context.seconds:
            raise AgentError(
                AgentFault.TIMEOUT, f"{self.name} did nothing observable for {context.seconds:g} s"
            )

    def close(self) -> None:
        """Terminate the program and its child processes."""
        child, self._child = self._child, None
        try:
            if child is not None:
                child.terminate()
        finally:
            if self._proxy is not None:
                self._proxy.close()
            if self._files is not None:
                self._files.cleanup()

    def _answer(self) -> str:
        """Read the program's answer; empty if it wrote no file."""
        if self._files is None:
            return ""
        try:
            with (Path(self._files.name) / _ANSWER).open("rb") as file:
                return file.read(MAX_ANSWER_BYTES).decode("utf-8", errors="replace").strip()
        except OSError:
            return ""


def environment(
    brief: msg.AutonomousBrief, handover: DeviceHandover, proxy: AdbProxy, file: Path
) -> dict[str, str]:
    """Return the variables to add to the program's environment.

    Args:
        brief: The brief.
        handover: The device.
        proxy: The adb server for the program.
        file: The brief as a JSON file.
    """
    return {
        "ANDROID_SERIAL": handover.serial,
        "ANDROID_ADB_SERVER_ADDRESS": proxy.host,
        "ANDROID_ADB_SERVER_PORT": str(proxy.port),
        # Last, so that an adb that the user installed comes first.
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
