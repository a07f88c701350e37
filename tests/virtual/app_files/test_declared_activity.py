"""Declared apps on the phone: touches, state, permissions, dialogs, timers, languages, snapshots."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.core.selector import Selector, find
from garabench.core.tree import UiNode, UiTree, parse_tree
from garabench.virtual.android.content_providers import query_state
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.app_files.app_loader import parse_app, read_app
from garabench.virtual.app_files.app_variables import AppVariables, as_number, as_text
from garabench.virtual.kit.framework import App, Intent
from garabench.virtual.ui.dump import u2_xml

TEA_SHOP = Path(__file__).parents[3] / "docs" / "examples" / "tea-shop" / "apps" / "tea-shop.yaml"
HEAD = "package: org.example.notes\nname: {zh: 便笺, en: Notes}\n"


class Hand:
    """A person who uses an app."""

    def __init__(self, app: App, *, lang: str = "en", strict: bool = True) -> None:
        self.app = app
        self.phone = Phone(Profile.parse("android-34"), apps=(app,), lang=lang, strict=strict)
        self.start()

    def start(self, activity: str = "", **extras: object) -> None:
        name = activity or self.app.launcher
        self.phone.activities.start(Intent(package=self.app.package, activity=name, extras=extras))
        self.phone.clock.advance(300)

    @property
    def tree(self) -> UiTree:
        return parse_tree(u2_xml(self.phone.scene()))

    def find(self, **selector: object) -> UiNode:
        (found,) = find(self.tree, Selector.model_validate(selector))
        return found

    def has(self, **selector: object) -> bool:
        return bool(find(self.tree, Selector.model_validate(selector)))

    def tap(self, **selector: object) -> None:
        center = self.find(**selector).bounds.center
        self.phone.input.tap(center.x, center.y)
        self.phone.clock.advance(500)

    def records(self) -> list[tuple[str, str]]:
        context = self.phone.make_context(self.app)
        assert self.app.state is not None
        return [(each.kind, each.object) for each in self.app.state(context)]


def hand(body: str, **options: bool) -> Hand:
    return Hand(parse_app(HEAD + body, "notes.yaml"), **options)


def test_tea_is_ordered() -> None:
    shop = Hand(read_app(TEA_SHOP))
    shop.tap(text="铁观音")
    shop.tap(id="size_large")
    shop.tap(id="more")
    assert shop.find(id="size_large").selected
    assert shop.find(id="price").text == "¥44"
    shop.tap(id="add_to_cart")
    assert shop.records()[0] == ("cart-line", "oolong L sugar=true")
    shop.tap(id="cart")
    shop.tap(id="order")
    shop.tap(id="confirm_no")
    shop.tap(id="order")
    shop.tap(id="confirm_yes")
    assert shop.find(id="number").text == "Order no. 1"
    assert shop.has(cls="android.widget.ProgressBar")
    shop.phone.clock.advance(2500)
    assert not shop.has(cls="android.widget.ProgressBar")
    shop.tap(id="done")
    shop.tap(id="tab_orders")
    assert shop.find(id="order_total").text == "2 items, ¥44"
    assert ("order", "1") in shop.records()
    shop.phone.activities.force_stop(shop.app.package)
    shop.start()
    shop.tap(id="tab_orders")
    shop.tap(id="cancel")
    assert shop.find(id="order_status").text == "Cancelled"
    shop.phone.reset()
    assert shop.records() == [("setting", "order-updates")]


def test_search_narrows_the_list_in_either_language() -> None:
    shop = Hand(read_app(TEA_SHOP), lang="zh")
    shop.tap(id="search")
    shop.phone.ime.commit_text("观音")
    shop.phone.clock.advance(300)
    assert shop.find(id="tea_title").text == "铁观音"
    shop.phone.lang = "en"
    assert shop.find(id="toolbar_title").text == "Leaf Tea"
    shop.phone.ime.commit_text("?")
    assert shop.has(text="No tea found")


@pytest.mark.parametrize(("answer", "updates"), [("Allow", True), ("Don’t allow", False)])
def test_permission_is_asked_for(answer: str, updates: bool) -> None:
    shop = Hand(read_app(TEA_SHOP))
    shop.start(f"{shop.app.package}.OrderDoneActivity", number=7)
    assert shop.find(id="number").text == "Order no. 7"
    shop.tap(id="notify_me")
    shop.tap(text=answer)
    assert shop.phone.make_context(shop.app).data["state"]["updates"] is updates
    assert bool(shop.phone.notifications.active()) is updates


def test_links_open_their_screen() -> None:
    shop = Hand(read_app(TEA_SHOP))
    shop.phone.activities.start(Intent(action="android.intent.action.VIEW", data="teashop://orders"))
    assert shop.find(id="toolbar_title").text == "Orders"


def test_order_needs_a_network() -> None:
    shop = Hand(read_app(TEA_SHOP))
    shop.tap(text="龙井")
    shop.tap(id="add_to_cart")
    shop.tap(id="cart")
    shop.tap(id="order")
    shop.phone.settings.put("global", "airplane_mode_on", "1")
    for name in ("wifi_on", "mobile_data"):
        shop.phone.settings.put("global", name, "0")
    shop.tap(id="confirm_yes")
    assert ("order", "1") not in shop.records()


def test_running_snapshot_restores_the_screen() -> None:
    shop = Hand(read_app(TEA_SHOP))
    shop.tap(text="龙井")
    saved = shop.phone.save_running()
    shop.tap(id="more")
    shop.phone.load_running(saved)
    assert shop.find(id="quantity").text == "1"


def test_state_is_offered_to_the_shell() -> None:
    shop = Hand(read_app(TEA_SHOP))
    rows = query_state(shop.phone, "org.example.teashop").values
    assert '"kind":"setting"' in rows[1][0]


_INPUTS = """
state: {name: "", on: false, size: s, level: 0}
screens:
  main:
    title: Inputs
    body:
      - field: {var: name, changed: [{change: {name: level, max: 3}}]}
      - switch: {var: on, text: Switch}
      - check: {var: on, text: Check, id: check}
      - options: {var: size, of: [{value: s, text: S}, {value: l, text: L}]}
      - progress: {value: "{level}", id: bar}
      - text: {value: "{name}/{on}/{size}/{level}", id: all}
      - text: {value: "{level:2} {{x}}", id: decimals}
