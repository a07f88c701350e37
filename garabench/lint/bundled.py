"""Check requirements that apply only to the bundled suite."""

from __future__ import annotations

from collections.abc import Iterator

from garabench.core.anomalies.catalog import ANOMALIES
from garabench.core.task import NearMissKind
from garabench.errors import InputError
from garabench.suite.files import default_root
from garabench.suite.suite import SuiteSources, SuiteTask

MIN_KINDS = 2
"""Minimum number of interruption categories and of near-miss kinds of a task."""

_ELSEWHERE = {NearMissKind.WRONG_OBJECT, NearMissKind.WRONG_PLACE}


def bundled_suite_requirements(sources: SuiteSources) -> Iterator[InputError]:
    """Find tasks of the bundled suite with too few rules or near misses.

    A task needs rules of at least two categories and near misses of at least two kinds, one of which does the
    right thing to another object or in another place. Infeasible tasks have other requirements.
    """
    if sources.suite.root.resolve() != default_root().resolve():
        return
    for name, item in sources.suite.tasks.items():
        doc, at = sources.places["task", name]
        if not item.task.solution:
            yield doc.error(at, "a task needs a solution")
        kinds = {miss.kind for miss in item.task.near_misses if miss.kind is not None}
        if len(_categories(sources, item)) < MIN_KINDS:
            yield doc.error(
                (*at, "rules") if item.task.rules else at, "a task needs rules of at least two categories"
            )
        if len(kinds) < MIN_KINDS:
            place = (*at, "near_misses") if item.task.near_misses else at
            yield doc.error(place, "a task needs near misses of at least two kinds")
        elif not kinds & _ELSEWHERE:
            yield doc.error(
                (*at, "near_misses"), "a task needs a near miss of kind wrong-object or wrong-place"
            )


def _categories(sources: SuiteSources, item: SuiteTask) -> set[str]:
    """Return the categories of the interruptions that a task's rules inject."""
    windows, anomalies = sources.suite.interruptions, sources.suite.anomalies
    names = {name for bound in sources.suite.rules_of(item) for name in bound.rule.inject}
    kinds = {windows[name].category for name in names if name in windows}
    kinds |= {ANOMALIES[anomalies[name].system].category for name in names if name in anomalies}
    return {kind.value for kind in kinds}
