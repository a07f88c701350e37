"""Encode and decode the messages of external agents: pure functions."""

from __future__ import annotations

import base64
import importlib.metadata
import json
import math
from collections.abc import Sequence
from typing import Any, NoReturn

from pydantic import ValidationError

from garabench.agents.external import protocol as msg
from garabench.agents.interface import Brief, Decision, Turn
from garabench.core.geometry import Size
from garabench.core.observation import Observation
from garabench.core.usage import Usage
from garabench.errors import AgentError, AgentFault, AgentStartError, ModelError
from garabench.records.bounded_log import redacted_excerpt

_STDOUT_HINT = "only protocol messages may be written to standard output"


def hello() -> msg.HelloMessage:
    """Build the first message."""
    return msg.HelloMessage(garabench=importlib.metadata.version("garabench"))


def task_info(brief: Brief, *, episode: str, deadline: float) -> msg.TaskInfo:
    """Build the task part of a message.

    Args:
        brief: The brief of the episode.
        episode: Name of the episode.
        deadline: Seconds for each decision.
    """
    return msg.TaskInfo(
        episode=episode,
        instruction=brief.instruction,
        language=brief.language,
        app=brief.app,
        max_steps=brief.max_steps,
        seed=brief.seed,
        deadline=deadline,
    )


def start_message(brief: Brief, task: msg.TaskInfo) -> msg.StartMessage:
    """Build the message that starts an episode."""
    return msg.StartMessage(task=task, screen=_size(brief.screen))


def observe(
    observation: Observation,
    history: Sequence[Turn],
    task: msg.TaskInfo,
    *,
    tree: bool,
    image: msg.ImageForm,
    path: str = "",
) -> msg.ObserveMessage:
    """Build the message of an observation.

    Args:
        observation: The settled screen.
        history: The steps so far, oldest first.
        task: The task.
        tree: Whether to include the UI tree.
        image: How to include the screenshot.
        path: The file with the screenshot, if it is passed as a file.
    """
    past = tuple(
        msg.PastStep(
            action=turn.decision.action, thought=turn.decision.thought, ok=turn.ok, detail=turn.detail
        )
        for turn in history
    )
    return msg.ObserveMessage(
        task=task,
        step=observation.step,
        elapsed=round(observation.elapsed, 3),
        screen=_size(observation.screen),
        rotation=observation.rotation,
        focus=msg.FocusedWindow(package=observation.focus.package, activity=observation.focus.activity),
        # Without the XML declaration, whose encoding does not apply to a string.
        tree=observation.tree.to_xml().partition(b"?>")[2].decode().strip() if tree else None,
        image=_image(observation, image, path),
        last=past[-1] if past else None,
        history=past,
    )


def _image(observation: Observation, form: msg.ImageForm, path: str) -> msg.ScreenImage | None:
    shot = observation.screenshot
    width, height = shot.size.width, shot.size.height
    match form:
        case "base64":
            text = base64.b64encode(shot.png).decode("ascii")
            return msg.ScreenImage(width=width, height=height, base64=text)
        case "file":
            return msg.ScreenImage(width=width, height=height, path=path)
        case "none":
            return None


def _size(size: Size) -> msg.ScreenSize:
    return msg.ScreenSize(width=size.width, height=size.height)


def encode_message(message: msg.ToAgent) -> bytes:
    """Encode a message as a line of JSON."""
    return message.model_dump_json().encode() + b"\n"


def read_ready(answer: bytes, name: str) -> msg.ReadyMessage:
    """Parse the answer to ``hello``.

    Raises:
        AgentStartError: It is a different message, or of another protocol version.
        ModelError: The agent reports that its model failed.
    """
    try:
        message = _read(answer, name)
    except AgentError as error:
        raise AgentStartError(f"{name} could not start: {error}") from None
    if isinstance(message, msg.FaultMessage):
        raise ModelError(f"{name} reports: {redacted_excerpt(message.message)}")
    if not isinstance(message, msg.ReadyMessage):
        raise AgentStartError(
            f"{name} could not start: it answered 'hello' with {message.type!r} instead of 'ready'"
        )
    if message.protocol != msg.PROTOCOL:
        raise AgentStartError(
            f"{name} speaks version {message.protocol} of the protocol; this GaraBench speaks {msg.PROTOCOL}"
        )
    return message


def read_decision(answer: bytes, name: str, step: int) -> Decision:
    """Read the answer to ``observe``.

    Args:
        answer: The agent's message.
        name: The agent's name.
        step: Of the observation.

    Raises:
        AgentError: It is not a decision, or a decision on another step (``unparseable``).
        ModelError: The agent says that its model has failed.
    """
    message = _read(answer, name)
    if isinstance(message, msg.FaultMessage):
        raise ModelError(f"{name} reports: {redacted_excerpt(message.message)}")
    if not isinstance(message, msg.DecisionMessage):
        _unparseable(f"{name} answered {message.type!r} instead of a decision")
    if message.step != step:
        _unparseable(f"{name} answered step {message.step} instead of step {step}")
    usage = None if message.usage is None else Usage.model_validate(message.usage.model_dump())
    return Decision(message.action, message.thought, usage)


def _read(answer: bytes, name: str) -> msg.FromAgent:
    if len(answer) > msg.MAX_MESSAGE_BYTES:
        reject_oversized(name, answer)
    try:
        data: Any = json.loads(answer, parse_float=_float, parse_int=_integer, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        quoted = redacted_excerpt(answer[:1000].decode("utf-8", errors="replace"))
        _unparseable(f"{name} answered invalid JSON ({_STDOUT_HINT}): {quoted!r}")
    if not isinstance(data, dict):
        _unparseable(f"{name} answered JSON that is not an object: {redacted_excerpt(repr(data)[:1000])}")
    try:
        return msg.FROM_AGENT.validate_json(json.dumps(data), strict=True)
    except (ValidationError, ValueError, RecursionError) as error:
        _unparseable(f"{name} answered an invalid message: {_first(error)}")


def reject_oversized(name: str, beginning: bytes) -> NoReturn:
    """Reject an answer that exceeds the size limit.

    Raises:
        AgentError: Always.
    """
    quoted = redacted_excerpt(beginning[:100].decode("utf-8", errors="replace"))
    _unparseable(
        f"{name} answered more than {msg.MAX_MESSAGE_BYTES} bytes on one line, starting with {quoted!r}"
    )


def _unparseable(message: str) -> NoReturn:
    raise AgentError(AgentFault.UNPARSEABLE, message) from None


def _first(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return redacted_excerpt(str(error))
    first = error.errors(include_url=False)[0]
    where = ".".join(map(str, first["loc"]))
    return redacted_excerpt(f"{where}: {first['msg']}" if where else str(first["msg"]))


def _float(text: str) -> float | int:
    """Convert a float: 540.0 is an integer, as in JSON Schema."""
    value = float(text)
    return int(value) if value.is_integer() and abs(value) <= msg.MAX_INTEGER else value


def _integer(text: str) -> float | int:
    """Convert an integer; one beyond the protocol's range becomes infinite, which is then rejected."""
    if len(text) > len(str(-msg.MAX_INTEGER)):
        return math.inf
    value = int(text)
    return value if abs(value) <= msg.MAX_INTEGER else math.inf


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is not JSON")
