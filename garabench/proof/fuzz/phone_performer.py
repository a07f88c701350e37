"""A virtual phone inside this process, on which paths are performed without adb.

It does what `garabench.device.device` does on the wire, with the same touches, keys and pauses. Findings are
confirmed on the wire when they are proven as a near miss or an alternative.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image

from garabench.core import action as act
from garabench.core.app_state import SYSTEM, AppEffects
from garabench.core.companion_app import PACKAGE as COMPANION
from garabench.core.keys import KEYS
from garabench.core.observation import Focus
from garabench.core.selector import find
from garabench.core.step_planner import plan_step
from garabench.core.steps import AnswerStep, GiveUpStep, RotateStep, ScrollStep, SolutionStep, WaitForStep
from garabench.core.tree import UiTree, is_system, parse_tree
from garabench.device.device import scroll_line
from garabench.device.settle import spinner
from garabench.device.text import focused_field
from garabench.effects.diff import state_changes
from garabench.effects.parse import parse_state
from garabench.effects.state import State, UnknownState
from garabench.effects.system import parse_system
from garabench.proof.findings import Variant
from garabench.proof.fuzz.phone_page import NO_PAGE, Page
from garabench.virtual.android import content_providers
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.package_manager import LAUNCHER, MAIN
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.running_snapshot import RunningSnapshot
from garabench.virtual.app_files.app_loader import phone_apps
from garabench.virtual.kit.framework import Intent
from garabench.virtual.ui.dump import u2_xml
from garabench.virtual.ui.render import draw_screen
from garabench.virtual.ui.scene import Scene

_SETTLE_MS = 500
_MAX_READINGS = 12
_MAX_SCROLLS = 12
_MAX_POLLS = 6
_TAP_MS = 60
_CHAR_MS = 10
_NAMESPACES = ("system", "secure", "global")
_LANDSCAPE, _PORTRAIT = "1", "0"


@dataclass
class PhoneFacts:
    """The facts of a settled screen; settings and packages are read at once, since the phone moves on.

    Attributes:
        tree: The UI tree.
        focus: The window in focus.
        answer: The answer so far, if any.
        settings: The settings by namespace.
        running: The packages with a process.
        installed: The installed packages.
        state: Prints an app's state at this moment, by its address; None if there is no such provider.
    """

    tree: UiTree
    focus: Focus | None
    answer: str | None
    settings: Mapping[str, Mapping[str, str]]
    running: frozenset[str]
    installed: frozenset[str]
    state: Callable[[str], str | None]

    def setting(self, namespace: str, key: str) -> str | None:
        """Return a setting as ``settings get`` prints it."""
        return self.settings.get(namespace, {}).get(key, "null")

    def package_state(self, package: str, state: str) -> bool | None:
        """Return whether a package is ``installed`` or ``running``."""
        return package in (self.installed if state == "installed" else self.running)

    def content(self, uri: str) -> str | None:
        """Return an app's state as ``content query`` prints it; None (unknown) for other content."""
        return self.state(uri)


@dataclass(frozen=True, slots=True)
class SavedPerformance:
    """A moment of a path, to which a performer can return.

    Attributes:
        phone: The phone.
        answer: The answer so far.
        seen: The packages seen so far.
    """

    phone: RunningSnapshot
    answer: str | None
    seen: frozenset[str]


