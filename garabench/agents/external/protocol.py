"""The protocol of agents that are programs or services: JSON objects, the same over a pipe and over HTTP.

::

    GaraBench                               agent
    hello {protocol}            ->
                                <-          ready {protocol, image, tree}
    start {instruction, …}      ->
    observe {step, tree, image} ->
                                <-          decision {step, action, thought}   or   fault {message}
    …
    end                         ->

The agent answers ``ready`` with the protocol version. Its messages are untrusted data: they are validated
strictly and never executed.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, WithJsonSchema

from garabench.agents.interface import MAX_DECISION_BYTES
from garabench.core.action import Action
from garabench.core.usage import Usage

PROTOCOL = 1
MAX_MESSAGE_BYTES = MAX_DECISION_BYTES
"""Limit of an answer; a decision usually has a few hundred bytes."""

MAX_INTEGER = 2**53 - 1
"""Larger integers are not portable between languages (RFC 7493, 2.2)."""
_MOST_SECONDS = 1_000_000_000
_MOST_COST = 1_000_000_000
_DECIMAL = r"^[0-9]{1,9}(\.[0-9]{1,30})?([eE]-[0-9]{1,2})?$(?!\n)"

ImageForm = Literal["base64", "file", "none"]


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ScreenSize(_Message):
    """A size in device pixels, at the current rotation."""

    width: int
    height: int


class FocusedWindow(_Message):
    """The focused window; both names are empty if there is none."""

    package: str
    activity: str


class ScreenImage(_Message):
    """A screenshot as a PNG, either in `base64` or as a file at `path`, as the agent requested.

    Attributes:
        base64: The encoded PNG.
        path: Path of the PNG file, which exists until the agent answers.
    """

    format: Literal["png"] = "png"
    width: int
    height: int
    base64: str | None = None
    path: str | None = None


class PastStep(_Message):
    """A completed step.

    Attributes:
        ok: Whether the action could be performed on its screen.
        detail: Why it could not; empty otherwise.
    """

    action: Action
    thought: str = ""
    ok: bool
    detail: str = ""


class HelloMessage(_Message):
    """The first message: the version of GaraBench and of the protocol."""

    type: Literal["hello"] = "hello"
    protocol: int = PROTOCOL
    garabench: str


class TaskInfo(_Message):
    """The task.

    Attributes:
        episode: Unique id of this episode; a service may serve several episodes at once.
        instruction: What to do.
        language: Language of the instruction and of the screen, such as ``zh``.
        app: Package of the app that the task is about; it is open when the episode begins.
        max_steps: Limit of actions.
        seed: Random seed for the agent.
        deadline: Time limit of each decision in seconds.
    """

    episode: str
    instruction: str
    language: str
    app: str
    max_steps: int
    seed: int
    deadline: float


class StartMessage(_Message):
    """An episode begins; the agent does not answer."""

    type: Literal["start"] = "start"
    task: TaskInfo
    screen: ScreenSize


class ObserveMessage(_Message):
    """The settled screen; the agent answers with a decision.

    Attributes:
        task: The task, as at the start, so that a service can be stateless.
        step: Number of the step, from 0; the decision repeats it.
        elapsed: Seconds since the episode began.
        screen: Size at the current rotation: the range of the action's coordinates.
        rotation: 0 to 3, in quarter turns.
        focus: The focused window.
        tree: The UI tree as XML in the format of ``uiautomator dump``; null if the agent wants none.
        image: The screenshot; null if the agent wants none.
        last: The last step; null at the first step.
        history: Every step so far, oldest first.
    """

    type: Literal["observe"] = "observe"
    task: TaskInfo
    step: int
    elapsed: float
    screen: ScreenSize
    rotation: int
    focus: FocusedWindow
    tree: str | None
    image: ScreenImage | None
    last: PastStep | None
    history: tuple[PastStep, ...]


class EndMessage(_Message):
    """The episode is over; the agent does not answer. A program exits now."""

    type: Literal["end"] = "end"
    episode: str


class AutonomousBrief(_Message):
    """The brief of an autonomous agent, on its standard input and in a file.

    Attributes:
        instruction: What to do.
        language: Language of the instruction, such as ``zh``.
        app: Package of the app that the task is about; it is open when the episode begins.
        max_steps: Limit of observed actions.
        seconds: Time limit of the episode.
        screen: Size of the screen.
        seed: Random seed for the agent.
        serial: Serial number of the device, as listed by ``adb devices``.
        answer: Path of the file for the answer to a question.
    """

    protocol: int = PROTOCOL
    instruction: str
    language: str
    app: str
    max_steps: int
    seconds: float
    screen: ScreenSize
    seed: int
    serial: str
    answer: str


class ReadyMessage(_Message):
    """The agent is ready.

    Attributes:
        protocol: Version of the protocol.
        image: How it wants the screenshot: in the message, as a file, or not at all.
        tree: Whether it wants the UI tree.
    """

    type: Literal["ready"]
    protocol: int
    image: ImageForm = "base64"
    tree: bool = True


def _amount(value: object) -> object:
    """Parse an amount strictly; Python would also accept spaces, underscores and digits of any script."""
    if isinstance(value, str):
        if re.search(_DECIMAL, value) is None:
            raise ValueError("expected a number or a string such as '0.0061'")
        return Decimal(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Decimal(str(value))
    return value


class ReportedUsage(Usage):
    """The usage that an agent reports; the numbers have upper bounds, unlike those of whole runs."""

    seconds: float = Field(default=0, ge=0, le=_MOST_SECONDS)
    queued: float = Field(default=0, ge=0, le=_MOST_SECONDS)
    cost: Annotated[
        Decimal | None,
        Field(ge=0, le=_MOST_COST),
        BeforeValidator(_amount),
        WithJsonSchema(
            {
                "anyOf": [
                    {"type": "number", "minimum": 0, "maximum": _MOST_COST},
                    {"type": "string", "pattern": _DECIMAL},
                    {"type": "null"},
                ]
            }
        ),
    ] = None


class DecisionMessage(_Message):
    """The agent's decision.

    Attributes:
        step: Step of the observation that it answers.
        action: The action, in device pixels.
        thought: The agent's reasoning.
        usage: The usage of its model for this decision, if it has one and reports it.
    """

    type: Literal["decision"]
    step: int
    action: Action
    thought: str = Field(default="", max_length=100_000)
    # GaraBench 0.2 called it "spent"; agents written for it are still understood.
    usage: ReportedUsage | None = Field(default=None, validation_alias=AliasChoices("usage", "spent"))


class FaultMessage(_Message):
    """The agent's model or service has failed. The agent is not at fault, so the episode is an error."""

    type: Literal["fault"]
    message: str = Field(max_length=10_000)


ToAgent = Annotated[HelloMessage | StartMessage | ObserveMessage | EndMessage, Field(discriminator="type")]
FromAgent = Annotated[ReadyMessage | DecisionMessage | FaultMessage, Field(discriminator="type")]

TO_AGENT: TypeAdapter[ToAgent] = TypeAdapter(ToAgent)
FROM_AGENT: TypeAdapter[FromAgent] = TypeAdapter(FromAgent)
