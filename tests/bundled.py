"""The bundled suite, loaded once per process."""

from __future__ import annotations

import functools

from garabench.suite.suite import Suite


@functools.cache
def bundled_suite() -> Suite:
    """Return the bundled suite, which takes most of a second to load."""
    return Suite.load()
