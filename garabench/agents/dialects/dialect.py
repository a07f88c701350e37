"""A dialect: how a family of models is shown a screen, and how it writes actions.

Parsing is total: any text becomes an action or an `UnparsedReply`, never an exception. Rendering is the
inverse, so each dialect can be tested against itself, and the fake server can play a model.
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
    excerpt,
)
from garabench.agents.dialects.serialize import compact
from garabench.agents.dialects.thoughts import split
from garabench.core.action import Action
from garabench.core.geometry import Point
from garabench.core.identifiers import did_you_mean

VerbHandler = Callable[[Arguments], Action]
"""Makes an action of a call's arguments; raises `MalformedReplyError`."""

_TOO_LONG = UnparsedReply(
    ReplyFlaw.TOO_LONG,
    f"the reply is longer than {MAX_REPLY_LENGTH:,} characters; write one action and little else",
)


@dataclass(frozen=True, slots=True)
class PointFormatter:
    """Writes places as a dialect does.

    Attributes:
        view: What they refer to.
        rule: How the dialect counts.
    """

    view: ScreenView
    rule: Coordinates

    def pair(self, x: int, y: int) -> list[int]:
        """A place as the two numbers in the dialect's order."""
        return list(from_screen(Point(x, y), self.rule, self.view))


@dataclass(frozen=True, slots=True)
class ToolFunctions:
    """How actions are called as functions of an API.

    Attributes:
        one: Name of the function that does every action; empty where each action has its own function.
        verb: Of the one function, the argument that names the action.
        only: Whether the models always reply with function calls, never with text.
    """

    one: str = ""
    verb: str = ""
    only: bool = False


@dataclass(frozen=True, slots=True)
class Dialect:
    """A dialect.

    Attributes:
        name: As agents name it.
        coordinates: What its numbers count.
        image: Which picture its models are sent.
        read: Finds the call and the thought in a reply; raises `MalformedReplyError`.
        verbs: What each verb means.
        call_for: The call for an action; None where the dialect has no word for it.
        write: The reply that holds a call and a thought, as the models write it.
        system_prompt: The prompt before the task: which actions exist and how to write them.
        functions: How actions are called as functions; None where they are only written.
        numbers_from: The number of the first element, where elements can be named by number; else None.
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
        """Read a reply.

        Args:
            text: All that the model wrote.
            view: The screen that the model saw.
        """
        if len(text) > MAX_REPLY_LENGTH:
            return _TOO_LONG
        text = _sound(text)
        if not text.strip():
            return UnparsedReply(ReplyFlaw.EMPTY, "the reply is empty")
        try:
            before, rest = split(text)
            call, thought = self.read(rest)
            return ParsedReply(self._mean(call, view), f"{before}\n{thought.strip()}".strip())
        except MalformedReplyError as error:
            return UnparsedReply(error.flaw, error.why)

    def parse_tool_call(self, name: str, arguments: str, view: ScreenView, thought: str = "") -> ReplyResult:
        """Read a call that came as a tool call of an API, its arguments as the text of a JSON object."""
        if len(name) + len(arguments) + len(thought) > MAX_REPLY_LENGTH:
            return _TOO_LONG
        name, arguments, thought = _sound(name), _sound(arguments), _sound(thought)
        if self.functions is not None and self.functions.one == name:
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
                    ReplyFlaw.BAD_ARGUMENT, f"arguments are an object, not {excerpt(value)}"
                )
            return ParsedReply(self._mean(ActionCall(name, value), view), thought.strip())
        except MalformedReplyError as error:
            return UnparsedReply(error.flaw, error.why)

    def _mean(self, call: ActionCall, view: ScreenView) -> Action:
        verb = self.verbs.get(call.verb) or self.verbs.get(call.verb.casefold())
        if verb is None:
            raise MalformedReplyError(
                ReplyFlaw.UNKNOWN_ACTION,
                f"no action is called {excerpt(call.verb)}. {did_you_mean(call.verb, self.verbs)}",
            )
        return verb(Arguments(call, view, self.coordinates))

    def render(self, action: Action, view: ScreenView, thought: str = "") -> str | None:
        """Write an action as a model would; None where the dialect has no word for it."""
        call = self.call_for(action, PointFormatter(view, self.coordinates))
        return None if call is None else self.write(call, thought)

    def render_tool_call(self, action: Action, view: ScreenView) -> tuple[str, str] | None:
        """The function and the text of its arguments by which a model would call for an action.

        None where the dialect has no word for it, or is only written.
        """
        call = (
            None if self.functions is None else self.call_for(action, PointFormatter(view, self.coordinates))
        )
        if call is None or self.functions is None:
            return None
        if self.functions.one:
            return self.functions.one, compact({self.functions.verb: call.verb, **call.arguments})
        return call.verb, compact(call.arguments)


def _sound(text: str) -> str:
    """Repair surrogates: a pair becomes its character, an unpaired surrogate becomes U+FFFD.

    APIs pass them through where a model wrote half an escape; neither UTF-8 nor an action can contain one.
    """
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
