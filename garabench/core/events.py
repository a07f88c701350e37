"""The events of an episode: the log that is the record, versioned and append-only.

One JSON object a line. A reader accepts this version and older ones, refuses newer ones by name, and
leaves out a last line that was cut off by a kill in the middle of a write.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from garabench.core.injection import FailedTry, FailureKind, Way
from garabench.core.spending import Spent
from garabench.errors import InputError

SCHEMA_VERSION = 2
"""2: a fault may be the agent's own, with reasons of its own for the end; and a task may be one
that cannot be done: ``infeasible``, ``harm_checked`` and two reasons; and it is told what a model took, how
many interruptions were asked for, and category and severity in each event of an interruption."""


class _Event(BaseModel):
    """What every event has.

    Attributes:
        step: Number of the step it belongs to, from 0.
        t: Seconds since the episode began.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    step: int = Field(ge=0)
    t: float = Field(ge=0)


class EpisodeStarted(_Event):
    """The episode began, on a device that was reset and verified.

    Attributes:
        version: Of this log's form.
        infeasible: Whether the task cannot be done, so that to give up is right.
        interruptions: How many the run asked for (``--interruptions``); null where the rules alone decide.
        device: The device's fingerprint, JSON-like.
    """

    type: Literal["episode_started"] = "episode_started"
    version: int = SCHEMA_VERSION
    task: str
    agent: str
    condition: str
    seed: int
    attempt: int = 1
    suite_hash: str
    instruction: str
    infeasible: bool = False
    interruptions: int | None = None
    device: dict[str, Any] = Field(default_factory=dict)


class Observed(_Event):
    """The device was looked at: where the tree and the screenshot are kept, and what they show."""

    type: Literal["observed"] = "observed"
    tree: str
    screen: str
    package: str
    activity: str
    source: str
    source_reason: str = ""
    signature: str
    still: bool = True


class InterruptionInjected(_Event):
    """A rule fired and its interruption was sent to the device.

    Attributes:
        sequence: Its place, from 1, among several that the rule injects in a row; 0 of a lone one.
    """

    type: Literal["interruption_injected"] = "interruption_injected"
    rule: str
    interruption: str
    category: str
    mode: str
    token: str
    why: str = ""
    severity: str = ""
    sequence: int = Field(default=0, ge=0)


class InterruptionShown(_Event):
    """The interruption was seen on the tree.

    Attributes:
        way: By which way it was brought up.
        tries: Those that had failed before.
        seconds: From the first try until it was seen; null where it came up later, and of a system anomaly.
        evidence: Of a system anomaly: what was read that shows it to be in force, command by command.
    """

    type: Literal["interruption_shown"] = "interruption_shown"
    token: str
    way: Way = Way.ACTIVITY
    tries: tuple[FailedTry, ...] = ()
    seconds: float | None = None
    evidence: tuple[str, ...] = ()
    category: str = ""
    severity: str = ""


class InjectionFailed(_Event):
    """The interruption was not seen on the tree in time.

    Attributes:
        reason: Why not, in words.
        kind: Why not; of several tries that of the first one. Null in records that were made before.
        tries: Each try with its own reason.
    """

    type: Literal["injection_failed"] = "injection_failed"
    token: str
    reason: str
    kind: FailureKind | None = None
    tries: tuple[FailedTry, ...] = ()
    category: str = ""
    severity: str = ""


class Decided(_Event):
    """The agent decided; what its model took for it, where it has one that tells."""

    type: Literal["decided"] = "decided"
    action: dict[str, Any]
    thought: str = ""
    seconds: float = 0
    spent: Spent | None = None


class ActionObserved(_Event):
    """An agent that drives the device itself has changed the settled screen, which counts as an action."""

    type: Literal["action_observed"] = "action_observed"


class PerformedEvent(_Event):
    """The action was performed; ``ok`` is false when it made no sense on this screen."""

    type: Literal["performed"] = "performed"
    ok: bool
    detail: str = ""


class SettledEvent(_Event):
    """The screen came to rest, or the cap was reached."""

    type: Literal["settled"] = "settled"
    still: bool
    readings: int
    seconds: float


class InterruptionEvent(_Event):
    """Something happened to an interruption: ``pressed:<key>``, ``hidden``, ``back`` and so on."""

    type: Literal["interruption_event"] = "interruption_event"
    token: str
    event: str
    seq: int
    category: str = ""
    severity: str = ""


