"""Requests to a model and its answers, stored in the episode's folder: ``requests/007.json``.

A file holds one step, including repairs. It is rewritten atomically after each answer, so that a kill leaves
a complete file. API keys are not recorded. Images are referenced by their hash and by their name in the run's
store; up to version 1, by a file in the episode's folder.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from garabench.agents.dialects.coordinates import ScreenView
from garabench.agents.models.messages import ChatRequest, ImagePart, ModelReply
from garabench.agents.models.serialization import (
    InvalidAnswerError,
    answer_from_json,
    answer_to_json,
    request_to_json,
)
from garabench.core.geometry import Rect, Size
from garabench.core.usage import Usage
from garabench.errors import InputError
from garabench.records.content_store import ContentStore, picture_kind
from garabench.records.disk import write_atomic
from garabench.records.run_layout import REQUESTS, transcripts

TRANSCRIPT_VERSION = 3
"""3: ``usage`` was called ``spent``. 2: pictures are in the run's store."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request and its outcome.

    Attributes:
        request: The request as JSON values.
        answer: The answer; None if the request failed.
        fault: Error message; empty if there was an answer.
        outcome: Result of parsing the answer: an action as JSON values, or the flaw and the reason.
        usage: Time, tokens and cost; None if the request failed.
    """

    request: Mapping[str, Any]
    answer: ModelReply | None
    fault: str
    outcome: Mapping[str, Any]
    usage: Usage | None


@dataclass(frozen=True, slots=True)
class StepTranscript:
    """All exchanges of one step.

    Attributes:
        step: Number of the step.
        endpoint: URL of the endpoint.
        view: The view to which coordinates and element numbers in the replies refer.
        exchanges: The exchanges, in order.
    """

    step: int
    endpoint: str
    view: ScreenView
    exchanges: tuple[Exchange, ...]


class TranscriptWriter:
    """Writes the exchanges of one episode."""

    def __init__(self, folder: Path, endpoint: str, profile: Mapping[str, Any] | None = None) -> None:
        """Prepare; nothing is written.

        Args:
            folder: The episode's folder.
            endpoint: URL of the endpoint.
            profile: The agent's options, as JSON values.
        """
        self._folder = folder
        self._store = ContentStore.of_episode(folder)
        self._endpoint = endpoint
        self._profile = dict(profile or {})
        self._step = -1
        self._exchanges: list[dict[str, Any]] = []

    def write(
        self,
        step: int,
        view: ScreenView,
        request: ChatRequest,
        *,
        answer: ModelReply | None = None,
        fault: str = "",
        outcome: Mapping[str, Any] | None = None,
        usage: Usage | None = None,
    ) -> None:
        """Append an exchange to the step's file.

        Args:
            step: Number of the step.
            view: The view to which coordinates and element numbers in the reply refer.
            request: The request.
            answer: The answer, if any.
            fault: Why the request failed.
            outcome: Result of parsing the answer.
            usage: Time, tokens and cost.

        Raises:
            RecordError: The file cannot be written.
        """
        if step != self._step:
            self._step, self._exchanges = step, []
        exchange: dict[str, Any] = {"request": request_to_json(request, self._store_image)}
        if answer is not None:
            exchange["answer"] = answer_to_json(answer)
        if fault:
            exchange["fault"] = fault
        if outcome:
            exchange["outcome"] = dict(outcome)
        if usage is not None:
            exchange["usage"] = usage.model_dump(mode="json", exclude_defaults=True)
        self._exchanges.append(exchange)
        data = {
            "version": TRANSCRIPT_VERSION,
            "step": step,
            "endpoint": self._endpoint,
            "profile": self._profile,
            "view": view_to_json(view),
            "exchanges": self._exchanges,
        }
        text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
        write_atomic(self._folder / REQUESTS / f"{step:03d}.json", text.encode("utf-8", "surrogatepass"))

    def _store_image(self, image: ImagePart) -> str:
        """Store an image unless it is stored already; return its name in the store."""
        kind = picture_kind(image.media_type)
        return f"{self._store.add_picture(image.data, kind)}{kind}"


def view_to_json(view: ScreenView) -> dict[str, Any]:
    """Convert a view to JSON values."""
    data: dict[str, Any] = {
        "screen": [view.screen.width, view.screen.height],
        "image": [view.image.width, view.image.height],
    }
    if view.elements:
        data["elements"] = [[each.left, each.top, each.right, each.bottom] for each in view.elements]
    if view.apps:
        data["apps"] = dict(view.apps)
    return data


def view_from_json(data: Mapping[str, Any]) -> ScreenView:
    """Parse a view; raises `KeyError`, `TypeError` or `ValueError` if it is invalid."""
    return ScreenView(
        screen=Size(*map(int, data["screen"])),
        image=Size(*map(int, data["image"])),
        elements=tuple(Rect(*map(int, each)) for each in data.get("elements", ())),
        apps={str(label): str(package) for label, package in data.get("apps", {}).items()},
    )


def read_transcript(folder: Path) -> Iterator[StepTranscript]:
    """Yield the exchanges of an episode, step by step; nothing for agents without a model.

    Args:
        folder: The episode's folder, or an earlier attempt's.

    Raises:
        InputError: A file is broken or of a newer version.
    """
    for path in transcripts(folder):
        yield read_step(path)


def read_step(path: Path) -> StepTranscript:
    """Read one file of requests.

    Raises:
        InputError: It is broken or of a newer version.
    """
    try:
        data = json.loads(path.read_bytes().decode("utf-8", "surrogatepass"))
        if isinstance(version := data["version"], int) and version > TRANSCRIPT_VERSION:
            raise InputError(
                f"{path} has version {version}; this GaraBench reads up to {TRANSCRIPT_VERSION}",
                hint="Use a newer GaraBench to read it.",
            )
        return StepTranscript(
            step=int(data["step"]),
            endpoint=str(data.get("endpoint", "")),
            view=view_from_json(data["view"]),
            exchanges=tuple(_exchange(each) for each in data["exchanges"]),
        )
    except (
        OSError,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        InvalidAnswerError,
        RecursionError,
    ) as error:
        raise InputError(f"{path} is broken: {type(error).__name__}: {error}") from error


def _exchange(data: Mapping[str, Any]) -> Exchange:
    answer = data.get("answer")
    usage = data.get("usage", data.get("spent"))  # "spent" in version 2 and before
    return Exchange(
        request=dict(data["request"]),
        answer=None if answer is None else answer_from_json(answer),
        fault=str(data.get("fault", "")),
        outcome=dict(data.get("outcome", {})),
        usage=None if usage is None else Usage.model_validate(usage),
    )
