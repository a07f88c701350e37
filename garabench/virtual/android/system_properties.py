"""The system properties: those of the build, and those that the running system sets.

Names and values follow AOSP: ``build/make/tools/buildinfo.sh`` and ``post_process_props.py`` (``ro.build.*``,
``ro.product.*``), ``system/core/init/property_service.cpp`` (the derived ones), ``init`` (``init.svc.*``,
``ro.boottime.*``), ``device/generic/goldfish`` (an emulator's) and ``TelephonyProperties`` (``gsm.*``).
Android 4.4 has the list of `properties_kitkat`.
"""

from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from garabench.virtual.android.device_profile import BUILD_ID, Profile
from garabench.virtual.android.properties_kitkat import PROPERTIES

if TYPE_CHECKING:
    from garabench.virtual.android.phone import Phone

KITKAT = 19
_LOCALE_SDK = 21
"""First API level (Android 5) with ``persist.sys.locale``."""
_PARTITIONS_SDK = 29
"""First API level (Android 10) with a set of product properties for each partition."""
_PARTITIONS = ("odm", "product", "system", "system_ext", "vendor", "vendor_dlkm", "bootimage")
_VENDOR_ONLY = ("vendor_dlkm", "bootimage")
_RELEASE_OR_CODENAME_SDK = 30
OPERATOR, OPERATOR_NUMERIC = "Virtual", "00101"
"""Name and number of the mobile operator: the number is that of test networks (ITU-T E.212)."""


@dataclass(frozen=True, slots=True)
class _Build:
    """What a version's build says about itself.

    Attributes:
        patch: The security patch level.
        built: The build's time, in seconds since 1970.
        target: The lowest target SDK of an app that may be installed, without a warning.
        heap: The largest heap of an app, and that of one with ``largeHeap``, in MiB.
    """

    patch: str
    built: int
    target: int
    heap: tuple[int, int] = (192, 512)


