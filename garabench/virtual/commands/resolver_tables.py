"""The resolver tables of ``dumpsys package``: intent filters by type, scheme and action.

Sources: AOSP ``IntentResolver.dump``, ``ComponentResolver.dumpActivityResolvers``, ``IntentFilter.dump``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from garabench.virtual.android.package_manager import filters_of, short_component
from garabench.virtual.android.phone import Phone
from garabench.virtual.commands.identity_hash import identity_hash
from garabench.virtual.kit.framework import App
from garabench.virtual.kit.intent_filter import IntentFilter

Keys = Callable[[IntentFilter], Iterable[str]]
_RECEIVER = "Receiver"
"""Class of every simulated app's broadcast receiver."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A component with one of its filters."""

    component: str
    filter: IntentFilter


def of_package(app: App) -> str:
    """Return the tables of one app, with the properties of each filter; empty for an app without filters."""
    activities = _table("Activity", list(_activities(app)), properties=True)
    return activities + _table("Receiver", list(_receivers(app)), properties=True)


def of_phone(phone: Phone) -> str:
    """Return the tables of all apps, also of disabled ones."""
    apps = [installed.app for installed in phone.packages.all()]
    activities = [entry for app in apps for entry in _activities(app)]
    receivers = [entry for app in apps for entry in _receivers(app)]
    return _table("Activity", activities, properties=False) + _table("Receiver", receivers, properties=False)


def _activities(app: App) -> Iterator[_Entry]:
    for name in app.activities:
        for entry in filters_of(app, name):
            yield _Entry(short_component(app.package, name), entry)


def _receivers(app: App) -> Iterator[_Entry]:
    for action in app.receivers:
        yield _Entry(f"{app.package}/.{_RECEIVER}", IntentFilter((action,), ()))


def _table(kind: str, entries: list[_Entry], *, properties: bool) -> str:
    """Return a table with its sections; a filter stands in each section that an intent could find it by."""
    sections: Mapping[str, Mapping[str, list[_Entry]]] = {
        "Full MIME Types": _by_key(entries, _full_types),
        "Wild MIME Types": _by_key(entries, _wild_types),
        "Schemes": _by_key(entries, lambda entry: entry.schemes),
        "Non-Data Actions": _by_key(entries, lambda e: () if e.types or e.schemes else e.actions),
        "MIME Typed Actions": _by_key(entries, lambda entry: entry.actions if entry.types else ()),
    }
    parts = [
        f"  {title}:\n" + "".join(_rows(key, found, properties=properties) for key, found in rows.items())
        for title, rows in sections.items()
        if rows
    ]
    return f"{kind} Resolver Table:\n" + "\n".join(parts) + "\n" if parts else ""


def _by_key(entries: list[_Entry], keys: Keys) -> Mapping[str, list[_Entry]]:
    found: dict[str, list[_Entry]] = {}
    for entry in entries:
        for key in keys(entry.filter):
            found.setdefault(key, []).append(entry)
    return found


def _full_types(entry: IntentFilter) -> Iterable[str]:
    return [each for each in entry.types if not each.endswith("/*")]


def _wild_types(entry: IntentFilter) -> Iterable[str]:
    return [each.removesuffix("/*") for each in entry.types if each.endswith("/*")]


def _rows(key: str, entries: list[_Entry], *, properties: bool) -> str:
    return f"      {key}:\n" + "".join(_row(entry, properties=properties) for entry in entries)


def _row(entry: _Entry, *, properties: bool) -> str:
    head = f"        {identity_hash('activity', entry.component)} {entry.component}"
    if not properties:
        return f"{head}\n"
    shown = entry.filter
    lines = [f'Action: "{each}"' for each in shown.actions]
    lines += [f'Category: "{each}"' for each in shown.categories]
    lines += [f'Scheme: "{each}"' for each in shown.schemes]
    lines += [f'Ssp: "{each}"' for each in shown.ssps]
    lines += [f'Authority: "{each.host}": {each.port or -1}' for each in shown.authorities]
    lines += [f'Path: "{each}"' for each in shown.paths]
    lines += [f'StaticType: "{each}"' for each in shown.types]
    lines += [f"mPriority={shown.priority}, mOrder=0"] if shown.priority else []
    lines += ["AutoVerify=true"] if shown.verified else []
    named = f"{head} filter {identity_hash(entry.component, *shown.actions, *shown.schemes)}\n"
    return named + "".join(f"          {line}\n" for line in lines)