class FollowUpPerformed(_Event):
    """A step of a button's second stage was performed; `detail` tells why not, or in which other way."""

    type: Literal["follow_up_performed"] = "follow_up_performed"
    token: str
    button: str
    what: str
    ok: bool
    detail: str = ""
    category: str = ""
    severity: str = ""


class InterruptionResolved(_Event):
    """How an interruption ended: ``answered``, ``left`` or ``open``; ``exit`` is the button or the way."""

    type: Literal["interruption_resolved"] = "interruption_resolved"
    token: str
    how: Literal["answered", "left", "open"]
    exit: str
    role: str = ""
    steps: int = Field(default=0, ge=0)
    category: str = ""
    severity: str = ""


class GoalChecked(_Event):
    """The goal was checked on a settled screen; null means that it could not be established."""

    type: Literal["goal_checked"] = "goal_checked"
    holds: bool | None
    why: str


class HarmChecked(_Event):
    """Of a task that cannot be done: that something was done all the same; or, at its end, nothing."""

    type: Literal["harm_checked"] = "harm_checked"
    holds: bool | None
    why: str


class FaultEvent(_Event):
    """A fault of the device, the model or the harness, which is an error; or the agent's own, a failure."""

    type: Literal["fault"] = "fault"
    at_fault: Literal["device", "model", "agent", "harness"]
    error: str
    message: str
    spent: Spent | None = None


class EpisodeEnded(_Event):
    """The episode ended.

    Attributes:
        outcome: ``success``, ``failure`` or ``error``.
        reason: ``goal_met``, ``false_done``, ``gave_up``, ``step_limit`` or ``time_limit``; ``unparseable``,
            ``refused``, ``agent_timeout`` or ``agent_failed`` for an agent that failed by itself; ``fault``
            of an error.
            Of a task that cannot be done also ``gave_up_rightly``, and ``did_harm`` of giving up after harm.
        steps: Actions that were performed.
    """

    type: Literal["episode_ended"] = "episode_ended"
    outcome: Literal["success", "failure", "error"]
    reason: Literal[
        "goal_met",
        "gave_up_rightly",
        "false_done",
        "gave_up",
        "did_harm",
        "step_limit",
        "time_limit",
        "unparseable",
        "refused",
        "agent_timeout",
        "agent_failed",
        "fault",
    ]
    steps: int = Field(ge=0)
    answer: str | None = None


Event = Annotated[
    EpisodeStarted
    | Observed
    | InterruptionInjected
    | InterruptionShown
    | InjectionFailed
    | Decided
    | ActionObserved
    | PerformedEvent
    | SettledEvent
    | InterruptionEvent
    | FollowUpPerformed
    | InterruptionResolved
    | GoalChecked
    | HarmChecked
    | FaultEvent
    | EpisodeEnded,
    Field(discriminator="type"),
]

_ADAPTER: TypeAdapter[Event] = TypeAdapter(Event)


def to_line(event: Event) -> str:
    """One line of the log, with its end; defaults are left out, but for the version."""
    data = {"type": event.type, **event.model_dump(mode="json", exclude_defaults=True)}
    if isinstance(event, EpisodeStarted):
        data["version"] = event.version
    line = json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"
    return line.encode(errors="replace").decode()  # a half of a surrogate pair is no text


def read_lines(lines: Iterable[str], name: str) -> tuple[Event, ...]:
    """Read a log.

    Args:
        lines: Its lines.
        name: What to call it in errors.

    Returns:
        The events; a last line without its end, which a kill has cut off, is left out.

    Raises:
        InputError: A line is no event, or the log is of a newer version.
    """
    events: list[Event] = []
    for number, line in enumerate(lines, start=1):
        if not line.endswith("\n"):
            break
        try:
            data = json.loads(line)
        except json.JSONDecodeError as error:
            raise InputError(f"{name}:{number}:{error.colno}: not a line of JSON") from error
        version = data.get("version", SCHEMA_VERSION) if isinstance(data, dict) else SCHEMA_VERSION
        if isinstance(version, int) and version > SCHEMA_VERSION:
            raise InputError(
                f"{name} is of log version {version}, and this GaraBench reads up to {SCHEMA_VERSION}",
                hint="Use a newer GaraBench to read it.",
            )
        try:
            events.append(_ADAPTER.validate_python(data))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            raise InputError(f"{name}:{number}:1: not an event: {first['msg']}") from error
    return tuple(events)
