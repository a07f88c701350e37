from __future__ import annotations

import logging
from pathlib import Path

from click.testing import CliRunner

from garabench.cli.main import main


def test_the_log_file_is_written_with_keys_redacted(tmp_path: Path) -> None:
    @main.command("log-for-a-test", hidden=True)
    def log_something() -> None:
        logging.getLogger("garabench.device.adb").debug("refused: sk-proj-1234567890abcdefghij")

    try:
        done = CliRunner().invoke(main, ["--log-file", str(tmp_path / "a.log"), "log-for-a-test"])
    finally:
        del main.commands["log-for-a-test"]
    assert done.exit_code == 0, done.output
    text = (tmp_path / "a.log").read_text(encoding="utf-8")
    assert "refused: [key]" in text


def test_a_log_file_that_cannot_be_written_is_wrong_input(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["--log-file", str(tmp_path / "no" / "a.log"), "schemas"])
    assert done.exit_code == 2
    assert "could not be written" in done.output
