"""The suite that comes with GaraBench, loaded once for all tests of a process."""

from __future__ import annotations

import functools

from garabench.suite.suite import Suite


@functools.cache
def bundled_suite() -> Suite:
    """Return the bundled suite; reading and checking it takes most of a second each time."""
    return Suite.load()
