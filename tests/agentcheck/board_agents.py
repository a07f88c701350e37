"""Agents that know the board, and make one mistake each."""

from __future__ import annotations

import re
from collections.abc import Sequence

from garabench.agentcheck.board import button_bounds, line_numbers
from garabench.agentcheck.board_checks import SAMPLES
from garabench.agents.interface import Brief, Decision, Turn
from garabench.core import action as act
from garabench.core.companion_app import PACKAGE as COMPANION
from garabench.core.geometry import Point, Size
from garabench.core.observation import Observation

DONE = ("Everything is done.", "全部完成。")


class BoardAgent:
    """Does everything correctly."""

    name = "board-agent"
    reference = False

    def start(self, brief: Brief) -> None:
        self.instruction = brief.instruction

    def close(self) -> None:
        pass

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        return Decision(self.act(observation, history))

    def act(self, observation: Observation, history: Sequence[Turn]) -> act.Action:
        tree, screen = observation.tree, observation.screen
        if COMPANION in tree.packages:
            return self.meet(observation)
        texts = {node.text for node in tree.nodes}
        if texts & set(DONE):
            return self.end()
        if wanted := next((sample for sample in SAMPLES.values() if sample in self.instruction), None):
            return self.end() if history else self.type(wanted, observation)
        if shown := line_numbers(tree):
            line = int(re.findall(r"\d+", self.instruction)[0])
            return self.end() if line in shown else self.scroll()
        title = next(node.text for node in tree.nodes if node.entry == "title")
        number = int(re.findall(r"\d+", title)[0])
        at = self.place(button_bounds(tree)[number].center, screen)
        return act.Tap(x=at.x, y=at.y)

    def meet(self, observation: Observation) -> act.Action:
        node = next(node for node in observation.tree.nodes if node.entry == "button_dismiss")
        return act.Tap(x=node.bounds.center.x, y=node.bounds.center.y)

    def place(self, at: Point, screen: Size) -> Point:
        return at

    def type(self, text: str, observation: Observation) -> act.Action:
        field = next(node for node in observation.tree.nodes if node.cls == "android.widget.EditText")
        return act.Type(text=text, at=(field.bounds.center.x, field.bounds.center.y))

    def scroll(self) -> act.Action:
        return act.Scroll(direction="down")

    def end(self) -> act.Action:
        return act.Done()


class Thousandths(BoardAgent):
    name = "thousandths"

    def place(self, at: Point, screen: Size) -> Point:
        return Point(at.x * 1000 // screen.width, at.y * 1000 // screen.height)


class Swapped(BoardAgent):
    name = "swapped"

    def place(self, at: Point, screen: Size) -> Point:
        return Point(at.y, at.x)


class Shrunk(BoardAgent):
    name = "shrunk"

    def place(self, at: Point, screen: Size) -> Point:
        return Point(round(at.x * 0.52), round(at.y * 0.52))


class BelowTheBar(BoardAgent):
    name = "below-the-bar"

    def place(self, at: Point, screen: Size) -> Point:
        return Point(at.x, at.y + 48)


class Clumsy(BoardAgent):
    """Types a text as a plain ``input text`` mangles it."""

    name = "clumsy"

    def type(self, text: str, observation: Observation) -> act.Action:
        plain = "".join(letter for letter in text if letter.isascii() and letter != "\n")
        action = super().type(plain, observation)
        return action


class Inverse(BoardAgent):
    """Confuses the direction of the finger with that of the content."""

    name = "inverse"

    def scroll(self) -> act.Action:
        return act.Swipe(x1=300, y1=500, x2=300, y2=1000)


class NeverDone(BoardAgent):
    name = "never-done"

    def end(self) -> act.Action:
        return act.Wait(seconds=0.1)


class Blind(BoardAgent):
    """Ignores the interruption."""

    name = "blind"

    def meet(self, observation: Observation) -> act.Action:
        return act.Wait(seconds=0.1)


class Broken(BoardAgent):
    name = "broken"

    def act(self, observation: Observation, history: Sequence[Turn]) -> act.Action:
        raise ValueError("no such model")


class Nonsense(BoardAgent):
    name = "nonsense"

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        return "tap"  # type: ignore[return-value]
