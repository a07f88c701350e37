"""What a model was asked and what it answered, kept beside an episode's record: ``requests/007.json``.

A file holds all of one step, repairs among it. It is written anew after each answer, beside its place and
renamed into it, so that a kill leaves a whole file. Keys are no part of a request. Pictures stand there by
their hash, and by the file that holds them: the step's own screenshot, or one below ``images/``.
"""

from __future__ import annotations

import errno
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from garabench.agents.chat.codec import NotAnAnswer, answer_from_json, answer_to_json, request_to_json
from garabench.agents.chat.messages import Answer, Picture, Request
from garabench.agents.dialects.coordinates import View
from garabench.core.geometry import Rect, Size
from garabench.core.spending import Spent
from garabench.errors import InputError, RecordError

REQUESTS, IMAGES = "requests", "images"
KEPT_VERSION = 1
_SCREENS = "screens"
_SUFFIX = {"image/png": "png", "image/jpeg": "jpg"}


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request and what came of it.

    Attributes:
        request: As JSON values.
        answer: The answer; None where there was a fault.
        fault: The fault in words; empty where there was an answer.
        outcome: What the answer was read as: an action as JSON values, or the flaw and why.
        spent: What it took; None where there was a fault.
    """

    request: Mapping[str, Any]
    answer: Answer | None
    fault: str
    outcome: Mapping[str, Any]
    spent: Spent | None


@dataclass(frozen=True, slots=True)
class KeptStep:
    """All that was asked for one step.

    Attributes:
        step: Its number.
        endpoint: The address that was asked.
        view: What the replies speak about.
        exchanges: In order.
    """

    step: int
    endpoint: str
    view: View
    exchanges: tuple[Exchange, ...]


class Keeper:
    """Keeps the exchanges of one episode."""

    def __init__(self, folder: Path, endpoint: str, profile: Mapping[str, Any] | None = None) -> None:
        """Prepare; nothing is written.

        Args:
            folder: The episode's folder.
            endpoint: The address that is asked.
            profile: The agent's options, as JSON values.
        """
        self._folder = folder
        self._endpoint = endpoint
        self._profile = dict(profile or {})
        self._step = -1
        self._exchanges: list[dict[str, Any]] = []

    def keep(
        self,
        step: int,
        view: View,
        request: Request,
        *,
        answer: Answer | None = None,
        fault: str = "",
        outcome: Mapping[str, Any] | None = None,
        spent: Spent | None = None,
    ) -> None:
        """Keep an exchange.

        Args:
            step: Number of the step.
            view: What the reply speaks about.
            request: What was asked.
            answer: What was answered.
            fault: Why nothing was.
            outcome: What the answer was read as.
            spent: What it took.

        Raises:
            RecordError: It cannot be written.
        """
        if step != self._step:
            self._step, self._exchanges = step, []
        try:
            exchange: dict[str, Any] = {"request": request_to_json(request, self._picture)}
            if answer is not None:
                exchange["answer"] = answer_to_json(answer)
            if fault:
                exchange["fault"] = fault
            if outcome:
                exchange["outcome"] = dict(outcome)
            if spent is not None:
                exchange["spent"] = spent.model_dump(mode="json", exclude_defaults=True)
            self._exchanges.append(exchange)
            data = {
                "version": KEPT_VERSION,
                "step": step,
                "endpoint": self._endpoint,
                "profile": self._profile,
                "view": view_to_json(view),
                "exchanges": self._exchanges,
            }
            text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
            self._write(f"{REQUESTS}/{step:03d}.json", text.encode("utf-8", "surrogatepass"))
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise RecordError(
                    f"the disk is full: {self._folder / REQUESTS} could not be written; "
                    "free some room and resume the run"
                ) from error
            raise RecordError(
                f"{self._folder / REQUESTS} could not be written: {error.strerror or error}"
            ) from error

    def _picture(self, picture: Picture) -> str:
        """The file that holds a picture, which is written unless it is there."""
        newest = max((self._folder / _SCREENS).glob("*.png"), default=None)
        if newest is not None and _is_in(newest, picture):
            return f"{_SCREENS}/{newest.name}"
        name = f"{IMAGES}/{picture.sha256}.{_SUFFIX.get(picture.media_type, 'bin')}"
        if not (self._folder / name).exists():
            self._write(name, picture.data)
        return name

    def _write(self, name: str, data: bytes) -> None:
        path = self._folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_suffix(path.suffix + ".part")
        beside.write_bytes(data)
        beside.replace(path)


def _is_in(path: Path, picture: Picture) -> bool:
    same_length = path.stat().st_size == len(picture.data)
    return same_length and hashlib.sha256(path.read_bytes()).hexdigest() == picture.sha256


def view_to_json(view: View) -> dict[str, Any]:
    """What a reply speaks about, as JSON values."""
    data: dict[str, Any] = {
        "screen": [view.screen.width, view.screen.height],
        "image": [view.image.width, view.image.height],
    }
    if view.elements:
        data["elements"] = [[each.left, each.top, each.right, each.bottom] for each in view.elements]
    if view.apps:
        data["apps"] = dict(view.apps)
    return data


def view_from_json(data: Mapping[str, Any]) -> View:
    """Read what a reply speaks about; raises `KeyError`, `TypeError` or `ValueError` where it is none."""
    return View(
        screen=Size(*map(int, data["screen"])),
        image=Size(*map(int, data["image"])),
        elements=tuple(Rect(*map(int, each)) for each in data.get("elements", ())),
        apps={str(label): str(package) for label, package in data.get("apps", {}).items()},
    )


def read_kept(folder: Path) -> Iterator[KeptStep]:
    """What was kept of an episode, step by step; nothing where no model was asked.

    Args:
        folder: The episode's folder, or an earlier attempt's.

    Raises:
        InputError: A file is broken or of a newer version.
    """
    for path in sorted((folder / REQUESTS).glob("*.json")):
        yield read_step(path)


def read_step(path: Path) -> KeptStep:
    """Read one file of requests.

    Raises:
        InputError: It is broken or of a newer version.
    """
    try:
        data = json.loads(path.read_bytes().decode("utf-8", "surrogatepass"))
        if isinstance(version := data["version"], int) and version > KEPT_VERSION:
            raise InputError(
                f"{path} is of version {version}, and this GaraBench reads up to {KEPT_VERSION}",
                hint="Use a newer GaraBench to read it.",
            )
        return KeptStep(
            step=int(data["step"]),
            endpoint=str(data.get("endpoint", "")),
            view=view_from_json(data["view"]),
            exchanges=tuple(_exchange(each) for each in data["exchanges"]),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, NotAnAnswer, RecursionError) as error:
        raise InputError(f"{path} is broken: {type(error).__name__}: {error}") from error


def _exchange(data: Mapping[str, Any]) -> Exchange:
    answer = data.get("answer")
    spent = data.get("spent")
    return Exchange(
        request=dict(data["request"]),
        answer=None if answer is None else answer_from_json(answer),
        fault=str(data.get("fault", "")),
        outcome=dict(data.get("outcome", {})),
        spent=None if spent is None else Spent.model_validate(spent),
    )
