"""Canonical actions of web trajectories: the action languages of WebArena and BrowserGym, and plain words.

Three forms are read: calls, such as ``click('a51')`` (BrowserGym) or ``click(text='Submit',
element='button')`` (WebGraphEval); commands with brackets, such as ``click [51]`` (WebArena); and sentences,
such as "clicked on the 'Submit' button". A call or a command may be in a code block of a reply. An element's
number is resolved by the accessibility tree.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import urlsplit

from garabench.graph.canonical_action import UNKNOWN, CanonicalAction, normalize_literal
from garabench.graph.slots import NO_SLOTS, Slots

OTHER = "other"
"""The kind of an action in words that no rule understands; a model may name it."""
_KINDS = {
    "click": "click",
    "dblclick": "double_click",
    "hover": "hover",
    "fill": "type",
    "type": "type",
    "press": "key",
    "keyboard_press": "key",
    "key": "key",
    "select_option": "select",
    "select": "select",
    "scroll": "scroll",
    "goto": "goto",
    "go_back": "back",
    "back": "back",
    "go_forward": "forward",
    "forward": "forward",
    "refresh": "refresh",
    "new_tab": "new_tab",
    "tab_close": "close_tab",
    "close_tab": "close_tab",
    "page_focus": "focus_tab",
    "tab_focus": "focus_tab",
    "tab": "focus_tab",
    "noop": "wait",
    "wait": "wait",
    "clear": "clear",
    "focus": "focus",
    "drag_and_drop": "drag",
    "upload_file": "upload",
    "send_msg_to_user": "done",
    "stop": "done",
    "answer": "done",
    "report_infeasible": "give_up",
    "mouse_click": "click",
    "mouse_dblclick": "double_click",
    "mouse_move": "hover",
    "mouse_down": "mouse_down",
    "mouse_up": "mouse_up",
    "mouse_drag_and_drop": "drag",
    "mouse_upload_file": "upload",
    "keyboard_type": "type",
    "keyboard_insert_text": "type",
    "keyboard_down": "key_down",
    "keyboard_up": "key_up",
}
_VERBS = {
    "click": "click",
    "clicked": "click",
    "clicking": "click",
    "press": "click",
    "pressed": "click",
    "tap": "click",
    "open": "click",
    "opened": "click",
    "choose": "select",
    "select": "select",
    "selected": "select",
    "pick": "select",
    "type": "type",
    "typed": "type",
    "enter": "type",
    "entered": "type",
    "input": "type",
    "fill": "type",
    "write": "type",
    "search": "type",
    "scroll": "scroll",
    "scrolled": "scroll",
    "hover": "hover",
    "navigate": "goto",
    "go": "goto",
    "visit": "goto",
    "wait": "wait",
    "waited": "wait",
    "answer": "done",
    "stop": "done",
}
_TARGETED = frozenset(
    {"click", "double_click", "hover", "type", "select", "clear", "focus", "drag", "upload"}
    | {"mouse_down", "mouse_up"}
)
"""Kinds whose first argument is an element or a point."""
_FILLERS = frozenset(
    {"a", "an", "the", "on", "in", "into", "to", "at", "of", "and", "then"}
    | {"i", "we", "it", "its", "with", "for", "from", "this", "that", "by"}
)
_ROLES = frozenset(
    (
        "button",
        "link",
        "field",
        "box",
        "textbox",
        "menu",
        "tab",
        "checkbox",
        "option",
        "icon",
        "dropdown",
        "input",
    )
)
_CALL = re.compile(r"\s*([a-z_]+)\s*\(.*\)\s*", re.DOTALL | re.IGNORECASE)
_COMMAND = re.compile(r"\s*([a-z_]+)\s*((?:\[.*)?)", re.DOTALL | re.IGNORECASE)
_TYPED = re.compile(r"\[([^\[\]]*)\]\s*\[(.*?)\]\s*(?:\[([01])\]\s*)?", re.DOTALL)
_NUMBER = re.compile(r"[a-z]{0,3}\d+", re.IGNORECASE)
"""The number of an element; BrowserGym puts letters before it in frames."""
_WHERE = re.compile(r"(\s*[a-z_]+\s*(\[\w+\]).*)\bwhere \2 is (.*)", re.DOTALL | re.IGNORECASE)
"""A command of WebArena's logs, which repeats the line of the element in the accessibility tree."""
_FENCED = re.compile(r"```(.*?)```", re.DOTALL)
_ELEMENT = re.compile(
    r"^\s*\[(\w+)\]\s+(\w[\w-]*)\s*(?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\")?", re.MULTILINE
)
_QUOTED = re.compile("[\"“‘`']([^\"”’`']{1,200})[\"”’`']")
_WORD = re.compile(r"\w+", re.UNICODE)
_NUMBER_PART = re.compile(r"\d")
_MOST_TEXT = 4000

