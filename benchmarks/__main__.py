"""Measure everything: ``python -m benchmarks [--out FILE.json] [PART…]``; status 1 when a limit is missed."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks import (
    checks,
    companion,
    injection,
    models,
    phone,
    prompts,
    proofs,
    report,
    rules,
    steps,
    suite,
)


def _step() -> list[report.Measure]:
    with tempfile.TemporaryDirectory() as folder:
        return steps.stepping(Path(folder))


def _proofs() -> list[report.Measure]:
    with tempfile.TemporaryDirectory() as folder:
        return proofs.proving(Path(folder))


def _suite(tasks: str) -> list[report.Measure]:
    with tempfile.TemporaryDirectory() as folder:
        return suite.running(Path(folder), tasks)


def _models() -> list[report.Measure]:
    with tempfile.TemporaryDirectory() as folder:
        return models.asking(Path(folder))


def _drawing() -> list[report.Measure]:
    usual = phone.drawing("android-34:1080x2400", limit=120)
    return [*usual, *phone.drawing("android-34:1440x3120"), phone.unchanged()]


PARTS: dict[str, Callable[[], list[report.Measure]]] = {
    "step": _step,
    "injection": injection.injecting,
    "companion": companion.starting,
    "drawing": _drawing,
    "process": lambda: phone.process(os.getpid()),
    "rules": rules.matching,
    "check": checks.checking,
    "prompts": prompts.prompting,
    "proofs": _proofs,
    "models": _models,
}
LONG = "suite"
"""A part that takes minutes: measured when it is named."""


def main() -> int:
    """Measure what the arguments name."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    known = (*PARTS, LONG)
    told = f"of: {', '.join(known)}; all but {LONG} unless given"
    parser.add_argument("parts", nargs="*", metavar="PART", help=told)
    parser.add_argument("--tasks", default="all", help=f"which tasks the part {LONG} runs: a selector")
    parser.add_argument("--out", type=Path, help="write the figures there as JSON, too")
    options = parser.parse_args()
    if unknown := [part for part in options.parts if part not in known]:
        parser.error(f"no part is called {unknown[0]!r}; there are {', '.join(known)}")
    parts: dict[str, Callable[[], list[report.Measure]]] = {**PARTS, LONG: lambda: _suite(options.tasks)}
    measures = [measure for part in options.parts or PARTS for measure in parts[part]()]
    report.table(measures)
    if options.out:
        options.out.write_text(report.as_json(measures) + "\n", encoding="utf-8")
    return 0 if all(measure.kept for measure in measures) else 1


if __name__ == "__main__":
    sys.exit(main())
