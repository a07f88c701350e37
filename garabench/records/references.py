"""References from a run's records to files of pictures and trees."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from garabench.errors import InputError
from garabench.records.content_store import ContentKind, ContentStore, is_hash
from garabench.records.episode import Attempt
from garabench.records.run_layout import earlier_attempts, episode_folders, probe_folders


@dataclass(frozen=True, slots=True)
class Reference:
    """A file that a record names.

    Attributes:
        path: The file, which may be missing.
        is_tree: Whether it is a UI tree instead of a picture.
        latest: Whether the episode's latest attempt names it, not an earlier one.
        source: The file that names it: a log or a transcript.
    """

    path: Path
    is_tree: bool
    latest: bool
    source: Path


def attempts(run: Path) -> Iterator[tuple[Attempt, bool]]:
    """Iterate over all attempts at all episodes and probes, with whether each is the latest one."""
    store = ContentStore.of_run(run)
    for episode in (*episode_folders(run), *probe_folders(run)):
        for folder in earlier_attempts(episode):
            yield Attempt(folder, store), False
        yield Attempt(episode, store), True


def references(attempt: Attempt, *, latest: bool) -> Iterator[Reference]:
    """Iterate over the files that an attempt's log and transcripts name.

    Raises:
        InputError: The log or a transcript is broken or of a newer version.
    """
    log = attempt.log
    final = attempt.final_observation
    for observation in (*attempt.observations, *((final,) if final else ())):
        yield Reference(observation.tree_path, True, latest, log)
        yield Reference(observation.picture_path, False, latest, log)
    for transcript in attempt.transcripts:
        for path in _transcript_pictures(transcript, attempt.folder):
            yield Reference(path, False, latest, transcript)


def _transcript_pictures(transcript: Path, attempt: Path) -> Iterator[Path]:
    try:
        data = json.loads(transcript.read_bytes().decode("utf-8", "surrogatepass"))
        pictures = [
            part["picture"]
            for exchange in data["exchanges"]
            for message in exchange["request"]["messages"]
            for part in message["parts"]
            if "picture" in part
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{transcript} is broken: {type(error).__name__}: {error}") from error
    for picture in pictures:
        path = picture_path(attempt, picture)
        if path is not None:
            yield path


def picture_path(attempt: Path, picture: Mapping[str, Any]) -> Path | None:
    """Return the file of a picture in a model's transcript; None if it is outside the record.

    Args:
        attempt: The episode's folder, or an earlier attempt's.
        picture: The picture as JSON-compatible data. Its ``file`` is its name in the store or, up to
            transcript version 1, a path within the attempt's folder.
    """
    name = str(picture.get("file", ""))
    digest, dot, suffix = name.partition(".")
    if is_hash(digest) and dot + suffix in tuple(ContentKind):
        return ContentStore.of_episode(attempt).path(digest, ContentKind(dot + suffix))
    path = attempt / name
    return path if name and path.resolve().is_relative_to(attempt.resolve()) else None
