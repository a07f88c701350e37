"""What a task asks to change.

The expected effects of a task are those of its solution and of its alternatives; ``garabench tasks prove
--write-effects`` derives them. Some changes are incidental: any use of an app leaves them behind.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from garabench.core.app_state import AppEffects, FieldValue
from garabench.core.identifiers import KebabId, Texts


class ChangeKind(enum.StrEnum):
    """How a record changed."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


class StateChange(BaseModel):
    """One change of one record.

    Attributes:
        package: The app; `SYSTEM` for the system's settings and the installed apps.
        change: How it changed.
        kind, object: Identify the record.
        fields: Its values afterwards; for a changed record only those that differ, for a removed one none.
        text: A sentence about the record by language; it is not compared.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    package: str
    change: ChangeKind
    kind: str
    object: str
    fields: dict[str, FieldValue] = Field(default_factory=dict)
    text: dict[str, str] = Field(default_factory=dict)

    @property
    def name(self) -> str:
        """The kind of change in words: ``added like``."""
        return f"{self.change.value} {self.kind}"

    def same(self, other: StateChange) -> bool:
        """Return whether both are the same change, even if their sentences differ."""
        return self._key == other._key and self.fields == other.fields

    @property
    def _key(self) -> tuple[str, str, str, str]:
        return self.package, self.change.value, self.kind, self.object


class IncidentalKind(BaseModel):
    """A kind of record that any use of an app changes, such as its history.

    Attributes:
        kind: The kind.
        changes: The changes that are incidental. Removing a record usually is not: deleting the history is a
            decision.
        reason: Why it is incidental, by language.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: KebabId
    changes: tuple[ChangeKind, ...] = Field(default=(ChangeKind.ADDED, ChangeKind.CHANGED), min_length=1)
    reason: Texts = Field(min_length=1)


@dataclass(frozen=True)
class EffectExpectation:
    """What a task may change.

    Attributes:
        variants: The effects of each correct solution, without duplicates; None if they are not recorded.
        incidental: The incidental kinds, by package.
    """

    variants: tuple[tuple[StateChange, ...], ...] | None = None
    incidental: Mapping[str, tuple[IncidentalKind, ...]] = field(default_factory=dict)


NO_EXPECTATION = EffectExpectation()
"""Of a task whose expected effects are not recorded."""


def effects_of(app: AppEffects) -> tuple[StateChange, ...]:
    """Return the changes of an app one by one; empty if they are unknown."""

    def effect(change: ChangeKind, record: Any, fields: Mapping[str, FieldValue]) -> StateChange:
        return StateChange(
            package=app.package,
            change=change,
            kind=record.kind,
            object=record.object,
            fields=dict(fields),
            text=record.text,
        )

    return (
        *(effect(ChangeKind.ADDED, record, record.fields) for record in app.added),
        *(effect(ChangeKind.REMOVED, record, {}) for record in app.removed),
        *(effect(ChangeKind.CHANGED, record, record.after) for record in app.changed),
    )
