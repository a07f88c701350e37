"""Screenshots as files, for agents that want a path."""

from __future__ import annotations

import tempfile
from pathlib import Path

from garabench.core.observation import Observation


class ScreenshotFiles:
    """A temporary folder for the screenshots of an episode."""

    def __init__(self) -> None:
        """Create the folder."""
        self._folder = tempfile.TemporaryDirectory(prefix="garabench-")

    def write(self, observation: Observation) -> str:
        """Write a screenshot.

        Returns:
            The path of the file, which exists until `close`.
        """
        path = Path(self._folder.name) / f"{observation.step:03d}.png"
        path.write_bytes(observation.screenshot.png)
        return str(path)

    def close(self) -> None:
        """Remove the folder and its content."""
        self._folder.cleanup()
