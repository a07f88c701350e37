"""Small apps and builders of files for the tests of the phone's system."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Mapping, Sequence

from garabench.virtual.apps.framework import Activity, App, Intent, IntentFilter
from garabench.virtual.os.clock import Latency
from garabench.virtual.os.phone import Phone
from garabench.virtual.os.profile import Profile
from garabench.virtual.ui import widgets as w
from garabench.virtual.ui.scene import LaidNode, LaidWindow

HOME = "toy.home"
PKG = "toy.app"
OTHER = "toy.other"
CAMERA = "android.permission.CAMERA"
LOCATION = "android.permission.ACCESS_FINE_LOCATION"


class Traced(Activity):
    """Notes what it is told in its app's data, under ``trace``."""

    def note(self, what: str) -> None:
        self.ctx.data.setdefault("trace", []).append(f"{type(self).__name__}.{what}")

    def on_create(self) -> None:
        self.note("create")

    def on_new_intent(self, intent: Intent) -> None:
        self.note("new_intent")

    def on_resume(self) -> None:
        self.note("resume")

    def on_pause(self) -> None:
        self.note("pause")

    def on_stop(self) -> None:
        self.note("stop")

    def on_destroy(self) -> None:
        self.note("destroy")


class Home(Activity):
    filters = (IntentFilter("android.intent.action.MAIN", category="android.intent.category.HOME"),)

    def build(self) -> w.View:
        return w.Text(text="home", width=w.MATCH, height=w.MATCH)


class Main(Traced):
    """A counter, two fields, a list, a dialog on demand."""

    def on_create(self) -> None:
        super().on_create()
        self.count = 0
        self.held = 0
        self.name = ""
        self.query = ""
        self.submitted = ""
        self.asking = False
        self.slider = 0.0
        self.rows = 50
        self.answers: list[bool] = []

    def build(self) -> w.View:
        return w.Column(
            width=w.MATCH,
            height=w.MATCH,
            children=[
                w.Button(
                    id="count",
                    text=f"count {self.count}",
                    height=48,
                    on_click=self.add,
                    on_long_click=self.hold,
                ),
                w.TextField(id="name", text=self.name, hint="name", height=48, on_change=self.set_name),
                w.TextField(
                    id="query",
                    text=self.query,
                    height=48,
                    action="search",
                    on_change=self.set_query,
                    on_submit=self.submit,
                ),
                w.Slider(id="slider", value=self.slider, height=40, width=w.MATCH, on_change=self.slide),
                w.Scroll(
                    id="strip",
                    horizontal=True,
                    height=60,
                    width=w.MATCH,
                    children=[w.Text(text=f"tab {n}", width=120, height=60) for n in range(20)],
                ),
                w.ListView(
                    id="list",
                    items=range(self.rows),
                    build=lambda item, index: w.Text(id="row", text=f"row {item}", height=60, width=w.MATCH),
                    item_height=60,
                    weight=1,
                    width=w.MATCH,
                    on_end=self.more,
                ),
            ],
        )

    def dialog(self) -> w.View | None:
        if not self.asking:
            return None
        return w.Column(
            width=300,
            padding=w.insets(20),
            background="#FFFFFF",
            children=[
                w.Text(text="sure?"),
                w.TextField(id="reason", text=self.name, autofocus=True, on_change=self.set_name),
                w.Button(id="yes", text="yes", on_click=self.close),
            ],
        )

    def on_dismiss_dialog(self) -> None:
        self.asking = False

    def close(self) -> None:
        self.asking = False

    def add(self) -> None:
        self.count += 1

    def hold(self) -> None:
        self.held += 1

    def set_name(self, text: str) -> None:
        self.name = text

    def set_query(self, text: str) -> None:
        self.query = text

    def submit(self) -> None:
        self.submitted = self.query

    def slide(self, value: float) -> None:
        self.slider = value

    def more(self) -> None:
        self.rows += 10


