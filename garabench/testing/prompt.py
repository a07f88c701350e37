"""Parse a prompt: the task, the history, the element rows."""

from __future__ import annotations

import re
from dataclasses import dataclass

from garabench.agents.dialects.coordinates import ScreenView
from garabench.agents.models.messages import ReplyForm
from garabench.agents.profile import AgentProfile, HistoryForm
from garabench.agents.prompting.quoting import BEGIN, END
from garabench.core.geometry import Size
from garabench.testing.requests import ReceivedRequest

_NOTE = re.compile(r"\(note (\d{1,9})\.(\d{1,6})\)")
_STEP = re.compile(r"^Step (\d{1,6})[:.][ \t]*(.*)$", re.MULTILINE)
_SPACE = re.compile(r"\s+")
_SCREEN = re.compile(f"{re.escape(BEGIN)}\n(.*?)\n{re.escape(END)}", re.DOTALL)
_NUMBER = re.compile(r"\d+")
_TWO_VIEWS = tuple(ScreenView(size, size) for size in (Size(1080, 2400), Size(721, 1281)))


@dataclass(frozen=True, slots=True)
class ParsedPrompt:
    """A parsed prompt.

    Attributes:
        task: The text that contains the instruction: all user messages on one line.
        note: The latest of the model's notes: number of the reply, and number of replies in the conversation.
        steps: Number of steps in the history; None if the prompt has no history.
        repair: Whether the prompt asks for a correction of the last reply.
        rows: The element rows.
        lines: The history lines of the latest steps, earliest first.
    """

    task: str
    note: tuple[int, int] | None
    steps: int | None
    repair: bool
    rows: tuple[str, ...]
    lines: tuple[str, ...] = ()

    @property
    def has_no_history(self) -> bool:
        """Whether it repeats nothing of the earlier steps, so that its episode is unknown."""
        return self.note is None and self.steps is None


def one_line(text: str) -> str:
    """Join a text into one line with single spaces."""
    return _SPACE.sub(" ", text).strip()


def note_marker(number: int, replies: int) -> str:
    """Return the note at the end of a fake model's thought, which identifies the reply."""
    return f"(note {number}.{replies})"


def read_prompt(request: ReceivedRequest, profile: AgentProfile) -> ParsedPrompt:
    """Parse a request's prompt.

    Args:
        request: The request.
        profile: The profile of the agent that sent it.
    """
    repair = _is_repair(request)
    before = request.messages[:-2] if repair else request.messages  # a rejected reply is not a step
    text = _SCREEN.sub(" ", "\n".join(message.text for message in before))
    screens = _SCREEN.findall("\n".join(one.text for one in before if one.role == "user"))
    notes = [(int(one), int(other)) for one, other in _NOTE.findall(text)]
    lines = {int(number): line.strip() for number, line in _STEP.findall(text)}
    steps = max(lines, default=0)
    return ParsedPrompt(
        task=one_line(_SCREEN.sub(" ", "\n".join(one.text for one in before if one.role == "user"))),
        note=notes[-1] if notes else None,
        steps=None if profile.history.form is HistoryForm.NONE and not steps else steps,
        repair=repair,
        rows=tuple(screens[-1].splitlines()) if screens else (),
        lines=tuple(line for _, line in sorted(lines.items())),
    )


def _is_repair(request: ReceivedRequest) -> bool:
    """Return whether the last message asks for a corrected reply, instead of showing a new screen."""
    last = request.messages[-1]
    before = request.messages[-2].role if len(request.messages) > 1 else ""
    return before == "assistant" and not last.images and not _SCREEN.search(last.text)


def states_rules(profile: AgentProfile, request: ReceivedRequest) -> bool:
    """Return whether a prompt states the rules of an agent's dialect, for any screen size."""
    rules = profile.tuned_dialect().system
    text = request.text
    # A line that differs between two screen sizes contains the size.
    for line, other in zip(*(rules(view).splitlines() for view in _TWO_VIEWS), strict=True):
        if line == other:
            if line not in text:
                return False
        elif not re.search(_NUMBER.sub(r"\\d+", re.escape(line)), text):
            return False
    return True


def matches_input(profile: AgentProfile, request: ReceivedRequest, prompt: ParsedPrompt) -> bool:
    """Return whether a request has an agent's input (image, element rows, or both) and its reply form."""
    parts = bool(request.images), bool(prompt.rows), bool(request.tools)
    return parts == (profile.input.has_image, profile.input.has_tree, profile.form is ReplyForm.TOOLS)
