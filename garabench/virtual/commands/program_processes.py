"""Programs of the shell that run for a while, as processes: ``ps`` lists them, and signals end them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from garabench.virtual.android.phone import Phone
from garabench.virtual.shell.call import Command, CommandCall

_LONG_RUNNING = frozenset(
    {"getevent", "logcat", "nc", "netcat", "ping", "ping6", "sleep", "tail", "top", "yes"}
)
_TERMINATED = 143
"""Exit status of a process that SIGTERM has ended: 128 and the signal's number."""


def with_processes(phone: Phone, commands: Mapping[str, Command]) -> dict[str, Command]:
    """Return commands such that those that run for a while are processes meanwhile."""
    return {
        name: _as_process(phone, name, command) if name in _LONG_RUNNING else command
        for name, command in commands.items()
    }


def _as_process(phone: Phone, name: str, command: Command) -> Command:
    async def run(call: CommandCall) -> int:
        job = asyncio.current_task()
        label = job.get_name() if job is not None else ""
        task = asyncio.ensure_future(command(call))
        signalled: list[bool] = []

        def stop() -> None:
            signalled.append(True)
            task.cancel()

        # a background job's task has the pid that the shell knows as $!
        pid = int(label) if label.isdecimal() else None
        program = phone.programs.begin(name, stop, args=" ".join(call.argv), pid=pid)
        try:
            return await task
        except asyncio.CancelledError:
            if not signalled:
                task.cancel()
                raise
            return _TERMINATED
        finally:
            phone.programs.end(program)

    return run
