"""What the common verbs mean, for the dialects to name."""

from __future__ import annotations

from pydantic import ValidationError

from garabench.agents.dialects.arguments import Arguments, opposite
from garabench.agents.dialects.reply import Flaw, Malformed, shown
from garabench.core import action as act
from garabench.core.action import Action, Direction
from garabench.core.geometry import Point

_KEYS: dict[str, Action] = {
    "back": act.Back(),
    "home": act.Home(),
    "recents": act.Recents(),
    "recent": act.Recents(),
    "app_switch": act.Recents(),
    "appselect": act.Recents(),
    "enter": act.Key(name="enter"),
    "return": act.Key(name="enter"),
    "menu": act.Key(name="menu"),
    "backspace": act.Key(name="delete"),
    "delete": act.Key(name="delete"),
    "del": act.Key(name="delete"),
    "tab": act.Key(name="tab"),
    "space": act.Key(name="space"),
    "escape": act.Back(),
    "esc": act.Back(),
    "search": act.Key(name="search"),
    "volume_up": act.Key(name="volume_up"),
    "volume_down": act.Key(name="volume_down"),
    "power": act.Key(name="power"),
    "camera": act.Key(name="camera"),
    "clear": act.Clear(),
    "kp_enter": act.Key(name="enter"),
    "end": act.Key(name="move_end"),
    **{name: act.Key(name="page_up") for name in ("page_up", "pageup", "prior")},
    **{name: act.Key(name="page_down") for name in ("page_down", "pagedown", "next")},
    **{
        name: act.Key(name=f"dpad_{way}")
        for way in ("up", "down", "left", "right")
        for name in (way, f"arrow{way}", f"arrow_{way}", f"dpad_{way}")
    },
}


def tap(point: Point) -> Action:
    """A tap at a place."""
    return act.Tap(x=point.x, y=point.y)


def double_tap(point: Point) -> Action:
    """Two taps at a place."""
    return act.DoubleTap(x=point.x, y=point.y)


def long_press(point: Point, seconds: float = 0.8) -> Action:
    """A press of some seconds, within what a device takes."""
    return act.LongPress(x=point.x, y=point.y, ms=_milliseconds(seconds, 100))


def swipe(start: Point, end: Point, seconds: float = 0.3) -> Action:
    """A finger's way."""
    return act.Swipe(x1=start.x, y1=start.y, x2=end.x, y2=end.y, ms=_milliseconds(seconds, 10))


def finger(a: Arguments, start: Point, direction: Direction, share: float = 0.4) -> Action:
    """A finger's way in a direction, as long as a share of the screen, ended at its edge.

    Raises:
        Malformed: It begins at that edge, so that it would be a tap.
    """
    size = a.view.screen
    across, along = int(size.width * share), int(size.height * share)
    x = start.x + {"left": -across, "right": across}.get(direction, 0)
    y = start.y + {"up": -along, "down": along}.get(direction, 0)
    end = Point(min(max(x, 0), size.width - 1), min(max(y, 0), size.height - 1))
    if end == start:
        raise Malformed(
            Flaw.BAD_ARGUMENT, f"the start lies at the edge: no finger goes {direction} from there"
        )
    return swipe(start, end)


def middle(a: Arguments) -> Point:
    """The middle of the screen."""
    return Point(a.view.screen.width // 2, a.view.screen.height // 2)


def scroll(direction: Direction, at: Point | None = None, amount: float = 0.5) -> Action:
    """Show what lies further in a direction."""
    if amount < 0:
        raise Malformed(Flaw.BAD_ARGUMENT, f"an amount is not below 0, as {amount:g} is")
    return act.Scroll(
        direction=direction, x=at.x if at else None, y=at.y if at else None, amount=min(max(amount, 0.1), 1.0)
    )


def scroll_by_finger(direction: Direction, at: Point | None = None) -> Action:
    """A scroll that is named by the finger's way: up shows what is below."""
    return scroll(opposite(direction), at)


def key(name: str) -> Action:
    """A key by one of the names that models use.

    Raises:
        Malformed: It is none of them.
    """
    known = _KEYS.get(name.strip().casefold().replace("-", "_").replace(" ", "_").removeprefix("keycode_"))
    if known is None:
        raise Malformed(Flaw.BAD_ARGUMENT, f"no key is called {shown(name)}")
    return known


def open_app(a: Arguments, name: str) -> Action:
    """An app by its label or package."""
    package = a.view.package(name)
    try:
        return act.OpenApp(package=package)
    except ValidationError as error:
        raise Malformed(Flaw.UNKNOWN_APP, f"{shown(package)} is no package") from error


def wait(seconds: float) -> Action:
    """A wait, no longer than a minute."""
    _not_negative(seconds)
    return act.Wait(seconds=min(max(seconds, 0.1), 60.0))


def type_text(text: str, at: Point | None = None, *, clear: bool = False) -> Action:
    """Text as it stands: a line end in it is one."""
    return act.Type(text=text, clear=clear, at=(at.x, at.y) if at else None)


def type_and_submit(text: str, ends: tuple[str, ...] = ("\n",), *, clear: bool = False) -> Action:
    """Text, for dialects in which a line end at its end is the keyboard's action key.

    Args:
        text: As the model wrote it.
        ends: What counts as a line end; some clients take the characters of its escape for one, too.
        clear: Whether it replaces what the field holds.
    """
    submit = text.endswith(ends)
    while text.endswith(ends):
        text = text.removesuffix(next(end for end in ends if text.endswith(end)))
    return act.Type(text=text, clear=clear, submit=submit)


def submitted(text: str, submit: bool, ends: tuple[str, ...] = ("\n",)) -> str | None:
    """The text by which `type_and_submit` is asked for this; None where no text says it."""
    return None if text.endswith(ends) else text + ("\n" if submit else "")


def done(answer: str = "") -> Action:
    """The task is done."""
    return act.Done(answer=answer)


def give_up(reason: str = "") -> Action:
    """The task cannot be done."""
    return act.GiveUp(reason=reason)


def _milliseconds(seconds: float, least: int) -> int:
    _not_negative(seconds)
    return round(
        min(max(seconds * 1000, least), 10_000)
    )  # bounded first: a huge number times 1000 is infinite


def _not_negative(seconds: float) -> None:
    if seconds < 0:
        raise Malformed(Flaw.BAD_ARGUMENT, f"a time is not below 0, as {seconds:g} s is")
