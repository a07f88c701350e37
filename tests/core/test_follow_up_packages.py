from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from pydantic import ValidationError

from garabench.core.follow_up_packages import named_package, packages_of
from garabench.core.interruption import InterruptionButton
from garabench.core.schemas import suite_schema
from tests.cases import every_case


def button(*steps: dict[str, Any]) -> dict[str, Any]:
    return {"key": "accept", "role": "accept", "label": {"en": "OK"}, "follow_up": list(steps)}


def interruption_file(of: dict[str, Any]) -> dict[str, Any]:
    texts = {"title": {"en": "T"}, "message": {"en": "M"}}
    return {
        "interruptions": [
            {"id": "a", "description": "long enough", "category": "network", **texts, "buttons": [of]}
        ]
    }


@every_case(
    ("text", "package"),
    [
        ("com.other.app", "com.other.app"),
        ("com.other.app/.Main", "com.other.app"),
        ("package:com.other.app", "com.other.app"),
        ("market://details?id=tv.danmaku.bili", "tv.danmaku.bili"),
        ("am force-stop com.other.App2", "com.other.App2"),
        ("/data/data/ctrip.android.view/files", "ctrip.android.view"),
        ("package:com.example", "com.example"),
        ("market://details?id=tv.bili", "tv.bili"),
        ("market://search?q=tv.bili", ""),
        ("{app}", ""),
        ("{app}/.Main", ""),
        ("android.intent.action.VIEW", ""),
        ("android.permission.ACCESS_FINE_LOCATION", ""),
        ("https://www.example.com/a", ""),
        ("10.0.2.2", ""),
        ("/sdcard/screen.png", ""),
        ("force-stop", ""),
    ],
)
def test_packages_are_found_in_a_text(text: str, package: str) -> None:
    assert named_package(text) == package


@every_case(
    ("command", "found"),
    [
        ("am force-stop com.other", [(2, "com.other")]),
        ("/system/bin/pm clear com.other", [(2, "com.other")]),
        ("am start -n com.other/.Main", [(3, "com.other")]),
        ("monkey -p com.other 1", [(2, "com.other")]),
        ("pm grant com.other.app android.permission.CAMERA", [(2, "com.other.app")]),
        ("am start -a example.VIEW -d notes.txt", []),
        ("am start -a example.view", []),
        ("am broadcast --es file notes.txt --ei count 3 com.other", [(8, "com.other")]),
        ("dumpsys battery set level 5", []),
        ("settings put global some.setting 0.5", []),
        ("cat notes.txt", []),
        ("rm /data/data/com.other.app/x", [(1, "com.other.app")]),
        ("setprop debug.layout.bounds true", []),
        ("am force-stop {app}", []),
        ("", []),
    ],
)
def test_packages_are_found_in_a_command(command: str, found: list[tuple[int, str]]) -> None:
    assert list(packages_of(command.split())) == found


@pytest.mark.parametrize(
    ("step", "at"),
    [
        ({"start": {"package": "com.other.app", "activity": ".Main"}}, ("start", "package")),
        ({"start": {"package": "com.android.settings", "activity": ".Settings"}}, ("start", "package")),
        ({"start": {"action": "a.VIEW", "data": "package:com.other.app"}}, ("start", "data")),
        ({"shell": ["am", "force-stop", "com.other.app"]}, ("shell", 2)),
        ({"shell": ["am", "force-stop", "com.other"]}, ("shell", 2)),
        ({"shell": ["sh", "-c", "am force-stop com.other.app"]}, ("shell", 2)),
    ],
)
def test_a_follow_up_with_a_package_is_refused_at_its_location(
    step: dict[str, Any], at: tuple[str | int, ...]
) -> None:
    with pytest.raises(ValidationError, match=r"this names com(\.\w+)+: write \{app\}") as caught:
        InterruptionButton.model_validate(button({"home": None}, step))
    assert caught.value.errors()[0]["loc"] == ("follow_up", 1, *at)


@pytest.mark.parametrize(
    "step",
    [
        {"start": {"package": "{app}", "activity": ".Main"}},
        {"start": {"action": "android.settings.WIFI_SETTINGS"}},
        {"start": {"action": "android.intent.action.VIEW", "data": "package:{app}"}},
        {"shell": ["am", "force-stop", "{app}"]},
        {"shell": ["setprop", "debug.layout.shown", "true"]},
        {"shell": ["input", "keyevent", "4"]},
    ],
)
def test_follow_ups_on_the_tasks_app_are_allowed(step: dict[str, Any]) -> None:
    assert InterruptionButton.model_validate(button(step)).follow_up
    assert jsonschema.Draft202012Validator(suite_schema("interruptions")).is_valid(
        interruption_file(button(step))
    )


def test_the_published_schema_refuses_a_package() -> None:
    step = {"start": {"package": "com.other.app", "activity": ".Main"}}
    assert not jsonschema.Draft202012Validator(suite_schema("interruptions")).is_valid(
        interruption_file(button(step))
    )
