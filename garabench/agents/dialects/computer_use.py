"""The vendors' computer-use tools, as far as they apply to a phone.

Gemini's functions take named x and y from 0 to 1000, and have two sets of names: one up to Gemini 3.1, one
from 3.5 on. OpenAI's and Anthropic's actions use pixels of the image; a trailing line break in typed text is
Enter, as in the vendors' clients. This module handles calls as text: a function's name and arguments, or the
action's object.
Source: the vendors' documentation of these tools; google-gemini/computer-use-preview, ``agent.py``;
anthropics/anthropic-quickstarts, ``computer.py``; the types of the packages openai 3.52 and anthropic 2.12.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from garabench.agents.dialects import verbs
from garabench.agents.dialects.arguments import Arguments
from garabench.agents.dialects.calls import ActionCall
from garabench.agents.dialects.coordinates import GRID_1000, IMAGE_PIXELS, Coordinates, ScreenView
from garabench.agents.dialects.dialect import Dialect, PointFormatter, ToolFunctions
from garabench.agents.dialects.image_sizes import LARGEST_AS_SENT, LongSide
from garabench.agents.dialects.lenient_json import objects
from garabench.agents.dialects.reply import MalformedReplyError, ReplyFlaw, short_repr
from garabench.agents.dialects.serialize import compact
from garabench.agents.dialects.single_action import only_action, unwrapped
from garabench.agents.dialects.thoughts import check_nothing_follows
from garabench.core import action as act
from garabench.core.action import Action
from garabench.core.geometry import Direction

_WRAPPERS = ("actions", "action", "arguments", "args", "input", "function")
"""Keys under which a call written as text may nest the action."""
_FULL_SCREEN = 1000
"""Magnitude of a scroll by a whole screen, on a grid of 1000."""
_DEFAULT_SCROLL = 800
"""Default magnitude of ``scroll_at`` on that grid, as in Google's agent."""
_NOTCHES = 10
"""Mouse-wheel notches per screen: Anthropic's scrolls count notches."""


def _reader(verb_key: str, *wrappers: str) -> Callable[[str], tuple[ActionCall, str]]:
    """Return a parser of the one object with a verb at a key, which may be wrapped, and its arguments."""

    def nested_actions(value: dict[str, Any]) -> list[dict[str, Any]]:
        return unwrapped(value, lambda inner: verb_key in inner, wrappers)

    def read(text: str) -> tuple[ActionCall, str]:
        found = objects(text, lambda value: bool(nested_actions(value)))
        check_nothing_follows(text, found)
        actions = [action for value, _, _ in found for action in nested_actions(value)]
        # A screenshot together with another action is redundant: an image is sent after each.
        fields = dict(only_action([one for one in actions if one[verb_key] != "screenshot"] or actions))
        verb = fields.pop(verb_key)
        if not isinstance(verb, str):
            raise MalformedReplyError(
                ReplyFlaw.NO_ACTION, f"{verb_key} must be a string, not {short_repr(verb)}"
            )
        inner = fields.get("args", fields.get("arguments"))
        if isinstance(inner, dict):
            fields = inner
        return ActionCall(verb, fields), text[: found[0][1]]

    return read


def _writer(verb_key: str, arguments_key: str = "") -> Callable[[ActionCall, str], str]:
    def write(call: ActionCall, thought: str) -> str:
        inner: dict[str, Any] = {arguments_key: call.arguments} if arguments_key else call.arguments
        body = compact({verb_key: call.verb, **inner})
        return f"{thought}\n{body}" if thought else body

    return write


def _system(view: ScreenView, rule: Coordinates) -> str:
    """Return the system prompt, which states only what the tool definitions leave open."""
    return (
        "You operate a phone with the given tools. Reply with exactly one tool call, never with text alone. "
        "Call done when the task is done, with the answer if the task asks for one, and give_up if it cannot "
        "be done. A right click is a long press; the keys back and home are those of the phone."
    )


