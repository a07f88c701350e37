"""The phone's file system, in memory only."""

from __future__ import annotations

import errno
import posixpath
import stat
from collections.abc import Callable
from dataclasses import dataclass

from garabench.virtual.adb.sync import FileStat

_DIRECTORIES = (
    "/data/local/tmp",
    "/sdcard/Download",
    "/sdcard/Pictures",
    "/system/bin",
    "/proc",
    "/dev",
    "/etc",
)
_READ_ONLY = ("/system", "/proc", "/etc", "/dev")
_WRITABLE = frozenset({"cache", "data", "mnt", "sdcard", "storage"})
"""The writable mounts; the root itself and everything else in it are read-only."""
_PROTECTED = frozenset(
    {"/", "/data", "/data/local", "/data/local/tmp", "/sdcard", "/system/bin", *_READ_ONLY}
)
"""Directories that the shell user cannot remove."""
MAX_FILE_SIZE = 512 * 1024 * 1024


@dataclass(slots=True)
class _Entry:
    mode: int
    mtime: int
    data: bytes | None = None


class FileSystem:
    """Directories and files by absolute path."""

    def __init__(self, now: Callable[[], int]) -> None:
        """Create the directories of a new phone.

        Args:
            now: Returns the time in seconds since 1970.
        """
        self._now = now
        self._entries: dict[str, _Entry] = {"/": _Entry(stat.S_IFDIR | 0o755, now())}
        self._live: dict[str, Callable[[], bytes]] = {}
        for directory in _DIRECTORIES:
            self._make(directory)

    @staticmethod
    def resolve(path: str, cwd: str = "/") -> str:
        """Return the absolute path, without dots; ``/storage/emulated/0`` is ``/sdcard``."""
        absolute = posixpath.normpath(posixpath.join(cwd, path))
        absolute = "/" + absolute.lstrip("/")
        for alias in (
            "/storage/emulated/0",
            "/storage/emulated/legacy",
            "/storage/self/primary",
            "/mnt/sdcard",
        ):
            if absolute == alias or absolute.startswith(alias + "/"):
                return "/sdcard" + absolute[len(alias) :]
        return absolute

    def stat(self, path: str) -> FileStat | None:
        """Return the metadata of a file, or None if it does not exist."""
        entry = self._entries.get(self.resolve(path))
        if entry is None:
            return None
        return FileStat(entry.mode, len(entry.data or b""), entry.mtime)

    def is_dir(self, path: str) -> bool:
        """Return whether it is a directory."""
        entry = self._entries.get(self.resolve(path))
        return entry is not None and entry.data is None

    def listdir(self, path: str) -> tuple[str, ...] | None:
        """Return the sorted names in a directory, or None if it is not one."""
        top = self.resolve(path)
        if not self.is_dir(top):
            return None
        start = top.rstrip("/") + "/"
        names = {name[len(start) :] for name in self._entries if name.startswith(start) and name != "/"}
        return tuple(sorted(name for name in names if name and "/" not in name))

    def provide(self, path: str, read: Callable[[], bytes]) -> None:
        """Add a file whose content is generated on each read; its size is 0, as in ``/proc``."""
        absolute = self.resolve(path)
        self._make(posixpath.dirname(absolute))
        self._entries[absolute] = _Entry(stat.S_IFREG | 0o444, self._now(), b"")
        self._live[absolute] = read

    def read(self, path: str) -> bytes:
        """Return a file's bytes.

        Raises:
            OSError: It is a directory or does not exist.
        """
        if live := self._live.get(self.resolve(path)):
            return live()
        entry = self._entries.get(self.resolve(path))
        if entry is None:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", path)
        if entry.data is None:
            raise IsADirectoryError(errno.EISDIR, "Is a directory", path)
        return entry.data

    def write(self, path: str, data: bytes, *, mode: int = 0o644, mtime: int | None = None) -> None:
        """Write a whole file, creating its parent directories.

        Raises:
            OSError: The place is read-only.
        """
        absolute = self.resolve(path)
        if self.is_dir(absolute) and absolute not in _READ_ONLY:
            raise IsADirectoryError(errno.EISDIR, "Is a directory", path)
        if absolute.split("/")[1] not in _WRITABLE:
            raise OSError(errno.EROFS, "Read-only file system", path)
        if len(data) > MAX_FILE_SIZE:
            raise OSError(errno.ENOSPC, "No space left on device", path)
        self.mkdir(posixpath.dirname(absolute))
        self._entries[absolute] = _Entry(stat.S_IFREG | mode, self._now() if mtime is None else mtime, data)

    def mkdir(self, path: str) -> None:
        """Create a directory and its parents, unless it exists.

        Raises:
            OSError: A file has that path, or the place is read-only.
        """
        absolute = self.resolve(path)
        if absolute.split("/")[1] not in _WRITABLE and not self.is_dir(absolute):
            raise OSError(errno.EROFS, "Read-only file system", path)
        self._make(absolute)

    def _make(self, absolute: str) -> None:
        parts = absolute.strip("/").split("/") if absolute != "/" else []
        for depth in range(1, len(parts) + 1):
            name = "/" + "/".join(parts[:depth])
            entry = self._entries.setdefault(name, _Entry(stat.S_IFDIR | 0o771, self._now()))
            if entry.data is not None:
                raise NotADirectoryError(errno.ENOTDIR, "Not a directory", name)

    def chmod(self, path: str, mode: int) -> None:
        """Change a file's mode bits.

        Raises:
            OSError: It does not exist.
        """
        entry = self._entries.get(self.resolve(path))
        if entry is None:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", path)
        entry.mode = stat.S_IFMT(entry.mode) | (mode & 0o7777)

    def remove(self, path: str, *, recursive: bool = False) -> None:
        """Remove a file, or with `recursive` a directory and its contents.

        Raises:
            OSError: It does not exist, is a directory, or is protected; the contents of a protected
                directory are removed as far as allowed.
        """
        absolute = self.resolve(path)
        if absolute not in self._entries:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", path)
        if self.is_dir(absolute):
            if not recursive:
                raise IsADirectoryError(errno.EISDIR, "Is a directory", path)
            start = absolute.rstrip("/") + "/"
            for name in [
                path for path in self._entries if path.startswith(start) and not _is_protected(path)
            ]:
                del self._entries[name]
        if _is_protected(absolute):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        del self._entries[absolute]


def _is_protected(path: str) -> bool:
    """Return whether a file or directory is protected."""
    return path in _PROTECTED or any(path.startswith(top + "/") for top in _READ_ONLY)
