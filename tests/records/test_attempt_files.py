from __future__ import annotations

from pathlib import Path

import pytest

from garabench import InputError
from garabench.records.attempt_files import AttemptFiles, read_attempt, write_attempt
from garabench.records.run_layout import EpisodeKey

KEY = EpisodeKey("like-a", "dismiss", "clean", 7)


def files(run: Path) -> dict[str, str]:
    return {
        path.relative_to(run).as_posix(): path.read_text("utf-8") for path in run.rglob("*") if path.is_file()
    }


def test_record_is_the_same_in_another_run(tmp_path: Path) -> None:
    episode = tmp_path / "worker" / KEY.folder
    (episode / "requests").mkdir(parents=True)
    (episode / "events.jsonl").write_text("{}\n")
    (episode / "requests" / "1.json").write_text("[]")
    stored = tmp_path / "worker" / "store" / "ab"
    stored.mkdir(parents=True)
    (stored / "abc.png").write_text("picture")
    attempt = read_attempt(tmp_path / "worker", KEY)
    write_attempt(tmp_path / "run", attempt)
    assert files(tmp_path / "run") == files(tmp_path / "worker")


def test_earlier_attempt_is_moved_aside_and_parts_of_an_interrupted_write_are_removed(tmp_path: Path) -> None:
    folder = tmp_path / KEY.folder
    (folder / "requests").mkdir(parents=True)
    (folder / "requests" / "9.json").write_text("of a write that was killed before its log")
    (folder / "fault.log").write_text("likewise")
    write_attempt(tmp_path, AttemptFiles(KEY, {"events.jsonl": b"first"}, {"ab/abc.png": b"picture"}))
    write_attempt(tmp_path, AttemptFiles(KEY, {"events.jsonl": b"second"}, {"ab/abc.png": b"the same"}))
    where = str(KEY.folder)
    assert files(tmp_path) == {
        f"{where}/attempt-1/events.jsonl": "first",
        f"{where}/events.jsonl": "second",
        "store/ab/abc.png": "picture",
    }


@pytest.mark.parametrize("name", ["../events.jsonl", "/etc/passwd"])
def test_nothing_is_written_outside_of_the_run(tmp_path: Path, name: str) -> None:
    for attempt in (AttemptFiles(KEY, {name: b""}, {}), AttemptFiles(KEY, {}, {name: b""})):
        with pytest.raises(InputError, match="leads out of the run"):
            write_attempt(tmp_path / "run", attempt)
    assert not (tmp_path / "run").exists()
