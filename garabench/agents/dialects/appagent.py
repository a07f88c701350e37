"""AppAgent: ``Action: tap(5)`` with the labels of numbered elements, from 1; ``FINISH`` at the end.

Swipes are named by the direction of the finger. There is no verb for Enter: a newline at the end of a text
means Enter, as the prompt says. Source: AppAgent's prompts and response parser.
"""

from __future__ import annotations

import re
from typing import get_args

from garabench.agents.dialects import verbs
from garabench.agents.dialects.arguments import Arguments
from garabench.agents.dialects.calls import ActionCall, read_calls
from garabench.agents.dialects.coordinates import SCREEN_PIXELS, Coordinates, ScreenView
from garabench.agents.dialects.dialect import Dialect, PointFormatter
from garabench.agents.dialects.image_sizes import NativeSize
from garabench.agents.dialects.reply import MalformedReplyError, ReplyFlaw, short_repr
from garabench.agents.dialects.serialize import json_string
from garabench.agents.dialects.single_action import only_action, parts
from garabench.core import action as act
from garabench.core.action import Action
from garabench.core.geometry import Direction, Point

_ACTION = re.compile(r"^(?:[^\S\n]|\*)*Action\s*[:：]", re.MULTILINE)
_LABELS = re.compile(r"(?:Observation|Thought)\s*[:：]")
_FINISH = re.compile(r"[`\"'\s*]*FINISH\b")
_SUMMARY = re.compile(r"^(?:[^\S\n]|\*)*Summary\s*[:：]", re.MULTILINE)
_PROSE = re.compile(r"[ \t`\"'*]*[^\W_][^\n]*")
_ANOTHER = re.compile(r"\b(?:tap|long_press|swipe|text|back|home)\s*[(（]|\bFINISH\b")
_SHARES = {"short": 0.1, "medium": 0.25, "long": 0.5}


def read(text: str) -> tuple[ActionCall, str]:
    """Parse the call after ``Action:``."""
    markers = list(_ACTION.finditer(text))
    thought = _LABELS.sub("", text[: markers[-1].start()]) if markers else ""
    if not markers and not re.match(r"\s*`*[a-z_]+\s*\(", text):
        if _FINISH.match(text):
            return ActionCall("FINISH"), thought
        raise MalformedReplyError(ReplyFlaw.NO_ACTION, "the reply has no line 'Action: …'")
    bodies = parts(text, markers) if markers else [text]
    calls = [call for body in bodies for call in _calls(body)]
    if any(_FINISH.match(text, marker.end()) for marker in markers):
        calls.append(ActionCall("FINISH"))
    return only_action(calls), thought


def _calls(body: str) -> tuple[ActionCall, ...]:
    """Return the calls after one ``Action:``, up to the summary; ``FINISH`` is written without brackets."""
    body = _SUMMARY.split(body, maxsplit=1)[0]
    finish = _FINISH.match(body)
    if finish is None:
        return read_calls(body, _ANOTHER)
    if _ANOTHER.search(body, finish.end()):
        raise MalformedReplyError(ReplyFlaw.SEVERAL_ACTIONS, "FINISH and another action; write only one")
    if (words := _PROSE.match(body, finish.end())) is not None:
        raise MalformedReplyError(
            ReplyFlaw.NO_ACTION, f"unexpected text after FINISH: {short_repr(words.group().strip())}"
        )
    return (ActionCall("FINISH"),)


def _element(a: Arguments) -> Point:
    unnamed = a.call.unnamed
    if len(unnamed) > (3 if a.call.verb == "swipe" else 1):
        raise MalformedReplyError(
            ReplyFlaw.BAD_ARGUMENT, f"{a.call.verb} has too many arguments: {len(unnamed)}"
        )
    label = unnamed[0] if unnamed else a.call.arguments.get("element")
    if isinstance(label, str) and label.strip().isdecimal() and len(label) < 6:
        label = int(label)
    if isinstance(label, bool) or not isinstance(label, int):
        raise MalformedReplyError(
            ReplyFlaw.BAD_ARGUMENT, f"{a.call.verb} needs the number of an element, not {short_repr(label)}"
        )
    if label < 1:
        raise MalformedReplyError(
            ReplyFlaw.UNKNOWN_ELEMENT, f"there is no element {label}; numbers start at 1"
        )
    return a.view.element(label - 1)


