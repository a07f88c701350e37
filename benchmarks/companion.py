"""Main-thread time of the companion app before its first frame, on this computer's JVM."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from benchmarks.report import Measure

BUILD = Path(__file__).resolve().parents[1] / "interruption_apk" / "build.py"
LIMIT = 30.0
"""Milliseconds of processor time for warmed-up code."""
LINE = re.compile(r"start (\S+): first ([\d.]+) ms, .* of the last \d+ ([\d.]+) ms, longest [\d.]+ ms")


def measure_start() -> list[Measure]:
    """Measure the median of each kind of window from ``onCreate`` to its layout; needs a JDK and aapt2."""
    done = subprocess.run([sys.executable, str(BUILD), "time"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return parse_measures(done.stdout)


def parse_measures(output: str) -> list[Measure]:
    """Parse the output of ``build.py time``.

    Raises:
        RuntimeError: The output contains no measures.
    """
    found = LINE.findall(output)
    if not found:
        raise RuntimeError(f"no measures in: {output}")
    return [
        Measure(
            f"start of the companion app's window, {name}", float(warm), "ms", LIMIT, note=f"first {first} ms"
        )
        for name, first, warm in found
    ]
