"""The agents of models as a run can name them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from garabench.agents.chat.desk import Desk
from garabench.agents.chat.kept import Keeper
from garabench.agents.interface import Agent
from garabench.agents.naming import Named
from garabench.agents.options import with_options
from garabench.agents.profile import AgentProfile
from garabench.agents.profiles import built_in, load_profiles
from garabench.agents.setting import Setting
from garabench.agents.spec import AgentSpec, Entry, Kind, Options, Scheme
from garabench.core.names import did_you_mean
from garabench.errors import InputError


@dataclass(frozen=True, slots=True)
class ModelMaker:
    """Makes an agent of a model for an episode.

    Attributes:
        profile: Of the agent.
    """

    profile: AgentProfile

    def __call__(self, setting: Setting) -> Agent:
        """Make one; nothing is asked."""
        return make_model_agent(self.profile, setting)


def make_model_agent(profile: AgentProfile, setting: Setting) -> Agent:
    """Make an agent of a model for an episode; nothing is asked.

    Args:
        profile: Which model, how it is asked and how it answers.
        setting: The episode; its desk is shared by the run's models.

    Raises:
        InputError: Its key is missing, or its protocol's package is not installed.
    """
    from garabench.agents.chat.model_agent import ModelAgent  # costly to load

    desk = setting.desk or Desk(clock=setting.clock)
    return ModelAgent(
        setting.name,
        profile,
        desk.chat(profile, setting.folder, setting.stop),
        desk.prices,
        Keeper(setting.folder, profile.endpoint.base_url, profile.recorded()),
        desk.meter.add,
    )


def profiles_of(specs: Iterable[AgentSpec]) -> tuple[AgentProfile, ...]:
    """The profiles of those agents that are models."""
    return tuple(spec.make.profile for spec in specs if isinstance(spec.make, ModelMaker))


def entries() -> Iterable[Entry]:
    """The agents of models that come with GaraBench."""
    for profile in built_in().values():
        yield Entry(profile.id, Kind.MODEL, profile.about, _Build(profile))


@dataclass(frozen=True, slots=True)
class _Build:
    profile: AgentProfile

    def __call__(self, options: Options) -> ModelMaker:
        return ModelMaker(with_options(self.profile, options) if options else self.profile)


FORM = "model:FILE.yaml#ID"


def _from_file(named: Named) -> ModelMaker:
    """An agent of a user's own file.

    Raises:
        InputError: The file is wrong, or has no such agent.
    """
    path, _, rest = named.rest.partition("#")
    name = rest.partition("?")[0]
    if not path or not name:
        raise InputError(f"{named.text!r} names no agent of a file", hint=f"Write {FORM}.")
    profiles = load_profiles(Path(path))
    if name not in profiles:
        raise InputError(f"{path} has no agent {name!r}", hint=did_you_mean(name, profiles))
    return ModelMaker(with_options(profiles[name], named.options) if named.options else profiles[name])


SCHEMES = (Scheme("model", Kind.MODEL, FORM, "a model by a profile of your own file", _from_file),)
