"""The phone's file system, in memory only."""

from __future__ import annotations

import contextlib
import errno
import posixpath
import stat
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Protocol

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
_REMOUNTED = frozenset({"etc", "product", "system", "vendor"})
"""The read-only mounts that ``remount`` makes writable."""
_PROTECTED = frozenset(
    {"/", "/data", "/data/local", "/data/local/tmp", "/sdcard", "/system/bin", *_READ_ONLY}
)
"""Directories that the shell user cannot remove."""
_USER_DATA, _APP_DATA = "/data/user/0", "/data/data"
_SHARED = "/sdcard"
"""The path of the shared storage in this module."""
_MAX_LINKS = 40
MAX_FILE_SIZE = 512 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class SharedStorage:
    """The system's links to the shared storage (``init.rc``).

    Attributes:
        path: The directory behind the links.
        links: The target of each link.
        link_mode: The permissions that the links show.
    """

    path: str
    links: Mapping[str, str]
    link_mode: int


SHARED_STORAGE = SharedStorage(
    "/storage/emulated/0",
    {
        "/sdcard": "/storage/self/primary",
        "/mnt/sdcard": "/storage/self/primary",
        "/storage/self/primary": "/storage/emulated/0",
    },
    0o644,
)
"""The links of Android 10 and newer."""
OLD_SHARED_STORAGE = SharedStorage(
    "/mnt/shell/emulated/0",
    {"/sdcard": "/storage/emulated/legacy", "/mnt/sdcard": "/storage/emulated/legacy"},
    0o777,
)
"""The links of Android 4.4."""


@dataclass(slots=True)
class _Entry:
    mode: int
    mtime: int
    data: bytes | None = None


@dataclass(frozen=True, slots=True)
class TreeFile:
    """A file or directory that the system provides.

    Attributes:
        mode: Its type and permissions.
        read: Returns its content.
        is_sized: Whether its metadata has its size; the kernel's own files, as in ``/proc``, report 0.
        link: The target of a symbolic link, which `mode` and `read` follow; empty for another file.
    """

    mode: int
    read: Callable[[], bytes] = field(default=lambda: b"")
    is_sized: bool = False
    link: str = ""


class FileTree(Protocol):
    """Files that the system provides, in addition to those that programs write."""

    def get(self, path: str) -> TreeFile | None:
        """Return a file or directory, or None."""
        ...

    def names(self, path: str) -> tuple[str, ...]:
        """Return the names directly in a directory."""
        ...


_BUGREPORTS = "/data/user_de/0/com.android.shell/files/bugreports/"
"""The directory of the shell's own app, which adb pulls bug reports from."""
CALLED: ContextVar[tuple[str, ...]] = ContextVar("CALLED", default=())
"""The command line of the running program, which ``/proc/self`` shows; empty outside of one."""
AS_ROOT: ContextVar[bool] = ContextVar("AS_ROOT", default=False)
"""Whether the running command is one of root, by ``su`` or ``adb root``."""


@contextlib.contextmanager
def as_root() -> Iterator[None]:
    """Allow what root and the system may do."""
    token = AS_ROOT.set(True)
    try:
        yield
    finally:
        AS_ROOT.reset(token)


