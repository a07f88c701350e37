"""A cache of model replies, keyed by the hash of the whole request."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import threading
from collections import Counter
from pathlib import Path

from garabench.agents.models.messages import Chat, ChatRequest, ModelReply
from garabench.agents.models.serialization import (
    InvalidAnswerError,
    answer_from_json,
    answer_to_json,
    request_digest,
    request_to_json,
)
from garabench.errors import InputError, RecordError

CACHE_VERSION = 1


class ReplyCache:
    """A folder of replies, which threads and processes may share."""

    def __init__(self, folder: Path) -> None:
        """Prepare.

        Raises:
            InputError: The folder cannot be created.
        """
        self._folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(
                f"the reply cache {folder} cannot be created: {error.strerror or error}"
            ) from error

    def find(self, key: str) -> ModelReply | None:
        """Return the cached answer to a request, or None if it is missing or unreadable."""
        try:
            data = json.loads(self._path(key).read_bytes())
            if data["version"] != CACHE_VERSION:
                return None
            return answer_from_json(data["answer"])
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, InvalidAnswerError, RecursionError):
            return None  # requested again and overwritten

    def put(self, key: str, request: ChatRequest, answer: ModelReply) -> None:
        """Store an answer.

        Raises:
            RecordError: It cannot be written.
        """
        path = self._path(key)
        data = {
            "version": CACHE_VERSION,
            "request": request_to_json(request),
            "answer": answer_to_json(answer),
        }
        # Two processes may write the same answer at once: each writes a temporary file with a unique name.
        temporary = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}.part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
            temporary.write_bytes(text.encode("utf-8", "surrogatepass"))
            temporary.replace(path)
        except OSError as error:
            raise RecordError(f"{path} could not be written: {error.strerror or error}") from error

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"


class CachedChat:
    """A chat of one episode that reads through a cache.

    An agent without a history sends the same request again when a screen recurs. Without a cache its model
    may answer differently then, so each repetition of a request within an episode has a separate cache entry.
    """

    def __init__(self, chat: Chat, cache: ReplyCache, endpoint: str) -> None:
        """Prepare.

        Args:
            chat: Sends the requests that are not in the cache.
            cache: Stores the answers.
            endpoint: Address of the endpoint, which is part of the cache key.
        """
        self._chat = chat
        self._cache = cache
        self._endpoint = endpoint
        self._repetitions: Counter[str] = Counter()
        self._lock = threading.Lock()

    def ask(self, request: ChatRequest) -> ModelReply:
        """Return the cached answer, marked as such, or request one.

        Raises:
            ModelError: As for the chat.
            RecordError: The answer cannot be written.
        """
        key = self._entry_key(request_digest(request, self._endpoint))
        found = self._cache.find(key)
        if found is not None:
            return dataclasses.replace(found, from_cache=True, seconds=0.0, queued=0.0)
        answer = self._chat.ask(request)
        self._cache.put(key, request, answer)
        return answer

    def _entry_key(self, key: str) -> str:
        """Return the cache key of a request: its hash, with a counter for repetitions."""
        with self._lock:
            self._repetitions[key] += 1
            count = self._repetitions[key]
        return key if count == 1 else hashlib.sha256(f"{key} {count}".encode()).hexdigest()
