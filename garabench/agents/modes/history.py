"""Remind a model of the steps so far, in its own dialect's words.

The forms: the actions alone; actions and thoughts; the last screenshots with the replies to them; a summary
of the earlier steps with the last ones in full; nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from garabench.agents.chat.messages import Part, Picture, Text
from garabench.agents.dialects.coordinates import View
from garabench.agents.dialects.dialect import Dialect
from garabench.agents.interface import Turn
from garabench.agents.profile import HistoryForm, HistoryOptions
from garabench.core import action as act
from garabench.core.action import Action

_NO_THOUGHT = re.compile(
    r'"thought":"",?|<think></think>|#{2,3} Thought #{2,3}|#{2,3} Description #{2,3}[^#]*\Z'
    r"|^(?:Thought|Reason|Observation|Summary|Memory):[ \t]*(?:\n\[\])?…?[ \t]*$",
    re.MULTILINE,
)
_LONGEST_THOUGHT = 600
_LONGEST_DETAIL = 200
_LONGEST_TEXT = 80


@dataclass(frozen=True, slots=True)
class Past:
    """A step that is over, with what was seen at it.

    Attributes:
        turn: What was decided and how it went.
        view: In which the reply was read.
        picture: What was shown; None where no picture was, or none is known any more.
    """

    turn: Turn
    view: View
    picture: Picture | None = None


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier look at the screen and the reply to it.

    Attributes:
        shown: What the model was shown, shortened to what it needs again.
        reply: What it wrote.
    """

    shown: tuple[Part, ...]
    reply: str


@dataclass(frozen=True, slots=True)
class Reminder:
    """The steps so far as a request holds them.

    Attributes:
        text: What is told of them in words, before all else; empty for nothing.
        exchanges: Earlier looks and replies, oldest first.
        note: What became of the last of these replies, where it went wrong; empty otherwise.
    """

    text: str = ""
    exchanges: tuple[Exchange, ...] = ()
    note: str = ""


def remind(past: Sequence[Past], dialect: Dialect, options: HistoryOptions) -> Reminder:
    """Tell the steps so far.

    Args:
        past: The steps, oldest first.
        dialect: In whose words actions are told.
        options: The form.
    """
    if not past or options.form is HistoryForm.NONE:
        return Reminder()
    match options.form:
        case HistoryForm.SCREENSHOTS:
            return _by_screenshots(past, dialect, options.last)
        case HistoryForm.SUMMARY:
            return Reminder(_summed_up(past, dialect, options.last))
        case _:
            with_thoughts = options.form is HistoryForm.THOUGHTS
            return Reminder(_listed(past, dialect, options.last, thoughts=with_thoughts))


def words_for(action: Action) -> str:
    """An action in plain words, for dialects that have none for it."""
    match action:
        case act.OpenApp(package=package):
            return f"open {package}"
        case act.Type(text=text):
            return f"type {_cut(text, _LONGEST_TEXT)!r}"
        case act.Scroll(direction=direction):
            return f"scroll {direction}"
        case act.Key(name=name):
            return f"press {name}"
        case act.Wait(seconds=seconds):
            return f"wait {seconds:g} s"
        case _:
            return action.type.replace("_", " ")


def _listed(past: Sequence[Past], dialect: Dialect, last: int, *, thoughts: bool) -> str:
    lines = ["Steps so far:"]
    if (earlier := len(past) - last) > 0:
        lines.append(f"({earlier} earlier step{'s are' if earlier > 1 else ' is'} not told)")
    lines += _steps(past, dialect, last, thoughts=thoughts)
    return "\n".join(lines)


def _steps(past: Sequence[Past], dialect: Dialect, last: int, *, thoughts: bool) -> list[str]:
    first = max(len(past) - last, 0)
    return [
        f"Step {number}: {_said(step, dialect, thoughts=thoughts)}{_went(step.turn)}"
        for number, step in enumerate(past[first:], start=first + 1)
    ]


def _said(step: Past, dialect: Dialect, *, thoughts: bool) -> str:
    """A step's reply as the model writes it; without the thought where it is not to be told."""
    decision = step.turn.decision
    thought = _one_line(_cut(decision.thought, _LONGEST_THOUGHT)) if thoughts else ""
    written = dialect.render(decision.action, step.view, thought)
    if written is None:
        said = words_for(decision.action)
        return f"{thought} ({said})" if thought else said
    return written.strip() if thought else bare(written)


def bare(reply: str) -> str:
    """A reply without the parts in which a thought would stand, on one line."""
    return _one_line(_NO_THOUGHT.sub("", reply))


def _went(turn: Turn) -> str:
    if turn.ok:
        return ""
    detail = _one_line(_cut(turn.detail, _LONGEST_DETAIL))
    return f"\n  (it could not be done{': ' if detail else ''}{detail})"


def _by_screenshots(past: Sequence[Past], dialect: Dialect, last: int) -> Reminder:
    """Turns of a conversation: a picture, the reply to it, the next picture."""
    shown = [number for number, step in enumerate(past) if step.picture is not None][-last:]
    if not shown:
        return Reminder(_listed(past, dialect, last, thoughts=True))
    first = shown[0]
    exchanges: list[Exchange] = []
    note = ""
    for number, step in enumerate(past[first:], start=first + 1):
        words = Text("\n".join(part for part in (note, f"The screen at step {number}:") if part))
        shown_then: tuple[Part, ...] = (words,) if step.picture is None else (words, step.picture)
        exchanges.append(Exchange(shown_then, _said(step, dialect, thoughts=True)))
        note = _went(step.turn).strip()
    told = _listed(past[:first], dialect, last, thoughts=False) if first else ""
    return Reminder(told, tuple(exchanges), note)


def _summed_up(past: Sequence[Past], dialect: Dialect, last: int) -> str:
    """How often each kind of action was done in the earlier steps, what was typed; the last steps whole."""
    earlier = past[: max(len(past) - last, 0)]
    if not earlier:
        return _listed(past, dialect, last, thoughts=True)
    kinds = Counter(step.turn.decision.action.type.replace("_", " ") for step in earlier)
    counted = ", ".join(f"{kind} {often} time{'s' if often > 1 else ''}" for kind, often in kinds.items())
    lines = [f"Summary of steps 1 to {len(earlier)}: {counted}."]
    typed = [
        _one_line(_cut(step.turn.decision.action.text, _LONGEST_TEXT))
        for step in earlier
        if isinstance(step.turn.decision.action, act.Type)
    ]
    if typed:
        lines.append(f"Typed: {'; '.join(typed)}.")
    if failed := sum(not step.turn.ok for step in earlier):
        lines.append(f"{failed} of them could not be done.")
    if thought := _one_line(_cut(earlier[-1].turn.decision.thought, _LONGEST_THOUGHT)):
        lines.append(f"Thought at step {len(earlier)}: {thought}")
    lines.append("Steps since:")
    return "\n".join([*lines, *_steps(past, dialect, last, thoughts=True)])


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def _one_line(text: str) -> str:
    return " ".join(text.split())
