"""A cache of passed proofs, each stored with the hash of everything that it depends on."""

from __future__ import annotations

import json
import os
from pathlib import Path

from garabench.core.recorded_facts import recorded_facts_from_json
from garabench.proof.findings import Proof, finding_from_json
from garabench.proof.prove_task import ProofResult
from garabench.records.cache_folder import cache_folder
from garabench.records.disk import disk_error


def proof_cache_folder() -> Path:
    """Return the folder of the cached proofs."""
    return cache_folder() / "proofs"


class ProofCache:
    """Caches passed proofs; failed ones are always proven again."""

    def __init__(self, folder: Path) -> None:
        """Prepare a cache; nothing is read or created.

        Args:
            folder: Folder of the proofs.
        """
        self._folder = folder

    def get(self, task: str, key: str) -> ProofResult | None:
        """Return the cached proof of a task, or None if there is none for this key.

        Args:
            task: Id of the task.
            key: The hash of what the proof depends on.
        """
        try:
            data = json.loads(self._path(task).read_text(encoding="utf-8"))
            if data["key"] != key:
                return None
            findings = tuple(finding_from_json(item) for item in data["findings"])
            needed = tuple((str(part), str(path)) for part, path in data["needed"])
            return ProofResult(
                Proof(task, findings, cached=True), needed, recorded_facts_from_json(data["end"])
            )
        except (OSError, ValueError, TypeError, KeyError):
            return None  # missing, truncated or of another version: prove it again

    def put(self, proved: ProofResult, key: str) -> None:
        """Cache a proof. Ignores one that failed or that has no recorded end.

        Raises:
            RecordError: The file cannot be written.
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
        # The name has the process id, since several processes may prove at once.
        partial = path.with_suffix(f".{os.getpid()}.part")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            partial.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
            partial.replace(path)
        except OSError as error:
            raise disk_error(error, path) from error

    def _path(self, task: str) -> Path:
        return self._folder / f"{task}.json"
