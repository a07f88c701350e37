"""The stored diagnoses of a run: one JSON file per failed episode, and the method of all of them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from garabench.core.file_errors import unreadable
from garabench.core.phrases import counted
from garabench.diagnosis.case_diagnosis import Diagnosis
from garabench.diagnosis.loop import DiagnosisSettings
from garabench.diagnosis.probe import Continuation, DiagnosticProbeResult
from garabench.errors import InputError
from garabench.records.disk import write_atomic
from garabench.records.reader import Run
from garabench.records.run_layout import DIAGNOSIS, EpisodeKey

DIAGNOSIS_VERSION = 4
"""2: with the devices of the probes, what the continuation did, and which probes were repetitions; 3: with
the app's answers to the failed action; 4: with confirmations from the start, and other results of the
recorded actions."""
_CASE, _METHOD, _RESULT = "diagnosis.json", "method.json", "result.json"
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class DiagnosisMethod:
    """How the failures of a run are diagnosed.

    Attributes:
        settings: The settings of the loop.
        supervisor: The supervisor's name.
        continuation: Who continues after a probe's steps.
        devices: The devices on which they are probed; those of all calls. Empty in version 1.
    """

    settings: DiagnosisSettings
    supervisor: str
    continuation: Continuation
    devices: tuple[str, ...] = ()


_METHODS = TypeAdapter(DiagnosisMethod)
_DIAGNOSES = TypeAdapter(Diagnosis)
_RESULTS = TypeAdapter(DiagnosticProbeResult)


def case_folder(key: EpisodeKey) -> PurePosixPath:
    """Return the folder of an episode's diagnosis, relative to the run's."""
    return PurePosixPath(DIAGNOSIS, *key.folder.parts[1:])


def joined_method(
    run: Run, method: DiagnosisMethod, *, replaced: Collection[EpisodeKey] = ()
) -> DiagnosisMethod:
    """Return a method with the devices of the diagnoses that remain, which must have the same settings.

    A stored method without diagnoses says nothing about any, and is ignored.

    Args:
        run: The run.
        method: The method.
        replaced: The episodes whose stored diagnoses will be replaced.

    Raises:
        InputError: Diagnoses that remain were made by another method.
    """
    remaining = diagnosed_episodes(run, unfinished=True).difference(replaced)
    stored = read_method(run) if remaining else None
    if stored is None:
        return method
    joined = replace(method, devices=tuple(dict.fromkeys((*stored.devices, *method.devices))))
    if replace(stored, devices=joined.devices) == joined:
        return joined
    if replaced:
        raise InputError(
            f"{run.folder} has diagnoses of {counted(len(remaining), 'other failure')} with other settings",
            hint="Use the same options as for these, or --again without a selection to replace all.",
        )
    raise InputError(
        f"{run.folder} has diagnoses with other settings",
        hint="Use the same options to resume them, or --again to replace them.",
    )


def store_method(run: Run, method: DiagnosisMethod) -> None:
    """Store how a run's failures are diagnosed.

    Args:
        run: The run.
        method: The method, as `joined_method` returns it.

    Raises:
        RecordError: It cannot be written.
    """
    _write(run.folder / DIAGNOSIS / _METHOD, _METHODS, method)


def diagnosed_episodes(run: Run, *, unfinished: bool = False) -> frozenset[EpisodeKey]:
    """Return the episodes that have a stored diagnosis, without reading it.

    Args:
        run: The run.
        unfinished: Include those of which only results of probes are stored.
    """
    found = set()
    for key in run.file.episode_keys():
        folder = run.folder / case_folder(key)
        if (folder / _CASE).is_file() or (unfinished and any(folder.glob(f"*/{_RESULT}"))):
            found.add(key)
    return frozenset(found)


def read_method(run: Run) -> DiagnosisMethod | None:
    """Return how a run's failures were diagnosed, or None if there are none.

    Raises:
        InputError: It is broken or of a newer version.
    """
    return _read(run.folder / DIAGNOSIS / _METHOD, _METHODS)


def write_diagnosis(run: Run, key: EpisodeKey, diagnosis: Diagnosis) -> None:
    """Store a diagnosis.

    Raises:
        RecordError: It cannot be written.
    """
    _write(run.folder / case_folder(key) / _CASE, _DIAGNOSES, diagnosis)


def read_diagnosis(run: Run, key: EpisodeKey) -> Diagnosis | None:
    """Return the stored diagnosis of an episode, or None.

    Raises:
        InputError: It is broken or of a newer version.
    """
    return _read(run.folder / case_folder(key) / _CASE, _DIAGNOSES)


def read_diagnoses(run: Run) -> Iterator[tuple[EpisodeKey, Diagnosis]]:
    """Iterate over the stored diagnoses of a run, in the plan's order.

    Raises:
        InputError: One is broken or of a newer version.
    """
    if not (run.folder / DIAGNOSIS).is_dir():
        return
    for key in run.file.episode_keys():
        diagnosis = read_diagnosis(run, key)
        if diagnosis is not None:
            yield key, diagnosis


def write_result(folder: Path, result: DiagnosticProbeResult) -> None:
    """Store the result of a probe next to its record, so that a resumed diagnosis need not repeat it.

    Raises:
        RecordError: It cannot be written.
    """
    _write(folder / _RESULT, _RESULTS, result)


def read_result(folder: Path) -> DiagnosticProbeResult | None:
    """Return the stored result of a probe, or None.

    Raises:
        InputError: It is broken or of a newer version.
    """
    return _read(folder / _RESULT, _RESULTS)


def discard_diagnosis(run: Run, key: EpisodeKey) -> None:
    """Forget an episode's diagnosis and the results of its probes; the records of the probes stay."""
    folder = run.folder / case_folder(key)
    for path in (folder / _CASE, *folder.glob(f"*/{_RESULT}")):
        path.unlink(missing_ok=True)


def diagnosis_data(diagnosis: Diagnosis) -> dict[str, object]:
    """Return a diagnosis as JSON-compatible data."""
    data = _DIAGNOSES.dump_python(diagnosis, mode="json", exclude_none=True)
    return {**data, "path": list(diagnosis.path), "devices": list(diagnosis.devices)}


def _write(path: Path, adapter: TypeAdapter[_T], value: _T) -> None:
    data = adapter.dump_python(value, mode="json", exclude_none=True)
    text = json.dumps({"version": DIAGNOSIS_VERSION, **data}, ensure_ascii=False, indent=1)
    write_atomic(path, f"{text}\n".encode("utf-8", "surrogatepass"))


def _read(path: Path, adapter: TypeAdapter[_T]) -> _T | None:
    try:
        data = json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise unreadable(path, error) from error
    except ValueError as error:
        raise InputError(f"{path} is broken: {error}") from error
    version = data.pop("version", None) if isinstance(data, dict) else None
    if not isinstance(version, int) or version > DIAGNOSIS_VERSION:
        raise InputError(
            f"{path} has version {version}; this GaraBench reads versions up to {DIAGNOSIS_VERSION}",
            hint="Use a newer GaraBench, or diagnose again with --again.",
        )
    try:
        return adapter.validate_python(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise InputError(f"{path} is broken: {first['msg']}") from error
