"""The language from the system properties, which depend on the Android version."""

from __future__ import annotations

import pytest

from garabench.core.clock import SystemClock
from garabench.device.device import Device, language_of, parse_props
from tests.phones import PhonePool


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("[persist.sys.locale]: [zh-Hans-CN]\n[ro.product.locale]: [en-US]\n", "zh"),
        ("[persist.sys.locale]: []\n[ro.product.locale]: [fr_FR]\n", "fr"),
        ("[ro.product.locale.language]: [zh]\n[ro.product.locale.region]: [CN]\n", "zh"),
        (
            "[persist.sys.language]: [de]\n[persist.sys.country]: [DE]\n[ro.product.locale.language]: [en]\n",
            "de",
        ),
        ("[ro.product.model]: [One, [two]]\r\n[ro.product.locale.language]: [ja]\r\n", "ja"),
        ("", "en"),
    ],
)
def test_the_language_of_the_user_precedes_that_of_the_build(text: str, language: str) -> None:
    assert language_of(parse_props(text)) == language


def test_values_may_have_brackets() -> None:
    assert parse_props("[ro.product.model]: [One, [two]]\n[a]: []\n") == {
        "ro.product.model": "One, [two]",
        "a": "",
    }


@pytest.mark.parametrize("profile", ["android-19", "android-34"])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_phones_language_is_read(
    phone_pool: PhonePool, adb_server: None, profile: str, language: str
) -> None:
    with phone_pool.borrow(profile) as phone:
        phone.set_language(language)
        with Device.connect(phone.serial, SystemClock()) as device:
            assert device.info.language == language
            properties = device.adb.shell(["getprop"]).stdout
            assert ("persist.sys.locale" in properties) is (profile != "android-19")
