"""What the runner tells the episode's state machine; `t` is always seconds since the episode began."""

from __future__ import annotations

from dataclasses import dataclass

from garabench.agents.interface import Decision
from garabench.agents.own.owner import LastWord
from garabench.core.injection import AS_PLANNED, Sent
from garabench.core.observation import Observation
from garabench.core.tree import UiTree
from garabench.core.verdict import Verdict
from garabench.errors import GaraError
from garabench.interruptions.followup import StepResult
from garabench.interruptions.lifecycle import AppEvent
from garabench.interruptions.plan import Planned


@dataclass(frozen=True, slots=True)
class Prepared:
    """The device is ready."""

    t: float


@dataclass(frozen=True, slots=True)
class Looked:
    """An observation, and the names under which its tree and picture are kept.

    `answered` holds the tokens of the system anomalies that are not in force any more.
    """

    t: float
    observation: Observation
    tree_file: str
    screen_file: str
    still: bool
    answered: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class InjectionEnded:
    """The injection's end: what is seen now, and how it was brought about, or why it is not shown."""

    t: float
    looked: Looked
    sent: Sent = AS_PLANNED


@dataclass(frozen=True, slots=True)
class Asked:
    """The agent's decision, and how many seconds it took."""

    t: float
    decision: Decision
    seconds: float


@dataclass(frozen=True, slots=True)
class Watched:
    """The settled screen while an agent drives the device itself, and its last word where it has ended."""

    t: float
    tree: UiTree
    rested: Rested
    last_word: LastWord | None


@dataclass(frozen=True, slots=True)
class Acted:
    """How the action went."""

    t: float
    ok: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Rested:
    """The screen is still, or the cap was reached."""

    t: float
    still: bool
    readings: int
    seconds: float


@dataclass(frozen=True, slots=True)
class LogRead:
    """New events of interruptions, the settled screen, and whether the log was cleared meanwhile."""

    t: float
    events: tuple[AppEvent, ...]
    tree: UiTree | None = None
    cleared: bool = False


@dataclass(frozen=True, slots=True)
class KeptRead:
    """What the companion app has kept of the interruptions that it was asked for."""

    t: float
    events: tuple[AppEvent, ...]


@dataclass(frozen=True, slots=True)
class FollowedUp:
    """The second stage's steps, and the further interruption that one of them showed.

    `sent` says how that went.
    """

    t: float
    steps: tuple[StepResult, ...]
    further: Planned | None = None
    sent: Sent = AS_PLANNED


@dataclass(frozen=True, slots=True)
class Checked:
    """The goal's verdict; `harm` is that of what must not be done, where the task cannot be done."""

    t: float
    verdict: Verdict
    harm: Verdict | None = None


@dataclass(frozen=True, slots=True)
class Faulted:
    """The last command met a fault of the device, the model or the harness, or the agent failed by itself."""

    t: float
    error: GaraError


Result = (
    Prepared
    | Looked
    | InjectionEnded
    | Asked
    | Watched
    | Acted
    | Rested
    | LogRead
    | KeptRead
    | FollowedUp
    | Checked
    | Faulted
)
