"""What a played model reads out of the prompt: the task, the steps so far, the rows of elements."""

from __future__ import annotations

import re
from dataclasses import dataclass

from garabench.agents.chat.messages import Form
from garabench.agents.dialects.coordinates import View
from garabench.agents.modes.quoting import BEGIN, END
from garabench.agents.profile import AgentProfile, HistoryForm
from garabench.core.geometry import Size
from garabench.testing.asked import Asked

_NOTE = re.compile(r"\(note (\d{1,9})\.(\d{1,6})\)")
_STEP = re.compile(r"^Step (\d{1,6})[:.][ \t]*(.*)$", re.MULTILINE)
_SPACE = re.compile(r"\s+")
_SCREEN = re.compile(f"{re.escape(BEGIN)}\n(.*?)\n{re.escape(END)}", re.DOTALL)
_NUMBER = re.compile(r"\d+")
_ONE, _OTHER = (View(size, size) for size in (Size(1080, 2400), Size(721, 1281)))


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt as it was read.

    Attributes:
        task: Where the instruction stands: all that people said, without line ends.
        note: The latest of the model's own notes: the number of the reply, and how many the conversation has.
        steps: How many steps it says were done; None where it does not tell of them.
        lines: What it tells of the last of these steps, the earliest first.
        repair: Whether the model is told that its last reply could not be read.
        rows: What is told of the screen's elements.
    """

    task: str
    note: tuple[int, int] | None
    steps: int | None
    repair: bool
    rows: tuple[str, ...]
    lines: tuple[str, ...] = ()

    @property
    def tells_nothing(self) -> bool:
        """Whether it repeats nothing of the steps before, so that none of them can be told from another."""
        return self.note is None and self.steps is None


def squeezed(text: str) -> str:
    """A text on one line, with single spaces."""
    return _SPACE.sub(" ", text).strip()


def note(number: int, replies: int) -> str:
    """What a played model writes at the end of a thought, to know it again."""
    return f"(note {number}.{replies})"


def read_prompt(asked: Asked, profile: AgentProfile) -> Prompt:
    """Read a request's prompt.

    Args:
        asked: The request.
        profile: How the model is asked.
    """
    repair = _is_repair(asked)
    before = asked.said[:-2] if repair else asked.said  # a reply that is to be repaired was no step
    told = _SCREEN.sub(" ", "\n".join(message.text for message in before))
    screens = _SCREEN.findall("\n".join(one.text for one in before if one.role == "user"))
    notes = [(int(one), int(other)) for one, other in _NOTE.findall(told)]
    lines = {int(number): line.strip() for number, line in _STEP.findall(told)}
    steps = max(lines, default=0)
    return Prompt(
        task=squeezed(_SCREEN.sub(" ", "\n".join(one.text for one in before if one.role == "user"))),
        note=notes[-1] if notes else None,
        steps=None if profile.history.form is HistoryForm.NONE and not steps else steps,
        repair=repair,
        rows=tuple(screens[-1].splitlines()) if screens else (),
        lines=tuple(line for _, line in sorted(lines.items())),
    )


def _is_repair(asked: Asked) -> bool:
    """Whether the last thing said is no new look at the screen."""
    last = asked.said[-1]
    before = asked.said[-2].role if len(asked.said) > 1 else ""
    return before == "assistant" and not last.pictures and not _SCREEN.search(last.text)


def tells_rules(profile: AgentProfile, asked: Asked) -> bool:
    """Whether a prompt holds the rules of an agent's dialect, whatever sizes it tells."""
    told = profile.spoken().system
    text = asked.text
    # A line that is another one for another screen tells its size.
    for line, other in zip(told(_ONE).splitlines(), told(_OTHER).splitlines(), strict=True):
        if line == other:
            if line not in text:
                return False
        elif not re.search(_NUMBER.sub(r"\\d+", re.escape(line)), text):
            return False
    return True


def shows_the_same(profile: AgentProfile, asked: Asked, prompt: Prompt) -> bool:
    """Whether a request shows what an agent is shown (a picture, rows, or both) and asks for its form."""
    shown = bool(asked.pictures), bool(prompt.rows), bool(asked.tools)
    return shown == (profile.input.has_picture, profile.input.has_tree, profile.form is Form.TOOLS)
