"""What happens to a run as a whole: its devices, their recovery, attempts at episodes.

The events of an episode say what happened in it; these say which device performed it, what was done to keep
the device usable, and how far the run is. They are written to ``campaign.jsonl`` in the run's folder, and are
the lines of ``garabench run --events``. Results never depend on them.
"""

from __future__ import annotations

import datetime as dt
import enum
import json
from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from garabench.core.line_checksum import parse_line, with_checksum

CAMPAIGN_VERSION = 1


class Symptom(enum.StrEnum):
    """What a health check found wrong with a device."""

    UNREACHABLE = "unreachable"
    """It does not respond, or adb does not list it as ``device``."""
    BOOTING = "booting"
    """Android has not finished booting."""
    LOCKED = "locked"
    """The lock screen asks for a secret, or the screen does not wake up."""
    DIALOG = "dialog"
    """The system reports that an app crashed or does not respond."""
    COVERED = "covered"
    """A secure window of the system covers everything, such as a credential prompt."""
    NO_FOCUS = "no_focus"
    """No window has the focus."""
    EMPTY_TREE = "empty_tree"
    """No source returns a UI tree."""
    U2_FAILED = "u2_failed"
    """uiautomator2's server failed, and the slower ``uiautomator dump`` replaces it."""
    LOW_STORAGE = "low_storage"
    """Less space is free than a run needs."""
    WRONG_TIME = "wrong_time"
    """Its clock is earlier than its build, so that TLS connections fail."""
    NO_NETWORK = "no_network"
    """It had a network when the run began, Wi-Fi is on, and there is no route now."""
    SLOW_ADB = "slow_adb"
    """A round trip takes seconds."""


class Rung(enum.StrEnum):
    """A measure to recover a device, from the mildest to the last."""

    WAIT = "wait"
    RECONNECT = "reconnect"
    RESTART_U2 = "restart_u2"
    RESTART_APP = "restart_app"
    REBOOT = "reboot"
    LOAD_SNAPSHOT = "load_snapshot"
    RESTART_EMULATOR = "restart_emulator"
    RETIRE = "retire"


class _CampaignEvent(BaseModel):
    """The fields of every event.

    Attributes:
        time: Date and time in UTC.
        worker: In a merged run, the name of the worker's folder; empty otherwise.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    time: dt.datetime
    worker: str = ""


class RunBegun(_CampaignEvent):
    """The run began, or was resumed.

    Attributes:
        version: Version of the format.
        planned: Number of planned episodes.
        ended: Number of those that had ended before.
        devices: The labels of the devices.
        shard: The part of the plan that this worker performs, ``2/5``; empty for the whole plan.
    """

    type: Literal["run_begun"] = "run_begun"
    version: int = CAMPAIGN_VERSION
    planned: int = Field(ge=0)
    ended: int = Field(default=0, ge=0)
    devices: tuple[str, ...] = ()
    shard: str = ""


class _DeviceEvent(_CampaignEvent):
    """An event of one device.

    Attributes:
        device: The device's label: its serial, or ``phone-1`` for a virtual phone of the run.
    """

    device: str


class AttemptBegun(_DeviceEvent):
    """A device began an attempt at an episode."""

    type: Literal["attempt_begun"] = "attempt_begun"
    episode: str
    attempt: int = Field(ge=1)


class AttemptEnded(_DeviceEvent):
    """An attempt at an episode ended.

    Attributes:
        seconds: Duration including the preparation of the device.
        at_fault: The party at fault for an error; empty otherwise.
        message: The fault in words.
        unknown: Why it is not known whether the episode succeeded; empty if it is known.
        last: Whether the episode ended with it; otherwise it will be repeated.
    """

    type: Literal["attempt_ended"] = "attempt_ended"
    episode: str
    attempt: int = Field(ge=1)
    outcome: Literal["success", "failure", "error"]
    reason: str
    steps: int = Field(default=0, ge=0)
    seconds: float = Field(ge=0)
    at_fault: str = ""
    message: str = ""
    unknown: str = ""
    last: bool = True

    @property
    def known_outcome(self) -> str:
        """The outcome; ``unknown`` if it is not known whether the episode succeeded."""
        return "unknown" if self.unknown else self.outcome


class HealthProblem(BaseModel):
    """A symptom with the reading that shows it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    symptom: Symptom
    detail: str = ""


