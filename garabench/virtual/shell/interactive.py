"""The interactive shell: ``adb shell`` without a command, fed by a person or a pipe."""

from __future__ import annotations

import asyncio

from garabench.virtual.shell.call import Streams
from garabench.virtual.shell.interpreter import Interpreter, Shell
from garabench.virtual.shell.lexer import ShellSyntaxError
from garabench.virtual.shell.parser import parse_script
from garabench.virtual.shell.shell_state import ShellError, ShellJumpError
from garabench.virtual.shell.streams import InputStream, Write

INTERRUPTED = 130
_CONTINUED = "> "
_HISTORY_LINES = 2_047
"""``HISTSIZE`` of mksh."""


def unfinished(text: str) -> bool:
    """Return whether a script needs more lines: open quotes, loops, here-documents."""
    try:
        parse_script(text)
    except ShellSyntaxError as problem:
        message = str(problem)
        return message in ("no closing quote", "unexpected EOF", "unexpected 'EOF'") or "unclosed" in message
    except RecursionError:
        return False
    return text.endswith("\\\n")


class InteractiveShell:
    """An interactive shell."""

    def __init__(self, shell: Shell, host: str | None = None, *, root: bool = False) -> None:
        """Wrap a shell.

        Args:
            shell: The shell that runs the commands.
            host: The device's name in the prompt; None for no prompt, as without a terminal.
            root: Whether it is root's, which the prompt shows.
        """
        self._host = host
        self._sign = "#" if root else "$"
        self._interpreter = Interpreter(shell, shell.new_state())
        self._task: asyncio.Task[int] | None = None
        self._interrupted = False

    @property
    def history(self) -> list[str]:
        """The lines typed at the prompt, the oldest first."""
        return self._interpreter.state.history

    @property
    def at_prompt(self) -> bool:
        """Whether it waits for a line, and no command runs."""
        return self._task is None

    def interrupt(self) -> bool:
        """Cancel the running command, as ctrl-C does; return whether there was one."""
        if self._task is None:
            return False
        self._interrupted = True
        return self._task.cancel()

    async def run(self, stdin: InputStream, out: Write, err: Write) -> int:
        """Run line by line until ``exit`` or the end of the input; return the exit status."""
        terminals = frozenset({0, 1, 2}) if self._host is not None else frozenset()
        streams = Streams(stdin, {1: out, 2: err}, terminals)
        state = self._interpreter.state
        text = ""
        try:
            while True:
                if self._host is not None:
                    await out(self._prompt(text).encode())
                line = await stdin.line()
                typed = line.decode("utf-8", errors="surrogateescape")
                self._remember(typed)
                text += typed
                if line and unfinished(text):
                    continue
                await self._perform(text, streams)
                if not line:
                    return state.status
                text = ""
        except ShellJumpError as leave:
            return leave.value if leave.kind in ("exit", "return") else 0
        finally:
            await self._interpreter.at_exit(streams)

    def _remember(self, line: str) -> None:
        """Add a line to the history, unless there is no prompt."""
        if self._host is not None and line.strip():
            self.history.append(line.rstrip("\n"))
            del self.history[:-_HISTORY_LINES]

    def _prompt(self, text: str) -> str:
        """Return the prompt of mksh on Android: the last status if not 0, the device, the directory."""
        if text:
            return _CONTINUED
        state = self._interpreter.state
        return f"{f'{state.status}|' if state.status else ''}{self._host}:{state.cwd} {self._sign} "

    async def _perform(self, text: str, streams: Streams) -> None:
        if not text.strip():
            return
        state = self._interpreter.state
        self._interrupted = False
        self._task = asyncio.ensure_future(self._interpreter.source(text, streams))
        try:
            await self._task
        except asyncio.CancelledError:
            self._task.cancel()
            if not self._interrupted:
                raise
            state.status = INTERRUPTED
        except ShellError as failure:
            await streams.write(2)(f"/system/bin/sh: {failure}\n".encode())
            state.status = 1
        finally:
            self._task = None
