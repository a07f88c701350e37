from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from garabench.errors import InputError, RecordError
from garabench.records.episode_writer import EpisodeWriter
from garabench.records.run_layout import EVENTS, LOCK, RESULTS, RUN_FILE
from garabench.records.run_writer import RunWriter


def test_an_opened_run_equals_the_created_one(writer: RunWriter) -> None:
    again = RunWriter.open(writer.folder)
    assert again == writer
    assert [path.name for path in writer.folder.iterdir()] == [RUN_FILE]


def test_a_run_never_overwrites_another(writer: RunWriter) -> None:
    with pytest.raises(InputError, match="already holds a run") as caught:
        RunWriter.create(writer.folder, writer.file)
    assert caught.value.hint == "Choose another --out."
    with pytest.raises(InputError, match="already holds a run") as caught:
        RunWriter.check_free(writer.folder, resume="--resume")
    assert caught.value.hint == "Resume it with --resume, or choose another --out."


def test_a_run_needs_an_empty_or_new_folder(tmp_path: Path, writer: RunWriter) -> None:
    (tmp_path / "empty").mkdir()
    assert RunWriter.create(tmp_path / "empty", writer.file).file == writer.file
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("dear", encoding="utf-8")
    (tmp_path / "file").write_text("x", encoding="utf-8")
    for name in ("other", "file"):
        with pytest.raises(InputError, match="exists and is not a run"):
            RunWriter.create(tmp_path / name, writer.file)
    assert (tmp_path / "other" / "letter.txt").read_text(encoding="utf-8") == "dear"


def test_a_run_that_cannot_be_written_is_an_error(
    tmp_path: Path, writer: RunWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(RecordError, match="the disk is full"):
        RunWriter.create(tmp_path / "new", writer.file)
    assert not list((tmp_path / "new").iterdir())


def test_a_folder_without_a_run_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is not a run: it has no run\.json"):
        RunWriter.open(tmp_path)
    with pytest.raises(InputError, match=r"no such folder: .*nothing"):
        RunWriter.open(tmp_path / "nothing")


def test_one_process_at_a_time_performs_a_run(writer: RunWriter) -> None:
    other = RunWriter.open(writer.folder)
    busy = pytest.raises(InputError, match="is in use by another process")
    with writer.lock(), busy, other.lock():
        raise AssertionError("it was locked twice")
    with other.lock():
        assert (writer.folder / LOCK).exists()


def test_what_names_a_finished_attempt_is_forced_to_the_disk(
    tmp_path: Path, writer: RunWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    forced: set[int] = set()

    def forced_at(handle: int) -> None:
        forced.add(os.fstat(handle).st_ino)

    monkeypatch.setattr(os, "fsync", forced_at)
    run = tmp_path / "nights" / "first"
    RunWriter.create(run, writer.file)
    assert {path.stat().st_ino for path in (run / RUN_FILE, run, run.parent, tmp_path)} == forced
    forced.clear()
    episode = run / "episodes" / "task"
    with EpisodeWriter(episode):
        pass
    assert {path.stat().st_ino for path in (episode / EVENTS, episode, episode.parent, run)} == forced
    forced.clear()
    RunWriter.open(run).rebuild()
    assert {path.stat().st_ino for path in (run / RESULTS, run)} == forced
