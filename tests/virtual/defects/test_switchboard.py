"""Each kind of defect breaks what it says, and a phone without it works."""

from __future__ import annotations

import pytest

from garabench.errors import InputError
from garabench.virtual.adb.auth import KeyStore
from garabench.virtual.android.phone import Phone
from garabench.virtual.control import PhoneControl
from garabench.virtual.defects.defect import Defect, DefectKind
from garabench.virtual.defects.defect_table import defect_table
from tests.virtual.android.toys import LOCATION, focus_title, nodes, tap
from tests.virtual.defects.shop import SHOP, Shop, break_shop, data, open_shop, shop
from tests.virtual.shell.harness import on_phone

LEMON = {"id": "lemon"}
SORRY = {"zh": "服务繁忙", "en": "Busy"}


@pytest.fixture
def phone() -> Phone:
    return shop()


def basket(phone: Phone) -> object:
    return data(phone)["basket"]


def buy(phone: Phone, text: str) -> None:
    tap(phone, text=text)


def screen(phone: Phone) -> Shop:
    record = phone.activities.resumed
    assert record is not None and isinstance(record.activity, Shop)
    return record.activity


def type_query(phone: Phone, text: str) -> None:
    tap(phone, resource_id=f"{SHOP}:id/query")
    phone.ime.commit_text(text)
    phone.ime.perform_editor_action()


def test_without_defects_the_shop_works(phone: Phone) -> None:
    buy(phone, "lemon")
    buy(phone, "pear")
    type_query(phone, "melon")
    assert basket(phone) == ["lemon", "pear"]
    assert screen(phone).searched == "melon"
    tap(phone, text="basket")
    assert nodes(phone, text="the basket")


def test_a_dead_control_does_not_react_and_others_do(phone: Phone) -> None:
    break_shop(phone, kind="dead", at=LEMON)
    buy(phone, "lemon")
    buy(phone, "lime")
    assert basket(phone) == ["lime"]


def test_a_press_on_an_unclickable_target_is_handled_by_the_card_around_it(phone: Phone) -> None:
    break_shop(phone, kind="dead", at={"id": "name", "text": "^pear$"})
    buy(phone, "pear")
    buy(phone, "plum")
    assert basket(phone) == ["plum"]


def test_a_row_with_the_handler_of_its_switch_is_broken_with_it(phone: Phone) -> None:
    def press(target: str) -> object:
        tap(phone, resource_id=f"{SHOP}:id/{target}")
        return data(phone)["dark"]

    assert (press("sound_row"), press("sound")) == (True, False)
    break_shop(phone, kind="dead", at={"id": "sound"})
    assert (press("sound_row"), press("sound")) == (False, False)
    assert press("dark") is True


def test_a_slow_control_reacts_late(phone: Phone) -> None:
    break_shop(phone, kind="slow", at=LEMON, ms=5000)
    buy(phone, "lemon")
    phone.clock.advance(4000)
    assert basket(phone) == []
    phone.clock.advance(1000)
    assert basket(phone) == ["lemon"]


def test_a_slow_control_does_not_react_once_its_app_is_in_the_background(phone: Phone) -> None:
    break_shop(phone, kind="slow", at=LEMON, ms=5000)
    buy(phone, "lemon")
    phone.activities.home()
    phone.clock.advance(6000)
    assert basket(phone) == []


def test_a_crash_ends_the_app_and_its_log_does_not_name_the_defect(phone: Phone) -> None:
    break_shop(phone, kind="crash", at=LEMON)
    buy(phone, "lemon")
    assert focus_title(phone) == f"Application Error: {SHOP}"
    written = " ".join(entry.message for entry in phone.logcat.read())
    assert "NullPointerException" in written
    assert "defect" not in written.lower() and "broken" not in written


def test_a_notice_replaces_the_action(phone: Phone) -> None:
    break_shop(phone, kind="notice", at=LEMON, text=SORRY)
    buy(phone, "lemon")
    assert basket(phone) == []
    assert phone.windows.last_toast == ("服务繁忙", SHOP)


def test_an_unsaved_change_is_lost_at_once_later_or_when_the_screen_is_left(phone: Phone) -> None:
    break_shop(phone, kind="unsaved", at=LEMON)
    buy(phone, "lemon")
    assert basket(phone) == []
    break_shop(phone, kind="unsaved", at=LEMON, ms=500)
    buy(phone, "lemon")
    assert basket(phone) == ["lemon"]
    phone.clock.advance(500)
    assert basket(phone) == []
    break_shop(phone, kind="unsaved", at={"id": "dark"}, on_leave=True)
    tap(phone, resource_id=f"{SHOP}:id/dark")
    buy(phone, "lime")
    assert data(phone) == {"basket": ["lime"], "dark": True}
    phone.press_home()
    assert data(phone) == {"basket": ["lime"], "dark": False}