def _text(a: Arguments) -> Action:
    if not a.call.unnamed and a.has("text_input"):
        return verbs.type_and_submit(a.text("text_input"))
    if len(a.call.unnamed) != 1 or not isinstance(a.call.unnamed[0], str | int | float):
        raise MalformedReplyError(ReplyFlaw.BAD_ARGUMENT, "text needs exactly one string")
    return verbs.type_and_submit(
        Arguments(ActionCall("text", {"text": a.call.unnamed[0]}), a.view, a.rule).text("text")
    )


def _swipe(a: Arguments) -> Action:
    start, rest = _element(a), a.call.unnamed[1:]
    if not a.call.unnamed and a.has("direction"):
        rest = (a.raw("direction"), *([a.raw("dist")] if a.has("dist") else []))
    if not rest:
        raise MalformedReplyError(
            ReplyFlaw.BAD_ARGUMENT, "swipe needs an element, a direction and a distance"
        )
    named = Arguments(ActionCall("swipe", {"direction": rest[0]}), a.view, a.rule)
    distance = str(rest[1]).strip().casefold() if len(rest) > 1 else "medium"
    if distance not in _SHARES:
        raise MalformedReplyError(
            ReplyFlaw.BAD_ARGUMENT, f"dist must be short, medium or long, not {short_repr(rest[1])}"
        )
    return verbs.finger(a, start, named.direction("direction"), _SHARES[distance])


_VERBS = {
    "tap": lambda a: verbs.tap(_element(a)),
    "long_press": lambda a: verbs.long_press(_element(a)),
    "swipe": _swipe,
    "text": _text,
    "back": lambda a: act.Back(),
    "home": lambda a: act.Home(),
    "FINISH": lambda a: verbs.done(),
}


def _call_for(action: Action, pen: PointFormatter) -> ActionCall | None:
    def numbered(verb: str, x: int, y: int) -> ActionCall | None:
        number = pen.view.element_at(Point(x, y))
        return None if number is None else ActionCall(verb, {}, (number + 1,))

    match action:
        case act.Tap(x=x, y=y):
            return numbered("tap", x, y)
        case act.LongPress(x=x, y=y):
            return numbered("long_press", x, y)
        case act.Swipe(x1=x, y1=y):
            return _call_for_swipe(action, numbered("swipe", x, y), pen)
        case act.Type(text=text, submit=submit, at=None, clear=False):
            typed = verbs.submitted(text, submit)
            return None if typed is None else ActionCall("text", {}, (typed,))
        case act.Back() | act.Home():
            return ActionCall(action.type)
        case act.Done(answer=""):
            return ActionCall("FINISH")
        case _:
            return None


def _call_for_swipe(action: act.Swipe, call: ActionCall | None, pen: PointFormatter) -> ActionCall | None:
    """Return the call for a swipe if its direction and distance are among those of the dialect."""
    if call is None:
        return None
    for direction in get_args(Direction):
        for distance in _SHARES:
            candidate = ActionCall("swipe", {}, (*call.unnamed, direction, distance))
            parsed = _swipe(Arguments(candidate, pen.view, pen.rule))
            if isinstance(parsed, act.Swipe) and (parsed.x2, parsed.y2) == (action.x2, action.y2):
                return candidate
    return None


def _write(call: ActionCall, thought: str) -> str:
    parts = ", ".join(json_string(value) if isinstance(value, str) else str(value) for value in call.unnamed)
    action = call.verb if call.verb == "FINISH" else f"{call.verb}({parts})"
    return f"Observation: …\nThought: {thought}\nAction: {action}\nSummary: …"


def _system(view: ScreenView, rule: Coordinates) -> str:
    return """You operate a phone. Elements of the screenshot are numbered, from 1. Call one function:

tap(element)
text("what to type"): \\n at its end presses Enter
long_press(element)
swipe(element, direction, dist): the finger's way "up", "down", "left" or "right"; "short", "medium" or "long"
back()
home()
FINISH when the task is done

Answer in four lines: "Observation: …", "Thought: …", "Action: …", "Summary: …"."""


APPAGENT = Dialect(
    "appagent", SCREEN_PIXELS, NativeSize(), read, _VERBS, _call_for, _write, _system, numbers_from=1
)
