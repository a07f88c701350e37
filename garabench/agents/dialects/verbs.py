"""Build actions for verbs that the dialects share."""

from __future__ import annotations

from pydantic import ValidationError

from garabench.agents.dialects.arguments import Arguments, opposite
from garabench.agents.dialects.reply import MalformedReplyError, ReplyFlaw, short_repr
from garabench.core import action as act
from garabench.core.action import Action
from garabench.core.geometry import Direction, Point

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
        name: act.Key(name=f"dpad_{direction}")
        for direction in ("up", "down", "left", "right")
        for name in (direction, f"arrow{direction}", f"arrow_{direction}", f"dpad_{direction}")
    },
}


def tap(point: Point) -> Action:
    """Tap a point."""
    return act.Tap(x=point.x, y=point.y)


def double_tap(point: Point) -> Action:
    """Double-tap a point."""
    return act.DoubleTap(x=point.x, y=point.y)


def long_press(point: Point, seconds: float = 0.8) -> Action:
    """Long-press a point; the duration is clamped to what a device accepts."""
    return act.LongPress(x=point.x, y=point.y, ms=_milliseconds(seconds, 100))


def swipe(start: Point, end: Point, seconds: float = 0.3) -> Action:
    """Swipe from one point to another."""
    return act.Swipe(x1=start.x, y1=start.y, x2=end.x, y2=end.y, ms=_milliseconds(seconds, 10))


def finger(a: Arguments, start: Point, direction: Direction, share: float = 0.4) -> Action:
    """Swipe in a direction by a share of the screen, up to its edge.

    Raises:
        MalformedReplyError: The swipe starts at that edge, so it would be a tap.
    """
    size = a.view.screen
    across, along = int(size.width * share), int(size.height * share)
    x = start.x + {"left": -across, "right": across}.get(direction, 0)
    y = start.y + {"up": -along, "down": along}.get(direction, 0)
    end = Point(min(max(x, 0), size.width - 1), min(max(y, 0), size.height - 1))
    if end == start:
        raise MalformedReplyError(
            ReplyFlaw.BAD_ARGUMENT, f"the swipe starts at the edge of the screen and cannot go {direction}"
        )
    return swipe(start, end)


def middle(a: Arguments) -> Point:
    """Return the center of the screen."""
    return Point(a.view.screen.width // 2, a.view.screen.height // 2)


def scroll(direction: Direction, at: Point | None = None, amount: float = 0.5) -> Action:
    """Scroll to reveal content in a direction."""
    if amount < 0:
        raise MalformedReplyError(ReplyFlaw.BAD_ARGUMENT, f"amount must not be negative, got {amount:g}")
    return act.Scroll(
        direction=direction, x=at.x if at else None, y=at.y if at else None, amount=min(max(amount, 0.1), 1.0)
    )


def scroll_by_finger(direction: Direction, at: Point | None = None) -> Action:
    """Scroll by the direction of the finger: up shows what is below."""
    return scroll(opposite(direction), at)


def key(name: str) -> Action:
    """Press a key by one of the names that models use.

    Raises:
        MalformedReplyError: The key is unknown.
    """
    known = _KEYS.get(name.strip().casefold().replace("-", "_").replace(" ", "_").removeprefix("keycode_"))
    if known is None:
        raise MalformedReplyError(ReplyFlaw.BAD_ARGUMENT, f"unknown key {short_repr(name)}")
    return known


def open_app(a: Arguments, name: str) -> Action:
    """Open an app by its label or package."""
    package = a.view.package(name)
    try:
        return act.OpenApp(package=package)
    except ValidationError as error:
        raise MalformedReplyError(
            ReplyFlaw.UNKNOWN_APP, f"{short_repr(package)} is not a package name"
        ) from error


def wait(seconds: float) -> Action:
    """Wait, for a minute at most."""
    _not_negative(seconds)
    return act.Wait(seconds=min(max(seconds, 0.1), 60.0))


def type_text(text: str, at: Point | None = None, *, clear: bool = False) -> Action:
    """Type text verbatim, including line breaks."""
    return act.Type(text=text, clear=clear, at=(at.x, at.y) if at else None)


def type_and_submit(text: str, ends: tuple[str, ...] = ("\n",), *, clear: bool = False) -> Action:
    """Type text in a dialect in which a trailing line break presses the keyboard's action key.

    Args:
        text: The text as the model wrote it.
        ends: The strings that count as a line break; some clients also accept the escape sequence.
        clear: Whether to replace the content of the field.
    """
    submit = text.endswith(ends)
    while text.endswith(ends):
        text = text.removesuffix(next(end for end in ends if text.endswith(end)))
    return act.Type(text=text, clear=clear, submit=submit)


def submitted(text: str, submit: bool, ends: tuple[str, ...] = ("\n",)) -> str | None:
    """Return the text that `type_and_submit` parses as this; None if there is none."""
    return None if text.endswith(ends) else text + ("\n" if submit else "")


def done(answer: str = "") -> Action:
    """Report that the task is done."""
    return act.Done(answer=answer)


def give_up(reason: str = "") -> Action:
    """Report that the task cannot be done."""
    return act.GiveUp(reason=reason)


def _milliseconds(seconds: float, least: int) -> int:
    _not_negative(seconds)
    return round(
        min(max(seconds * 1000, least), 10_000)
    )  # bounded first: a huge number times 1000 is infinite


def _not_negative(seconds: float) -> None:
    if seconds < 0:
        raise MalformedReplyError(
            ReplyFlaw.BAD_ARGUMENT, f"a duration must not be negative, got {seconds:g} s"
        )
