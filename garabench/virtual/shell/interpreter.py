"""Run a parsed shell line: expansion, pipes, redirections, exit statuses."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from garabench.virtual.os.files import FileSystem
from garabench.virtual.shell.syntax import Pipeline, Script, Simple, SyntaxProblem, Variable, Word, parse

Write = Callable[[bytes], Awaitable[None]]
NOT_FOUND = 127


@dataclass(slots=True)
class Call:
    """A command's call.

    Attributes:
        argv: The command and its arguments.
        stdin: What it reads.
        write, write_error: Its output streams.
        env: Its environment.
    """

    argv: list[str]
    stdin: AsyncIterator[bytes]
    write: Write
    write_error: Write
    env: Mapping[str, str]

    async def say(self, text: str) -> None:
        """Print text."""
        await self.write(text.encode("utf-8", errors="surrogateescape"))

    async def complain(self, text: str) -> None:
        """Print text to the error stream."""
        await self.write_error(text.encode("utf-8", errors="surrogateescape"))

    async def read_all(self) -> bytes:
        """All of the input."""
        return b"".join([data async for data in self.stdin])


Command = Callable[[Call], Awaitable[int]]


async def _drop(data: bytes) -> None:
    return


@dataclass(slots=True)
class Shell:
    """A shell over a table of commands.

    Attributes:
        commands: By name.
        files: For redirections.
        env: Variables; assignments change it.
    """

    commands: Mapping[str, Command]
    files: FileSystem
    env: dict[str, str] = field(default_factory=dict)
    status: int = 0

    async def run(self, line: str, stdin: AsyncIterator[bytes], out: Write, err: Write) -> int:
        """Run a line; its exit status."""
        try:
            script = parse(line)
        except SyntaxProblem as problem:
            await err(f"/system/bin/sh: syntax error: {problem}\n".encode())
            return 1
        return await self._script(script, stdin, out, err)

    async def _script(self, script: Script, stdin: AsyncIterator[bytes], out: Write, err: Write) -> int:
        for operator, pipeline in script.items:
            if (operator == "&&" and self.status) or (operator == "||" and not self.status):
                continue
            self.status = await self._pipeline(pipeline, stdin, out, err)
        return self.status

    async def _pipeline(self, pipeline: Pipeline, stdin: AsyncIterator[bytes], out: Write, err: Write) -> int:
        tasks: list[asyncio.Task[int]] = []
        source = stdin
        for simple in pipeline.commands[:-1]:
            queue: asyncio.Queue[bytes | None] = asyncio.Queue()
            tasks.append(asyncio.create_task(self._feeding(simple, source, queue, err)))
            source = _from_queue(queue)
        try:
            return await self._simple(pipeline.commands[-1], source, out, err)
        finally:
            for task in tasks:
                task.cancel()

    async def _feeding(
        self, simple: Simple, source: AsyncIterator[bytes], queue: asyncio.Queue[bytes | None], err: Write
    ) -> int:
        async def put(data: bytes) -> None:
            queue.put_nowait(data)

        try:
            return await self._simple(simple, source, put, err)
        finally:
            queue.put_nowait(None)

    async def _simple(self, simple: Simple, stdin: AsyncIterator[bytes], out: Write, err: Write) -> int:
        env = dict(self.env)
        for name, word in simple.assignments:
            env[name] = "".join(self._expand(word, env)) if word.parts else ""
        argv = [text for word in simple.words for text in self._expand(word, self.env)]
        if not argv:
            self.env.update(env)
            return 0
        collected: dict[str, bytearray] = {}
        for each in simple.redirections:
            if each.operator == "2>&1":
                err = out
            elif each.operator in (">&2", "1>&2"):
                out = err
            elif each.target is not None:
                path = "".join(self._expand(each.target, env))
                if each.operator == "<":
                    try:
                        stdin = _once(b"" if path == "/dev/null" else self.files.read(path))
                    except OSError:
                        await err(f"/system/bin/sh: can't open {path}: No such file or directory\n".encode())
                        return 1
                    continue
                writer = _drop if path == "/dev/null" else self._collect(path, each.operator, collected)
                if each.operator.startswith("2"):
                    err = writer
                else:
                    out = writer
        status = await self._call(Call(argv, stdin, out, err, env))
        for path, data in collected.items():
            try:
                self.files.write(path, bytes(data))
            except OSError as error:
                await err(f"/system/bin/sh: can't create {path}: {error.strerror}\n".encode())
                return 1
        return status

    def _collect(self, path: str, operator: str, collected: dict[str, bytearray]) -> Write:
        known = self.files.stat(path) is not None and not self.files.is_dir(path)
        buffer = bytearray(self.files.read(path) if operator.endswith(">>") and known else b"")
        collected[path] = buffer

        async def write(data: bytes) -> None:
            buffer.extend(data)

        return write

    async def _call(self, call: Call) -> int:
        while call.argv and call.argv[0] in ("exec", "toybox", "command"):
            call.argv = call.argv[1:]
        if not call.argv:
            return 0
        if call.argv[0] == "export":
            for each in call.argv[1:]:
                name, _, value = each.partition("=")
                self.env[name] = value
            return 0
        name = call.argv[0]
        for folder in ("/system/bin/", "/system/xbin/", "/vendor/bin/"):
            name = name.removeprefix(folder)
        command = self.commands.get(name)
        if command is None:
            await call.complain(f"/system/bin/sh: {call.argv[0]}: not found\n")
            return NOT_FOUND
        return await command(call)

    def _expand(self, word: Word, env: Mapping[str, str]) -> list[str]:
        """The words that a word becomes: unquoted variables are split, and an empty one vanishes."""
        texts, seen = [""], False
        for part in word.parts:
            if isinstance(part, Variable):
                value = str(self.status) if part.name == "?" else env.get(part.name, "")
                if part.quoted:
                    texts[-1] += value
                    seen = True
                    continue
                pieces = value.split()
                if pieces:
                    texts[-1] += pieces[0]
                    texts += pieces[1:]
                    seen = True
            else:
                texts[-1] += part.text
                seen = True
        return texts if seen else []


async def _from_queue(queue: asyncio.Queue[bytes | None]) -> AsyncIterator[bytes]:
    while (data := await queue.get()) is not None:
        yield data


async def _once(data: bytes) -> AsyncIterator[bytes]:
    if data:
        yield data
