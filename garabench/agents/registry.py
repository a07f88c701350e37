"""Find agents by name.

Each family contributes `CatalogEntry` values (named agents) or `Scheme` values (address schemes); a new
family is one line in `_FAMILIES` or `_SCHEMES`. Any other name is a Python class: ``module:Class``, or the
name of an entry point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from garabench.agents.agent_name import AgentName, parse_agent_name, split_list
from garabench.agents.context import AgentContext
from garabench.agents.external import python_agent
from garabench.agents.external.address import SCHEMES as EXTERNAL_SCHEMES
from garabench.agents.external.autonomous import AutonomousAgent
from garabench.agents.faulty.agent_fault import FORM as FAULTY_FORM
from garabench.agents.faulty.agent_fault import SCHEME as FAULTY
from garabench.agents.faulty.agent_fault import parse_fault
from garabench.agents.faulty.faulty_agent import FaultyAgent
from garabench.agents.heuristic import catalog_entry as heuristic
from garabench.agents.interface import Agent
from garabench.agents.models import catalog as models
from garabench.agents.reference.agent import ReferenceAgent
from garabench.agents.reference.exit_choice import Policy
from garabench.agents.reference.policy_descriptions import ABOUT
from garabench.agents.spec import AgentKind, AgentSpec, CatalogEntry, FaultySpec, Scheme
from garabench.core.suggestions import did_you_mean
from garabench.core.task import Task
from garabench.errors import InputError

REFERENCE = tuple(policy.value for policy in Policy)
GROUPS = {"reference": REFERENCE}
"""Names of groups of agents."""

_FAMILIES: tuple[Callable[[], Iterable[CatalogEntry]], ...] = (
    heuristic.heuristic_entries,
    models.model_entries,
)
"""Each returns the agents of a family; cheap to call, since shell completion calls them."""
_SCHEMES: tuple[Scheme, ...] = (*EXTERNAL_SCHEMES, *models.SCHEMES)


def entries() -> tuple[CatalogEntry, ...]:
    """Return the named agents except the reference agents, by family."""
    return tuple(entry for family in _FAMILIES for entry in family())


def schemes() -> tuple[Scheme, ...]:
    """Return every address scheme."""
    return _SCHEMES


def rows() -> tuple[tuple[str, AgentKind, str], ...]:
    """Return name, kind and description of each built-in or installed agent."""
    reference = tuple((name, AgentKind.REFERENCE, ABOUT[Policy(name)]) for name in REFERENCE)
    built_in = tuple((entry.name, entry.kind, entry.about) for entry in entries())
    installed = tuple(
        (name, AgentKind.CLASS, f"installed Python class {target}")
        for name, target in python_agent.installed()
    )
    return reference + built_in + installed


def names() -> tuple[str, ...]:
    """Return the valid agent names, except those with a scheme."""
    return (*GROUPS, *(name for name, _, _ in rows()))


def resolve_lists(lists: Sequence[str]) -> tuple[AgentSpec, ...]:
    """Resolve comma-separated lists of agents; a group's name expands to its agents.

    Returns:
        The agents without duplicates.

    Raises:
        InputError: An agent is unknown or unusable, or two agents have the same name.
    """
    texts: list[str] = []
    for text in (text for each in lists for text in split_list(each)):
        texts += GROUPS.get(text, (text,))
    return resolve_all(dict.fromkeys(texts))


def resolve_all(texts: Iterable[str]) -> tuple[AgentSpec, ...]:
    """Resolve the agents of a plan, whose names must differ.

    Raises:
        InputError: An agent is unknown or unusable, or two agents have the same name.
    """
    specs = tuple(map(resolve, texts))
    by_name: dict[str, AgentSpec] = {}
    for spec in specs:
        other = by_name.setdefault(spec.name, spec)
        if other is not spec:
            raise InputError(
                f"{other.named.text!r} and {spec.named.text!r} would both be named {spec.name!r}",
                hint=f"Label one of them: LABEL={spec.named.body}",
            )
    return specs


def resolve(text: str) -> AgentSpec:
    """Resolve an agent.

    Args:
        text: The agent's name; see `garabench.agents.agent_name`.

    Raises:
        InputError: The agent is unknown or unusable.
    """
    named = parse_agent_name(text)
    spec = _find(named)
    built_in = (*GROUPS, *REFERENCE, *(entry.name for entry in entries()))
    if named.name in built_in and named.name != named.base:
        raise InputError(
            f"{named.text!r} would be named {named.name!r}, like a built-in agent",
            hint=f"Label it: LABEL={named.body}",
        )
    return spec


def _find(named: AgentName) -> AgentSpec:
    if named.body in REFERENCE:
        return AgentSpec(named, AgentKind.REFERENCE, None)
    if named.scheme == FAULTY:
        return _faulty(named)
    for scheme in _SCHEMES:
        if named.scheme in (scheme.prefix, *scheme.deprecated):
            return AgentSpec(named, scheme.kind, scheme.build(named))
    for entry in entries():
        if named.base == entry.name:
            return AgentSpec(named, entry.kind, entry.build(named.options))
    if python_agent.is_class_name(named.base) or named.base in dict(python_agent.installed()):
        return AgentSpec(named, AgentKind.CLASS, python_agent.build(named))
    raise InputError(f"unknown agent {named.body!r}", hint=_hint(named))


def _faulty(named: AgentName) -> AgentSpec:
    fault, _, wrapped = named.rest.partition(":")
    if not wrapped:
        raise InputError(f"{named.text!r} names no agent", hint=f"Write {FAULTY_FORM}.")
    choice, inner = parse_fault(fault), resolve(wrapped)
    if inner.kind is AgentKind.AUTONOMOUS or inner.faulty is not None:
        raise InputError(f"{wrapped!r} cannot be given a fault", hint="Name an agent that decides by step.")
    return AgentSpec(named, inner.kind, None, FaultySpec(inner, choice))


def _hint(named: AgentName) -> str:
    if named.scheme:
        forms = ", ".join((*(scheme.form for scheme in _SCHEMES), FAULTY_FORM))
        return f"External agents are named {python_agent.FORM}, {forms}."
    return did_you_mean(named.base, names())


def make_agent(spec: AgentSpec, context: AgentContext, task: Task) -> Agent | AutonomousAgent:
    """Make an agent for one episode.

    Args:
        spec: The agent.
        context: The episode's context, which every agent gets.
        task: The task; only a reference agent sees it, to follow its solution.
    """
    if spec.faulty is not None:
        agent = make_agent(spec.faulty.agent, context, task)
        fault = spec.faulty.choice.in_task(task.id)
        if fault is None or isinstance(agent, AutonomousAgent):
            return agent
        return FaultyAgent(agent, fault)
    if spec.make is None:
        return ReferenceAgent(task.solution, Policy(spec.named.body))
    return spec.make(context)
