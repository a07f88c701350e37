from __future__ import annotations

from collections.abc import Mapping

import pytest

from garabench.errors import InputError
from garabench.virtual.adb.auth import AdbKey, KeyStore
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.faults import KNOWN
from garabench.virtual.android.phone import Phone
from garabench.virtual.apps.catalog import installed_apps
from garabench.virtual.control import PhoneControl

ONE_SHOT = {"disconnect", "u2-crash"}
"""Faults that take effect once."""


@pytest.fixture
def phone() -> Phone:
    return Phone(Profile.parse("android-34:720x1280"), apps=installed_apps(), strict=True)


@pytest.fixture
def keys() -> KeyStore:
    return KeyStore()


@pytest.fixture
def control(phone: Phone, keys: KeyStore) -> PhoneControl:
    return PhoneControl(phone, keys)


@pytest.mark.parametrize("name", sorted(set(KNOWN) - ONE_SHOT))
def test_each_fault_is_switched_by_its_name(control: PhoneControl, phone: Phone, name: str) -> None:
    control.execute("fault", {"name": name, "on": True, "params": {"ms": 7}})
    assert phone.faults.active(name) == {"ms": 7}
    control.execute("fault", {"name": name, "on": False})
    assert phone.faults.active(name) is None


@pytest.mark.parametrize("name", sorted(ONE_SHOT))
def test_one_shot_faults_are_off_after_the_call(control: PhoneControl, phone: Phone, name: str) -> None:
    notified: list[tuple[str, bool]] = []
    phone.faults.watch(lambda name, on: notified.append((name, on)))
    control.execute("fault", {"name": name, "on": True})
    assert notified == [(name, True)]
    assert phone.faults.active(name) is None


def test_allow_accepts_waiting_keys(control: PhoneControl, keys: KeyStore) -> None:
    key = AdbKey((1 << 2047) + 1, 3, "me@desk")
    keys.waiting.add(key)
    assert control.waiting == ("me@desk",)
    control.execute("allow", {})
    assert not control.waiting
    assert keys.accepts(key)


def test_language_and_theme_change_the_screen(control: PhoneControl, phone: Phone) -> None:
    before = phone.scene()
    control.execute("language", {"lang": "en"})
    english = phone.scene()
    assert english is not before
    assert phone.lang == "en"
    control.execute("dark", {"on": True})
    assert control.dark
    assert phone.scene() is not english
    control.execute("reset", {})
    assert not control.dark


def test_a_snapshot_is_saved_and_restored(control: PhoneControl, phone: Phone) -> None:
    phone.settings.put("system", "mark", "1")
    control.execute("save", {"name": "marked"})
    phone.settings.delete("system", "mark")
    control.execute("save", {"name": "bare"})
    assert control.snapshots == ("bare", "marked")
    control.execute("restore", {"name": "marked"})
    assert phone.settings.get("system", "mark") == "1"
    control.execute("restore", {"name": "bare"})
    assert phone.settings.get("system", "mark") is None


@pytest.mark.parametrize(
    ("verb", "values", "message"),
    [
        ("alow", {}, "unknown control command 'alow'"),
        ("fault", {"name": "hangs", "on": True}, "unknown fault 'hangs'"),
        ("fault", {"name": "hangs", "on": False}, "unknown fault 'hangs'"),
        ("fault", {"on": True}, "'name' is missing"),
        ("fault", {"name": "hang", "on": True, "params": [1]}, "must be an object"),
        ("language", {"lang": "de"}, "language is zh or en"),
        ("language", {"lang": 1}, "'lang' is missing or not a string"),
        ("save", {"name": "A B"}, "is not a valid snapshot name"),
        ("restore", {"name": "first"}, "no snapshot named 'first'"),
    ],
)
def test_invalid_commands_are_rejected(
    control: PhoneControl, verb: str, values: Mapping[str, object], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        control.execute(verb, values)


def test_the_number_of_snapshots_is_limited(control: PhoneControl) -> None:
    for number in range(32):
        control.execute("save", {"name": f"s{number}"})
    control.execute("save", {"name": "s0"})
    with pytest.raises(InputError, match="32 snapshots are already saved"):
        control.execute("save", {"name": "one-more"})


def test_a_reset_preserves_the_seed_unless_given(control: PhoneControl, phone: Phone) -> None:
    for values, seed in (({"seed": 5}, 5), ({}, 5), ({"seed": 0}, 0)):
        control.execute("reset", values)
        assert phone.seed == seed
    for seed in ("1", True, 1.5):
        with pytest.raises(InputError, match="must be an integer"):
            control.execute("reset", {"seed": seed})
