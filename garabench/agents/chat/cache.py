"""A cache of replies by content: the hash of a whole request names the file that holds its answer."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import threading
from collections import Counter
from pathlib import Path

from garabench.agents.chat.codec import NotAnAnswer, answer_from_json, answer_to_json, digest, request_to_json
from garabench.agents.chat.messages import Answer, Chat, Request
from garabench.errors import InputError, RecordError

CACHE_VERSION = 1


class ReplyCache:
    """A folder of answers; may be shared by threads and by processes."""

    def __init__(self, folder: Path) -> None:
        """Prepare.

        Raises:
            InputError: There can be no such folder.
        """
        self._folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"no replies can be kept in {folder}: {error.strerror or error}") from error

    def find(self, key: str) -> Answer | None:
        """The answer to a request, or None where there is none that can be read."""
        try:
            data = json.loads(self._path(key).read_bytes())
            if data["version"] != CACHE_VERSION:
                return None
            return answer_from_json(data["answer"])
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, NotAnAnswer, RecursionError):
            return None  # asked for anew, and written over

    def put(self, key: str, request: Request, answer: Answer) -> None:
        """Keep an answer.

        Raises:
            RecordError: It cannot be written.
        """
        path = self._path(key)
        data = {
            "version": CACHE_VERSION,
            "request": request_to_json(request),
            "answer": answer_to_json(answer),
        }
        # Two processes may write the same answer at once: each beside it under a name of its own.
        beside = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}.part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
            beside.write_bytes(text.encode("utf-8", "surrogatepass"))
            beside.replace(path)
        except OSError as error:
            raise RecordError(f"{path} could not be written: {error.strerror or error}") from error

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"


class CachedChat:
    """A chat of one episode that looks into a cache first.

    An agent that is told nothing of its steps asks the same again when a screen comes again. Without a cache
    its model may answer otherwise then, so the second such request of an episode is answered by a reply of
    its own, and the third by another.
    """

    def __init__(self, chat: Chat, cache: ReplyCache, endpoint: str) -> None:
        """Prepare.

        Args:
            chat: Asked for what is not in the cache.
            cache: Where answers are kept.
            endpoint: The address that is asked: the same request elsewhere is another one.
        """
        self._chat = chat
        self._cache = cache
        self._endpoint = endpoint
        self._asked: Counter[str] = Counter()
        self._lock = threading.Lock()

    def ask(self, request: Request) -> Answer:
        """The answer of the cache, marked so, or else of the chat.

        Raises:
            ModelError: As the chat does.
            RecordError: The answer cannot be kept.
        """
        key = self._name(digest(request, self._endpoint))
        found = self._cache.find(key)
        if found is not None:
            return dataclasses.replace(found, from_cache=True, seconds=0.0, queued=0.0)
        answer = self._chat.ask(request)
        self._cache.put(key, request, answer)
        return answer

    def _name(self, key: str) -> str:
        """The request's name in the cache: its hash, and for one that was asked before, how often it was."""
        with self._lock:
            self._asked[key] += 1
            often = self._asked[key]
        return key if often == 1 else hashlib.sha256(f"{key} {often}".encode()).hexdigest()
