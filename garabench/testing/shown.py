"""What a client shows of a screen, drawn and told once more, to find the screen by it."""

from __future__ import annotations

from PIL import Image

from garabench.agents.dialects.coordinates import View
from garabench.agents.modes.compact import tell
from garabench.agents.modes.elements import Element, elements_of
from garabench.agents.modes.marks import MOST_MARKS, Mark, draw
from garabench.agents.profile import AgentProfile, Input
from garabench.core.geometry import Size
from garabench.core.tree import TreeError
from garabench.testing.screens import Redraw, Screen


def elements(screen: Screen, profile: AgentProfile) -> tuple[Element, ...]:
    """The elements that an agent is told of or that bear numbers; none where it is shown the bare picture."""
    if profile.input is Input.SCREENSHOT:
        return ()
    try:
        found = elements_of(screen.tree, screen.size)
    except TreeError:
        return ()
    return found[:MOST_MARKS] if profile.input is Input.MARKS else found


def view_of(screen: Screen, profile: AgentProfile, image: Size | None) -> View:
    """What the places in a reply refer to.

    Args:
        screen: What was shown.
        profile: Of the agent.
        image: The size to which the picture that arrived decodes; None where none did.
    """
    numbered = profile.spoken().numbers_from is not None
    rects = tuple(one.rect for one in elements(screen, profile)) if numbered else ()
    return View(screen.size, image or screen.size, rects)


def rows_of(screen: Screen, profile: AgentProfile) -> tuple[str, ...]:
    """The rows in which an agent is told of a screen."""
    view = view_of(screen, profile, None)
    told = tell(elements(screen, profile), view, profile.spoken(), profile.tree.tokens)
    return tuple(told.text.splitlines())


def redrawing(profile: AgentProfile) -> Redraw | None:
    """Draws the numbered boxes of an agent that is shown them; None for others."""
    if profile.input is not Input.MARKS:
        return None
    first = profile.spoken().numbers_from or 0

    def redraw(screen: Screen, image: Image.Image) -> Image.Image:
        found = elements(screen, profile)
        marks = [Mark(number, one.rect) for number, one in enumerate(found, start=first)]
        return draw(image, marks, screen.size)

    return redraw
