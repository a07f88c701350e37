"""UI-TARS 1.0 and 1.5 and Doubao's UI-TARS: ``Thought: … Action: click(start_box='(197,525)')``.

1.0 and Doubao's use coordinates from 0 to 1000, 1.5 pixels of the resized image (factor 28). A line break at
the end of a text submits it, as their prompts say; their parser also accepts its escape sequence.
Source: the prompt for phones and the action parser in the models' repository.
"""

from __future__ import annotations

import re

from garabench.agents.dialects import verbs
from garabench.agents.dialects.arguments import Arguments
from garabench.agents.dialects.calls import ActionCall, read_calls
from garabench.agents.dialects.coordinates import GRID_1000, IMAGE_PIXELS
from garabench.agents.dialects.dialect import Dialect, PointFormatter
from garabench.agents.dialects.image_sizes import NativeSize, SmartResize
from garabench.agents.dialects.reply import MalformedReplyError, ReplyFlaw
from garabench.agents.dialects.single_action import only_action, parts
from garabench.core import action as act
from garabench.core.action import Action
from garabench.core.geometry import Point

_ACTION = re.compile(r"^(?:[^\S\n]|\*)*Action\s*[:：]", re.MULTILINE)
_WITHIN = re.compile(r"(?<![\w*])Action[:：]")
_LINE_ENDS = ("\n", "\\n")
_THOUGHT = re.compile(r"(?:Thought|Reflection|Action_Summary)\s*[:：]")


def read(text: str) -> tuple[ActionCall, str]:
    """Parse the call after ``Action:``, or a reply that is only a call."""
    markers = list(_ACTION.finditer(text)) or list(_WITHIN.finditer(text))
    thought = _THOUGHT.sub("", text[: markers[-1].start()]) if markers else ""
    if not markers and not re.match(r"\s*[A-Za-z_]+\s*\(", text):
        raise MalformedReplyError(ReplyFlaw.NO_ACTION, "the reply has no line 'Action: …'")
    bodies = parts(text, markers) if markers else [text]
    call = only_action([call for body in bodies for call in read_calls(body, _ANOTHER)])
    if call.unnamed:
        raise MalformedReplyError(ReplyFlaw.BAD_ARGUMENT, f"the arguments of {call.verb} must be named")
    return call, thought


def _spot(a: Arguments) -> Point:
    """Return the point of a touch without movement."""
    return _start(a.without("end_box", "end_point"))


def _start(a: Arguments) -> Point:
    a.one_of(("start_box",), ("point",), ("start_point",))
    return a.point("start_box", "point", "start_point")


def _scroll(a: Arguments) -> Action:
    at = _start(a) if a.has("start_box", "point", "start_point") else None
    return verbs.scroll(a.direction("direction"), at)


def _drag(a: Arguments) -> Action:
    return verbs.swipe(_start(a), a.point("end_box", "end_point"))


_VERBS = {
    "click": lambda a: verbs.tap(_spot(a)),
    "left_single": lambda a: verbs.tap(_spot(a)),
    "left_double": lambda a: verbs.double_tap(_spot(a)),
    "long_press": lambda a: verbs.long_press(_spot(a)),
    "type": lambda a: verbs.type_and_submit(a.text("content"), _LINE_ENDS),
    "scroll": _scroll,
    "drag": _drag,
    "swipe": _drag,
    "open_app": lambda a: verbs.open_app(a, a.text("app_name")),
    "press_home": lambda a: act.Home(),
    "press_back": lambda a: act.Back(),
    "press_enter": lambda a: act.Key(name="enter"),
    "hotkey": lambda a: verbs.key(a.text("key")),
    "wait": lambda a: verbs.wait(a.number("time", default=5)),
    "finished": lambda a: verbs.done(a.text("content", default="")),
    "call_user": lambda a: verbs.give_up(a.text("content", default="the agent calls for its user")),
}

_ANOTHER = re.compile(rf"\b(?:{'|'.join(_VERBS)})\s*[(（]")


