"""AutoGLM-Phone: ``<think>…</think><answer>do(action="Tap", element=[x, y])</answer>``.

Its prompt states a range of 0 to 999, but its code divides by 1000, as is done here; another grid can be set.
Type replaces the text of the field, as in its code; Note and Call_API do nothing on the phone. There is no
verb for Enter: a newline at the end of a text means Enter, as the prompt says.
Source: the prompt and action handler in the model's repository.
"""

from __future__ import annotations

import re

from garabench.agents.dialects import verbs
from garabench.agents.dialects.arguments import Arguments
from garabench.agents.dialects.calls import ActionCall, read_calls
from garabench.agents.dialects.coordinates import GRID_1000, Coordinates, ScreenView
from garabench.agents.dialects.dialect import Dialect, PointFormatter
from garabench.agents.dialects.image_sizes import NativeSize
from garabench.agents.dialects.reply import MalformedReplyError, ReplyFlaw
from garabench.agents.dialects.serialize import compact, json_string
from garabench.agents.dialects.single_action import only_action, parts
from garabench.core import action as act
from garabench.core.action import Action

_ANSWER = re.compile(r"<answer>")
_CALL = re.compile(r"\b(?:do|finish)\s*\(")
_TAG = re.compile(r"</?(?:think|answer)>")
_SECONDS = re.compile(r"\d+(?:\.\d+)?")


def read(text: str) -> tuple[ActionCall, str]:
    """Parse the call between ``<answer>`` tags, or after the thought if there are no tags."""
    answers = list(_ANSWER.finditer(text))
    bodies = parts(text, answers) if answers else [text]
    starts = [_CALL.search(body) for body in bodies]
    calls = [
        call
        for body, start in zip(bodies, starts, strict=True)
        if start is not None
        for call in read_calls(body if answers else body[start.start() :], _CALL)
    ]
    first = starts[0]
    if first is None or not calls:
        raise MalformedReplyError(
            ReplyFlaw.NO_ACTION, "the reply has neither do(action=…) nor finish(message=…)"
        )
    thought = text[: answers[0].start()] if answers else text[: first.start()]
    call = only_action(calls)
    if call.unnamed:
        raise MalformedReplyError(ReplyFlaw.BAD_ARGUMENT, f"the arguments of {call.verb} must be named")
    return _named(call), _TAG.sub("", thought)


def _named(call: ActionCall) -> ActionCall:
    if call.verb != "do":
        return call
    arguments = dict(call.arguments)
    verb = arguments.pop("action", None)
    if not isinstance(verb, str):
        raise MalformedReplyError(ReplyFlaw.NO_ACTION, "do(…) has no action")
    return ActionCall(verb, arguments)


def _wait(a: Arguments) -> Action:
    seconds = _SECONDS.search(a.text("duration", default="1"))
    if seconds is None:
        raise MalformedReplyError(ReplyFlaw.BAD_ARGUMENT, "duration must be a number of seconds")
    return verbs.wait(float(seconds.group()[:6]))


_VERBS = {
    "Tap": lambda a: verbs.tap(a.point("element")),
    "Double Tap": lambda a: verbs.double_tap(a.point("element")),
    "Long Press": lambda a: verbs.long_press(a.point("element")),
    "Swipe": lambda a: verbs.swipe(a.point("start"), a.point("end")),
    "Type": lambda a: verbs.type_and_submit(a.text("text"), clear=True),
    "Type_Name": lambda a: verbs.type_and_submit(a.text("text"), clear=True),
    "Note": lambda a: verbs.wait(0.1),
    "Call_API": lambda a: verbs.wait(0.1),
    "Launch": lambda a: verbs.open_app(a, a.text("app")),
    "Back": lambda a: act.Back(),
    "Home": lambda a: act.Home(),
    "Wait": _wait,
    "Take_over": lambda a: verbs.give_up(a.text("message", default="a person has to take over")),
    "Interact": lambda a: verbs.give_up("a person has to choose"),
    "finish": lambda a: verbs.done(a.text("message", default="")),
}


def _call_for(action: Action, pen: PointFormatter) -> ActionCall | None:
    match action:
        case act.Tap(x=x, y=y):
            return ActionCall("Tap", {"element": pen.pair(x, y)})
        case act.DoubleTap(x=x, y=y):
            return ActionCall("Double Tap", {"element": pen.pair(x, y)})
        case act.LongPress(x=x, y=y):
            return ActionCall("Long Press", {"element": pen.pair(x, y)})
        case act.Swipe(x1=x1, y1=y1, x2=x2, y2=y2):
            return ActionCall("Swipe", {"start": pen.pair(x1, y1), "end": pen.pair(x2, y2)})
        case act.Type(text=text, submit=submit, at=None, clear=True):
            typed = verbs.submitted(text, submit)
            return None if typed is None else ActionCall("Type", {"text": typed})
        case act.OpenApp(package=package):
            return ActionCall("Launch", {"app": pen.view.label(package)})
        case act.Back() | act.Home():
            return ActionCall(action.type.capitalize())
        case act.Wait(seconds=seconds):
            return ActionCall("Wait", {"duration": f"{seconds:g} seconds"})
        case act.Done(answer=answer):
            return ActionCall("finish", {"message": answer})
        case act.GiveUp(reason=reason):
            return ActionCall("Take_over", {"message": reason})
        case _:
            return None


def _write(call: ActionCall, thought: str) -> str:
    parts = [
        f"{name}={json_string(v) if isinstance(v, str) else compact(v)}" for name, v in call.arguments.items()
    ]
    if call.verb != "finish":
        parts = [f"action={json_string(call.verb)}", *parts]
    verb = "finish" if call.verb == "finish" else "do"
    return f"<think>{thought}</think>\n<answer>{verb}({', '.join(parts)})</answer>"


def _system(view: ScreenView, rule: Coordinates) -> str:
    return """You operate a phone. Answer with <think>why</think><answer>action</answer>, one action only:

do(action="Launch", app="name")
do(action="Tap", element=[x,y])
do(action="Double Tap", element=[x,y])
do(action="Long Press", element=[x,y])
do(action="Swipe", start=[x1,y1], end=[x2,y2])
do(action="Type", text="…") in place of what the field holds; \\n at the end presses Enter
do(action="Back")
do(action="Home")
do(action="Wait", duration="x seconds")
do(action="Take_over", message="…") when the task cannot be done
finish(message="…") when it is done, with the answer where the task asks for one

Coordinates count from (0,0), the upper left corner, to (999,999), the lower right one."""


AUTOGLM_PHONE = Dialect("autoglm-phone", GRID_1000, NativeSize(), read, _VERBS, _call_for, _write, _system)
