"""Load agent profiles: the built-in ones, and a user's, which extend or replace them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from garabench.agents.models.messages import ReplyForm
from garabench.agents.options import merge_options, set_values, with_options
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
from garabench.core.file_errors import unreadable
from garabench.core.suggestions import did_you_mean
from garabench.core.yamldoc import YamlDoc, decode_text
from garabench.core.yamlmodel import load_model, real_path
from garabench.errors import CombinedInputError, InputError


class ProfileEntry(BaseModel):
    """An agent in a file: a complete profile, or its differences from another one.

    Attributes:
        extends: The agent whose keys it inherits unless they are set here; a null parameter is removed.
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
    """The content of an agent file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    agents: tuple[ProfileEntry, ...] = Field(min_length=1, max_length=1000)


@cache
def built_in() -> Mapping[str, AgentProfile]:
    """Return the built-in agents, in the order of their file."""
    source = resources.files("garabench.agents.models") / "agents.yaml"
    return read_profiles(source.read_text(encoding="utf-8"), "garabench/agents/models/agents.yaml", {})


def load_profiles(file: Path | None = None) -> Mapping[str, AgentProfile]:
    """Return the built-in agents and those of a user's file, which take precedence.

    Raises:
        InputError: The file cannot be read or is invalid; each mistake is reported with its place.
    """
    known = built_in()
    if file is None:
        return known
    try:
        text = decode_text(file.read_bytes(), str(file))
    except OSError as error:
        raise unreadable(file, error) from error
    return {**known, **read_profiles(text, str(file), known)}


def read_profiles(text: str, file: str, known: Mapping[str, AgentProfile]) -> Mapping[str, AgentProfile]:
    """Parse an agent file.

    Args:
        text: The file's text.
        file: Its path, for error messages.
        known: Agents that those in the file may extend.

    Raises:
        CombinedInputError: All mistakes in the file, with their places.
    """
    parsed, doc = load_model(text, file, ProfileFile)
    return _Resolver(doc, parsed.agents, known).all()


class _Resolver:
    """Resolves the entries of one file."""

    def __init__(self, doc: YamlDoc, entries: tuple[ProfileEntry, ...], known: Mapping[str, AgentProfile]):
        self._doc = doc
        self._entries = entries
        self._known = known
        self._places = {entry.id: number for number, entry in reversed(list(enumerate(entries)))}
        self._resolved: dict[str, AgentProfile | None] = {}
        self._errors: list[InputError] = []

    def all(self) -> Mapping[str, AgentProfile]:
        for number, entry in enumerate(self._entries):
            if self._places[entry.id] != number:
                self._add_error((number, "id"), f"duplicate agent {entry.id!r}")
        found = {entry.id: self._resolve(entry.id, ()) for entry in self._entries}
        if self._errors:
            raise CombinedInputError(tuple(sorted(self._errors, key=_line)))
        return {name: profile for name, profile in found.items() if profile is not None}

    def _add_error(self, path: tuple[str | int, ...], message: str, hint: str = "") -> None:
        self._errors.append(self._doc.error(("agents", *path), message, hint=hint))

    def _resolve(self, name: str, ancestors: tuple[str, ...]) -> AgentProfile | None:
        if name not in self._resolved:
            self._resolved[name] = None
            number = self._places[name]
            base = self._base(number, (*ancestors, name))
            if base is not None:
                self._resolved[name] = self._complete(number, base)
        return self._resolved[name]

    def _base(self, number: int, ancestors: tuple[str, ...]) -> dict[str, Any] | None:
        """Return the inherited values of an entry; None if the agent it extends is missing or invalid."""
        entry = self._entries[number]
        if entry.extends is None:
            return {}
        if entry.extends in self._places and entry.extends not in ancestors:
            parent = self._resolve(entry.extends, ancestors)
            return None if parent is None else set_values(parent)
        if entry.extends in self._known:
            return set_values(self._known[entry.extends])
        if entry.extends in ancestors:
            self._add_error((number, "extends"), f"{' → '.join((*ancestors, entry.extends))} is circular")
        else:
            hint = did_you_mean(entry.extends, {*self._places, *self._known} - {entry.id})
            self._add_error((number, "extends"), f"unknown agent {entry.extends!r}", hint)
        return None

    def _complete(self, number: int, base: dict[str, Any]) -> AgentProfile | None:
        entry = self._entries[number]
        change = entry.model_dump(exclude_unset=True, exclude={"extends"})
        data = merge_options(base, change)
        try:
            return AgentProfile.model_validate(data)
        except ValidationError as error:
            for detail in error.errors(include_url=False):
                path = real_path(detail["loc"], data)
                if detail["type"] == "missing":
                    self._add_error((number,), f"missing key {str(detail['loc'][-1])!r}")
                else:
                    self._add_error((number, *path), detail["msg"].removeprefix("Value error, "))
        return None


def _line(error: InputError) -> tuple[int, int]:
    return (error.place.line, error.place.column) if error.place else (0, 0)


def find_profile(name: str, profiles: Mapping[str, AgentProfile] | None = None) -> AgentProfile:
    """Return the profile of an agent name with options: ``gpt-4o?model=gpt-4o-mini&temperature=0``.

    An agent with options has its own id, so that its episodes are distinct.

    Args:
        name: The name, as a user writes it.
        profiles: The known agents; the built-in ones by default.

    Raises:
        InputError: The agent is unknown, or an option is invalid.
    """
    known = built_in() if profiles is None else profiles
    base_name, _, query = name.partition("?")
    if base_name not in known:
        raise InputError(f"unknown agent {base_name!r}", hint=did_you_mean(base_name, known))
    if not query:
        return known[base_name]
    try:
        options = parse_qsl(query, keep_blank_values=True, strict_parsing=True, max_num_fields=40)
    except ValueError as error:
        raise InputError(f"the options of {name!r} are not KEY=VALUE&KEY=VALUE") from error
    return with_options(known[base_name], dict(options))
