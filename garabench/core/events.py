"""The events of an episode: a versioned, append-only log with one JSON object per line.

A reader accepts this version and older ones, refuses newer ones by number, and ignores a last line that was
truncated because the process was killed while writing it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from garabench.core.app_state import AppEffects
from garabench.core.end_criterion import EndCriterion
from garabench.core.injection import DeliveryMethod, FailedAttempt, FailureKind
from garabench.core.line_checksum import parse_line, with_checksum
from garabench.core.side_effects import UnaskedEffects
from garabench.core.usage import Usage
from garabench.errors import InputError

SCHEMA_VERSION = 5
"""5: ``effects`` and ``final_observed``; a checksum in each line; ``reason`` was called ``why``,
``description`` ``what``.

4: ``usage`` was called ``spent``, and ``method`` was called ``way``.

3: trees and pictures are named by the SHA-256 of their content, and the length of the reference solution
is recorded.

2: a fault may be the agent's own, with additional reasons for the end; infeasible tasks, with ``infeasible``,
``harm_checked`` and two reasons; model usage, the number of requested interruptions, and category and
severity in each event of an interruption."""

EFFECTS_VERSION = 5
"""The first version with the event ``effects``."""


class _Event(BaseModel):
    """The fields of every event.

    Attributes:
        step: Number of its step, from 0.
        t: Seconds since the episode began.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    step: int = Field(ge=0)
    t: float = Field(ge=0)


class EpisodeStarted(_Event):
    """The episode began, on a device that was reset and verified to be in its initial state.

    Attributes:
        version: Version of the log's format.
        instruction, language: The instruction that the agent gets, and its language; the language is empty in
            older logs.
        infeasible: Whether the task cannot be done, so that giving up is correct.
        interruptions: The number of requested interruptions (``--interruptions``); null if the rules decide.
        device: Properties of the device, as JSON.
        solution_steps: Length of the task's reference solution; null in logs of version 2 and before.
        end: When the episode ends (``--end``).
        app: Package of the task's app; empty in older logs.
        max_steps: The task's step limit; null in older logs.
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
    language: str = ""
    infeasible: bool = False
    interruptions: int | None = None
    device: dict[str, Any] = Field(default_factory=dict)
    solution_steps: int | None = None
    end: EndCriterion = EndCriterion.GOAL
    app: str = ""
    max_steps: int | None = None


class _Screen(_Event):
    """The fields of an observation.

    Attributes:
        tree, screen: SHA-256 of the UI tree and of the screenshot in the run's store; paths within the
            episode's folder in logs of version 2 and before.
        package, activity: The focused window.
        source: Source of the tree.
        source_reason: Why a preferred source failed.
        signature: Hash of the visible state.
        still: Whether the screen had settled.
    """

    tree: str
    screen: str
    package: str
    activity: str
    source: str
    source_reason: str = ""
    signature: str
    still: bool = True


class Observed(_Screen):
    """The device was observed before the agent decided."""

    type: Literal["observed"] = "observed"


class FinalObserved(_Screen):
    """The device was observed at the end, after the last action; no agent saw it.

    It is missing in logs of version 4 and before, in episodes that ended in an error, if the screen could not
    be read, and if nothing was performed since the last observation.
    """

    type: Literal["final_observed"] = "final_observed"


class InterruptionInjected(_Event):
    """A rule fired and its interruption was sent to the device.

    Attributes:
        sequence: Its position, from 1, if the rule injects several in a row; 0 for a single one.
    """

    type: Literal["interruption_injected"] = "interruption_injected"
    rule: str
    interruption: str
    category: str
    mode: str
    token: str
    reason: str = ""
    severity: str = ""
    sequence: int = Field(default=0, ge=0)


class InterruptionShown(_Event):
    """The interruption was seen on the tree.

    Attributes:
        method: The delivery method.
        tries: The failed attempts before it.
        seconds: Time from the first attempt until it was seen; null if it appeared later, or for an anomaly.
        evidence: For a system anomaly, the readings that show it to be in effect, by command.
    """

    type: Literal["interruption_shown"] = "interruption_shown"
    token: str
    method: DeliveryMethod = DeliveryMethod.ACTIVITY
    tries: tuple[FailedAttempt, ...] = ()
    seconds: float | None = None
    evidence: tuple[str, ...] = ()
    category: str = ""
    severity: str = ""


class InjectionFailed(_Event):
    """The interruption was not seen on the tree in time.

    Attributes:
        reason: The reason in words.
        kind: The kind of failure, of the first attempt if there were several; null in older records.
        tries: The attempts, each with its reason.
    """

    type: Literal["injection_failed"] = "injection_failed"
    token: str
    reason: str
    kind: FailureKind | None = None
    tries: tuple[FailedAttempt, ...] = ()
    category: str = ""
    severity: str = ""


class Decided(_Event):
    """The agent decided; ``usage`` is the reported usage of its model."""

    type: Literal["decided"] = "decided"
    action: dict[str, Any]
    thought: str = ""
    seconds: float = 0
    usage: Usage | None = None


class ActionObserved(_Event):
    """An autonomous agent changed the settled screen, which counts as an action."""

    type: Literal["action_observed"] = "action_observed"


class PerformedEvent(_Event):
    """The action was performed; ``ok`` is false if it was not possible on this screen."""

    type: Literal["performed"] = "performed"
    ok: bool
    detail: str = ""


class SettledEvent(_Event):
    """The screen settled, or the time limit for settling was reached."""

    type: Literal["settled"] = "settled"
    still: bool
    readings: int
    seconds: float


class InterruptionEvent(_Event):
    """The companion app reported an event: ``pressed:<key>``, ``hidden``, ``back`` and so on."""

    type: Literal["interruption_event"] = "interruption_event"
    token: str
    event: str
    seq: int
    category: str = ""
    severity: str = ""


class FollowUpPerformed(_Event):
    """A step of a button's follow-up was performed; ``detail`` explains a failure or an adaptation."""

    type: Literal["follow_up_performed"] = "follow_up_performed"
    token: str
    button: str
    description: str
    ok: bool
    detail: str = ""
    category: str = ""
    severity: str = ""


