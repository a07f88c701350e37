"""Proofs that were made before, kept with the hash of what they depend on."""

from __future__ import annotations

import json
import os
from pathlib import Path

import platformdirs

from garabench.campaign.kept import read_kept
from garabench.campaign.proof import Proof, read_finding
from garabench.campaign.prove import Proved
from garabench.episode.recorder import disk_error


def default_folder() -> Path:
    """Where proofs are kept, unless ``GARABENCH_CACHE`` names another folder."""
    return Path(os.environ.get("GARABENCH_CACHE") or platformdirs.user_cache_path("garabench")) / "proofs"


class ProofCache:
    """Keeps what was proven; what failed is tried anew each time."""

    def __init__(self, folder: Path) -> None:
        """Prepare; nothing is read or made.

        Args:
            folder: Where the proofs are.
        """
        self._folder = folder

    def get(self, task: str, key: str) -> Proved | None:
        """The proof of a task when nothing that it depends on has changed, else None.

        Args:
            task: The task's id.
            key: The hash of what its proof depends on.
        """
        try:
            data = json.loads(self._path(task).read_text(encoding="utf-8"))
            if data["key"] != key:
                return None
            findings = tuple(read_finding(each) for each in data["findings"])
            needed = tuple((str(part), str(way)) for part, way in data["needed"])
            return Proved(Proof(task, findings, cached=True), needed, read_kept(data["end"]))
        except (OSError, ValueError, TypeError, KeyError):
            return None  # not there, cut off or of another version: it is proven anew

    def put(self, proved: Proved, key: str) -> None:
        """Keep a proof; one that failed, or whose end is not known, is not kept.

        Raises:
            RecordError: It cannot be written.
        """
        if not proved.proof.ok or proved.end is None:
            return
        data = {
            "key": key,
            "findings": proved.proof.to_json()["findings"],
            "needed": proved.needed,
            "end": proved.end.to_json(),
        }
        path = self._path(proved.proof.task)
        # Named by process, since several may prove at once.
        beside = path.with_suffix(f".{os.getpid()}.part")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            beside.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
            beside.replace(path)
        except OSError as error:
            raise disk_error(error, path) from error

    def _path(self, task: str) -> Path:
        return self._folder / f"{task}.json"
