"""Check the files of a suite without a device and report all mistakes at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from garabench.core.interruption import Interruption
from garabench.core.steps import ShowStep
from garabench.core.yamldoc import Path as DocPath
from garabench.errors import CombinedInputError, InputError
from garabench.lint.bundled import bundled_suite_requirements
from garabench.lint.duplicates import duplicates
from garabench.lint.instructions import duplicate_instructions, language_errors
from garabench.lint.keywords import unknown_keywords
from garabench.lint.packages import foreign_packages
from garabench.lint.schedules import unreachable_schedules
from garabench.lint.screen_texts import ScreenTexts
from garabench.lint.selectors import unselective_selectors
from garabench.lint.targets import unknown_targets
from garabench.lint.task_references import invalid_also_meets
from garabench.lint.unused import unused
from garabench.suite.suite import Suite, SuiteSources, read_sources


def check_suite(root: Path | str | Suite | None = None) -> Suite:
    """Check a suite.

    Args:
        root: Its folder, or the suite loaded from it; default: the bundled suite.

    Returns:
        The suite, read again from its files, if it has no mistakes.

    Raises:
        CombinedInputError: All mistakes in its files.
        InputError: The folder is not a suite.
    """
    folder = root.root if isinstance(root, Suite) else root
    sources = read_sources(None if folder is None else Path(folder))
    errors = [
        *sources.errors,
        *language_errors(sources),
        *duplicate_instructions(sources),
        *invalid_also_meets(sources),
        *duplicates(sources),
        *bundled_suite_requirements(sources),
        *_unknown_texts(sources),
        *foreign_packages(sources),
        *unselective_selectors(sources),
        *unreachable_schedules(sources),
        *_cycles(sources),
        *unused(sources),
    ]
    if errors:
        raise CombinedInputError(tuple(errors))
    return sources.suite


def _unknown_texts(sources: SuiteSources) -> Iterator[InputError]:
    """Find search terms that are on no screen, or report the mistakes in the files of screen texts."""
    try:
        shown = ScreenTexts.load(sources.suite.root)
    except CombinedInputError as error:
        yield from error.errors
    else:
        yield from unknown_keywords(sources, shown)
        yield from unknown_targets(sources, shown)


def _cycles(sources: SuiteSources) -> Iterator[InputError]:
    """Find interruptions whose buttons lead back to them."""
    library = sources.suite.interruptions
    reported: set[str] = set()
    for name, interruption in library.items():
        for path, shown in _chained_interruptions(interruption):
            if name not in reported and name in (cycle := _reachable(shown, library)):
                reported |= cycle
                message = f"the interruption {name!r} leads back to itself through {shown!r}"
                doc, at = sources.places["interruption", name]
                yield doc.error((*at, *path), message)


def _chained_interruptions(interruption: Interruption) -> Iterator[tuple[DocPath, str]]:
    for number, button in enumerate(interruption.buttons):
        for at, step in enumerate(button.follow_up):
            if isinstance(step, ShowStep):
                yield ("buttons", number, "follow_up", at, "show"), step.show


def _reachable(name: str, library: dict[str, Interruption]) -> set[str]:
    """Return an interruption and all that are reachable through its buttons."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        name = waiting.pop()
        if name in library and name not in found:
            found.add(name)
            waiting.extend(shown for _, shown in _chained_interruptions(library[name]))
    return found
