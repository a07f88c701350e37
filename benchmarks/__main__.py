"""Run the benchmarks: ``python -m benchmarks [--out FILE.json] [PART…]``; exits with 1 on a missed limit."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks import (
    authoring,
    checks,
    companion,
    comparison,
    device_time,
    diagnosed_sample,
    diagnosis,
    drift,
    graph,
    html_report,
    injection,
    iteration,
    many_episodes,
    many_phones,
    models,
    phone,
    phone_memory,
    prompts,
    proofs,
    ray_engine,
    reliability,
    report,
    rules,
    snapshots,
    steps,
    suite,
    verifier,
    viewer,
)
from garabench.core.garbage import collect_rarely


def _step() -> list[report.Measure]:
    with tempfile.TemporaryDirectory() as folder:
        return steps.measure_steps(Path(folder))


def _proofs() -> list[report.Measure]:
    with tempfile.TemporaryDirectory() as folder:
        return proofs.measure_proofs(Path(folder))


def _suite(tasks: str) -> list[report.Measure]:
    with tempfile.TemporaryDirectory() as folder:
        return suite.measure_suite_run(Path(folder), tasks)


def _faults(episodes: int) -> list[report.Measure]:
    with tempfile.TemporaryDirectory() as folder:
        return reliability.measure_faults(Path(folder) / "faults", episodes)


def _kills(kills: int) -> list[report.Measure]:
    with tempfile.TemporaryDirectory() as folder:
        return reliability.measure_kills(Path(folder) / "kills", kills)


def _many_episodes(episodes: int) -> list[report.Measure]:
    with tempfile.TemporaryDirectory() as folder:
        return many_episodes.measure_many_episodes(Path(folder) / "run", 4 * episodes)


def _whole_campaign() -> list[report.Measure]:
    with tempfile.TemporaryDirectory() as folder:
        return reliability.measure_whole_campaign(Path(folder) / "campaigns")


def _many_phones() -> list[report.Measure]:
    with tempfile.TemporaryDirectory() as folder:
        return many_phones.measure_many_phones(Path(folder))


def _ray() -> list[report.Measure]:
    with tempfile.TemporaryDirectory() as folder:
        return ray_engine.measure_ray(Path(folder))


def _models() -> list[report.Measure]:
    with tempfile.TemporaryDirectory() as folder:
        return models.measure_models(Path(folder))


def _comparison() -> list[report.Measure]:
    with tempfile.TemporaryDirectory() as folder:
        return comparison.measure_comparison(Path(folder))


def _iteration() -> list[report.Measure]:
    with tempfile.TemporaryDirectory() as folder:
        return iteration.measure_iteration(Path(folder))


def _viewer(recorded: Path | None = None) -> list[report.Measure]:
    with tempfile.TemporaryDirectory() as folder:
        return viewer.measure_viewer(Path(folder), recorded)


def _report(recorded: Path | None = None) -> list[report.Measure]:
    with tempfile.TemporaryDirectory() as folder:
        return html_report.measure_report(Path(folder), recorded)


def _drift() -> list[report.Measure]:
    with tempfile.TemporaryDirectory() as folder:
        return drift.measure_drift(Path(folder))


def _verifier() -> list[report.Measure]:
    with tempfile.TemporaryDirectory() as folder:
        return verifier.measure_verifier(Path(folder))


def _drawing() -> list[report.Measure]:
    standard = phone.measure_drawing("android-34:1080x2400", limit=120)
    return [*standard, *phone.measure_drawing("android-34:1440x3120"), phone.measure_unchanged()]


PARTS: dict[str, Callable[[], list[report.Measure]]] = {
    "step": _step,
    "injection": injection.measure_injection,
    "companion": companion.measure_start,
    "drawing": _drawing,
    "process": lambda: phone.measure_process(os.getpid()),
    "rules": rules.measure_matching,
    "check": checks.measure_checks,
    "authoring": authoring.measure_authoring,
    "prompts": prompts.measure_prompts,
    "proofs": _proofs,
    "models": _models,
    "comparison": _comparison,
    "viewer": _viewer,
    "report": _report,
}
SUITE = "suite"
LONG = (
    SUITE,
    "faults",
    "kills",
    "many-episodes",
    "health-check",
    "whole-campaign",
    "many-phones",
    "ray",
    "device-time",
    "snapshots",
    "diagnosis",
    "diagnosed-sample",
    "graph",
    "verifier",
    "phone-memory",
    "drift",
    "iteration",
)
"""Parts that take minutes; they run only when named."""
_RELIABILITY = ("faults", "kills", "many-episodes", "health-check")
GROUPS = {
    "reliability": _RELIABILITY,
    "campaigns": (*_RELIABILITY, "whole-campaign", "many-phones", "ray"),
}
"""Names for several parts."""


def main() -> int:
    """Run the parts named by the arguments."""
    collect_rarely()
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    known = (*PARTS, *LONG, *GROUPS)
    parts_help = f"one of {', '.join(known)}; default: all but {', '.join((*LONG, *GROUPS))}"
    parser.add_argument("parts", nargs="*", metavar="PART", help=parts_help)
    parser.add_argument("--tasks", default="all", help=f"task selector for the part {SUITE}")
    parser.add_argument(
        "--episodes",
        type=int,
        default=500,
        help="episodes of the part faults, and a quarter of those of many-episodes",
    )
    parser.add_argument("--kills", type=int, default=20, help="kills of the part kills")
    parser.add_argument(
        "--run", type=Path, help="measure the parts viewer and report on this run, not on a synthetic one"
    )
    parser.add_argument("--out", type=Path, help="also write the measures to this JSON file")
    parser.add_argument("--docs", action="store_true", help=f"also update the parts' tables in {report.DOCS}")
    options = parser.parse_args()
    if unknown := [part for part in options.parts if part not in known]:
        parser.error(f"unknown part {unknown[0]!r}; choose from {', '.join(known)}")
    parts: dict[str, Callable[[], list[report.Measure]]] = {
        **PARTS,
        "viewer": lambda: _viewer(options.run),
        "report": lambda: _report(options.run),
        SUITE: lambda: _suite(options.tasks),
        "faults": lambda: _faults(options.episodes),
        "kills": lambda: _kills(options.kills),
        "many-episodes": lambda: _many_episodes(options.episodes),
        "health-check": lambda: [reliability.measure_health_check()],
        "whole-campaign": _whole_campaign,
        "many-phones": _many_phones,
        "ray": _ray,
        "device-time": device_time.measure_device_time,
        "graph": graph.measure_graphs,
        "snapshots": snapshots.measure_snapshots,
        "diagnosis": diagnosis.measure_diagnosis,
        "diagnosed-sample": diagnosed_sample.measure_sample,
        "verifier": _verifier,
        "phone-memory": phone_memory.measure_phone_memory,
        "drift": _drift,
        "iteration": _iteration,
    }
    named = [part for each in options.parts or PARTS for part in GROUPS.get(each, (each,))]
    by_part = {part: parts[part]() for part in named}
    measures = [measure for measured in by_part.values() for measure in measured]
    report.table(measures)
    if options.docs:
        for part, measured in by_part.items():
            report.update_docs(part, measured)
    if options.out:
        options.out.write_text(report.as_json(measures) + "\n", encoding="utf-8")
    return 0 if all(measure.within_limit for measure in measures) else 1


if __name__ == "__main__":
    sys.exit(main())
