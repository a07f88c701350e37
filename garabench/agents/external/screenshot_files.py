"""Screenshots as files, for agents that want a path."""

from __future__ import annotations

import tempfile
from pathlib import Path

from garabench.core.observation import Observation


class ScreenshotFiles:
    """A temporary folder for the screenshots of a running episode."""

    def __init__(self) -> None:
        """Create the folder."""
        self._folder = tempfile.TemporaryDirectory(prefix="garabench-")

    def put(self, observation: Observation) -> str:
        """Write a screenshot.

        Returns:
            Its path; the file stays until `close`.
        """
        path = Path(self._folder.name) / f"{observation.step:03d}.png"
        path.write_bytes(observation.screenshot.png)
        return str(path)

    def close(self) -> None:
        """Remove the folder and all that is in it."""
        self._folder.cleanup()