_ENDS = {
    "open_app": lambda a: verbs.open_app(a, a.text("app_name", "app", "name", "package_name", "text")),
    "done": lambda a: verbs.done(a.text("answer", "text", default="")),
    "give_up": lambda a: verbs.give_up(a.text("reason", "text", default="")),
}
"""Actions that a phone and a benchmark need in addition to the vendors', offered as extra functions."""


def _call_for_end(action: Action, pen: PointFormatter) -> ActionCall | None:
    match action:
        case act.OpenApp(package=package):
            return ActionCall("open_app", {"app_name": pen.view.label(package)})
        case act.Done(answer=answer):
            return ActionCall("done", {"answer": answer} if answer else {})
        case act.GiveUp(reason=reason):
            return ActionCall("give_up", {"reason": reason} if reason else {})
        case _:
            return None


# Gemini ---------------------------------------------------------------------------------------------------


def _type_at(a: Arguments) -> Action:
    at = a.at()
    return act.Type(
        text=a.text("text"),
        at=(at.x, at.y),
        clear=a.flag("clear_before_typing", default=True),
        submit=a.flag("press_enter", default=False),
    )


def _type(a: Arguments) -> Action:
    at = a.at() if a.has("x") else None
    return act.Type(
        text=a.text("text"),
        at=(at.x, at.y) if at else None,
        clear=a.flag("clear_before_typing", default=False),
        submit=a.flag("press_enter", default=False),
    )


def _scroll(a: Arguments, default: float = _FULL_SCREEN / 2) -> Action:
    magnitude = a.number("magnitude", "magnitude_in_pixels", default=default)
    return verbs.scroll(a.direction("direction"), a.at() if a.has("x") else None, magnitude / _FULL_SCREEN)


def _drag_and_drop(a: Arguments) -> Action:
    start, end = a.at(), a.at("destination_x", "destination_y")
    return act.Drag(x1=start.x, y1=start.y, x2=end.x, y2=end.y)


def _combination(a: Arguments) -> Action:
    keys = a.raw("keys")
    return verbs.key(keys if isinstance(keys, str) else "+".join(str(part) for part in _list(keys)))


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list) or len(value) > 20:
        raise MalformedReplyError(ReplyFlaw.BAD_ARGUMENT, f"expected a short list, not {short_repr(value)}")
    return value


_GEMINI_VERBS = {
    "click_at": lambda a: verbs.tap(a.at()),
    "long_press_at": lambda a: verbs.long_press(a.at()),
    "type_text_at": _type_at,
    "scroll_document": lambda a: verbs.scroll(a.direction("direction")),
    "scroll_at": lambda a: _scroll(a, _DEFAULT_SCROLL),
    "drag_and_drop": _drag_and_drop,
    "key_combination": _combination,
    "wait_5_seconds": lambda a: verbs.wait(5),
    "go_back": lambda a: act.Back(),
    "go_home": lambda a: act.Home(),
    # Gemini 3.5 Flash and later
    "click": lambda a: verbs.tap(a.at()),
    "double_click": lambda a: verbs.double_tap(a.at()),
    "right_click": lambda a: verbs.long_press(a.at()),
    "long_press": lambda a: verbs.long_press(a.at(), a.number("seconds", "duration", default=0.8)),
    "type": _type,
    "scroll": _scroll,
    "wait": lambda a: verbs.wait(a.number("seconds", default=1)),
    "press_key": lambda a: verbs.key(a.text("key")),
    "hotkey": _combination,
    "take_screenshot": lambda a: verbs.wait(0.5),
    **_ENDS,
}


