"""Compute what a client would send for a known screen or action, to compare with what it sent.

The fake server recognizes a screen by its redrawn marks or its element rows, and a step in a prompt's
history by the line that a client writes for it.
"""

from __future__ import annotations

from PIL import Image

from garabench.agents.dialects.coordinates import ScreenView
from garabench.agents.dialects.dialect import Dialect
from garabench.agents.dialects.reply import ParsedReply
from garabench.agents.profile import AgentProfile, ModelInput
from garabench.agents.prompting.element_list import describe_elements
from garabench.agents.prompting.elements import ScreenElement, elements_of
from garabench.agents.prompting.history import describe_action, without_thought
from garabench.agents.prompting.set_of_marks import MAX_MARKS, ElementMark, draw_marks
from garabench.core.action import Action
from garabench.core.geometry import Size
from garabench.core.tree import TreeError
from garabench.testing.screen_index import KnownScreen, Redraw


def prompted_elements(screen: KnownScreen, profile: AgentProfile) -> tuple[ScreenElement, ...]:
    """Return the elements that an agent's prompt lists or numbers; none if it gets the bare screenshot."""
    if profile.input is ModelInput.SCREENSHOT:
        return ()
    try:
        found = elements_of(screen.tree, screen.size)
    except TreeError:
        return ()
    return found[:MAX_MARKS] if profile.input is ModelInput.MARKS else found


def view_of(screen: KnownScreen, profile: AgentProfile, image: Size | None) -> ScreenView:
    """Return the view to which the coordinates and numbers in a reply refer.

    Args:
        screen: The screen in the prompt.
        profile: The agent's profile.
        image: Size of the decoded image in the request; None if there is no image.
    """
    numbered = profile.tuned_dialect().numbers_from is not None
    rects = tuple(one.rect for one in prompted_elements(screen, profile)) if numbered else ()
    return ScreenView(screen.size, image or screen.size, rects)


def rows_of(screen: KnownScreen, profile: AgentProfile) -> tuple[str, ...]:
    """Return the rows by which an agent's prompt describes a screen."""
    view = view_of(screen, profile, None)
    described = describe_elements(
        prompted_elements(screen, profile), view, profile.tuned_dialect(), profile.tree.tokens
    )
    return tuple(described.text.splitlines())


def marks_redrawer(profile: AgentProfile) -> Redraw | None:
    """Return a function that draws the numbered boxes; None if the agent does not use set-of-marks."""
    if profile.input is not ModelInput.MARKS:
        return None
    first = profile.tuned_dialect().numbers_from or 0

    def redraw(screen: KnownScreen, image: Image.Image) -> Image.Image:
        found = prompted_elements(screen, profile)
        marks = [ElementMark(number, one.rect) for number, one in enumerate(found, start=first)]
        return draw_marks(image, marks, screen.size)

    return redraw


def expected_history_line(action: Action, dialect: Dialect, view: ScreenView) -> str:
    """Return the history line by which a client describes an action.

    Args:
        action: The model's action.
        dialect: The dialect in which it is written.
        view: The view to which its coordinates refer.
    """
    written = dialect.render(action, view)
    if written is None:
        return describe_action(action)
    read = dialect.parse(written, view)
    if not isinstance(read, ParsedReply):
        return without_thought(written)
    rendered = dialect.render(read.action, view)
    return describe_action(read.action) if rendered is None else without_thought(rendered)
