"""The prompts and replies of one step, as JSON-compatible data."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from garabench.agents.models.transcript import Exchange, read_step
from garabench.records.episode import Attempt
from garabench.report.viewer.clipping import clip, clip_all

_MAX_PART = 60_000
_PICTURE = re.compile(r"[0-9a-f]{64}\.(png|jpg)")


def transcript_steps(attempt: Attempt) -> dict[int, Path]:
    """Return the files of prompts and replies by step."""
    return {int(path.stem): path for path in attempt.transcripts if path.stem.isdecimal()}


def exchanges_data(path: Path) -> dict[str, Any]:
    """Return the prompts and replies of a step.

    Raises:
        InputError: The file is broken or of a newer version.
    """
    transcript = read_step(path)
    view = transcript.view
    return {
        "endpoint": clip(transcript.endpoint),
        "screen": [view.screen.width, view.screen.height],
        "image": [view.image.width, view.image.height],
        "elements": [[each.left, each.top, each.right, each.bottom] for each in view.elements],
        "exchanges": [_exchange(each) for each in transcript.exchanges],
    }


def _exchange(found: Exchange) -> dict[str, Any]:
    request, answer = found.request, found.answer
    messages = request.get("messages")
    other = {name: value for name, value in request.items() if name != "messages"}
    return {
        "messages": [_message(each) for each in messages] if isinstance(messages, list) else [],
        "request": clip(json.dumps(other, ensure_ascii=False, indent=1), _MAX_PART),
        "fault": clip(found.fault),
        "reply": None
        if answer is None
        else {
            "text": clip(answer.text, _MAX_PART),
            "reasoning": clip(answer.reasoning, _MAX_PART),
            "calls": [
                {"name": clip(call.name), "arguments": clip(call.arguments, _MAX_PART)}
                for call in answer.calls
            ],
            "stop": answer.stop.value,
            "seconds": answer.seconds,
            "model": clip(answer.model, 200),
            "tries": answer.tries,
            "from_cache": answer.from_cache,
        },
        "outcome": clip_all(dict(found.outcome)),
        "usage": None if found.usage is None else found.usage.model_dump(mode="json", exclude_defaults=True),
    }


def _message(message: object) -> dict[str, Any]:
    """Return a message of a request; requests are recorded as they were sent, in the codec's own form."""
    if not isinstance(message, Mapping):
        return {"role": "", "parts": [{"text": clip(str(message), _MAX_PART)}]}
    parts = message.get("parts")
    return {
        "role": clip(str(message.get("role", "")), 40),
        "parts": [_part(each) for each in parts] if isinstance(parts, list) else [_part(parts)],
    }


def _part(part: object) -> dict[str, Any]:
    if isinstance(part, Mapping):
        if isinstance(text := part.get("text"), str):
            return {"text": clip(text, _MAX_PART)}
        picture = part.get("picture")
        if isinstance(picture, Mapping):
            name = str(picture.get("file", ""))
            return {
                "picture": name if _PICTURE.fullmatch(name) else "",
                "size": f"{picture.get('width', '?')} x {picture.get('height', '?')}"[:40],
            }
    return {"text": clip(json.dumps(part, ensure_ascii=False, default=str), _MAX_PART)}
