"""Perform one episode on the caller's device, e.g. in a debugger, a notebook or a test of an agent."""

from __future__ import annotations

import logging
from pathlib import Path

from garabench.agents.context import AgentContext
from garabench.agents.external.autonomous import AutonomousAgent
from garabench.agents.interface import Agent
from garabench.agents.models.session import ModelSession
from garabench.agents.registry import make_agent, resolve_all
from garabench.agents.spec import AgentSpec
from garabench.campaign.consent import Consent, real_device, require_consent
from garabench.campaign.planner import episodes, make_plan
from garabench.campaign.preflight import require_plan
from garabench.core.clock import Clock
from garabench.core.end_criterion import EndCriterion
from garabench.core.events import EpisodeEnded
from garabench.device.device import Device
from garabench.episode.runner import perform_episode
from garabench.episode.spec import EpisodeSpec
from garabench.errors import InputError
from garabench.records.plan import CLEAN
from garabench.suite.suite import Suite

_LOG = logging.getLogger(__name__)


def run_episode(
    task: str,
    agent: Agent | str,
    device: Device,
    *,
    out: Path | str,
    condition: str = CLEAN,
    seed: int = 0,
    end: EndCriterion | str = EndCriterion.GOAL,
    suite: Suite | None = None,
    wipe: Consent = False,
) -> EpisodeEnded:
    """Perform one episode and record it.

    The device is checked first, as before a run; rules that it cannot perform are left out, with a warning in
    the log. Then the task's app is cleared. Other changes by earlier episodes remain on the device: to
    compare results, start a new virtual phone or reset the existing one.

    Args:
        task: Id of the task.
        agent: An agent, or its name in the syntax of ``garabench run --agents``.
        device: A connected device.
        out: Folder of the record, laid out like that of a run.
        condition: ``clean``, ``dual`` or ``forced``.
        seed: Random seed.
        end: When the episode ends: ``goal`` or ``done``.
        suite: The suite with the task; default: the bundled one.
        wipe: True to allow wiping the data of the task's app on a real device; or a function that receives
            its serial and raises to refuse. Virtual phones need no consent.

    Returns:
        The end of the episode with outcome, reason and number of steps.

    Raises:
        InputError: The task, agent, condition or end is unknown; or `wipe` is False and the device is real.
        NotReadyError: The device cannot perform the episode: the app or the companion app is missing or
            disabled, the screen is locked or too low, the storage is full, or no planned interruption is
            possible. Nothing was wiped.
        RecordError: The record cannot be written.
    """
    suite = suite or Suite.load()
    items = suite.select(task)
    if len(items) != 1:
        raise InputError(f"{task!r} selects {len(items)} tasks instead of one", hint="Give an id.")
    chosen = resolve_all((agent,))[0] if isinstance(agent, str) else agent
    text = agent if isinstance(agent, str) else agent.name
    plan = make_plan(items, (text,), conditions=(condition,), seed=seed, end=end)
    findings = require_plan(device, plan, suite)
    for warning in findings.warnings:
        _LOG.warning("%s", warning)
    require_consent(wipe, lambda: real_device(device), (items[0].app,))
    (spec,) = episodes(plan, suite, (chosen.name,), left_out=findings.left_out)
    performed = (
        _make_agent(chosen, spec, Path(out), device.clock) if isinstance(chosen, AgentSpec) else chosen
    )
    return perform_episode(spec, device, performed, Path(out), device.clock)


def _make_agent(agent_spec: AgentSpec, spec: EpisodeSpec, out: Path, clock: Clock) -> Agent | AutonomousAgent:
    """Make the agent that a name describes."""
    context = AgentContext(
        name=agent_spec.name, folder=out / spec.folder, clock=clock, models=ModelSession(clock=clock)
    )
    return make_agent(agent_spec, context, spec.task)
