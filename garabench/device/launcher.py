"""Parse an app's launcher activity from ``dumpsys package APP``, in the form of AOSP's ``IntentResolver``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_TABLE = "Activity Resolver Table:"
_FILTER = re.compile(r"^\s+[0-9a-f]+ (?P<component>[\w.]+/[\w.$]+)(?: filter [0-9a-f]+)?$")
_ACTION = re.compile(r"^\s+(?P<action>[\w.]+):$")
_PROPERTY = re.compile(r'^\s+(?P<kind>Action|Category): "(?P<value>[^"]*)"$')
_DISABLED = re.compile(r"^ *disabledComponents:\n(?P<names>(?: +[\w.$]+\n)+)", re.MULTILINE)
_DISABLED_APP = re.compile(r"^ +User 0:.* enabled=[234]\b", re.MULTILINE)
"""``PackageManager.COMPONENT_ENABLED_STATE_*``: disabled, by the user, until used."""
_LAUNCHER = {"android.intent.action.MAIN", "android.intent.category.LAUNCHER"}


@dataclass(slots=True)
class _Filter:
    """An intent filter of an activity: the action under which it is listed, its actions and categories."""

    component: str
    action: str
    values: set[str] = field(default_factory=set)


def parse_component(text: str, package: str) -> str | None:
    """Return the component of the first enabled launcher activity; None if there is none.

    Args:
        text: Output of ``dumpsys package APP``, which has all intent filters of the app.
        package: The app.
    """
    if _DISABLED_APP.search(text):
        return None
    disabled = {name for found in _DISABLED.finditer(text) for name in found["names"].split()}
    bare = None
    for each in _filters(text):
        owner, _, activity = each.component.partition("/")
        full = owner + activity if activity.startswith(".") else activity
        if owner != package or full in disabled:
            continue
        if each.values >= _LAUNCHER:
            return each.component
        if not each.values and each.action in _LAUNCHER:  # some builds list filters without their properties
            bare = bare or each.component
    return bare


def _filters(text: str) -> Iterator[_Filter]:
    """Parse the filters of the activities; the tables of receivers and services follow them."""
    _, found, rest = text.partition(_TABLE)
    current: _Filter | None = None
    action = ""
    for line in rest.splitlines()[1:] if found else ():
        if line and not line[0].isspace():
            break
        if match := _FILTER.match(line.rstrip()):
            if current is not None:
                yield current
            current = _Filter(match["component"], action)
        elif match := _ACTION.match(line.rstrip()):
            action = match["action"]
        elif current is not None and (match := _PROPERTY.match(line.rstrip())):
            current.values.add(match["value"])
    if current is not None:
        yield current
