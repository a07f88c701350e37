"""Redirections: the streams of a redirected command."""

from __future__ import annotations

from collections.abc import Sequence

from garabench.virtual.shell import nodes as n
from garabench.virtual.shell.call import Streams
from garabench.virtual.shell.execution import Execution
from garabench.virtual.shell.streams import FileSink, discard, input_of


class RedirectedStreams:
    """The streams of a command with redirections; None if one failed, which is already reported."""

    def __init__(self, execution: Execution, redirections: Sequence[n.Redirection], streams: Streams) -> None:
        self._execution = execution
        self._redirections = redirections
        self._streams = streams
        self._sinks: list[FileSink] = []

    async def __aenter__(self) -> Streams | None:
        streams = self._streams
        for redirection in self._redirections:
            text = await self._execution.expander(streams).text(redirection.target)
            try:
                streams = self._apply(redirection, text, streams)
            except FileExistsError:
                await self._streams.write(2)(f"/system/bin/sh: can't create {text}: File exists\n".encode())
                self._execution.state.status = 1
                return None
            except OSError as error:
                verb = "open" if redirection.operator == "<" else "create"
                message = f"/system/bin/sh: can't {verb} {text}: {error.strerror}\n"
                await self._streams.write(2)(message.encode())
                self._execution.state.status = 1
                return None
        return streams

    def _apply(self, redirection: n.Redirection, text: str, streams: Streams) -> Streams:
        files, cwd = self._execution.files, self._execution.state.cwd
        match redirection.operator:
            case "<<":
                document = text.encode("utf-8", errors="surrogateescape")
                return streams.with_in(input_of(document), redirection.fd)
            case "<":
                data = b"" if text == "/dev/null" else files.read(files.resolve(text, cwd))
                return streams.with_in(input_of(data), redirection.fd)
            case "<&":
                if text == "-":
                    return streams.without(redirection.fd)
                source = streams.input(int(text)) if text.isdecimal() else None
                return streams if source is None else streams.with_in(source, redirection.fd)
            case "&>" | "&>>":
                append = redirection.operator == "&>>"
                both = self._apply(n.Redirection(1, ">>" if append else ">", n.Word()), text, streams)
                return both.with_out(2, both.write(1))
            case ">&":
                if text == "-":
                    return streams.without(redirection.fd)
                if text.isdecimal():
                    return streams.with_out(redirection.fd, streams.write(int(text)))
        if text == "/dev/null":
            return streams.with_out(redirection.fd, discard)
        if text in ("/dev/stdout", "/dev/stderr", "/dev/tty"):
            return streams.with_out(redirection.fd, streams.write(2 if text == "/dev/stderr" else 1))
        if (
            redirection.operator == ">"
            and "C" in self._execution.state.options
            and files.stat(files.resolve(text, cwd)) is not None
        ):
            raise FileExistsError
        sink = FileSink(files, files.resolve(text, cwd), append=redirection.operator == ">>")
        self._sinks.append(sink)
        return streams.with_out(redirection.fd, sink.write)

    def stay_open(self) -> None:
        """Keep the files open after the command."""
        for sink in self._sinks:
            sink.stay_open()
        self._sinks.clear()

    async def __aexit__(self, *problem: object) -> None:
        for sink in self._sinks:
            try:
                sink.close()
            except OSError as error:
                await self._streams.write(2)(f"/system/bin/sh: {error.strerror}\n".encode())
