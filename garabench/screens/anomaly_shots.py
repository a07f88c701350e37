"""Screenshots of system anomalies in effect, taken from virtual phones over ADB."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PIL import Image

from garabench.core.anomalies.anomaly import Anomaly
from garabench.core.clock import Clock
from garabench.device.device import Device
from garabench.errors import CommandError
from garabench.interruptions import companion_apk
from garabench.interruptions.system.perform import perform_anomaly, request_for
from garabench.screens.gallery import DEFAULT_SIZE, LANGUAGES, OTHER_SIZES_LANGUAGE, SIZES
from garabench.virtual.phone_process import VirtualPhone

_BACKGROUND_APP = {"zh": "com.autonavi.minimap", "en": "com.google.android.apps.maps"}
_SETTINGS, _MARKET = "com.android.settings", "com.android.vending"
_BACKGROUND_APP_FOR = {
    "permission-taken": _BACKGROUND_APP["en"],
    "rotation": _SETTINGS,
    "dark-mode": _SETTINGS,
    "language": _MARKET,
    "keyboard": _MARKET,
}
"""Apps whose first screen requests a permission, rotates, has a dark theme, translations or a text field."""
_FINE, _COARSE = "android.permission.ACCESS_FINE_LOCATION", "android.permission.ACCESS_COARSE_LOCATION"
_PERMISSION_BUTTON = "mylocation_button"
"""The button that makes the app request the permission again."""
_GALLERY_VALUES = {"language": {"zh": "en-US", "en": "zh-CN"}}
"""Values that the apps in the background can follow: those of the virtual phone speak Chinese and English."""
_PROFILE = "android-34"


@dataclass(frozen=True, slots=True)
class GalleryAnomaly:
    """An anomaly to draw.

    Attributes:
        name: Name in the gallery: the anomaly's own id, or its id in the suite.
        anomaly: The anomaly.
        value: Value of its parameter; empty for the default.
        description: What it does.
    """

    name: str
    anomaly: Anomaly
    value: str
    description: str


@dataclass(frozen=True, slots=True)
class AnomalyView:
    """The state of the phone before an anomaly."""

    dark: bool = False
    language: str = "zh"
    size: str = DEFAULT_SIZE

    def __str__(self) -> str:
        return f"{'night' if self.dark else 'day'}, {self.language}, {self.size}"


@dataclass(frozen=True, slots=True)
class AnomalyShot:
    """A screenshot of an anomaly.

    Attributes:
        name: Name of the anomaly.
        view: The state of the phone before it.
        jpeg: The picture, `width` by `height` pixels; empty if there is none.
        problem: Why there is no picture; empty otherwise.
        value: Value of the anomaly's parameter.
    """

    name: str
    view: AnomalyView
    jpeg: bytes = b""
    width: int = 0
    height: int = 0
    problem: str = ""
    value: str = ""


def anomaly_views(sizes: Sequence[str] = SIZES) -> tuple[AnomalyView, ...]:
    """Return the states to draw: day and night, and both languages on the default screen size."""
    return tuple(
        AnomalyView(dark, language, size)
        for size in sizes
        for language in LANGUAGES
        if size == DEFAULT_SIZE or language == OTHER_SIZES_LANGUAGE
        for dark in (False, True)
    )


def anomaly_shots(
    requests: Sequence[GalleryAnomaly], clock: Clock, *, width: int = 270, sizes: Sequence[str] = SIZES
) -> Iterator[AnomalyShot]:
    """Perform anomalies one after the other, each on a reset phone, and take a screenshot of each.

    Args:
        requests: The anomalies to draw.
        clock: Clock for waits.
        width: Width of a picture in portrait, in pixels.
        sizes: Screen sizes.

    Raises:
        DeviceError: A virtual phone does not start or is lost.
    """
    for size, language in dict.fromkeys(
        (view.size, view.language) for view in anomaly_views(sizes) if requests
    ):
        with VirtualPhone(f"{_PROFILE}:{size}", lang=language, emulator=True, clock=clock) as phone:
            for view in anomaly_views(sizes):
                if (view.size, view.language) == (size, language):
                    for request in requests:
                        yield _shot(phone, request, view, clock, width)


def _shot(
    phone: VirtualPhone, request: GalleryAnomaly, view: AnomalyView, clock: Clock, width: int
) -> AnomalyShot:
    phone.reset()
    phone.set_dark(view.dark)
    device = Device.connect(phone.serial, clock)
    try:
        return _shot_on_device(device, request, view, width)
    finally:
        device.close()


def _shot_on_device(device: Device, request: GalleryAnomaly, view: AnomalyView, width: int) -> AnomalyShot:
    name = request.anomaly.id
    app = _BACKGROUND_APP_FOR.get(name, _BACKGROUND_APP[view.language])
    device.adb.shell(["locksettings", "set-disabled", "false"]).check("enable the lock screen")
    if name == "permission-taken":
        device.apps.set_permission(app, _FINE, granted=True)
        device.apps.set_permission(app, _COARSE, granted=False)
    if name == "heads-up":
        companion_apk.set_up(device)
    device.apps.open(app)
    before = _pixels(device)
    value = request.value or _GALLERY_VALUES.get(name, {}).get(view.language, "")
    try:
        anomaly_request = request_for(device, request.anomaly, app=app, value=value, language=view.language)
        perform_anomaly(device, request.anomaly, anomaly_request)
    except CommandError as error:
        return AnomalyShot(request.name, view, problem=f"Not in effect: {error}")
    if name == "permission-taken":
        _tap(device, _PERMISSION_BUTTON)
    after = _pixels(device)
    if after.size == before.size and after.tobytes() == before.tobytes():
        return AnomalyShot(request.name, view, problem="It does not change the screen.")
    height = round(after.height * width / after.width)
    if after.width > after.height:
        height, width = width, round(after.width * width / after.height)
    buffer = io.BytesIO()
    small = after.resize((width, height), Image.Resampling.LANCZOS)
    small.save(buffer, "JPEG", quality=82, optimize=True)
    return AnomalyShot(request.name, view, buffer.getvalue(), width, height, value=anomaly_request.value)


def _tap(device: Device, resource_id: str) -> None:
    nodes = device.settle().reading.tree.nodes
    for node in nodes:
        if node.resource_id.endswith(f":id/{resource_id}"):
            at = node.bounds.center
            device.adb.shell(["input", "tap", str(at.x), str(at.y)]).check("tap")
            return


def _pixels(device: Device) -> Image.Image:
    png = device.observe(0, settled=device.settle()).screenshot.png
    return Image.open(io.BytesIO(png)).convert("RGB")