class HealthChecked(_DeviceEvent):
    """A health check found problems; checks without any are not recorded."""

    type: Literal["health_checked"] = "health_checked"
    problems: tuple[HealthProblem, ...]
    episode: str = ""


class RungPerformed(_DeviceEvent):
    """A rung of the recovery ladder was performed.

    Attributes:
        rung: The rung.
        number: Its number within this recovery, from 1.
        pause: Seconds waited before the device was checked again.
        ok: Whether the measure itself succeeded.
        detail: Why it did not.
        remaining: The symptoms found afterwards; none means that the device has recovered.
    """

    type: Literal["rung_performed"] = "rung_performed"
    rung: Rung
    number: int = Field(ge=1)
    pause: float = Field(default=0, ge=0)
    ok: bool = True
    detail: str = ""
    remaining: tuple[Symptom, ...] = ()
    episode: str = ""


class DevicePaused(_DeviceEvent):
    """A device gets no episodes for a while, since it keeps failing.

    Attributes:
        seconds: Duration of the pause.
        total: Sum of the pauses since its last episode without a fault, including this one.
    """

    type: Literal["device_paused"] = "device_paused"
    seconds: float = Field(ge=0)
    total: float = Field(ge=0)
    reason: str


class DeviceRecycled(_DeviceEvent):
    """An emulator was restarted after a number of snapshot loads."""

    type: Literal["device_recycled"] = "device_recycled"
    loads: int = Field(ge=1)


class DeviceRetired(_DeviceEvent):
    """A device performs no more episodes of this run.

    Attributes:
        reason: Why.
        p_value: Of the test that its faults are no more frequent than those of the others; null if it was
            retired for another reason.
    """

    type: Literal["device_retired"] = "device_retired"
    reason: str
    p_value: float | None = None


class TaskBudgetSpent(_CampaignEvent):
    """The faults of a task have used up its budget: its episodes are no longer repeated."""

    type: Literal["task_budget_spent"] = "task_budget_spent"
    task: str
    faults: int


class RunMerged(_CampaignEvent):
    """The runs of several workers were merged; it follows their events.

    Attributes:
        planned: Number of planned episodes of all workers.
        ended: Number of those that have ended.
        outcomes: Number of ended episodes by outcome.
        workers: The names of the workers, as in their events.
    """

    type: Literal["run_merged"] = "run_merged"
    planned: int = Field(ge=0)
    ended: int = Field(ge=0)
    outcomes: dict[str, int] = {}
    workers: tuple[str, ...] = ()


class RunEnded(_CampaignEvent):
    """The run ended; ``detail`` says why if episodes remain."""

    type: Literal["run_ended"] = "run_ended"
    ended: int = Field(ge=0)
    remaining: int = Field(ge=0)
    detail: str = ""


CampaignEvent = Annotated[
    RunBegun
    | AttemptBegun
    | AttemptEnded
    | HealthChecked
    | RungPerformed
    | DevicePaused
    | DeviceRecycled
    | DeviceRetired
    | TaskBudgetSpent
    | RunMerged
    | RunEnded,
    Field(discriminator="type"),
]

_ADAPTER: TypeAdapter[CampaignEvent] = TypeAdapter(CampaignEvent)


def campaign_line(event: CampaignEvent) -> str:
    """Return an event as a line of JSON, with its checksum and its line end; defaults are omitted."""
    data = {"type": event.type, **event.model_dump(mode="json", exclude_defaults=True)}
    if isinstance(event, RunBegun):
        data["version"] = event.version
    line = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return with_checksum(line.encode(errors="replace").decode()) + "\n"


def read_campaign_lines(lines: Iterable[str]) -> Iterator[CampaignEvent]:
    """Parse the lines of a campaign's log.

    They serve people and displays, and no result depends on them: a line that is damaged, incomplete or of a
    newer version is skipped.
    """
    for line in lines:
        try:
            yield _ADAPTER.validate_python(parse_line(line))
        except (ValueError, ValidationError):
            continue
