"""The state of an app as typed records, and how it changed during an episode."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

FieldValue = bool | int | float | str | tuple[str, ...] | None
"""A value in a record's fields."""

SYSTEM = "android"
"""The package under which the system's settings and the installed apps are recorded."""


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class StateRecord(_Value):
    """One item of the user's data: a like, a line of the cart, a message.

    Attributes:
        kind: What it is, such as ``like``.
        object: Identifies it among the records of its kind, independently of language and time.
        fields: Its values by name, such as the quantity.
        text: A sentence about it by language.
    """

    kind: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=64)
    object: str = Field(min_length=1, max_length=500)
    fields: dict[str, FieldValue] = Field(default_factory=dict)
    text: dict[str, str] = Field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str]:
        """Its kind and object, which occur once in a state."""
        return self.kind, self.object


class ChangedRecord(_Value):
    """A record whose fields changed.

    Attributes:
        kind, object: Identify the record.
        before, after: The values of the fields that differ; a missing field is left out.
        text: The sentence about it afterwards, by language.
    """

    kind: str
    object: str
    before: dict[str, FieldValue] = Field(default_factory=dict)
    after: dict[str, FieldValue] = Field(default_factory=dict)
    text: dict[str, str] = Field(default_factory=dict)


class AppEffects(_Value):
    """How the state of one app changed during an episode.

    Attributes:
        package: The app; `SYSTEM` for the system's settings and the installed apps.
        unknown: Why the changes are unknown; empty if they are known.
        added, removed, changed: The changes; empty if unknown.
    """

    package: str
    unknown: str = ""
    added: tuple[StateRecord, ...] = ()
    removed: tuple[StateRecord, ...] = ()
    changed: tuple[ChangedRecord, ...] = ()

    @property
    def known(self) -> bool:
        """Whether the changes are known."""
        return not self.unknown

    @property
    def none(self) -> bool:
        """Whether it is known that nothing changed."""
        return self.known and not (self.added or self.removed or self.changed)


class EpisodeEffects(_Value):
    """What an episode changed.

    Attributes:
        apps: The changes by app, the system first.
        unknown: Why nothing is known of any app; empty if `apps` is complete.
    """

    apps: tuple[AppEffects, ...] = ()
    unknown: str = ""

    def app(self, package: str) -> AppEffects:
        """Return the changes of an app; unknown if its state was not read."""
        found = next((each for each in self.apps if each.package == package), None)
        return found or AppEffects(package=package, unknown=self.unknown or "its state was not read")