@pytest.mark.parametrize(
    ("at", "pressed", "bought"),
    [
        ({"id": "name"}, "apple", "plum"),
        ({"id": "name"}, "plum", "plum"),
        ({"text": "^(lemon|lime)$"}, "lemon", "lime"),
        ({"text": "^(lemon|lime)$"}, "lime", "lime"),
    ],
)
def test_a_wrong_item_is_the_last_of_its_kind(
    phone: Phone, at: dict[str, str], pressed: str, bought: str
) -> None:
    break_shop(phone, kind="wrong-item", at=at)
    buy(phone, pressed)
    assert basket(phone) == [bought]


def test_controls_are_disabled_hidden_labelled_and_shown_in_another_state(phone: Phone) -> None:
    break_shop(phone, kind="disabled", at=LEMON)
    buy(phone, "lemon")
    assert basket(phone) == []
    assert not nodes(phone, text="lemon")[0][1].enabled
    break_shop(phone, kind="hidden", at=LEMON)
    assert not nodes(phone, text="lemon")
    break_shop(phone, kind="label", at=LEMON, text={"zh": "橙", "en": "orange"})
    assert nodes(phone, text="橙")
    break_shop(phone, kind="shows", at={"id": "dark"}, attributes={"checked": True})
    assert nodes(phone, resource_id=f"{SHOP}:id/dark")[0][1].widget.checked
    assert data(phone)["dark"] is False


def test_fields_drop_or_cut_what_is_typed_or_ignore_the_action_key(phone: Phone) -> None:
    break_shop(phone, kind="mute-field", at={"id": "query"})
    type_query(phone, "melon")
    assert screen(phone).query == ""
    break_shop(phone, kind="cut-text", at={"id": "query"}, length=2)
    type_query(phone, "melon")
    assert (screen(phone).query, screen(phone).searched) == ("me", "me")
    break_shop(phone, kind="submit-dead", at={"id": "query"})
    type_query(phone, "lon")
    assert (screen(phone).query, screen(phone).searched) == ("melon", "me")


def test_a_list_lacks_an_item_or_never_ends_loading(phone: Phone) -> None:
    break_shop(phone, kind="missing", at={"id": "item", "has": "pear"})
    assert not nodes(phone, text="pear") and nodes(phone, text="plum")
    buy(phone, "plum")
    assert basket(phone) == ["plum"]
    break_shop(phone, kind="endless", at={"id": "fruit"})
    assert nodes(phone, cls="android.widget.ProgressBar") and not nodes(phone, text="plum")
    break_shop(phone, kind="endless", activity="Shop")
    assert not nodes(phone, text="lemon")


def test_screens_crash_or_do_not_open(phone: Phone) -> None:
    break_shop(phone, kind="no-open", activity="Basket")
    tap(phone, text="basket")
    assert nodes(phone, text="lemon")
    break_shop(phone, kind="crash-screen", activity="Basket")
    tap(phone, text="basket")
    phone.scene()
    assert focus_title(phone) == f"Application Error: {SHOP}"


def test_back_is_dead_or_leaves_the_app(phone: Phone) -> None:
    tap(phone, text="basket")
    break_shop(phone, kind="back-dead", activity="Basket")
    phone.press_back()
    assert nodes(phone, text="the basket")
    break_shop(phone, kind="back-exits", activity="Basket")
    phone.press_back()
    assert nodes(phone, text="home")


def test_the_keyboard_covers_the_screen_and_stays(phone: Phone) -> None:
    def bottom() -> int:
        return next(window.bounds.bottom for window in phone.scene().windows if window.package == SHOP)

    full = bottom()
    tap(phone, resource_id=f"{SHOP}:id/query")
    assert bottom() < full
    break_shop(phone, kind="covered", sticky=True)
    assert bottom() == full
    phone.press_back()
    assert phone.ime.shown
    phone.press_home()
    open_shop(phone)
    phone.scene()
    assert phone.ime.shown
    break_shop(phone, kind="covered")
    phone.press_back()
    assert not phone.ime.shown


def test_a_permission_is_requested_again_after_it_was_granted(phone: Phone) -> None:
    break_shop(phone, kind="permission-loop", permission=LOCATION)
    for _ in range(3):
        assert nodes(phone, text="仅在使用该应用时允许")
        tap(phone, text="仅在使用该应用时允许")


