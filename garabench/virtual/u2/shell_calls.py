"""``executeShellCommand``: programs that the on-device server runs without a shell."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Awaitable, Callable
from typing import Any

from garabench.virtual.u2.server_session import Calls, integer, string

Run = Callable[[str, Callable[[bytes], Awaitable[None]], Callable[[bytes], Awaitable[None]]], Awaitable[int]]
"""Runs a shell line with writers for both outputs; returns its exit status."""

_NOT_FOUND = 127
_FAILED = -1
_REAL_TIME_PER_MS = 0.001


class ShellCalls:
    """Runs programs as ``Runtime.exec(String)`` does: split at white space, no quotes, pipes or variables."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def calls(self) -> Calls:
        """Return the call by name."""
        return {"executeShellCommand": self.execute}

    async def execute(self, command: Any, timeout_ms: Any) -> dict[str, Any]:
        """``executeShellCommand(command, ms)``: both outputs and the status; -1 after a timeout.

        The real server reads by line, so the last line always ends with a line feed.
        """
        words = string(command).split()
        limit = max(0, integer(timeout_ms)) * _REAL_TIME_PER_MS
        if not words:
            return _result("", "Exception occurred: Empty command", _FAILED)
        out, err = bytearray(), bytearray()
        try:
            async with asyncio.timeout(limit):
                status = await self._run(shlex.join(words), _writer(out), _writer(err))
        except TimeoutError:
            status = _FAILED
        if status == _NOT_FOUND and not out:
            reason = f'Cannot run program "{words[0]}": error=2, No such file or directory'
            return _result("", f"Exception occurred: {reason}", _FAILED)
        return _result(_lines(out), _lines(err), status)


def _writer(buffer: bytearray) -> Callable[[bytes], Awaitable[None]]:
    async def write(data: bytes) -> None:
        buffer.extend(data)

    return write


def _lines(raw: bytearray) -> str:
    return "".join(f"{line}\n" for line in raw.decode("utf-8", errors="replace").splitlines())


def _result(out: str, err: str, status: int) -> dict[str, Any]:
    return {"returnCode": status, "stderr": err, "stdout": out}
