"""AgentCPM-GUI: one JSON object whose keys name the action: ``{"thought": "…", "POINT": [729, 69]}``.

Coordinates range from 0 to 1000; the longer side of the image has at most 1120 pixels. ``to`` is where the
finger moves, ``duration`` is in milliseconds. Source: the action schema in the model's repository.
"""

from __future__ import annotations

from typing import Any

from garabench.agents.dialects import verbs
from garabench.agents.dialects.arguments import Arguments, opposite
from garabench.agents.dialects.calls import ActionCall
from garabench.agents.dialects.coordinates import GRID_1000, Coordinates, ScreenView
from garabench.agents.dialects.dialect import Dialect, PointFormatter
from garabench.agents.dialects.image_sizes import LongSide
from garabench.agents.dialects.lenient_json import objects
from garabench.agents.dialects.reply import MalformedReplyError, ReplyFlaw, short_repr
from garabench.agents.dialects.serialize import compact
from garabench.agents.dialects.single_action import only_action, unwrapped
from garabench.agents.dialects.thoughts import check_nothing_follows
from garabench.core import action as act
from garabench.core.action import Action

_ACTIONS = ("POINT", "PRESS", "TYPE", "CLEAR")
_KEYS = {*_ACTIONS, "to", "duration", "STATUS"}
_WRAPPERS = ("actions", "action", "arguments")
_LONG_MS = 200
"""Longer touches are long presses; the schema's default is a tap of 200 ms."""


def read(text: str) -> tuple[ActionCall, str]:
    """Parse the one object with a key of the schema, which may be nested in another one."""
    found = objects(text, lambda value: bool(unwrapped(value, _is_action, _WRAPPERS)))
    check_nothing_follows(text, found)
    actions = [action for value, _, _ in found for action in unwrapped(value, _is_action, _WRAPPERS)]
    thoughts = [actions[0].get("thought"), found[0][0].get("thought")] if actions else []
    thought = next((each for each in thoughts if isinstance(each, str)), "")
    fields = only_action(
        [{key: part for key, part in action.items() if key != "thought"} for action in actions]
    )
    return _call(dict(fields)), thought


def _is_action(value: dict[str, Any]) -> bool:
    return bool(_KEYS & value.keys())


def _call(fields: dict[str, Any]) -> ActionCall:
    status = fields.pop("STATUS", "continue")
    if status not in ("continue", None, "start"):
        if others := [key for key in (*_ACTIONS, "to") if fields.get(key) is not None]:
            raise MalformedReplyError(
                ReplyFlaw.SEVERAL_ACTIONS, f"STATUS and {' and '.join(others)} are several actions; write one"
            )
        return ActionCall("STATUS", {"status": status})
    present = [key for key in _ACTIONS if fields.get(key) is not None]
    if present == ["POINT", "TYPE"] or present == ["TYPE"]:
        return ActionCall("TYPE", fields)
    if len(present) > 1:
        raise MalformedReplyError(
            ReplyFlaw.SEVERAL_ACTIONS, f"{' and '.join(present)} are several actions; write one"
        )
    if present:
        return ActionCall(present[0], fields)
    if "duration" in fields:
        return ActionCall("wait", fields)
    raise MalformedReplyError(ReplyFlaw.NO_ACTION, "the object has no key that names an action")


def _point(a: Arguments) -> Action:
    start = a.point("POINT")
    if a.has("to"):
        seconds = a.number("duration", default=300) / 1000
        if isinstance(a.raw("to"), str):
            return verbs.finger(a, start, a.direction("to"))
        return verbs.swipe(start, a.point("to"), seconds)
    held = a.number("duration", default=0)
    return verbs.long_press(start, held / 1000) if held > _LONG_MS else verbs.tap(start)


def _type(a: Arguments) -> Action:
    return verbs.type_text(a.text("TYPE"), a.point("POINT") if a.has("POINT") else None)


def _status(a: Arguments) -> Action:
    match a.text("status"):
        case "finish" | "satisfied":
            return verbs.done()
        case "impossible" | "interrupt" | "need_feedback" as status:
            return verbs.give_up(status)
        case other:
            raise MalformedReplyError(
                ReplyFlaw.BAD_ARGUMENT, f"STATUS must be finish or impossible, not {short_repr(other)}"
            )


_VERBS = {
    "POINT": _point,
    "PRESS": lambda a: verbs.key(a.text("PRESS")),
    "TYPE": _type,
    "CLEAR": lambda a: act.Clear(),
    "wait": lambda a: verbs.wait(a.number("duration") / 1000),
    "STATUS": _status,
}


def _call_for(action: Action, pen: PointFormatter) -> ActionCall | None:
    match action:
        case act.Tap(x=x, y=y):
            return ActionCall("POINT", {"POINT": pen.pair(x, y)})
        case act.LongPress(x=x, y=y, ms=ms) if ms > _LONG_MS:
            return ActionCall("POINT", {"POINT": pen.pair(x, y), "duration": ms})
        case act.Swipe(x1=x1, y1=y1, x2=x2, y2=y2, ms=ms):
            return ActionCall("POINT", {"POINT": pen.pair(x1, y1), "to": pen.pair(x2, y2), "duration": ms})
        case act.Scroll(direction=direction, x=x, y=y):
            size = pen.view.screen
            at = pen.pair(size.width // 2 if x is None else x, size.height // 2 if y is None else y)
            return ActionCall("POINT", {"POINT": at, "to": opposite(direction)})
        case act.Type(text=text, submit=False, at=at, clear=False):
            return ActionCall("TYPE", {**({"POINT": pen.pair(*at)} if at is not None else {}), "TYPE": text})
        case act.Clear():
            return ActionCall("CLEAR", {"CLEAR": True})
        case act.Back() | act.Home() | act.Recents():
            return ActionCall(
                "PRESS", {"PRESS": {"recents": "APPSELECT"}.get(action.type, action.type.upper())}
            )
        case act.Key(name="enter"):
            return ActionCall("PRESS", {"PRESS": "ENTER"})
        case act.Wait(seconds=seconds):
            return ActionCall("wait", {"duration": round(seconds * 1000)})
        case act.Done(answer=""):
            return ActionCall("STATUS", {"STATUS": "finish"})
        case act.GiveUp():
            return ActionCall("STATUS", {"STATUS": "impossible"})
        case _:
            return None


def _write(call: ActionCall, thought: str) -> str:
    return compact({"thought": thought, **call.arguments})


def _system(view: ScreenView, rule: Coordinates) -> str:
    return f"""You operate a phone. Look at the task and the screenshot; answer with one compact JSON object.

Keys:
- "thought": why, in one sentence; always first.
- "POINT": [x, y], each from 0 to {rule.span}: tap there. With "duration" above 200 (milliseconds): hold it.
- "to": others POINT: "up", "down", "left" or "right", or [x, y]: move the finger from POINT that way.
- "TYPE": "text": type it into the focused field.
- "PRESS": "HOME", "BACK" or "ENTER".
- "CLEAR": true: empty the focused field.
- "duration" alone: wait so many milliseconds.
- "STATUS": "finish" when the task is done, "impossible" when it cannot be done."""


AGENTCPM_GUI = Dialect("agentcpm-gui", GRID_1000, LongSide(1120), read, _VERBS, _call_for, _write, _system)
