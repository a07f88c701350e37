"""Pictures of system anomalies in force, on virtual phones over the real wire."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PIL import Image

from garabench.campaign.gallery import ELSEWHERE, LANGUAGES, SIZES, USUAL
from garabench.core.clock import Clock
from garabench.device.device import Device
from garabench.errors import CommandFailed
from garabench.interruptions import companion
from garabench.interruptions.system.anomaly import Anomaly
from garabench.interruptions.system.perform import given, perform
from garabench.virtual.launcher import VirtualPhone

_BEHIND = {"zh": "com.autonavi.minimap", "en": "com.google.android.apps.maps"}
_SETTINGS, _MARKET = "com.android.settings", "com.android.vending"
_BEHIND_OF = {
    "permission-taken": _BEHIND["en"],
    "rotation": _SETTINGS,
    "dark-mode": _SETTINGS,
    "language": _MARKET,
    "keyboard": _MARKET,
}
"""Apps whose first screen asks for a permission, turns, has a dark theme, other languages, a text field."""
_FINE, _COARSE = "android.permission.ACCESS_FINE_LOCATION", "android.permission.ACCESS_COARSE_LOCATION"
_ASKS = "mylocation_button"
"""What is tapped for the app to ask for the permission again."""
_SHOWN_WITH = {"language": {"zh": "en-US", "en": "zh-CN"}}
"""Values that the apps behind can follow: the virtual phone's speak Chinese and English."""
_PROFILE = "android-34"


@dataclass(frozen=True, slots=True)
class Asked:
    """An anomaly as the gallery shows it.

    Attributes:
        name: What it is called: its own id, or that of the suite.
        anomaly: Which one it is.
        value: Of its parameter; empty for the default.
        description: What it does.
    """

    name: str
    anomaly: Anomaly
    value: str
    description: str


@dataclass(frozen=True, slots=True)
class AnomalyView:
    """How a phone is when an anomaly comes over it."""

    dark: bool = False
    language: str = "zh"
    size: str = USUAL

    def __str__(self) -> str:
        return f"{'night' if self.dark else 'day'}, {self.language}, {self.size}"


@dataclass(frozen=True, slots=True)
class AnomalyShot:
    """What an anomaly made of the screen.

    Attributes:
        name: The anomaly's.
        view: How the phone was.
        jpeg: The picture, `width` by `height` pixels; empty where there is none.
        words: Why there is none; empty otherwise.
        value: Of the anomaly's parameter.
    """

    name: str
    view: AnomalyView
    jpeg: bytes = b""
    width: int = 0
    height: int = 0
    words: str = ""
    value: str = ""


def views(sizes: Sequence[str] = SIZES) -> tuple[AnomalyView, ...]:
    """How the phone is: by day and night, on the usual screen in both languages."""
    return tuple(
        AnomalyView(dark, language, size)
        for size in sizes
        for language in LANGUAGES
        if size == USUAL or language == ELSEWHERE
        for dark in (False, True)
    )


def anomaly_shots(
    asked: Sequence[Asked], clock: Clock, *, width: int = 270, sizes: Sequence[str] = SIZES
) -> Iterator[AnomalyShot]:
    """Bring all about, one after the other, and take a picture of each; every one begins on a phone as new.

    Args:
        asked: Which.
        clock: For waits.
        width: Of an upright picture, in pixels.
        sizes: Of screens.

    Raises:
        DeviceError: A virtual phone could not be started, or is gone.
    """
    for size, language in dict.fromkeys((view.size, view.language) for view in views(sizes) if asked):
        with VirtualPhone(f"{_PROFILE}:{size}", lang=language, emulator=True, clock=clock) as phone:
            for view in views(sizes):
                if (view.size, view.language) == (size, language):
                    for each in asked:
                        yield _shot(phone, each, view, clock, width)


def _shot(phone: VirtualPhone, asked: Asked, view: AnomalyView, clock: Clock, width: int) -> AnomalyShot:
    phone.reset()
    phone.set_dark(view.dark)
    device = Device.connect(phone.serial, clock)
    try:
        return _of_device(device, asked, view, width)
    finally:
        device.close()


def _of_device(device: Device, asked: Asked, view: AnomalyView, width: int) -> AnomalyShot:
    name = asked.anomaly.id
    app = _BEHIND_OF.get(name, _BEHIND[view.language])
    device.adb.shell(["locksettings", "set-disabled", "false"])
    if name == "permission-taken":
        device.apps.set_permission(app, _FINE, granted=True)
        device.apps.set_permission(app, _COARSE, granted=False)
    if name == "heads-up":
        companion.set_up(device)
    device.apps.open(app)
    before = _pixels(device)
    value = asked.value or _SHOWN_WITH.get(name, {}).get(view.language, "")
    try:
        wish = given(device, asked.anomaly, app=app, value=value, language=view.language)
        perform(device, asked.anomaly, wish)
    except CommandFailed as error:
        return AnomalyShot(asked.name, view, words=f"Not in force: {error}")
    if name == "permission-taken":
        _tap(device, _ASKS)
    after = _pixels(device)
    if after.size == before.size and after.tobytes() == before.tobytes():
        return AnomalyShot(asked.name, view, words="It leaves the screen as it was.")
    high = round(after.height * width / after.width)
    if after.width > after.height:
        high, width = width, round(after.width * width / after.height)
    buffer = io.BytesIO()
    small = after.resize((width, high), Image.Resampling.LANCZOS)
    small.save(buffer, "JPEG", quality=82, optimize=True)
    return AnomalyShot(asked.name, view, buffer.getvalue(), width, high, value=wish.value)


def _tap(device: Device, resource_id: str) -> None:
    nodes = device.settle().reading.tree.nodes
    for node in nodes:
        if node.resource_id.endswith(f":id/{resource_id}"):
            at = node.bounds.center
            device.adb.shell(["input", "tap", str(at.x), str(at.y)])
            return


def _pixels(device: Device) -> Image.Image:
    png = device.observe(0, settled=device.settle()).screenshot.png
    return Image.open(io.BytesIO(png)).convert("RGB")
