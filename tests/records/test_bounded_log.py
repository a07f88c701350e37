from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.records import bounded_log
from garabench.records.bounded_log import BoundedLog, redacted_excerpt


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "agent.log"


def test_short_output_is_written_unchanged(path: Path) -> None:
    log = BoundedLog(path)
    assert (log.last_line, path.exists()) == ("", False)
    log.write("first\n稻".encode())
    assert path.read_bytes() == "first\n稻".encode()  # at once, so that a kill loses nothing
    log.write("香\n\n".encode())
    log.close()
    assert (log.last_line, path.read_text(encoding="utf-8")) == ("稻香", "first\n稻香\n\n")


def test_long_output_is_reduced_to_its_beginning_and_end(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_log, "_HEAD", 10)
    monkeypatch.setattr(bounded_log, "_TAIL", 5)
    log = BoundedLog(path)
    for number in range(100):
        log.write(f"{number:02d}".encode())
    assert path.read_bytes() == b"0001020304"
    log.close()
    log.close()  # writes nothing more
    assert path.read_text(encoding="utf-8") == "0001020304\n[… 185 bytes omitted …]\n79899"


def test_a_flood_of_output_stays_bounded(path: Path) -> None:
    log = BoundedLog(path)
    for _ in range(200):
        log.write(b"x" * 65536)
    log.close()
    assert path.stat().st_size < 400_000


def test_write_errors_are_ignored(tmp_path: Path) -> None:
    log = BoundedLog(tmp_path / "nowhere" / "agent.log")
    log.write(b"help\n")
    log.close()
    assert log.last_line == "help"


@given(st.text())
def test_an_excerpt_is_one_line(text: str) -> None:
    line = redacted_excerpt(text)
    assert line.isprintable()
    assert len(line) <= 301
