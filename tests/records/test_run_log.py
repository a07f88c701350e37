from __future__ import annotations

import io
import logging
import threading
from pathlib import Path

import pytest

from garabench.errors import RecordError
from garabench.records import run_log

LOGGER = logging.getLogger("garabench.device.adb")


def test_a_run_writes_its_log_and_a_resumed_one_appends(tmp_path: Path) -> None:
    for line in ("first", "second"):
        with run_log.run_log(tmp_path):
            LOGGER.debug("%s", line)
    lines = (tmp_path / "run.log").read_text(encoding="utf-8").splitlines()
    assert [line.rpartition(": ")[2] for line in lines] == ["first", "second"]
    assert " DEBUG   - garabench.device.adb: " in lines[0]


def test_nothing_is_logged_after_the_block(tmp_path: Path) -> None:
    with run_log.run_log(tmp_path):
        LOGGER.debug("inside")
    LOGGER.debug("outside")
    assert "outside" not in (tmp_path / "run.log").read_text(encoding="utf-8")
    assert not LOGGER.isEnabledFor(logging.DEBUG)


def test_keys_are_redacted_in_messages_and_tracebacks(tmp_path: Path) -> None:
    key = "sk-proj-1234567890abcdefghij"
    with run_log.run_log(tmp_path):
        LOGGER.warning("refused: %s", key)
        try:
            raise ValueError(f"Bearer {key}")
        except ValueError:
            LOGGER.exception("a fault")
    text = (tmp_path / "run.log").read_text(encoding="utf-8")
    assert key not in text
    assert text.count("[key]") >= 2


def test_each_thread_names_its_own_episode() -> None:
    stream = io.StringIO()

    def perform(name: str) -> None:
        with run_log.episode_logged_as(name):
            LOGGER.info("step")

    with run_log.log_to(run_log.stream_handler(stream), logging.INFO):
        threads = [threading.Thread(target=perform, args=(name,)) for name in ("a/x/clean/0", "b/x/dual/1")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        LOGGER.info("between")
    lines = sorted(line.split(" INFO    ")[1].split(" ")[0] for line in stream.getvalue().splitlines())
    assert lines == ["-", "a/x/clean/0", "b/x/dual/1"]


def test_the_file_is_rotated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_log, "MAX_BYTES", 500)
    with run_log.run_log(tmp_path):
        for number in range(40):
            LOGGER.debug("line %d", number)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.log"] + [
        f"run.log.{number}" for number in range(1, run_log.BACKUPS + 1)
    ]


def test_a_missing_folder_is_a_record_error(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"run\.log could not be written"), run_log.run_log(tmp_path / "no"):
        pass
