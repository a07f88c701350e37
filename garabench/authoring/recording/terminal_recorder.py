"""Record in a terminal: commands by the words on the screen, one a line; also from a script."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import yaml
from pydantic import ValidationError

from garabench.authoring.recording.gesture_steps import PressedKey, TouchGesture, TypedText
from garabench.authoring.recording.person_session import (
    FinishRecording,
    PersonCommand,
    PersonSession,
    StopRecording,
    UndoStep,
)
from garabench.core.geometry import Point
from garabench.core.observation import Observation
from garabench.core.selector import Selector, find, normalize
from garabench.core.suggestions import did_you_mean
from garabench.core.touch import reacts_to_touch, touched_element
from garabench.core.tree import UiNode, UiTree
from garabench.errors import InputError

HELP = """\
  tap WHAT, long WHAT        WHAT is a text, a description, an id, a number of the list or a {selector}
  type TEXT, replace TEXT, submit TEXT       into the focused field; submit also presses its action key
  scroll down|up|left|right, swipe down|up|left|right, back, home, enter
  list, undo, done [ANSWER], stop"""
_SHARE = 0.3


def touchable(tree: UiTree) -> list[UiNode]:
    """Return the visible elements that a tap on their centre reaches, in the tree's order."""
    found = []
    for node in tree.app_nodes:
        if node.visible and reacts_to_touch(node) and touched_element(tree, node.bounds.center) is node:
            found.append(node)
    return found


def label_of(node: UiNode) -> str:
    """Return what a person calls an element: its texts, or else its description or id."""
    texts = [normalize(each.text) for each in node.walk() if each.text.strip()]
    return " · ".join(texts[:3]) or normalize(node.desc) or node.entry or node.cls.rpartition(".")[2]


def parse_person_command(line: str, observation: Observation) -> PersonCommand:
    """Return the command of a line.

    Args:
        line: The line, not empty.
        observation: The screen.

    Raises:
        InputError: The command is unknown, or its element is not on the screen or not the only one.
    """
    verb, _, rest = line.strip().partition(" ")
    rest = rest.strip()
    screen = observation.screen
    middle = Point(screen.width // 2, screen.height // 2)
    match verb:
        case "tap" | "long":
            at = _point(rest, observation.tree)
            return TouchGesture(at, at, held=verb == "long")
        case "type" | "replace" | "submit":
            return TypedText(rest, clear=verb == "replace", submit=verb == "submit")
        case "scroll" | "swipe":
            ways = {"down": (0, 1), "up": (0, -1), "left": (-1, 0), "right": (1, 0)}
            if rest not in ways:
                raise InputError(f"unknown direction {rest!r}", hint=did_you_mean(rest, ways))
            dx, dy = ways[rest]
            sign = -1 if verb == "scroll" else 1  # content below appears when the finger moves up
            end = Point(
                middle.x + round(sign * dx * _SHARE * screen.width),
                middle.y + round(sign * dy * _SHARE * screen.height),
            )
            return TouchGesture(middle, end)
        case "back" | "home" | "enter":
            return PressedKey(verb)
        case "undo":
            return UndoStep()
        case "done":
            return FinishRecording(rest)
        case "stop":
            return StopRecording()
    known = ("tap", "long", "type", "replace", "submit", "scroll", "swipe", "back", "home", "enter")
    raise InputError(f"unknown command {verb!r}", hint=did_you_mean(verb, (*known, "undo", "done", "stop")))


def _point(what: str, tree: UiTree) -> Point:
    nodes = touchable(tree)
    if what.isdecimal() and 1 <= int(what) <= len(nodes):
        return nodes[int(what) - 1].bounds.center
    found: list[UiNode]
    if what.startswith("{"):
        try:
            found = list(find(tree, Selector.model_validate(yaml.safe_load(what))))
        except (yaml.YAMLError, ValidationError) as error:
            raise InputError(f"{what} is not a selector: {error}") from error
    else:
        visible = [node for node in tree.app_nodes if node.visible]
        found = [
            node
            for node in visible
            if what in (normalize(node.text), normalize(node.desc), node.entry) and what
        ]
        found = [
            node for node in found if not any(other in node.walk() for other in found if other is not node)
        ]
    if len(found) == 1:
        return found[0].bounds.center
    names = [label_of(node) for node in nodes]
    if not found:
        raise InputError(f"{what!r} is not on the screen", hint=did_you_mean(what, names))
    raise InputError(
        f"{len(found)} elements match {what!r}", hint="Give its number in the list, or a {selector}."
    )


@dataclass
class TerminalRecorder:
    """Sends the commands of lines to a session.

    Attributes:
        lines: The lines that the person types.
        write: Prints a line.
        strict: Whether a wrong command or a refused step ends the recording, as in a script.
        failed: Why it ended so, or empty.
    """

    lines: Iterator[str]
    write: Callable[[str], None]
    strict: bool = False
    failed: str = ""

    def drive(self, session: PersonSession) -> None:
        """Send commands until the session ends; the end of the lines stops it.

        A step is printed when the phone has performed it.
        """
        sent: str | None = None
        shown: Observation | None = None
        before = 0
        while session.ended is None:
            observation = self._next_screen(session)
            if observation is None:
                return
            if sent is not None and len(session.recorded) > before:
                self.write(f"{len(session.recorded)}. {sent}")
                if session.message:
                    self.write(f"   note: {session.message}")
            elif session.message and observation is not shown:
                self.write(f"   {session.message}")
                if sent is not None and self.strict:
                    self._fail(session, f"{sent}: {session.message}")
                    return
            sent, shown = None, observation
            line = next(self.lines, None)
            if line is None:
                session.send(StopRecording())
                return
            if not line.strip() or line.strip().startswith("#"):
                continue
            if line.strip() in ("list", "help", "?"):
                self._list(observation)
                continue
            try:
                command = parse_person_command(line, observation)
                text = None
                if not isinstance(command, UndoStep | FinishRecording | StopRecording):
                    text = session.preview(command).text
                before = len(session.recorded)
                session.send(command)
                sent = text
            except InputError as error:
                self.write(f"   {error}".replace("\n", "\n   "))
                if self.strict:
                    self._fail(session, str(error))
                    return

    def _fail(self, session: PersonSession, reason: str) -> None:
        self.failed = reason
        session.send(StopRecording())

    def _next_screen(self, session: PersonSession) -> Observation | None:
        version = -1
        while session.ended is None:
            version = session.wait_for_change(version, 1.0)
            if (observation := session.observation) is not None:
                return observation
        return None

    def _list(self, observation: Observation) -> None:
        for number, node in enumerate(touchable(observation.tree), start=1):
            self.write(f"  {number:3} {label_of(node)}")
        self.write(HELP)
