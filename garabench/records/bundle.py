"""A run as one zip file that another machine opens, with a manifest of the hashes of all files.

Opening trusts nothing in the file: names must stay below the folder, entries must be plain files, their
number and sizes are limited before anything is written, and every content must have the hash in the manifest.
"""

from __future__ import annotations

import contextlib
import enum
import hashlib
import json
import os
import shutil
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import BinaryIO

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from garabench.core.file_errors import missing_path
from garabench.errors import InputError
from garabench.records.content_store import ContentKind
from garabench.records.disk import disk_error
from garabench.records.lock import locked
from garabench.records.reader import Run, load_run
from garabench.records.run_layout import LOCK, RUN_FILE, STORE
from garabench.records.run_writer import RunWriter

MANIFEST = "MANIFEST.json"
BUNDLE_VERSION = 1
MAX_FILES = 2_000_000
MAX_RATIO = 150
"""A bundle may expand to at most this multiple of its size, plus `_ALLOWANCE`: logs shrink to a tenth."""
_ALLOWANCE = 64_000_000
_MAX_MANIFEST = 512_000_000
_MAX_NAME = 255
_CHUNK = 1 << 20
_DATE = (1980, 1, 1, 0, 0, 0)
"""Equal runs have equal bundles."""
_PRESSED = frozenset({".png", ".jpg", ".gz", ".zip"})


class BundledStore(enum.StrEnum):
    """The part of the content store that a bundle contains."""

    ALL = "all"
    TREES = "trees"
    NONE = "none"


class BundledFile(BaseModel):
    """A file of a bundle.

    Attributes:
        sha256: SHA-256 of its bytes.
        size: Number of bytes.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    size: int = Field(ge=0)


class Manifest(BaseModel):
    """The manifest of a bundle, its first entry.

    Attributes:
        version: Version of the format.
        garabench: The version of GaraBench that began the run.
        store: The part of the content store that is inside.
        files: Every other entry, by name.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: int = BUNDLE_VERSION
    garabench: str
    store: BundledStore = BundledStore.ALL
    files: dict[str, BundledFile]

    @property
    def size(self) -> int:
        """Number of bytes of all files."""
        return sum(file.size for file in self.files.values())


def write_bundle(run: Run, out: Path | str, *, store: BundledStore = BundledStore.ALL) -> Manifest:
    """Write a run as one zip file.

    Args:
        run: The run, which must not be in progress.
        out: The file.
        store: The part of the content store to include.

    Raises:
        InputError: The run is in progress, or has a symbolic link.
        RecordError: The file cannot be written.
    """
    out = Path(out)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with locked(run.folder), contextlib.ExitStack() as undo:
            part = out.with_name(f"{out.name}.part")
            undo.callback(part.unlink, missing_ok=True)
            paths = {
                path.relative_to(run.folder).as_posix(): path for path in _files(run.folder, out, part, store)
            }
            files = {name: _described(path) for name, path in paths.items()}
            manifest = Manifest(garabench=run.file.garabench, store=store, files=files)
            with zipfile.ZipFile(part, "w") as archive:
                archive.writestr(_entry(MANIFEST), manifest.model_dump_json(indent=1))
                for name, path in paths.items():
                    _add(archive, name, path, files[name])
            part.replace(out)
    except OSError as error:
        raise disk_error(error, out) from error
    return manifest


def _files(folder: Path, out: Path, part: Path, store: BundledStore) -> Iterator[Path]:
    """Yield the files of a run that a bundle contains, sorted.

    Raises:
        InputError: One is a symbolic link.
    """
    left_out = {folder / LOCK, folder / MANIFEST, out, part}
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            raise InputError(f"{path} is a symbolic link", hint="Replace it with the file itself.")
        if not path.is_file() or path in left_out or path.suffix == ".part":
            continue
        if path.relative_to(folder).parts[0] == STORE:
            tree = path.name.endswith(ContentKind.TREE)
            if store is BundledStore.NONE or (store is BundledStore.TREES and not tree):
                continue
        yield path


