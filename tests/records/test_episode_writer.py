from __future__ import annotations

import errno
import hashlib
from pathlib import Path

import pytest

from garabench.core import events as ev
from garabench.core.geometry import Size
from garabench.core.observation import Focus, Observation, Screenshot, TreeSource
from garabench.core.tree import UiNode, UiTree
from garabench.errors import Fault, InputError, RecordError
from garabench.records.content_store import ContentKind, ContentStore
from garabench.records.episode_writer import EpisodeWriter
from garabench.records.event_reader import read_events
from garabench.records.run_layout import AGENT_LOG, EVENTS
from garabench.records.tree_files import read_tree

START = ev.EpisodeStarted(
    step=0, t=0, task="t", agent="a", condition="dual", seed=1, suite_hash="0", instruction="点赞"
)
STEP = ev.SettledEvent(step=0, t=1, still=True, readings=2, seconds=0.5)
END = ev.EpisodeEnded(step=0, t=2, outcome="success", reason="goal_met", steps=1)
TREE = UiTree((UiNode(text="稻香", package="com.example.reader"),), rotation=1)
SEEN = Observation(
    0, TREE, Screenshot(b"picture", Size(1, 2)), Focus("p.q", ".A"), TreeSource.U2, "", 0.0, Size(1, 2)
)


class Failing:
    """A log file that the operating system refuses to write."""

    def __init__(self, number: int, *, when: str) -> None:
        self._error = OSError(number, errno.errorcode[number])
        self._when = when

    def write(self, text: str) -> int:
        if self._when == "write":
            raise self._error
        return len(text)

    def flush(self) -> None:
        if self._when == "flush":
            raise self._error

    def close(self) -> None:
        pass


def test_each_step_is_in_the_file_before_the_next_begins(tmp_path: Path) -> None:
    with EpisodeWriter(tmp_path) as writer:
        for number, event in enumerate([START, STEP, END], start=1):
            writer.append([event])
            # Read through another handle, as after a kill.
            assert len(read_events(tmp_path)) == number
            assert (tmp_path / EVENTS).read_bytes().count(b"\n") == number
    assert read_events(tmp_path) == (START, STEP, END)
    assert read_events(tmp_path)[-1] == END


def test_nothing_to_append_writes_nothing(tmp_path: Path) -> None:
    with EpisodeWriter(tmp_path) as writer:
        writer.append([])
        assert (tmp_path / EVENTS).read_bytes() == b""


def test_a_truncated_last_line_is_ignored(tmp_path: Path) -> None:
    with EpisodeWriter(tmp_path) as writer:
        writer.append([START, STEP, END])
    whole = (tmp_path / EVENTS).read_bytes()
    last = whole.rstrip(b"\n").rfind(b"\n") + 1
    for cut in range(last, len(whole)):
        (tmp_path / EVENTS).write_bytes(whole[:cut])
        assert read_events(tmp_path) == (START, STEP)


def test_a_last_line_truncated_within_a_character_is_ignored(tmp_path: Path) -> None:
    with EpisodeWriter(tmp_path) as writer:
        writer.append([STEP, START])
    whole = (tmp_path / EVENTS).read_bytes()
    cut = whole.index("点".encode()) + 1
    (tmp_path / EVENTS).write_bytes(whole[:cut])
    assert read_events(tmp_path) == (STEP,)


def test_a_broken_line_in_the_middle_is_reported_with_its_location(tmp_path: Path) -> None:
    with EpisodeWriter(tmp_path) as writer:
        writer.append([START, STEP])
    log = tmp_path / EVENTS
    log.write_text(log.read_text(encoding="utf-8").replace('{"type":"settled"', "{oops"), encoding="utf-8")
    with pytest.raises(InputError, match=r"events\.jsonl:2:2: not a line of JSON"):
        read_events(tmp_path)


def test_invalid_utf_8_is_reported_with_its_location(tmp_path: Path) -> None:
    with EpisodeWriter(tmp_path) as writer:
        writer.append([STEP])
    (tmp_path / EVENTS).write_bytes((tmp_path / EVENTS).read_bytes() + b"{\xff}\n")
    with pytest.raises(InputError, match=r"events\.jsonl:2:2: not UTF-8 text"):
        read_events(tmp_path)


def test_an_episode_that_never_began_has_no_events(tmp_path: Path) -> None:
    assert read_events(tmp_path / "nothing") == ()


