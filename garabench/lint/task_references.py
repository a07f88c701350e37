"""Check the tasks' references to each other."""

from __future__ import annotations

from collections.abc import Iterator

from garabench.core.suggestions import did_you_mean
from garabench.core.task import TaskFile
from garabench.errors import InputError
from garabench.suite.suite import SuiteSources


def invalid_also_meets(sources: SuiteSources) -> Iterator[InputError]:
    """Find entries of ``also_meets`` that do not name another feasible task of the same app.

    Only the goals of such tasks are evaluated at the end of a solution.
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
                yield doc.error(path, "a task always meets its own goal; name another task")
            elif other in sources.suite.infeasible:
                yield doc.error(path, f"the task {other!r} is infeasible, so its goal cannot be met")
            elif other in tasks:
                app = tasks[other][0].value(("app",))
                yield doc.error(path, f"the task {other!r} is for {app}, this one for {own}")
            elif TaskFile not in sources.files.unreadable:
                yield doc.error(path, f"unknown task {other!r}", hint=did_you_mean(other, others))
