from __future__ import annotations

from typing import Any

import pytest

from garabench.virtual.apps.permissions.app import APP, EXTRA_PERMISSION, MANAGE
from garabench.virtual.apps.settings.app_pages import EXTRA_PACKAGE_NAME
from tests.virtual.apps.fake_phone import FakeContext, launch, row, texts, views
from tests.virtual.apps.settings.test_app import BILI, CAMERA, FakePhone


def open_page(lang: str = "zh", **extras: Any) -> tuple[Any, FakeContext, FakePhone]:
    phone = FakePhone()
    page, ctx = launch(APP, MANAGE, lang=lang, system=phone, **{EXTRA_PACKAGE_NAME: BILI.package, **extras})
    return page, ctx, phone


def test_permissions_are_grouped_by_grant() -> None:
    page, ctx, _ = open_page()
    shown = texts(page.build())
    assert shown.index("允许") < shown.index("位置信息") < shown.index("不允许") < shown.index("相机")
    row(page.build(), "相机").on_click()
    assert ctx.opened == [(MANAGE, {"package": BILI.package, EXTRA_PERMISSION: CAMERA})]


@pytest.mark.parametrize("extras", [{}, {EXTRA_PERMISSION: CAMERA}])
def test_pages_in_english(extras: dict[str, str]) -> None:
    page, _, _ = open_page("en", **extras)
    words = "".join(texts(page.build())).replace("哔哩哔哩", "")
    assert words
    assert not [char for char in words if "一" <= char <= "鿿"]


def test_radio_buttons_grant_and_revoke_a_permission() -> None:
    page, _, phone = open_page(**{EXTRA_PERMISSION: CAMERA})
    row(page.build(), "仅在使用该应用时允许").on_click()
    assert CAMERA in phone.granted
    assert [view.checked for view in views(page.build()) if view.id == "android:id/checkbox"] == [True, False]
    row(page.build(), "不允许").on_click()
    assert CAMERA not in phone.granted


def test_an_unknown_app_has_a_page() -> None:
    page, _, _ = open_page(**{EXTRA_PACKAGE_NAME: "no.such.app"})
    assert "未找到此应用" in texts(page.build())
