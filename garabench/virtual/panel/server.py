"""Serve the panel over HTTP on loopback."""

from __future__ import annotations

import asyncio
import contextlib

from garabench.virtual.http import HttpError, HttpResponse, RequestParser, encode_response
from garabench.virtual.panel.routes import Panel

_READ_SIZE = 1 << 16


async def serve_panel(panel: Panel, port: int = 0) -> asyncio.Server:
    """Listen on 127.0.0.1, and set `Panel.port`.

    Raises:
        OSError: The port is in use.
    """

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await _connection(panel, reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            return
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    server = await asyncio.start_server(handle, "127.0.0.1", port)
    panel.port = int(server.sockets[0].getsockname()[1])
    return server


async def _connection(panel: Panel, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    parser = RequestParser()
    while data := await reader.read(_READ_SIZE):
        parser.receive(data)
        while True:
            try:
                request = parser.next_request()
            except HttpError as error:
                answer = HttpResponse(str(error).encode(), error.status, "text/plain")
                writer.write(encode_response(answer, keep_alive=False))
                await writer.drain()
                return
            if request is None:
                break
            response = await panel.respond(request)
            writer.write(encode_response(response, keep_alive=request.keep_alive))
            await writer.drain()
            if not request.keep_alive:
                return
