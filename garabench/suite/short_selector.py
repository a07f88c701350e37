"""A short selector of some of the tasks of a plan, for a command that a user can paste."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from garabench.suite.suite import Suite, SuiteTask


def short_selector(suite: Suite, planned: Sequence[SuiteTask], chosen: Sequence[SuiteTask]) -> str:
    """Return the shortest selector of exactly the chosen tasks; see `Suite.select`.

    Args:
        suite: The suite.
        planned: Tasks of the suite that a user has selected. The selector begins with ``all`` or a tag if
            that selects exactly these, or else with the apps of which all tasks are planned.
        chosen: Those of them to select; not empty.

    Returns:
        For example ``jd,bilibili,-jd-order-two-books``, or a list of ids.
    """
    wanted = {item.task.id for item in chosen}
    found = [
        selector
        for base in _bases(suite, planned, chosen)
        if _ids(suite, selector := _without(suite, base, chosen)) == wanted
    ]
    return min((*found, ",".join(item.task.id for item in chosen)), key=len)


def _bases(suite: Suite, planned: Sequence[SuiteTask], chosen: Sequence[SuiteTask]) -> Iterator[str]:
    """Yield selectors of all chosen tasks and of none outside the plan: of the whole plan, and by app."""
    every = {item.task.id for item in planned}
    tags = sorted({tag for item in chosen if item.task.infeasible is None for tag in item.task.tags})
    yield from (name for name in (*(["all"] if suite.tasks else []), *tags) if _ids(suite, name) == every)
    groups = dict.fromkeys(item.group for item in chosen)
    whole = {group for group in groups if _ids(suite, group) <= every}
    parts = dict.fromkeys(item.group if item.group in whole else item.task.id for item in chosen)
    yield ",".join(parts)


def _without(suite: Suite, base: str, chosen: Sequence[SuiteTask]) -> str:
    """Return a selector that leaves out of another one what is not chosen: whole apps, then tasks."""
    groups, wanted = {item.group for item in chosen}, {item.task.id for item in chosen}
    rest = [item for item in suite.select(base) if item.task.id not in wanted]
    names = dict.fromkeys(item.task.id if item.group in groups else item.group for item in rest)
    return ",".join((base, *(f"-{name}" for name in names)))


def _ids(suite: Suite, selector: str) -> set[str]:
    return {item.task.id for item in suite.select(selector)}
