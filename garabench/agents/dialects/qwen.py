"""Dialects of Qwen2.5-VL, Qwen3-VL and agents based on them: GUI-Owl (Mobile-Agent-v3), GUI-Owl 1.5.

All call one tool, ``mobile_use``. Qwen2.5-VL uses pixels of the resized image (factor 28), whose size the
prompt states; Qwen3-VL uses 0 to 999, GUI-Owl 1.5 0 to 1000, GUI-Owl pixels. Text is typed verbatim, except
by GUI-Owl, whose client presses Enter for a line break.
Source: the models' cookbooks for phones; Mobile-Agent's prompts and clients.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from garabench.agents.dialects import verbs
from garabench.agents.dialects.arguments import Arguments
from garabench.agents.dialects.calls import ActionCall
from garabench.agents.dialects.coordinates import (
    GRID_999,
    GRID_1000,
    IMAGE_PIXELS,
    Coordinates,
    ScreenView,
    Unit,
)
from garabench.agents.dialects.dialect import Dialect, PointFormatter, ToolFunctions
from garabench.agents.dialects.image_sizes import SmartResize
from garabench.agents.dialects.lenient_json import objects
from garabench.agents.dialects.reply import MalformedReplyError, ReplyFlaw, short_repr
from garabench.agents.dialects.serialize import compact, json_string
from garabench.agents.dialects.single_action import only_action
from garabench.agents.dialects.thoughts import is_alone
from garabench.core import action as act
from garabench.core.action import Action
from garabench.core.geometry import Point

_TOOL = re.compile(r"<tool_call>")
_SECTION = re.compile(r"#{2,3}\s*Action\s*#{2,3}|^[ \t]*#{2,3}[ \t]*Action[ \t]*$", re.MULTILINE)
_HEADING = re.compile(r"^[ \t]*#{2,3}[ \t]*[A-Za-z]", re.MULTILINE)
_THOUGHT = re.compile(
    r"</?think(?:ing)?>|#{2,3}\s*Thought\s*#{2,3}|^[^\S\n]*(?:Thought|Action)\s*[:：]", re.MULTILINE
)
_THINKS = re.compile(r"^[^\S\n]*(?:Thought|Reason)\s*[:：]|^[ \t]*#{2,3}[ \t]*Thought\b", re.MULTILINE)
_AS_THOUGHT = re.compile(r"^[^\S\n]*Thought\s*[:：]", re.MULTILINE)
_AS_ACTION = re.compile(r"^[^\S\n]*Action\s*[:：]", re.MULTILINE)
_DEFAULT_SECONDS = 2
_TOOL_NAME = "mobile_use"


def read_tool(text: str) -> tuple[ActionCall, str]:
    """Parse the call between ``<tool_call>`` tags or, without tags, the one object with a known shape.

    Without tags the call must follow ``Action:`` or be alone at the end, since a thought may quote a call.
    """
    tag = _TOOL.search(text)
    start = tag.end() if tag else 0
    found = objects(text[start:], _is_call)
    if tag is None and (thinks := _THINKS.search(text)) is not None and not is_alone(text, found):
        acts = _AS_ACTION.search(text, thinks.end())
        found = [one for one in found if acts is not None and one[1] >= acts.end()]
    thought = text[: tag.start()] if tag else text[: found[0][1]] if found else ""
    return _call(only_action([value for value, _, _ in found])), _reasons(thought)


def _reasons(text: str) -> str:
    """Return the thought of a reply, or the text of its line ``Action:`` if it has no thought."""
    thought = _AS_THOUGHT.search(text)
    action = _AS_ACTION.search(text, thought.end() if thought else 0)
    if thought is not None and action is not None:
        text = text[: action.start()]
    elif action is not None:
        words = text[action.end() :].strip()
        is_quoted = len(words) > 1 and words[0] == words[-1] == '"'
        text = text[: action.start()] + (words[1:-1] if is_quoted else words)
    return _THOUGHT.sub("", text)


def read_sections(text: str) -> tuple[ActionCall, str]:
    """Parse the object in the section ``### Action ###``."""
    sections = list(_SECTION.finditer(text))
    if not sections:
        return read_tool(text)
    found: list[dict[str, Any]] = []
    read_to = 0
    for section in sections:
        if section.start() < read_to:
            continue  # inside a section that was read already, or inside typed text
        heading = _HEADING.search(text, section.end())
        read_to = heading.start() if heading else len(text)
        found += [value for value, _, _ in objects(text[section.end() : read_to], _is_call)]
    return _call(only_action(found)), _THOUGHT.sub("", text[: sections[0].start()])


def _is_call(value: dict[str, Any]) -> bool:
    return "action" in value or ("name" in value and ("arguments" in value or "parameters" in value))


