"""Profiles from files: the built-in ones, and a user's, which extend or replace them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from garabench.agents.models.messages import ReplyForm
from garabench.agents.options import merge, set_values, with_options
from garabench.agents.profile import (
    AgentId,
    AgentProfile,
    CoordinateOptions,
    DialectName,
    HistoryOptions,
    ImageOptions,
    ModelEndpoint,
    ModelInput,
    ModelLimits,
    ModelName,
    Parameters,
    TreeOptions,
)
from garabench.core.identifiers import did_you_mean
from garabench.core.yamldoc import YamlDoc, decode
from garabench.core.yamlmodel import load_model, real_path
from garabench.errors import CombinedInputError, InputError


class ProfileEntry(BaseModel):
    """An agent of a file: a whole profile, or the differences from another one.

    Attributes:
        extends: The agent whose keys it inherits unless they are set here. A parameter that is null is
            left out.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: AgentId
    extends: AgentId | None = None
    about: str | None = Field(default=None, max_length=300)
    dialect: DialectName | None = None
    model: ModelName | None = None
    endpoint: ModelEndpoint | None = None
    input: ModelInput | None = None
    tree: TreeOptions | None = None
    history: HistoryOptions | None = None
    form: ReplyForm | None = None
    parameters: Parameters | None = None
    limits: ModelLimits | None = None
    coordinates: CoordinateOptions | None = None
    image: ImageOptions | None = None
    serve: str | None = Field(default=None, max_length=500)


class ProfileFile(BaseModel):
    """A file of agents."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    agents: tuple[ProfileEntry, ...] = Field(min_length=1, max_length=1000)


@cache
def built_in() -> Mapping[str, AgentProfile]:
    """The agents that come with GaraBench, in the order of their file."""
    source = resources.files("garabench.agents.models") / "agents.yaml"
    return read_profiles(source.read_text(encoding="utf-8"), "garabench/agents/models/agents.yaml", {})


def load_profiles(file: Path | None = None) -> Mapping[str, AgentProfile]:
    """The agents that come with GaraBench, and those of a user's file, which win.

    Raises:
        InputError: The file cannot be read, or is wrong; every mistake has its place.
    """
    known = built_in()
    if file is None:
        return known
    try:
        text = decode(file.read_bytes(), str(file))
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error}") from error
    return {**known, **read_profiles(text, str(file), known)}


def read_profiles(text: str, file: str, known: Mapping[str, AgentProfile]) -> Mapping[str, AgentProfile]:
    """Read a file of agents.

    Args:
        text: The file's text.
        file: Its path as the user knows it.
        known: Agents that those of the file may extend.

    Raises:
        CombinedInputError: Every mistake in it, with its place.
    """
    parsed, doc = load_model(text, file, ProfileFile)
    return _Reading(doc, parsed.agents, known).all()


class _Reading:
    """The entries of one file during their resolution."""

    def __init__(self, doc: YamlDoc, entries: tuple[ProfileEntry, ...], known: Mapping[str, AgentProfile]):
        self._doc = doc
        self._entries = entries
        self._known = known
        self._places = {entry.id: number for number, entry in reversed(list(enumerate(entries)))}
        self._made: dict[str, AgentProfile | None] = {}
        self._errors: list[InputError] = []

    def all(self) -> Mapping[str, AgentProfile]:
        for number, entry in enumerate(self._entries):
            if self._places[entry.id] != number:
                self._wrong((number, "id"), f"duplicate agent {entry.id!r}")
        found = {entry.id: self._make(entry.id, ()) for entry in self._entries}
        if self._errors:
            raise CombinedInputError(tuple(sorted(self._errors, key=_line)))
        return {name: profile for name, profile in found.items() if profile is not None}

    def _wrong(self, path: tuple[str | int, ...], message: str, hint: str = "") -> None:
        self._errors.append(self._doc.error(("agents", *path), message, hint=hint))

    def _make(self, name: str, above: tuple[str, ...]) -> AgentProfile | None:
        if name not in self._made:
            self._made[name] = None
            number = self._places[name]
            base = self._base(number, (*above, name))
            if base is not None:
                self._made[name] = self._filled(number, base)
        return self._made[name]

    def _base(self, number: int, above: tuple[str, ...]) -> dict[str, Any] | None:
        """What an entry begins with; None where the agent that it extends is missing or wrong."""
        entry = self._entries[number]
        if entry.extends is None:
            return {}
        if entry.extends in self._places and entry.extends not in above:
            made = self._make(entry.extends, above)
            return None if made is None else set_values(made)
        if entry.extends in self._known:
            return set_values(self._known[entry.extends])
        if entry.extends in above:
            self._wrong((number, "extends"), f"{' → '.join((*above, entry.extends))} is circular")
        else:
            hint = did_you_mean(entry.extends, {*self._places, *self._known} - {entry.id})
            self._wrong((number, "extends"), f"unknown agent {entry.extends!r}", hint)
        return None

    def _filled(self, number: int, base: dict[str, Any]) -> AgentProfile | None:
        entry = self._entries[number]
        change = entry.model_dump(exclude_unset=True, exclude={"extends"})
        data = merge(base, change)
        try:
            return AgentProfile.model_validate(data)
        except ValidationError as error:
            for detail in error.errors(include_url=False):
                path = real_path(detail["loc"], data)
                if detail["type"] == "missing":
                    self._wrong((number,), f"missing key {str(detail['loc'][-1])!r}")
                else:
                    self._wrong((number, *path), detail["msg"].removeprefix("Value error, "))
        return None


def _line(error: InputError) -> tuple[int, int]:
    return (error.place.line, error.place.column) if error.place else (0, 0)


def find_profile(name: str, profiles: Mapping[str, AgentProfile] | None = None) -> AgentProfile:
    """Return the agent of a name with options: ``gpt-4o?model=gpt-4o-mini&temperature=0``.

    An agent with options has a separate id, so that its episodes are not confused with another's.

    Args:
        name: The name, as a user writes it.
        profiles: The agents that there are; those that come with GaraBench unless given.

    Raises:
        InputError: There is no such agent, or an option is invalid.
    """
    known = built_in() if profiles is None else profiles
    known_as, _, query = name.partition("?")
    if known_as not in known:
        raise InputError(f"unknown agent {known_as!r}", hint=did_you_mean(known_as, known))
    if not query:
        return known[known_as]
    try:
        options = parse_qsl(query, keep_blank_values=True, strict_parsing=True, max_num_fields=40)
    except ValueError as error:
        raise InputError(f"the options of {name!r} are not KEY=VALUE&KEY=VALUE") from error
    return with_options(known[known_as], dict(options))
