"""A dialect: how a family of models is shown a screen, and how it writes what to do.

Parsing is total: any text is an action or an `Unparsed`, never an exception. Rendering is its counterpart,
so that each dialect can be held against itself, and a model can be played in tests.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from garabench.agents.dialects.arguments import Arguments
from garabench.agents.dialects.calls import Call
from garabench.agents.dialects.coordinates import Coordinates, View, from_screen
from garabench.agents.dialects.images import ImageRule
from garabench.agents.dialects.jsonish import read_value
from garabench.agents.dialects.reply import LONGEST_REPLY, Flaw, Malformed, Parsed, Reply, Unparsed, shown
from garabench.agents.dialects.thoughts import split
from garabench.agents.dialects.writing import compact
from garabench.core.action import Action
from garabench.core.geometry import Point
from garabench.core.names import did_you_mean

Verb = Callable[[Arguments], Action]
"""Makes an action of a call's arguments; raises `Malformed`."""

_TOO_LONG = Unparsed(
    Flaw.TOO_LONG, f"the reply is longer than {LONGEST_REPLY:,} characters; write one action and little else"
)


@dataclass(frozen=True, slots=True)
class Pen:
    """Writes places as a dialect does.

    Attributes:
        view: What they refer to.
        rule: How the dialect counts.
    """

    view: View
    rule: Coordinates

    def pair(self, x: int, y: int) -> list[int]:
        """A place as the two numbers in the dialect's order."""
        return list(from_screen(Point(x, y), self.rule, self.view))


@dataclass(frozen=True, slots=True)
class Functions:
    """How actions are called as functions of an API.

    Attributes:
        one: Name of the function that does every action; empty where each action is a function of its own.
        verb: Of the one function, the argument that names the action.
        only: Whether the models are asked for calls in any case, not for text.
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
        read: Finds the call in a reply, and the thought beside it; raises `Malformed`.
        verbs: What each verb means.
        say: The call for an action; None where the dialect has no word for it.
        write: The reply that holds a call and a thought, as the models write it.
        told: What the models are told before the task: the actions that there are and how to write them.
        functions: How actions are called as functions; None where they are only written.
        numbers_from: The number of the first element, where elements can be named by number; else None.
    """

    name: str
    coordinates: Coordinates
    image: ImageRule
    read: Callable[[str], tuple[Call, str]]
    verbs: Mapping[str, Verb]
    say: Callable[[Action, Pen], Call | None]
    write: Callable[[Call, str], str]
    told: Callable[[View, Coordinates], str]
    functions: Functions | None = None
    numbers_from: int | None = None

    def system(self, view: View) -> str:
        """What the models are told before the task, for a screen."""
        return self.told(view, self.coordinates)

    def parse(self, text: str, view: View) -> Reply:
        """Read a reply.

        Args:
            text: All that the model wrote.
            view: What it was shown.
        """
        if len(text) > LONGEST_REPLY:
            return _TOO_LONG
        text = _sound(text)
        if not text.strip():
            return Unparsed(Flaw.EMPTY, "the reply is empty")
        try:
            before, rest = split(text)
            call, thought = self.read(rest)
            return Parsed(self._mean(call, view), f"{before}\n{thought.strip()}".strip())
        except Malformed as error:
            return Unparsed(error.flaw, error.why)

    def parse_tool_call(self, name: str, arguments: str, view: View, thought: str = "") -> Reply:
        """Read a call that came as a tool call of an API, its arguments as the text of a JSON object."""
        if len(name) + len(arguments) + len(thought) > LONGEST_REPLY:
            return _TOO_LONG
        name, arguments, thought = _sound(name), _sound(arguments), _sound(thought)
        if self.functions is not None and self.functions.one == name:
            reply = self.parse(arguments or "{}", view)
            return (
                reply
                if isinstance(reply, Unparsed)
                else Parsed(reply.action, reply.thought or thought.strip())
            )
        try:
            value, _ = read_value(arguments or "{}", 0)
            if not isinstance(value, dict):
                raise Malformed(Flaw.BAD_ARGUMENT, f"arguments are an object, not {shown(value)}")
            return Parsed(self._mean(Call(name, value), view), thought.strip())
        except Malformed as error:
            return Unparsed(error.flaw, error.why)

    def _mean(self, call: Call, view: View) -> Action:
        verb = self.verbs.get(call.verb) or self.verbs.get(call.verb.casefold())
        if verb is None:
            raise Malformed(
                Flaw.UNKNOWN_ACTION,
                f"no action is called {shown(call.verb)}. {did_you_mean(call.verb, self.verbs)}",
            )
        return verb(Arguments(call, view, self.coordinates))

    def render(self, action: Action, view: View, thought: str = "") -> str | None:
        """Write an action as a model would; None where the dialect has no word for it."""
        call = self.say(action, Pen(view, self.coordinates))
        return None if call is None else self.write(call, thought)

    def render_tool_call(self, action: Action, view: View) -> tuple[str, str] | None:
        """The function and the text of its arguments by which a model would call for an action.

        None where the dialect has no word for it, or is only written.
        """
        call = None if self.functions is None else self.say(action, Pen(view, self.coordinates))
        if call is None or self.functions is None:
            return None
        if self.functions.one:
            return self.functions.one, compact({self.functions.verb: call.verb, **call.arguments})
        return call.verb, compact(call.arguments)


def _sound(text: str) -> str:
    """A text without half characters: two halves are put together, one alone becomes U+FFFD.

    APIs let them through where a model wrote half an escape; no UTF-8 can hold one, nor can an action.
    """
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
