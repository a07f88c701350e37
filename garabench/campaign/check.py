"""Check a suite's files, without a device: everything that is wrong with them, at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from garabench.campaign.app_texts import ShownTexts
from garabench.campaign.check_instructions import languages, twice
from garabench.campaign.check_own import own_requirements
from garabench.campaign.check_packages import packages
from garabench.campaign.check_repeats import repeats
from garabench.campaign.check_schedules import never_due
from garabench.campaign.check_selectors import bare_classes
from garabench.campaign.check_shown import never_shown
from garabench.campaign.check_sought import never_found
from garabench.campaign.check_tasks import also_met
from garabench.campaign.check_unused import unused
from garabench.campaign.suite import Sources, Suite, read_sources
from garabench.core.interruption import Interruption
from garabench.core.steps import ShowStep
from garabench.core.yamldoc import Path as DocPath
from garabench.errors import InputError, InputErrors


def check_suite(root: Path | None = None) -> Suite:
    """Check a suite.

    Args:
        root: Its folder; the suite that comes with GaraBench unless given.

    Returns:
        The suite, when nothing is wrong with it.

    Raises:
        InputErrors: Everything that is wrong with its files.
        InputError: There is no suite.
    """
    sources = read_sources(root)
    errors = [
        *sources.errors,
        *languages(sources),
        *twice(sources),
        *also_met(sources),
        *repeats(sources),
        *own_requirements(sources),
        *_shown_nowhere(sources),
        *packages(sources),
        *bare_classes(sources),
        *never_due(sources),
        *_circles(sources),
        *unused(sources),
    ]
    if errors:
        raise InputErrors(tuple(errors))
    return sources.suite


def _shown_nowhere(sources: Sources) -> Iterator[InputError]:
    """What is looked for and is on no screen; or what is wrong with the files that tell what is."""
    try:
        shown = ShownTexts.load(sources.suite.root)
    except InputErrors as error:
        yield from error.errors
    else:
        yield from never_shown(sources, shown)
        yield from never_found(sources, shown)


def _circles(sources: Sources) -> Iterator[InputError]:
    """Interruptions whose buttons lead back to them."""
    library = sources.suite.interruptions
    told: set[str] = set()
    for name, interruption in library.items():
        for path, shown in _shown(interruption):
            if name not in told and name in (circle := _led_to(shown, library)):
                told |= circle
                message = f"the interruption {name!r} leads back to itself, by {shown!r}"
                doc, at = sources.places["interruption", name]
                yield doc.error((*at, *path), message)


def _shown(interruption: Interruption) -> Iterator[tuple[DocPath, str]]:
    for number, button in enumerate(interruption.buttons):
        for at, step in enumerate(button.follow_up):
            if isinstance(step, ShowStep):
                yield ("buttons", number, "follow_up", at, "show"), step.show


def _led_to(name: str, library: dict[str, Interruption]) -> set[str]:
    """An interruption and all to which its buttons lead."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        name = waiting.pop()
        if name in library and name not in found:
            found.add(name)
            waiting.extend(shown for _, shown in _shown(library[name]))
    return found