def _call_for_gemini(action: Action, pen: PointFormatter) -> ActionCall | None:
    def place(x: int, y: int, first: str = "x", second: str = "y") -> dict[str, int]:
        return dict(zip((first, second), pen.pair(x, y), strict=True))

    match action:
        case act.Tap(x=x, y=y):
            return ActionCall("click_at", place(x, y))
        case act.LongPress(x=x, y=y):
            return ActionCall("long_press_at", place(x, y))
        case act.Type(text=text, clear=clear, submit=submit, at=at) if at is not None:
            more = {"text": text, "press_enter": submit, "clear_before_typing": clear}
            return ActionCall("type_text_at", {**place(*at), **more})
        case act.Scroll(direction=direction, x=x, y=y, amount=amount) if x is not None and y is not None:
            magnitude = round(amount * _FULL_SCREEN)
            return ActionCall("scroll_at", {**place(x, y), "direction": direction, "magnitude": magnitude})
        case act.Scroll(direction=direction, amount=0.5):
            return ActionCall("scroll_document", {"direction": direction})
        case act.Drag(x1=x1, y1=y1, x2=x2, y2=y2):
            return ActionCall(
                "drag_and_drop", {**place(x1, y1), **place(x2, y2, "destination_x", "destination_y")}
            )
        case act.Key(name=name):
            return ActionCall("key_combination", {"keys": name})
        case act.Wait(seconds=5):
            return ActionCall("wait_5_seconds")
        case act.Back() | act.Home():
            return ActionCall(f"go_{action.type}")
        case _:
            return _call_for_end(action, pen)


# OpenAI ---------------------------------------------------------------------------------------------------


def _scroll_by_pixels(a: Arguments) -> Action:
    across, down = a.number("scroll_x", default=0), a.number("scroll_y", default=0)
    if not across and not down:
        raise MalformedReplyError(ReplyFlaw.BAD_ARGUMENT, "scroll_x and scroll_y are both zero")
    direction: Direction
    if abs(down) >= abs(across):
        direction, share = ("down" if down > 0 else "up"), abs(down) / a.view.image.height
    else:
        direction, share = ("right" if across > 0 else "left"), abs(across) / a.view.image.width
    return verbs.scroll(direction, a.at() if a.has("x") else None, share)


def _path(a: Arguments) -> Action:
    path = _list(a.raw("path"))
    if len(path) < 2:
        raise MalformedReplyError(ReplyFlaw.BAD_ARGUMENT, "path must have at least two points")
    start, end = a.place(path[0]), a.place(path[-1])
    return act.Drag(x1=start.x, y1=start.y, x2=end.x, y2=end.y)


def _click(a: Arguments) -> Action:
    match a.text("button", default="left"):
        case "left":
            return verbs.tap(a.at())
        case "right":
            return verbs.long_press(a.at())
        case other:
            raise MalformedReplyError(
                ReplyFlaw.BAD_ARGUMENT, f"unknown mouse button {short_repr(other)}; use left or right"
            )


_OPENAI_VERBS = {
    "click": _click,
    "double_click": lambda a: verbs.double_tap(a.at()),
    "scroll": _scroll_by_pixels,
    "type": lambda a: verbs.type_and_submit(a.text("text")),
    "keypress": _combination,
    "drag": _path,
    "wait": lambda a: verbs.wait(1),
    "screenshot": lambda a: verbs.wait(0.5),
    **_ENDS,
}


def _call_for_openai(action: Action, pen: PointFormatter) -> ActionCall | None:
    def place(x: int, y: int) -> dict[str, int]:
        return dict(zip(("x", "y"), pen.pair(x, y), strict=True))

    match action:
        case act.Tap(x=x, y=y):
            return ActionCall("click", {**place(x, y), "button": "left"})
        case act.LongPress(x=x, y=y):
            return ActionCall("click", {**place(x, y), "button": "right"})
        case act.DoubleTap(x=x, y=y):
            return ActionCall("double_click", place(x, y))
        case act.Scroll(direction=direction, x=x, y=y, amount=amount) if x is not None and y is not None:
            size = pen.view.image
            side = size.height if direction in ("up", "down") else size.width
            distance = round(side * amount) * (-1 if direction in ("up", "left") else 1)
            across = direction in ("left", "right")
            return ActionCall(
                "scroll", {**place(x, y), "scroll_x": distance * across, "scroll_y": distance * (not across)}
            )
        case act.Drag(x1=x1, y1=y1, x2=x2, y2=y2):
            return ActionCall("drag", {"path": [place(x1, y1), place(x2, y2)]})
        case act.Type(text=text, submit=submit, at=None, clear=False):
            typed = verbs.submitted(text, submit)
            return None if typed is None else ActionCall("type", {"text": typed})
        case act.Key(name=name):
            return ActionCall("keypress", {"keys": [name]})
        case act.Back():
            return ActionCall("keypress", {"keys": ["BACK"]})
        case act.Home():
            return ActionCall("keypress", {"keys": ["HOME"]})
        case act.Wait(seconds=1):
            return ActionCall("wait")
        case _:
            return _call_for_end(action, pen)