_BUILDS: Mapping[int, _Build] = {
    30: _Build("2020-09-05", 1_599_523_200, 23),
    34: _Build("2023-10-05", 1_696_377_600, 28),
}
_SERVICES = (
    *("adbd", "audioserver", "cameraserver", "drm", "gatekeeperd", "gpu", "installd", "keystore2", "lmkd"),
    *("logd", "media", "mediadrm", "mediaextractor", "mediametrics", "netd", "servicemanager", "statsd"),
    *("hwservicemanager", "storaged", "surfaceflinger", "thermalservice", "tombstoned", "traced"),
    *("traced_probes", "ueventd", "vold", "wificond", "wpa_supplicant", "zygote", "zygote_secondary"),
)
_STOPPED = ("bootanim", "bugreportd", "dumpstatez", "flash_recovery", "traced_perf", "uncrypt", "perfetto")
_KEYSTORE_2_SDK = 31
_FIXED = """\
dalvik.vm.appimageformat=lz4
dalvik.vm.dex2oat-Xms=64m
dalvik.vm.dex2oat-Xmx=512m
dalvik.vm.heapmaxfree=8m
dalvik.vm.heapminfree=512k
dalvik.vm.heapstartsize=8m
dalvik.vm.heaptargetutilization=0.75
dalvik.vm.isa.x86_64.features=default
dalvik.vm.isa.x86_64.variant=x86_64
dalvik.vm.usejit=true
dalvik.vm.usejitprofiles=true
debug.atrace.tags.enableflags=0
debug.force_rtl=false
dev.bootcomplete=1
dev.mnt.blk.data=dm-5
drm.service.enabled=true
gsm.current.phone-type=1
gsm.version.baseband=1.0.0.0
gsm.version.ril-impl=android reference-ril 1.0
keyguard.no_require_sim=true
log.tag.stats_log=I
logd.ready=true
net.bt.name=Android
persist.debug.dalvik.vm.core_platform_api_policy=just-warn
persist.sys.boot.reason.history=reboot,1716169200
persist.sys.dalvik.vm.lib.2=libart.so
persist.sys.displayinset.top=0
persist.sys.usb.config=adb
persist.traced.enable=1
pm.dexopt.bg-dexopt=speed-profile
pm.dexopt.first-boot=verify
pm.dexopt.install=speed-profile
ril.ready=1
ro.actionable_compatible_property.enabled=true
ro.allow.mock.location=0
ro.apex.updatable=true
ro.baseband=unknown
ro.board.platform=
ro.boot.boot_devices=pci0000:00/0000:00:03.0
ro.boot.dynamic_partitions=true
ro.boot.flash.locked=1
ro.boot.vbmeta.device_state=locked
ro.boot.verifiedbootstate=green
ro.bootloader=unknown
ro.bootmode=unknown
ro.build.version.base_os=
ro.build.version.codename=REL
ro.build.version.all_codenames=REL
ro.build.version.preview_sdk=0
ro.build.version.preview_sdk_fingerprint=REL
ro.build.host=build-host
ro.build.user=build-user
ro.build.ab_update=true
ro.carrier=unknown
ro.com.android.dataroaming=true
ro.config.alarm_alert=Alarm_Classic.ogg
ro.config.notification_sound=OnTheHunt.ogg
ro.config.ringtone=Ring_Synth_04.ogg
ro.control_privapp_permissions=enforce
ro.crypto.metadata.enabled=true
ro.crypto.state=encrypted
ro.crypto.type=file
ro.dalvik.vm.native.bridge=0
ro.force.debuggable=0
ro.hwui.use_vulkan=
ro.logd.size=1M
ro.oem_unlock_supported=1
ro.opengles.version=196610
ro.persistent_properties.ready=true
ro.postinstall.fstab.prefix=/system
ro.product.cpu.abi=x86_64
ro.product.cpu.abilist=x86_64,x86
ro.product.cpu.abilist32=x86
ro.product.cpu.abilist64=x86_64
ro.product.locale=zh-CN
ro.property_service.version=2
ro.revision=0
ro.runtime.firstboot=1716169200000
ro.secure=1
ro.setupwizard.mode=DISABLED
ro.storage_manager.enabled=true
ro.surface_flinger.max_frame_buffer_acquired_buffers=3
ro.telephony.default_network=9
ro.treble.enabled=true
ro.vold.forceencryption=0
ro.wifi.channels=
ro.zygote=zygote64_32
security.perf_harden=1
selinux.restorecon_recursive=/data/misc_ce/0
service.bootanim.exit=1
service.bootanim.progress=0
service.sf.present_timestamp=1
sys.boot.reason.last=reboot
sys.boot_completed=1
sys.bootstat.first_boot_completed=1
sys.init.perf_lsm_hooks=1
sys.oem_unlock_allowed=0
sys.rescue_boot_count=1
sys.sysctl.extra_free_kbytes=27337
sys.system_server.start_count=1
sys.usb.config=adb
sys.usb.configfs=1
sys.usb.controller=dummy_udc.0
sys.usb.state=adb
sys.use_memfd=false
sys.user.0.ce_available=true
sys.wifitracing.started=1
telephony.active_modems.max_count=1
tombstoned.max_tombstone_count=50
vold.has_adoptable=1
vold.has_compress=0
vold.has_quota=1
vold.has_reserved=1
wifi.interface=wlan0
wlan.driver.status=ok
"""


@functools.cache
def build_properties(profile: Profile, *, emulator: bool) -> Mapping[str, str]:
    """Return the properties that a build fixes, and those that a booted system has without further changes.

    Args:
        profile: Device profile.
        emulator: Whether it is an emulator's image: a debuggable build with the emulator's hardware.
    """
    product = {
        "ro.build.fingerprint": fingerprint(profile, emulator=emulator),
        "ro.build.version.release": profile.release,
        "ro.build.version.sdk": str(profile.sdk),
        "ro.product.brand": profile.brand,
        "ro.product.device": profile.device,
        "ro.product.manufacturer": profile.brand,
        "ro.product.model": profile.model,
        "ro.product.name": profile.product,
        "ro.sf.lcd_density": str(profile.density),
        "init.svc.bootanim": "stopped",
        "sys.boot_completed": "1",
    }
    hardware = _emulator_hardware(profile) if emulator else {}
    if profile.sdk <= KITKAT:
        # The virtual phone's emulator of Android 4.4 is also a build of type userdebug.
        old = {"ro.product.cpu.abi": "x86"} | hardware | (_type(profile) if emulator else {})
        return {**PROPERTIES, **product, **old}
    fixed = dict(line.split("=", 1) for line in _FIXED.splitlines())
    own = {
        "ro.board.platform": profile.device,
        "ro.hardware": profile.device,
        "ro.boot.hardware": profile.device,
        "ro.product.board": profile.device,
        "ro.build.product": profile.device,
    }
    return {
        **fixed,
        **_services(profile.sdk),
        **_boot_times(profile.sdk),
        **product,
        **_type(profile, "userdebug" if emulator else "user"),
        **_version(profile),
        **_partitions(profile, emulator=emulator),
        **own,
        **hardware,
    }