class InterruptionResolved(_Event):
    """How an interruption ended.

    Attributes:
        how: ``answered`` by a button, ``left`` by another exit, or still ``open`` at the end of the episode.
        exit: The button or the other exit.
        role: The role of the button; empty for another exit.
        steps: Number of steps since it was injected.
    """

    type: Literal["interruption_resolved"] = "interruption_resolved"
    token: str
    how: Literal["answered", "left", "open"]
    exit: str
    role: str = ""
    steps: int = Field(default=0, ge=0)
    category: str = ""
    severity: str = ""


class GoalChecked(_Event):
    """The goal was checked on a settled screen; null means unknown."""

    type: Literal["goal_checked"] = "goal_checked"
    holds: bool | None
    reason: str


class HarmChecked(_Event):
    """The harm of an infeasible task was checked: when it first held, or at the end if it never did."""

    type: Literal["harm_checked"] = "harm_checked"
    holds: bool | None
    reason: str


class Effects(_Event):
    """What the episode changed in the apps that it touched and in the system; written before its end.

    It is missing in logs of version 4 and before, and in episodes that ended in an error.

    Attributes:
        apps: The changes by app.
        by_harness: The settings that an interruption or its follow-up changed, as ``global/low_power``.
        unasked: What changed in addition to what the task asks for; neither incidental nor by GaraBench.
    """

    type: Literal["effects"] = "effects"
    apps: tuple[AppEffects, ...] = ()
    by_harness: tuple[str, ...] = ()
    unasked: UnaskedEffects = UnaskedEffects(unknown="it was not determined")


class FaultEvent(_Event):
    """A fault of the device, the model or the harness (an error), or of the agent (a failure)."""

    type: Literal["fault"] = "fault"
    at_fault: Literal["device", "model", "agent", "harness"]
    error: str
    message: str
    usage: Usage | None = None


class EpisodeEnded(_Event):
    """The episode ended.

    Attributes:
        outcome: ``success``, ``failure`` or ``error``.
        reason: ``goal_met``, ``false_done``, ``ambiguous_answer``, ``gave_up``, ``step_limit`` or
            ``time_limit``; ``unparseable``, ``refused``, ``agent_timeout`` or ``agent_failed`` for a failure
            of the agent itself; ``fault`` for an error. For an infeasible task also ``gave_up_rightly``, and
            ``did_harm`` for giving up after harm.
        steps: Number of performed actions.
    """

    type: Literal["episode_ended"] = "episode_ended"
    outcome: Literal["success", "failure", "error"]
    reason: Literal[
        "goal_met",
        "gave_up_rightly",
        "false_done",
        "ambiguous_answer",
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
    | FinalObserved
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
    | Effects
    | FaultEvent
    | EpisodeEnded,
    Field(discriminator="type"),
]

_ADAPTER: TypeAdapter[Event] = TypeAdapter(Event)

_FORMER_FIELDS = {"spent": "usage", "way": "method", "why": "reason", "what": "description"}
"""Names of fields in logs of version 4 and before, with the present names."""


def to_line(event: Event) -> str:
    """Return an event as a line of the log, with its line end; defaults are omitted, except the version."""
    data = {"type": event.type, **event.model_dump(mode="json", exclude_defaults=True)}
    if isinstance(event, EpisodeStarted):
        data["version"] = event.version
    line = json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"
    return with_checksum(line.encode(errors="replace").decode())  # UTF-8 has no unpaired surrogates


def read_lines(lines: Iterable[str], name: str) -> tuple[Event, ...]:
    """Parse a log.

    Args:
        lines: The lines.
        name: Its name in error messages.

    Returns:
        The events; a truncated last line is ignored.

    Raises:
        InputError: A line is not an event, or the log has a newer version.
    """
    events: list[Event] = []
    for number, line in enumerate(lines, start=1):
        if not line.endswith("\n"):
            break
        try:
            data = parse_line(line)
        except json.JSONDecodeError as error:
            raise InputError(f"{name}:{number}:{error.colno}: not a line of JSON") from error
        except ValueError as error:
            raise InputError(f"{name}:{number}:1: {error}") from error
        version = data.get("version", SCHEMA_VERSION) if isinstance(data, dict) else SCHEMA_VERSION
        if isinstance(version, int) and version > SCHEMA_VERSION:
            raise InputError(
                f"{name} has log version {version}; this GaraBench reads versions up to {SCHEMA_VERSION}",
                hint="Use a newer GaraBench to read it.",
            )
        try:
            events.append(_ADAPTER.validate_python(_upgrade(data)))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            raise InputError(f"{name}:{number}:1: not an event: {first['msg']}") from error
    return tuple(events)


def _upgrade(data: object) -> object:
    """Return an event of any version with the present names of its fields."""
    if not isinstance(data, dict):
        return data
    renamed = {_FORMER_FIELDS.get(name, name): value for name, value in data.items()}
    if isinstance(tries := renamed.get("tries"), list):
        renamed["tries"] = [_upgrade(each) for each in tries]
    return renamed