def _call(value: dict[str, Any]) -> ActionCall:
    fields = value.get("arguments", value.get("parameters", value))
    if isinstance(fields, str):
        fields = only_action([inner for inner, _, _ in objects(fields, _is_call)])
    if not isinstance(fields, dict):
        raise MalformedReplyError(
            ReplyFlaw.BAD_ARGUMENT, f"arguments must be an object, not {short_repr(fields)}"
        )
    named = value.get("name", _TOOL_NAME)
    if fields is not value and named != _TOOL_NAME:
        raise MalformedReplyError(
            ReplyFlaw.UNKNOWN_ACTION, f"unknown function {short_repr(named)}; call {_TOOL_NAME}"
        )
    verb = fields.get("action")
    if not isinstance(verb, str):
        raise MalformedReplyError(ReplyFlaw.NO_ACTION, "the call has no key 'action'")
    return ActionCall(verb, {name: part for name, part in fields.items() if name != "action"})


def _terminate(a: Arguments) -> Action:
    match a.text("status", default="success"):
        case "success":
            return verbs.done(a.text("text", default=""))
        case "failure" | "fail":
            return verbs.give_up(a.text("text", default=""))
        case other:
            raise MalformedReplyError(
                ReplyFlaw.BAD_ARGUMENT, f"status must be success or failure, not {short_repr(other)}"
            )


def _spot(a: Arguments) -> Point:
    """Return the point of a touch without movement."""
    return a.without("coordinate2").point("coordinate")


_VERBS = {
    "click": lambda a: verbs.tap(_spot(a)),
    "left_click": lambda a: verbs.tap(_spot(a)),
    "double_click": lambda a: verbs.double_tap(_spot(a)),
    "long_press": lambda a: verbs.long_press(_spot(a), a.number("time", default=_DEFAULT_SECONDS)),
    "swipe": lambda a: verbs.swipe(a.point("coordinate"), a.point("coordinate2")),
    "scroll": lambda a: verbs.swipe(a.point("coordinate"), a.point("coordinate2")),
    "drag": lambda a: act.Drag(**_path(a)),
    "type": lambda a: verbs.type_text(a.text("text"), _spot(a) if a.has("coordinate") else None),
    "key": lambda a: verbs.key(a.text("text", "key")),
    "system_button": lambda a: verbs.key(a.text("button")),
    "open": lambda a: verbs.open_app(a, a.text("text", "app")),
    "open_app": lambda a: verbs.open_app(a, a.text("text", "app", "app_name")),
    "wait": lambda a: verbs.wait(a.number("time", default=_DEFAULT_SECONDS)),
    "answer": lambda a: verbs.done(a.text("text", "answer")),
    **dict.fromkeys(
        ("interact", "call_user"), lambda a: verbs.give_up(a.text("text", default="a person has to act"))
    ),
    "terminate": _terminate,
}
_OWL_VERBS = _VERBS | {
    "type": lambda a: verbs.type_and_submit(
        a.without("coordinate", "coordinate2").text("text"), ("\n", "\\n")
    )
}
"""Mobile-Agent-v3's client presses Enter for a line break, and also for its escape sequence."""


def _path(a: Arguments) -> dict[str, Any]:
    start, end = a.point("coordinate"), a.point("coordinate2")
    return {"x1": start.x, "y1": start.y, "x2": end.x, "y2": end.y}


def _call_for(action: Action, pen: PointFormatter) -> ActionCall | None:
    match action:
        case act.Tap(x=x, y=y):
            return ActionCall("click", {"coordinate": pen.pair(x, y)})
        case act.LongPress(x=x, y=y, ms=ms):
            return ActionCall("long_press", {"coordinate": pen.pair(x, y), "time": ms / 1000})
        case act.DoubleTap(x=x, y=y):
            return ActionCall("double_click", {"coordinate": pen.pair(x, y)})
        case act.Swipe(x1=x1, y1=y1, x2=x2, y2=y2):
            return ActionCall("swipe", {"coordinate": pen.pair(x1, y1), "coordinate2": pen.pair(x2, y2)})
        case act.Drag(x1=x1, y1=y1, x2=x2, y2=y2):
            return ActionCall("drag", {"coordinate": pen.pair(x1, y1), "coordinate2": pen.pair(x2, y2)})
        case act.Type(text=text, submit=False, at=None, clear=False):
            return ActionCall("type", {"text": text})
        case act.Back() | act.Home():
            return ActionCall("system_button", {"button": action.type.capitalize()})
        case act.Key(name="enter" | "menu" as name):
            return ActionCall("system_button", {"button": name.capitalize()})
        case act.Key(name=name):
            return ActionCall("key", {"text": name})
        case act.OpenApp(package=package):
            return ActionCall("open", {"text": pen.view.label(package)})
        case act.Wait(seconds=seconds):
            return ActionCall("wait", {"time": seconds})
        case act.Done(answer=answer) if answer:
            return ActionCall("answer", {"text": answer})
        case act.Done():
            return ActionCall("terminate", {"status": "success"})
        case act.GiveUp(reason=reason):
            return ActionCall("terminate", {"status": "failure", **({"text": reason} if reason else {})})
        case _:
            return None


