"""A dialect: how a family of models is shown a screen, and how it writes actions.

Parsing is total: any text becomes an action or an `UnparsedReply`, never an exception. Rendering is the
inverse, so each dialect can be tested against itself, and the fake server can simulate a model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from garabench.agents.dialects.arguments import Arguments
from garabench.agents.dialects.calls import ActionCall
from garabench.agents.dialects.coordinates import Coordinates, ScreenView, from_screen
from garabench.agents.dialects.image_sizes import ImageRule
from garabench.agents.dialects.lenient_json import read_value
from garabench.agents.dialects.reply import (
    MAX_REPLY_LENGTH,
    MalformedReplyError,
    ParsedReply,
    ReplyFlaw,
    ReplyResult,
    UnparsedReply,
    short_repr,
)
from garabench.agents.dialects.serialize import compact
from garabench.agents.dialects.thoughts import split
from garabench.core.action import Action
from garabench.core.geometry import Point
from garabench.core.suggestions import did_you_mean

VerbHandler = Callable[[Arguments], Action]
"""Returns the action for a call's arguments; raises `MalformedReplyError`."""

_TOO_LONG = UnparsedReply(
    ReplyFlaw.TOO_LONG,
    f"the reply is longer than {MAX_REPLY_LENGTH:,} characters; write one action with a short thought",
)


@dataclass(frozen=True, slots=True)
class PointFormatter:
    """Formats points in a dialect's coordinates.

    Attributes:
        view: The view to which they refer.
        rule: The coordinate rule of the dialect.
    """

    view: ScreenView
    rule: Coordinates

    def pair(self, x: int, y: int) -> list[int]:
        """Return a point as two numbers in the dialect's order."""
        return list(from_screen(Point(x, y), self.rule, self.view))


@dataclass(frozen=True, slots=True)
class ToolFunctions:
    """How actions are called as functions of an API.

    Attributes:
        shared: Name of the function for all actions; empty if each action has its own function.
        verb: Argument of the shared function that names the action.
        only: Whether the models always reply with function calls, never with text.
    """

    shared: str = ""
    verb: str = ""
    only: bool = False


@dataclass(frozen=True, slots=True)
class Dialect:
    """A dialect.

    Attributes:
        name: Name in agent profiles.
        coordinates: Coordinate rule.
        image: Size of the images that its models are sent.
        read: Returns the call and the thought in a reply; raises `MalformedReplyError`.
        verbs: Handlers of the verbs.
        call_for: Returns the call for an action; None if the dialect cannot express it.
        write: Returns a reply with a call and a thought, as the models write it.
        system_prompt: Returns the system prompt: the actions and how to write them.
        functions: How actions are called as functions; None if they are only written as text.
        numbers_from: Number of the first element; None if elements have no numbers.
    """

    name: str
    coordinates: Coordinates
    image: ImageRule
    read: Callable[[str], tuple[ActionCall, str]]
    verbs: Mapping[str, VerbHandler]
    call_for: Callable[[Action, PointFormatter], ActionCall | None]
    write: Callable[[ActionCall, str], str]
    system_prompt: Callable[[ScreenView, Coordinates], str]
    functions: ToolFunctions | None = None
    numbers_from: int | None = None

    def system(self, view: ScreenView) -> str:
        """Return the system prompt for a screen."""
        return self.system_prompt(view, self.coordinates)

    def parse(self, text: str, view: ScreenView) -> ReplyResult:
        """Parse a reply.

        Args:
            text: The full text of the reply.
            view: The screen as the model saw it.
        """
        if len(text) > MAX_REPLY_LENGTH:
            return _TOO_LONG
        text = _repair_surrogates(text)
        if not text.strip():
            return UnparsedReply(ReplyFlaw.EMPTY, "the reply is empty")
        try:
            before, rest = split(text)
            call, thought = self.read(rest)
            return ParsedReply(self._action(call, view), f"{before}\n{thought.strip()}".strip())
        except MalformedReplyError as error:
            return UnparsedReply(error.flaw, error.reason)

    def parse_tool_call(self, name: str, arguments: str, view: ScreenView, thought: str = "") -> ReplyResult:
        """Parse a tool call of an API, whose arguments are the text of a JSON object."""
        if len(name) + len(arguments) + len(thought) > MAX_REPLY_LENGTH:
            return _TOO_LONG
        name, arguments, thought = (
            _repair_surrogates(name),
            _repair_surrogates(arguments),
            _repair_surrogates(thought),
        )
        if self.functions is not None and self.functions.shared == name:
            reply = self.parse(arguments or "{}", view)
            return (
                reply
                if isinstance(reply, UnparsedReply)
                else ParsedReply(reply.action, reply.thought or thought.strip())
            )
        try:
            value, _ = read_value(arguments or "{}", 0)
            if not isinstance(value, dict):
                raise MalformedReplyError(
                    ReplyFlaw.BAD_ARGUMENT, f"arguments must be an object, not {short_repr(value)}"
                )
            return ParsedReply(self._action(ActionCall(name, value), view), thought.strip())
        except MalformedReplyError as error:
            return UnparsedReply(error.flaw, error.reason)

    def _action(self, call: ActionCall, view: ScreenView) -> Action:
        verb = self.verbs.get(call.verb) or self.verbs.get(call.verb.casefold())
        if verb is None:
            raise MalformedReplyError(
                ReplyFlaw.UNKNOWN_ACTION,
                f"unknown action {short_repr(call.verb)}. {did_you_mean(call.verb, self.verbs)}",
            )
        return verb(Arguments(call, view, self.coordinates))

    def render(self, action: Action, view: ScreenView, thought: str = "") -> str | None:
        """Write an action as a model would; return None if the dialect cannot express it."""
        call = self.call_for(action, PointFormatter(view, self.coordinates))
        return None if call is None else self.write(call, thought)

    def render_tool_call(self, action: Action, view: ScreenView) -> tuple[str, str] | None:
        """Return the function and the arguments with which a model would call for an action.

        Returns None if the dialect cannot express it or has no functions.
        """
        call = (
            None if self.functions is None else self.call_for(action, PointFormatter(view, self.coordinates))
        )
        if call is None or self.functions is None:
            return None
        if self.functions.shared:
            return self.functions.shared, compact({self.functions.verb: call.verb, **call.arguments})
        return call.verb, compact(call.arguments)


def _repair_surrogates(text: str) -> str:
    """Repair surrogates: a pair becomes its character, an unpaired surrogate becomes U+FFFD.

    APIs pass on the half escapes that models write, but neither UTF-8 nor an action can contain them.
    """
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