Elements = Mapping[str, tuple[str, str, str]]
"""Role and name of a page's elements, by their number, and which of those it is: ``#2``; empty if one."""


def place_of(url: str) -> str:
    """Return the place of a page: host and path, without query and fragment; empty for an invalid address."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return normalize_literal(f"{parts.netloc}{parts.path}".rstrip("/"))


def parse_elements(tree: str) -> Elements:
    """Return the elements of an accessibility tree in text form: ``[51] button 'Submit'``."""
    named = {
        match[1]: (match[2].casefold(), match[3] if match[3] is not None else match[4] or "")
        for match in _ELEMENT.finditer(tree)
    }
    counts, seen = Counter(named.values()), Counter[tuple[str, str]]()
    found = {}
    for number, (role, name) in named.items():
        seen[role, name] += 1
        found[number] = (role, name, f"#{seen[role, name]}" if counts[role, name] > 1 else "")
    return found


def canonical_web_action(
    text: str, url: str = "", elements: Elements | None = None, slots: Slots = NO_SLOTS
) -> CanonicalAction:
    """Return the canonical form of a web action.

    Args:
        text: The action, in any of the three forms.
        url: Address of the page on which it was performed.
        elements: The page's elements; a number that is not among them becomes a target such as ``?51``.
        slots: The phrases of the instruction.
    """
    text = text[:_MOST_TEXT]
    place = place_of(url)
    elements = elements or {}
    for form in _forms(text):
        if (match := _WHERE.fullmatch(form)) is not None:
            form, elements = match[1], {**parse_elements(f"{match[2]} {match[3]}"), **elements}
        parsed = _call(form) or _command(form)
        if parsed is not None:
            name, arguments, named = parsed
            return _action(_KINDS[name], place, arguments, named, elements, slots)
    return _sentence(text, place, slots)


def split_calls(text: str) -> tuple[str, ...]:
    """Return the calls of an action that consists of several, one per line; else the text."""
    text = text[:_MOST_TEXT]
    for form in _forms(text):
        try:
            lines = ast.parse(form.strip()).body if "(" in form else []
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        calls = [ast.get_source_segment(form.strip(), line) or "" for line in lines]
        if len(calls) > 1 and all(_call(call) is not None for call in calls):
            return tuple(calls)
    return (text,)


def _forms(text: str) -> Iterator[str]:
    """Yield the text, and the code blocks in it, with and without their first word as a language."""
    yield text
    for match in _FENCED.finditer(text):
        yield match[1]
        yield match[1].partition("\n")[2]


_Parsed = tuple[str, list[str], dict[str, str]]


def _call(text: str) -> _Parsed | None:
    match = _CALL.fullmatch(text)
    if match is None or match[1].casefold() not in _KINDS:
        return None
    try:
        call = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not isinstance(call, ast.Call):
        return None
    arguments = [_constant(each) for each in call.args]
    named = {each.arg: _constant(each.value) for each in call.keywords if each.arg}
    name = match[1].casefold()
    if name.startswith("mouse_"):
        return name, _at_points(name, [*arguments, *named.values()]), {}
    if _KINDS[name] == "type" and name.startswith("keyboard_"):  # into the element that has the focus
        return name, ["", *arguments, *named.values()], {}
    return name, arguments, named


def _at_points(name: str, arguments: Sequence[str]) -> list[str]:
    """Return the arguments of a mouse action with each pair of coordinates as one."""
    count = 4 if name == "mouse_drag_and_drop" else 2
    points = [f"({', '.join(arguments[at : at + 2])})" for at in range(0, min(count, len(arguments)), 2)]
    return [*points, *arguments[count:]]


def _constant(node: ast.expr) -> str:
    if isinstance(node, ast.List | ast.Tuple):
        return ", ".join(_constant(each) for each in node.elts)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return f"-{_constant(node.operand)}"
    return str(node.value) if isinstance(node, ast.Constant) else ""


def _command(text: str) -> _Parsed | None:
    match = _COMMAND.fullmatch(text.rstrip())
    if match is None or match[1].casefold() not in _KINDS:
        return None
    name, rest = match[1].casefold(), match[2]
    if _KINDS[name] == "done" and rest:  # an answer may contain any bracket
        answer, bracket, _ = rest[1:].rpartition("]")
        return name, [answer if bracket else rest[1:]], {}
    if _KINDS[name] == "type" and (typed := _TYPED.fullmatch(rest)) is not None:
        return name, [typed[1], typed[2]], {"press_enter_after": typed[3] or "1"}  # WebArena's default
    arguments = _bracketed(rest)
    return None if arguments is None else (name, arguments, {})


def _bracketed(text: str) -> list[str] | None:
    """Return the texts in outermost brackets; None if a bracket has no partner or a text is outside."""
    found: list[str] = []
    depth = start = 0
    for at, character in enumerate(text):
        if character == "[":
            depth += 1
            start = at + 1 if depth == 1 else start
        elif character == "]":
            depth -= 1
            if depth == 0:
                found.append(text[start:at])
        elif depth == 0 and not character.isspace():
            return None
        if depth < 0:
            return None
    return found if depth == 0 else None


def _action(
    kind: str,
    place: str,
    arguments: Sequence[str],
    named: Mapping[str, str],
    elements: Elements,
    slots: Slots,
) -> CanonicalAction:
    rest = list(arguments)
    target = ""
    if kind in _TARGETED or (kind == "key" and len(rest) > 1):
        number = named.get("bid") or (rest.pop(0) if rest and "text" not in named else "")
        target = _target(number, named, elements, slots)
    if kind == "goto":
        return CanonicalAction(kind, "", place_of(named.get("url") or (rest[0] if rest else "")))
    if kind == "scroll":
        return CanonicalAction(kind, place, target, _scrolled(rest, named))
    if kind == "type":
        typed = named.get("value") or (named.get("text", "") if "element" in named else "")
        if named.get("press_enter_after", "").casefold() in ("1", "true"):
            target = f"submit+{target}"
        return CanonicalAction(kind, place, target, slots.abstract(typed or (rest[0] if rest else "")))
    if kind == "done":
        return CanonicalAction(kind, "", "", slots.abstract(rest[0] if rest else named.get("text", "")))
    if kind in ("back", "forward", "refresh", "wait", "give_up", "new_tab", "close_tab"):
        return CanonicalAction(kind, "" if kind == "give_up" else place)
    literal = named.get("value") or named.get("key") or (rest[0] if rest else "")
    return CanonicalAction(kind, place, target, slots.abstract(literal))


def _target(number: str, named: Mapping[str, str], elements: Elements, slots: Slots) -> str:
    known = elements.get(number)
    if known is not None:
        role, name, ordinal = known
        return f"{role}[{slots.abstract(name)}{ordinal}]" if name else f"{role}[{number}]"
    if _NUMBER.fullmatch(number):
        return f"{UNKNOWN}{normalize_literal(number)}"
    text = number or ("" if "element" in named and "value" not in named else named.get("text", ""))
    text = text or named.get("text", "")
    role = normalize_literal(named.get("element", ""))
    return f"{role}[{slots.abstract(text)}]" if role else slots.abstract(text)


def _scrolled(arguments: Sequence[str], named: Mapping[str, str]) -> str:
    given = named.get("direction") or (arguments[0] if len(arguments) == 1 else "")
    word = normalize_literal(given)
    if word in ("up", "down", "left", "right"):
        return word
    try:
        across, along = (float(each) for each in arguments[:2])
    except ValueError:
        return word
    if abs(across) > abs(along):
        return "right" if across > 0 else "left"
    return "down" if along > 0 else "up"


def _sentence(text: str, place: str, slots: Slots) -> CanonicalAction:
    """Return an action in words: the quoted texts, numbers and names are literals, the rest is wording."""
    literals = [slots.abstract(match[1]) for match in _QUOTED.finditer(text)]
    words = _WORD.findall(_QUOTED.sub(" ", text))
    kind = next((_VERBS[word.casefold()] for word in words if word.casefold() in _VERBS), OTHER)
    role, wording = "", []
    for index, word in enumerate(words):
        folded = word.casefold()
        if folded in _ROLES:
            role = role or folded
        elif _NUMBER_PART.search(word) or (index > 0 and word[:1].isupper()):
            literals.append(slots.abstract(word))
        elif folded not in _FILLERS and not (folded in _VERBS and _VERBS[folded] == kind):
            wording.append(folded)
    literal = " ".join(literals)
    if kind == "scroll":
        direction = next((word for word in wording if word in ("up", "down", "left", "right")), "down")
        return CanonicalAction(kind, place, "", direction)
    if kind == "click":
        target = f"{role}[{literal}]" if role and literal else literal or role
        return CanonicalAction(kind, place, target, "", " ".join(wording))
    return CanonicalAction(kind, place, role, literal, " ".join(wording))