@dataclass
class PhonePerformer:
    """A virtual phone on which paths are performed.

    Attributes:
        phone: The phone.
        answer: The answer that the path has given, if any.
    """

    phone: Phone
    answer: str | None = None
    _seen: set[str] = field(default_factory=set)
    _before: dict[str, State] = field(default_factory=dict)
    _tree: tuple[Scene, UiTree] | None = None
    _settled: bool = False

    @classmethod
    def start(cls, variant: Variant, app_files: Sequence[Path] = ()) -> PhonePerformer:
        """Boot a phone of a variant.

        Args:
            variant: The variant.
            app_files: The files of apps that it has besides the built-in ones.

        Raises:
            InputError: An app file is wrong.
        """
        profile = Profile.parse(variant.profile)
        return cls(Phone(profile, apps=phone_apps(app_files), lang=variant.lang, seed=variant.seed))

    def begin(self, app: str) -> None:
        """Reset the phone and open an app on its first screen."""
        self.phone.reset()
        self.answer = None
        self._tree, self._settled = None, False
        self._seen = {SYSTEM, app}
        self._launch(app)
        self.settle()
        self._before = {name: self._state(name) for name in (SYSTEM, *self._with_state())}

    def save(self) -> SavedPerformance:
        """Save this moment."""
        self.settle()
        return SavedPerformance(self.phone.save_running(), self.answer, frozenset(self._seen))

    def load(self, saved: SavedPerformance) -> None:
        """Return to a saved moment of the same path."""
        self.phone.load_running(saved.phone)
        self.answer, self._seen = saved.answer, set(saved.seen)
        self._tree, self._settled = None, True

    @property
    def page(self) -> Page:
        """The page in the foreground."""
        front = self.phone.activities.resumed
        if front is None:
            return NO_PAGE
        shown = sorted(front.intent.extras.items())
        return Page(front.app.package, f"{front.name} {front.intent.data} {shown!r}")

    def picture(self) -> Image.Image:
        """Return a picture of the settled screen."""
        self.settle()
        return draw_screen(self.phone.scene())

    def settle(self) -> UiTree:
        """Advance the phone's time until the screen is still, and return its tree."""
        tree = self._read()
        for _ in range(0 if self._settled else _MAX_READINGS):
            self.phone.clock.advance(_SETTLE_MS)
            last, tree = tree, self._read()
            if (tree is last or tree.signature == last.signature) and spinner(tree) is None:
                break
        self._settled = True
        for package in tree.packages:
            self._seen.add(package)
        return tree

    def facts(self) -> PhoneFacts:
        """Return the facts of the settled screen."""
        tree, phone = self.settle(), self.phone
        window = phone.scene().focus
        package, _, activity = ("", "", "") if window is None else window.title.partition("/")
        if not activity and window is not None:
            package, activity = window.package, window.title
        return PhoneFacts(
            tree,
            None if window is None else Focus(package=package, activity=activity),
            self.answer,
            {name: dict(phone.settings.list(name)) for name in _NAMESPACES},
            frozenset(name for _, name in phone.processes.list()),
            frozenset(each.app.package for each in phone.packages.all()),
            self._printed_state,
        )

    def effects(self) -> tuple[AppEffects, ...]:
        """Return what the path has changed since `begin` in the system and in the apps that it visited."""
        visited = [
            name for name in self._before if name in self._seen and name != COMPANION and not is_system(name)
        ]
        return tuple(state_changes(name, self._before[name], self._state(name)) for name in visited)

    def perform(self, step: SolutionStep) -> str:
        """Perform a step. Return why it could not be done; empty on success."""
        match step:
            case AnswerStep():
                self.answer = step.answer
                return ""
            case GiveUpStep():
                return ""
            case RotateStep():
                self.rotate()
                return ""
            case WaitForStep():
                return self._wait_for(step)
            case ScrollStep() if step.scroll.until is not None:
                return self._scroll_until(step)
            case _:
                return self._once(step)

    def rotate(self) -> None:
        """Turn the phone to landscape and back."""
        settings = self.phone.settings
        before = {key: settings.get("system", key) for key in ("accelerometer_rotation", "user_rotation")}
        settings.put("system", "accelerometer_rotation", "0")
        for value in (_LANDSCAPE, _PORTRAIT):
            settings.put("system", "user_rotation", value)
            self._settled = False
            self.settle()
        for key, old in before.items():
            if old is None:
                settings.delete("system", key)
            else:
                settings.put("system", key, old)
        self._settled = False

    def _once(self, step: SolutionStep) -> str:
        tree = self.settle()
        action = plan_step(step, tree, self.phone.display.current_size)
        if action is None:
            kind, value = next(iter(step))
            name = value.describe() if hasattr(value, "describe") else f"{kind}: {value}"
            return f"{name} is not on screen"
        self._settled = False
        return self._act(action)

    def _wait_for(self, step: WaitForStep) -> str:
        for _ in range(_MAX_POLLS):
            if find(self.settle(), step.wait_for):
                return ""
            self.phone.clock.advance(_SETTLE_MS)
            self._settled = False
        return f"{step.wait_for.describe()} does not appear"

    def _scroll_until(self, step: ScrollStep) -> str:
        wanted = step.scroll.until
        for _ in range(_MAX_SCROLLS):
            if wanted is None or find(self.settle(), wanted):
                return ""
            if problem := self._once(step):
                return problem
        return f"scrolling does not reveal {wanted.describe() if wanted else 'it'}"

    def _act(self, action: act.Action) -> str:
        touch, clock = self.phone.input, self.phone.clock
        match action:
            case act.Tap():
                self._tap(action.x, action.y)
            case act.DoubleTap():
                self._tap(action.x, action.y)
                self._tap(action.x, action.y)
            case act.LongPress():
                touch.long_press(action.x, action.y, action.ms)
                clock.advance(action.ms)
            case act.Swipe():
                touch.swipe(action.x1, action.y1, action.x2, action.y2, action.ms)
                clock.advance(action.ms)
            case act.Scroll():
                start, end = scroll_line(action, self.phone.display.current_size)
                touch.swipe(start.x, start.y, end.x, end.y, 400)
                clock.advance(400)
            case act.Type():
                return self._type(action)
            case act.Key():
                touch.key(KEYS[action.name])
            case act.Back():
                touch.key(KEYS["back"])
            case act.Home():
                touch.key(KEYS["home"])
            case act.OpenApp():
                if not self._launch(action.package):
                    return f"the app {action.package} is not installed"
            case _:
                return f"{action.type} is not an action of a solution"
        return ""

    def _tap(self, x: int, y: int) -> None:
        self.phone.input.tap(x, y)
        self.phone.clock.advance(_TAP_MS)

    def _type(self, action: act.Type) -> str:
        if action.at is not None:
            self._tap(*action.at)
        found = focused_field(self._read())
        if found is None:
            return "no text field has the focus"
        before = "" if action.clear or (found.hint and found.text == found.hint) else found.text
        self._tap(found.bounds.center.x, found.bounds.center.y)
        self.phone.ime.clear()
        if before + action.text:
            self.phone.ime.commit_text(before + action.text)
        self.phone.clock.advance(_CHAR_MS * len(action.text))
        after = focused_field(self._read())
        if after is not None and not after.password and not _same(after.text, before + action.text):
            return "the field has a different text"
        if action.submit:
            self.phone.input.key(KEYS["enter"])
        return ""

    def _launch(self, package: str) -> bool:
        installed = self.phone.packages.get(package)
        if installed is None or not installed.app.launcher:
            return False
        self.phone.activities.start(
            Intent(
                action=MAIN,
                categories=frozenset({LAUNCHER}),
                package=package,
                activity=installed.app.launcher,
            )
        )
        self._settled = False
        return True

    def _read(self) -> UiTree:
        scene = self.phone.scene()
        if self._tree is None or self._tree[0] is not scene:
            self._tree = scene, parse_tree(u2_xml(scene))
        return self._tree[1]

    def _with_state(self) -> Sequence[str]:
        return [each.app.package for each in self.phone.packages.all() if each.app.state is not None]

    def _state(self, package: str) -> State:
        if package == SYSTEM:
            return parse_system(self._system())
        try:
            return parse_state(self._rows(package))
        except (content_providers.ProviderNotFoundError, content_providers.ProviderFailedError) as error:
            return UnknownState(str(error))

    def _printed_state(self, uri: str) -> str | None:
        authority, _, package = uri.removeprefix("content://").partition("/")
        if authority != content_providers.STATE_AUTHORITY:
            return None
        try:
            return self._rows(package).strip()
        except (content_providers.ProviderNotFoundError, content_providers.ProviderFailedError):
            return None

    def _rows(self, package: str) -> str:
        rows = content_providers.query_state(self.phone, f"/{package}")
        return "".join(f"Row: {place} record={row[0]}\n" for place, row in enumerate(rows.values))

    def _system(self) -> str:
        lines = []
        for name in _NAMESPACES:
            lines += [
                f"[{name}]",
                *(f"{key}={value}" for key, value in self.phone.settings.list(name).items()),
            ]
        packages = sorted(each.app.package for each in self.phone.packages.all())
        return "\n".join([*lines, "[apps]", *(f"package:{name}" for name in packages), "[end]"])


def _same(one: str, other: str) -> bool:
    return unicodedata.normalize("NFC", one).strip() == unicodedata.normalize("NFC", other).strip()
