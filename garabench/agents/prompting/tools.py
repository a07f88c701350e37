"""The functions that models may call in each dialect, with the JSON Schema of their arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from garabench.agents.dialects.coordinates import ScreenView, Unit
from garabench.agents.dialects.dialect import Dialect
from garabench.agents.models.messages import Tool

_TEXT: dict[str, Any] = {"type": "string"}
_NUMBER: dict[str, Any] = {"type": "number"}
_WHOLE: dict[str, Any] = {"type": "integer"}
_FLAG: dict[str, Any] = {"type": "boolean"}
_DIRECTION: dict[str, Any] = {"type": "string", "enum": ["up", "down", "left", "right"]}


def tools_for(dialect: Dialect, view: ScreenView) -> tuple[Tool, ...]:
    """Return the functions of a dialect; empty if it has none.

    Args:
        dialect: The dialect.
        view: The screen, whose size the descriptions state.
    """
    match dialect.functions:
        case None:
            return ()
        case functions if functions.shared == "mobile_use":
            return (_mobile_use(dialect, view),)
        case functions if functions.shared == "act":
            return (_act(dialect, view),)
        case functions if functions.shared and functions.verb == "type":
            return (_openai_computer(dialect, view),)
        case functions if functions.shared:
            return (_anthropic_computer(dialect, view),)
        case _:
            return _gemini(dialect)


def _tool(name: str, about: str, fields: Mapping[str, Any], required: Sequence[str] = ()) -> Tool:
    schema = {"type": "object", "properties": dict(fields), "additionalProperties": False}
    return Tool(name, about, {**schema, "required": list(required)} if required else schema)


def _with(schema: Mapping[str, Any], about: str) -> dict[str, Any]:
    return {**schema, "description": about}


def _pair(about: str) -> dict[str, Any]:
    return {"type": "array", "items": _NUMBER, "minItems": 2, "maxItems": 2, "description": about}


def _choice(*words: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(words)}


def _scale(dialect: Dialect, view: ScreenView) -> str:
    order = "[y, x]" if dialect.coordinates.y_first else "[x, y]"
    if dialect.coordinates.unit is Unit.GRID:
        return f"{order}, each from 0 to {dialect.coordinates.span}"
    size = view.image if dialect.coordinates.unit is Unit.IMAGE else view.screen
    return f"{order} in pixels of the screenshot, which is {size.width}x{size.height}"


def _mobile_use(dialect: Dialect, view: ScreenView) -> Tool:
    verbs = ("click", "long_press", "swipe", "type", "system_button", "open", "wait", "answer", "terminate")
    fields = {
        "action": _choice(*verbs),
        "coordinate": _pair(f"Point of click and long_press, start of swipe: {_scale(dialect, view)}."),
        "coordinate2": _pair("End of swipe."),
        "text": _with(_TEXT, "Text of type and answer; name of the app for open."),
        "time": _with(_NUMBER, "Seconds of long_press and wait."),
        "button": _with(_choice("Back", "Home", "Menu", "Enter"), "Button of system_button."),
        "status": _with(_choice("success", "failure"), "Status of terminate."),
    }
    return _tool("mobile_use", "Perform one action on the phone's touchscreen.", fields, ("action",))


def _act(dialect: Dialect, view: ScreenView) -> Tool:
    place = "point" if dialect.coordinates.unit is Unit.GRID else "coords"
    fields: dict[str, Any] = {
        "thought": _with(_TEXT, "Why, in one sentence."),
        "action": _choice(
            *("tap", "double_tap", "long_press", "swipe", "drag", "scroll", "type", "clear", "key", "back"),
            *("home", "recents", "open_app", "wait", "done", "give_up"),
        ),
        place: _pair(f"Point: {_scale(dialect, view)}."),
        "to": _pair("End of swipe or drag."),
        "direction": _with(_DIRECTION, "Direction of scroll: down shows what is below."),
        "amount": _with(_NUMBER, "Distance of scroll, as a fraction of the screen."),
        "text": _with(_TEXT, "Text to type."),
        "clear": _with(_FLAG, "Whether to replace the text of the field."),
        "submit": _with(_FLAG, "Whether to press Enter after the text."),
        "key": _with(_TEXT, "Key to press, such as enter."),
        "app": _with(_TEXT, "Name of the app to open."),
        "seconds": _NUMBER,
        "answer": _with(_TEXT, "Answer for done, if the task asks for one."),
        "reason": _with(_TEXT, "Reason for give_up."),
    }
    if view.elements:
        fields["element"] = _with(_WHOLE, f"Number of an element, instead of {place}.")
    return _tool("act", "Perform one action on the phone.", fields, ("action",))


def _ends() -> dict[str, Any]:
    return {
        "app_name": _with(_TEXT, "Name of the app for open_app."),
        "answer": _with(_TEXT, "Answer for done, if the task asks for one."),
        "reason": _with(_TEXT, "Reason for give_up."),
    }


def _openai_computer(dialect: Dialect, view: ScreenView) -> Tool:
    verbs = ("click", "double_click", "scroll", "type", "keypress", "drag", "wait", "screenshot")
    place = {"type": "object", "properties": {"x": _NUMBER, "y": _NUMBER}, "required": ["x", "y"]}
    fields = {
        "type": _choice(*verbs, "open_app", "done", "give_up"),
        "x": _with(_NUMBER, f"With y: {_scale(dialect, view)}."),
        "y": _NUMBER,
        "button": _choice("left", "right"),
        "scroll_x": _with(_NUMBER, "Pixels; above 0 shows what is to the right."),
        "scroll_y": _with(_NUMBER, "Pixels; above 0 shows what is below."),
        "text": _with(_TEXT, "Text of type; a trailing line break presses Enter."),
        "keys": {
            "type": "array",
            "items": _TEXT,
            "description": "Keys, such as ENTER, BACK or HOME.",
        },
        "path": {"type": "array", "items": place, "minItems": 2, "description": "Points of drag."},
        **_ends(),
    }
    return _tool("computer", "Perform one action on the phone's screen.", fields, ("type",))


def _anthropic_computer(dialect: Dialect, view: ScreenView) -> Tool:
    verbs = ("left_click", "right_click", "double_click", "left_click_drag", "scroll", "type", "key", "wait")
    fields = {
        "action": _choice(*verbs, "screenshot", "open_app", "done", "give_up"),
        "coordinate": _pair(f"Point, or end of left_click_drag: {_scale(dialect, view)}."),
        "start_coordinate": _pair("Start of left_click_drag."),
        "scroll_direction": _with(_DIRECTION, "Down shows what is below."),
        "scroll_amount": _with(_WHOLE, "Notches of the wheel; ten scroll a whole screen."),
        "text": _with(
            _TEXT,
            "Text of type (a trailing line break presses Enter), or key of key: Return, back, home.",
        ),
        "duration": _with(_NUMBER, "Seconds of wait."),
        **_ends(),
    }
    return _tool("computer", "Perform one action on the phone's screen.", fields, ("action",))


def _gemini(dialect: Dialect) -> tuple[Tool, ...]:
    grid = f"from 0 to {dialect.coordinates.span}"
    x, y = _with(_WHOLE, f"From the left, {grid}."), _with(_WHOLE, f"From the top, {grid}.")
    place = {"x": x, "y": y}
    typed = {**place, "text": _TEXT, "press_enter": _FLAG, "clear_before_typing": _FLAG}
    scrolled = {**place, "direction": _DIRECTION, "magnitude": _with(_WHOLE, "1000 scrolls a whole screen.")}
    dragged = {**place, "destination_x": x, "destination_y": y}
    return (
        _tool("click_at", "Tap.", place, ("x", "y")),
        _tool("long_press_at", "Long-press.", place, ("x", "y")),
        _tool("type_text_at", "Tap a field and type into it.", typed, ("x", "y", "text")),
        _tool("scroll_document", "Scroll the page: down shows what is below.", {"direction": _DIRECTION},
              ("direction",)),
        _tool("scroll_at", "Scroll at a point: down shows what is below.", scrolled,
              ("x", "y", "direction")),
        _tool("drag_and_drop", "Drag from one point to another.", dragged, tuple(dragged)),
        _tool("key_combination", "Press a key, such as enter.", {"keys": _TEXT}, ("keys",)),
        _tool("wait_5_seconds", "Wait.", {}),
        _tool("go_back", "Press Back.", {}),
        _tool("go_home", "Press Home.", {}),
        _tool("open_app", "Open an app by its name.", {"app_name": _TEXT}, ("app_name",)),
        _tool("done", "Report that the task is done.", {"answer": _TEXT}),
        _tool("give_up", "Report that the task cannot be done.", {"reason": _TEXT}),
    )  # fmt: skip
