"""Install an APK file: Android's checks, and a stand-in app for its code."""

from __future__ import annotations

from dataclasses import dataclass, replace

from garabench.virtual.android.apk import Apk, ApkActivity, ApkError, read_apk
from garabench.virtual.android.package_manager import DANGEROUS, InstalledApp, PackageManager
from garabench.virtual.android.signer import signer
from garabench.virtual.kit.framework import Activity, App
from garabench.virtual.ui import widgets as w

REPLACES_BY_DEFAULT_SDK = 28
"""First API level (Android 9) on which an installed app is replaced without ``-r``."""
_UPDATE_INCOMPATIBLE_SDK = 21
MIN_TARGET_SDK = {34: 23}
"""Lowest targetSdkVersion that a version of Android accepts."""


@dataclass(frozen=True, slots=True)
class InstallOptions:
    """The flags of ``pm install``.

    Attributes:
        replace: ``-r``; False is ``-R``; None leaves it to the version of Android.
        test: ``-t``: allow test-only packages.
        downgrade: ``-d``.
        grant: ``-g``: grant all requested permissions.
        bypass_low_target_sdk: ``--bypass-low-target-sdk-block``.
    """

    replace: bool | None = None
    test: bool = False
    downgrade: bool = False
    grant: bool = False
    bypass_low_target_sdk: bool = False


@dataclass(frozen=True, slots=True)
class InstallResult:
    """Result of an installation.

    Attributes:
        package: The installed package, empty after a failure.
        code: ``INSTALL_FAILED_…`` or ``INSTALL_PARSE_FAILED_…``; empty for success.
        detail: Android's message after the code.
    """

    package: str = ""
    code: str = ""
    detail: str = ""

    @property
    def ok(self) -> bool:
        """Whether it succeeded."""
        return not self.code

    def __str__(self) -> str:
        """Return the output of ``pm install``."""
        if self.ok:
            return "Success"
        return f"Failure [{self.code}: {self.detail}]" if self.detail else f"Failure [{self.code}]"


def install_apk(
    packages: PackageManager, data: bytes, options: InstallOptions | None = None
) -> InstallResult:
    """Install an APK.

    A package that the phone simulates keeps its simulation and gets the version of the APK, whose code cannot
    run here. Any other gets a plain screen for each of its activities.
    """
    options = options or InstallOptions()
    try:
        apk = read_apk(data)
        signed_by = signer(data)
        _check(packages, apk, options, signed_by)
    except ApkError as error:
        return InstallResult(code=error.code, detail=error.detail)
    installed = packages.install(_app(packages, apk))
    installed.input_methods = apk.input_methods
    installed.instrumentations = apk.instrumentations
    installed.services, installed.receivers = apk.services, apk.receivers
    installed.debuggable = apk.debuggable
    installed.min_sdk = apk.min_sdk
    installed.installed = True
    installed.size = apk.size
    installed.signer = signed_by
    if options.grant:
        installed.granted |= DANGEROUS.intersection(apk.permissions)
    return InstallResult(package=apk.package)


def _check(packages: PackageManager, apk: Apk, options: InstallOptions, signed_by: str) -> None:
    if apk.min_sdk > packages.sdk:
        detail = (
            f"Failed parse during installPackageLI: /data/app/base.apk: Requires newer sdk version "
            f"#{apk.min_sdk} (current version is #{packages.sdk})"
        )
        raise ApkError("INSTALL_FAILED_OLDER_SDK", detail)
    min_target = MIN_TARGET_SDK.get(packages.sdk, 0)
    if apk.target_sdk < min_target and not options.bypass_low_target_sdk:
        detail = f"App package must target at least SDK version {min_target}, but found {apk.target_sdk}"
        raise ApkError("INSTALL_FAILED_DEPRECATED_SDK_VERSION", detail)
    if apk.test_only and not options.test:
        raise ApkError("INSTALL_FAILED_TEST_ONLY", "installPackageLI")
    before = packages.get(apk.package)
    if before is not None:
        _check_update(packages, apk, before, options)
        if before.signer and before.signer != signed_by:
            raise _other_signer(packages.sdk, apk.package)


def _other_signer(sdk: int, package: str) -> ApkError:
    if sdk < _UPDATE_INCOMPATIBLE_SDK:
        return ApkError("INSTALL_PARSE_FAILED_INCONSISTENT_CERTIFICATES", "")
    detail = f"Package {package} signatures do not match previously installed version; ignoring!"
    return ApkError("INSTALL_FAILED_UPDATE_INCOMPATIBLE", detail)


def _check_update(packages: PackageManager, apk: Apk, before: InstalledApp, options: InstallOptions) -> None:
    allowed = options.replace
    if allowed is None:
        allowed = packages.sdk >= REPLACES_BY_DEFAULT_SDK
    if not allowed:
        detail = f"Attempt to re-install {apk.package} without first uninstalling."
        raise ApkError("INSTALL_FAILED_ALREADY_EXISTS", detail)
    if apk.version_code < before.app.version_code and not options.downgrade:
        detail = (
            f"Downgrade detected: Update version code {apk.version_code} is older than current "
            f"{before.app.version_code}"
        )
        raise ApkError("INSTALL_FAILED_VERSION_DOWNGRADE", detail)


def _app(packages: PackageManager, apk: Apk) -> App:
    stand_in = packages.simulated(apk.package)
    if stand_in is not None:
        return replace(stand_in, version_code=apk.version_code, version_name=apk.version_name)
    return App(
        package=apk.package,
        label=apk.label,
        activities={activity.name: _activity_class(activity, apk) for activity in apk.activities},
        launcher=apk.launcher,
        version_name=apk.version_name,
        version_code=apk.version_code,
        icon_seed=apk.package,
        icon_glyph=apk.label["en"][:1].upper(),
        permissions=apk.permissions,
        target_sdk=apk.target_sdk,
    )


def _activity_class(entry: ApkActivity, apk: Apk) -> type[Activity]:
    class Screen(Activity):
        """The screen of an installed app: its name and the activity's."""

        exported = entry.exported
        launch_mode = entry.launch_mode
        filters = entry.filters

        def on_create(self) -> None:
            """Say in the log that the app's code does not run."""
            self.ctx.log("garabench", f"{apk.package}: installed, not simulated: its code does not run", "W")

        def build(self) -> w.Widget:
            """Build a screen with both names and a note that the app is not simulated."""
            return w.Column(
                width=w.MATCH,
                height=w.MATCH,
                justify=w.Align.CENTER,
                gap=8,
                background="#FFFFFF",
                children=[
                    w.Text(text=self.ctx.t(apk.label["zh"], apk.label["en"]), size=22, align=w.Align.CENTER),
                    w.Text(
                        text=entry.name.rpartition(".")[2], size=14, color="#757575", align=w.Align.CENTER
                    ),
                    w.Text(
                        text=self.ctx.t(
                            "已安装，但虚拟手机不能运行其代码",
                            "Installed, not simulated: its code does not run",
                        ),
                        size=14,
                        color="#757575",
                        align=w.Align.CENTER,
                    ),
                ],
            )

    return Screen
