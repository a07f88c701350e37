"""The dialect for models without a native one: ``{"action": "tap", "coords": [120, 310]}``.

For GPT, Claude and others the prompt describes it, as text or as a tool, with coordinates in pixels of the
image. Gemini uses its native points: ``point``, y before x, from 0 to 1000.
"""

from __future__ import annotations

from typing import Any

from garabench.agents.dialects import verbs
from garabench.agents.dialects.arguments import Arguments
from garabench.agents.dialects.calls import ActionCall
from garabench.agents.dialects.coordinates import IMAGE_PIXELS, Coordinates, ScreenView, Unit
from garabench.agents.dialects.dialect import Dialect, PointFormatter, ToolFunctions
from garabench.agents.dialects.image_sizes import LARGEST_AS_SENT, LongSide
from garabench.agents.dialects.lenient_json import objects
from garabench.agents.dialects.reply import MalformedReplyError, ReplyFlaw, short_repr
from garabench.agents.dialects.serialize import compact
from garabench.agents.dialects.single_action import listed, only_action
from garabench.agents.dialects.thoughts import check_nothing_follows
from garabench.core import action as act
from garabench.core.action import Action
from garabench.core.geometry import Point

_FUNCTION = "act"
_THOUGHTS = ("thought", "thoughts", "reasoning", "reason")
_POINT_KEYS = ("coords", "point", "coordinate", "coordinates", "position", "box_2d", "bbox")
_STARTS = ("start", "from")
_SUCCESSES = ("success", "successful", "succeeded", "complete", "completed", "done", "finished", "ok")
_FAILURES = ("failure", "failed", "fail", "infeasible", "impossible", "error")
_ENDS = ("to", "end", "coords2", "coordinate2")


def read(text: str) -> tuple[ActionCall, str]:
    """Parse the one object with a key ``action``, whose arguments may be nested."""
    found = objects(text, _is_action)
    check_nothing_follows(text, found)
    fields = dict(only_action(listed([value for value, _, _ in found])))
    own_thought = next((fields.pop(key) for key in _THOUGHTS if isinstance(fields.get(key), str)), "")
    thought = own_thought or text[: found[0][1]].removesuffix("```json").removesuffix("```")
    verb = fields.pop("action", fields.pop("name", None))
    inner = fields.pop("arguments", fields.pop("args", None))
    if isinstance(verb, dict):
        inner, verb = verb, verb.get("type", verb.get("action"))
    if isinstance(inner, dict) and verb == _FUNCTION and isinstance(inner.get("action"), str):
        verb = inner["action"]  # the tool call, written as text
    if isinstance(inner, dict):
        fields |= {name: value for name, value in inner.items() if name not in ("type", "action")}
    if not isinstance(verb, str):
        raise MalformedReplyError(ReplyFlaw.NO_ACTION, f"action must be a string, not {short_repr(verb)}")
    return ActionCall(verb.strip(), fields), thought


def _is_action(value: dict[str, Any]) -> bool:
    listed = isinstance(value.get("actions"), list)
    return listed or "action" in value or ("name" in value and "arguments" in value)


def _point(a: Arguments) -> Point:
    a.one_of(("element",), *((name,) for name in _POINT_KEYS), ("x", "y"))
    if a.has("element"):
        return a.element("element")
    if a.has(*_POINT_KEYS):
        return a.point(*_POINT_KEYS)
    return a.at()


def _has_point(a: Arguments) -> bool:
    return a.has("element", *_POINT_KEYS, "x", "y")


def _start(a: Arguments) -> Point:
    """Return the start of a movement."""
    a.one_of(_STARTS, ("element", *_POINT_KEYS, "x", "y"))
    return a.point(*_STARTS) if a.has(*_STARTS) else _point(a)


def _swipe(a: Arguments) -> Action:
    a.one_of(("direction",), (*_STARTS, *_ENDS))
    if a.has("direction"):
        return verbs.finger(a, _point(a) if _has_point(a) else verbs.middle(a), a.direction("direction"))
    return verbs.swipe(_start(a), a.point(*_ENDS))


def _spot(a: Arguments) -> Point:
    """Return the point of a touch without movement."""
    return _point(a.without(*_STARTS, *_ENDS, "direction"))


def _done(a: Arguments) -> Action:
    """Return the end of the task; a failure status means that the model gives up."""
    answer = a.text("answer", default="")
    status = a.text("status", default="success").strip().casefold()
    if status in _FAILURES or not a.flag("success", default=True):
        return verbs.give_up(answer or a.text("reason", default=""))
    if status not in _SUCCESSES:
        raise MalformedReplyError(
            ReplyFlaw.BAD_ARGUMENT, f"status must be success or failed, not {short_repr(status)}"
        )
    return verbs.done(answer)


def _drag(a: Arguments) -> Action:
    start, end = _start(a), a.point(*_ENDS)
    return act.Drag(x1=start.x, y1=start.y, x2=end.x, y2=end.y)


def _type(a: Arguments) -> Action:
    at = _point(a) if _has_point(a) else None
    made = verbs.type_text(a.text("text", "content"), at, clear=a.flag("clear"))
    if isinstance(made, act.Type) and a.flag("submit"):
        return made.model_copy(update={"submit": True})
    return made


