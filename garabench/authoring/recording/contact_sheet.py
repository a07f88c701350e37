"""A page with all screens of an episode side by side, each with the step that was taken on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import jinja2
from markupsafe import Markup

from garabench.core.action import Done, GiveUp
from garabench.core.thumbnail import thumbnail, webp_url
from garabench.core.touch import touch_point, touched_element
from garabench.records.episode import Attempt
from garabench.web.templating import escaping_environment

_WIDTH, _QUALITY = 300, 80
_OWN = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class SheetScreen:
    """A screen of a contact sheet.

    Attributes:
        number: Number of the step, from 1.
        picture: The picture as a ``data:`` URL; empty if it is missing.
        step: The step that was taken on it; empty for the last screen.
        failed: Why the step failed, or empty.
        target: Left, top, width and height of the touched element in percent of the screen, or None.
    """

    number: int
    picture: str
    step: str
    failed: str
    target: tuple[float, float, float, float] | None


def sheet_screens(episode: Attempt) -> Iterator[SheetScreen]:
    """Yield the screens of an episode.

    Raises:
        InputError: Its record is broken.
    """
    actions = {each.step: each for each in episode.actions}
    screens = [*episode.observations]
    final = episode.final_observation
    last = actions.get(screens[-1].step) if screens else None
    ended = last is not None and isinstance(last.action, Done | GiveUp)
    if final is not None and not ended:  # otherwise the last screen shows it already
        screens.append(final)
    for number, screen in enumerate(screens, start=1):
        small = thumbnail(screen.open_picture(), _WIDTH, _QUALITY)
        done = actions.get(screen.step) if screen is not final else None
        step = failed = ""
        target = None
        if done is not None and done.decided is not None:
            action = done.action
            step = done.decided.thought or (action.type if action is not None else "")
            failed = "" if done.performed is None or done.performed.ok else done.performed.detail
            tree = screen.open_tree()
            point = touch_point(action)
            node = None if point is None else touched_element(tree, point)
            whole = max((root.bounds for root in tree.roots), key=lambda each: each.bottom, default=None)
            if node is not None and whole is not None and whole.right and whole.bottom:
                bounds = node.bounds
                target = (
                    100 * bounds.left / whole.right,
                    100 * bounds.top / whole.bottom,
                    100 * bounds.width / whole.right,
                    100 * bounds.height / whole.bottom,
                )
        yield SheetScreen(number, _picture(small), step, failed, target)


def _picture(small: bytes | None) -> Markup:
    """Return a picture as markup, which templates do not shorten; Base64 needs no escaping."""
    return Markup(webp_url(small) if small else "")  # noqa: S704  # see above


def contact_sheet(episode: Attempt, title: str, about: str) -> str:
    """Return the page, which is a single file without scripts.

    Args:
        episode: The episode.
        title: Its title, such as the task's id.
        about: A line about it, such as the instruction.

    Raises:
        InputError: The record is broken.
    """
    environment = escaping_environment(jinja2.FileSystemLoader([_OWN / "templates"]))
    template = environment.get_template("contact_sheet.html")
    return template.render(title=title, about=about, screens=list(sheet_screens(episode)))
