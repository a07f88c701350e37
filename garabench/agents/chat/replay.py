"""Answers of a recorded run in place of a model's: for the same requests, and for no others."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from PIL import Image

from garabench.agents.chat.codec import digest_of, request_to_json, without_files
from garabench.agents.chat.faults import EndpointFault
from garabench.agents.chat.kept import Exchange, read_kept
from garabench.agents.chat.messages import Answer, Picture, Request

_MOST_TOLD = 60
_BAR_PER_MILLE = 45
"""A status bar's height of a screen's longer side, at most: 24 dp of 640, or what a cut-out takes."""


class NotRecorded(EndpointFault):
    """A request was not made in the recorded run, so that there is no answer to it."""


class ReplayChat:
    """Answers of one recorded episode."""

    def __init__(self, folder: Path) -> None:
        """Read the record.

        Args:
            folder: The recorded episode's folder.

        Raises:
            InputError: Its record is broken.
        """
        self._folder = folder
        self._left = [
            (without_files(exchange.request), exchange)
            for step in read_kept(folder)
            for exchange in step.exchanges
        ]

    def ask(self, request: Request) -> Answer:
        """The answer that was recorded for this request, the first of those that are left.

        Raises:
            NotRecorded: There is none; the message says where the request differs from the one that was
                made at this place.
        """
        data = request_to_json(request)
        key = digest_of(data)
        for place, (recorded, exchange) in enumerate(self._left):
            if digest_of(recorded) == key:
                del self._left[: place + 1]
                return self._answer(exchange)
        for place, (recorded, exchange) in enumerate(self._left):
            if self._looks_the_same(exchange, recorded, request, data):
                del self._left[: place + 1]
                return self._answer(exchange)
        if not self._left:
            raise NotRecorded(f"{self._folder} has no further request: the recorded episode ended before")
        told = next(differences(self._left[0][0], data), "it differs")
        raise NotRecorded(f"the request was not made in {self._folder}: {told}")

    def _looks_the_same(
        self, exchange: Exchange, recorded: Mapping[str, Any], request: Request, data: Mapping[str, Any]
    ) -> bool:
        """Whether a request differs in the bytes of its pictures only, and not in what they show of the app.

        A status bar tells the time. One picture may be compressed to other bytes: ISA-L's deflate does not
        promise the same each time.
        """
        if _without_hashes(recorded) != _without_hashes(data):
            return False
        then = [part["picture"] for part in _parts(exchange.request) if "picture" in part]
        now = [part for message in request.messages for part in message.parts if isinstance(part, Picture)]
        return all(self._shows(a, b) for a, b in zip(then, now, strict=True))

    def _shows(self, recorded: Mapping[str, Any], picture: Picture) -> bool:
        if recorded["sha256"] == picture.sha256:
            return True
        path = (self._folder / str(recorded.get("file", ""))).resolve()
        if not path.is_relative_to(self._folder.resolve()):
            return False
        try:
            with Image.open(path) as old, Image.open(io.BytesIO(picture.data)) as new:
                return old.size == new.size and _below_the_bar(old) == _below_the_bar(new)
        except (OSError, Image.DecompressionBombError):
            return False

    def _answer(self, exchange: Exchange) -> Answer:
        if exchange.answer is None:
            raise NotRecorded(f"this request was met by a fault in {self._folder}: {exchange.fault}")
        return dataclasses.replace(exchange.answer, from_cache=True, seconds=0.0, queued=0.0)


def _below_the_bar(picture: Image.Image) -> bytes:
    """The pixels without the status bar, whose clock goes on: it is not among the elements, either."""
    top = max(picture.size) * _BAR_PER_MILLE // 1000
    return picture.convert("RGB").crop((0, top, *picture.size)).tobytes()


def _parts(data: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    return (part for message in data["messages"] for part in message["parts"])


def _without_hashes(data: Mapping[str, Any]) -> dict[str, Any]:
    """A request without what tells two files of one picture apart."""
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


def differences(recorded: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """In what two requests differ, in words, the first difference first.

    Args:
        recorded: A request as JSON values.
        now: Another one.
    """
    for name in ("model", "form", "parameters", "tools"):
        if recorded.get(name) != now.get(name):
            yield f"{name}: {_short(recorded.get(name))} then, {_short(now.get(name))} now"
    before, after = recorded["messages"], now["messages"]
    for number, (old, new) in enumerate(zip(before, after, strict=False), start=1):
        if old["role"] != new["role"]:
            yield f"message {number}: by the {old['role']} then, by the {new['role']} now"
            continue
        for place, (a, b) in enumerate(zip(old["parts"], new["parts"], strict=False), start=1):
            if a != b:
                yield f"message {number} ({old['role']}), part {place}: {_of_parts(a, b)}"
        if len(old["parts"]) != len(new["parts"]):
            yield f"message {number}: {len(old['parts'])} parts then, {len(new['parts'])} now"
    if len(before) != len(after):
        yield f"{len(before)} messages then, {len(after)} now"


def _of_parts(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    if "picture" in old and "picture" in new:
        a, b = old["picture"], new["picture"]
        sizes = f"{a['width']}x{a['height']} then, {b['width']}x{b['height']} now"
        same = (a["width"], a["height"]) == (b["width"], b["height"])
        return "another picture" if same else f"a picture of {sizes}"
    if "text" in old and "text" in new:
        a, b = old["text"], new["text"]
        place = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
        return f"text from letter {place + 1}: {_short(a[place:])} then, {_short(b[place:])} now"
    return "a text in place of a picture, or the other way round"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _MOST_TOLD else f"{text[: _MOST_TOLD - 1]}…"
