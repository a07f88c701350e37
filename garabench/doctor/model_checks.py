"""Check the endpoints of model agents: their keys are set, and something answers; no model is called."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

import requests

from garabench.agents.models.catalog import profile_of
from garabench.agents.models.session import ModelSession
from garabench.agents.spec import AgentSpec
from garabench.doctor.finding import DoctorFinding, Status, passed
from garabench.errors import InputError

_LIMIT_S = 10.0


def check_models(agents: Sequence[AgentSpec], session: ModelSession) -> tuple[DoctorFinding, ...]:
    """Check the endpoints of the agents that use a model.

    Args:
        agents: The agents.
        session: Knows keys and prices.
    """
    return tuple(_check(agent, session) for agent in agents if profile_of(agent) is not None)


def _check(agent: AgentSpec, session: ModelSession) -> DoctorFinding:
    profile = profile_of(agent)
    assert profile is not None  # noqa: S101  # only called for model agents
    try:
        session.check(profile)
    except InputError as error:
        return DoctorFinding("model", agent.name, Status.FAIL, error.message, error.hint)
    url = profile.endpoint.base_url
    parts = urlsplit(url)
    shown = f"{parts.scheme}://{parts.hostname}{f':{parts.port}' if parts.port else ''}"
    try:
        requests.head(url, timeout=_LIMIT_S, allow_redirects=False)
    except requests.RequestException as error:
        return DoctorFinding(
            "model",
            agent.name,
            Status.FAIL,
            f"nothing answers at {shown} ({type(error).__name__})",
            f"curl -sS {shown}",
        )
    return passed("model", agent.name, f"{profile.model} at {shown} answers")
