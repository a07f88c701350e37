"""Named sub-seeds: the run's seed is the only source of randomness."""

from __future__ import annotations

import hashlib
import random


def derive(seed: int, *names: str | int) -> int:
    """Derive a sub-seed of 64 bits.

    Args:
        seed: The parent seed.
        names: The purpose of the sub-seed, such as ``("agent", "random", "bili-like")``. Different names
            give independent seeds; the same names give the same seed on every machine.

    Returns:
        A number from 0 to 2**64 - 1.
    """
    text = "\x1f".join([str(seed), *(str(name) for name in names)])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def generator(seed: int, *names: str | int) -> random.Random:
    """Return a random generator for the named purpose; arguments as for `derive`."""
    return random.Random(derive(seed, *names))  # noqa: S311 - reproducibility, not secrecy
