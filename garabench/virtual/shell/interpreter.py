"""Execution of parsed scripts: lists, pipelines, redirections, function calls, exit statuses."""

from __future__ import annotations

import asyncio
import itertools
import random
import shlex
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from garabench.virtual.android.file_system import CALLED, FileSystem
from garabench.virtual.shell import nodes as n
from garabench.virtual.shell.builtins import BUILTINS, PROGRAMS, SPECIAL
from garabench.virtual.shell.call import Command, CommandCall, Streams
from garabench.virtual.shell.compound import compound
from garabench.virtual.shell.conditions import FileTests
from garabench.virtual.shell.expansion import Expander
from garabench.virtual.shell.lexer import ShellSyntaxError
from garabench.virtual.shell.parser import parse_script
from garabench.virtual.shell.redirections import RedirectedStreams
from garabench.virtual.shell.shell_state import (
    DEFAULT_ALIASES,
    MAX_DEPTH,
    ShellError,
    ShellJumpError,
    ShellState,
)
from garabench.virtual.shell.streams import InputStream, Pipe, Write, empty_input

__all__ = ["Command", "CommandCall", "Interpreter", "Shell"]

NOT_FOUND = 127
NOT_EXECUTABLE = 126
_BROKEN_PIPE = 141
_ELF = b"\x7fELF"
_FIRST_JOB_PID = 6_000
_MAX_SUBSTITUTION = 1 << 24
_PATH_DIRECTORIES = ("/system/bin/", "/system/xbin/", "/vendor/bin/", "/bin/")


@dataclass(slots=True)
class Shell:
    """A shell over a table of commands.

    Attributes:
        commands: The commands by name.
        files: The file system, for redirections and globbing.
        env: Initial variables, which are exported.
        jobs: Background jobs, named by pid; references that outlive the shell.
        terminal: Whether its streams are a terminal.
        randomness: The source of ``$RANDOM``.
        missing: What it says of a command that does not exist; Android 11's wording by default.
        seconds: Returns the time in seconds, for ``$SECONDS``.
        foreign: Called with the path of a native program, which cannot run here.
    """

    commands: Mapping[str, Command]
    files: FileSystem
    env: dict[str, str] = field(default_factory=dict)
    jobs: set[asyncio.Task[int]] = field(default_factory=set)
    terminal: bool = False
    randomness: random.Random = field(default_factory=lambda: random.Random(0))  # noqa: S311 - not secret
    foreign: Callable[[str], None] = field(default=lambda path: None)
    missing: str = "inaccessible or not found"
    seconds: Callable[[], float] = field(default=lambda: 0.0)

    def new_state(self) -> ShellState:
        """Return the state of a new shell."""
        variables = {"PWD": "/", "IFS": " \t\n", "PS4": "+ ", "OPTIND": "1", **self.env}
        return ShellState(
            variables=variables,
            exported=set(self.env),
            randomness=self.randomness,
            seconds=self.seconds,
            started=self.seconds(),
        )

    async def run(self, line: str, stdin: AsyncIterator[bytes], out: Write, err: Write) -> int:
        """Run a script; return its exit status."""
        state = self.new_state()
        terminals = frozenset({0, 1, 2}) if self.terminal else frozenset()
        streams = Streams(InputStream(stdin), {1: out, 2: err}, terminals)
        interpreter = Interpreter(self, state)
        try:
            return await interpreter.source(line, streams)
        except ShellJumpError as leave:
            status = leave.value if leave.kind in ("exit", "return") else 0
            state.status = status
            return status
        except ShellError as failure:
            await err(f"/system/bin/sh: {failure}\n".encode())
            return 1
        except BrokenPipeError:
            return _BROKEN_PIPE
        finally:
            await interpreter.at_exit(streams)


