"""Write the history of an episode into a prompt, in the model's dialect.

The forms are: actions; actions with thoughts; the last screenshots with the replies to them; a summary of the
earlier steps with the last ones in full; nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from garabench.agents.dialects.coordinates import ScreenView
from garabench.agents.dialects.dialect import Dialect
from garabench.agents.interface import Turn
from garabench.agents.models.messages import ContentPart, ImagePart, TextPart
from garabench.agents.profile import HistoryForm, HistoryOptions
from garabench.core import action as act
from garabench.core.action import Action

_NO_THOUGHT = re.compile(
    r'"thought":"",?|<think></think>|#{2,3} Thought #{2,3}|#{2,3} Description #{2,3}[^#]*\Z'
    r"|^(?:Thought|Reason|Observation|Summary|Memory):[ \t]*(?:\n\[\])?…?[ \t]*$",
    re.MULTILINE,
)
_MAX_THOUGHT_LENGTH = 600
_MAX_DETAIL_LENGTH = 200
_MAX_TEXT_LENGTH = 80


@dataclass(frozen=True, slots=True)
class PromptStep:
    """A past step with its screen.

    Attributes:
        turn: The decision and its effect.
        view: The view in which the reply was parsed.
        image: The image in the prompt; None if there was none or it is no longer available.
    """

    turn: Turn
    view: ScreenView
    image: ImagePart | None = None


@dataclass(frozen=True, slots=True)
class PastExchange:
    """An earlier message to the model and its reply.

    Attributes:
        content: The content of the message, reduced to what the model needs again.
        reply: The model's reply.
    """

    content: tuple[ContentPart, ...]
    reply: str


@dataclass(frozen=True, slots=True)
class HistoryPrompt:
    """The history of an episode as a request contains it.

    Attributes:
        text: The history as text, which precedes the exchanges; may be empty.
        exchanges: Earlier messages and replies, oldest first.
        note: The error of the last of these replies; empty if it succeeded.
    """

    text: str = ""
    exchanges: tuple[PastExchange, ...] = ()
    note: str = ""


def build_history(past: Sequence[PromptStep], dialect: Dialect, options: HistoryOptions) -> HistoryPrompt:
    """Build the history.

    Args:
        past: The past steps, oldest first.
        dialect: The dialect in which actions are written.
        options: The form and length of the history.
    """
    if not past or options.form is HistoryForm.NONE:
        return HistoryPrompt()
    match options.form:
        case HistoryForm.SCREENSHOTS:
            return _with_screenshots(past, dialect, options.last)
        case HistoryForm.SUMMARY:
            return HistoryPrompt(_summarized(past, dialect, options.last))
        case _:
            with_thoughts = options.form is HistoryForm.THOUGHTS
            return HistoryPrompt(_listed(past, dialect, options.last, thoughts=with_thoughts))


def describe_action(action: Action) -> str:
    """Describe an action in words, for dialects that cannot express it."""
    match action:
        case act.OpenApp(package=package):
            return f"open {package}"
        case act.Type(text=text):
            return f"type {_cut(text, _MAX_TEXT_LENGTH)!r}"
        case act.Scroll(direction=direction):
            return f"scroll {direction}"
        case act.Key(name=name):
            return f"press {name}"
        case act.Wait(seconds=seconds):
            return f"wait {seconds:g} s"
        case _:
            return action.type.replace("_", " ")


def _listed(past: Sequence[PromptStep], dialect: Dialect, last: int, *, thoughts: bool) -> str:
    lines = ["Steps so far:"]
    if (earlier := len(past) - last) > 0:
        lines.append(f"({earlier} earlier step{'s are' if earlier > 1 else ' is'} omitted)")
    lines += _steps(past, dialect, last, thoughts=thoughts)
    return "\n".join(lines)


def _steps(past: Sequence[PromptStep], dialect: Dialect, last: int, *, thoughts: bool) -> list[str]:
    first = max(len(past) - last, 0)
    return [
        f"Step {number}: {_reply(step, dialect, thoughts=thoughts)}{_failure_note(step.turn)}"
        for number, step in enumerate(past[first:], start=first + 1)
    ]


def _reply(step: PromptStep, dialect: Dialect, *, thoughts: bool) -> str:
    """Render a step's reply in the model's dialect, with or without its thought."""
    decision = step.turn.decision
    thought = _one_line(_cut(decision.thought, _MAX_THOUGHT_LENGTH)) if thoughts else ""
    written = dialect.render(decision.action, step.view, thought)
    if written is None:
        described = describe_action(decision.action)
        return f"{thought} ({described})" if thought else described
    return written.strip() if thought else without_thought(written)


def without_thought(reply: str) -> str:
    """Remove the parts of a reply that hold a thought, and join it into one line."""
    return _one_line(_NO_THOUGHT.sub("", reply))


def _failure_note(turn: Turn) -> str:
    if turn.ok:
        return ""
    detail = _one_line(_cut(turn.detail, _MAX_DETAIL_LENGTH))
    return f"\n  (it failed{': ' if detail else ''}{detail})"


def _with_screenshots(past: Sequence[PromptStep], dialect: Dialect, last: int) -> HistoryPrompt:
    """Write the last steps as a conversation of images and replies."""
    with_image = [number for number, step in enumerate(past) if step.image is not None][-last:]
    if not with_image:
        return HistoryPrompt(_listed(past, dialect, last, thoughts=True))
    first = with_image[0]
    exchanges: list[PastExchange] = []
    note = ""
    for number, step in enumerate(past[first:], start=first + 1):
        heading = TextPart("\n".join(part for part in (note, f"The screen at step {number}:") if part))
        content: tuple[ContentPart, ...] = (heading,) if step.image is None else (heading, step.image)
        exchanges.append(PastExchange(content, _reply(step, dialect, thoughts=True)))
        note = _failure_note(step.turn).strip()
    text = _listed(past[:first], dialect, last, thoughts=False) if first else ""
    return HistoryPrompt(text, tuple(exchanges), note)


def _summarized(past: Sequence[PromptStep], dialect: Dialect, last: int) -> str:
    """Summarize the earlier steps by action counts and typed texts; write the last steps in full."""
    earlier = past[: max(len(past) - last, 0)]
    if not earlier:
        return _listed(past, dialect, last, thoughts=True)
    kinds = Counter(step.turn.decision.action.type.replace("_", " ") for step in earlier)
    counted = ", ".join(f"{kind} {count} time{'s' if count > 1 else ''}" for kind, count in kinds.items())
    lines = [f"Summary of steps 1 to {len(earlier)}: {counted}."]
    typed = [
        _one_line(_cut(step.turn.decision.action.text, _MAX_TEXT_LENGTH))
        for step in earlier
        if isinstance(step.turn.decision.action, act.Type)
    ]
    if typed:
        lines.append(f"Typed: {'; '.join(typed)}.")
    if failed := sum(not step.turn.ok for step in earlier):
        lines.append(f"{failed} of them failed.")
    if thought := _one_line(_cut(earlier[-1].turn.decision.thought, _MAX_THOUGHT_LENGTH)):
        lines.append(f"Thought at step {len(earlier)}: {thought}")
    lines.append("Steps since:")
    return "\n".join([*lines, *_steps(past, dialect, last, thoughts=True)])


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def _one_line(text: str) -> str:
    return " ".join(text.split())
