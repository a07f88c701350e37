"""The log of a run, ``run.log``: device calls, recoveries, retries and faults, with their times.

Modules log to ``logging.getLogger(__name__)``; nothing is written anywhere until `run_log` or `log_to` adds
a handler. Each line has the time, the level, the episode that the thread is performing, the module and the
message. Keys are redacted in every line; texts that are typed on a device are never logged.
"""

from __future__ import annotations

import contextlib
import contextvars
import logging
import logging.handlers
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from garabench.core.redaction import redact_keys
from garabench.errors import RecordError

FILE = "run.log"
MAX_BYTES = 16 * 1024 * 1024
"""Size at which the file is rotated."""
BACKUPS = 4
"""Number of rotated files; ``run.log.1`` is the newest."""

_ROOT = "garabench"
_FORMAT = "%(asctime)s.%(msecs)03d %(levelname)-7s %(episode)s %(name)s: %(message)s"
_TIME = "%Y-%m-%d %H:%M:%S"
_NO_EPISODE = "-"
_episode: contextvars.ContextVar[str] = contextvars.ContextVar("episode", default=_NO_EPISODE)


class RedactingFormatter(logging.Formatter):
    """A formatter that redacts keys, in messages and in tracebacks."""

    def __init__(self) -> None:
        super().__init__(_FORMAT, _TIME)

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, with ``[key]`` instead of anything that looks like a key."""
        record.episode = _episode.get()
        return redact_keys(super().format(record))


@contextlib.contextmanager
def episode_logged_as(name: str) -> Iterator[None]:
    """Name the episode in every line that this thread logs within the block.

    Args:
        name: ``task/agent/condition/seed``.
    """
    token = _episode.set(name)
    try:
        yield
    finally:
        _episode.reset(token)


@contextlib.contextmanager
def log_to(handler: logging.Handler, level: int) -> Iterator[None]:
    """Send GaraBench's log to a handler within the block.

    Args:
        handler: Receives the records; closed at the end.
        level: Lowest level, such as `logging.DEBUG`.
    """
    logger = logging.getLogger(_ROOT)
    handler.setLevel(level)
    handler.setFormatter(RedactingFormatter())
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(min(level, before or logging.WARNING))
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before)
        handler.close()


class _File(logging.handlers.RotatingFileHandler):
    """A log file that stops quietly where it cannot be written: the record of the run reports a full disk."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  # the name of logging
        """Stop writing; the standard handler would print a traceback for each later line."""
        self.setLevel(logging.CRITICAL + 1)


def file_handler(path: Path) -> logging.Handler:
    """Return a handler that appends to a file and rotates it at `MAX_BYTES`.

    Raises:
        RecordError: The file cannot be written.
    """
    try:
        return _File(
            path, maxBytes=MAX_BYTES, backupCount=BACKUPS, encoding="utf-8", errors="backslashreplace"
        )
    except OSError as error:
        raise RecordError(f"the log {path} could not be written: {error.strerror or error}") from error


def stream_handler(stream: TextIO) -> logging.Handler:
    """Return a handler that writes to a stream, such as standard error."""
    return logging.StreamHandler(stream)


@contextlib.contextmanager
def run_log(folder: Path) -> Iterator[None]:
    """Write the log of a run to ``run.log`` in its folder within the block; a resumed run appends.

    Raises:
        RecordError: The file cannot be written.
    """
    with log_to(file_handler(folder / FILE), logging.DEBUG):
        yield
