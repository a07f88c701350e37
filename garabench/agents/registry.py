"""Agents by name.

Agents come from families, each of which gives `Entry` values (agents with a name of their own) or `Scheme`
values (forms of names); a further family is one line in `_FAMILIES` or `_SCHEMES`. What is no such name is a
Python class, by ``module:Class`` or by an entry point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from garabench.agents.chat import entries as models
from garabench.agents.heuristic import entries as heuristic
from garabench.agents.interface import Agent
from garabench.agents.naming import Named, read_name, split_list
from garabench.agents.own import classes
from garabench.agents.own.owner import Owner
from garabench.agents.own.schemes import SCHEMES as OWN_SCHEMES
from garabench.agents.reference.agent import ReferenceAgent
from garabench.agents.reference.entries import ABOUT
from garabench.agents.reference.policy import Policy
from garabench.agents.setting import Setting
from garabench.agents.spec import AgentSpec, Entry, Kind, Scheme
from garabench.core.names import did_you_mean
from garabench.core.task import Task
from garabench.errors import InputError

REFERENCE = tuple(policy.value for policy in Policy)
GROUPS = {"reference": REFERENCE}
"""Words that stand for several agents."""

_FAMILIES: tuple[Callable[[], Iterable[Entry]], ...] = (heuristic.entries, models.entries)
"""Each gives the agents of a family; light to call, since names are completed with it."""
_SCHEMES: tuple[Scheme, ...] = (*OWN_SCHEMES, *models.SCHEMES)


def entries() -> tuple[Entry, ...]:
    """Every agent with a name of its own but for the reference agents, in the order of their families."""
    return tuple(entry for family in _FAMILIES for entry in family())


def schemes() -> tuple[Scheme, ...]:
    """Every form of names."""
    return _SCHEMES


def rows() -> tuple[tuple[str, Kind, str], ...]:
    """Name, kind and a line about each agent that comes with GaraBench or is installed beside it."""
    reference = tuple((name, Kind.REFERENCE, ABOUT[Policy(name)]) for name in REFERENCE)
    ours = tuple((entry.name, entry.kind, entry.about) for entry in entries())
    installed = tuple((name, Kind.CLASS, f"{target}, installed") for name, target in classes.installed())
    return reference + ours + installed


def names() -> tuple[str, ...]:
    """What may stand in a list of agents, but for the forms of `schemes`."""
    return (*GROUPS, *(name for name, _, _ in rows()))


def is_reference(text: str) -> bool:
    """Whether an agent, as a plan names it, follows the tasks' solutions."""
    return read_name(text).body in REFERENCE


def parse_agents(text: str | Sequence[str]) -> tuple[str, ...]:
    """Read one comma list of agents, or several; a group's name stands for its agents.

    Returns:
        The agents as a plan keeps them, each one once.

    Raises:
        InputError: One is unknown or cannot be used, or two have the same name.
    """
    found: list[str] = []
    for part in (piece for each in ([text] if isinstance(text, str) else text) for piece in split_list(each)):
        found += GROUPS.get(part, (part,))
    texts = tuple(dict.fromkeys(found))
    check_agents(texts)
    return texts


def check_agents(texts: Iterable[str]) -> tuple[AgentSpec, ...]:
    """Find every agent of a plan.

    Raises:
        InputError: As for `parse_agents`.
    """
    specs = tuple(map(resolve, texts))
    taken: dict[str, AgentSpec] = {}
    for spec in specs:
        other = taken.setdefault(spec.name, spec)
        if other is not spec:
            raise InputError(
                f"{other.named.text!r} and {spec.named.text!r} would both be called {spec.name!r}",
                hint=f"Give one of them another name: LABEL={spec.named.body}",
            )
    return specs


def resolve(text: str) -> AgentSpec:
    """Find an agent.

    Args:
        text: As a plan keeps it, see `garabench.agents.naming`.

    Raises:
        InputError: There is none of that name, or it cannot be used.
    """
    named = read_name(text)
    spec = _find(named)
    ours = (*GROUPS, *REFERENCE, *(entry.name for entry in entries()))
    if named.name in ours and named.name != named.base:
        raise InputError(
            f"{named.text!r} would be called {named.name!r}, as an agent of GaraBench is",
            hint=f"Give it another name: LABEL={named.body}",
        )
    return spec


def _find(named: Named) -> AgentSpec:
    if named.body in REFERENCE:
        return AgentSpec(named, Kind.REFERENCE, None)
    for scheme in _SCHEMES:
        if named.scheme == scheme.prefix:
            return AgentSpec(named, scheme.kind, scheme.build(named))
    for entry in entries():
        if named.base == entry.name:
            return AgentSpec(named, entry.kind, entry.build(named.options))
    if classes.is_class_name(named.base) or named.base in dict(classes.installed()):
        return AgentSpec(named, Kind.CLASS, classes.build(named))
    raise InputError(f"no agent is called {named.body!r}", hint=_hint(named))


def _hint(named: Named) -> str:
    if named.scheme:
        forms = ", ".join(scheme.form for scheme in _SCHEMES)
        return f"One of your own is written {classes.FORM}, {forms}."
    return did_you_mean(named.base, names())


def make_agent(spec: AgentSpec, setting: Setting, task: Task) -> Agent | Owner:
    """Make an agent for one episode.

    Args:
        spec: Which one.
        setting: What every agent gets.
        task: The task, whose solution a reference agent follows; no other agent gets to see it.
    """
    if spec.make is None:
        return ReferenceAgent(task.solution, Policy(spec.named.body))
    return spec.make(setting)
