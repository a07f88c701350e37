"""Settings that GaraBench changed itself."""

from __future__ import annotations

from garabench.core.device_changes import Change, Setting
from garabench.core.device_switches import airplane_switch, wifi_switch
from garabench.device.undo.entry import Scope, UndoEntry
from garabench.effects.harness_changes import changed_settings
from tests.cases import every_case


def entry(change: Change, reading: str, scope: Scope = Scope.EPISODE) -> UndoEntry:
    back, expected = change.undo(reading, 34)
    return UndoEntry(change.subject, "test", scope, back, change.query, expected)


@every_case(
    ("entries", "expected"),
    [
        ([], ()),
        (
            [entry(Setting("global", "low_power", "1"), "0")],
            ("global/low_power", "global/low_power_trigger_level"),
        ),
        ([entry(wifi_switch(on=False), "1")], ("global/wifi_on",)),
        (
            [entry(airplane_switch(on=True), "0")],
            ("global/airplane_mode_on", "global/bluetooth_on", "global/mobile_data", "global/wifi_on"),
        ),
        ([entry(Setting("system", "font_scale", "1.3"), "1.0", Scope.RUN)], ()),
    ],
)
def test_changed_settings(entries: list[UndoEntry], expected: tuple[str, ...]) -> None:
    assert changed_settings(entries) == expected
