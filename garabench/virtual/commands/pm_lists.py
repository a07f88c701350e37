"""The lists of ``pm`` that are the same in every version of Android."""

from __future__ import annotations

from garabench.virtual.android.package_manager import DANGEROUS, InstalledApp, PackageManager, short_component
from garabench.virtual.android.phone import Phone

WIFI = "android.hardware.wifi"
FEATURES = (
    "android.hardware.bluetooth",
    "android.hardware.camera",
    "android.hardware.location",
    "android.hardware.screen.landscape",
    "android.hardware.screen.portrait",
    "android.hardware.telephony",
    "android.hardware.touchscreen",
    WIFI,
)
OPTIONS = frozenset({"-f", "-d", "-e", "-s", "-3", "-i", "-l", "-lf", "-u"})
"""Options of ``pm list packages`` in every version."""
NEW_OPTIONS = OPTIONS | {"-a", "-U", "--show-versioncode", "--apex-only", "--factory-only"}


def packages(manager: PackageManager, flags: frozenset[str], wanted: str) -> str:
    """``pm list packages``: the packages whose name contains a text."""
    return "".join(
        f"package:{_format(manager, installed, flags)}\n"
        for installed in manager.all()
        if wanted in installed.app.package and _is_selected(installed, flags)
    )


def _is_selected(installed: InstalledApp, flags: frozenset[str]) -> bool:
    if "-u" not in flags and (installed.hidden or not installed.installed):
        return False
    if "-3" in flags and installed.app.system:
        return False
    if "-s" in flags and not installed.app.system:
        return False
    if "-d" in flags and installed.enabled:
        return False
    return not ("-e" in flags and not installed.enabled)


def _format(manager: PackageManager, installed: InstalledApp, flags: frozenset[str]) -> str:
    package = installed.app.package
    text = f"{manager.path_of(installed)}={package}" if {"-f", "-lf"} & flags else package
    if "--show-versioncode" in flags:
        text += f" versionCode:{installed.app.version_code}"
    if "-i" in flags:
        text += "  installer=null"
    if "-U" in flags:
        text += f" uid:{installed.uid}"
    return text


def instrumentations(manager: PackageManager, flags: frozenset[str], target: str) -> str:
    """``pm list instrumentation``: the instrumentations, or those of a target package."""
    lines = []
    for installed in manager.all():
        path = f"{manager.path_of(installed)}=" if "-f" in flags else ""
        for component, of in sorted(installed.instrumentations.items()):
            shown = short_component(*component.split("/"))
            lines += [f"instrumentation:{path}{shown} (target={of})\n"] if target in ("", of) else []
    return "".join(lines)


def features_of(phone: Phone) -> tuple[str, ...]:
    """Return the hardware features of a phone."""
    without = WIFI if phone.faults.active("no-wifi") is not None else ""
    return tuple(name for name in FEATURES if name != without)


def features(phone: Phone) -> str:
    """``pm list features``."""
    return "feature:reqGlEsVersion=0x30000\n" + "".join(f"feature:{name}\n" for name in features_of(phone))


def permissions() -> str:
    """``pm list permissions``: the runtime permissions."""
    return "All Permissions:\n\n" + "".join(f"permission:{name}\n" for name in sorted(DANGEROUS))
