"""Copy a run to and from any file system that fsspec knows: ``s3://``, ``gs://``, ``sftp://``, ``memory://``.

A run is always *performed* in a local folder: its locks, appended lines and renames need a file system that
has them, and most object stores have none. A finished or interrupted run can be copied to a URL, and read or
resumed after it was copied back; `garabench.records.run_upload` copies a run while it is performed. Only
files that are missing or have another size are copied, so that a copy can be repeated; logs, which grow, are
always copied.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from garabench.core.phrases import counted
from garabench.errors import HarnessError, InputError
from garabench.records.cache_folder import cache_folder
from garabench.records.disk import disk_error
from garabench.records.lock import locked
from garabench.records.reader import Run, load_run
from garabench.records.run_layout import LOCK, RUN_FILE

_ALWAYS = (".jsonl", ".json", ".log", ".html")


def is_url(text: str) -> bool:
    """Return whether a text names a place for fsspec, and not a local folder."""
    return "://" in text


def require_local(folder: Path | str) -> Path:
    """Return the folder in which a run is performed.

    Raises:
        InputError: It is a URL.
    """
    if isinstance(folder, str) and is_url(folder):
        raise InputError(
            f"{shown_url(folder)} is not a local folder",
            hint="Perform the run in a local folder, then: garabench runs copy DIR URL",
        )
    return Path(folder)


def copy_run_to(folder: Path, url: str, *, on_file: Callable[[str], None] = lambda name: None) -> int:
    """Copy a run to a URL; ``run.json`` comes last, so that a copy that has it is complete.

    Args:
        folder: The run's folder; no process may be performing it.
        url: The URL of the copy's folder.
        on_file: Called with each copied file.

    Returns:
        The number of copied files.

    Raises:
        InputError: The folder is not a run or in use, or the protocol is unknown.
        HarnessError: The copy failed.
    """
    load_run(folder)
    system, root = open_url(url)
    with locked(folder):
        files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != LOCK)
        files.sort(key=lambda path: path == folder / RUN_FILE)
        with reported(url):
            system.invalidate_cache()
            # One listing, since asking for each file is slow on object stores.
            sizes = {name.lstrip("/"): each["size"] for name, each in system.find(root, detail=True).items()}
        copied = 0
        for index, path in enumerate(files):
            name = path.relative_to(folder).as_posix()
            target = f"{root}/{name}"
            with reported(url, f"{index} of {counted(len(files), 'file')} are there"):
                is_there = sizes.get(target.lstrip("/")) == path.stat().st_size
                if path.suffix in _ALWAYS or not is_there:
                    system.makedirs(str(PurePosixPath(target).parent), exist_ok=True)
                    system.put_file(str(path), target)
                    on_file(name)
                    copied += 1
    return copied


def fetch_run(url: str, folder: Path, *, on_file: Callable[[str], None] = lambda name: None) -> Run:
    """Copy a run from a URL into a local folder, and open it.

    Args:
        url: The URL of the copy's folder.
        folder: The local folder; it must not exist, be empty, or hold an earlier copy of the same run.
        on_file: Called with each copied file.

    Raises:
        InputError: There is no run, the protocol is unknown, or the folder contains something else.
        HarnessError: The copy failed.
        RecordError: The folder cannot be written.
    """
    system, root = open_url(url)
    with reported(url):
        if not system.exists(f"{root}/{RUN_FILE}"):
            raise _no_run(url)
        described = system.cat_file(f"{root}/{RUN_FILE}")
        names = [name for name, entry in system.find(root, detail=True).items() if entry["type"] == "file"]
    described_here = folder / RUN_FILE
    is_copy = described_here.is_file() and described_here.read_bytes() == described
    if folder.exists() and any(folder.iterdir()) and not is_copy:
        raise InputError(f"{folder} contains something else", hint="Choose another folder.")
    for name in sorted(names, key=lambda each: each.endswith(f"/{RUN_FILE}")):
        relative = PurePosixPath(name.lstrip("/")).relative_to(root.lstrip("/"))
        if ".." in relative.parts:
            raise InputError(f"{url} has a file outside of its folder: {relative}")
        path = folder / relative
        with reported(url):
            if _is_copied(path, system, name):
                continue
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise disk_error(error, path.parent) from error
            system.get_file(name, str(path))
            on_file(str(relative))
    return load_run(folder)


def fetch_to_cache(url: str) -> Run:
    """Copy a run from a URL into the cache folder, and open it; a later call copies only what has changed.

    Args:
        url: The URL of the copy's folder.

    Raises:
        GaraError: As `fetch_run`.
    """
    system, root = open_url(url)
    with reported(url):
        if not system.exists(f"{root}/{RUN_FILE}"):
            raise _no_run(url)
        described = system.cat_file(f"{root}/{RUN_FILE}")
    # Another run at the same URL gets another folder.
    name = hashlib.sha256(url.encode() + b"\n" + described).hexdigest()[:16]
    return fetch_run(url, fetched_runs_folder() / name / (PurePosixPath(root).name or "run"))


def fetched_runs_folder() -> Path:
    """Return the folder of the runs that `fetch_to_cache` has copied."""
    return cache_folder() / "runs"


def _no_run(url: str) -> InputError:
    return InputError(f"{shown_url(url)} is not a run: it has no {RUN_FILE}")


def _is_copied(path: Path, system: Any, target: str) -> bool:
    """Return whether both places have the file with the same size; never for files that may change."""
    if path.suffix in _ALWAYS or not path.is_file() or not system.exists(target):
        return False
    return bool(system.size(target) == path.stat().st_size)


def open_url(url: str) -> tuple[Any, str]:
    """Return fsspec's file system of a URL, and the path of the URL's folder in it.

    Raises:
        InputError: fsspec or the package of the protocol is not installed, or the protocol is unknown.
    """
    try:
        import fsspec
    except ImportError as error:
        raise InputError(
            "copies of runs at URLs need fsspec", hint="pip install 'garabench[remote]'"
        ) from error
    try:
        system, root = fsspec.core.url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise InputError(f"cannot open {shown_url(url)}: {error}") from error
    return system, str(root).rstrip("/")


@contextlib.contextmanager
def reported(url: str, progress: str = "") -> Iterator[None]:
    """Convert the errors of a file system, which may be of any class.

    Args:
        url: The URL.
        progress: What has been done before, for the message.

    Raises:
        HarnessError: An operation at the URL failed.
    """
    try:
        yield
    except (InputError, HarnessError):
        raise
    except Exception as error:  # each protocol is a separate package
        done = f" ({progress})" if progress else ""
        raise HarnessError(f"the copy at {shown_url(url)} failed{done}: {error}") from error


def shown_url(url: str) -> str:
    """Return a URL without user, password and query, which may hold keys."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.hostname or ''}{parts.path}"