def test_a_tree_and_a_picture_are_stored_once_by_their_hash(tmp_path: Path) -> None:
    with EpisodeWriter(tmp_path) as writer:
        stored = writer.store(SEEN)
        assert writer.store(SEEN) == stored
    store = ContentStore.of_episode(tmp_path)
    tree, picture = store.path(stored.tree, ContentKind.TREE), store.path(stored.picture, ContentKind.PNG)
    assert read_tree(tree) == TREE
    assert picture.read_bytes() == b"picture"
    assert stored.picture == hashlib.sha256(b"picture").hexdigest()
    assert sorted(path for path in tmp_path.rglob("*") if path.is_file()) == sorted(
        [tree, picture, tmp_path / EVENTS]
    )


def test_the_episodes_of_a_run_share_its_store(tmp_path: Path) -> None:
    folders = [tmp_path / "episodes" / "task" / "agent" / "clean" / seed for seed in ("0", "1")]
    for folder in folders:
        with EpisodeWriter(folder) as writer:
            writer.store(SEEN)
    assert len(list((tmp_path / "store").glob("*/*"))) == 2
    assert ContentStore.of_episode(folders[0] / "attempt-1") == ContentStore.of_run(tmp_path)


def test_all_files_of_an_earlier_attempt_are_moved(tmp_path: Path) -> None:
    for number in (1, 2, 3):
        with EpisodeWriter(tmp_path) as writer:
            assert writer.attempt == number
            writer.append([START.model_copy(update={"attempt": number})])
            (tmp_path / AGENT_LOG).write_text(f"attempt {number}", encoding="utf-8")
    assert sorted(path.name for path in tmp_path.glob("attempt-*")) == ["attempt-1", "attempt-2"]
    for number, folder in ((1, tmp_path / "attempt-1"), (2, tmp_path / "attempt-2"), (3, tmp_path)):
        (start,) = read_events(folder)
        assert isinstance(start, ev.EpisodeStarted)
        assert start.attempt == number
        assert (folder / AGENT_LOG).read_text(encoding="utf-8") == f"attempt {number}"


@pytest.mark.parametrize("when", ["write", "flush"])
def test_a_full_disk_is_reported(tmp_path: Path, when: str) -> None:
    with EpisodeWriter(tmp_path) as writer:
        writer.append([START])
        writer._file.close()
        writer._file = Failing(errno.ENOSPC, when=when)  # type: ignore[assignment]
        with pytest.raises(RecordError) as caught:
            writer.append([STEP])
    assert str(caught.value).startswith("the disk is full: ")
    assert str(tmp_path / EVENTS) in str(caught.value)
    assert "resume the run" in str(caught.value)
    assert (caught.value.fault, caught.value.exit_status) == (Fault.HARNESS, 1)
    assert read_events(tmp_path) == (START,)


def test_a_full_disk_on_closing_is_reported(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="the disk is full"), EpisodeWriter(tmp_path) as writer:
        writer._file.close()
        writer._file = Path("/dev/full").open("a", encoding="utf-8")  # noqa: SIM115  # the writer closes it
        writer.append([START])  # closing tries to write again
    with pytest.raises(RecordError, match="the disk is full"), EpisodeWriter(tmp_path / "other") as writer:
        writer._file.close()
        writer._file = Path("/dev/full").open("a", encoding="utf-8")  # noqa: SIM115  # the writer closes it
        writer._file.write("never flushed")


def test_another_disk_error_is_reported_by_its_name(tmp_path: Path) -> None:
    with EpisodeWriter(tmp_path) as writer:
        writer._file.close()
        writer._file = Failing(errno.EIO, when="flush")  # type: ignore[assignment]
        with pytest.raises(RecordError, match=r"events\.jsonl could not be written: EIO"):
            writer.append([STEP])


def test_a_full_disk_leaves_no_partial_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with EpisodeWriter(tmp_path) as writer:
        monkeypatch.setattr(Path, "write_bytes", full)
        with pytest.raises(RecordError, match="the disk is full"):
            writer.store(SEEN)
    assert not [path for path in (tmp_path / "store").rglob("*") if path.is_file()]


def test_a_folder_that_cannot_be_created_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(RecordError, match="could not be written"):
        EpisodeWriter(tmp_path / "file" / "episode")
