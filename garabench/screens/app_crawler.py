"""Crawl one app by touch, and collect all texts on its screens.

The screen is tall enough to show everything without scrolling. The elements' texts,
descriptions and id names are collected, since the keywords of rules match them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from garabench.core.geometry import Size
from garabench.core.seeds import generator
from garabench.core.tree import UiTree, parse_tree
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.keycodes import KeyCode
from garabench.virtual.android.package_manager import LAUNCHER, MAIN
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.task_records import ActivityRecord
from garabench.virtual.apps.catalog import installed_apps
from garabench.virtual.kit.framework import App, Intent
from garabench.virtual.ui import widgets as w
from garabench.virtual.ui.dump import u2_xml
from garabench.virtual.ui.scene import PlacedNode, PlacedWindow, Scene, WindowKind

TALL_SCREEN = Size(1080, 12_000)
SETTLE_MS = 800
TRANSIENT_MS = 200
"""Time of an additional early reading, which sees transient screens such as a loading state."""
_PROFILE = "android-34:1080x2400"
_TOUCHED_WINDOWS = (WindowKind.APPLICATION, WindowKind.DIALOG)
_MAX_CONSECUTIVE_STARTS = 3
_MAX_CONSECUTIVE_BACKS = 12
_STARTS_PER_PHONE = 20
_MAX_LABEL = 40
_OFFLINE_SETTINGS: Mapping[str, str] = {"wifi_on": "0", "mobile_data": "0"}


@dataclass(frozen=True, slots=True)
class CrawlOptions:
    """How to explore an app.

    Attributes:
        seed: Seed of the order of touches; 0 is from top to bottom, others are random.
        per_object: Whether to repeat touches on the page of another object, such as the buttons of each
            product.
        online: Whether the network is on after the app has started.
        inputs: Texts to type into each text field, one after the other.
    """

    seed: int = 0
    per_object: bool = False
    online: bool = True
    inputs: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class _Touch:
    """A possible touch on a screen: a tap, a long press, or a text to type."""

    key: tuple[Any, ...]
    window: PlacedWindow
    node: PlacedNode
    long_press: bool = False
    text: str | None = None


class AppCrawler:
    """A phone on which one app is crawled.

    Attributes:
        app: The app.
        phone: The phone; replaced by `restart`.
        texts: The texts seen so far, by package.
    """

    def __init__(self, app: App, lang: str) -> None:
        """Start on a new phone.

        Args:
            app: The app.
            lang: Language of the phone.
        """
        self.app = app
        self.texts: dict[str, set[str]] = {}
        self._lang = lang
        self._profile = replace(Profile.parse(_PROFILE), size=TALL_SCREEN)
        self._done: set[tuple[Any, ...]] = set()
        self._screen: tuple[Scene, UiTree] | None = None
        self.restart()

    def restart(self) -> None:
        """Continue on a new phone, on the app's first screen."""
        self.phone = Phone(self._profile, apps=installed_apps(), lang=self._lang)
        self.launch(self.app.package)

    def launch(self, package: str) -> None:
        """Start an app as its icon does."""
        installed = self.phone.packages.get(package)
        if installed is not None and installed.app.launcher:
            activity, categories = installed.app.launcher, frozenset({LAUNCHER})
            self.phone.activities.start(
                Intent(action=MAIN, categories=categories, package=package, activity=activity)
            )
        self.settle()

    def settle(self) -> None:
        """Advance time until transitions are over, and read the screen early on as well."""
        self.phone.clock.advance(TRANSIENT_MS)
        self.collect_texts()
        self.phone.clock.advance(SETTLE_MS - TRANSIENT_MS)

    def collect_texts(self) -> UiTree:
        """Collect the texts on screen and return the tree."""
        scene = self.phone.scene()
        if self._screen is None or self._screen[0] is not scene:
            self._screen = scene, parse_tree(u2_xml(scene))
            for root in self._screen[1].roots:
                texts = self.texts.setdefault(root.package, set())
                for node in root.walk():
                    texts.update(filter(None, (node.text, node.desc, node.entry)))
        return self._screen[1]

    def type_text(self, text: str, *, clear: bool, submit: bool) -> None:
        """Type into the focused field."""
        if clear:
            self.phone.ime.clear()
        self.phone.ime.commit_text(text)
        self.settle()
        self.collect_texts()
        if submit:
            self.phone.input.key(KeyCode.ENTER)

    def back(self) -> None:
        """Go back one screen; closing the keyboard does not count."""
        if self.phone.ime.shown:
            self.phone.press_back()
        self.phone.press_back()

    def forget_touches(self) -> None:
        """Allow every touch to be repeated once."""
        self._done.clear()

    def explore(self, max_touches: int, options: CrawlOptions = CrawlOptions()) -> int:
        """Perform touches that were not performed before, starting from the current screen.

        Args:
            max_touches: Maximum number of touches.
            options: How to explore.

        Returns:
            The number of touches.
        """
        number = starts = consecutive_starts = backs = 0
        while number < max_touches and consecutive_starts < _MAX_CONSECUTIVE_STARTS:
            self.collect_texts()
            if backs > _MAX_CONSECUTIVE_BACKS:  # the app intercepts Back
                self.phone.activities.force_stop(self.app.package)
                backs = 0
            if self._front is None:
                starts, consecutive_starts = starts + 1, consecutive_starts + 1
                self.restart() if starts % _STARTS_PER_PHONE == 0 else self.launch(self.app.package)
                if not options.online:
                    self._switch_off()
                continue
            if (touch := self._next(options)) is None:
                backs += 1
                self.back()
            else:
                number, consecutive_starts, backs = number + 1, 0, 0
                self._done.add(touch.key)
                self._perform(touch)
            self.settle()
        return number

    @property
    def _front(self) -> ActivityRecord | None:
        """The app's resumed activity."""
        front = self.phone.activities.resumed
        return front if front is not None and front.app is self.app else None

    def _switch_off(self) -> None:
        for key, value in _OFFLINE_SETTINGS.items():
            self.phone.settings.put("global", key, value)
        self.settle()

    def _next(self, options: CrawlOptions) -> _Touch | None:
        """Return a touch on the topmost window that was not performed before."""
        front = self._front
        windows = [
            each
            for each in self.phone.scene().windows
            if each.package == self.app.package and each.kind in _TOUCHED_WINDOWS
        ]
        if front is None or not windows:
            return None
        object_key = (
            repr(sorted(front.intent.extras.items())) + front.intent.data if options.per_object else ""
        )
        page = (front.name, object_key, windows[-1].kind)
        found = [
            touch
            for node in windows[-1].root.walk()
            if node.enabled and not node.visible.is_empty
            for touch in _touches(page, windows[-1], node, options.inputs)
            if touch.key not in self._done
        ]
        if not found or options.seed == 0:
            return next(iter(found), None)
        return generator(options.seed, "tour", self.app.package, len(self._done)).choice(found)

    def _perform(self, touch: _Touch) -> None:
        at = touch.node.visible.center
        if touch.long_press:
            self.phone.input.long_press(at.x, at.y)
        elif isinstance(touch.node.widget, w.Canvas | w.Slider):
            self.phone.input.tap(at.x, at.y)
        else:
            self.phone.input.click(touch.window, touch.node)
        if touch.text is not None:
            self.settle()
            self.type_text(touch.text, clear=True, submit=True)


def _touches(
    page: tuple[Any, ...], window: PlacedWindow, node: PlacedNode, inputs: Sequence[str]
) -> list[_Touch]:
    """Return the possible touches on an element."""
    found = []
    if isinstance(node.widget, w.TextField):
        found += [_Touch((*page, node.resource_id, "type", word), window, node, text=word) for word in inputs]
    elif node.clickable:
        found.append(_Touch((*page, node.resource_id, "tap", _label(node)), window, node))
    if node.long_clickable:
        found.append(_Touch((*page, node.resource_id, "hold", _label(node)), window, node, long_press=True))
    return found


def _label(node: PlacedNode) -> str:
    """Return the first text or description of an element or its descendants."""
    labels = (each.text or each.desc for each in node.walk())
    return next(filter(None, labels), "")[:_MAX_LABEL]
