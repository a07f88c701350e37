"""The behaviours of a fake model: replies from a script or a function."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Protocol

from garabench.core.file_errors import unreadable
from garabench.errors import InputError
from garabench.testing.http_error import ApiError
from garabench.testing.replies import FakeReply, FinishReason
from garabench.testing.requests import FunctionCall, ReceivedRequest


class Behaviour(Protocol):
    """Decides what a fake model replies; called from several threads."""

    def answer(self, request: ReceivedRequest) -> FakeReply:
        """Return the reply to a request.

        Raises:
            ApiError: Send an error response instead.
        """
        ...


class ScriptedReplies:
    """Replies from a script, one per request, in order."""

    def __init__(self, replies: Iterable[FakeReply | str], *, repeat: bool = False) -> None:
        """Prepare.

        Args:
            replies: The replies, in order; a string is a reply with that text.
            repeat: Whether to repeat the last reply forever; otherwise later requests fail.
        """
        self._replies = tuple(FakeReply(one) if isinstance(one, str) else one for one in replies)
        if not self._replies:
            raise ValueError("a script needs at least one reply")
        self._repeat = repeat
        self._next = 0
        self._lock = threading.Lock()

    def answer(self, request: ReceivedRequest) -> FakeReply:
        """Return the next reply.

        Raises:
            ApiError: The script has ended.
        """
        with self._lock:
            at = self._next
            self._next += 1
        if at < len(self._replies):
            return self._replies[at]
        if self._repeat:
            return self._replies[-1]
        raise ApiError(500, f"the script has {len(self._replies)} replies, and this is request {at + 1}")


class ComputedReplies:
    """Replies that a function computes from the request."""

    def __init__(self, reply: Callable[[ReceivedRequest], FakeReply | str]) -> None:
        """Prepare.

        Args:
            reply: Computes the reply to a request; called from several threads.
        """
        self._reply = reply

    def answer(self, request: ReceivedRequest) -> FakeReply:
        """Return the computed reply."""
        made = self._reply(request)
        return FakeReply(made) if isinstance(made, str) else made


def read_script(file: Path | str) -> tuple[FakeReply, ...]:
    r"""Read a script of replies.

    Args:
        file: A JSON list or JSON Lines. Each reply is a string, or an object with ``text``, ``calls`` (each
            with ``name`` and ``arguments``), ``finish``, ``refusal`` and ``reasoning``, all optional.

    Raises:
        InputError: The file cannot be read, or a reply in it is malformed.
    """
    try:
        text = Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise unreadable(file, error) from error
    try:
        values = json.loads(text) if text.lstrip().startswith("[") else _lines(text)
    except ValueError as error:
        raise InputError(f"{file} is not JSON: {error}") from error
    if not values:
        raise InputError(f"{file} contains no reply")
    return tuple(_reply(value, f"{file}, reply {at}") for at, value in enumerate(values, start=1))


def _lines(text: str) -> list[object]:
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def _reply(value: object, where: str) -> FakeReply:
    if isinstance(value, str):
        return FakeReply(value)
    known = {"text", "calls", "finish", "refusal", "reasoning"}
    if not isinstance(value, dict) or not value or not value.keys() <= known:
        raise InputError(f"{where} is neither a string nor an object with {', '.join(sorted(known))}")
    texts = {name: value[name] for name in ("text", "refusal", "reasoning") if name in value}
    if wrong := [name for name, text in texts.items() if not isinstance(text, str)]:
        raise InputError(f"{where}: {wrong[0]} is not a string")
    finish = value.get("finish")
    if finish is not None and finish not in tuple(FinishReason):
        raise InputError(f"{where}: finish must be one of {', '.join(FinishReason)}")
    calls = value.get("calls", [])
    if not isinstance(calls, list):
        raise InputError(f"{where}: calls is not a list")
    return FakeReply(
        calls=tuple(_call_of(call, where) for call in calls),
        finish=None if finish is None else FinishReason(finish),
        **texts,
    )


def _call_of(value: object, where: str) -> FunctionCall:
    match value:
        case {"name": str(name), "arguments": str(arguments)}:
            return FunctionCall(name, arguments)
        case {"name": str(name), "arguments": dict(arguments)}:
            return FunctionCall(name, json.dumps(arguments, ensure_ascii=False))
        case _:
            raise InputError(f"{where}: a call needs a name and arguments")


def read_scripts(files: Sequence[Path]) -> tuple[FakeReply, ...]:
    """Read several scripts and return their replies in order.

    Raises:
        InputError: As `read_script`.
    """
    return tuple(reply for file in files for reply in read_script(file))
