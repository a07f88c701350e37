"""Repair mechanical mistakes in a suite's file without touching its comments and its order.

Only the characters of the mistake are changed; the file is never written anew from its values.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import yaml

from garabench.core.condition import fold
from garabench.core.yamldoc import MAX_CHARACTERS, MAX_DEPTH, other_encoding, parse_yaml
from garabench.errors import InputError

_TAB_LINE = re.compile(r"^\t+[^\s#]", re.MULTILINE)
_SPACE_LINE = re.compile(r"^ +[^\s#]", re.MULTILINE)
_INDENT = re.compile(r"^[ \t\u00a0\u3000]*[\t\u00a0\u3000][ \t\u00a0\u3000]*", re.MULTILINE)
_WIDE_COLON = re.compile(r"^(\s*(?:- )?[a-z_]+)\uff1a[ ]?", re.MULTILINE)
_TRAILING = re.compile(r"[ \t]+(?=\r?$)", re.MULTILINE)
_BEGIN = re.compile(r"^ *(?:- +)*", re.MULTILINE)
"""What is before the first key or item of a line."""
_TAB_WIDTHS = (2, 4, 6, 8, 3, 1)
_MODELINE = "# yaml-language-server:"
_BLOCK = re.compile(r"[|>][+-]?\d*\s*(?:#.*)?\r?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class RepairedFile:
    """A repaired file.

    Attributes:
        data: Its bytes.
        repairs: What was repaired, in words; empty if nothing was.
        left: What could not be repaired, with its line and the reason.
    """

    data: bytes
    repairs: tuple[str, ...]
    left: tuple[str, ...] = ()


def repair_file(data: bytes, schema_line: str = "", unused_ignores: Sequence[int] = ()) -> RepairedFile:
    """Repair the mechanical mistakes in a file.

    Args:
        data: Its bytes.
        schema_line: The line that names its schema to editors, added if the file has none; empty to add none.
        unused_ignores: The lines, from 1, of comments that silence nothing, which are removed.
    """
    repairs: list[str] = []
    decoded = _decoded(data, repairs)
    if decoded is None or len(decoded) > MAX_CHARACTERS:
        return RepairedFile(data, ())
    newline = "\r\n" if "\r\n" in decoded else "\n"
    text = _without_ignores(decoded, unused_ignores, repairs)
    text, left = _with_repaired_indents(text, repairs)
    text, count = _WIDE_COLON.subn(_colon, text)
    repairs += [f"replaced full-width colons after keys ({count})"] if count else []
    if not _BLOCK.search(text):  # the end of a line belongs to the value of a block
        text, count = _TRAILING.subn("", text)
        repairs += [f"removed spaces at the end of lines ({count})"] if count else []
    text = _with_repaired_lists(text, repairs)
    if text and not text.endswith("\n"):
        text += newline
        repairs.append("added the line end of the last line")
    if schema_line and _MODELINE not in text.partition("\n")[0]:
        text = f"{schema_line}{newline}{text}"
        repairs.append("added the line that names the schema to editors")
    return RepairedFile(text.encode() if repairs else data, tuple(repairs), left)


def _decoded(data: bytes, repairs: list[str]) -> str | None:
    """Return the text; None if the encoding is unknown, which `garabench check` reports."""
    wide = other_encoding(data)
    mark = codecs.BOM_UTF8 if wide is None else wide.mark
    try:
        text = data.removeprefix(mark).decode("UTF-8" if wide is None else wide.name)
    except UnicodeDecodeError:
        return None
    if wide is not None:
        repairs.append(f"converted from {wide.name} to UTF-8")
    elif data.startswith(mark):
        repairs.append("removed the byte order mark")
    return text


def _with_repaired_indents(text: str, repairs: list[str]) -> tuple[str, tuple[str, ...]]:
    """Replace tabs and wide spaces in indentation.

    Where all indentation is by tabs, a tab is two spaces. Among lines with spaces, it has the width with
    which each line with a tab begins a key or an item; if the data differs between several such widths, the
    tabs are left.

    Returns:
        The text, and why tabs were left.
    """
    widths: Sequence[int] = (2,)
    tab = _TAB_LINE.search(text)
    if tab is not None and _SPACE_LINE.search(text):
        lines = [text.count("\n", 0, each.start()) for each in _TAB_LINE.finditer(text)]
        readings = {width: _reading(_indented(text, width)[0], lines) for width in _TAB_WIDTHS}
        widths = [width for width, data in readings.items() if data is not None]
        if not widths or any(readings[width] != readings[widths[0]] for width in widths):
            reason = "could have several depths" if widths else "fits at no depth"
            return text, (f"line {lines[0] + 1}: the tab was left, since the line {reason}; use spaces",)
    repaired, count = _indented(text, widths[0])
    repairs += [f"replaced tabs and wide spaces in indentation ({count})"] if count else []
    return repaired, ()


def _indented(text: str, width: int) -> tuple[str, int]:
    """Return a text with spaces for the tabs in indentation, and the number of changed lines."""

    def spaces(found: re.Match[str]) -> str:
        return found[0].replace("\t", " " * width).replace("\u3000", "  ").replace("\u00a0", " ")

    return _INDENT.subn(spaces, text)


def _reading(text: str, numbers: Sequence[int]) -> list[object] | None:
    """Return the data of a text in a list; None if it is invalid or a line begins no key or item.

    Args:
        text: The text.
        numbers: The lines, from 0.
    """
    text = _WIDE_COLON.sub(_colon, text)
    try:
        document = parse_yaml(text, "")
        starts = {_span(each)[0] for each in yaml.parse(text, Loader=yaml.SafeLoader)}
    except (yaml.YAMLError, InputError):
        return None
    begins = [found.end() for found in _BEGIN.finditer(text)]
    if not starts.issuperset(begins[number] for number in numbers):
        return None
    return None if document.mistakes else [document.data]


def _colon(found: re.Match[str]) -> str:
    return f"{found[1]}: "


def _without_ignores(text: str, unused: Sequence[int], repairs: list[str]) -> str:
    lines = text.split("\n")
    for number in sorted(unused, reverse=True):
        line = lines[number - 1]
        rest = line[: line.rindex("#")].rstrip()
        if rest:
            lines[number - 1] = rest
        else:
            del lines[number - 1]
    if unused:
        repairs.append(f"removed comments that silence nothing ({len(unused)})")
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class _Item:
    """A text in a list of keywords or interruptions.

    Attributes:
        value: The text.
        start, end: Its place in the file.
        previous: The end of the item before; None for the first one.
        in_flow: Whether the list is in brackets.
        is_keyword: Whether it is a keyword.
    """

    value: str
    start: int
    end: int
    previous: int | None
    in_flow: bool
    is_keyword: bool


def _with_repaired_lists(text: str, repairs: list[str]) -> str:
    """Trim keywords, and remove duplicate keywords and interruptions."""
    try:
        lists = list(_lists(text))
    except (yaml.YAMLError, InputError):
        return text  # reported by `garabench check`
    edits: list[tuple[int, int, str, str]] = []
    for items in lists:
        seen: set[str] = set()
        for item in items:
            key = fold(item.value) if item.is_keyword else item.value
            raw = text[item.start : item.end]
            if key in seen and item.previous is not None:
                start = item.previous if item.in_flow else text.rindex("\n", 0, item.start)
                removed = text[start : item.end]
                if "#" not in removed and ("\n" not in removed.lstrip("\n") or not item.in_flow):
                    edits.append((start, item.end, "", "removed duplicate list items"))
            elif item.value != item.value.strip() and item.value.strip() and raw[:1] in "'\"":
                trimmed = f"{raw[0]}{raw[1:-1].strip()}{raw[-1]}"
                edits.append((item.start, item.end, trimmed, "removed spaces around keywords"))
            seen.add(key)
    for start, end, replacement, _ in sorted(edits, reverse=True):
        text = text[:start] + replacement + text[end:]
    for what in dict.fromkeys(edit[3] for edit in edits):
        repairs.append(f"{what} ({sum(edit[3] == what for edit in edits)})")
    return text


def _lists(text: str) -> Iterator[list[_Item]]:
    """Iterate over the lists of keywords (``of``) and of interruptions (``inject``)."""
    events = yaml.parse(text, Loader=yaml.SafeLoader)
    depth = 0
    key = ""
    stack: list[tuple[bool, bool]] = []  # whether each open collection is a mapping that expects a key
    for event in events:
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                raise InputError("too deep")
            if isinstance(event, yaml.SequenceStartEvent) and key in ("of", "inject"):
                items = list(_items(events, in_flow=bool(event.flow_style), is_keyword=key == "of"))
                yield items
                depth -= 1
                key = ""
                _value_done(stack)
                continue
            stack.append((isinstance(event, yaml.MappingStartEvent), True))
            key = ""
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
            stack.pop()
            _value_done(stack)
        elif isinstance(event, yaml.ScalarEvent):
            is_key = bool(stack) and stack[-1] == (True, True)
            key = event.value if is_key else ""
            if is_key:
                stack[-1] = (True, False)
            else:
                _value_done(stack)


def _value_done(stack: list[tuple[bool, bool]]) -> None:
    """Record that the value of a mapping's key is complete."""
    if stack and stack[-1][0]:
        stack[-1] = (True, True)


def _items(events: Iterator[yaml.Event], *, in_flow: bool, is_keyword: bool) -> Iterator[_Item]:
    """Iterate over the texts of a list up to its end; what it contains otherwise is skipped."""
    nested = 0
    previous: int | None = None
    for event in events:
        if isinstance(event, yaml.CollectionStartEvent):
            nested += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            if nested == 0:
                return
            nested -= 1
            previous = _span(event)[1] if nested == 0 else previous
        elif isinstance(event, yaml.ScalarEvent) and nested == 0:
            start, end = _span(event)
            yield _Item(event.value, start, end, previous, in_flow, is_keyword)
            previous = end


def _span(event: yaml.Event) -> tuple[int, int]:
    """Return the place of an event in the text."""
    start, end = event.start_mark, event.end_mark
    return (0 if start is None else start.index, 0 if end is None else end.index)
