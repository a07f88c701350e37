"""The action types of AndroidWorld: its agents M3A and T3A, and GLM-4.5V, which writes boxes, not indexes.

M3A and T3A refer to elements by index, from 0, or to pixels of the screen; GLM-4.5V uses boxes on a grid from
0 to 999. ``scroll down`` reveals what is below; so does GLM-4.5V's ``swipe up``, the direction of the finger.
Typing does not press Enter, which is a separate action: the vendors' clients press Enter after each text, and
the prompt here states that this harness does not.
Source: AndroidWorld's ``json_action`` and agents; GLM-V's prompt for phones.
"""

from __future__ import annotations

import re
from typing import Any

from garabench.agents.dialects import verbs
from garabench.agents.dialects.arguments import Arguments, opposite
from garabench.agents.dialects.calls import ActionCall
from garabench.agents.dialects.coordinates import GRID_999, SCREEN_PIXELS, Coordinates, ScreenView, Unit
from garabench.agents.dialects.dialect import Dialect, PointFormatter
from garabench.agents.dialects.image_sizes import NativeSize
from garabench.agents.dialects.lenient_json import objects
from garabench.agents.dialects.reply import MalformedReplyError, ReplyFlaw, short_repr
from garabench.agents.dialects.serialize import compact
from garabench.agents.dialects.single_action import only_action
from garabench.agents.dialects.thoughts import is_alone
from garabench.core import action as act
from garabench.core.action import Action
from garabench.core.geometry import Point

_ACTION = re.compile(r"Action\s*[:：]")
_LINE = re.compile(r"^[^\S\n]*Action\s*[:：]", re.MULTILINE)
_REASONS = re.compile(r"^(?:[^\S\n]|\*)*(?:Reason|Memory|Thought)\s*[:：]", re.MULTILINE)
_LABELS = re.compile(r"(?:Reason|Memory|Thought)\s*[:：]|<\|(?:begin|end)_of_box\|>|</?think>")


def read(text: str) -> tuple[ActionCall, str]:
    """Parse the object with a key ``action_type`` after ``Action:``, or the only one in the reply.

    The reasons before it may quote an earlier action, which does not count, even if no action follows.
    """
    markers = list(_LINE.finditer(text)) or list(_ACTION.finditer(text))
    start = markers[0].end() if markers else 0
    found = objects(text[start:], lambda value: "action_type" in value)
    has_reasons = _REASONS.search(text) is not None
    if not found and markers and not has_reasons:
        start, found = 0, objects(text, lambda value: "action_type" in value)
    if has_reasons and not markers and not is_alone(text, found):
        raise MalformedReplyError(ReplyFlaw.NO_ACTION, "no action follows the reasons; write 'Action: {…}'")
    fields = dict(only_action([value for value, _, _ in found]))
    verb = fields.pop("action_type")
    if not isinstance(verb, str):
        raise MalformedReplyError(
            ReplyFlaw.NO_ACTION, f"action_type must be a string, not {short_repr(verb)}"
        )
    thought = text[: markers[0].start()] if markers and start else text[: found[0][1]]
    return ActionCall(verb, fields), _LABELS.sub("", thought)


def _place(a: Arguments) -> Point:
    """Return the point given by a box, an index or pixels."""
    a.one_of(("box_2d",), ("index",), ("x", "y"))
    if a.has("box_2d"):
        return a.point("box_2d")
    if a.has("index"):
        return a.element("index")
    return a.at()


def _has_place(a: Arguments) -> bool:
    return a.has("box_2d", "index", "x", "y")


def _input(a: Arguments) -> Action:
    at = _place(a) if _has_place(a) else None
    return act.Type(
        text=a.text("text"),
        at=(at.x, at.y) if at else None,
        clear=a.flag("clear_text") or a.flag("override"),
        submit=False,
    )


def _swipe(a: Arguments) -> Action:
    return verbs.finger(a, _place(a) if _has_place(a) else verbs.middle(a), a.direction("direction"))


def _status(a: Arguments) -> Action:
    match a.text("goal_status"):
        case "complete" | "successful" | "success":
            return verbs.done()
        case "infeasible" | "failed":
            return verbs.give_up("infeasible")
        case other:
            raise MalformedReplyError(
                ReplyFlaw.BAD_ARGUMENT, f"goal_status must be complete or infeasible, not {short_repr(other)}"
            )


_VERBS = {
    "click": lambda a: verbs.tap(_place(a)),
    "double_tap": lambda a: verbs.double_tap(_place(a)),
    "long_press": lambda a: verbs.long_press(_place(a)),
    "input_text": _input,
    "keyboard_enter": lambda a: act.Key(name="enter"),
    "navigate_home": lambda a: act.Home(),
    "navigate_back": lambda a: act.Back(),
    "scroll": lambda a: verbs.scroll(a.direction("direction"), _place(a) if _has_place(a) else None),
    "swipe": _swipe,
    "open_app": lambda a: verbs.open_app(a, a.text("app_name")),
    "wait": lambda a: verbs.wait(a.number("seconds", default=1)),
    "answer": lambda a: verbs.done(a.text("text")),
    "status": _status,
}