# Anthropic ------------------------------------------------------------------------------------------------


def _wheel(a: Arguments) -> Action:
    amount = a.number("scroll_amount", default=_NOTCHES / 2) / _NOTCHES
    return verbs.scroll(
        a.direction("scroll_direction"), a.point("coordinate") if a.has("coordinate") else None, amount
    )


def _left_drag(a: Arguments) -> Action:
    start, end = a.point("start_coordinate"), a.point("coordinate")
    return act.Drag(x1=start.x, y1=start.y, x2=end.x, y2=end.y)


_ANTHROPIC_VERBS = {
    "left_click": lambda a: verbs.tap(a.point("coordinate")),
    "right_click": lambda a: verbs.long_press(a.point("coordinate")),
    "double_click": lambda a: verbs.double_tap(a.point("coordinate")),
    "triple_click": lambda a: verbs.double_tap(a.point("coordinate")),  # the closest gesture on a phone
    "left_click_drag": _left_drag,
    "scroll": _wheel,
    "type": lambda a: verbs.type_and_submit(a.text("text")),
    "key": lambda a: verbs.key(a.text("text")),
    "wait": lambda a: verbs.wait(a.number("duration", default=1)),
    "screenshot": lambda a: verbs.wait(0.5),
    **_ENDS,
}


def _call_for_anthropic(action: Action, pen: PointFormatter) -> ActionCall | None:
    match action:
        case act.Tap(x=x, y=y):
            return ActionCall("left_click", {"coordinate": pen.pair(x, y)})
        case act.LongPress(x=x, y=y):
            return ActionCall("right_click", {"coordinate": pen.pair(x, y)})
        case act.DoubleTap(x=x, y=y):
            return ActionCall("double_click", {"coordinate": pen.pair(x, y)})
        case act.Drag(x1=x1, y1=y1, x2=x2, y2=y2):
            start, end = pen.pair(x1, y1), pen.pair(x2, y2)
            return ActionCall("left_click_drag", {"start_coordinate": start, "coordinate": end})
        case act.Scroll(direction=direction, x=x, y=y, amount=amount) if x is not None and y is not None:
            notches = max(1, round(amount * _NOTCHES))
            fields = {"scroll_direction": direction, "scroll_amount": notches}
            return ActionCall("scroll", {"coordinate": pen.pair(x, y), **fields})
        case act.Type(text=text, submit=submit, at=None, clear=False):
            typed = verbs.submitted(text, submit)
            return None if typed is None else ActionCall("type", {"text": typed})
        case act.Key(name=name):
            return ActionCall("key", {"text": name})
        case act.Back() | act.Home():
            return ActionCall("key", {"text": action.type})
        case act.Wait(seconds=seconds):
            return ActionCall("wait", {"duration": seconds})
        case _:
            return _call_for_end(action, pen)


GEMINI_COMPUTER_USE = Dialect(
    "gemini-computer-use", GRID_1000, LongSide(2048),
    _reader("name", "actions", "functionCall", "function_call"), _GEMINI_VERBS, _call_for_gemini,
    _writer("name", "args"), _system, ToolFunctions(only=True),
)  # fmt: skip
OPENAI_COMPUTER_USE = Dialect(
    "openai-computer-use", IMAGE_PIXELS, LARGEST_AS_SENT, _reader("type", *_WRAPPERS), _OPENAI_VERBS,
    _call_for_openai, _writer("type"), _system, ToolFunctions("computer", "type", only=True),
)  # fmt: skip
ANTHROPIC_COMPUTER_USE = Dialect(
    "anthropic-computer-use", IMAGE_PIXELS, LARGEST_AS_SENT, _reader("action", *_WRAPPERS), _ANTHROPIC_VERBS,
    _call_for_anthropic, _writer("action"), _system, ToolFunctions("computer", "action", only=True),
)  # fmt: skip