def fingerprint(profile: Profile, *, emulator: bool) -> str:
    """Return ``ro.build.fingerprint``."""
    name = profile.fingerprint
    return name.replace(":user/release-keys", ":userdebug/dev-keys") if emulator else name


def _type(profile: Profile, kind: str = "userdebug") -> dict[str, str]:
    """Return the properties that depend on the build's type."""
    debug = kind == "userdebug"
    keys = "dev-keys" if debug else "release-keys"
    description = f"{profile.product}-{kind} {profile.release} {BUILD_ID} 1 {keys}"
    return {
        "ro.adb.secure": str(int(not debug)),
        "ro.build.description": description,
        # ``buildinfo.sh`` shows the whole description unless it is a user build
        "ro.build.display.id": description if debug else BUILD_ID,
        "ro.build.flavor": f"{profile.product}-{kind}",
        "ro.build.tags": keys,
        "ro.build.type": kind,
        "ro.debuggable": str(int(debug)),
    }


def _version(profile: Profile) -> dict[str, str]:
    build = _BUILDS.get(profile.sdk, _BUILDS[34])
    built = dt.datetime.fromtimestamp(build.built, dt.UTC)
    small, large = build.heap
    names = {
        "ro.build.characteristics": "default",
        "ro.build.date": f"{built:%a %b %e %H:%M:%S UTC %Y}",
        "ro.build.date.utc": str(build.built),
        "ro.build.id": BUILD_ID,
        "ro.build.version.incremental": "1",
        "ro.build.version.min_supported_target_sdk": str(build.target),
        "ro.build.version.security_patch": build.patch,
        "ro.product.first_api_level": str(profile.sdk),
        "ro.vendor.build.security_patch": build.patch,
        "ro.vndk.version": str(profile.sdk),
        "dalvik.vm.heapgrowthlimit": f"{small}m",
        "dalvik.vm.heapsize": f"{large}m",
    }
    if profile.sdk >= _RELEASE_OR_CODENAME_SDK:
        names["ro.build.version.release_or_codename"] = profile.release
    return names


def _partitions(profile: Profile, *, emulator: bool) -> dict[str, str]:
    """Return the product and build properties of each partition, from which come the plain ones."""
    if profile.sdk < _PARTITIONS_SDK:
        return {}
    build = _BUILDS.get(profile.sdk, _BUILDS[34])
    kind = _type(profile, "userdebug" if emulator else "user")
    found = {"ro.product.property_source_order": "odm,vendor,product,system_ext,system"}
    for partition in _PARTITIONS:
        values = {
            "date.utc": str(build.built),
            "fingerprint": fingerprint(profile, emulator=emulator),
            "id": BUILD_ID,
            "tags": kind["ro.build.tags"],
            "type": kind["ro.build.type"],
            "version.incremental": "1",
            "version.release": profile.release,
            "version.sdk": str(profile.sdk),
        }
        found |= {f"ro.{partition}.build.{name}": value for name, value in values.items()}
        names = {"brand": profile.brand, "device": profile.device, "manufacturer": profile.brand}
        names |= {"model": profile.model, "name": profile.product}
        if partition not in _VENDOR_ONLY:
            found |= {f"ro.product.{partition}.{name}": value for name, value in names.items()}
    return found


def _services(sdk: int) -> dict[str, str]:
    """Return the states of init's services."""
    states = dict.fromkeys(_SERVICES, "running") | dict.fromkeys(_STOPPED, "stopped")
    if sdk < _KEYSTORE_2_SDK:
        states["keystore"] = states.pop("keystore2")
    return {f"init.svc.{name}": state for name, state in states.items()}


def _boot_times(sdk: int) -> dict[str, str]:
    """Return when init started each service, in nanoseconds after the start of the kernel."""
    names = sorted(name.removeprefix("init.svc.") for name in _services(sdk))
    times = {f"ro.boottime.{name}": str(2_400_000_000 + at * 31_250_017) for at, name in enumerate(names)}
    return {**times, "ro.boottime.init": "1204511034", "ro.boottime.init.selinux": "61204511"}