def _call_for(action: Action, pen: PointFormatter, start: str, end: str) -> ActionCall | None:
    match action:
        case act.Tap(x=x, y=y):
            return ActionCall("click", {start: pen.pair(x, y)})
        case act.LongPress(x=x, y=y):
            return ActionCall("long_press", {start: pen.pair(x, y)})
        case act.DoubleTap(x=x, y=y):
            return ActionCall("left_double", {start: pen.pair(x, y)})
        case act.Swipe(x1=x1, y1=y1, x2=x2, y2=y2):
            return ActionCall("drag", {start: pen.pair(x1, y1), end: pen.pair(x2, y2)})
        case act.Scroll(direction=direction, x=x, y=y):
            place = {start: pen.pair(x, y)} if x is not None and y is not None else {}
            return ActionCall("scroll", {**place, "direction": direction})
        case act.Type(text=text, submit=submit, at=None, clear=False):
            content = verbs.submitted(text, submit, _LINE_ENDS)
            return None if content is None else ActionCall("type", {"content": content})
        case act.OpenApp(package=package):
            return ActionCall("open_app", {"app_name": pen.view.label(package)})
        case act.Home():
            return ActionCall("press_home")
        case act.Back():
            return ActionCall("press_back")
        case act.Key(name="enter"):
            return ActionCall("press_enter")
        case act.Wait(seconds=seconds):
            return ActionCall("wait", {"time": seconds})
        case act.Done(answer=answer):
            return ActionCall("finished", {"content": answer})
        case act.GiveUp(reason=reason):
            return ActionCall("call_user", {"content": reason})
        case _:
            return None


def call_with_boxes(action: Action, pen: PointFormatter) -> ActionCall | None:
    """Return the call with ``start_box`` and ``end_box``."""
    return _call_for(action, pen, "start_box", "end_box")


def call_with_points(action: Action, pen: PointFormatter) -> ActionCall | None:
    """Return the call with ``point``, or with ``start_point`` and ``end_point`` for a drag."""
    if isinstance(action, act.Swipe):
        return _call_for(action, pen, "start_point", "end_point")
    return _call_for(action, pen, "point", "end_point")


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")


def _write(call: ActionCall, thought: str, pair: str) -> str:
    parts = []
    for name, value in call.arguments.items():
        shown = pair.format(*value) if isinstance(value, list) else f"'{_escaped(str(value))}'"
        parts.append(f"{name}={shown}")
    return f"Thought: {thought}\nAction: {call.verb}({', '.join(parts)})"


def _system(point: str, start: str, end: str) -> str:
    return f"""You operate a phone. You are given a task, your earlier actions and a screenshot. \
Do the next action to fulfil the task.

## Output Format
Thought: ...
Action: ...

## Action Space
click({start}='{point}')
long_press({start}='{point}')
type(content='') # end the content with \\n to submit it
scroll({start}='{point}', direction='down or up or right or left')
open_app(app_name='')
drag({start}='{point}', {end}='{point}')
press_home()
press_back()
wait()
finished(content='xxx') # the answer, where the task asks for one; escape ' and \\n in it

## Note
- Plan the next action in one sentence of the Thought part, and name its target.
- Write one action only."""


def _with(name: str, version: str) -> Dialect:
    box = "<|box_start|>({},{})<|box_end|>"
    match version:
        case "1.0":
            return Dialect(
                name, GRID_1000, NativeSize(), read, _VERBS, call_with_boxes,
                lambda call, thought: _write(call, thought, f"'{box}'"),
                lambda view, rule: _system("<|box_start|>(x,y)<|box_end|>", "start_box", "end_box"),
            )  # fmt: skip
        case "1.5":
            return Dialect(
                name, IMAGE_PIXELS, SmartResize(28, 100 * 28**2, 16384 * 28**2), read, _VERBS,
                call_with_boxes, lambda call, thought: _write(call, thought, "'({},{})'"),
                lambda view, rule: _system("(x,y)", "start_box", "end_box"),
            )  # fmt: skip
        case _:
            return Dialect(
                name, GRID_1000, NativeSize(), read, _VERBS, call_with_points,
                lambda call, thought: _write(call, thought, "'<point>{} {}</point>'"),
                lambda view, rule: _system("<point>x y</point>", "point", "end_point"),
            )  # fmt: skip


UI_TARS_10 = _with("ui-tars-1.0", "1.0")
UI_TARS_15 = _with("ui-tars-1.5", "1.5")
DOUBAO_UI_TARS = _with("doubao-ui-tars", "doubao")