def _described(path: Path) -> BundledFile:
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
            size += len(chunk)
    return BundledFile(sha256=digest.hexdigest(), size=size)


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _DATE)
    entry.external_attr = (stat.S_IFREG | 0o644) << 16
    stored = PurePosixPath(name).suffix in _PRESSED
    entry.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
    return entry


def _add(archive: zipfile.ZipFile, name: str, path: Path, described: BundledFile) -> None:
    """Add a file.

    Raises:
        InputError: It has changed since it was described.
    """
    digest = hashlib.sha256()
    with path.open("rb") as source, archive.open(_entry(name), "w") as target:
        while chunk := source.read(_CHUNK):
            digest.update(chunk)
            target.write(chunk)
    if digest.hexdigest() != described.sha256:
        raise InputError(f"{path} changed while it was bundled", hint="Bundle a run that has ended.")


@dataclass(frozen=True, slots=True)
class _Opened:
    """A bundle whose names and sizes are safe."""

    archive: zipfile.ZipFile
    manifest: Manifest


def read_bundle(path: Path) -> Manifest:
    """Return the manifest of a bundle whose names and sizes are safe; the contents are not read.

    Raises:
        InputError: It is not a bundle, damaged, of a newer version or unsafe.
    """
    with _opened(path) as bundle:
        return bundle.manifest


def open_bundle(path: Path | str, out: Path | str) -> Run:
    """Write the run in a bundle to a folder, and check every file's hash. Nothing remains after an error.

    Args:
        path: The bundle.
        out: The folder, which must not exist or be empty.

    Raises:
        InputError: The bundle is damaged, altered, of a newer version or unsafe, or the folder is not free.
        RecordError: The folder cannot be written.
    """
    path, out = Path(path), Path(out)
    RunWriter.check_free(out)
    with _opened(path) as bundle:
        try:
            out.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=out.parent, prefix=".import-") as temporary:
                folder = Path(temporary) / "run"
                folder.mkdir()
                for name, described in bundle.manifest.files.items():
                    _extract(path, bundle.archive, name, described, folder)
                _check_names(path, _extracted_run(path, folder))
                if out.is_dir():
                    out.rmdir()  # it is empty
                shutil.move(folder, out)
        except OSError as error:
            raise disk_error(error, out) from error
    return load_run(out)


def _extracted_run(path: Path, folder: Path) -> Run:
    """Open the run in a temporary folder; an error names the bundle instead of the folder.

    Raises:
        InputError: The run is broken or of a newer version.
    """
    try:
        return load_run(folder)
    except InputError as error:
        message = error.message.replace(f"{folder}{os.sep}", f"{path}: ")
        raise InputError(message, hint=error.hint) from error


def _check_names(path: Path, run: Run) -> None:
    """Check the names of a foreign run, which are parts of the paths of its episodes.

    Raises:
        InputError: One is not the name of a file.
    """
    for name in (*run.plan.tasks, *(agent.name for agent in run.agents), *run.plan.conditions):
        if name in ("", ".", "..") or any(sign in name for sign in "/\\\0") or len(name.encode()) > _MAX_NAME:
            raise InputError(f"{path}: {RUN_FILE} has the name {_shown(name)}, which cannot be a file's")


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[_Opened]:
    try:
        with zipfile.ZipFile(path) as archive:
            yield _Opened(archive, _checked(path, archive))
    except (zipfile.BadZipFile, NotImplementedError, EOFError, zlib.error) as error:
        raise InputError(f"{path} is not a bundle, or is damaged: {error}") from error
    except FileNotFoundError as error:
        raise missing_path(path, "file") from error


