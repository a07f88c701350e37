"""Find what an author has not finished: tasks without a solution, texts that are to be filled in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from garabench.core.yamldoc import Path as DocPath
from garabench.errors import InputError
from garabench.suite.suite import SuiteSources

PLACEHOLDER_TEXT = "FILL IN"
"""How a text begins that templates leave to the author."""


def missing_solutions(sources: SuiteSources) -> Iterator[InputError]:
    """Find feasible tasks without a solution."""
    for name, item in sources.own.tasks.items():
        if not item.task.solution:
            doc, at = sources.places["task", name]
            yield doc.error(
                (*at, "id"),
                f"the task {name!r} has no solution, so it cannot be proven",
                hint=f"Record it: garabench tasks record {name}{sources.suite.command_option}",
            )


def placeholder_texts(sources: SuiteSources) -> Iterator[InputError]:
    """Find texts that still begin with the placeholder of a template."""
    for contents in sources.files.loaded.values():
        for content in contents:
            for at, text in _texts((), content.doc.data):
                if text.startswith(PLACEHOLDER_TEXT):
                    yield content.doc.error(at, f"the text {text[:60]!r} is still to be filled in")


def _texts(at: DocPath, value: Any) -> Iterator[tuple[DocPath, str]]:
    if isinstance(value, str):
        yield at, value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from _texts((*at, key), each)
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _texts((*at, number), each)
