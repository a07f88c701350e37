"""A separate disk for a folder, which can be full: a tmpfs that is shrunk to what it holds."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from types import TracebackType

_SIZE = 4 * 1024**3
"""Size in bytes; memory is used for what is written only."""


class SmallDisk:
    """A tmpfs that is mounted on a folder; a context manager.

    Only root may mount, also in a separate namespace: ``unshare --user --map-root-user --mount COMMAND``.

    Attributes:
        folder: The folder; it is created.
        mounted: Whether it is a separate disk; otherwise it can never be full.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.mounted = False

    def __enter__(self) -> SmallDisk:
        self.folder.mkdir(parents=True)
        words = ["mount", "-t", "tmpfs", "-o", f"size={_SIZE}", "tmpfs", str(self.folder)]
        self.mounted = subprocess.run(words, capture_output=True, check=False).returncode == 0
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.mounted:
            subprocess.run(["umount", "--lazy", str(self.folder)], check=True)

    def fill(self) -> None:
        """Make it full: every write that needs another block fails with ENOSPC."""
        state = os.statvfs(self.folder)
        # A tmpfs of size 0 has no limit.
        self._resize(max(1, state.f_blocks - state.f_bfree) * state.f_frsize)

    def free(self) -> None:
        """Give it space again."""
        self._resize(_SIZE)

    def _resize(self, size: int) -> None:
        if self.mounted:
            subprocess.run(["mount", "-o", f"remount,size={size}", str(self.folder)], check=True)