def _call_for_owl(action: Action, pen: PointFormatter) -> ActionCall | None:
    if isinstance(action, act.Type) and action.at is None and not action.clear:
        typed = verbs.submitted(action.text, action.submit, ("\n", "\\n"))
        return None if typed is None else ActionCall("type", {"text": typed})
    return _call_for(action, pen)


def _tool_text(call: ActionCall) -> str:
    arguments = {"action": call.verb, **call.arguments}
    return f'<tool_call>\n{{"name": "mobile_use", "arguments": {compact(arguments)}}}\n</tool_call>'


def _write_tool(call: ActionCall, thought: str) -> str:
    return f"{thought}\n{_tool_text(call)}" if thought else _tool_text(call)


def _write_reasoned(call: ActionCall, thought: str) -> str:
    return f"Thought: {thought}\nAction: {json_string(call.verb)}\n{_tool_text(call)}"


def _write_named(call: ActionCall, thought: str) -> str:
    return f"Action: {thought or call.verb}\n{_tool_text(call)}"


def _write_sections(call: ActionCall, thought: str) -> str:
    body = compact({"action": call.verb, **call.arguments})
    return f"### Thought ###\n{thought}\n\n### Action ###\n{body}\n\n### Description ###\n{call.verb}"


def _system(shape: str) -> Callable[[ScreenView, Coordinates], str]:
    def text(view: ScreenView, rule: Coordinates) -> str:
        return f"""You operate a phone with one tool, mobile_use. {_scale(view, rule)}

Its arguments:
- {{"action": "click", "coordinate": [x, y]}}
- {{"action": "long_press", "coordinate": [x, y], "time": seconds}}
- {{"action": "swipe", "coordinate": [x, y], "coordinate2": [x2, y2]}}: move the finger from one to the other
- {{"action": "type", "text": "…"}}: into the focused field
- {{"action": "system_button", "button": "Back" | "Home" | "Menu" | "Enter"}}
- {{"action": "open", "text": "name of an app"}}
- {{"action": "wait", "time": seconds}}
- {{"action": "answer", "text": "…"}}: the answer, where the task asks for one
- {{"action": "terminate", "status": "success" | "failure"}}

{shape}"""

    return text


_SHAPE_TOOL = """Answer with one call:
<tool_call>
{"name": "mobile_use", "arguments": {"action": …}}
</tool_call>"""
_SHAPE_REASONED = f"""Write first "Thought: " with one sentence, then "Action: " with what you do, then:
{_SHAPE_TOOL}"""
_SHAPE_SECTIONS = """Answer in three parts: "### Thought ###", "### Action ###" with the arguments as JSON, \
"### Description ###"."""


def _scale(view: ScreenView, rule: Coordinates) -> str:
    if rule.unit is Unit.GRID:
        return f"Coordinates count from 0 to {rule.span}, from the upper left corner of the screen."
    size = view.image if rule.unit is Unit.IMAGE else view.screen
    return f"The screen's resolution is {size.width}x{size.height}; coordinates are its pixels."


_QWEN25_IMAGE = SmartResize(28, 4 * 28**2, 16384 * 28**2)
_QWEN3_IMAGE = SmartResize(32, 4 * 32**2, 16384 * 32**2)

_FUNCTIONS = ToolFunctions("mobile_use", "action")

QWEN25_VL = Dialect(
    "qwen2.5-vl", IMAGE_PIXELS, _QWEN25_IMAGE, read_tool, _VERBS, _call_for, _write_tool,
    _system(_SHAPE_TOOL), _FUNCTIONS,
)  # fmt: skip
QWEN3_VL = Dialect(
    "qwen3-vl", GRID_999, _QWEN3_IMAGE, read_tool, _VERBS, _call_for, _write_reasoned,
    _system(_SHAPE_REASONED), _FUNCTIONS,
)  # fmt: skip
GUI_OWL = Dialect(
    "gui-owl", IMAGE_PIXELS, _QWEN25_IMAGE, read_sections, _OWL_VERBS, _call_for_owl, _write_sections,
    _system(_SHAPE_SECTIONS),
)  # fmt: skip
GUI_OWL_15 = Dialect(
    "gui-owl-1.5", GRID_1000, _QWEN3_IMAGE, read_tool, _VERBS, _call_for, _write_named,
    _system(_SHAPE_TOOL), _FUNCTIONS,
)  # fmt: skip