def test_an_app_without_servers_is_offline_alone(phone: Phone) -> None:
    assert nodes(phone, text="online True")
    break_shop(phone, kind="offline")
    assert nodes(phone, text="online False")
    assert phone.network.online


def test_a_flaky_defect_draws_by_the_seed_and_goes_on_after_a_reset() -> None:
    def attempts(seed: int, *, reset: bool) -> list[bool]:
        phone = shop(seed=seed)
        break_shop(phone, kind="dead", at=LEMON, rate=0.5, impact="flaky")
        found = []
        for _ in range(12):
            before = basket(phone)
            before = list(before) if isinstance(before, list) else []
            buy(phone, "lemon")
            found.append(basket(phone) == before)
            if reset:
                phone.reset()
                open_shop(phone)
        return found

    first = attempts(1, reset=False)
    assert set(first) == {True, False}
    assert attempts(1, reset=False) == attempts(1, reset=True) == first
    assert attempts(2, reset=False) != first


def test_defects_survive_snapshots_and_are_switched_by_the_control(phone: Phone) -> None:
    control = PhoneControl(phone, KeyStore())
    control.execute("defect", {"name": "bili-like-dead", "on": True})
    control.execute("defect", {"name": "jd-cart-settle-flaky", "on": True, "rate": 1})
    control.execute("save", {"name": "here"})
    control.execute("restore", {"name": "here"})
    control.execute("reset", {})
    assert phone.defects.active == ("bili-like-dead", "jd-cart-settle-flaky")
    control.execute("defect", {"name": "bili-like-dead", "on": False})
    assert phone.defects.active == ("jd-cart-settle-flaky",)
    with pytest.raises(InputError, match="unknown defect"):
        control.execute("defect", {"name": "bili-like-dea", "on": True})
    with pytest.raises(InputError, match="rate"):
        control.execute("defect", {"name": "bili-like-dead", "on": True, "rate": 2})


def test_the_table_has_enough_defects_of_every_app_and_of_most_kinds() -> None:
    table = defect_table()
    assert len(table) >= 40
    assert len({defect.app for defect in table.values()}) >= 9
    assert len({defect.kind for defect in table.values()}) >= 15
    assert len({(defect.app, defect.symptom) for defect in table.values()}) == len(table)


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "dead"},
        {"kind": "no-open", "at": LEMON},
        {"kind": "slow", "at": LEMON},
        {"kind": "notice", "at": LEMON, "text": {"zh": "无"}},
        {"kind": "dead", "at": LEMON, "rate": 0.5},
        {"kind": "dead", "at": LEMON, "workaround": {"task": "t", "steps": ["back"]}},
        {"kind": "dead", "at": {"text": "("}},
        {"kind": "dead", "at": {}},
    ],
)
def test_incomplete_defects_are_refused(fields: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        Defect.model_validate({"id": "x", "app": SHOP, "symptom": "It fails.", **fields})


def test_every_kind_is_tested_here() -> None:
    assert len(DefectKind) == 22


def test_nothing_on_the_wire_names_a_defect(phone: Phone) -> None:
    for name in phone.defects.known():
        phone.defects.enable(name)
    break_shop(phone, kind="crash", at=LEMON)
    buy(phone, "lemon")
    lines = ("getprop", "dumpsys", "logcat -d", "ps -A", "settings list system", "uiautomator dump /dev/tty")
    written = "\n".join(on_phone(line, phone=phone)[0] for line in lines)
    assert SHOP in written
    assert "defect" not in written.lower()
    assert not [name for name in phone.defects.active if name in written]


def test_a_running_snapshot_keeps_lost_changes_pending_and_lets_draws_go_on(phone: Phone) -> None:
    def attempts(count: int) -> list[bool]:
        found = []
        for _ in range(count):
            before = str(basket(phone))
            buy(phone, "lemon")
            found.append(str(basket(phone)) == before)
        return found

    break_shop(phone, kind="dead", at=LEMON, rate=0.5, impact="flaky")
    straight = attempts(12)
    break_shop(phone, kind="dead", at=LEMON, rate=0.5, impact="flaky")
    first, snapshot = attempts(4), phone.save_running()
    second = attempts(4)
    phone.load_running(snapshot)
    assert [*first, *second, *attempts(4)] == straight

    break_shop(phone, kind="unsaved", at={"id": "dark"}, on_leave=True)
    tap(phone, resource_id=f"{SHOP}:id/dark")
    snapshot = phone.save_running()
    phone.press_home()
    assert data(phone)["dark"] is False
    phone.load_running(snapshot)
    assert phone.defects.active == ("broken",) and data(phone)["dark"] is True
    phone.press_home()
    assert data(phone)["dark"] is False
