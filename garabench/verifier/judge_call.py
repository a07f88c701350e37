"""A call of a judge model as a value, with a key that needs no file to be read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from garabench.verifier.trajectory import Trajectory, TrajectoryFrame
from garabench.verifier.verdict import JudgeStage


@dataclass(frozen=True, slots=True)
class FrameContent:
    """A frame in a call: its picture and its tree's text, read only when the call is sent.

    Attributes:
        frame: The frame.
    """

    frame: TrajectoryFrame

    @property
    def identity(self) -> object:
        """What its content depends on, as JSON values."""
        frame = self.frame
        return [frame.picture_sha256, frame.tree_sha256, frame.package, frame.activity]


@dataclass(frozen=True, slots=True)
class HistoryContent:
    """The steps of a trajectory in a call; the elements that actions hit are read only when it is sent.

    Attributes:
        trajectory: The trajectory.
    """

    trajectory: Trajectory

    @property
    def identity(self) -> object:
        """What its content depends on, as JSON values."""
        frames = self.trajectory.frames
        return [
            [
                step.text,
                step.thought,
                step.ok,
                step.detail,
                None if step.before is None else frames[step.before].tree_sha256,
            ]
            for step in self.trajectory.steps
        ]


CallPart = str | FrameContent | HistoryContent
"""A part of a call: text, a frame, or the steps."""


@dataclass(frozen=True, slots=True)
class JudgeCall:
    """A call.

    Attributes:
        stage: The stage.
        system: The rules of the stage.
        parts: What is judged, in order; every text from a device or an agent is quoted.
        reply: Schema of the reply.
        vote: Number of the vote, from 0.
        detail: What the call is about, for messages: a frame or a vote.
    """

    stage: JudgeStage
    system: str
    parts: tuple[CallPart, ...]
    reply: type[BaseModel]
    vote: int = 0
    detail: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts among its parts."""
        return tuple(part for part in self.parts if isinstance(part, str))


@dataclass(frozen=True, slots=True)
class CallIdentity:
    """What a reply depends on besides the call itself.

    Attributes:
        endpoint: Address of the endpoint.
        model: The model's name at its endpoint.
        prompt_version: Version of the prompts, of the screen texts and of the image preparation.
        parameters: The model's parameters.
        image: How images are prepared.
    """

    endpoint: str
    model: str
    prompt_version: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    image: Mapping[str, Any] = field(default_factory=dict)

    def key(self, call: JudgeCall) -> str:
        """Return the key of a call in the cache.

        Pictures and trees count by their hashes, so that a cached reply is found without reading them.

        Args:
            call: The call.
        """
        data = {
            "endpoint": self.endpoint,
            "model": self.model,
            "prompt_version": self.prompt_version,
            "parameters": dict(self.parameters),
            "image": dict(self.image),
            "stage": call.stage.value,
            "vote": call.vote,
            "system": call.system,
            "parts": [part if isinstance(part, str) else part.identity for part in call.parts],
        }
        text = json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
