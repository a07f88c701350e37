"""Measure everything: ``python -m benchmarks [--out FILE.json] [PART…]``; status 1 when a limit is missed."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks import phone, proofs, report, rules, steps


def _step() -> list[report.Measure]:
    with tempfile.TemporaryDirectory() as folder:
        return steps.stepping(Path(folder))


def _proofs() -> list[report.Measure]:
    with tempfile.TemporaryDirectory() as folder:
        return proofs.proving(Path(folder))


def _drawing() -> list[report.Measure]:
    usual = phone.drawing("android-34:1080x2400", limit=120)
    return [*usual, *phone.drawing("android-34:1440x3120"), phone.unchanged()]


PARTS: dict[str, Callable[[], list[report.Measure]]] = {
    "step": _step,
    "drawing": _drawing,
    "process": lambda: phone.process(os.getpid()),
    "rules": rules.matching,
    "proofs": _proofs,
}


def main() -> int:
    """Measure what the arguments name."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of: {', '.join(PARTS)}; all unless given")
    parser.add_argument("--out", type=Path, help="write the figures there as JSON, too")
    options = parser.parse_args()
    if unknown := [part for part in options.parts if part not in PARTS]:
        parser.error(f"no part is called {unknown[0]!r}; there are {', '.join(PARTS)}")
    measures = [measure for part in options.parts or PARTS for measure in PARTS[part]()]
    report.table(measures)
    if options.out:
        options.out.write_text(report.as_json(measures) + "\n", encoding="utf-8")
    return 0 if all(measure.kept for measure in measures) else 1


if __name__ == "__main__":
    sys.exit(main())
