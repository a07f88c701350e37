"""Write and read ``campaign.jsonl``: what happened to a run as a whole.

See `garabench.core.campaign_events`.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from garabench.core.campaign_events import CampaignEvent, campaign_line, read_campaign_lines
from garabench.core.line_checksum import parse_line
from garabench.records.disk import disk_error
from garabench.records.run_layout import CAMPAIGN

_CHUNK = 1 << 20


class CampaignLog:
    """Appends events; several threads may write."""

    def __init__(self, run: Path) -> None:
        """Set up the log of a run; a resumed run appends.

        Args:
            run: The run's folder.
        """
        self._path = run / CAMPAIGN
        self._lock = threading.Lock()

    def append(self, event: CampaignEvent) -> None:
        """Append an event and hand it to the operating system.

        A kill or a full disk may have cut the line before it; the rest of that line is removed, since the
        event would become a part of it.

        Raises:
            RecordError: It cannot be written.
        """
        line = campaign_line(event).encode()
        try:
            with self._lock, self._path.open("a+b") as file:
                _remove_cut_line(file)
                file.write(line)
        except OSError as error:
            raise disk_error(error, self._path) from error


class CampaignFollower:
    """Reads a campaign's log while it is written, also from another process or another machine."""

    def __init__(self, run: Path) -> None:
        """Set up the reader at the beginning of the log.

        Args:
            run: The run's folder.
        """
        self._path = run / CAMPAIGN
        self._read = 0

    def read(self) -> Iterator[CampaignEvent]:
        """Iterate over the events that were appended since the last call; none if there is no log yet."""
        while True:
            try:
                with self._path.open("rb") as file:
                    file.seek(self._read)
                    chunk = file.read(_CHUNK)
            except OSError:
                return
            whole = chunk[: chunk.rfind(b"\n") + 1]
            if not whole:
                return
            self._read += len(whole)
            yield from read_campaign_lines(whole.decode("utf-8", errors="replace").splitlines())


def _remove_cut_line(file: BinaryIO) -> None:
    end = file.seek(0, os.SEEK_END)
    if not end:
        return
    file.seek(end - 1)
    if file.read(1) == b"\n":
        return
    file.seek(max(0, end - _CHUNK))
    file.truncate(file.tell() + file.read(_CHUNK).rfind(b"\n") + 1)


def damaged_lines(run: Path) -> Iterator[tuple[int, str]]:
    """Yield the number of each damaged line of a run's campaign log, from 1, and the reason.

    A last line without its end, as after a kill, and events of newer versions are not damaged.
    """
    try:
        *lines, _ = (run / CAMPAIGN).read_bytes().split(b"\n")
    except FileNotFoundError:
        return
    for number, line in enumerate(lines, start=1):
        try:
            if not isinstance(parse_line(line.decode()), dict):
                raise ValueError("not a JSON object")
        except ValueError as error:
            yield number, str(error)


def read_campaign(run: Path) -> tuple[CampaignEvent, ...]:
    """Return all events of a run's campaign log; none for a run that has no such log."""
    return tuple(CampaignFollower(run).read())