def _emulator_hardware(profile: Profile) -> dict[str, str]:
    """Return what tells an emulator (``ranchu``; ``goldfish`` in Android 4.4)."""
    old = profile.sdk <= KITKAT
    name = "goldfish" if old else "ranchu"
    found = {
        "qemu.hw.mainkeys": "0",
        "qemu.sf.lcd_density": str(profile.density),
        "ro.board.platform": "",
        "ro.hardware": name,
        "ro.kernel.qemu": "1",
        "ro.kernel.qemu.gles": "1",
        "ro.kernel.android.qemud": "1",
    }
    if old:
        return found
    return found | {
        "ro.boot.hardware": name,
        "ro.boot.qemu": "1",
        "ro.boot.qemu.avd_name": profile.product,
        "ro.boot.qemu.hwcodec.avcdec": "2",
        "ro.boot.qemu.settings.system.screen_off_timeout": "2147483647",
        "ro.boot.qemu.virtiowifi": "1",
        "ro.build.characteristics": "emulator",
        "ro.hardware.egl": "emulation",
        "ro.hardware.gralloc": "ranchu",
        "ro.hardware.hwcomposer": "ranchu",
        "ro.hardware.power": "ranchu",
        "ro.hardware.vulkan": "ranchu",
        "ro.product.board": "goldfish_x86_64",
        "ro.soc.manufacturer": "AOSP",
        "ro.soc.model": "ranchu",
        "vendor.qemu.dev.bootcomplete": "1",
    }


def system_properties(phone: Phone) -> dict[str, str]:
    """Return all properties of a phone, including those that depend on the current state."""
    profile = phone.profile
    build = build_properties(profile, emulator=phone.rooted)
    state = {
        "ro.boot.serialno": phone.serialno,
        "ro.serialno": phone.serialno,
        **_locale(phone),
        "persist.sys.timezone": phone.clock.zone,
    }
    return {**build, **({} if profile.sdk <= KITKAT else _radio(phone)), **state, **phone.properties}


def _radio(phone: Phone) -> dict[str, str]:
    """Return the properties of the SIM and the mobile network (``TelephonyProperties``)."""
    served = not phone.network.airplane
    name, number = (OPERATOR, OPERATOR_NUMERIC) if served else ("", "")
    return {
        "gsm.defaultpdpcontext.active": str(phone.network.mobile_data and served).lower(),
        "gsm.network.type": "LTE" if served else "Unknown",
        "gsm.operator.alpha": name,
        "gsm.operator.iso-country": "",
        "gsm.operator.isroaming": "false",
        "gsm.operator.numeric": number,
        "gsm.sim.operator.alpha": OPERATOR,
        "gsm.sim.operator.iso-country": "",
        "gsm.sim.operator.numeric": OPERATOR_NUMERIC,
        "gsm.sim.state": "LOADED",
    }


def _locale(phone: Phone) -> dict[str, str]:
    """Return the properties with the language; Android 5 joined the two of the build."""
    language, region = ("zh", "CN") if phone.lang == "zh" else ("en", "US")
    if phone.profile.sdk < _LOCALE_SDK:
        return {"ro.product.locale.language": language, "ro.product.locale.region": region}
    return {"persist.sys.locale": f"{language}-{region}"}


def build_prop(phone: Phone) -> str:
    """Return ``/system/build.prop``: the build's own properties, without what the running system sets."""
    build = build_properties(phone.profile, emulator=phone.rooted)
    starts = ("ro.build.", "ro.product.", "ro.system.", "ro.treble.", "ro.zygote", "dalvik.vm.", "ro.config.")
    late = ("ro.product.vendor", "ro.product.odm", "ro.product.product", "ro.product.system_ext")
    lines = [
        f"{name}={value}\n"
        for name, value in sorted(build.items())
        if name.startswith(starts) and not name.startswith(late)
    ]
    return f"# begin common build properties\n{''.join(lines)}# end common build properties\n"


def property_type(name: str, value: str) -> str:
    """Return the type of a property, as ``property_contexts`` declares them for the common ones."""
    if value in ("true", "false"):
        return "bool"
    if value.isdecimal() and name.startswith(("ro.build.version.sdk", "ro.sf.", "ro.vndk.", "ro.opengles.")):
        return "int"
    return "string"


def property_context(name: str) -> str:
    """Return the SELinux context of a property (AOSP ``system/sepolicy/private/property_contexts``)."""
    kinds = {
        "dalvik.": "dalvik_config_prop",
        "debug.": "debug_prop",
        "gsm.": "radio_prop",
        "init.svc.": "init_service_status_private_prop",
        "ro.boot.": "bootloader_prop",
        "ro.boottime.": "boottime_prop",
        "ro.build.": "build_prop",
        "ro.product.": "build_prop",
        "ro.serialno": "serialno_prop",
        "sys.usb.": "usb_control_prop",
        "persist.sys.": "system_prop",
        "sys.": "system_prop",
    }
    kind = next((kind for start, kind in kinds.items() if name.startswith(start)), "default_prop")
    return f"u:object_r:{kind}:s0"
