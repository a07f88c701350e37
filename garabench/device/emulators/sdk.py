"""The Android SDK on this computer: find its tools and run them."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from garabench.core.suggestions import did_you_mean
from garabench.device.emulators.tool_output import (
    Avd,
    SystemImage,
    best_image,
    explain_acceleration,
    explain_manager,
    parse_avds,
    parse_images,
    suggested_image,
)
from garabench.errors import HarnessError, InputError

_VARIABLES = ("ANDROID_HOME", "ANDROID_SDK_ROOT")
_AVD_NAME = re.compile(r"[A-Za-z0-9._-]{1,64}")
_LIST_SECONDS, _CREATE_SECONDS, _INSTALL_SECONDS, _CHECK_SECONDS = 120.0, 300.0, 3600.0, 60.0
_ANSWERS = "y\n" * 40
"""Answers to every licence of an installation."""


@dataclass(frozen=True, slots=True)
class AndroidSdk:
    """An Android SDK.

    Attributes:
        root: Its folder.
    """

    root: Path

    @classmethod
    def find(cls, environ: Mapping[str, str] | None = None) -> AndroidSdk:
        """Find the SDK by the environment: ``ANDROID_HOME``, else ``ANDROID_SDK_ROOT``.

        Raises:
            InputError: Neither is set, or it names no folder.
        """
        environ = os.environ if environ is None else environ
        for variable in _VARIABLES:
            if path := environ.get(variable):
                if not Path(path).is_dir():
                    raise InputError(
                        f"{variable} is {path!r}, which is not a folder",
                        hint="Set it to the folder of the Android SDK.",
                    )
                return cls(Path(path))
        raise InputError(
            "ANDROID_HOME is not set",
            hint="Set it to the folder of the Android SDK; its command-line tools are at "
            "https://developer.android.com/studio#command-tools.",
        )

    def tool(self, name: str) -> Path:
        """Return the path of ``sdkmanager``, ``avdmanager`` or ``emulator``.

        Raises:
            InputError: The SDK lacks it.
        """
        if name == "emulator":
            candidates = [self.root / "emulator" / name]
        else:
            versions = sorted(self.root.glob("cmdline-tools/*"), key=_version, reverse=True)
            folders = [self.root / "cmdline-tools" / "latest", *versions, self.root / "tools"]
            candidates = [folder / "bin" / name for folder in folders]
        for path in candidates:
            if path.is_file() and os.access(path, os.X_OK):
                return path
        how = (
            "Install it: sdkmanager emulator platform-tools"
            if name == "emulator"
            else "Install the command-line tools: https://developer.android.com/studio#command-tools"
        )
        raise InputError(f"the Android SDK in {self.root} has no {name}", hint=how)

    def images(self) -> tuple[SystemImage, ...]:
        """Return the installed system images.

        Raises:
            InputError: The SDK's tools are missing or cannot run.
            HarnessError: They failed.
        """
        done = self._manage("sdkmanager", ["--list_installed"], "list the images", _LIST_SECONDS)
        return parse_images(done)

    def choose_image(self, package: str | None = None) -> SystemImage:
        """Return an installed image.

        Args:
            package: Its package; None for the newest one that runs natively here.

        Raises:
            InputError: It is not installed, or no image is.
            HarnessError: The SDK's tools failed.
        """
        images = self.images()
        chosen = (
            best_image(images, platform.machine())
            if package is None
            else next((image for image in images if image.package == package), None)
        )
        if chosen is not None:
            return chosen
        wanted = package or suggested_image(platform.machine())
        nearest = did_you_mean(package, [image.package for image in images]) if package else ""
        what = f"the system image {package} is not installed" if package else "no system image is installed"
        install = f"Install it: garabench emulators create --install --image '{wanted}'"
        raise InputError(what, hint=nearest or install)

    def install(self, packages: Iterable[str], *, accept_licences: bool) -> None:
        """Download and install packages.

        Args:
            packages: Their names, such as ``system-images;android-34;google_apis;x86_64``.
            accept_licences: Whether the user accepts their licences.

        Raises:
            InputError: A package is unknown, or its licence is not accepted.
            HarnessError: sdkmanager failed.
        """
        packages = list(packages)
        answers = _ANSWERS if accept_licences else "n\n"
        what = f"install {', '.join(packages)}"
        self._manage("sdkmanager", ["--install", *packages], what, _INSTALL_SECONDS, answers)

    def avds(self) -> tuple[Avd, ...]:
        """Return the AVDs, including broken ones.

        Raises:
            InputError: The SDK's tools are missing or cannot run.
            HarnessError: They failed.
        """
        return parse_avds(self._manage("avdmanager", ["list", "avd"], "list the AVDs", _LIST_SECONDS))

    def avd(self, name: str) -> Avd:
        """Return a usable AVD.

        Raises:
            InputError: There is no AVD of that name, or it is broken.
            HarnessError: The SDK's tools failed.
        """
        found = {avd.name: avd for avd in self.avds()}
        if name not in found:
            raise InputError(
                f"there is no AVD {name}",
                hint=did_you_mean(name, found) or "Create one: garabench emulators create",
            )
        if found[name].problem:
            raise InputError(
                f"the AVD {name} cannot be used: {found[name].problem}",
                hint=f"Create it again: garabench emulators create --name {name} --force",
            )
        return found[name]

    def create(self, name: str, image: SystemImage, *, device: str = "pixel_6", force: bool = False) -> None:
        """Create an AVD.

        Args:
            name: Its name.
            image: Its system image.
            device: The device definition: screen and memory.
            force: Replace an AVD of this name.

        Raises:
            InputError: The name is invalid or taken, or the device definition unknown.
            HarnessError: avdmanager failed.
        """
        if not _AVD_NAME.fullmatch(name):
            raise InputError(
                f"{name!r} is not a name of an AVD", hint="Use letters, digits, dots, hyphens, underscores."
            )
        if not force and any(avd.name == name for avd in self.avds()):
            raise InputError(f"the AVD {name} already exists", hint="Pass --force to replace it.")
        argv = ["create", "avd", "--name", name, "--package", image.package, "--device", device]
        argv += ["--force"] if force else []
        # It asks whether to create a custom hardware profile.
        self._manage("avdmanager", argv, f"create the AVD {name}", _CREATE_SECONDS, "no\n")

    def check_acceleration(self) -> None:
        """Check that emulators can use the processor's virtualization.

        Raises:
            InputError: They cannot, or the SDK has no emulator.
            HarnessError: The check failed.
        """
        done = self.run("emulator", ["-accel-check"], _CHECK_SECONDS)
        failure = explain_acceleration(done.stdout + done.stderr, done.returncode)
        if failure is not None:
            raise InputError(failure.reason, hint=failure.hint)

    def _manage(self, tool: str, argv: list[str], what: str, limit: float, answers: str = "") -> str:
        """Run a manager, and return its output.

        Raises:
            InputError: It failed for a reason that the user can change.
            HarnessError: It failed for another reason.
        """
        if tool == "sdkmanager":
            argv = [f"--sdk_root={self.root}", *argv]
        done = self.run(tool, argv, limit, answers)
        output = done.stdout + done.stderr
        refused = "not accepted" in output or "Failed to find package" in output  # it exits with 0 then
        if done.returncode == 0 and not refused:
            return done.stdout
        failure = explain_manager(output)
        if failure is not None:
            raise InputError(f"cannot {what}: {failure.reason}", hint=failure.hint)
        lines = [line for line in re.split(r"[\r\n]+", output) if line.strip()]
        raise HarnessError(f"cannot {what}: {tool} ended with status {done.returncode}: {lines[-1:]}")

    def run(
        self, tool: str, argv: list[str], limit: float, answers: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run a tool of the SDK until it ends.

        Args:
            tool: Its name.
            argv: Its arguments.
            limit: The time limit in seconds.
            answers: Its standard input.

        Raises:
            InputError: The SDK lacks it.
            HarnessError: It cannot be run, or does not end in time.
        """
        path = self.tool(tool)
        try:
            return subprocess.run(
                [path, *argv],
                input=answers,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=limit,
                check=False,
                env=os.environ | {"ANDROID_HOME": str(self.root), "ANDROID_SDK_ROOT": str(self.root)},
            )
        except subprocess.TimeoutExpired as error:
            raise HarnessError(f"{tool} {argv[0]} did not end within {limit:g} s") from error
        except OSError as error:
            raise HarnessError(f"cannot run {path}: {error.strerror}") from error


def _version(folder: Path) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", folder.name))