class FileSystem:
    """Directories and files by absolute path.

    Attributes:
        is_remounted: Whether root may write to the system's partitions, until the next boot.
    """

    def __init__(self, now: Callable[[], int], shared: SharedStorage = SHARED_STORAGE) -> None:
        """Create the directories of a new phone.

        Args:
            now: Returns the time in seconds since 1970.
            shared: The links to the shared storage.
        """
        self._shared = shared
        self._now = now
        self._entries: dict[str, _Entry] = {"/": _Entry(stat.S_IFDIR | 0o755, now())}
        self._live: dict[str, Callable[[], bytes]] = {}
        self._links: dict[str, str] = {}
        self._tree: FileTree | None = None
        self.is_remounted = False
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
            "/mnt/shell/emulated/0",
        ):
            if absolute == alias or absolute.startswith(alias + "/"):
                return "/sdcard" + absolute[len(alias) :]
        return absolute

    def attach(self, tree: FileTree) -> None:
        """Attach the files that the system provides."""
        self._tree = tree

    def _follow(self, path: str) -> str:
        """Return the absolute path behind symbolic links.

        Raises:
            OSError: They form a loop.
        """
        absolute = self.resolve(path)
        for _ in range(_MAX_LINKS):
            link = next(
                (each for each in self._links if absolute == each or absolute.startswith(f"{each}/")), None
            )
            if link is None:
                return _canonical(absolute)
            target = posixpath.join(posixpath.dirname(link), self._links[link])
            absolute = self.resolve(target + absolute[len(link) :])
        raise OSError(errno.ELOOP, "Too many symbolic links encountered", path)

    def symlink(self, target: str, path: str) -> None:
        """Create a symbolic link.

        Raises:
            OSError: The path exists, or its directory is read-only.
        """
        absolute = self.resolve(path)
        if absolute in self._entries or absolute in self._links:
            raise FileExistsError(errno.EEXIST, "File exists", path)
        self._check_writable(absolute, path)
        self._links[absolute] = target

    def readlink(self, path: str) -> str | None:
        """Return the target of a symbolic link, or None if it is not one.

        Args:
            path: An absolute path. Without a slash at its end it may be one of the system's links.
        """
        if (shared := self._shared.links.get(path)) is not None:
            return shared
        absolute = self.resolve(path)
        if absolute not in self._links and self._tree is not None and absolute.startswith("/proc/"):
            found = self._tree.get(absolute)
            return (found.link or None) if found is not None else None
        return self._links.get(absolute)

    def real_path(self, path: str) -> str:
        """Return the absolute path behind symbolic links.

        Raises:
            OSError: They form a loop.
        """
        absolute = self._follow(path)
        if absolute == _SHARED or absolute.startswith(f"{_SHARED}/"):
            return self._shared.path + absolute[len(_SHARED) :]
        return absolute

    def lstat(self, path: str) -> FileStat | None:
        """Return the metadata of a file or of the symbolic link itself, or None if it does not exist."""
        target = self.readlink(path)
        if target is None:
            return self.stat(path)
        mode = self._shared.link_mode if path in self._shared.links else 0o777
        found = self.stat(path) or self.stat(posixpath.dirname(path))
        return FileStat(stat.S_IFLNK | mode, len(target), found.mtime if found is not None else 0)

    def check_listable(self, path: str) -> None:
        """Check that the shell may list a directory.

        Raises:
            PermissionError: It may not.
        """
        if _is_private(self._follow(path), listing=True):
            raise PermissionError(errno.EACCES, "Permission denied", path)

    def stat(self, path: str) -> FileStat | None:
        """Return the metadata of a file, or None if it does not exist."""
        absolute = self._follow(path)
        entry = self._entries.get(absolute)
        if entry is None and self._tree is not None and (found := self._tree.get(absolute)) is not None:
            return FileStat(found.mode, len(found.read()) if found.is_sized else 0, self._now())
        if entry is None:
            return None
        return FileStat(entry.mode, len(entry.data or b""), entry.mtime)

    def is_dir(self, path: str) -> bool:
        """Return whether it is a directory."""
        absolute = self._follow(path)
        entry = self._entries.get(absolute)
        if entry is None and self._tree is not None and (found := self._tree.get(absolute)) is not None:
            return stat.S_ISDIR(found.mode)
        return entry is not None and entry.data is None

    def listdir(self, path: str) -> tuple[str, ...] | None:
        """Return the sorted names in a directory, or None if it is not one."""
        top = self._follow(path)
        if not self.is_dir(top):
            return None
        if _is_private(top, listing=True):
            return ()
        start = top.rstrip("/") + "/"
        paths = (*self._entries, *self._links)
        names = {name[len(start) :] for name in paths if name.startswith(start) and name != "/"}
        if self._tree is not None:
            names |= set(self._tree.names(top))
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
        absolute = self._follow(path)
        if _is_private(absolute):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        if live := self._live.get(absolute):
            return live()
        entry = self._entries.get(absolute)
        if entry is None and self._tree is not None and (found := self._tree.get(absolute)) is not None:
            if stat.S_ISDIR(found.mode):
                raise IsADirectoryError(errno.EISDIR, "Is a directory", path)
            return found.read()
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
        absolute = self._follow(path)
        if absolute in ("/dev/null", "/dev/zero", "/dev/tty"):
            return
        if self.is_dir(absolute) and absolute not in _READ_ONLY:
            raise IsADirectoryError(errno.EISDIR, "Is a directory", path)
        self._check_writable(absolute, path)
        if len(data) > MAX_FILE_SIZE:
            raise OSError(errno.ENOSPC, "No space left on device", path)
        self.mkdir(posixpath.dirname(absolute))
        self._entries[absolute] = _Entry(stat.S_IFREG | mode, self._now() if mtime is None else mtime, data)

    def mkdir(self, path: str) -> None:
        """Create a directory and its parents, unless it exists.

        Raises:
            OSError: A file has that path, or the place is read-only.
        """
        absolute = self._follow(path)
        if not self.is_dir(absolute):
            self._check_writable(absolute, path)
        self._make(absolute)

    def _check_writable(self, absolute: str, path: str) -> None:
        """Check that the shell may create a file.

        Raises:
            OSError: The file system is read-only, or the directory belongs to others.
        """
        if not self._is_on_writable_mount(absolute):
            raise OSError(errno.EROFS, "Read-only file system", path)
        if _is_private(absolute, writing=True):
            raise PermissionError(errno.EACCES, "Permission denied", path)

    def _is_on_writable_mount(self, absolute: str) -> bool:
        top = absolute.split("/")[1]
        return top in _WRITABLE or (self.is_remounted and AS_ROOT.get() and top in _REMOUNTED)

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
        entry = self._entries.get(_canonical(self.resolve(path)))
        if entry is None:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", path)
        entry.mode = stat.S_IFMT(entry.mode) | (mode & 0o7777)

    def remove(self, path: str, *, recursive: bool = False) -> None:
        """Remove a file, or with `recursive` a directory and its contents.

        Raises:
            OSError: It does not exist, is a directory, or is protected; the contents of a protected
                directory are removed as far as allowed.
        """
        absolute = _canonical(self.resolve(path))
        if self._links.pop(absolute, None) is not None:
            return
        if not self._is_on_writable_mount(absolute) and absolute != "/" and self.stat(absolute) is not None:
            raise OSError(errno.EROFS, "Read-only file system", path)
        if absolute not in self._entries:
            if self.stat(absolute) is not None or _is_private(absolute):
                raise PermissionError(errno.EACCES, "Permission denied", path)
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", path)
        if self.is_dir(absolute):
            if not recursive:
                raise IsADirectoryError(errno.EISDIR, "Is a directory", path)
            start = absolute.rstrip("/") + "/"
            for name in [
                path for path in self._entries if path.startswith(start) and not _is_protected(path)
            ]:
                del self._entries[name]
        if _is_protected(absolute) and not (self.is_remounted and AS_ROOT.get()):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        del self._entries[absolute]


def _canonical(absolute: str) -> str:
    """Return the path of a file in ``/data/data``, which is also ``/data/user/0``."""
    if absolute == _USER_DATA or absolute.startswith(f"{_USER_DATA}/"):
        return _APP_DATA + absolute[len(_USER_DATA) :]
    return absolute


def _is_private(path: str, *, listing: bool = False, writing: bool = False) -> bool:
    """Return whether a path belongs to apps or the system, so that the shell may not use it."""
    if AS_ROOT.get() or not (path == "/data" or path.startswith("/data/")):
        return False
    if path.startswith(("/data/app/", _BUGREPORTS)) and not listing and not writing:
        return False
    if path == "/data/local" or path.startswith("/data/local/"):
        return listing and path == "/data/local"
    return listing or path != "/data"


def _is_protected(path: str) -> bool:
    """Return whether a file or directory is protected."""
    return path in _PROTECTED or any(path.startswith(top + "/") for top in _READ_ONLY)