def _where(pen: PointFormatter, x: int, y: int) -> dict[str, Any]:
    if pen.rule.unit is Unit.GRID:
        return {"box_2d": [pen.pair(x, y) * 2]}
    number = pen.view.element_at(Point(x, y))
    if number is not None:
        return {"index": number}
    first, second = pen.pair(x, y)
    return {"x": first, "y": second}


def _clears(rule: Coordinates) -> str:
    """Return the name of the argument that clears the field first, which differs in GLM's format."""
    return "override" if rule.unit is Unit.GRID else "clear_text"


def _call_for(action: Action, pen: PointFormatter) -> ActionCall | None:
    match action:
        case act.Tap(x=x, y=y):
            return ActionCall("click", _where(pen, x, y))
        case act.DoubleTap(x=x, y=y):
            return ActionCall("double_tap", _where(pen, x, y))
        case act.LongPress(x=x, y=y):
            return ActionCall("long_press", _where(pen, x, y))
        case act.Type(text=text, submit=False, at=at, clear=clear):
            place = _where(pen, *at) if at is not None else {}
            return ActionCall(
                "input_text", {"text": text, **place, **({_clears(pen.rule): True} if clear else {})}
            )
        case act.Scroll(direction=direction, x=x, y=y):
            place = _where(pen, x, y) if x is not None and y is not None else {}
            if pen.rule.unit is Unit.GRID:
                return ActionCall("swipe", {"direction": opposite(direction), **place})
            return ActionCall("scroll", {"direction": direction, **place})
        case act.Key(name="enter"):
            return ActionCall("keyboard_enter")
        case act.Home():
            return ActionCall("navigate_home")
        case act.Back():
            return ActionCall("navigate_back")
        case act.OpenApp(package=package):
            return ActionCall("open_app", {"app_name": pen.view.label(package)})
        case act.Wait(seconds=seconds):
            return ActionCall("wait", {} if seconds == 1 else {"seconds": seconds})
        case act.Done(answer=answer) if answer:
            return ActionCall("answer", {"text": answer})
        case act.Done():
            return ActionCall("status", {"goal_status": "complete"})
        case act.GiveUp():
            return ActionCall("status", {"goal_status": "infeasible"})
        case _:
            return None


def _body(call: ActionCall) -> str:
    return compact({"action_type": call.verb, **call.arguments})


def _write_reason(call: ActionCall, thought: str) -> str:
    return f"Reason: {thought}\nAction: {_body(call)}"


def _write_boxed(call: ActionCall, thought: str) -> str:
    return f"Memory:\n[]\nReason:\n{thought}\nAction:\n<|begin_of_box|>{_body(call)}<|end_of_box|>"


_SCROLL = '"scroll", "direction": "up" | "down" | "left" | "right"}: down shows what is below'
_SWIPE = (
    """"swipe", "direction": "up" | "down" | "left" | "right"}: the finger's way, up shows what is below"""
)


def _system(target: str, shape: str, clears: str = "clear_text", moves: str = _SCROLL) -> str:
    return f"""You operate an Android phone. Each answer holds one action, as JSON:

- {{"action_type": "click", {target}}}; "double_tap" and "long_press" in the same way
- {{"action_type": "input_text", "text": "…", {target}, "{clears}": true | false}}: type into a field, and \
whether to empty it first; press Enter by keyboard_enter
- {{"action_type": "keyboard_enter"}}, {{"action_type": "navigate_home"}}, {{"action_type": "navigate_back"}}
- {{"action_type": {moves}
- {{"action_type": "open_app", "app_name": "…"}}
- {{"action_type": "wait"}}
- {{"action_type": "answer", "text": "…"}}: the answer, where the task asks for one
- {{"action_type": "status", "goal_status": "complete" | "infeasible"}}: at the end

{shape}"""


_REASON = """Your answer has to look like this:
Reason: …
Action: {"action_type": …}"""
_BOXED = """Your answer has to look like this:
Memory: …
Reason: …
Action: <|begin_of_box|>{"action_type": …}<|end_of_box|>"""


def _system_index(view: ScreenView, rule: Coordinates) -> str:
    return _system('"index": number of the element', _REASON)


def _system_box(view: ScreenView, rule: Coordinates) -> str:
    return _system(
        f'"box_2d": [[x1, y1, x2, y2]] of the element, each from 0 to {rule.span}', _BOXED, "override", _SWIPE
    )


M3A = Dialect(
    "m3a", SCREEN_PIXELS, NativeSize(), read, _VERBS, _call_for, _write_reason, _system_index, numbers_from=0
)
GLM_45V = Dialect("glm-4.5v", GRID_999, NativeSize(), read, _VERBS, _call_for, _write_boxed, _system_box)
