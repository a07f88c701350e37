"""System properties.

Sources: AOSP ``build/make/tools/buildinfo.sh`` and ``init/property_service.cpp`` (names and derived values),
``device/generic/goldfish`` (an emulator's), toolbox ``getprop.cpp`` (its options).
"""

from __future__ import annotations

import re

import pytest

from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.system_properties import build_prop, system_properties
from tests.virtual.shell.harness import on_phone

READ_FIRST = {
    "dev.bootcomplete": "1",
    "gsm.network.type": "LTE",
    "gsm.operator.alpha": "Virtual",
    "gsm.sim.state": "LOADED",
    "init.svc.adbd": "running",
    "init.svc.bootanim": "stopped",
    "init.svc.surfaceflinger": "running",
    "init.svc.zygote": "running",
    "net.bt.name": "Android",
    "persist.sys.locale": "zh-CN",
    "persist.sys.timezone": "Asia/Shanghai",
    "persist.sys.usb.config": "adb",
    "ro.adb.secure": "1",
    "ro.allow.mock.location": "0",
    "ro.baseband": "unknown",
    "ro.boot.flash.locked": "1",
    "ro.boot.hardware": "virtual14",
    "ro.boot.serialno": "GARA34S0",
    "ro.boot.verifiedbootstate": "green",
    "ro.bootloader": "unknown",
    "ro.build.characteristics": "default",
    "ro.build.date.utc": "1696377600",
    "ro.build.description": "virtual14-user 14 GARA 1 release-keys",
    "ro.build.display.id": "GARA",
    "ro.build.fingerprint": "garabench/virtual14/virtual14:14/GARA/1:user/release-keys",
    "ro.build.flavor": "virtual14-user",
    "ro.build.host": "build-host",
    "ro.build.id": "GARA",
    "ro.build.product": "virtual14",
    "ro.build.tags": "release-keys",
    "ro.build.type": "user",
    "ro.build.user": "build-user",
    "ro.build.version.all_codenames": "REL",
    "ro.build.version.base_os": "",
    "ro.build.version.codename": "REL",
    "ro.build.version.incremental": "1",
    "ro.build.version.min_supported_target_sdk": "28",
    "ro.build.version.preview_sdk": "0",
    "ro.build.version.release": "14",
    "ro.build.version.release_or_codename": "14",
    "ro.build.version.sdk": "34",
    "ro.build.version.security_patch": "2023-10-05",
    "ro.crypto.state": "encrypted",
    "ro.debuggable": "0",
    "ro.hardware": "virtual14",
    "ro.kernel.qemu": "",
    "ro.opengles.version": "196610",
    "ro.product.board": "virtual14",
    "ro.product.brand": "garabench",
    "ro.product.cpu.abi": "x86_64",
    "ro.product.cpu.abilist": "x86_64,x86",
    "ro.product.cpu.abilist32": "x86",
    "ro.product.cpu.abilist64": "x86_64",
    "ro.product.device": "virtual14",
    "ro.product.first_api_level": "34",
    "ro.product.locale": "zh-CN",
    "ro.product.manufacturer": "garabench",
    "ro.product.model": "Virtual 14",
    "ro.product.name": "virtual14",
    "ro.product.vendor.model": "Virtual 14",
    "ro.secure": "1",
    "ro.serialno": "GARA34S0",
    "ro.sf.lcd_density": "420",
    "ro.system.build.version.sdk": "34",
    "ro.treble.enabled": "true",
    "ro.vendor.build.fingerprint": "garabench/virtual14/virtual14:14/GARA/1:user/release-keys",
    "ro.zygote": "zygote64_32",
    "service.bootanim.exit": "1",
    "sys.boot_completed": "1",
    "sys.usb.config": "adb",
    "sys.usb.state": "adb",
    "wifi.interface": "wlan0",
}
EMULATOR = {
    "ro.adb.secure": "0",
    "ro.boot.hardware": "ranchu",
    "ro.boot.qemu": "1",
    "ro.boot.qemu.avd_name": "virtual14",
    "ro.build.characteristics": "emulator",
    "ro.build.display.id": "virtual14-userdebug 14 GARA 1 dev-keys",
    "ro.build.fingerprint": "garabench/virtual14/virtual14:14/GARA/1:userdebug/dev-keys",
    "ro.build.tags": "dev-keys",
    "ro.build.type": "userdebug",
    "ro.debuggable": "1",
    "ro.hardware": "ranchu",
    "ro.kernel.qemu": "1",
    "ro.secure": "1",
}


def _read(names: dict[str, str], *, rooted: bool = False) -> dict[str, str]:
    phone = Phone(Profile.parse("android-34"), apps=(), rooted=rooted)
    out = on_phone("\n".join(f"getprop {name}" for name in names), phone=phone)[0]
    return dict(zip(names, out.split("\n"), strict=False))


def test_the_properties_that_clients_read_first() -> None:
    assert _read(READ_FIRST) == READ_FIRST


def test_an_emulator_is_a_debuggable_build_with_its_hardware() -> None:
    assert _read(EMULATOR, rooted=True) == EMULATOR


@pytest.mark.parametrize("name", ["android-19", "android-30", "android-34"])
def test_every_profile_agrees_with_itself(name: str) -> None:
    """``init`` derives plain properties from the partitions', and ``Build.FINGERPRINT`` from parts."""
    profile = Profile.parse(name)
    props = system_properties(Phone(profile, apps=()))
    assert len(props) > 150
    part = "ro.product"
    assert props["ro.build.fingerprint"] == (
        f"{props[f'{part}.brand']}/{props[f'{part}.name']}/{props[f'{part}.device']}:"
        f"{props['ro.build.version.release']}/{props['ro.build.id']}/"
        f"{props['ro.build.version.incremental']}:{props['ro.build.type']}/{props['ro.build.tags']}"
    )
    assert int(props["ro.build.date.utc"]) < Phone(profile, apps=()).clock.wall().timestamp()
    prop_of = dict(
        line.split("=", 1) for line in build_prop(Phone(profile, apps=())).splitlines() if "=" in line
    )
    assert prop_of.items() <= props.items()
    assert props["ro.build.version.sdk"] == prop_of["ro.build.version.sdk"] == str(profile.sdk)


def test_airplane_mode_ends_the_mobile_service() -> None:
    line = "cmd connectivity airplane-mode enable; getprop gsm.operator.alpha; getprop gsm.sim.state"
    assert on_phone(line) == ("\nLOADED\n", "", 0)


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("getprop ro.nope", "\n"),
        ("getprop ro.nope fallback", "fallback\n"),
        ("getprop -T ro.build.version.sdk", "int\n"),
        ("getprop -T ro.treble.enabled", "bool\n"),
        ("getprop -Z ro.build.id", "u:object_r:build_prop:s0\n"),
        ("getprop | grep -c '^\\[ro.build.id\\]: \\[GARA\\]$'", "1\n"),
        ("setprop debug.x 1; getprop debug.x", "1\n"),
    ],
)
def test_getprop(line: str, shown: str) -> None:
    assert on_phone(line) == (shown, "", 0)


def test_the_list_is_sorted_and_well_formed() -> None:
    found = [re.fullmatch(r"\[([\w.\-:]+)\]: \[.*\]", line) for line in on_phone("getprop")[0].splitlines()]
    names = [each[1] for each in found if each]
    assert len(names) == len(found)
    assert names == sorted(names)
