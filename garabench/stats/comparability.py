"""Decide whether runs are comparable, so that their figures mean the same.

Some differences make figures meaningless together: such runs are never compared. Others make them doubtful:
they are warnings, or refused on request.
"""

from __future__ import annotations

import enum
import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from garabench.records.reader import Run


class Difference(enum.StrEnum):
    """A difference that makes two runs incomparable."""

    DEVICE_KIND = "device-kind"
    STRESS_LEVEL = "stress-level"
    END = "end"
    SAME_EPISODE = "same-episode"
    SUITE = "suite"
    VERSION = "garabench-version"
    TIME_LIMITS = "time-limits"
    STEP_LIMITS = "step-limits"
    DEVICE = "device"
    RULES = "rules"
    APP_FILES = "app-files"
    MODEL = "model"

    @property
    def refused(self) -> bool:
        """Whether runs that differ in this are never compared, since one number would mix two meanings."""
        return self in (
            Difference.DEVICE_KIND,
            Difference.STRESS_LEVEL,
            Difference.END,
            Difference.SAME_EPISODE,
        )


@dataclass(frozen=True, slots=True)
class Incomparable:
    """The reason why runs are not comparable.

    Attributes:
        difference: The difference.
        message: The reason in words, with the runs.
        hint: What to do.
    """

    difference: Difference
    message: str
    hint: str


def incomparable_reasons(runs: Sequence[Run]) -> tuple[Incomparable, ...]:
    """Return the reasons why runs are not comparable; empty if they are.

    Each run is compared with all earlier ones; a difference is stated against the first that differs. An
    episode that two runs have with the same seed would be counted twice. What an older run did not record is
    not compared.

    Raises:
        InputError: A run's results are broken.
    """
    found: list[Incomparable] = []
    for place, other in enumerate(runs):
        for check in _CHECKS:
            reasons = (reason for earlier in runs[:place] if (reason := check(earlier, other)) is not None)
            found += itertools.islice(reasons, 1)
    return (*found, *_duplicates(runs))


def _device_kind(first: Run, other: Run) -> Incomparable | None:
    if first.kind is other.kind:
        return None
    return Incomparable(
        Difference.DEVICE_KIND,
        f"{first.folder} ran on a {first.kind} device and {other.folder} on a {other.kind} one: "
        "results of the two are never compared",
        "Compare runs of one kind of device.",
    )


def _suite(first: Run, other: Run) -> Incomparable | None:
    one, two = first.file.suite_hash, other.file.suite_hash
    if one == two:
        return None
    return Incomparable(
        Difference.SUITE,
        f"{first.folder} and {other.folder} are of different suites ({one[:12]} and {two[:12]})",
        "Compare runs of the same version of the suite's files.",
    )


def _version(first: Run, other: Run) -> Incomparable | None:
    one, two = first.file.garabench, other.file.garabench
    if one == two:
        return None
    return Incomparable(
        Difference.VERSION,
        f"{first.folder} was made with GaraBench {one} and {other.folder} with {two}",
        "Repeat one of the runs with the version of the other.",
    )


def _stress_level(first: Run, other: Run) -> Incomparable | None:
    if first.plan.interruptions == other.plan.interruptions:
        return None
    return Incomparable(
        Difference.STRESS_LEVEL,
        f"{first.folder} has {_level(first)} and {other.folder} {_level(other)}: "
        "figures of different stress levels are never mixed",
        "Compare runs of one level, each level by itself.",
    )


def _level(run: Run) -> str:
    wanted = run.plan.interruptions
    return "as many interruptions as the rules say" if wanted is None else f"--interruptions {wanted}"


def _end(first: Run, other: Run) -> Incomparable | None:
    if first.plan.end is other.plan.end:
        return None
    return Incomparable(
        Difference.END,
        f"the episodes of {first.folder} ended with --end {first.plan.end} and those of {other.folder} with "
        f"--end {other.plan.end}: their success rates mean different things",
        "Compare runs with the same --end.",
    )


def _time_limits(first: Run, other: Run) -> Incomparable | None:
    for name in ("seconds", "decision_seconds", "start_seconds"):
        one, two = getattr(first.plan, name), getattr(other.plan, name)
        if one != two:
            return Incomparable(
                Difference.TIME_LIMITS,
                f"{first.folder} and {other.folder} have different time limits: {name} {one:g} and {two:g}",
                "Repeat one of the runs with the limits of the other.",
            )
    return None


def _step_limits(first: Run, other: Run) -> Incomparable | None:
    limits = {item.task: item.step_limit for item in first.summaries if item.step_limit is not None}
    found = {
        item.task: item.step_limit
        for item in other.summaries
        if item.step_limit is not None and limits.get(item.task, item.step_limit) != item.step_limit
    }
    if not found:
        return None
    task, limit = next(iter(found.items()))
    return Incomparable(
        Difference.STEP_LIMITS,
        f"{first.folder} and {other.folder} have different step limits for {len(found)} of their tasks, "
        f"such as {task}: {limits[task]} and {limit}",
        "Repeat one of the runs with the suite of the other.",
    )


def _device(first: Run, other: Run) -> Incomparable | None:
    for name in ("model", "release", "sdk", "size", "density", "language", "companion"):
        one, two = getattr(first.environment, name), getattr(other.environment, name)
        if one is not None and two is not None and one != two:
            return Incomparable(
                Difference.DEVICE,
                f"{first.folder} and {other.folder} ran on different devices: {name} {one or 'built in'} and "
                f"{two or 'built in'}",
                "Repeat one of the runs on the device of the other.",
            )
    return None


def _rules(first: Run, other: Run) -> Incomparable | None:
    one, two = first.environment.left_out, other.environment.left_out
    if one is None or two is None or one.keys() == two.keys():
        return None
    rules = ", ".join(sorted(one.keys() ^ two.keys()))
    return Incomparable(
        Difference.RULES,
        f"{first.folder} and {other.folder} left out different rules: {rules}",
        "Repeat one of the runs on the device of the other.",
    )


def _app_files(first: Run, other: Run) -> Incomparable | None:
    one, two = first.environment.app_files, other.environment.app_files
    if one is None or two is None or one == two:
        return None
    return Incomparable(
        Difference.APP_FILES,
        f"{first.folder} and {other.folder} ran with different app files "
        f"({one[:12] or 'none'} and {two[:12] or 'none'})",
        "Repeat one of the runs with the apps of the other: those of its suite and of --app.",
    )


def _model(first: Run, other: Run) -> Incomparable | None:
    for agent in first.agents:
        same = other.file.agent(agent.name)
        if same is not None and (same.kind, same.profile, same.text) != (
            agent.kind,
            agent.profile,
            agent.text,
        ):
            return Incomparable(
                Difference.MODEL,
                f"{agent.name} is {agent.text} in {first.folder} and {same.text} in {other.folder}",
                "Give different agents different names: --agents NAME=AGENT.",
            )
    return None


_CHECKS: tuple[Callable[[Run, Run], Incomparable | None], ...] = (
    _device_kind,
    _suite,
    _version,
    _stress_level,
    _end,
    _time_limits,
    _step_limits,
    _device,
    _rules,
    _app_files,
    _model,
)


def _duplicates(runs: Iterable[Run]) -> Iterator[Incomparable]:
    counts = Counter(summary.key for run in runs for summary in run.summaries)
    for key, count in counts.items():
        if count > 1:
            yield Incomparable(
                Difference.SAME_EPISODE,
                f"{key.agent} on {key.task}, {key.condition}, is in more than one of these runs with the "
                "same seed",
                "Name the runs to compare them (NAME=RUN), or repeat one with another --seed.",
            )