def _scroll(a: Arguments) -> Action:
    at = _point(a) if _has_point(a) else None
    return verbs.scroll(a.direction("direction"), at, a.number("amount", default=0.5))


VERBS = {
    "tap": lambda a: verbs.tap(_spot(a)),
    "click": lambda a: verbs.tap(_spot(a)),
    "double_tap": lambda a: verbs.double_tap(_spot(a)),
    "long_press": lambda a: verbs.long_press(_spot(a), a.number("seconds", default=0.8)),
    "swipe": _swipe,
    "drag": _drag,
    "scroll": _scroll,
    "type": _type,
    "input_text": _type,
    "clear": lambda a: act.Clear(),
    "key": lambda a: verbs.key(a.text("key", "name")),
    "back": lambda a: act.Back(),
    "home": lambda a: act.Home(),
    "recents": lambda a: act.Recents(),
    "open_app": lambda a: verbs.open_app(a, a.text("app", "app_name", "package")),
    "wait": lambda a: verbs.wait(a.number("seconds", default=1)),
    "done": _done,
    "finish": _done,
    "give_up": lambda a: verbs.give_up(a.text("reason", default="")),
}


def _call_for(action: Action, pen: PointFormatter) -> ActionCall | None:
    place = "point" if pen.rule.unit is Unit.GRID else "coords"
    match action:
        case act.Tap(x=x, y=y) | act.DoubleTap(x=x, y=y):
            return ActionCall(action.type, {place: pen.pair(x, y)})
        case act.LongPress(x=x, y=y, ms=ms):
            return ActionCall("long_press", {place: pen.pair(x, y), "seconds": ms / 1000})
        case act.Swipe(x1=x1, y1=y1, x2=x2, y2=y2) | act.Drag(x1=x1, y1=y1, x2=x2, y2=y2):
            return ActionCall(action.type, {place: pen.pair(x1, y1), "to": pen.pair(x2, y2)})
        case act.Scroll(direction=direction, x=x, y=y, amount=amount):
            at = {place: pen.pair(x, y)} if x is not None and y is not None else {}
            return ActionCall("scroll", {"direction": direction, **at, "amount": amount})
        case act.Type(text=text, clear=clear, submit=submit, at=at):
            fields: dict[str, Any] = {"text": text}
            if at is not None:
                fields[place] = pen.pair(*at)
            return ActionCall(
                "type", {**fields, **{k: True for k, v in (("clear", clear), ("submit", submit)) if v}}
            )
        case act.Key(name=name):
            return ActionCall("key", {"key": name})
        case act.OpenApp(package=package):
            return ActionCall("open_app", {"app": pen.view.label(package)})
        case act.Wait(seconds=seconds):
            return ActionCall("wait", {"seconds": seconds})
        case act.Done(answer=answer):
            return ActionCall("done", {"answer": answer} if answer else {})
        case act.GiveUp(reason=reason):
            return ActionCall("give_up", {"reason": reason} if reason else {})
        case act.Clear() | act.Back() | act.Home() | act.Recents():
            return ActionCall(action.type)


def _write(call: ActionCall, thought: str) -> str:
    return compact({"thought": thought, "action": call.verb, **call.arguments})


def _system(place: str, scale: str) -> str:
    return f"""You operate a phone. Answer with one JSON object: first "thought", why in one sentence, then \
"action" and its arguments. {scale}

- {{"action": "tap", {place}}}; "double_tap" and "long_press" in the same way
- {{"action": "swipe", {place}, "to": …}}: move the finger; "drag" holds what is under it
- {{"action": "scroll", "direction": "up" | "down" | "left" | "right"}}: down shows what is below
- {{"action": "type", "text": "…", {place}, "clear": true, "submit": true}}: only "text" is required
- {{"action": "key", "key": "enter"}}, {{"action": "clear"}}
- {{"action": "back"}}, {{"action": "home"}}, {{"action": "recents"}}
- {{"action": "open_app", "app": "name"}}
- {{"action": "wait", "seconds": 1}}
- {{"action": "done", "answer": "…"}}: the task is done; "answer" if it asks for one
- {{"action": "give_up", "reason": "…"}}: it cannot be done"""


def _system_places(view: ScreenView, rule: Coordinates) -> str:
    order = "[y, x]" if rule.y_first else "[x, y]"
    if rule.unit is Unit.GRID:
        place, scale = f'"point": {order}', f"Points are {order}, each from 0 to {rule.span}."
    else:
        size = view.image if rule.unit is Unit.IMAGE else view.screen
        place = f'"coords": {order}'
        scale = f"Coordinates are pixels of the image, {size.width} x {size.height}."
    if view.elements:
        scale += f' The number of an element can replace its coordinates: "element": 5 instead of {place}.'
    return _system(place, scale)


_FUNCTIONS = ToolFunctions(_FUNCTION, "action")

JSON = Dialect(
    "json",
    IMAGE_PIXELS,
    LARGEST_AS_SENT,
    read,
    VERBS,
    _call_for,
    _write,
    _system_places,
    _FUNCTIONS,
    numbers_from=0,
)
GEMINI = Dialect(
    "gemini", Coordinates(Unit.GRID, 1000, y_first=True), LongSide(2048), read, VERBS, _call_for, _write,
    _system_places, _FUNCTIONS, numbers_from=0,
)  # fmt: skip
