"""The settings that GaraBench itself changed in an episode: by an interruption or by its follow-up."""

from __future__ import annotations

from collections.abc import Iterable

from garabench.device.undo.entry import Scope, UndoEntry

_SETTINGS_GET = ("settings", "get")
_ALSO = {
    "global/airplane_mode_on": ("global/bluetooth_on", "global/mobile_data", "global/wifi_on"),
    "global/low_power": ("global/low_power_trigger_level",),
    "system/user_rotation": ("system/accelerometer_rotation",),
}
"""Settings that Android changes with another one."""
_SETTING_OF_COMMAND = {"uimode": "secure/ui_night_mode"}
"""Settings that a command changes, by a word of the command that reads them."""


def changed_settings(entries: Iterable[UndoEntry]) -> tuple[str, ...]:
    """Return the settings that GaraBench changed, as ``namespace/key``, sorted.

    Args:
        entries: The changes of the undo journal that are not undone yet.
    """
    found: set[str] = set()
    for entry in entries:
        if entry.scope is not Scope.EPISODE:
            continue
        argv = entry.query.argv
        if argv[:2] == _SETTINGS_GET and len(argv) == 4:  # settings get NAMESPACE KEY
            name = f"{argv[2]}/{argv[3]}"
            found |= {name, *_ALSO.get(name, ())}
        found |= {setting for word, setting in _SETTING_OF_COMMAND.items() if word in argv}
    return tuple(sorted(found))
