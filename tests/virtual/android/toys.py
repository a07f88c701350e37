"""Small apps for the tests of the phone's system."""

from __future__ import annotations

from collections.abc import Mapping

from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.phone_clock import Latency
from garabench.virtual.kit.framework import Activity, App, Intent
from garabench.virtual.kit.intent_filter import IntentFilter
from garabench.virtual.ui import widgets as w
from garabench.virtual.ui.scene import PlacedNode, PlacedWindow

HOME = "toy.home"
PKG = "toy.app"
OTHER = "toy.other"
CAMERA = "android.permission.CAMERA"
LOCATION = "android.permission.ACCESS_FINE_LOCATION"


class Traced(Activity):
    """Records its life-cycle calls in its app's data, under ``trace``."""

    def note(self, callback: str) -> None:
        self.ctx.data.setdefault("trace", []).append(f"{type(self).__name__}.{callback}")

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
    filters = (IntentFilter.of("android.intent.action.MAIN", category="android.intent.category.HOME"),)

    def build(self) -> w.Widget:
        return w.Text(text="home", width=w.MATCH, height=w.MATCH)


class Main(Traced):
    """A counter, two fields, a list and a dialog."""

    def on_create(self) -> None:
        super().on_create()
        self.count = 0
        self.long_presses = 0
        self.name = ""
        self.query = ""
        self.submitted = ""
        self.asking = False
        self.slider = 0.0
        self.rows = 50
        self.answers: list[bool] = []

    def build(self) -> w.Widget:
        return w.Column(
            width=w.MATCH,
            height=w.MATCH,
            children=[
                w.Button(
                    id="count",
                    text=f"count {self.count}",
                    height=48,
                    on_click=self.add,
                    on_long_click=self.count_long_press,
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
                w.ScrollView(
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

    def dialog(self) -> w.Widget | None:
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

    def count_long_press(self) -> None:
        self.long_presses += 1

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
    filters = (IntentFilter.of("android.intent.action.VIEW", scheme="toy", host="detail"),)

    def build(self) -> w.Widget:
        return w.Text(text="detail", width=w.MATCH, height=w.MATCH)


class Single(Traced):
    launch_mode = "singleTask"

    def build(self) -> w.Widget:
        return w.Text(text="single")


class SingleTop(Traced):
    launch_mode = "singleTop"

    def build(self) -> w.Widget:
        return w.Text(text="single top")


class Veil(Traced):
    translucent = True

    def build(self) -> w.Widget:
        return w.Text(text="veil")


class Wide(Traced):
    orientation = "landscape"

    def build(self) -> w.Widget:
        return w.Text(text="wide", width=w.MATCH, height=w.MATCH)


class Private(Traced):
    exported = False

    def build(self) -> w.Widget:
        return w.Text(text="private")


class Broken(Traced):
    def build(self) -> w.Widget:
        raise ValueError("no view")


class BrokenStart(Traced):
    def on_create(self) -> None:
        raise ValueError("no start")

    def build(self) -> w.Widget:
        return w.Box()


class Plain(Traced):
    def build(self) -> w.Widget:
        return w.Text(text="other")


def _named(package: str, *classes: type[Activity]) -> Mapping[str, type[Activity]]:
    return {f"{package}.{each.__name__}": each for each in classes}


def toys() -> tuple[App, ...]:
    """Return a home screen, an app with every kind of activity, and another app."""
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
    """Start an activity by its short name; return the kind of the result."""
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
    """Return the life-cycle calls of the app's activities since the last call."""
    installed = device.packages.get(package)
    assert installed is not None
    noted: list[str] = installed.data.get("trace", [])
    installed.data["trace"] = []
    return noted


def nodes(device: Phone, **wanted: str) -> list[tuple[PlacedWindow, PlacedNode]]:
    """Return visible nodes whose attributes have these values."""
    return [
        (window, node)
        for window in device.scene().windows
        for node in window.root.walk()
        if all(getattr(node, name) == value for name, value in wanted.items()) and not node.visible.is_empty
    ]


def node(device: Phone, **wanted: str) -> PlacedNode:
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
