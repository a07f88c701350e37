"""The state of an app at one moment, known or unknown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from garabench.core.app_state import StateRecord


@dataclass(frozen=True, slots=True)
class AppState:
    """The state of an app: its records by kind and object."""

    records: Mapping[tuple[str, str], StateRecord]


@dataclass(frozen=True, slots=True)
class UnknownState:
    """A state that could not be read, and why."""

    reason: str


State = AppState | UnknownState


def state_of(records: tuple[StateRecord, ...]) -> State:
    """Return the state with these records; unknown if two have the same kind and object."""
    found: dict[tuple[str, str], StateRecord] = {}
    for record in records:
        if record.key in found:
            return UnknownState(f"two records have the kind {record.kind} and the object {record.object!r}")
        found[record.key] = record
    return AppState(found)
