"""Replay the replies of a recorded run, for identical requests only."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from PIL import Image

from garabench.agents.models.endpoint_errors import EndpointError
from garabench.agents.models.messages import ChatRequest, ImagePart, ModelReply
from garabench.agents.models.serialization import digest_of, request_to_json, without_files
from garabench.agents.models.transcript import Exchange, read_transcript
from garabench.records.references import picture_path

_MAX_QUOTED = 60
_BAR_PER_MILLE = 45
"""Maximum height of a status bar, as a share of the longer side: 24 dp of 640, or the height of a cutout."""


class NotRecordedError(EndpointError):
    """The recorded run does not contain a request, so there is no reply to replay."""


class ReplayChat:
    """Replays the answers of one recorded episode."""

    def __init__(self, folder: Path) -> None:
        """Read the record.

        Args:
            folder: The recorded episode's folder.

        Raises:
            InputError: The record is broken.
        """
        self._folder = folder
        self._remaining = [
            (without_files(exchange.request), exchange)
            for step in read_transcript(folder)
            for exchange in step.exchanges
        ]

    def ask(self, request: ChatRequest) -> ModelReply:
        """Return the first remaining answer that was recorded for this request.

        Raises:
            NotRecordedError: No answer is left; the message says where the request differs from the one
                recorded at this position.
        """
        data = request_to_json(request)
        key = digest_of(data)
        for place, (recorded, exchange) in enumerate(self._remaining):
            if digest_of(recorded) == key:
                del self._remaining[: place + 1]
                return self._answer(exchange)
        for place, (recorded, exchange) in enumerate(self._remaining):
            if self._looks_the_same(exchange, recorded, request, data):
                del self._remaining[: place + 1]
                return self._answer(exchange)
        if not self._remaining:
            raise NotRecordedError(
                f"{self._folder} has no further request: the recorded episode ended earlier"
            )
        difference = next(request_differences(self._remaining[0][0], data), "it differs")
        raise NotRecordedError(f"the request was not made in {self._folder}: {difference}")

    def _looks_the_same(
        self, exchange: Exchange, recorded: Mapping[str, Any], request: ChatRequest, data: Mapping[str, Any]
    ) -> bool:
        """Return whether a request differs only in the bytes of its images, not in what they show of the app.

        The status bar shows the time, and equal images may be compressed to different bytes: ISA-L's deflate
        is not deterministic.
        """
        if _without_hashes(recorded) != _without_hashes(data):
            return False
        then = [part["picture"] for part in _parts(exchange.request) if "picture" in part]
        now = [part for message in request.messages for part in message.parts if isinstance(part, ImagePart)]
        return all(self._shows(a, b) for a, b in zip(then, now, strict=True))

    def _shows(self, recorded: Mapping[str, Any], picture: ImagePart) -> bool:
        if recorded["sha256"] == picture.sha256:
            return True
        path = picture_path(self._folder, recorded)
        if path is None:
            return False
        try:
            with Image.open(path) as old, Image.open(io.BytesIO(picture.data)) as new:
                return old.size == new.size and _below_the_bar(old) == _below_the_bar(new)
        except (OSError, Image.DecompressionBombError):
            return False

    def _answer(self, exchange: Exchange) -> ModelReply:
        if exchange.answer is None:
            raise NotRecordedError(f"this request failed in {self._folder}: {exchange.fault}")
        return dataclasses.replace(exchange.answer, from_cache=True, seconds=0.0, queued=0.0)


def _below_the_bar(picture: Image.Image) -> bytes:
    """Return the pixels without the status bar, whose clock changes; the elements omit it, too."""
    top = max(picture.size) * _BAR_PER_MILLE // 1000
    return picture.convert("RGB").crop((0, top, *picture.size)).tobytes()


def _parts(data: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    return (part for message in data["messages"] for part in message["parts"])


def _without_hashes(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a request without the hashes that differ between two files of the same image."""
    messages = [
        {
            **message,
            "parts": [
                {"picture": {**part["picture"], "sha256": ""}} if "picture" in part else part
                for part in message["parts"]
            ],
        }
        for message in data["messages"]
    ]
    return {**data, "messages": messages}


def request_differences(recorded: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """Describe the differences between two requests, in order.

    Args:
        recorded: The recorded request as JSON values.
        now: The current request as JSON values.
    """
    for name in ("model", "form", "parameters", "tools"):
        if recorded.get(name) != now.get(name):
            yield f"{name}: {_short(recorded.get(name))} recorded, {_short(now.get(name))} now"
    before, after = recorded["messages"], now["messages"]
    for number, (old, new) in enumerate(zip(before, after, strict=False), start=1):
        if old["role"] != new["role"]:
            yield f"message {number}: by the {old['role']} recorded, by the {new['role']} now"
            continue
        for place, (a, b) in enumerate(zip(old["parts"], new["parts"], strict=False), start=1):
            if a != b:
                yield f"message {number} ({old['role']}), part {place}: {_part_difference(a, b)}"
        if len(old["parts"]) != len(new["parts"]):
            yield f"message {number}: {len(old['parts'])} parts recorded, {len(new['parts'])} now"
    if len(before) != len(after):
        yield f"{len(before)} messages recorded, {len(after)} now"


def _part_difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    if "picture" in old and "picture" in new:
        a, b = old["picture"], new["picture"]
        sizes = f"{a['width']}x{a['height']} recorded, {b['width']}x{b['height']} now"
        same = (a["width"], a["height"]) == (b["width"], b["height"])
        return "another image" if same else f"image of {sizes}"
    if "text" in old and "text" in new:
        a, b = old["text"], new["text"]
        place = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
        return f"text from character {place + 1}: {_short(a[place:])} recorded, {_short(b[place:])} now"
    return "a text instead of an image, or vice versa"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _MAX_QUOTED else f"{text[: _MAX_QUOTED - 1]}…"
