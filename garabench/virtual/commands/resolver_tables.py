"""The resolver tables of ``dumpsys package``: intent filters by type, scheme and action.

Sources: AOSP ``IntentResolver.dump``, ``ComponentResolver.dumpActivityResolvers``, ``IntentFilter.dump``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from garabench.virtual.android.component_queries import Components, receivers_of, services_of
from garabench.virtual.android.package_manager import InstalledApp, filters_of, short_component
from garabench.virtual.android.phone import Phone
from garabench.virtual.commands.identity_hash import identity_hash
from garabench.virtual.kit.intent_filter import IntentFilter

Keys = Callable[[IntentFilter], Iterable[str]]
KINDS = ("activity", "receiver", "service")
"""The tables by the name that ``dumpsys package resolvers`` gives them, in Android's order."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A component with one of its filters."""

    component: str
    filter: IntentFilter


def of_package(installed: InstalledApp) -> str:
    """Return the tables of one app, with the properties of each filter; empty for an app without filters."""
    return "".join(_table(kind, list(_entries(installed, kind)), properties=True) for kind in KINDS)


def of_phone(phone: Phone, kinds: Iterable[str] = KINDS) -> str:
    """Return the tables of all apps, also of disabled ones.

    Args:
        phone: The phone.
        kinds: The tables to return; others than those of `KINDS` have no entries.
    """
    wanted, apps = frozenset(kinds), phone.packages.all()
    return "".join(
        _table(kind, [entry for each in apps for entry in _entries(each, kind)], properties=False)
        for kind in KINDS
        if kind in wanted
    )


def _entries(installed: InstalledApp, kind: str) -> Iterator[_Entry]:
    app = installed.app
    if kind == "activity":
        for name in app.activities:
            for entry in filters_of(app, name):
                yield _Entry(short_component(app.package, name), entry)
        return
    components: Components = receivers_of if kind == "receiver" else services_of
    for component in components(installed):
        for entry in component.filters:
            yield _Entry(short_component(app.package, component.name), entry)


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
    return f"{kind.title()} Resolver Table:\n" + "\n".join(parts) + "\n" if parts else ""


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
