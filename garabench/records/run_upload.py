"""Copy a run to a URL while it is performed in a local working folder: each episode when it has ended."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import queue
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from garabench.core.clock import Clock
from garabench.errors import GaraError, HarnessError, InputError
from garabench.records.cache_folder import cache_folder
from garabench.records.content_store import ContentStore
from garabench.records.disk import disk_error
from garabench.records.episode import Attempt
from garabench.records.references import references
from garabench.records.remote_runs import copy_run_to, fetch_run, open_url, reported, shown_url
from garabench.records.run_layout import (
    CAMPAIGN,
    RESULTS,
    RUN_FILE,
    EpisodeKey,
    earlier_attempts,
)

_LOG = logging.getLogger(__name__)
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 5.0, 300.0
"""How long no copy is tried after one has failed: doubled with each failure in a row."""
_LAST_PAUSES_S = (1.0, 5.0)
"""Pauses between the attempts to copy the rest at the end of a run."""


def working_folder(url: str) -> Path:
    """Return the local folder in which a run at a URL is performed; it is in the cache folder."""
    digest = hashlib.sha256(url.rstrip("/").encode()).hexdigest()[:16]
    return cache_folder() / "working" / digest / (PurePosixPath(url.rstrip("/")).name or "run")


def prepare_working_folder(url: str, *, resume: bool) -> Path:
    """Check that a run at a URL can begin or be resumed; fetch it if it is resumed and is not here.

    Args:
        url: The URL of the run.
        resume: Whether a run is resumed.

    Returns:
        The local folder in which to perform it.

    Raises:
        InputError: The URL or the working folder holds a run that would be lost, or the protocol is unknown.
        HarnessError: The URL cannot be read.
        RecordError: The working folder cannot be written.
    """
    folder = working_folder(url)
    system, root = open_url(url)
    with reported(url):
        system.invalidate_cache()
        there = system.cat_file(f"{root}/{RUN_FILE}") if system.exists(f"{root}/{RUN_FILE}") else None
        occupied = there is None and system.exists(root) and bool(system.ls(root, detail=False))
    here = (folder / RUN_FILE).read_bytes() if (folder / RUN_FILE).is_file() else None
    if not resume:
        if there is not None:
            raise InputError(
                f"{shown_url(url)} already holds a run",
                hint="Resume it with --resume, or choose another --out.",
            )
        if occupied:
            raise InputError(f"{shown_url(url)} exists and is not a run", hint="Choose another --out.")
        if here is not None:
            raise InputError(
                f"{folder} holds a run that was performed for {shown_url(url)}, and is not there",
                hint="Resume it with --resume, delete that folder, or choose another --out.",
            )
    elif there is not None and here is None:
        _fetch(url, folder)
    elif there is not None:
        if there != here:
            raise InputError(
                f"{shown_url(url)} holds another run than its working folder {folder}",
                hint="Delete the working folder, and the run is fetched again.",
            )
        with reported(url):
            results = f"{root}/{RESULTS}"
            elsewhere = _episodes(system.cat_file(results)) if system.exists(results) else set()
        here_ended = _episodes((folder / RESULTS).read_bytes()) if (folder / RESULTS).is_file() else set()
        if elsewhere - here_ended:
            raise InputError(
                f"{shown_url(url)} has episodes that its working folder {folder} lacks: it was resumed on "
                "another computer",
                hint="Delete the working folder, and the run is fetched again.",
            )
    return folder


class RunUpload:
    """Copies the ended episodes of a run to a URL, in a thread; a context manager.

    A failed copy never ends the run. It is tried again when another episode ends, after a pause that doubles
    with each failure in a row. What is not copied when the run ends, `copy_rest` copies.

    Args:
        folder: The local folder in which this process performs the run.
        url: The URL of the copy.
        clock: Measures the pauses after failures.
        on_failure: Called once, with a message, if a copy has failed.
    """

    def __init__(
        self, folder: Path, url: str, clock: Clock, *, on_failure: Callable[[str], None] = _LOG.warning
    ) -> None:
        self._folder = folder
        self._url = url
        self._clock = clock
        self._on_failure = on_failure
        self._ended: queue.SimpleQueue[EpisodeKey | None] = queue.SimpleQueue()
        # Only the thread uses what follows.
        self._waiting: list[EpisodeKey] = []
        self._copied: set[Path] = set()
        self._failures = 0
        self._not_before = 0.0
        self._thread = threading.Thread(target=self._work, name="upload", daemon=True)

    def __enter__(self) -> RunUpload:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._ended.put(None)
        self._thread.join()

    def episode_ended(self, key: EpisodeKey) -> None:
        """Copy an episode that has ended, soon and in another thread."""
        self._ended.put(key)

    def _work(self) -> None:
        while (key := self._ended.get()) is not None:
            self._waiting.append(key)
            if self._clock.monotonic() >= self._not_before:
                self._copy_waiting()

    def _copy_waiting(self) -> None:
        try:
            self._copy()
        except GaraError as error:
            pause = min(_FIRST_PAUSE_S * 2**self._failures, _LONGEST_PAUSE_S)
            self._not_before = self._clock.monotonic() + pause
            self._failures += 1
            _LOG.warning("upload: %s", error)
            if self._failures == 1:
                self._on_failure(
                    f"{error}. The run continues in {self._folder}, and the copy is tried again."
                )
        else:
            self._failures = 0

    def _copy(self) -> None:
        """Copy the waiting episodes, then the logs and last ``run.json``, which makes them a run."""
        system, root = open_url(self._url)
        with reported(self._url):
            while self._waiting:
                self._copy_episode(self._waiting[0], system, root)
                del self._waiting[0]
            for name in (CAMPAIGN, RESULTS, RUN_FILE):
                path = self._folder / name
                if path.is_file():
                    data = path.read_bytes()
                    # The run appends to its logs meanwhile: a line that is not complete is left out.
                    whole = data[: data.rfind(b"\n") + 1] if path.suffix == ".jsonl" else data
                    system.makedirs(root, exist_ok=True)
                    system.pipe_file(f"{root}/{name}", whole)

    def _copy_episode(self, key: EpisodeKey, system: Any, root: str) -> None:
        folder = self._folder / key.folder
        earlier = earlier_attempts(folder)
        for path in sorted(self._named_files(folder)):
            self._put(path, system, root)
            self._copied.add(path)
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                self._put(path, system, root)
        if earlier:  # a retry has moved the files of the attempt before, which may have been copied
            target = f"{root}/{key.folder}"
            for name in system.find(target):
                relative = PurePosixPath(str(name).lstrip("/")).relative_to(target.lstrip("/"))
                if not (folder / relative).exists():
                    system.rm_file(name)

    def _named_files(self, episode: Path) -> Iterator[Path]:
        """Iterate over the stored pictures and trees of an episode that have not been copied."""
        store = ContentStore.of_run(self._folder)
        for attempt in (*earlier_attempts(episode), episode):
            for reference in references(Attempt(attempt, store), latest=attempt == episode):
                path = reference.path
                if path not in self._copied and not path.is_relative_to(episode) and path.is_file():
                    yield path

    def _put(self, path: Path, system: Any, root: str) -> None:
        target = f"{root}/{path.relative_to(self._folder).as_posix()}"
        system.makedirs(str(PurePosixPath(target).parent), exist_ok=True)
        system.put_file(str(path), target)


def copy_rest(folder: Path, url: str, clock: Clock) -> None:
    """Copy all files of a run that has ended which are not yet at a URL, with some attempts.

    Raises:
        InputError: The run is in use, or the protocol is unknown.
        HarnessError: The copy failed.
    """
    for pause in _LAST_PAUSES_S:
        with contextlib.suppress(HarnessError):
            copy_run_to(folder, url)
            return
        clock.sleep(pause)
    copy_run_to(folder, url)


def _fetch(url: str, folder: Path) -> None:
    """Fetch a run into a new folder; if this is interrupted, there is no such folder."""
    part = folder.with_name(f"{folder.name}.part")
    try:
        if part.exists():
            shutil.rmtree(part)
        fetch_run(url, part)
        part.replace(folder)
    except OSError as error:
        raise disk_error(error, folder) from error


def _episodes(results: bytes) -> set[tuple[str, ...]]:
    """Return what identifies each episode in ``results.jsonl``; a last line may be incomplete."""
    found = set()
    for line in results.splitlines():
        with contextlib.suppress(ValueError, KeyError, TypeError):
            entry = json.loads(line)
            found.add(tuple(str(entry[name]) for name in ("task", "agent", "condition", "seed")))
    return found
