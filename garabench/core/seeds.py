"""Named sub-seeds: everything random comes from the run's seed, and from nothing else."""

from __future__ import annotations

import hashlib
import random


def derive(seed: int, *names: str | int) -> int:
    """Derive a sub-seed of 64 bits.

    Args:
        seed: The parent seed.
        names: What the sub-seed is for, such as ``("agent", "random", "bili-like")``. Other names
            give an independent seed; the same names always give the same one, on every machine.

    Returns:
        A number from 0 to 2**64 - 1.
    """
    text = "\x1f".join([str(seed), *(str(name) for name in names)])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def generator(seed: int, *names: str | int) -> random.Random:
    """A random generator of its own for the named purpose; arguments as for `derive`."""
    return random.Random(derive(seed, *names))  # noqa: S311 - reproducibility, not secrecy
