"""The cache of judge calls: one small file for each reply, named by the call's key.

Several trajectories share replies: the rubric of an instruction, the relevance of an equal screen. While one
thread requests a reply, others that need the same one wait for it.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from garabench.core.usage import Usage
from garabench.errors import InputError
from garabench.records.disk import write_atomic
from garabench.verifier.judge_call import JudgeCall

CALL_CACHE_VERSION = 1


@dataclass(frozen=True, slots=True)
class CachedCall:
    """A reply in the cache.

    Attributes:
        reply: The reply, valid by its schema, as JSON.
        usage: What it needed when it was requested.
    """

    reply: str
    usage: Usage


class CallCache:
    """A folder of replies, which threads and processes may share."""

    def __init__(self, folder: Path) -> None:
        """Prepare; nothing is created.

        Args:
            folder: The folder.
        """
        self._folder = folder
        self._locks: dict[str, tuple[threading.Lock, int]] = {}
        self._guard = threading.Lock()

    def find(self, key: str) -> CachedCall | None:
        """Return a cached reply; None if it is missing or unreadable.

        Args:
            key: The call's key.
        """
        try:
            data = json.loads(self._path(key).read_bytes())
            if data["version"] != CALL_CACHE_VERSION:
                return None
            return CachedCall(
                json.dumps(data["reply"], ensure_ascii=False), Usage.model_validate(data["usage"])
            )
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, ValidationError):
            return None  # requested again and overwritten

    def put(self, key: str, call: JudgeCall, model: str, reply: str, usage: Usage) -> None:
        """Store a reply.

        Args:
            key: The call's key.
            call: The call.
            model: The model's name.
            reply: The reply, valid by its schema, as JSON.
            usage: What it needed.

        Raises:
            RecordError: It cannot be written.
        """
        data: dict[str, Any] = {
            "version": CALL_CACHE_VERSION,
            "stage": call.stage.value,
            "detail": call.detail,
            "model": model,
            "reply": json.loads(reply),
            "usage": usage.model_dump(mode="json", exclude_defaults=True),
        }
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"
        write_atomic(self._path(key), text.encode("utf-8", "replace"))

    @contextlib.contextmanager
    def exclusive(self, key: str) -> Iterator[None]:
        """Hold the only right of this process to request a reply.

        Args:
            key: The call's key.
        """
        with self._guard:
            lock, users = self._locks.get(key, (threading.Lock(), 0))
            self._locks[key] = lock, users + 1
        try:
            with lock:
                yield
        finally:
            with self._guard:
                lock, users = self._locks.pop(key)
                if users > 1:
                    self._locks[key] = lock, users - 1

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"


def check_cache_folder(folder: Path) -> None:
    """Check that a cache can be read.

    Raises:
        InputError: It is not a folder.
    """
    if not folder.is_dir():
        raise InputError(f"there is no reply cache in {folder}")
    if not os.access(folder, os.R_OK | os.X_OK):
        raise InputError(f"the reply cache {folder} cannot be read")
