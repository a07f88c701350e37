"""The command that repeats a run."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence

from garabench.core.seeds import generator
from garabench.errors import InputError
from garabench.records.device_environment import DeviceKind
from garabench.records.plan import Plan
from garabench.records.reader import Run
from garabench.suite.files import SuiteFiles, default_root
from garabench.suite.suite import Suite
from garabench.web.display_text import display_text

SERIAL, SUITE = "SERIAL", "SUITE"
"""What the reader has to fill in: a real device, and the folder of a suite that is not the built-in one."""
_FEW_TASKS = 3
"""So many tasks are named rather than selected by their app or tag."""


def reproduction_command(run: Run, clean: Callable[[str], str] = str) -> str:
    """Return the command that repeats a run.

    Each text that others wrote is shortened if it is far too long; the command as a whole never is.

    Args:
        run: The run.
        clean: Applied to every agent, for redaction.
    """
    plan = run.plan
    suite = _suite(run)
    words = ["garabench", "run", "--device", "virtual" if run.kind is DeviceKind.VIRTUAL else SERIAL]
    words += ["--suite", SUITE if suite is None else "builtin", *_selection(plan, suite)]
    for agent in plan.agents:
        words += ["--agents", display_text(clean(agent))]
    words += ["--conditions", ",".join(map(display_text, plan.conditions))]
    words += ["--seeds", str(plan.seeds), "--seed", str(plan.seed)]
    if plan.interruptions is not None:
        words += ["--interruptions", str(plan.interruptions)]
    words += ["--end", plan.end.value, "--retries", str(plan.retries)]
    words += ["--decision-seconds", repr(plan.decision_seconds), "--start-seconds", repr(plan.start_seconds)]
    return shlex.join([*words, "--out", "runs/repeated"])


def _suite(run: Run) -> Suite | None:
    """Return the built-in suite if the run used just this version of it."""
    try:
        same = SuiteFiles(default_root()).read() == run.file.suite_hash
        return Suite.load(default_root()) if same else None
    except InputError:  # a broken installation; the run can be reported all the same
        return None


def _selection(plan: Plan, suite: Suite | None) -> list[str]:
    """Return the options that select the tasks of a plan, in its order."""
    listed = ",".join(map(display_text, plan.tasks))
    shuffled = ["--shuffle"] if plan.shuffle else []
    if suite is None:
        return ["--tasks", listed, *shuffled]
    few = len(plan.tasks) <= _FEW_TASKS
    selectors = [listed, *_selectors(suite)] if few else [*_selectors(suite), listed]
    for limit in ([], ["--limit", str(len(plan.tasks))]):
        for selector in selectors:
            if _tasks(plan, suite, selector, limited=bool(limit)) == plan.tasks:
                return ["--tasks", selector, *shuffled, *limit]
    return ["--tasks", listed, *shuffled]


def _selectors(suite: Suite) -> Iterator[str]:
    """Yield what selects many tasks at once: all, the apps, the tags."""
    yield "all"
    items = suite.every_task.values()
    yield from dict.fromkeys(item.group for item in items)
    yield from dict.fromkeys(tag for item in items for tag in item.task.tags)


def _tasks(plan: Plan, suite: Suite, selector: str, *, limited: bool) -> Sequence[str]:
    """Return the tasks that a run with a selector and the plan's other options would perform."""
    try:
        names = [item.task.id for item in suite.select(selector)]
    except InputError:  # tasks that the suite does not have
        return ()
    if plan.shuffle:
        generator(plan.seed, "plan", "shuffle").shuffle(names)
    return tuple(names[: len(plan.tasks)] if limited else names)