class Interpreter:
    """Runs scripts in one shell state; a subshell gets another interpreter."""

    def __init__(self, shell: Shell, state: ShellState) -> None:
        self._shell = shell
        self.state = state
        self.loops = 0
        self.tested = 0
        self.traps: dict[str, str] = {}
        self._expanding: set[str] = set()  # aliases whose value is being run
        self.substituted = 0  # exit status of the current command's last command substitution

    @property
    def commands(self) -> Mapping[str, Command]:
        """The phone's commands by name."""
        return self._shell.commands

    @property
    def files(self) -> FileSystem:
        """The file system."""
        return self._shell.files

    @property
    def jobs(self) -> set[asyncio.Task[int]]:
        """The background jobs, named by pid."""
        return self._shell.jobs

    async def source(self, text: str, streams: Streams) -> int:
        """Parse and run a script in this state.

        Raises:
            ShellJumpError: It was left by ``exit``, ``return``, ``break`` or ``continue``.
        """
        try:
            script = parse_script(text)
        except (ShellSyntaxError, RecursionError) as problem:
            message = "nested too deeply" if isinstance(problem, RecursionError) else problem
            await streams.write(2)(f"/system/bin/sh: syntax error: {message}\n".encode())
            self.state.status = 1
            return 1
        return await self.script(script, streams)

    async def at_exit(self, streams: Streams) -> None:
        """Run the ``trap … EXIT`` command, once."""
        try:
            await self.trapped("EXIT", streams)
        except (ShellJumpError, ShellError, BrokenPipeError):
            return

    async def trapped(self, name: str, streams: Streams) -> bool:
        """Run the command of a trap; return whether there is one."""
        command = self.traps.pop(name, None) if name == "EXIT" else self.traps.get(name)
        if command is None:
            return False
        status = self.state.status
        await self.source(command, streams)
        self.state.status = status
        return True

    def file_tests(self, streams: Streams) -> FileTests:
        """Return the tests of files, options and variables for ``test`` and ``[[``."""
        state = self.state
        return FileTests(
            self.files,
            state.cwd,
            terminals=streams.terminals,
            is_set=lambda name: state.parameter(name) is not None,
            options=state.options,
        )

    async def script(self, script: n.CommandList, streams: Streams) -> int:
        """Run a list."""
        for item in script.items:
            if item.background:
                await self._background(item, streams)
            else:
                await self._item(item, streams)
        return self.state.status

    async def _background(self, item: n.AndOrList, streams: Streams) -> None:
        inner = Interpreter(self._shell, self.state.copy())
        calm = streams.copy().with_in(empty_input())

        async def work() -> int:
            try:
                await inner._item(item, calm)
            except ShellJumpError as leave:
                inner.state.status = leave.value
            except (ShellError, OSError):
                inner.state.status = 1
            return inner.state.status

        task = asyncio.ensure_future(work())
        used = {job.get_name() for job in self.jobs}
        pid = next(pid for pid in itertools.count(_FIRST_JOB_PID) if str(pid) not in used)
        task.set_name(str(pid))
        self.state.job_texts[pid] = item.text
        self.jobs.add(task)
        task.add_done_callback(self.jobs.discard)
        self.state.children.append(task)
        self.state.last_job = pid
        self.state.status = 0
        await asyncio.sleep(0)  # it starts at once

    async def _item(self, item: n.AndOrList, streams: Streams) -> None:
        last = len(item.pipelines) - 1
        for index, (operator, pipeline) in enumerate(item.pipelines):
            if (operator == "&&" and self.state.status) or (operator == "||" and not self.state.status):
                continue
            tested = index < last or pipeline.negated
            self.tested += tested
            try:
                self.state.status = await self._pipeline(pipeline, streams)
            finally:
                self.tested -= tested
            failed = self.state.status and not pipeline.negated and index == last
            if failed and not self.tested and "ERR" in self.traps:
                await self.trapped("ERR", streams)
            if failed and "e" in self.state.options and not self.tested:
                raise ShellJumpError("exit", self.state.status)

    async def _pipeline(self, pipeline: n.Pipeline, streams: Streams) -> int:
        if len(pipeline.commands) == 1:
            status = await self.command(pipeline.commands[0], streams)
            self.state.pipe_status = [status]
        else:
            status = await self._piped(pipeline.commands, streams)
        return int(not status) if pipeline.negated else status

    async def _piped(self, commands: Sequence[n.Command], streams: Streams) -> int:
        pipes = [Pipe() for _ in commands[1:]]
        tasks: list[asyncio.Task[int]] = []
        for index, command in enumerate(commands):
            inner = streams if index == 0 else streams.with_in(pipes[index - 1].read())
            if index < len(pipes):
                inner = inner.with_out(1, pipes[index].write)
            before = pipes[index - 1] if index else None
            after = pipes[index] if index < len(pipes) else None
            tasks.append(asyncio.ensure_future(self._stage(command, inner, before, after)))
        try:
            statuses = await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
        self.state.pipe_status = list(statuses)
        if "pipefail" in self.state.options:
            return next((status for status in reversed(statuses) if status), 0)
        return statuses[-1]

    async def _stage(
        self, command: n.Command, streams: Streams, before: Pipe | None, after: Pipe | None
    ) -> int:
        try:
            return await self.subshell(command, streams)
        except BrokenPipeError:
            return _BROKEN_PIPE
        finally:
            if before is not None:
                before.close()
            if after is not None:
                await after.end()

    async def subshell(self, command: n.Command | n.CommandList, streams: Streams) -> int:
        """Run a list in a copy of this state."""
        inner = Interpreter(self._shell, self.state.copy())
        streams = streams.copy()
        try:
            if isinstance(command, n.CommandList):
                return await inner.script(command, streams)
            return await inner.command(command, streams)
        except ShellJumpError as leave:
            inner.state.status = leave.value if leave.kind in ("exit", "return") else 0
            return inner.state.status
        except ShellError as failure:
            await streams.write(2)(f"/system/bin/sh: {failure}\n".encode())
            return 1
        finally:
            await inner.at_exit(streams)

    async def command(self, command: n.Command, streams: Streams) -> int:
        """Run one command."""
        if isinstance(command, n.SimpleCommand):
            return await self._simple(command, streams)
        if isinstance(command, n.FunctionDefinition):
            self.state.functions[command.name] = command.body
            self.state.definitions[command.name] = command.text
            return 0
        async with RedirectedStreams(self, command.redirections, streams) as redirected:
            if redirected is None:
                return 1
            return await compound(self, command, redirected)

    def expander(self, streams: Streams) -> Expander:
        """Return the expander for this state."""

        async def substitute(part: n.CommandSubstitution) -> str:
            collected = bytearray()

            async def collect(data: bytes) -> None:
                collected.extend(data)
                if len(collected) > _MAX_SUBSTITUTION:
                    raise ShellError("command substitution: too much output")

            inner = streams.with_out(1, collect)
            if (name := _read_file(part.script)) is not None:  # ``$(<file)`` is its text
                path = self.files.resolve(await self.expander(streams).text(name), self.state.cwd)
                try:
                    collected.extend(self.files.read(path))
                except OSError as error:
                    raise ShellError(f"{path}: can't open $(<...) file: {error.strerror}") from error
            elif part.kind:
                status = await self.script(part.script, inner)
                if part.kind == "value":
                    await streams.write(1)(bytes(collected))
                    return self.state.parameter("REPLY") or ""
                self.substituted = self.state.status = status
            else:
                self.substituted = self.state.status = await self.subshell(part.script, inner)
            return bytes(collected).replace(b"\0", b"").decode("utf-8", errors="surrogateescape")

        return Expander(self.state, self.files, substitute)

    async def _simple(self, command: n.SimpleCommand, streams: Streams) -> int:
        expander = self.expander(streams)
        self.substituted = 0
        argv = await expander.words(command.words)
        arrays = [each for each in command.assignments if not each.is_plain]
        values = {
            each.name: await expander.text(each.value)
            for each in command.assignments
            if each.is_plain and each.value is not None
        }
        for each in arrays:
            await self._assign(each, expander)
        substituted = self.substituted
        redirections = RedirectedStreams(self, command.redirections, streams)
        async with redirections as redirected:
            if redirected is None:
                if argv and argv[0] in SPECIAL:
                    raise ShellJumpError("exit", 1)
                return 1
            if argv == ["exec"]:
                redirections.stay_open()
                streams.adopt(redirected)
                return 0
            if not argv:
                for name, value in values.items():
                    self.state.set(name, value)
                return substituted
            alias = command.words[0].bare
            if self._is_alias(alias):
                return await self._alias(alias or "", command.words, argv, redirected, values)
            if "x" in self.state.options:
                await redirected.write(2)(("+ " + " ".join(argv) + "\n").encode())
            return await self.invoke(argv, redirected, values)

    def _is_alias(self, name: str | None) -> bool:
        """Return whether a word is an alias to expand; builtins run those of a new shell at once."""
        if name is None or name not in self.state.aliases or name in self._expanding:
            return False
        return name not in BUILTINS or self.state.aliases[name] != DEFAULT_ALIASES.get(name)

    async def _assign(self, each: n.Assignment, expander: Expander) -> None:
        """Assign to an array, or append."""
        state = self.state
        if each.value is None:
            state.set_array(each.name, await expander.words(each.values), appends=each.appends)
            return
        at = await expander.index(each.subscript) if each.subscript is not None else 0
        before = (state.element(each.name, at) or "") if each.appends else ""
        state.set_element(each.name, at, before + await expander.text(each.value))

    async def _alias(
        self,
        name: str,
        words: Sequence[n.Word],
        argv: list[str],
        streams: Streams,
        values: Mapping[str, str],
    ) -> int:
        """Run a command whose name is an alias: its value is parsed in place of the name."""
        value, rest, following = self.state.aliases[name], argv[1:], ""
        if value == DEFAULT_ALIASES.get(name):
            value = value.removeprefix("\\")  # mksh quotes the backslash of those of a new shell
        second = words[1].bare if len(words) > 1 else None
        if value.endswith((" ", "\t")) and second is not None and second in self.state.aliases:
            following, rest = f"{self.state.aliases[second]} ", rest[1:]
        head = "".join(f"{key}={shlex.quote(text)} " for key, text in values.items())
        self._expanding = {*self._expanding, name}
        try:
            tail = " ".join(shlex.quote(word) for word in rest)
            return await self.source(f"{head}{value} {following}{tail}", streams)
        finally:
            self._expanding = self._expanding - {name}

    async def invoke(self, argv: list[str], streams: Streams, values: Mapping[str, str]) -> int:
        """Call a function, builtin or command, with assignments for this call only."""
        function = self.state.functions.get(argv[0])
        if function is not None:
            return await self._function(function, argv, streams, values)
        builtin = BUILTINS.get(argv[0])
        if builtin is not None:
            if argv[0] in SPECIAL:
                for name, value in values.items():
                    self.state.set(name, value)
                return await builtin(self, argv, streams)
            saved = dict(self.state.variables)
            self.state.variables.update(values)
            try:
                return await builtin(self, argv, streams)
            finally:
                for name in values:
                    if name in saved:
                        self.state.variables[name] = saved[name]
                    else:
                        self.state.variables.pop(name, None)
        return await self.external(argv, streams, values)

    async def _function(
        self, body: n.Command, argv: list[str], streams: Streams, values: Mapping[str, str]
    ) -> int:
        outer, self.state.arguments = self.state.arguments, argv[1:]
        self.state.scopes.append({})
        self.state.variables.update(values)
        self.state.depth += 1
        if self.state.depth > MAX_DEPTH:
            self.state.depth -= 1
            self.state.leave_function()
            raise ShellError(f"{argv[0]}: nested too deeply")
        try:
            return await self.command(body, streams)
        except ShellJumpError as leave:
            if leave.kind != "return":
                raise
            return leave.value
        finally:
            self.state.depth -= 1
            self.state.leave_function()
            self.state.arguments = outer

    async def external(
        self,
        argv: list[str],
        streams: Streams,
        values: Mapping[str, str],
        *,
        env: Mapping[str, str] | None = None,
    ) -> int:
        """Call a command of the table or a script file, with `env` as its environment."""
        env = {**(self.state.environment() if env is None else env), **values}

        async def child(call: CommandCall) -> int:
            inner = Streams(InputStream(call.stdin), {1: call.write, 2: call.write_error})
            runner = self
            if call.cwd != self.state.cwd:
                runner = Interpreter(self._shell, self.state.copy())
                runner.state.cwd = call.cwd
            return await runner.external(call.argv, inner, {}, env=call.env)

        call = CommandCall(
            argv, streams.stdin, streams.write(1), streams.write(2), env, self.state.cwd, child
        )
        name = argv[0]
        for directory in _PATH_DIRECTORIES:
            name = name.removeprefix(directory)
        command = self.commands.get(name)
        if command is not None:
            token = CALLED.set(tuple(argv))
            try:
                return await command(call)
            finally:
                CALLED.reset(token)
        if name in PROGRAMS:
            return await PROGRAMS[name](self, [name, *argv[1:]], streams)
        return await self._file(argv, streams)

    async def child(self, text: str, streams: Streams, name: str, arguments: list[str]) -> int:
        """Run a script in a child shell, which inherits the exported variables."""
        inner = Interpreter(self._shell, self.state.copy())
        state = inner.state
        state.variables = {key: value for key, value in state.variables.items() if key in state.exported}
        state.functions, state.options, state.attributes, state.scopes = {}, set(), {}, []
        state.arrays, state.aliases, state.references = {}, dict(DEFAULT_ALIASES), {}
        streams = streams.copy()
        state.name, state.arguments = name, arguments
        try:
            return await inner.source(text, streams)
        except ShellJumpError as leave:
            return leave.value if leave.kind in ("exit", "return") else 0
        except ShellError as failure:
            await streams.write(2)(f"/system/bin/sh: {failure}\n".encode())
            return 1
        finally:
            await inner.at_exit(streams)

    async def _file(self, argv: list[str], streams: Streams) -> int:
        path = self.files.resolve(argv[0], self.state.cwd)
        found = self.files.stat(path) if "/" in argv[0] else None
        if found is None:
            await streams.write(2)(f"/system/bin/sh: {argv[0]}: {self._shell.missing}\n".encode())
            return NOT_FOUND
        if self.files.is_dir(path) or not found.mode & 0o111:
            await streams.write(2)(f"/system/bin/sh: {argv[0]}: can't execute: Permission denied\n".encode())
            return NOT_EXECUTABLE
        data = self.files.read(path)
        if data.startswith(_ELF):
            self._shell.foreign(path)
            bits = 64 if data[4:5] == b"\x02" else 32
            message = f"/system/bin/sh: {argv[0]}: not executable: {bits}-bit ELF file\n"
            await streams.write(2)(message.encode())
            return NOT_EXECUTABLE
        text = data.decode("utf-8", errors="surrogateescape")
        return await self.child(text, streams, argv[0], argv[1:])


def _read_file(script: n.CommandList) -> n.Word | None:
    """Return the file of a script that is only ``<file``, or None."""
    if len(script.items) != 1 or len(script.items[0].pipelines) != 1:
        return None
    commands = script.items[0].pipelines[0][1].commands
    command = commands[0] if len(commands) == 1 else None
    if not isinstance(command, n.SimpleCommand) or command.words or command.assignments:
        return None
    if len(command.redirections) != 1 or command.redirections[0].operator != "<":
        return None
    return command.redirections[0].target
