"""How much of the main thread the companion app takes before its first frame, on this computer's Java."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from benchmarks.report import Measure

BUILD = Path(__file__).resolve().parents[1] / "interruption_apk" / "build.py"
LIMIT = 30.0
"""Milliseconds of processor time, of warmed code."""
LINE = re.compile(r"start (\S+): first ([\d.]+) ms, .* of the last \d+ ([\d.]+) ms, longest [\d.]+ ms")


def starting() -> list[Measure]:
    """The median of each kind of window, from ``onCreate`` until it is laid out; needs a JDK and aapt2."""
    done = subprocess.run([sys.executable, str(BUILD), "time"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return read(done.stdout)


def read(printed: str) -> list[Measure]:
    """The figures of what ``build.py time`` printed.

    Raises:
        RuntimeError: There is no figure in it.
    """
    found = LINE.findall(printed)
    if not found:
        raise RuntimeError(f"no figure in: {printed}")
    return [
        Measure(
            f"start of the companion's window, {name}", float(warm), "ms", LIMIT, note=f"first {first} ms"
        )
        for name, first, warm in found
    ]
