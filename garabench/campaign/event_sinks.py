"""Where the events of a campaign go besides its log: a file or stream of JSON lines, a webhook."""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import requests

from garabench.core.campaign_events import CampaignEvent, campaign_line
from garabench.core.phrases import counted
from garabench.core.redaction import redact_keys
from garabench.records.disk import disk_error

_LOG = logging.getLogger(__name__)
EventSink = Callable[[CampaignEvent], None]
_QUEUE = 1000
_LIMIT_S = 10.0
_DRAIN_S = 5.0


def to_stream(stream: BinaryIO, on_failure: Callable[[str], None] = _LOG.warning) -> EventSink:
    """Return a sink that writes a line per event; a reader that has gone is ignored.

    Args:
        stream: The stream; of standard output the bytes, which no encoding or display of it changes.
        on_failure: Called once if the stream cannot be written, such as on a full disk; no further event is
            written, and the run continues.
    """

    def write(line: str) -> None:
        with contextlib.suppress(BrokenPipeError, ValueError):
            stream.write(line.encode())
            stream.flush()

    return _until_failure(write, "standard output", on_failure)


@contextlib.contextmanager
def to_file(path: Path, on_failure: Callable[[str], None] = _LOG.warning) -> Iterator[EventSink]:
    """Yield a sink that appends a line per event to a file.

    Args:
        path: The file.
        on_failure: Called once if it can no longer be written, as `to_stream` does.

    Raises:
        RecordError: The file cannot be opened.
    """
    try:
        file = path.open("ab", buffering=0)  # a buffer that cannot be written fails again when it is closed
    except OSError as error:
        raise disk_error(error, path) from error

    def write(line: str) -> None:
        data = memoryview(line.encode())
        while data:
            data = data[file.write(data) :]

    with file:
        yield _until_failure(write, str(path), on_failure)


def _until_failure(write: Callable[[str], None], name: str, on_failure: Callable[[str], None]) -> EventSink:
    failed = threading.Event()

    def sink(event: CampaignEvent) -> None:
        if failed.is_set():
            return
        try:
            write(campaign_line(event))
        except OSError as error:
            failed.set()
            reason = error.strerror or error
            on_failure(f"--events: {name} could not be written ({reason}) and gets no further events")

    return sink


@contextlib.contextmanager
def to_webhook(url: str, on_failure: Callable[[str], None] = _LOG.warning) -> Iterator[EventSink]:
    """Yield a sink that posts each event as JSON.

    A slow or failing receiver never delays or ends the run: events wait in a queue of limited size, and those
    that do not fit are dropped. Failures are logged. At the end, the queue is given five seconds.

    Args:
        url: The address, ``http`` or ``https``.
        on_failure: Called once at the end if events could not be posted, with their number.
    """
    waiting: queue.Queue[CampaignEvent | None] = queue.Queue(_QUEUE)
    posted: list[None] = []
    offered = 0

    def post() -> None:
        with requests.Session() as session:
            while (event := waiting.get()) is not None:
                try:
                    answer = session.post(
                        url,
                        data=campaign_line(event).encode(),
                        headers={"Content-Type": "application/json"},
                        timeout=_LIMIT_S,
                    )
                    answer.raise_for_status()
                except requests.RequestException as error:
                    _LOG.warning("webhook: %s", redact_keys(str(error)))
                else:
                    posted.append(None)

    def put(event: CampaignEvent) -> None:
        nonlocal offered
        offered += 1
        try:
            waiting.put_nowait(event)
        except queue.Full:
            _LOG.warning("webhook: too slow; the event %s was dropped", event.type)

    thread = threading.Thread(target=post, name="webhook", daemon=True)
    thread.start()
    try:
        yield put
    finally:
        with contextlib.suppress(queue.Full):
            waiting.put(None, timeout=_DRAIN_S)
        thread.join(_DRAIN_S)
        if lost := offered - len(posted):
            on_failure(f"--webhook: {counted(lost, 'event')} of {offered} could not be posted")
