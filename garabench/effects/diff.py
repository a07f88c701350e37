"""The difference between two states of an app."""

from __future__ import annotations

from garabench.core.app_state import AppEffects, ChangedRecord, FieldValue, StateRecord
from garabench.effects.state import State, UnknownState


def state_changes(package: str, before: State, after: State) -> AppEffects:
    """Return how the state of an app changed, ordered by kind and object.

    Two records with the same kind and object are the same item; it has changed if its fields differ. The
    sentences are not compared.

    Args:
        package: The app.
        before: Its state before; if it is unknown, so are the changes.
        after: Its state afterwards; likewise.
    """
    if isinstance(before, UnknownState):
        return AppEffects(package=package, unknown=f"before the first step: {before.reason}")
    if isinstance(after, UnknownState):
        return AppEffects(package=package, unknown=f"after the last step: {after.reason}")
    old, new = before.records, after.records
    return AppEffects(
        package=package,
        added=tuple(new[key] for key in sorted(new.keys() - old.keys())),
        removed=tuple(old[key] for key in sorted(old.keys() - new.keys())),
        changed=tuple(
            _changed(old[key], new[key])
            for key in sorted(old.keys() & new.keys())
            if not _same(old[key].fields, new[key].fields)
        ),
    )


def _changed(old: StateRecord, new: StateRecord) -> ChangedRecord:
    names = [
        name for name in sorted({*old.fields, *new.fields}) if not _same_value(old.fields, new.fields, name)
    ]
    return ChangedRecord(
        kind=new.kind,
        object=new.object,
        before={name: old.fields[name] for name in names if name in old.fields},
        after={name: new.fields[name] for name in names if name in new.fields},
        text=new.text,
    )


def _same(old: dict[str, FieldValue], new: dict[str, FieldValue]) -> bool:
    return old.keys() == new.keys() and all(_same_value(old, new, name) for name in old)


def _same_value(old: dict[str, FieldValue], new: dict[str, FieldValue], name: str) -> bool:
    if name not in old or name not in new:
        return False
    return old[name] == new[name] and isinstance(old[name], bool) == isinstance(new[name], bool)
