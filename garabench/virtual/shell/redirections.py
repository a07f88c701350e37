"""Redirections: the streams of a redirected command."""

from __future__ import annotations

from collections.abc import Sequence

from garabench.virtual.shell import nodes as n
from garabench.virtual.shell.call import Streams
from garabench.virtual.shell.execution import Execution
from garabench.virtual.shell.streams import FileSink, discard, empty_input, input_of


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
                return streams.with_in(input_of(text.encode("utf-8", errors="surrogateescape")))
            case "<":
                data = b"" if text == "/dev/null" else files.read(files.resolve(text, cwd))
                return streams.with_in(input_of(data))
            case "<&":
                return streams.with_in(empty_input()) if text == "-" else streams
            case ">&":
                if text == "-":
                    return streams.with_out(redirection.fd, discard)
                if text.isdecimal():
                    return streams.with_out(redirection.fd, streams.write(int(text)))
        if text == "/dev/null":
            return streams.with_out(redirection.fd, discard)
        if text in ("/dev/stdout", "/dev/stderr", "/dev/tty"):
            return streams.with_out(redirection.fd, streams.write(2 if text == "/dev/stderr" else 1))
        sink = FileSink(files, files.resolve(text, cwd), append=redirection.operator == ">>")
        self._sinks.append(sink)
        return streams.with_out(redirection.fd, sink.write)

    async def __aexit__(self, *problem: object) -> None:
        for sink in self._sinks:
            try:
                sink.close()
            except OSError as error:
                await self._streams.write(2)(f"/system/bin/sh: {error.strerror}\n".encode())
