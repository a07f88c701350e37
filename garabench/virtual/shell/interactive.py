"""A shell that is fed line by line: ``adb shell`` without a command, from a person or from a pipe."""

from __future__ import annotations

import asyncio

from garabench.virtual.shell.call import Streams
from garabench.virtual.shell.interpreter import Execution, Shell
from garabench.virtual.shell.lexer import SyntaxProblem
from garabench.virtual.shell.parser import parse
from garabench.virtual.shell.state import Failure, Leave, State
from garabench.virtual.shell.streams import Input, Write

INTERRUPTED = 130
_CONTINUED = "> "


def unfinished(text: str) -> bool:
    """Whether more lines have to come before a text can be run: open quotes, loops, here documents."""
    try:
        parse(text)
    except SyntaxProblem as problem:
        said = str(problem)
        return said in ("no closing quote", "unexpected EOF", "unexpected 'EOF'") or "unclosed" in said
    except RecursionError:
        return False
    return text.endswith("\\\n")


class Interactive:
    """One such shell."""

    def __init__(self, shell: Shell, host: str | None = None) -> None:
        """Prepare.

        Args:
            shell: The commands and where they run.
            host: The device's name in the prompt; None for no prompt, as without a terminal.
        """
        self._host = host
        self._execution = Execution(shell, State(variables=dict(shell.env), exported=set(shell.env)))
        self._task: asyncio.Task[int] | None = None
        self._interrupted = False

    def interrupt(self) -> bool:
        """End the command that runs, as ctrl-C does; whether one did."""
        if self._task is None:
            return False
        self._interrupted = True
        return self._task.cancel()

    async def run(self, stdin: Input, out: Write, err: Write) -> int:
        """Run line after line until ``exit`` or the end of the input; the exit status."""
        streams = Streams(stdin, {1: out, 2: err})
        state = self._execution.state
        text = ""
        try:
            while True:
                if self._host is not None:
                    await out(self._prompt(text).encode())
                line = await stdin.line()
                text += line.decode("utf-8", errors="surrogateescape")
                if line and unfinished(text):
                    continue
                await self._perform(text, streams)
                if not line:
                    return state.status
                text = ""
        except Leave as leave:
            return leave.value if leave.kind in ("exit", "return") else 0
        finally:
            await self._execution.at_exit(streams)

    def _prompt(self, text: str) -> str:
        """As mksh on Android has it: the last status when it was not 0, the device, the directory."""
        if text:
            return _CONTINUED
        state = self._execution.state
        return f"{f'{state.status}|' if state.status else ''}{self._host}:{state.cwd} $ "

    async def _perform(self, text: str, streams: Streams) -> None:
        if not text.strip():
            return
        state = self._execution.state
        self._interrupted = False
        self._task = asyncio.ensure_future(self._execution.source(text, streams))
        try:
            await self._task
        except asyncio.CancelledError:
            self._task.cancel()
            if not self._interrupted:
                raise
            state.status = INTERRUPTED
        except Failure as failure:
            await streams.write(2)(f"/system/bin/sh: {failure}\n".encode())
            state.status = 1
        finally:
            self._task = None
