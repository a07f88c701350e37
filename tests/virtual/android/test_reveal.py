"""A field that the keyboard would cover is scrolled into view."""

from __future__ import annotations

from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.kit.framework import Activity, App, Intent
from garabench.virtual.ui import widgets as w
from garabench.virtual.ui.scene import PlacedNode

PACKAGE = "toy.form"


class Form(Activity):
    def build(self) -> w.Widget:
        fields = [w.TextField(id=f"field_{number}", height=60) for number in range(20)]
        return w.ScrollView(id="form", width=w.MATCH, height=w.MATCH, children=fields)


def field(phone: Phone, number: int) -> PlacedNode:
    window = phone.scene().focus
    assert window is not None
    wanted = f"{PACKAGE}:id/field_{number}"
    return next(node for node in window.root.walk() if node.resource_id == wanted)


def opened() -> Phone:
    app = App(PACKAGE, {"zh": "f", "en": "f"}, {f"{PACKAGE}.Form": Form}, launcher=f"{PACKAGE}.Form")
    phone = Phone(Profile.parse("android-34:1080x2400"), apps=[app], strict=True)
    phone.activities.start(Intent(package=PACKAGE, activity=f"{PACKAGE}.Form"))
    return phone


def touch(phone: Phone, number: int) -> None:
    at = field(phone, number).visible.center
    phone.input.tap(at.x, at.y)


def test_a_field_behind_the_keyboard_is_scrolled_into_view() -> None:
    phone = opened()
    touch(phone, 11)
    node = field(phone, 11)
    assert phone.ime.shown
    assert node.focused
    assert node.visible == node.bounds
    phone.ime.commit_text("a")


def test_a_field_above_the_keyboard_does_not_scroll() -> None:
    phone = opened()
    before = field(phone, 1).bounds
    touch(phone, 1)
    assert field(phone, 1).bounds == before


def test_scrolling_is_free_after_the_reveal() -> None:
    phone = opened()
    touch(phone, 11)
    shown = field(phone, 11).bounds
    phone.input.swipe(500, 300, 500, 900, 400)
    assert field(phone, 11).bounds != shown
