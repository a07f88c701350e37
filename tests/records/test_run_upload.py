from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from garabench.core.clock import FakeClock
from garabench.core.events import EpisodeEnded
from garabench.errors import HarnessError, InputError
from garabench.records.remote_runs import fetch_run
from garabench.records.run_layout import EVENTS, RESULTS, RUN_FILE
from garabench.records.run_upload import RunUpload, copy_rest, prepare_working_folder
from garabench.records.run_writer import RunWriter
from garabench.suite.suite import Suite
from tests.planned import episodes

fsspec = pytest.importorskip("fsspec", reason="the extra garabench[remote] is not installed")
Record = Callable[..., EpisodeEnded]


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("GARABENCH_CACHE", str(tmp_path / "cache"))
    yield f"memory://{uuid.uuid4().hex}/run"
    fsspec.filesystem("memory").store.clear()


class Failures:
    """Makes the first copies of files fail, as a network does."""

    def __init__(self, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left = count
        system_class = fsspec.get_filesystem_class("memory")  # each thread has its own file system
        put = system_class.put_file

        def fail_or_put(*arguments: Any, **options: Any) -> None:
            if self.left:
                self.left -= 1
                raise ConnectionError("reset by peer")
            put(*arguments, **options)

        monkeypatch.setattr(system_class, "put_file", fail_or_put)


def end_episodes(writer: RunWriter, suite: Suite, record: Record, upload: RunUpload, *numbers: int) -> None:
    for number in numbers:
        spec = episodes(writer.file.plan, suite)[number]
        record(writer.folder, spec, "success")
        writer.rebuild()
        upload.episode_ended(spec.key)


class Steps(FakeClock):
    """A clock that advances by a step each time it is read."""

    def __init__(self, step: float) -> None:
        super().__init__()
        self._step = step

    def monotonic(self) -> float:
        self.advance(self._step)
        return super().monotonic()


def test_a_failed_copy_is_tried_again_and_reported_once(
    writer: RunWriter, suite: Suite, record: Record, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures, messages = Failures(2, monkeypatch), list[str]()
    with RunUpload(writer.folder, url, Steps(60), on_failure=messages.append) as upload:
        end_episodes(writer, suite, record, upload, 0, 1, 2)
    assert failures.left == 0
    assert len(messages) == 1
    assert "reset by peer" in messages[0]
    assert [each.outcome for each in fetch_run(url, tmp_path / "back").summaries] == ["success"] * 3
    for spec in episodes(writer.file.plan, suite)[:3]:
        assert (tmp_path / "back" / spec.key.folder / EVENTS).is_file()


def test_no_copy_is_tried_soon_after_a_failure_but_at_the_end(
    writer: RunWriter, suite: Suite, record: Record, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, failures = FakeClock(), Failures(3, monkeypatch)
    with RunUpload(writer.folder, url, clock, on_failure=lambda text: None) as upload:
        end_episodes(writer, suite, record, upload, 0, 1, 2)
    assert failures.left == 2
    copy_rest(writer.folder, url, clock)
    assert len(clock.slept) == 2
    assert len(fetch_run(url, tmp_path / "back").summaries) == 3
    failures.left = 3
    with pytest.raises(HarnessError, match=r"failed \(\d+ of \d+ files are there\): reset by peer"):
        copy_rest(writer.folder, url, clock)


def test_an_unfinished_episode_is_absent_and_an_incomplete_line_is_left_out(
    writer: RunWriter, suite: Suite, record: Record, url: str, tmp_path: Path
) -> None:
    under_way = writer.folder / episodes(writer.file.plan, suite)[1].key.folder / EVENTS
    under_way.parent.mkdir(parents=True)
    under_way.write_text('{"type"')
    with RunUpload(writer.folder, url, FakeClock()) as upload:
        spec = episodes(writer.file.plan, suite)[0]
        record(writer.folder, spec, "success")
        writer.rebuild()
        whole = (writer.folder / RESULTS).read_bytes()
        with (writer.folder / RESULTS).open("ab") as file:
            file.write(b'{"task": ')
        upload.episode_ended(spec.key)
    back = fetch_run(url, tmp_path / "back").folder
    assert (back / RESULTS).read_bytes() == whole
    assert not (back / under_way.relative_to(writer.folder)).exists()


def test_files_that_a_retry_has_moved_are_removed(
    writer: RunWriter, suite: Suite, record: Record, url: str, tmp_path: Path
) -> None:
    spec = episodes(writer.file.plan, suite)[0]
    folder = writer.folder / spec.key.folder
    record(writer.folder, spec, "error")
    (folder / "fault.log").touch()
    with RunUpload(writer.folder, url, FakeClock()) as upload:
        upload.episode_ended(spec.key)
    (folder / "attempt-1").mkdir()
    for name in (EVENTS, "fault.log"):
        (folder / name).rename(folder / "attempt-1" / name)
    record(writer.folder, spec, "success")
    with RunUpload(writer.folder, url, FakeClock()) as upload:
        upload.episode_ended(spec.key)
    back = fetch_run(url, tmp_path / "back").folder / spec.key.folder
    assert {path.relative_to(back).as_posix() for path in back.rglob("*") if path.is_file()} == {
        EVENTS,
        f"attempt-1/{EVENTS}",
        "attempt-1/fault.log",
    }


def test_a_run_at_a_url_never_replaces_another(
    writer: RunWriter, suite: Suite, record: Record, url: str
) -> None:
    folder = prepare_working_folder(url, resume=False)
    assert not folder.exists()
    copy_rest(writer.folder, url, FakeClock())
    with pytest.raises(InputError, match="already holds a run"):
        prepare_working_folder(url, resume=False)
    assert prepare_working_folder(url, resume=True) == folder
    assert (folder / RUN_FILE).is_file()
    record(writer.folder, episodes(writer.file.plan, suite)[0], "success")
    writer.rebuild()
    copy_rest(writer.folder, url, FakeClock())  # another computer has resumed it
    with pytest.raises(InputError, match="lacks: it was resumed on another computer"):
        prepare_working_folder(url, resume=True)
    (folder / RUN_FILE).write_text("{}")
    with pytest.raises(InputError, match="holds another run than its working folder"):
        prepare_working_folder(url, resume=True)
    fsspec.filesystem("memory").rm(url, recursive=True)
    with pytest.raises(InputError, match="and is not there"):
        prepare_working_folder(url, resume=False)
    fsspec.filesystem("memory").pipe_file(f"{url}/other.txt", b"mine")
    with pytest.raises(InputError, match="exists and is not a run"):
        prepare_working_folder(url, resume=False)
