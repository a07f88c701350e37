"""The folder for what can be fetched or computed again."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def cache_folder() -> Path:
    """Return the cache folder: ``GARABENCH_CACHE`` if set, else the user's cache folder."""
    return Path(os.environ.get("GARABENCH_CACHE") or platformdirs.user_cache_path("garabench"))
