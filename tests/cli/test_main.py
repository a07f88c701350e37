from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from garabench.cli.main import main

LOGGER = logging.getLogger("garabench.device.adb")


@pytest.fixture
def log_command() -> Iterator[str]:
    """Return the name of a command that logs a call with a key and an event."""

    @main.command("log-for-a-test", hidden=True)
    def log_something() -> None:
        LOGGER.debug("refused: sk-proj-1234567890abcdefghij")
        LOGGER.info("connected")

    yield "log-for-a-test"
    del main.commands["log-for-a-test"]


@pytest.mark.parametrize("before", [True, False])
def test_log_file_is_accepted_before_and_after_the_command(
    log_command: str, before: bool, tmp_path: Path
) -> None:
    option = ["--log-file", str(tmp_path / "a.log")]
    words = [*option, log_command] if before else [log_command, *option]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    text = (tmp_path / "a.log").read_text(encoding="utf-8")
    assert "refused: [key]" in text
    assert text.count("connected") == 1
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("before", "after", "calls"),
    [(["-v"], [], 0), ([], ["-v"], 0), (["-vv"], [], 1), ([], ["-v", "-v"], 1), (["-v"], ["-v"], 1)],
)
def test_verbose_is_counted_before_and_after_the_command(
    log_command: str, before: list[str], after: list[str], calls: int
) -> None:
    done = CliRunner().invoke(main, [*before, log_command, *after])
    assert done.exit_code == 0, done.output
    assert done.stdout == ""
    assert (done.stderr.count("connected"), done.stderr.count("refused: [key]")) == (1, calls)


def test_the_log_ends_with_the_command(log_command: str) -> None:
    logger = logging.getLogger("garabench")
    state = (logger.level, list(logger.handlers))
    assert CliRunner().invoke(main, ["-v", log_command, "-v"]).exit_code == 0
    assert (logger.level, logger.handlers) == state


@pytest.mark.parametrize("before", [True, False])
def test_unwritable_log_file_is_wrong_input(before: bool, tmp_path: Path) -> None:
    option = ["--log-file", str(tmp_path / "no" / "a.log")]
    done = CliRunner().invoke(main, [*option, "schemas"] if before else ["schemas", *option])
    assert done.exit_code == 2
    assert "could not be written" in done.output
