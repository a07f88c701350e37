from __future__ import annotations

import pytest

from garabench.core.app_state import StateRecord
from garabench.effects.state import AppState, UnknownState
from garabench.effects.system import parse_system

OUTPUT = (
    "[system]\nfont_scale=1.0\nscreen_brightness=77\n[secure]\nlocation_mode=3\nandroid_id=12\n"
    "[global]\nlow_power=0\nboot_count=9\n[apps]\npackage:com.a\npackage:com.b\n[end]\n"
)


def test_only_listed_settings_and_the_apps_are_compared() -> None:
    state = parse_system(OUTPUT)
    assert isinstance(state, AppState)
    assert sorted(object_ for _, object_ in state.records) == [
        "com.a",
        "com.b",
        "global/low_power",
        "secure/location_mode",
        "system/font_scale",
    ]
    assert state.records["system-setting", "global/low_power"] == StateRecord(
        kind="system-setting",
        object="global/low_power",
        fields={"value": "0"},
        text={"zh": "省电模式：0", "en": "Battery saver: 0"},
    )


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("", "the device does not list its system settings"),
        ("[system]\nusage: settings\n[secure]\n", "the device does not list its system settings"),
        (OUTPUT.replace("package:com.a\npackage:com.b\n", ""), "the device does not list its apps"),
        (OUTPUT.replace("[end]\n", ""), "the list of settings and apps has no end"),
        (OUTPUT.replace("com.b", "com.a") * 1, None),
    ],
)
def test_a_part_of_the_output_is_unknown(output: str, reason: str | None) -> None:
    state = parse_system(output)
    assert (state.reason if isinstance(state, UnknownState) else None) == reason
