"""Screenshots as files, for agents that want to be told a path."""

from __future__ import annotations

import tempfile
from pathlib import Path

from garabench.core.observation import Observation


class PictureFiles:
    """A folder that holds an episode's screenshots while it goes on."""

    def __init__(self) -> None:
        """Make the folder."""
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
