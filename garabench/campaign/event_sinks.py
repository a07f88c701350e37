"""Where the events of a campaign go besides its log: a file or stream of JSON lines, a webhook."""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO

import requests

from garabench.core.campaign_events import CampaignEvent, campaign_line
from garabench.core.redaction import redact_keys
from garabench.records.disk import disk_error

_LOG = logging.getLogger(__name__)
EventSink = Callable[[CampaignEvent], None]
_QUEUE = 1000
_LIMIT_S = 10.0
_DRAIN_S = 5.0


def to_stream(stream: TextIO) -> EventSink:
    """Return a sink that writes a line per event; a reader that has gone is ignored."""

    def write(event: CampaignEvent) -> None:
        with contextlib.suppress(BrokenPipeError, ValueError):
            stream.write(campaign_line(event))
            stream.flush()

    return write


@contextlib.contextmanager
def to_file(path: Path) -> Iterator[EventSink]:
    """Yield a sink that appends a line per event to a file.

    Raises:
        RecordError: The file cannot be written.
    """
    try:
        file = path.open("a", encoding="utf-8")
    except OSError as error:
        raise disk_error(error, path) from error
    with file:
        yield to_stream(file)


@contextlib.contextmanager
def to_webhook(url: str) -> Iterator[EventSink]:
    """Yield a sink that posts each event as JSON.

    A slow or failing receiver never delays or ends the run: events wait in a queue of limited size, and those
    that do not fit are dropped. Failures are logged. At the end, the queue is given five seconds.

    Args:
        url: The address, ``http`` or ``https``.
    """
    waiting: queue.Queue[CampaignEvent | None] = queue.Queue(_QUEUE)

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

    def put(event: CampaignEvent) -> None:
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
