"""Every app of the virtual phone offers all of its user data."""

from __future__ import annotations

import copy
import importlib
from collections.abc import Mapping
from typing import Any

import pytest

from garabench.core.app_state import StateRecord
from garabench.virtual.apps.catalog import installed_apps
from garabench.virtual.kit.framework import App
from tests.cases import every_case
from tests.virtual.apps.driver import Driver
from tests.virtual.apps.fake_phone import FakeContext

APPS = {app.package: app for app in installed_apps() if app.state is not None}
_MAY_LACK = {"org.garabench.interruptions", "org.garabench.board"}
AT = "2024-05-20T10:00:00+08:00"
SAMPLES: Mapping[str, Any] = {
    "tv.danmaku.bili/comments": {"BV1": [{"text": "好", "at": AT}, {"text": "好", "at": AT}]},
    "tv.danmaku.bili/danmaku": {"BV1": ["好", "好"]},
    "com.sina.weibo/posts": [
        {"id": "own-1", "text": "早", "place": "", "visibility": "公开", "pics": 0, "of": ""},
        {"id": "own-2", "text": "早", "place": "", "visibility": "公开", "pics": 0, "of": "mus-cup"},
    ],
    "com.sina.weibo/comments": {"mus-cup": [{"id": "own-1", "text": "好", "at": AT, "to": ""}]},
    "com.sina.weibo/notify": {"lin_friend": {"mode": "分类型", "kinds": ["视频"]}},
    "ctrip.android.view/chats": {"service": [{"own": True, "text": "你好"}]},
    "com.autonavi.minimap/notes": {"sh8bc3c3dc": "好地方"},
    "com.google.android.apps.maps/sharing": [["Ana", "1 hour"]],
    "com.facebook.katana/friends": {"theo": "removed"},
    "com.facebook.katana/comments": {"theo-move": ["Nice", "Nice"]},
    "com.facebook.katana/posts": [{"id": "own-0", "text": "Hi", "audience": "Public"}],
    "com.facebook.katana/chats": {"theo": ["Hi"]},
    "com.facebook.katana/groups": {"sourdough": "pending"},
    "com.facebook.katana/answers": {"bakers": "rye"},
    "com.android.dialer/calls": [{"number": "110", "at": AT}, {"number": "110", "at": AT}],
    "com.android.vending/stars": {"tv.danmaku.bili": 3},
}
"""Data that is empty at first, by package and key; other lists get a name, other mappings a value."""


def records(app: App, data: dict[str, Any] | None = None, lang: str = "zh") -> tuple[StateRecord, ...]:
    context = FakeContext(app, lang=lang)
    if data is not None:
        context.data = data
    assert app.state is not None
    return tuple(app.state(context))


def without_texts(found: tuple[StateRecord, ...]) -> set[str]:
    return {record.model_dump_json(exclude={"text"}) for record in found}


def not_offered(app: App) -> frozenset[str]:
    module = importlib.import_module(app.state.__module__)
    return frozenset(getattr(module, "NOT_OFFERED", ()))


def altered(app: App, key: str, value: Any) -> Any:
    """Return other data of the same shape."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return f"{value}x"
        case _ if not value and f"{app.package}/{key}" in SAMPLES:
            return SAMPLES[f"{app.package}/{key}"]
        case []:
            return ["something"]
        case dict() if not value:
            return {"something": "x"}
        case list():
            return value[:-1]
        case dict():
            return dict(list(value.items())[:-1])
    raise AssertionError(value)


def test_every_app_offers_its_state() -> None:
    lacking = {app.package for app in installed_apps() if app.state is None}
    assert lacking == _MAY_LACK


@every_case("package", APPS)
def test_records_are_unique_and_have_both_languages(package: str) -> None:
    found = records(APPS[package])
    assert len({record.key for record in found}) == len(found)
    assert all(set(record.text) == {"zh", "en"} and all(record.text.values()) for record in found)
    assert found == records(APPS[package], lang="en")


@pytest.mark.parametrize(
    ("package", "key"), [(package, key) for package, app in APPS.items() for key in app.initial_data()]
)
def test_a_change_of_any_data_changes_the_state(package: str, key: str) -> None:
    app = APPS[package]
    data = app.initial_data()
    before = copy.deepcopy(data)
    changed = {**data, key: altered(app, key, data[key])}
    found = records(app, changed)
    assert len({record.key for record in found}) == len(found)
    offered = without_texts(found) != without_texts(records(app, data))
    assert offered is (key not in not_offered(app))
    assert data == before  # reading changes nothing


def test_a_question_about_a_product_is_a_record() -> None:
    app = APPS["com.amazon.mShop.android.shopping"]
    data = app.initial_data()
    data["settings"] = {"asked": {"dune-1": ["Is it thick?", "Is it thick?"]}}
    found = [record.object for record in records(app, data) if record.kind == "question"]
    assert found == ["dune-1/Is it thick?", "dune-1/Is it thick?#2"]


@every_case("package", [package for package, app in APPS.items() if not app.system])
def test_the_state_does_not_change_by_itself(package: str) -> None:
    driver = Driver("android-19:720x1280", APPS[package])
    driver.launch()
    driver.settle()
    app = APPS[package]
    assert app.state is not None
    before = tuple(app.state(driver.phone.make_context(app)))
    for _ in range(12):
        driver.phone.clock.advance(600_000)
        driver.settle()
    assert without_texts(tuple(app.state(driver.phone.make_context(app)))) == without_texts(before)


@every_case("package", [package for package, app in APPS.items() if app.initial_data()])
def test_the_order_of_rows_does_not_matter_to_marks(package: str) -> None:
    app = APPS[package]
    data = app.initial_data()
    for key, value in data.items():
        if isinstance(value, list) and all(isinstance(each, str) for each in value):
            data[key] = value[::-1]
    assert without_texts(records(app, data)) == without_texts(records(app))
