from __future__ import annotations

import pytest

from garabench.device.free_space import parse_free
from garabench.interruptions.capabilities import (
    ActivityQuery,
    Capabilities,
    unresolved_in,
)

STORE = ActivityQuery("android.intent.action.VIEW", "market://details?id={app}")
WIFI = ActivityQuery("android.settings.WIFI_SETTINGS")
SAVER = ActivityQuery("android.settings.BATTERY_SAVER_SETTINGS")
DETAILS = ActivityQuery("android.settings.APPLICATION_DETAILS_SETTINGS", "package:{app}")

# Android 4.4.2: AOSP IntentResolver.dump and PackageManagerService.ActivityIntentResolver.dumpFilter
DUMP = """\
Receiver Resolver Table:
  Schemes:
      market:
        41a0c2d8 com.other/.Receiver filter 41b1c2e0

Activity Resolver Table:
  Full MIME Types:
      text/plain:
        426b1c08 com.android.mms/.ui.ComposeMessageActivity filter 426b1d10

  Schemes:
      http:
        426a9e58 com.android.browser/.BrowserActivity filter 426aa0b8
      market:
        4269f2a0 com.android.vending/com.google.android.finsky.MarketActivity filter 4269f3b0
      package:
        42711e20 com.android.settings/.applications.InstalledAppDetails filter 42712000

  Non-Data Actions:
      android.settings.WIFI_SETTINGS:
        42702a40 com.android.settings/.Settings$WifiSettingsActivity filter 42702b58

Service Resolver Table:
  Non-Data Actions:
      android.settings.BATTERY_SAVER_SETTINGS:
        42702a40 com.android.settings/.Service filter 42702b58
"""
ENABLED = frozenset({"com.android.settings", "com.android.vending", "com.other"})


@pytest.mark.parametrize(
    ("dump", "packages", "unresolved"),
    [
        (DUMP, ENABLED, {SAVER}),
        (DUMP, ENABLED - {"com.android.vending"}, {SAVER, STORE}),
        (DUMP, frozenset({"com.android.vending"}), {SAVER, WIFI, DETAILS}),
        (DUMP.replace("\n", "\r\n").replace("\r\n", "\n"), ENABLED, {SAVER}),
        ("Activity Resolver Table:\n", ENABLED, {SAVER, STORE, WIFI, DETAILS}),
        ("", frozenset(), set()),
        ("Unable to find package: resolvers\n", ENABLED, set()),
    ],
)
def test_an_intent_is_answered_by_an_enabled_app_in_the_activities_table(
    dump: str, packages: frozenset[str], unresolved: set[ActivityQuery]
) -> None:
    assert unresolved_in(dump, [STORE, WIFI, SAVER, DETAILS], packages) == unresolved


TOOLBOX = """\
Filesystem               Size     Used     Free   Blksize
/data                {free}   300.0M     {free}   4096
"""
TOYBOX = """\
Filesystem     1K-blocks     Used Available Use% Mounted on
/dev/block/dm-5 112345678 62000000  50345678  56% /data
"""


@pytest.mark.parametrize(
    ("output", "free"),
    [
        (TOYBOX, 50345678 * 1024),
        (TOOLBOX.format(free="1.2G"), round(1.2 * 1024**3)),
        (TOOLBOX.format(free="12.5M"), round(12.5 * 1024**2)),
        (TOOLBOX.format(free="840.0K"), 840 * 1024),
        ("Filesystem Size Used Avail Use% Mounted on\n/dev/x 100G 50G 50G 50% /data\n", 50 * 1024**3),
        ("", None),
        ("df: not found\n", None),
        ("Filesystem Size Used Free Blksize\n/data: Permission denied\n", None),
    ],
)
def test_free_space_is_read_in_every_form_of_df(output: str, free: int | None) -> None:
    assert parse_free(output) == free


def test_a_device_whose_features_are_unknown_may_have_wifi() -> None:
    def wifi(features: frozenset[str] | None) -> bool:
        return Capabilities("s", 34, frozenset(), features=features).wifi

    assert wifi(None)
    assert wifi(frozenset({"android.hardware.wifi"}))
    assert not wifi(frozenset({"android.hardware.camera"}))
