"""`run --events -`: standard output has the events and nothing else, with and without a live table."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path
from typing import TextIO

import pytest

from garabench.campaign.event_sinks import EventSink
from garabench.cli.main import main
from garabench.core.campaign_events import campaign_line
from garabench.errors import BudgetExceededError
from tests.core.test_campaign_events import ALL

LINES = "".join(map(campaign_line, ALL))


class Terminal:
    """A terminal of 80 columns, whose output is read as it appears."""

    def __init__(self) -> None:
        self._own, self._name = os.openpty()
        self._read: list[bytes] = []
        self._reader = threading.Thread(target=self._drain, daemon=True)
        self._reader.start()

    def _drain(self) -> None:
        try:
            while chunk := os.read(self._own, 4096):
                self._read.append(chunk)
        except OSError:  # EIO: the other end is closed
            return

    def stream(self) -> TextIO:
        """Open it for writing."""
        return os.fdopen(os.dup(self._name), "w", encoding="utf-8")

    def close(self) -> str:
        """Close the terminal and return what it showed."""
        os.close(self._name)
        self._reader.join(10)
        os.close(self._own)
        return b"".join(self._read).decode().replace("\r\n", "\n")


def run_with_events(folder: Path, monkeypatch: pytest.MonkeyPatch, stdout: TextIO, stderr: TextIO) -> None:
    def perform(*arguments: object, on_event: EventSink, **more: object) -> None:
        for event in ALL:
            on_event(event)
        raise BudgetExceededError("max_tokens", tokens=1)

    words = ["run", "--tasks", "bilibili", "--limit", "1", "--agents", "dismiss", "--events", "-"]
    with monkeypatch.context() as patched, stdout, stderr:
        patched.setattr("garabench.cli.run.perform", perform)
        patched.setenv("TERM", "xterm")
        for name in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
            patched.delenv(name, raising=False)
        patched.setattr(sys, "stdout", stdout)
        patched.setattr(sys, "stderr", stderr)
        assert main([*words, "--out", str(folder)], standalone_mode=False) == 1


def test_events_go_to_stdout_while_the_table_is_on_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal, written = Terminal(), tmp_path / "written"
    # An encoding of standard output that lacks Chinese changes nothing either.
    run_with_events(tmp_path / "run", monkeypatch, written.open("w", encoding="ascii"), terminal.stream())
    shown = terminal.close()
    assert written.read_text("utf-8") == LINES
    assert "recoveries" in shown  # the table
    assert '"type"' not in shown


def test_events_on_a_terminal_are_whole_lines_without_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Terminal()
    run_with_events(tmp_path / "run", monkeypatch, terminal.stream(), terminal.stream())
    shown = terminal.close()
    assert "recoveries" not in shown
    assert set(LINES.splitlines()) <= set(shown.splitlines())
