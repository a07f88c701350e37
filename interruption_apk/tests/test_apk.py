"""Read the bundled APK with other tools: Google's aapt2 and apksigner, and androguard."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from androguard.core.apk import APK
from androguard.core.dex import DEX
from loguru import logger

FILE = Path(__file__).parents[1] / "built" / "interruptions.apk"
PACKAGE = "org.garabench.interruptions"
PERMISSIONS = ("android.permission.POST_NOTIFICATIONS", "android.permission.USE_FULL_SCREEN_INTENT")
"""Both for the notification alone: the first is granted by setup, the second at installation."""


def tool(*argv: str | Path) -> str:
    done = subprocess.run([str(part) for part in argv], capture_output=True, text=True, check=True)
    return done.stdout


@pytest.fixture(scope="module")
def apk() -> APK:
    logger.disable("androguard")
    return APK(str(FILE))


def test_aapt2_reads_its_manifest() -> None:
    badging = tool("aapt2", "dump", "badging", FILE)
    assert f"package: name='{PACKAGE}'" in badging
    assert "sdkVersion:'19'" in badging
    assert "targetSdkVersion:'34'" in badging
    requested = [line for line in badging.splitlines() if line.startswith("uses-permission")]
    assert requested == [f"uses-permission: name='{name}'" for name in PERMISSIONS]
    assert "testOnly" not in badging


def test_apksigner_verifies_every_scheme() -> None:
    output = tool("apksigner", "verify", "--verbose", "--min-sdk-version", "19", FILE)
    for scheme in ("v1 scheme (JAR signing)", "v2 scheme (APK Signature Scheme v2)", "v3 scheme"):
        line = next(line for line in output.splitlines() if scheme in line)
        assert line.endswith(": true"), line


def test_it_is_aligned_with_its_table_stored() -> None:
    assert "Verification successful" in tool("zipalign", "-c", "-v", "4", FILE)


def test_androguard_reads_the_same(apk: APK) -> None:
    assert apk.get_package() == PACKAGE
    assert set(apk.get_activities()) == {f"{PACKAGE}.Show", f"{PACKAGE}.Progress"}
    assert apk.get_receivers() == [f"{PACKAGE}.Commands"]
    assert apk.get_providers() == [f"{PACKAGE}.Events"]
    assert set(apk.get_permissions()) == set(PERMISSIONS)
    assert apk.get_services() == []


def test_its_code_is_for_android_4_4_and_calls_no_network_and_no_accessibility_service(apk: APK) -> None:
    code = apk.get_dex()
    assert code[:8] == b"dex\n035\0"
    called = {method.get_class_name() for method in DEX(code).get_methods()}
    assert any("org/garabench/interruptions/Show" in name for name in called)
    used = set(DEX(code).get_strings())
    forbidden = (
        "Ljava/net/",
        "AccessibilityService;",
        "Landroid/telephony/",
        "Ldalvik/system/DexClassLoader",
    )
    assert not [name for name in used if name.startswith("L") and any(part in name for part in forbidden)]
