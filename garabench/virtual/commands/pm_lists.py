"""The lists of ``pm`` that are the same in every version of Android."""

from __future__ import annotations

from garabench.virtual.android.package_manager import DANGEROUS, InstalledApp, PackageManager

FEATURES = (
    "android.hardware.bluetooth",
    "android.hardware.camera",
    "android.hardware.location",
    "android.hardware.screen.landscape",
    "android.hardware.screen.portrait",
    "android.hardware.telephony",
    "android.hardware.touchscreen",
    "android.hardware.wifi",
)
OPTIONS = frozenset({"-f", "-d", "-e", "-s", "-3", "-i", "-l", "-lf", "-u"})
"""Options of ``pm list packages`` in every version."""
NEW_OPTIONS = OPTIONS | {"-a", "-U", "--show-versioncode", "--apex-only", "--factory-only"}


def packages(manager: PackageManager, flags: frozenset[str], wanted: str) -> str:
    """``pm list packages``: the packages whose name contains a text."""
    return "".join(
        f"package:{_shown(manager, each, flags)}\n"
        for each in manager.all()
        if wanted in each.app.package and _format_package(each, flags)
    )


def _format_package(each: InstalledApp, flags: frozenset[str]) -> bool:
    if "-3" in flags and each.app.system:
        return False
    if "-s" in flags and not each.app.system:
        return False
    if "-d" in flags and each.enabled:
        return False
    return not ("-e" in flags and not each.enabled)


def _shown(manager: PackageManager, each: InstalledApp, flags: frozenset[str]) -> str:
    package = each.app.package
    text = f"{manager.path_of(each)}={package}" if {"-f", "-lf"} & flags else package
    if "--show-versioncode" in flags:
        text += f" versionCode:{each.app.version_code}"
    if "-i" in flags:
        text += "  installer=null"
    if "-U" in flags:
        text += f" uid:{each.uid}"
    return text


def features() -> str:
    """``pm list features``."""
    return "feature:reqGlEsVersion=0x30000\n" + "".join(f"feature:{name}\n" for name in FEATURES)


def permissions() -> str:
    """``pm list permissions``: the runtime permissions."""
    return "All Permissions:\n\n" + "".join(f"permission:{name}\n" for name in sorted(DANGEROUS))
