"""Check what tasks say of each other."""

from __future__ import annotations

from collections.abc import Iterator

from garabench.campaign.suite import Sources
from garabench.core.names import did_you_mean
from garabench.core.task import TaskFile
from garabench.errors import InputError


def also_met(sources: Sources) -> Iterator[InputError]:
    """Names below ``also_meets`` that are of no other task of the app that can be done.

    The goals of these alone are asked at the end of a task's solution: any other name says nothing.
    """
    tasks = {name: place for (kind, name), place in sources.places.items() if kind == "task"}
    for name, (doc, at) in tasks.items():
        listed = doc.value((*at, "also_meets"))
        own = doc.value(("app",))
        others = {other for other, (where, _) in tasks.items() if where.value(("app",)) == own} - {name}
        others -= sources.suite.infeasible.keys()
        for number, other in enumerate(listed if isinstance(listed, list) else ()):
            if not isinstance(other, str) or other in others:
                continue
            path = (*at, "also_meets", number)
            if other == name:
                yield doc.error(path, "a task's own goal is met at its end anyway: name another task")
            elif other in sources.suite.infeasible:
                yield doc.error(path, f"the task {other!r} cannot be done: it has no end to be met")
            elif other in tasks:
                app = tasks[other][0].value(("app",))
                yield doc.error(path, f"the task {other!r} is for {app}, this one for {own}")
            elif TaskFile not in sources.files.unreadable:
                yield doc.error(path, f"no task is called {other!r}", hint=did_you_mean(other, others))
