"""What a played model does: it is asked, and replies."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Protocol

from garabench.errors import InputError
from garabench.testing.asked import Asked, Called
from garabench.testing.refused import Refused
from garabench.testing.replies import Finish, Reply


class Behaviour(Protocol):
    """What a played model does. Requests come from several threads."""

    def answer(self, asked: Asked) -> Reply:
        """Reply.

        Raises:
            Refused: The endpoint answers with an error.
        """
        ...


class Scripted:
    """Replies that are given beforehand, one for each request, in the order in which they come."""

    def __init__(self, replies: Iterable[Reply | str], *, again: bool = False) -> None:
        """Prepare.

        Args:
            replies: The replies; a text is a reply that holds nothing else.
            again: Whether the last one is given again and again; otherwise the requests after it fail.
        """
        self._replies = tuple(Reply(one) if isinstance(one, str) else one for one in replies)
        if not self._replies:
            raise ValueError("a script has at least one reply")
        self._again = again
        self._next = 0
        self._lock = threading.Lock()

    def answer(self, asked: Asked) -> Reply:
        """The next reply.

        Raises:
            Refused: The script is over.
        """
        with self._lock:
            at = self._next
            self._next += 1
        if at < len(self._replies):
            return self._replies[at]
        if self._again:
            return self._replies[-1]
        raise Refused(500, f"the script has {len(self._replies)} replies, and this is request {at + 1}")


class Computed:
    """Replies that a function computes from the request."""

    def __init__(self, reply: Callable[[Asked], Reply | str]) -> None:
        """Prepare.

        Args:
            reply: Computes it; called from several threads.
        """
        self._reply = reply

    def answer(self, asked: Asked) -> Reply:
        """The computed reply."""
        made = self._reply(asked)
        return Reply(made) if isinstance(made, str) else made


def read_script(file: Path | str) -> tuple[Reply, ...]:
    r"""Read a script.

    Args:
        file: A JSON list, or lines of JSON. Each reply is a text, or an object with ``text``, ``calls`` (each
            with ``name`` and ``arguments``), ``finish``, ``refusal`` and ``reasoning``, all optional.

    Raises:
        InputError: It cannot be read, or one of its replies is none.
    """
    try:
        text = Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise InputError(f"{file} cannot be read: {error}") from error
    try:
        values = json.loads(text) if text.lstrip().startswith("[") else _lines(text)
    except ValueError as error:
        raise InputError(f"{file} is not JSON: {error}") from error
    if not values:
        raise InputError(f"{file} holds no reply")
    return tuple(_reply(value, f"{file}, reply {at}") for at, value in enumerate(values, start=1))


def _lines(text: str) -> list[object]:
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def _reply(value: object, where: str) -> Reply:
    if isinstance(value, str):
        return Reply(value)
    known = {"text", "calls", "finish", "refusal", "reasoning"}
    if not isinstance(value, dict) or not value or not value.keys() <= known:
        raise InputError(f"{where} is neither a text nor an object of {', '.join(sorted(known))}")
    texts = {name: value[name] for name in ("text", "refusal", "reasoning") if name in value}
    if wrong := [name for name, text in texts.items() if not isinstance(text, str)]:
        raise InputError(f"{where}: {wrong[0]} is no text")
    finish = value.get("finish")
    if finish is not None and finish not in tuple(Finish):
        raise InputError(f"{where}: finish is one of {', '.join(Finish)}")
    calls = value.get("calls", [])
    if not isinstance(calls, list):
        raise InputError(f"{where}: calls is no list")
    return Reply(
        calls=tuple(_called(call, where) for call in calls),
        finish=None if finish is None else Finish(finish),
        **texts,
    )


def _called(value: object, where: str) -> Called:
    match value:
        case {"name": str(name), "arguments": str(arguments)}:
            return Called(name, arguments)
        case {"name": str(name), "arguments": dict(arguments)}:
            return Called(name, json.dumps(arguments, ensure_ascii=False))
        case _:
            raise InputError(f"{where}: a call has a name and arguments")


def read_scripts(files: Sequence[Path]) -> tuple[Reply, ...]:
    """The replies of several scripts, one after the other.

    Raises:
        InputError: As `read_script`.
    """
    return tuple(reply for file in files for reply in read_script(file))