class Detail(Traced):
    filters = (IntentFilter("android.intent.action.VIEW", scheme="toy", host="detail"),)

    def build(self) -> w.View:
        return w.Text(text="detail", width=w.MATCH, height=w.MATCH)


class Single(Traced):
    launch_mode = "singleTask"

    def build(self) -> w.View:
        return w.Text(text="single")


class SingleTop(Traced):
    launch_mode = "singleTop"

    def build(self) -> w.View:
        return w.Text(text="single top")


class Veil(Traced):
    translucent = True

    def build(self) -> w.View:
        return w.Text(text="veil")


class Wide(Traced):
    orientation = "landscape"

    def build(self) -> w.View:
        return w.Text(text="wide", width=w.MATCH, height=w.MATCH)


class Private(Traced):
    exported = False

    def build(self) -> w.View:
        return w.Text(text="private")


class Broken(Traced):
    def build(self) -> w.View:
        raise ValueError("no view")


class BrokenStart(Traced):
    def on_create(self) -> None:
        raise ValueError("no start")

    def build(self) -> w.View:
        return w.Box()


class Plain(Traced):
    def build(self) -> w.View:
        return w.Text(text="other")


def _named(package: str, *classes: type[Activity]) -> Mapping[str, type[Activity]]:
    return {f"{package}.{each.__name__}": each for each in classes}


def toys() -> tuple[App, ...]:
    """Home, an app with every kind of activity, and another one."""
    return (
        App(
            package=HOME,
            label={"zh": "桌面", "en": "Home"},
            activities=_named(HOME, Home),
            system=True,
        ),
        App(
            package=PKG,
            label={"zh": "玩具", "en": "Toy"},
            activities=_named(PKG, Main, Detail, Single, SingleTop, Veil, Wide, Private, Broken, BrokenStart),
            launcher=f"{PKG}.Main",
            permissions=("android.permission.INTERNET", CAMERA, LOCATION),
            initial_data=lambda: {"trace": []},
            receivers={
                "toy.PING": lambda ctx, extras: (-1, f"pong {extras.get('n', '')}"),
                "toy.BROKEN": lambda ctx, extras: (0, str(extras["missing"])),
            },
        ),
        App(
            package=OTHER,
            label={"zh": "另一个", "en": "Other"},
            activities=_named(OTHER, Plain),
            launcher=f"{OTHER}.Plain",
        ),
    )


def phone(profile: str = "android-34", *, strict: bool = True, lang: str = "zh", seed: int = 0) -> Phone:
    return Phone(
        Profile.parse(profile),
        apps=toys(),
        seed=seed,
        latency=Latency.INSTANT,
        lang=lang,
        strict=strict,
    )


def start(device: Phone, name: str = "Main", *flags: str, package: str = PKG, caller: str = "shell") -> str:
    """Start an activity by its short name; the kind of the result."""
    intent = Intent(package=package, activity=f"{package}.{name}", flags=frozenset(flags))
    return device.activities.start(intent, caller=caller).kind.value


def front(device: Phone) -> Activity:
    record = device.activities.resumed
    assert record is not None
    return record.activity


def main_of(device: Phone) -> Main:
    found = front(device)
    assert isinstance(found, Main)
    return found


def trace(device: Phone, package: str = PKG) -> list[str]:
    """What the app's activities were told since the last call."""
    installed = device.packages.get(package)
    assert installed is not None
    noted: list[str] = installed.data.get("trace", [])
    installed.data["trace"] = []
    return noted


def nodes(device: Phone, **wanted: str) -> list[tuple[LaidWindow, LaidNode]]:
    """Visible nodes whose attributes have these values."""
    return [
        (window, node)
        for window in device.scene().windows
        for node in window.root.walk()
        if all(getattr(node, name) == value for name, value in wanted.items()) and not node.visible.is_empty
    ]


def node(device: Phone, **wanted: str) -> LaidNode:
    found = nodes(device, **wanted)
    assert found, wanted
    return found[-1][1]


