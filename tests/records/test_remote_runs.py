from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from garabench.core.events import EpisodeEnded
from garabench.errors import HarnessError, InputError
from garabench.records.reader import load_run
from garabench.records.remote_runs import copy_run_to, fetch_run, is_url, shown_url
from garabench.records.run_layout import RUN_FILE
from garabench.records.run_writer import RunWriter
from garabench.suite.suite import Suite
from tests.planned import episodes

fsspec = pytest.importorskip("fsspec", reason="the extra garabench[remote] is not installed")


@pytest.fixture
def url() -> Iterator[str]:
    name = f"memory://{uuid.uuid4().hex}/run"
    yield name
    fsspec.filesystem("memory").store.clear()


def test_a_run_is_copied_and_copied_back(
    writer: RunWriter, suite: Suite, record: Callable[..., EpisodeEnded], url: str, tmp_path: Path
) -> None:
    specs = episodes(writer.file.plan, suite)
    record(writer.folder, specs[0], "success")
    writer.rebuild()
    picture = writer.folder / "store" / "ab" / "x.png"
    picture.parent.mkdir(parents=True)
    picture.write_bytes(b"picture")
    copied: list[str] = []
    copy_run_to(writer.folder, url, on_file=copied.append)
    assert copied[-1] == RUN_FILE  # a copy that has it is complete
    record(writer.folder, specs[1], "failure")
    writer.rebuild()
    copied.clear()
    copy_run_to(writer.folder, url, on_file=copied.append)
    assert "store/ab/x.png" not in copied
    run = fetch_run(url, tmp_path / "back")
    assert [summary.outcome for summary in run.summaries] == ["success", "failure"]
    assert (run.folder / "store/ab/x.png").read_bytes() == b"picture"
    assert fetch_run(url, tmp_path / "back").file == writer.file
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "x").touch()
    with pytest.raises(InputError, match="contains something else"):
        fetch_run(url, tmp_path / "other")


@pytest.mark.parametrize(
    ("url", "error", "message"),
    [
        ("memory://nowhere/run", InputError, "is not a run"),
        ("no-such-protocol://x/y", InputError, "cannot open no-such-protocol://x/y"),
        ("http://127.0.0.1:1/run", (InputError, HarnessError), "127.0.0.1"),
    ],
)
def test_places_that_cannot_be_read_are_named(
    url: str, error: type[Exception], message: str, tmp_path: Path
) -> None:
    with pytest.raises(error, match=message):
        fetch_run(url, tmp_path / "run")


def test_urls_areshown_url_without_secrets() -> None:
    assert shown_url("s3://key:secret@bucket/run?token=1") == "s3://bucket/run"
    assert is_url("s3://bucket/run")
    assert not is_url("runs/first")


def test_a_url_has_to_be_copied_before_it_is_read() -> None:
    with pytest.raises(InputError, match="garabench runs fetch"):
        load_run("s3://bucket/run")
