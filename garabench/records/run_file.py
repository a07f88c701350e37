"""``run.json``: the plan of a run, its suite, its agents and its device."""

from __future__ import annotations

import enum
import json
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from garabench.core.file_errors import missing_path
from garabench.core.seeds import derive
from garabench.errors import InputError
from garabench.records.device_environment import Environment
from garabench.records.disk import write_atomic
from garabench.records.plan import Plan
from garabench.records.run_layout import RUN_FILE, EpisodeKey
from garabench.records.versions import RUN_VERSION, check_version, upgrade_run


class RunAgentKind(enum.StrEnum):
    """Kind of a recorded agent, as analyses distinguish them."""

    REFERENCE = "reference"
    """It follows the tasks' reference solutions."""
    HEURISTIC = "heuristic"
    """The baseline without a model."""
    MODEL = "model"
    """GaraBench's own client of a model."""
    EXTERNAL = "external"
    """A class, program or service of the user."""
    UNKNOWN = "unknown"
    """An older run, which did not record it."""


class RunAgent(BaseModel):
    """An agent of a run, as resolved when the run began.

    Attributes:
        name: Its name in tables and paths.
        text: Its name as the user wrote it and as the plan lists it.
        kind: Kind of agent.
        profile: Id of a model agent's profile, without options; empty for other agents and before version 3.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    text: str
    kind: RunAgentKind
    profile: str = ""

    @property
    def reference(self) -> bool:
        """Whether it follows the tasks' reference solutions."""
        return self.kind is RunAgentKind.REFERENCE


class RunFile(BaseModel):
    """The content of ``run.json``.

    Attributes:
        version: Version of the format.
        garabench: The version of GaraBench that began the run.
        plan: The plan.
        agents: The plan's agents, in its order.
        suite_hash: Hash of the suite's files.
        device: The device on which the run began.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: int = RUN_VERSION
    garabench: str
    plan: Plan
    agents: tuple[RunAgent, ...]
    suite_hash: str
    device: Environment

    @model_validator(mode="after")
    def _check_agents(self) -> RunFile:
        if tuple(agent.text for agent in self.agents) != self.plan.agents:
            raise ValueError("the agents are not those of the plan")
        if len({agent.name for agent in self.agents}) != len(self.agents):
            raise ValueError("two agents have the same name")
        return self

    def agent(self, name: str) -> RunAgent | None:
        """Return the agent of this name; None if the run has none."""
        return next((agent for agent in self.agents if agent.name == name), None)

    def episode_keys(self) -> Iterator[EpisodeKey]:
        """Iterate over the episodes of the plan, in the order of execution.

        The conditions of one task, agent and seed are consecutive, so that an interrupted run has complete
        pairs.
        """
        for task in self.plan.tasks:
            for agent in self.agents:
                for number in range(self.plan.seeds):
                    seed = repetition_seed(self.plan, number)
                    for condition in self.plan.conditions:
                        yield EpisodeKey(task, agent.name, condition, seed)


def repetition_seed(plan: Plan, number: int) -> int:
    """Return the seed of a repetition of a plan's episodes, numbered from 0."""
    return derive(plan.seed, "repetition", number) % 2**31


def read_run_file(folder: Path) -> RunFile:
    """Read a run's ``run.json``; older versions are upgraded.

    Raises:
        InputError: The folder or the file is missing; or the file is broken or of a newer version.
    """
    path = folder / RUN_FILE
    if not folder.exists():
        raise missing_path(folder, "folder")
    if not path.is_file():
        raise InputError(f"{folder} is not a run: it has no {RUN_FILE}")
    try:
        data = json.loads(path.read_bytes())
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is broken: {error}") from error
    if isinstance(data, dict):
        check_version(path, data.get("version"), RUN_VERSION)
        data = upgrade_run(data)
    try:
        return RunFile.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"{path} is broken: {where + ': ' if where else ''}{first['msg']}") from error


def write_run_file(folder: Path, file: RunFile) -> None:
    """Write a run's ``run.json`` atomically, and force it to the disk.

    Raises:
        RecordError: It cannot be written.
    """
    write_atomic(folder / RUN_FILE, (file.model_dump_json(indent=2) + "\n").encode(), durable=True)
