"""Model agents by name: the built-in ones, and those of a user's file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from garabench.agents.agent_name import AgentName
from garabench.agents.context import AgentContext
from garabench.agents.interface import Agent
from garabench.agents.models.session import ModelSession
from garabench.agents.options import with_options
from garabench.agents.profile import AgentProfile
from garabench.agents.profiles import built_in, load_profiles
from garabench.agents.spec import AgentKind, AgentSpec, CatalogEntry, Options, Scheme
from garabench.core.suggestions import did_you_mean
from garabench.errors import InputError


@dataclass(frozen=True, slots=True)
class ModelAgentMaker:
    """Makes a model agent for an episode.

    Attributes:
        profile: The agent's profile.
    """

    profile: AgentProfile

    def __call__(self, context: AgentContext) -> Agent:
        """Build the agent without sending a request."""
        return make_model_agent(self.profile, context)


def make_model_agent(profile: AgentProfile, context: AgentContext) -> Agent:
    """Build a model agent for an episode without sending a request.

    Args:
        profile: The agent's profile.
        context: The episode; a new session is created unless the run shares one.

    Raises:
        InputError: Its key is missing, or its protocol's package is not installed.
    """
    return (context.models or ModelSession(clock=context.clock)).make_agent(profile, context)


def profile_of(spec: AgentSpec) -> AgentProfile | None:
    """Return the profile of a model agent; None for any other agent."""
    return spec.make.profile if isinstance(spec.make, ModelAgentMaker) else None


def profiles_of(specs: Iterable[AgentSpec]) -> tuple[AgentProfile, ...]:
    """Return the profiles of the model agents among some agents."""
    return tuple(profile for profile in map(profile_of, specs) if profile is not None)


def model_entries() -> Iterable[CatalogEntry]:
    """Return the built-in model agents."""
    for profile in built_in().values():
        yield CatalogEntry(profile.id, AgentKind.MODEL, profile.about, _Build(profile))


@dataclass(frozen=True, slots=True)
class _Build:
    profile: AgentProfile

    def __call__(self, options: Options) -> ModelAgentMaker:
        return ModelAgentMaker(with_options(self.profile, options) if options else self.profile)


FORM = "model:FILE.yaml#ID"


def _from_file(named: AgentName) -> ModelAgentMaker:
    """Return the maker for an agent of a user's file.

    Raises:
        InputError: The file is invalid, or has no such agent.
    """
    path, _, rest = named.rest.partition("#")
    name = rest.partition("?")[0]
    if not path or not name:
        raise InputError(f"{named.text!r} does not name an agent in a file", hint=f"Write {FORM}.")
    profiles = load_profiles(Path(path))
    if name not in profiles:
        raise InputError(f"{path} has no agent {name!r}", hint=did_you_mean(name, profiles))
    return ModelAgentMaker(with_options(profiles[name], named.options) if named.options else profiles[name])


SCHEMES = (Scheme("model", AgentKind.MODEL, FORM, "a model whose profile is in your own file", _from_file),)
