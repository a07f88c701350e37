"""The bundled companion app, its sources and its twin on the virtual phone agree."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from lxml import etree

from garabench.core import companion_app
from garabench.core.interruption import KEYS, Interruption
from garabench.core.interruption import Style as LibraryStyle
from garabench.interruptions import lifecycle
from garabench.virtual.android.apk import Apk, read_apk
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.installer import install_apk
from garabench.virtual.android.phone import Phone
from garabench.virtual.apps.companion import app as twin
from garabench.virtual.apps.companion import notification
from garabench.virtual.apps.companion.event_log import (
    AUTHORITY,
    JOURNAL_LIMIT,
    KILLED,
    PROVIDER,
    UNSAMPLED,
    event_line,
)
from garabench.virtual.apps.companion.illustrations import ILLUSTRATIONS
from garabench.virtual.apps.companion.notification import PERMISSIONS
from garabench.virtual.apps.companion.spec import (
    MAX_ACTIONS,
    MAX_SECONDS,
    OPEN,
    PICTURES,
    CompanionStyle,
    Template,
)
from garabench.virtual.apps.companion.view_factory import DAY, NIGHT, NIGHT_PALETTES, PALETTES
from tests.interruption_apk.build_script import HOME, load_build
from tests.virtual.apps.companion.test_spec import GOOD, encode
from tests.virtual.apps.fake_phone import launch, views
from tests.virtual.shell.harness import on_phone

MAIN = HOME / "app" / "src" / "main"
ANDROID = "{http://schemas.android.com/apk/res/android}"
MAX_BYTES = 200_000


@pytest.fixture(scope="module")
def build() -> ModuleType:
    return load_build()


@pytest.fixture(scope="module")
def facts() -> dict[str, Any]:
    return dict(json.loads((HOME / "built" / "interruptions.json").read_text("utf-8")))


@pytest.fixture(scope="module")
def data() -> bytes:
    return (HOME / "built" / "interruptions.apk").read_bytes()


@pytest.fixture(scope="module")
def apk(data: bytes) -> Apk:
    return read_apk(data)


def parse_resources(file: str) -> etree._Element:
    return etree.parse(MAIN / "res" / file).getroot()


def test_bundled_apk_is_built_from_these_sources(
    build: ModuleType, facts: dict[str, Any], data: bytes
) -> None:
    assert build.sources_digest() == facts["sources_sha256"], "the sources have changed: make apk"
    assert hashlib.sha256(data).hexdigest() == facts["apk_sha256"]
    assert build.contents(build.APK) == facts["contents"]
    assert len(data) < MAX_BYTES


def test_manifests_are_equal(apk: Apk) -> None:
    assert apk.package == twin.APP.package == companion_app.PACKAGE
    assert (apk.version_name, apk.version_code) == (twin.APP.version_name, twin.APP.version_code)
    assert (apk.min_sdk, apk.target_sdk) == (19, twin.APP.target_sdk)
    assert set(apk.permissions) == set(twin.APP.permissions)
    assert not apk.launcher
    assert not twin.APP.launcher
    assert {each.name for each in apk.activities} == set(twin.APP.activities)
    for each in apk.activities:
        assert each.exported
        assert each.launch_mode == twin.APP.activities[each.name].launch_mode
    assert set(apk.label.values()) == set(twin.APP.label.values())


def test_components_require_the_shell_permission() -> None:
    manifest = etree.parse(MAIN / "AndroidManifest.xml").getroot()
    parts = [part for part in manifest.find("application") if isinstance(part.tag, str)]
    assert {part.tag for part in parts} == {"activity", "receiver", "provider"}
    for part in parts:
        guards = [
            part.get(f"{ANDROID}{name}") for name in ("permission", "readPermission", "writePermission")
        ]
        assert [guard for guard in guards if guard], part.get(f"{ANDROID}name")
        assert {guard for guard in guards if guard} == {"android.permission.DUMP"}
    requested = {each.get(f"{ANDROID}name") for each in manifest.findall("uses-permission")}
    assert requested == set(PERMISSIONS), "only what the notification needs"


def test_commands_are_equal() -> None:
    manifest = etree.parse(MAIN / "AndroidManifest.xml").getroot()
    receiver = manifest.find("application/receiver")
    actions = {each.get(f"{ANDROID}name") for each in receiver.iter("action")}
    assert actions == set(twin.APP.receivers)
    assert companion_app.CLOSE_ACTION in actions
    assert f"{companion_app.PACKAGE}/{receiver.get(f'{ANDROID}name')}" == companion_app.COMMANDS
    assert companion_app.NOTIFY[-1] in actions
    assert f"{companion_app.PACKAGE}/{twin.SHOW}" == companion_app.SHOW
    assert f"{companion_app.PACKAGE}/{twin.PROGRESS}" == companion_app.PROGRESS


def test_heads_up_results_and_limits_are_equal() -> None:
    spec, sampled = ((JAVA / name).read_text("utf-8") for name in ("HeadsUpSpec.java", "SampledEvents.java"))
    assert f"MAX_ACTIONS = {MAX_ACTIONS};" in spec
    assert f"MAX_SECONDS = {MAX_SECONDS};" in spec
    assert f'OPEN = "{OPEN}";' in spec
    assert f"UNSAMPLED = {UNSAMPLED};" in sampled
    source = (JAVA / "InterruptionNotification.java").read_text("utf-8")
    for name, value in (
        ("POSTED", notification.POSTED),
        ("OFF", notification.OFF),
        ("NO_HEADS_UP", notification.NO_HEADS_UP),
    ):
        assert f'{name} = "{value}";' in source
    assert f'NO_FULL_SCREEN = "{notification.NO_FULL_SCREEN}";' in source
    assert f'CHANNEL = "{notification.CHANNEL}";' in source
    assert f'KILLED = "{KILLED}";' in (JAVA / "OpenWindows.java").read_text("utf-8")
    assert lifecycle.KILLED == KILLED
    assert companion_app.HEADS_UP[-1] == twin.HEADS_UP


EVENT = re.compile(
    r"""(?<=["'f])(shown|posted|killed|back|wrong|rotated|hidden(?::screen-off)?|resumed|pressed|progress_\w+"""
    r"""|dismissed(?::(?:close|replaced|timeout|destroyed|swiped))?)(?=[:"'])"""
)


def test_reported_events_are_equal() -> None:
    java = "".join((JAVA / name).read_text("utf-8") for name in EVENT_SOURCES)
    folder = Path(twin.__file__).parent
    python = "".join(
        (folder / name).read_text("utf-8") for name in ("app.py", "notification.py", "event_log.py")
    )
    assert {"back", "rotated", "killed", "hidden:screen-off", "posted"} <= set(EVENT.findall(java))
    events = {each.partition(":")[0] for each in EVENT.findall(java)}
    assert events == {each.partition(":")[0] for each in EVENT.findall(python)}


EVENT_SOURCES = (
    "WindowLifecycle.java",
    "Show.java",
    "Progress.java",
    "InterruptionNotification.java",
    "OpenWindows.java",
    "EventLogger.java",
)
JAVA = MAIN / "java" / "org" / "garabench" / "interruptions"


def string_literals(text: str) -> list[str]:
    """Return the string literals of a piece of Java, in order."""
    return [json.loads(each) for each in re.findall(r'"(?:[^"\\]|\\.)*"', text)]


def test_providers_are_equal() -> None:
    manifest = etree.parse(MAIN / "AndroidManifest.xml").getroot()
    provider = manifest.find("application/provider")
    assert dict(twin.APP.providers) == {provider.get(f"{ANDROID}authorities"): PROVIDER}
    assert provider.get(f"{ANDROID}name") == PROVIDER.name
    assert provider.get(f"{ANDROID}readPermission") == PROVIDER.permission
    assert provider.get(f"{ANDROID}writePermission") == PROVIDER.permission
    events = (JAVA / "Events.java").read_text("utf-8")
    assert re.findall(r"new MatrixCursor\(new String\[\] \{(.*)\}\)", events) == ['"event"']
    refusals = re.findall(r"new UnsupportedOperationException\((.*)\)", events)
    assert refusals == [f'"{PROVIDER.read_only}"'] * 3
    assert "LIMIT = 64 * 1024;" in (JAVA / "Journal.java").read_text("utf-8")
    assert JOURNAL_LIMIT == 64 * 1024


@pytest.mark.parametrize("profile", ["android-19", "android-30", "android-34"])
def test_provider_rows_have_the_same_format(profile: str) -> None:
    source = (JAVA / "WireFormat.java").read_text("utf-8")
    (rest,) = re.findall(r"return eventPrefix\(token\) \+ seq \+ (.*);", source)
    (prefix,) = re.findall(r'return ("\{\\"token.*seq.*);', source)
    opening, number = string_literals(prefix)
    between, closing = string_literals(rest)
    line = f'{opening}"t1"{number}1{between}"shown"{closing}'
    assert event_line("t1", 1, "shown") == line

    phone = Phone(Profile.parse(profile), apps=[twin.APP], strict=True)
    spec = encode(GOOD)
    for token in ("t1", "t2"):
        on_phone(f"am start -n {companion_app.SHOW} --es spec {spec} --es token {token}", phone=phone)
    uri = f"content://{AUTHORITY}"
    rows = f"Row: 0 event={line}\nRow: 1 event={event_line('t1', 2, 'dismissed:replaced')}\n"
    on_phone("logcat -c", phone=phone)
    assert on_phone(f"content query --uri {uri}/t1", phone=phone) == (rows, "", 0)
    everything = f"{rows}Row: 2 event={event_line('t2', 1, 'shown')}\n"
    assert on_phone(f"content query --uri {uri}", phone=phone) == (everything, "", 0)
    assert on_phone(f"content query --uri {uri}/t", phone=phone) == ("No result found.\n", "", 0)


def test_event_line_is_escaped_like_android_json() -> None:
    assert event_line("a/b", 7, 'error:"中"\n') == '{"token":"a\\/b","seq":7,"event":"error:\\"中\\"\\n"}'


def test_view_ids_are_equal() -> None:
    declared = {str(item.get("name")) for item in parse_resources("values/ids.xml").iter("item")}
    shown: set[str] = set()
    for template in ("dialog", "full-screen", "bottom-sheet"):
        for style in CompanionStyle:
            spec = (
                GOOD
                | {
                    "template": template,
                    "style": style.value,
                    "progress": 0.5,
                    "buttons": [{"key": key, "label": "x", "role": key} for key in sorted(BUTTON_KEYS)[:6]],
                }
                | ALL_ELEMENTS
            )
            activity, ctx = launch(twin.APP, twin.SHOW, spec=encode(spec), token="t")
            shown |= {view.id for view in views(activity.dialog() or activity.build()) if view.id}
            ctx.pass_ms(2_000)
            shown |= {view.id for view in views(activity.dialog() or activity.build()) if view.id}
    page, _ = launch(twin.APP, twin.PROGRESS, seconds=3, token="t")
    shown |= {view.id for view in views(page.build()) if view.id}
    shown |= {f"button_{key}" for key in BUTTON_KEYS}
    assert shown == declared - {"button"}, "the twin never shows an id, or the APK does not declare it"


BUTTON_KEYS = KEYS - {"solved"}
"""The keys of buttons; the key of a puzzle belongs to its slider."""
ALL_ELEMENTS: dict[str, Any] = {
    "picture": "gift",
    "note": "x",
    "close": {"key": "open", "after": 2},
    "link": {"key": "refresh", "label": "x"},
    "slider": {"key": "solved", "gap": 0.5, "label": "x"},
    "stars": 1,
    "choices": list("abcdef"),
    "fields": [{"hint": "x"}, {"hint": "y"}, {"hint": "z"}],
}


def test_every_button_key_has_an_id() -> None:
    declared = {str(item.get("name")) for item in parse_resources("values/ids.xml").iter("item")}
    assert {name.removeprefix("button_") for name in declared if name.startswith("button_")} == BUTTON_KEYS


def test_illustrations_are_equal() -> None:
    java = (MAIN / "java/org/garabench/interruptions/Illustrations.java").read_text("utf-8")
    found = {
        name: "".join(re.findall(r'"([^"]*)"', literals))
        for name, literals in re.findall(r'all\.put\("([a-z]+)", ([^)]*)\);', java)
    }
    assert found == dict(ILLUSTRATIONS)
    assert set(ILLUSTRATIONS) == PICTURES


def test_texts_and_colours_are_equal() -> None:
    for folder, language in (("values", "en"), ("values-zh", "zh")):
        texts = {
            each.get("name"): each.text for each in parse_resources(f"{folder}/strings.xml").iter("string")
        }
        assert texts["app_name"] == twin.APP.label[language]
        page, _ = launch(twin.APP, twin.PROGRESS, lang=language, seconds=3, token="t")
        shown = {view.id: view.text for view in views(page.build()) if getattr(view, "text", "")}
        assert shown["title"] == texts["updating"]
        assert shown["message"] == texts["closes_by_itself"]
    colours = {each.get("name"): each.text for each in parse_resources("values/colors.xml").iter("color")}
    night = {each.get("name"): each.text for each in parse_resources("values-night/colors.xml").iter("color")}
    for palettes, theme, given in ((PALETTES, DAY, colours), (NIGHT_PALETTES, NIGHT, night)):
        assert set(palettes) == set(CompanionStyle)
        for style, palette in palettes.items():
            name = style.value.replace("-", "_")
            assert given[f"{name}_accent"] == palette.accent
            assert given[f"{name}_tint"] == palette.tint
        for field in dataclasses.fields(theme):
            assert given[field.name] == getattr(theme, field.name)


def test_every_colour_has_a_dark_variant() -> None:
    day, night = (
        {each.get("name"): each.text for each in parse_resources(f"{folder}/colors.xml").iter("color")}
        for folder in ("values", "values-night")
    )
    assert day.keys() == night.keys()
    assert all(day[name] != night[name] for name in day)


@pytest.mark.parametrize("profile", ["android-19", "android-30", "android-34"])
def test_installing_the_apk_installs_the_twin(profile: str, data: bytes) -> None:
    phone = Phone(Profile.parse(profile), apps=[twin.APP], strict=True)
    assert phone.packages.uninstall(companion_app.PACKAGE)
    result = install_apk(phone.packages, data)
    assert str(result) == "Success"
    installed = phone.packages.get(companion_app.PACKAGE)
    assert installed is not None
    assert installed.app.activities == twin.APP.activities
    assert installed.app.receivers == twin.APP.receivers
    assert installed.app.providers == twin.APP.providers


def test_library_and_app_have_the_same_styles_and_templates() -> None:
    assert {each.value for each in LibraryStyle} == {each.value for each in CompanionStyle}
    templates = Interruption.model_json_schema()["properties"]["template"]["enum"]
    assert set(templates) == {each.value for each in Template}
