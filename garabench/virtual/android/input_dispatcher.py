"""Dispatches touches and keys to the apps' widgets."""

from __future__ import annotations

from garabench.core.geometry import Point
from garabench.virtual.android.keycodes import CHARACTERS, KeyCode
from garabench.virtual.android.phone_interface import PhoneInterface
from garabench.virtual.ui import hit_test, scrolling
from garabench.virtual.ui import widgets as w
from garabench.virtual.ui.scene import PlacedNode, PlacedWindow, WindowKind
from garabench.virtual.ui.system_widgets import CARD, NOTE

LONG_PRESS_MS = 500
ANR_TIMEOUT_MS = 5000
"""Android shows the ANR dialog of an app that has not handled an input event for this long."""
_APP_WINDOWS = (WindowKind.APPLICATION, WindowKind.DIALOG)
_DROPS_KEYS_SDK = 19
_WAKEUP_KEY_SDK = 20
"""First API level that knows the keys WAKEUP and SLEEP (Android 4.4W)."""
_TOUCH_SLOP_DP = 8
_FLING_DP_PER_S = 1000
_FLING_SECONDS = 0.25


class UnmappableTextError(ValueError):
    """``input text`` has no key for a character."""


class InputDispatcher:
    """Performs input; all effects have happened when a call returns."""

    def __init__(self, phone: PhoneInterface) -> None:
        self._phone = phone
        self._down: tuple[Point, int] | None = None
        self._last = Point(0, 0)

    def tap(self, x: int, y: int) -> None:
        """Tap once."""
        phone = self._phone
        if not phone.display.screen_on:
            return
        point = Point(x, y)
        window = self._window_at(point)
        if window is None:
            return
        if window.modal and not window.root.visible.contains(point):
            phone.windows.dismiss_outside(window)
            return
        found = hit_test.clickable_at(phone.scene(), point)
        if found is not None and not self._touch_canvas(point, "on_tap_at"):
            self.click(*found, point)

    def _window_at(self, point: Point) -> PlacedWindow | None:
        """Focus the touched half of the screen and return the touched window."""
        window = hit_test.window_at(self._phone.scene(), point)
        if window is not None and window.split_bounds is not None:
            self._phone.windows.focus_on(window)
            window = hit_test.window_at(self._phone.scene(), point)
        return window

    def click(self, window: PlacedWindow, node: PlacedNode, point: Point | None = None) -> None:
        """Click a node."""
        phone, widget = self._phone, node.widget
        if not widget.enabled or self._is_not_responding(window):
            return
        if phone.ime.serves(node) and widget.on_click is None:
            return  # nothing changes, and the app's view need not be built again
        if isinstance(widget, w.TextField):
            state = phone.windows.state_of(window)
            state.focused = node.key_path
            phone.ime.show(node)
        elif isinstance(widget, w.Slider) and point is not None and widget.on_change is not None:
            fraction = (point.x - node.bounds.left) / max(1, node.bounds.width)
            change = widget.on_change
            phone.run_app(window.package, lambda: change(min(1.0, max(0.0, fraction))))
        if widget.on_click is not None:
            phone.run_app(window.package, widget.on_click)
        phone.changed()

    def _is_not_responding(self, window: PlacedWindow) -> bool:
        """Return whether an app ignores an input event, which the system reports later as an ANR.

        The fault ``not-responding`` blocks the foreground app, a SIGSTOP any app.
        """
        phone, front, package = self._phone, self._phone.activities.resumed, window.package
        at_fault = phone.faults.active("not-responding") is not None
        blocked = at_fault and front is not None and package == front.app.package
        if window.kind not in _APP_WINDOWS or not (blocked or phone.processes.frozen(package)):
            return False
        phone.clock.after(ANR_TIMEOUT_MS, lambda: phone.windows.report_anr(package))
        return True

    def stuck(self) -> bool:
        """Return whether the focused app is stopped, so that keys and text are lost."""
        window = self._phone.scene().focus
        frozen = window is not None and self._phone.processes.frozen(window.package)
        return window is not None and frozen and self._is_not_responding(window)

    def double_tap(self, x: int, y: int) -> None:
        """Tap twice; a canvas may handle both as a double tap."""
        if self._phone.display.screen_on:
            self._window_at(Point(x, y))
            if self._touch_canvas(Point(x, y), "on_double_tap_at"):
                return
        self.tap(x, y)
        self.tap(x, y)

    def long_press(self, x: int, y: int, milliseconds: int = 800) -> None:
        """Hold a finger down; a short hold, or one where nothing handles long presses, is a tap."""
        if not self._phone.display.screen_on:
            return
        self._window_at(Point(x, y))
        if milliseconds >= LONG_PRESS_MS and self._touch_canvas(Point(x, y), "on_hold_at"):
            return
        found = hit_test.node_at(
            self._phone.scene(), Point(x, y), lambda node: node.clickable or node.long_clickable
        )
        if milliseconds >= LONG_PRESS_MS and found is not None:
            window, node = found
            act = node.widget.on_long_click
            if self._is_not_responding(window):
                return
            if act is not None and node.widget.enabled:
                self._phone.run_app(window.package, act)
                self._phone.changed()
                return
        self.tap(x, y)

    def swipe(self, x1: int, y1: int, x2: int, y2: int, milliseconds: int = 300) -> None:
        """Swipe: scroll the view at the start, or pull the shade down."""
        phone = self._phone
        if not phone.display.screen_on:
            return
        dx, dy = x2 - x1, y2 - y1
        slop = _TOUCH_SLOP_DP * phone.display.density // 160
        if abs(dx) <= slop and abs(dy) <= slop:
            self.long_press(x1, y1, milliseconds)
            return
        if phone.keyguard.showing:
            if -dy > abs(dx):
                phone.keyguard.dismiss()
            return
        if y1 < phone.windows.app_area().top and dy > abs(dx):
            phone.windows.open_shade()
            return
        if phone.windows.overlay == "shade" and dy < 0:
            phone.windows.close_overlay()
            return
        if phone.windows.overlay and abs(dx) > abs(dy) and self._swipe_away(Point(x1, y1)):
            return
        window = self._window_at(Point(x1, y1))
        if window is not None and window.kind is WindowKind.HEADS_UP:
            phone.windows.swipe_heads_up(away=abs(dx) > abs(dy))
            return
        if self._drag_divider(window, x2, y2):
            return
        horizontal = abs(dx) > abs(dy)
        self._scroll(Point(x1, y1), dx, dy, milliseconds, horizontal=horizontal)

    def _drag_divider(self, window: PlacedWindow | None, x: int, y: int) -> bool:
        """Drag a split screen's divider to a point; False if the window is not the divider."""
        if window is None or window.kind is not WindowKind.DIVIDER:
            return False
        self._phone.activities.split.drag(x, y)
        return True

    def _swipe_away(self, start: Point) -> bool:
        """Dismiss the notification or recent app at a point; return whether there was one."""
        phone = self._phone
        found = hit_test.node_at(phone.scene(), start, lambda node: node.widget.key.startswith((CARD, NOTE)))
        if found is None:
            return False
        kind, _, number = found[1].widget.key.partition(":")
        if f"{kind}:" == NOTE:
            phone.notifications.swipe(int(number))
        else:
            phone.activities.remove_task(int(number))
        phone.changed()
        return True

    def _scroll(self, start: Point, dx: int, dy: int, milliseconds: int, *, horizontal: bool) -> None:
        phone = self._phone
        found = hit_test.scrollable_at(phone.scene(), start, horizontal=horizontal)
        if found is None:
            self._slide(start, dx)
            self._touch_canvas(start, "on_drag", Point(dx, dy))
            return
        window, node = found
        if self._is_not_responding(window):
            return
        distance = -(dx if horizontal else dy)
        speed = abs(distance) * 1000 / max(1, milliseconds)
        if speed > _FLING_DP_PER_S * phone.display.density / 160:
            distance += int(distance / abs(distance) * speed * _FLING_SECONDS)
        state = phone.windows.state_of(window)
        moved = scrolling.scroll_by(state, node, distance if horizontal else 0, 0 if horizontal else distance)
        if moved:
            phone.changed()
            self._notify_end(window, node)

    def _notify_end(self, window: PlacedWindow, before: PlacedNode) -> None:
        phone = self._phone
        state = phone.windows.state_of(window)
        for now in phone.scene().windows:
            if now.title != window.title or now.kind is not window.kind:
                continue
            for node in now.root.walk():
                widget = node.widget
                if node.key_path != before.key_path or not isinstance(widget, w.ScrollView | w.ListView):
                    continue
                if widget.on_end is not None and scrolling.reached_end(state, node):
                    phone.run_app(window.package, widget.on_end)
                    phone.changed()

    def _slide(self, start: Point, dx: int) -> None:
        found = hit_test.node_at(self._phone.scene(), start, lambda node: isinstance(node.widget, w.Slider))
        if found is not None:
            self.click(*found, Point(start.x + dx, start.y))

    def _touch_canvas(self, at: Point, gesture: str, delta: Point | None = None) -> bool:
        """Send a gesture to the canvas under a finger; False if no canvas handles it.

        Args:
            at: Position of the finger.
            gesture: Name of the canvas's handler attribute.
            delta: Movement in pixels; without it the handler gets the position.
        """
        phone = self._phone
        found = hit_test.node_at(
            phone.scene(), at, lambda node: node.clickable or isinstance(node.widget, w.Canvas)
        )
        if found is None or not isinstance(found[1].widget, w.Canvas) or not found[1].enabled:
            return False
        window, node = found
        call = getattr(node.widget, gesture)
        if call is None:
            return False
        argument = delta or Point(at.x - node.bounds.left, at.y - node.bounds.top)
        scale = 160 / node.density
        phone.run_app(window.package, lambda: call(argument.x * scale, argument.y * scale))
        phone.changed()
        return True

    def drag(self, x1: int, y1: int, x2: int, y2: int, milliseconds: int = 800) -> None:
        """Drag: a slider follows the finger, any other view scrolls without a fling."""
        if self._drag_divider(self._window_at(Point(x1, y1)), x2, y2):
            return
        horizontal = abs(x2 - x1) > abs(y2 - y1)
        self._scroll(Point(x1, y1), x2 - x1, y2 - y1, max(milliseconds, 10_000), horizontal=horizontal)

    def motion(self, action: int, x: int, y: int) -> None:
        """Inject a raw event: 0 down, 1 up, 2 move; on up, duration and distance decide the gesture."""
        now = self._phone.clock.now_ms()
        if action == 0:
            self._down = (Point(x, y), now)
        elif action == 1 and self._down is not None:
            start, began = self._down
            self._down = None
            slop = _TOUCH_SLOP_DP * self._phone.display.density // 160
            if abs(x - start.x) > slop or abs(y - start.y) > slop:
                self.swipe(start.x, start.y, x, y, max(1, now - began))
            elif now - began >= LONG_PRESS_MS:
                self.long_press(x, y, now - began)
            else:
                self.tap(x, y)
        self._last = Point(x, y)

    def key(self, code: int, *, meta: int = 0, longpress: bool = False) -> None:
        """Press a key by its Android key code."""
        phone = self._phone
        if code in (KeyCode.WAKEUP, KeyCode.SLEEP) and phone.profile.sdk < _WAKEUP_KEY_SDK:
            return
        if code in (KeyCode.POWER, KeyCode.WAKEUP, KeyCode.SLEEP):
            phone.set_screen(
                code == KeyCode.WAKEUP or (code == KeyCode.POWER and not phone.display.screen_on)
            )
            return
        if not phone.display.screen_on or not self._reaches(code):
            return
        if phone.keyguard.showing:
            if code == KeyCode.MENU:
                phone.keyguard.dismiss()
            return
        if code not in (KeyCode.HOME, KeyCode.APP_SWITCH) and self.stuck():
            return
        match code:
            case KeyCode.HOME:
                phone.press_home()
            case KeyCode.BACK:
                phone.press_back()
            case KeyCode.APP_SWITCH:
                phone.windows.open_recents()
            case KeyCode.ENTER | KeyCode.NUMPAD_ENTER | KeyCode.SEARCH:
                phone.ime.perform_editor_action()
            case KeyCode.DEL:
                phone.ime.backspace()
            case KeyCode.TAB:
                self._next_field()
            case KeyCode.PASTE:
                phone.ime.commit_text(phone.clipboard.get() or "")
            case KeyCode.FORWARD_DEL | KeyCode.MOVE_HOME | KeyCode.MOVE_END:
                return  # the cursor is always at the end of the text
            case KeyCode.ESCAPE:
                phone.press_back()
            case _ if code in CHARACTERS:
                plain, shifted = CHARACTERS[code]
                phone.ime.commit_text(shifted if meta & 1 else plain)

    def _reaches(self, code: int) -> bool:
        """Return whether a key has an effect: Android 4.4 drops some, as observed on a device.

        HOME does nothing before the device is set up, and no key reaches an app without an input method.
        """
        phone = self._phone
        if phone.profile.sdk > _DROPS_KEYS_SDK:
            return True
        if code == KeyCode.HOME:
            return phone.settings.get("global", "device_provisioned") != "0"
        return code == KeyCode.APP_SWITCH or bool(phone.ime.enabled)

    def _next_field(self) -> None:
        window = self._phone.scene().focus
        if window is None:
            return
        fields = [node for node in window.root.walk() if isinstance(node.widget, w.TextField)]
        focused = next((index for index, node in enumerate(fields) if node.focused), -1)
        if fields:
            self.click(window, fields[(focused + 1) % len(fields)])

    def text(self, text: str) -> None:
        """Type as ``input text`` does.

        Raises:
            UnmappableTextError: A character has no key; no character is typed.
        """
        for char in text:
            if not " " <= char <= "~":
                raise UnmappableTextError(f"no key for {char!r}")
        if self._phone.in_use and self._reaches(KeyCode.ENTER) and not self.stuck():
            self._phone.ime.commit_text(text)
