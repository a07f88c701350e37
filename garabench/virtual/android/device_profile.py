"""Device profiles: Android version, screen and build of the virtual phone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from garabench.core.geometry import Size
from garabench.core.suggestions import did_you_mean
from garabench.errors import InputError

_DENSITIES = {"720x1280": 320, "1080x2400": 420, "1440x3120": 560}


BUILD_ID = "GARA"
"""Build id of every virtual phone, which distinguishes its fingerprint from real ones."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A device profile.

    Attributes:
        name: Such as ``android-34``.
        sdk: API level.
        release: Android version.
        size: Natural size in pixels.
        density: Dots per inch.
        brand, model, product, device: From the build properties.
        shell_v2: Whether adbd speaks the shell protocol; without it the shell's exit status is always 0.
        has_cmd: Whether there is a ``cmd`` command.
        crlf: Whether the shell's output has CRLF line ends.
        zone: Time zone before it is first set.
    """

    name: str
    sdk: int
    release: str
    size: Size
    density: int
    brand: str
    model: str
    product: str
    device: str
    shell_v2: bool = True
    has_cmd: bool = True
    crlf: bool = False
    zone: str = "Asia/Shanghai"

    @property
    def fingerprint(self) -> str:
        """``ro.build.fingerprint``."""
        return f"{self.brand}/{self.product}/{self.device}:{self.release}/{BUILD_ID}/1:user/release-keys"

    @classmethod
    def parse(cls, text: str) -> Profile:
        """Parse ``android-34`` or ``android-34:1080x2400``.

        Raises:
            InputError: The profile or size is invalid.
        """
        name, _, size = text.partition(":")
        if name not in PROFILES:
            raise InputError(f"unknown profile {name!r}", hint=did_you_mean(name, PROFILES))
        profile = PROFILES[name]
        if not size:
            return profile
        if size not in _DENSITIES:
            raise InputError(f"unknown screen size {size!r}", hint=did_you_mean(size, _DENSITIES))
        width, height = map(int, size.split("x"))
        return replace(profile, size=Size(width, height), density=_DENSITIES[size])


PROFILES: Mapping[str, Profile] = {
    "android-19": Profile(
        name="android-19",
        sdk=19,
        release="4.4.2",
        size=Size(720, 1280),
        density=320,
        brand="generic",
        model="Virtual 4 [4.4, 720p]",
        product="virtual4",
        device="virtual4",
        shell_v2=False,
        has_cmd=False,
        crlf=True,
        zone="GMT",
    ),
    "android-30": Profile(
        name="android-30",
        sdk=30,
        release="11",
        size=Size(1080, 2400),
        density=420,
        brand="garabench",
        model="Virtual 11",
        product="virtual11",
        device="virtual11",
    ),
    "android-34": Profile(
        name="android-34",
        sdk=34,
        release="14",
        size=Size(1080, 2400),
        density=420,
        brand="garabench",
        model="Virtual 14",
        product="virtual14",
        device="virtual14",
    ),
}
