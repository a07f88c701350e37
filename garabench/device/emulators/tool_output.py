"""What the SDK's tools print: images, AVDs, and why a tool or an emulator failed; pure.

Formats and messages are those of the tools' documentation (https://developer.android.com/tools) and sources.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_IMAGE = re.compile(r"system-images;android-(\d+)[\w.-]*;([\w.-]+);([\w.-]+)")
_FIELD = re.compile(r"\s*([A-Z][\w/ ]*): (.*)")
_VARIANTS = ("google_apis", "default")
"""Variants whose adb shell can become root, best first; those with the Play Store cannot."""
_LEVEL = re.compile(r"^(?:emulator: )?(?:ERROR|FATAL|PANIC|WARNING|INFO|DEBUG)\s*[:|]\s*|^\[\d+.*?\]:?\s*")
_NO_KVM_HINT = (
    "enable virtualization in the firmware (or nested virtualization of this machine), let your user open "
    "/dev/kvm (sudo gpasswd -a $USER kvm, then log in again), or emulate without it, very slowly: --no-accel"
)


@dataclass(frozen=True, slots=True)
class SystemImage:
    """A system image that an AVD can be created from.

    Attributes:
        package: Its package, such as ``system-images;android-34;google_apis;x86_64``.
        api: Android's API level.
        variant: ``google_apis``, ``default``, ``google_apis_playstore``, …
        abi: ``x86_64``, ``arm64-v8a``, …
    """

    package: str
    api: int
    variant: str
    abi: str

    @classmethod
    def parse(cls, package: str) -> SystemImage | None:
        """Parse a package; None if it is not a system image."""
        match = _IMAGE.fullmatch(package.strip())
        return match and cls(package.strip(), int(match[1]), match[2], match[3])


@dataclass(frozen=True, slots=True)
class Avd:
    """An Android virtual device.

    Attributes:
        name: Its name.
        path: Its folder.
        target: What it is based on, in the words of avdmanager.
        problem: Why it cannot be used; empty if it can.
    """

    name: str
    path: Path
    target: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ToolFailure:
    """Why a tool or an emulator failed.

    Attributes:
        reason: What is wrong.
        hint: What to do about it.
        port_taken: Whether another program listens on the emulator's port.
    """

    reason: str
    hint: str
    port_taken: bool = False


def parse_images(output: str) -> tuple[SystemImage, ...]:
    """Parse ``sdkmanager --list_installed``: a table with a column of packages."""
    cells = (line.partition("|")[0] for line in re.split(r"[\r\n]+", output))
    return tuple(image for cell in cells if (image := SystemImage.parse(cell)) is not None)


def best_image(images: tuple[SystemImage, ...], machine: str) -> SystemImage | None:
    """Return the newest image that runs natively on a machine.

    Args:
        images: The installed images.
        machine: The machine's architecture, as ``platform.machine()`` returns it.
    """
    usable = [image for image in images if image.abi in _abis(machine)]

    def rank(image: SystemImage) -> tuple[int, int, int]:
        variant = len(_VARIANTS) - _VARIANTS.index(image.variant) if image.variant in _VARIANTS else 0
        return bool(variant), image.api, variant

    return max(usable, key=rank, default=None)


def suggested_image(machine: str) -> str:
    """Return the package of an image that suits a machine, for hints."""
    return f"system-images;android-34;google_apis;{_abis(machine)[0]}"


def _abis(machine: str) -> tuple[str, ...]:
    return ("arm64-v8a",) if machine.lower() in ("arm64", "aarch64") else ("x86_64", "x86")


def parse_avds(output: str) -> tuple[Avd, ...]:
    """Parse ``avdmanager list avd``: blocks of fields, first of usable AVDs and then of broken ones."""
    return tuple(_avds(output))


def _avds(output: str) -> Iterator[Avd]:
    fields: dict[str, str] = {}
    for line in [*output.splitlines(), "---------"]:
        match = _FIELD.fullmatch(line)
        ended = match is None and not line.startswith((" ", "\t"))
        if fields.get("Name") and (ended or (match and match[1].strip() == "Name")):
            target = " ".join(filter(None, (fields.get("Target"), fields.get("Based on"))))
            yield Avd(fields["Name"], Path(fields.get("Path", "")), target, fields.get("Error", ""))
            fields = {}
        if match:
            # ``Based on: Android 14 Tag/ABI: google_apis/x86_64`` is one line.
            fields[match[1].strip()] = match[2].strip()


def explain_manager(output: str) -> ToolFailure | None:
    """Return why sdkmanager or avdmanager failed, by what it printed; None for an unknown reason."""
    text = output.lower()
    if "java_home" in text or "'java' command" in text or "unsupportedclassversionerror" in text:
        return ToolFailure("the SDK's tools find no suitable Java", "Install Java 17, and set JAVA_HOME.")
    if "licen" in text and ("not accepted" in text or "accept? (y/n)" in text):
        return ToolFailure(
            "its licence is not accepted",
            "Read and accept it: sdkmanager --licenses; or pass --accept-licenses.",
        )
    if "failed to find package" in text:
        return ToolFailure("there is no such package", "List the packages: sdkmanager --list")
    if "package path is not valid" in text:
        return ToolFailure("the image is not installed", "Pass --install, or choose another --image.")
    if "no device found matching" in text:
        return ToolFailure("there is no such device definition", "List them: avdmanager list device")
    if "no space left" in text or "not enough disk space" in text:
        return ToolFailure("the disk is full", "Free some gigabytes.")
    if "unknownhostexception" in text or "failed to fetch" in text or "failed to download" in text:
        return ToolFailure(
            "it could not be downloaded", "Check the network; behind a proxy, set --proxy of sdkmanager."
        )
    return None


def explain_acceleration(output: str, status: int) -> ToolFailure | None:
    """Return why ``emulator -accel-check`` found no acceleration; None if it is usable.

    It prints ``accel:``, a code that is 0 if all is well, a sentence, and ``accel``.
    """
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    code = lines[lines.index("accel:") + 1] if "accel:" in lines[:-1] else str(status)
    if code == "0" and status == 0:
        return None
    reasons = [line for line in lines if not line.startswith("accel") and not line.isdigit()]
    detail = f" ({reasons[0].rstrip('.')})" if reasons else ""
    return ToolFailure(f"hardware acceleration (KVM) is not available{detail}", _NO_KVM_HINT)


def explain_emulator(log: str) -> ToolFailure:
    """Return why an emulator ended, by what it printed."""
    text = log.lower()
    if "requires hardware acceleration" in text or "/dev/kvm" in text:
        detail = next((line for line in log.splitlines() if "CPU acceleration status:" in line), "")
        found = detail.partition("CPU acceleration status:")[2].strip().rstrip(".")
        return ToolFailure(
            "hardware acceleration (KVM) is not available" + (f" ({found})" if found else ""), _NO_KVM_HINT
        )
    if "unknown avd name" in text:
        return ToolFailure("there is no such AVD", "List them: garabench emulators list")
    if "multiple emulators with the same avd" in text:
        return ToolFailure("its AVD is already running", "Stop it: garabench emulators stop")
    if "not enough disk space" in text or "no space left" in text:
        return ToolFailure("the disk is full", "Free some gigabytes.")
    if "could not bind" in text or "address already in use" in text or "ports are in use" in text:
        return ToolFailure(
            "its port is taken", "Another program has just taken it: start the AVD again.", port_taken=True
        )
    if "cannot find avd system path" in text or "broken avd system path" in text:
        return ToolFailure("its image is missing", "Install it, or create the AVD again.")
    return ToolFailure(_last_error(log), "See the log.")


def _last_error(log: str) -> str:
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    errors = [line for line in lines if re.match(r"(emulator: )?(ERROR|FATAL|PANIC)\b", line)]
    chosen = (errors or lines or ["it printed nothing"])[-1]
    return _LEVEL.sub("", chosen)[:300]
