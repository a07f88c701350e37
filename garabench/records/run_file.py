"""``run.json``: what was planned, with which suite and agents, and where it was performed."""

from __future__ import annotations

import enum
import json
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from garabench.core.seeds import derive
from garabench.errors import InputError
from garabench.records.disk import write_whole
from garabench.records.environment import Environment
from garabench.records.layout import RUN_FILE, EpisodeKey
from garabench.records.plan import Plan
from garabench.records.versions import RUN_VERSION, check_version, upgrade_run


class RunAgentKind(enum.StrEnum):
    """Kind of a recorded agent: what an analysis distinguishes, not how the agent is attached."""

    REFERENCE = "reference"
    """It follows the tasks' reference solutions."""
    HEURISTIC = "heuristic"
    """The baseline without a model."""
    MODEL = "model"
    """GaraBench's own client of a model."""
    EXTERNAL = "external"
    """A class, program or service of the user's."""
    UNKNOWN = "unknown"
    """The run was made before this was recorded."""


class RunAgent(BaseModel):
    """An agent of a run, resolved when the run was begun.

    Attributes:
        name: As in tables and paths.
        text: As the person wrote it, and as the plan lists it.
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
        version: Of this form.
        garabench: The version of GaraBench that began the run.
        plan: What the run does.
        agents: The plan's agents, in its order.
        suite_hash: Hash of the suite's files.
        device: The device on which the run was begun.
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
        """The agent of this name; None where the run has no such agent."""
        return next((agent for agent in self.agents if agent.name == name), None)

    def episode_keys(self) -> Iterator[EpisodeKey]:
        """Every episode of the plan, in the order in which they are performed.

        The conditions of one task, agent and seed follow each other, so that an interrupted run has
        whole pairs.
        """
        for task in self.plan.tasks:
            for agent in self.agents:
                for number in range(self.plan.seeds):
                    seed = repetition_seed(self.plan, number)
                    for condition in self.plan.conditions:
                        yield EpisodeKey(task, agent.name, condition, seed)


def repetition_seed(plan: Plan, number: int) -> int:
    """The seed of a repetition of a plan's episodes, which are numbered from 0."""
    return derive(plan.seed, "repetition", number) % 2**31


def read_run_file(folder: Path) -> RunFile:
    """Read a run's ``run.json``; older forms are upgraded.

    Raises:
        InputError: The file is missing, broken or of a newer version.
    """
    path = folder / RUN_FILE
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
    """Write a run's ``run.json``, whole or not at all.

    Raises:
        RecordError: It cannot be written.
    """
    write_whole(folder / RUN_FILE, (file.model_dump_json(indent=2) + "\n").encode())