"""


def test_inputs_set_variables() -> None:
    notes = hand(_INPUTS)
    notes.tap(id="name")
    notes.phone.ime.commit_text("tea")
    notes.phone.ime.hide()
    notes.tap(id="check")
    notes.tap(text="L")
    assert notes.find(id="all").text == "tea/true/l/1"
    assert notes.find(id="decimals").text == "1.00 {x}"
    notes.tap(id="on")
    assert not notes.find(id="check").checked


_LOOP = """
screens:
  one: {enter: [{go: two}], body: []}
  two: {resume: [{if: {when: {online: true}, then: [{go: one}]}}], body: []}
"""
_WIDE = """
lists: {rows: {fields: [a]}}
screens:
  main:
    enter: [%s]
    body:
      - text: outside
      - column: {of: [{list: {of: rows, as: x, each: [{list: {of: rows, as: y, each: [{text: "{x.a}"}]}}]}}]}
"""


def test_screens_that_open_each_other_do_not_stop_the_phone() -> None:
    notes = hand(_LOOP)
    assert (focus := notes.phone.scene().focus)
    assert focus.package == notes.app.package


def test_app_with_too_many_widgets_crashes() -> None:
    notes = hand(_WIDE % ", ".join(["{append: {to: rows, row: {a: 1}}}"] * 120), strict=False)
    notes.phone.scene()
    assert "more than 5000 widgets" in "".join(line.message for line in notes.phone.logcat.read())
    assert (focus := notes.phone.scene().focus)
    assert focus.title.startswith("Application Error")


def test_growth_is_bounded() -> None:
    notes = hand("""
state: {text: aaaaaaaaaa, number: 10}
screens:
  main:
    body:
      - button:
          id: grow
          text: Grow
          tap: [{set: {text: "{text}{text}{text}{text}", number: {times: ["{number}", "{number}"]}}}]
""")
    for _ in range(8):
        notes.tap(id="grow")
    state = notes.phone.make_context(notes.app).data["state"]
    assert (len(state["text"]), state["number"]) == (10_000, 10**12)


def test_python_belongs_to_installed_packages() -> None:
    called: list[str] = []
    handlers: dict[str, Callable[[AppVariables], None]] = {
        "double": lambda now: (now.set("n", as_number(now.get("n")) * 2), called.append("double"))[0]
    }
    body = (
        "state: {n: 4}\nscreens: {main: {enter: [{call: double}], body: [{text: {value: '{n}', id: n}}]}}\n"
    )
    notes = Hand(parse_app(HEAD + body, "notes.yaml", handlers))
    assert (notes.find(id="n").text, called) == ("8", ["double"])


@given(st.one_of(st.text(), st.integers(), st.floats(), st.booleans(), st.none(), st.lists(st.integers())))
def test_any_value_is_a_text_and_a_bounded_number(value: object) -> None:
    assert len(as_text(value)) <= 10_000
    assert -(10**12) <= as_number(value) <= 10**12


@pytest.mark.parametrize(("theme", "dark"), [("dark_theme: {background: '#101418'}", True), ("", False)])
def test_a_dark_theme_is_used_in_dark_mode(theme: str, dark: bool) -> None:
    text = (
        f"{HEAD}{theme}\nscreens:\n  main:\n    body: [{{text: Hello}}]\ntheme: {{background: '#F0F1F2'}}\n"
    )
    hand = Hand(parse_app(text, "notes.yaml"))

    def background() -> tuple[int, ...]:
        picture = hand.phone.frame().image.convert("RGB")
        return picture.getpixel((picture.width // 2, picture.height * 3 // 4))

    assert background() == (0xF0, 0xF1, 0xF2)
    hand.phone.settings.put("secure", "ui_night_mode", "2")
    hand.phone.clock.advance(300)
    assert background() == ((0x10, 0x14, 0x18) if dark else (0xF0, 0xF1, 0xF2))
