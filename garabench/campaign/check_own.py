"""Check what GaraBench asks of its own suite alone; a suite of others may do without."""

from __future__ import annotations

from collections.abc import Iterator

from garabench.campaign.suite import Sources, SuiteTask
from garabench.campaign.suite_files import default_root
from garabench.core.task import MissKind
from garabench.errors import InputError
from garabench.interruptions.system.catalogue import ANOMALIES

LEAST = 2
"""How many categories of interruptions and kinds of near misses a task has at least."""

_ELSEWHERE = {MissKind.WRONG_OBJECT, MissKind.WRONG_PLACE}


def own_requirements(sources: Sources) -> Iterator[InputError]:
    """Tasks of the suite that comes with GaraBench that have too few rules or near misses.

    A task has rules of two categories or more, and near misses of two kinds or more, one of which does the
    right thing to another object or in another place. Tasks that cannot be done have mistakes of their own.
    """
    if sources.suite.root.resolve() != default_root().resolve():
        return
    for name, item in sources.suite.tasks.items():
        doc, at = sources.places["task", name]
        kinds = {miss.kind for miss in item.task.near_misses if miss.kind is not None}
        if len(_categories(sources, item)) < LEAST:
            yield doc.error(
                (*at, "rules") if item.task.rules else at, "a task has rules of two categories or more"
            )
        if len(kinds) < LEAST:
            place = (*at, "near_misses") if item.task.near_misses else at
            yield doc.error(place, "a task has near misses of two kinds or more")
        elif not kinds & _ELSEWHERE:
            yield doc.error((*at, "near_misses"), "no near miss is of another object or another place")


def _categories(sources: Sources, item: SuiteTask) -> set[str]:
    """The categories of what the rules of a task inject."""
    windows, anomalies = sources.suite.interruptions, sources.suite.anomalies
    names = {name for bound in sources.suite.rules_of(item) for name in bound.rule.inject}
    kinds = {windows[name].category for name in names if name in windows}
    kinds |= {ANOMALIES[anomalies[name].system].category for name in names if name in anomalies}
    return {kind.value for kind in kinds}