def _checked(path: Path, archive: zipfile.ZipFile) -> Manifest:
    """Return the manifest of an archive after checking all names and sizes.

    Raises:
        InputError: It is not a bundle, of a newer version or unsafe.
    """
    entries = archive.infolist()
    if len(entries) > MAX_FILES:
        raise InputError(f"{path} has more than {MAX_FILES:,} files")
    names: set[str] = set()
    for entry in entries:
        _check_entry(path, entry)
        if entry.filename.casefold() in names:
            raise InputError(f"{path} has two files called {_shown(entry.filename)}")
        names.add(entry.filename.casefold())
    for entry in entries:
        for folder in PurePosixPath(entry.filename).parents:
            if str(folder).casefold() in names:
                raise InputError(f"{path}: {_shown(str(folder))} cannot be both a file and a folder")
    expanded, limit = sum(entry.file_size for entry in entries), MAX_RATIO * path.stat().st_size + _ALLOWANCE
    if expanded > limit:
        raise InputError(
            f"{path} would expand to {expanded:,} bytes, more than {MAX_RATIO} times its size",
            hint="It may be a zip bomb. Ask its author for another file.",
        )
    manifest = _manifest(path, archive)
    found = {entry.filename: entry.file_size for entry in entries if entry.filename != MANIFEST}
    listed = {name: file.size for name, file in manifest.files.items()}
    if found != listed:
        differing = sorted(set(found.items()) ^ set(listed.items()))[0][0]
        raise InputError(f"{path}: its files do not match its manifest: {_shown(differing)}")
    if RUN_FILE not in found:
        raise InputError(f"{path} has no {RUN_FILE}: it is not the bundle of a run")
    return manifest


def _check_entry(path: Path, entry: zipfile.ZipInfo) -> None:
    """Check one entry's name and kind.

    Raises:
        InputError: It would be written outside of the folder, or is not a plain file.
    """
    name, shown = entry.orig_filename, _shown(entry.orig_filename)
    parts = name.split("/")
    windows = PureWindowsPath(name)
    if (
        name != entry.filename
        or name.startswith("/")
        or "\\" in name
        or "\0" in name
        or any(part in ("", ".", "..") for part in parts)
        or windows.drive
        or windows.is_reserved()
    ):
        raise InputError(f"{path}: the name {shown} is not allowed: it could leave the folder of the run")
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        raise InputError(f"{path}: {shown} is a link or another special file; only plain files are allowed")
    if entry.flag_bits & 1:
        raise InputError(f"{path}: {shown} is encrypted")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise InputError(f"{path}: {shown} is compressed by a method that is not supported")


def _manifest(path: Path, archive: zipfile.ZipFile) -> Manifest:
    try:
        entry = archive.getinfo(MANIFEST)
    except KeyError as error:
        raise InputError(
            f"{path} has no {MANIFEST}: it is not a bundle", hint="Write one with `garabench bundle`."
        ) from error
    if entry.file_size > _MAX_MANIFEST:
        raise InputError(f"{path}: {MANIFEST} is too large")
    try:
        data = json.loads(archive.read(entry))
        version = data.get("version") if isinstance(data, dict) else None
        if isinstance(version, int) and version > BUNDLE_VERSION:
            raise InputError(
                f"{path} has bundle version {version}; this GaraBench reads versions up to {BUNDLE_VERSION}",
                hint="Use a newer GaraBench to read it.",
            )
        return Manifest.model_validate(data)
    except ValidationError as error:
        raise InputError(f"{path}: {MANIFEST}: {error.errors()[0]['msg']}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: {MANIFEST} is not JSON: {error}") from error


def _extract(path: Path, archive: zipfile.ZipFile, name: str, described: BundledFile, folder: Path) -> None:
    """Write one file and check its hash.

    Raises:
        InputError: Its content is not that of the manifest.
        OSError: It cannot be written.
    """
    target = folder.joinpath(*name.split("/"))
    target.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(name) as source, target.open("xb") as file:
        digest = _copy(source, file, described.size)  # type: ignore[arg-type]  # typed as IO[bytes]
    if digest != described.sha256:
        raise InputError(f"{path}: {_shown(name)} was altered: its hash does not match the manifest")


def _copy(source: BinaryIO, target: BinaryIO, size: int) -> str:
    """Copy at most one byte more than announced; return the hash."""
    digest, left = hashlib.sha256(), size + 1
    while left > 0 and (chunk := source.read(min(_CHUNK, left))):
        digest.update(chunk)
        target.write(chunk)
        left -= len(chunk)
    return digest.hexdigest()


def _shown(name: str) -> str:
    return repr(name if len(name) <= 120 else f"{name[:120]}…")
