"""Go through an app as a finger would, and note all that its screens show.

The phone is as tall as a screen has to be for everything on it to be in view, so that nothing has to be
scrolled to. What is noted are the elements' texts, descriptions and id names, as keywords of rules find them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from garabench.core.geometry import Size
from garabench.core.seeds import generator
from garabench.core.tree import UiTree, parse_tree
from garabench.virtual.apps.catalog import installed_apps
from garabench.virtual.apps.framework import App, Intent
from garabench.virtual.os.keys import Key
from garabench.virtual.os.packages import LAUNCHER, MAIN
from garabench.virtual.os.phone import Phone
from garabench.virtual.os.profile import Profile
from garabench.virtual.os.tasks import ActivityRecord
from garabench.virtual.ui import widgets as w
from garabench.virtual.ui.dump import u2_xml
from garabench.virtual.ui.scene import LaidNode, LaidWindow, Scene, WindowKind

TALL = Size(1080, 12_000)
MILLISECONDS_TO_SETTLE = 800
_MILLISECONDS_TO_BEGIN = 200
"""What is on the screen for a moment only, as while something is loaded, is seen then."""
_PROFILE = "android-34:1080x2400"
_TOUCHED = (WindowKind.APPLICATION, WindowKind.DIALOG)
_STARTS_IN_A_ROW = 3
_BACKS_IN_A_ROW = 12
_STARTS_A_PHONE = 20
_LABEL = 40
_OFF: Mapping[str, str] = {"wifi_on": "0", "mobile_data": "0"}


@dataclass(frozen=True, slots=True)
class Manner:
    """How an app is gone through.

    Attributes:
        seed: Of the order in which what is on a screen is touched: 0 from above, others at random.
        again: Touch the same on a page of another object anew: the buttons of each product.
        online: Whether there is a network, once the app has started.
        words: What is typed into each text field, one after the other.
    """

    seed: int = 0
    again: bool = False
    online: bool = True
    words: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class _Touch:
    """Something that can be done on a screen: a tap, a long press, or a word to be typed."""

    key: tuple[Any, ...]
    window: LaidWindow
    node: LaidNode
    held: bool = False
    word: str | None = None


class Tour:
    """A phone on which an app is gone through.

    Attributes:
        app: The app.
        phone: The phone; another one after `renew`.
        shown: What each app has shown so far, by package.
    """

    def __init__(self, app: App, lang: str) -> None:
        """Begin on a new phone.

        Args:
            app: The app.
            lang: The phone's language.
        """
        self.app = app
        self.shown: dict[str, set[str]] = {}
        self._lang = lang
        self._profile = replace(Profile.parse(_PROFILE), size=TALL)
        self._done: set[tuple[Any, ...]] = set()
        self._read: tuple[Scene, UiTree] | None = None
        self.renew()

    def renew(self) -> None:
        """Go on with a new phone, on the app's first screen."""
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
        """Let time pass until what was begun is done, and look when it has just begun."""
        self.phone.clock.advance(_MILLISECONDS_TO_BEGIN)
        self.look()
        self.phone.clock.advance(MILLISECONDS_TO_SETTLE - _MILLISECONDS_TO_BEGIN)

    def look(self) -> UiTree:
        """Note what is on the screen; its tree."""
        scene = self.phone.scene()
        if self._read is None or self._read[0] is not scene:
            self._read = scene, parse_tree(u2_xml(scene))
            for root in self._read[1].roots:
                noted = self.shown.setdefault(root.package, set())
                for node in root.walk():
                    noted.update(filter(None, (node.text, node.desc, node.entry)))
        return self._read[1]

    def write(self, text: str, *, clear: bool, submit: bool) -> None:
        """Type into the field that has the focus."""
        if clear:
            self.phone.ime.clear()
        self.phone.ime.commit_text(text)
        self.settle()
        self.look()
        if submit:
            self.phone.input.key(Key.ENTER)

    def back(self) -> None:
        """Go back by one screen; the keyboard is none."""
        if self.phone.ime.shown:
            self.phone.press_back()
        self.phone.press_back()

    def forget(self) -> None:
        """Let everything be touched once more."""
        self._done.clear()

    def explore(self, most: int, manner: Manner = Manner()) -> int:
        """Touch whatever has not been touched yet, from the present screen on.

        Args:
            most: Touches at most.
            manner: How.

        Returns:
            The number of touches.
        """
        number = starts = in_a_row = backs = 0
        while number < most and in_a_row < _STARTS_IN_A_ROW:
            self.look()
            if backs > _BACKS_IN_A_ROW:  # it holds Back
                self.phone.activities.force_stop(self.app.package)
                backs = 0
            if self._front is None:
                starts, in_a_row = starts + 1, in_a_row + 1
                self.renew() if starts % _STARTS_A_PHONE == 0 else self.launch(self.app.package)
                if not manner.online:
                    self._switch_off()
                continue
            if (touch := self._next(manner)) is None:
                backs += 1
                self.back()
            else:
                number, in_a_row, backs = number + 1, 0, 0
                self._done.add(touch.key)
                self._perform(touch)
            self.settle()
        return number

    @property
    def _front(self) -> ActivityRecord | None:
        """The app's activity in front."""
        front = self.phone.activities.resumed
        return front if front is not None and front.app is self.app else None

    def _switch_off(self) -> None:
        for key, value in _OFF.items():
            self.phone.settings.put("global", key, value)
        self.settle()

    def _next(self, manner: Manner) -> _Touch | None:
        """Something on the topmost window that has not been done yet."""
        front = self._front
        windows = [
            each
            for each in self.phone.scene().windows
            if each.package == self.app.package and each.kind in _TOUCHED
        ]
        if front is None or not windows:
            return None
        about = repr(sorted(front.intent.extras.items())) + front.intent.data if manner.again else ""
        page = (front.name, about, windows[-1].kind)
        found = [
            touch
            for node in windows[-1].root.walk()
            if node.enabled and not node.visible.is_empty
            for touch in _touches(page, windows[-1], node, manner.words)
            if touch.key not in self._done
        ]
        if not found or manner.seed == 0:
            return next(iter(found), None)
        return generator(manner.seed, "tour", self.app.package, len(self._done)).choice(found)

    def _perform(self, touch: _Touch) -> None:
        at = touch.node.visible.center
        if touch.held:
            self.phone.input.long_press(at.x, at.y)
        elif isinstance(touch.node.widget, w.Canvas | w.Slider):
            self.phone.input.tap(at.x, at.y)
        else:
            self.phone.input.click(touch.window, touch.node)
        if touch.word is not None:
            self.settle()
            self.write(touch.word, clear=True, submit=True)


def _touches(page: tuple[Any, ...], window: LaidWindow, node: LaidNode, words: Sequence[str]) -> list[_Touch]:
    """What can be done with an element."""
    found = []
    if isinstance(node.widget, w.TextField):
        found += [_Touch((*page, node.resource_id, "type", word), window, node, word=word) for word in words]
    elif node.clickable:
        found.append(_Touch((*page, node.resource_id, "tap", _label(node)), window, node))
    if node.long_clickable:
        found.append(_Touch((*page, node.resource_id, "hold", _label(node)), window, node, held=True))
    return found


def _label(node: LaidNode) -> str:
    """The first that an element or one in it says."""
    said = (each.text or each.desc for each in node.walk())
    return next(filter(None, said), "")[:_LABEL]
