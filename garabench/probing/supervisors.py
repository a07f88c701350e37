"""Make the supervisor that a user names."""

from __future__ import annotations

from pathlib import Path

from garabench.agents.models.catalog import profile_of
from garabench.agents.models.cost import usage_of
from garabench.agents.models.messages import ModelReply
from garabench.agents.models.session import ModelOptions, ModelSession
from garabench.agents.registry import resolve
from garabench.core.clock import Clock
from garabench.diagnosis.model_supervisor import ModelSupervisor, SupervisorModel
from garabench.diagnosis.probe import Continuation
from garabench.errors import InputError

OFFLINE = "offline"
"""The name of the supervisor without a model."""


def make_supervisor(
    name: str,
    continuation: Continuation,
    options: ModelOptions,
    folder: Path,
    clock: Clock | None = None,
) -> ModelSupervisor:
    """Make a supervisor that asks the model of a model agent; nothing is sent.

    Args:
        name: The model agent, as in ``garabench agents list``.
        continuation: Who continues after a probe's steps.
        options: Prices, budget and reply cache.
        folder: Folder that names the conversation, for the pauses between retries.
        clock: The clock for all limits.

    Raises:
        InputError: It is not a model agent, or its key is missing.
    """
    profile = profile_of(resolve(name))
    if profile is None:
        raise InputError(f"{name!r} is not a model agent", hint="See `garabench agents list`.")
    session = ModelSession(options, clock)
    session.check(profile)

    def used(reply: ModelReply, repair: bool) -> None:
        cost = session.prices.cost(reply, profile.model, profile.endpoint.base_url)
        session.meter.add(usage_of(reply, cost, repair=repair))
        if stopped := session.meter.limit_error(progressed=True):
            raise stopped

    chat = session.chat(profile, folder, lambda: False)
    return ModelSupervisor(SupervisorModel(name, profile.model, chat, used, profile.parameters), continuation)