def tap(device: Phone, **wanted: str) -> None:
    """Tap the middle of the node with these attributes."""
    place = node(device, **wanted).visible.center
    device.input.tap(place.x, place.y)


def focus_title(device: Phone) -> str:
    window = device.scene().focus
    return window.title if window is not None else ""


# --- building an APK ---------------------------------------------------------------------------------


def _pool(strings: Sequence[str], *, utf8: bool) -> bytes:
    body, offsets = b"", []
    for text in strings:
        offsets.append(len(body))
        if utf8:
            raw = text.encode()
            body += bytes([len(text), len(raw)]) + raw + b"\0"
        else:
            body += struct.pack("<H", len(text)) + text.encode("utf-16-le") + b"\0\0"
    body += b"\0" * (-len(body) % 4)
    head = 28 + 4 * len(strings)
    fields = (0x0001, 28, head + len(body), len(strings), 0, 0x100 if utf8 else 0, head, 0)
    return struct.pack("<HHIIIIII", *fields) + struct.pack(f"<{len(offsets)}I", *offsets) + body


Tag = tuple[str, Mapping[str, str | int | bool], Sequence["Tag"]]


def axml(tag: Tag, *, utf8: bool = False) -> bytes:
    """A document in binary XML."""
    strings: list[str] = []

    def index(text: str) -> int:
        if text not in strings:
            strings.append(text)
        return strings.index(text)

    def element(entry: Tag) -> bytes:
        name, attributes, children = entry
        body = struct.pack(
            "<IIIIHHHHHH", 1, 0xFFFFFFFF, 0xFFFFFFFF, index(name), 20, 20, len(attributes), 0, 0, 0
        )
        for key, value in attributes.items():
            if isinstance(value, bool):
                typed = (0xFFFFFFFF, 8, 0, 0x12, 0xFFFFFFFF if value else 0)
            elif isinstance(value, int):
                typed = (0xFFFFFFFF, 8, 0, 0x10, value)
            else:
                typed = (index(value), 8, 0, 0x03, index(value))
            body += struct.pack("<IIIHBBI", 0xFFFFFFFF, index(key), *typed)
        start_chunk = struct.pack("<HHI", 0x0102, 16, 8 + len(body)) + body
        end = struct.pack("<HHIIIII", 0x0103, 16, 24, 1, 0xFFFFFFFF, 0xFFFFFFFF, index(name))
        return start_chunk + b"".join(element(child) for child in children) + end

    inner = element(tag)
    inner = _pool(strings, utf8=utf8) + inner
    return struct.pack("<HHI", 0x0003, 8, 8 + len(inner)) + inner


def manifest(
    package: str = "org.example.small",
    *,
    code: int = 1,
    min_sdk: int = 16,
    target: int = 30,
    test_only: bool = False,
    permissions: Sequence[str] = (),
) -> Tag:
    main: Tag = (
        "activity",
        {"name": ".Main", "exported": True},
        [
            (
                "intent-filter",
                {},
                [
                    ("action", {"name": "android.intent.action.MAIN"}, []),
                    ("category", {"name": "android.intent.category.LAUNCHER"}, []),
                ],
            )
        ],
    )
    return (
        "manifest",
        {"package": package, "versionCode": code, "versionName": f"1.{code}"},
        [
            ("uses-sdk", {"minSdkVersion": min_sdk, "targetSdkVersion": target}, []),
            *[("uses-permission", {"name": each}, []) for each in permissions],
            (
                "application",
                {"label": "小应用", "testOnly": test_only},
                [main, ("activity", {"name": "org.example.Second"}, [])],
            ),
        ],
    )


def apk(document: Tag | bytes | None = None, *, signed: bool = True) -> bytes:
    """A small APK file."""
    out = io.BytesIO()
    content = document if isinstance(document, bytes) else axml(document or manifest())
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("AndroidManifest.xml", content)
        archive.writestr("classes.dex", b"dex\n035\0")
        if signed:
            archive.writestr("META-INF/CERT.RSA", b"signature")
    return out.getvalue()
