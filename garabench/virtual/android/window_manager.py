"""The window manager: composes the windows on the screen into a `Scene`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from garabench.core.geometry import Rect
from garabench.virtual.android.input_methods import LATIN
from garabench.virtual.android.notifications import Notification
from garabench.virtual.android.phone_interface import PhoneInterface
from garabench.virtual.android.split_screen import STAGES_SDK, SplitLayout, halves
from garabench.virtual.android.system_dialogs import SystemDialog, SystemDialogs
from garabench.virtual.android.system_ui import SYSTEM_UI, SystemUi
from garabench.virtual.android.task_records import ActivityRecord, SplitHalf
from garabench.virtual.ui import system_widgets
from garabench.virtual.ui import widgets as w
from garabench.virtual.ui.layout import lay_out
from garabench.virtual.ui.measure import Measurer
from garabench.virtual.ui.scene import PlacedNode, PlacedWindow, Scene, ViewState, WindowKind, px
from garabench.virtual.ui.soft_keyboard import HEIGHT_DP, MAX_SHARE, keyboard_view

_QUICKSTEP_SDK = 28
"""First API level (Android 9) whose launcher shows the recents."""
TOAST_MS = 2000
HEADS_UP_MS = 5000
_DIM = 0.5
_ADB_KEYBOARD_DP = 48
_DIALOG_MARGIN_DP = 24


class WindowManager:
    """The windows of the phone.

    Attributes:
        dialogs: The system's own dialogs.
        last_toast: Text and package of the last toast, or None.
        overlay: ``shade`` or ``recents`` while one of them is open, else empty.
    """

    def __init__(self, phone: PhoneInterface) -> None:
        self._phone = phone
        self._system_ui = SystemUi(phone)
        self._states: dict[str, ViewState] = {}
        self._toasts: list[tuple[str, str]] = []
        self._focus_requests: dict[int, str] = {}
        self._heads_up: Notification | None = None
        self._autofocused: set[tuple[int, WindowKind]] = set()
        self.dialogs = SystemDialogs(phone)
        self.last_toast: tuple[str, str] | None = None
        self.overlay = ""
        self._keyboards: dict[tuple[str, bool], w.Widget] = {}
        self._laid: dict[str, tuple[tuple[w.Widget, Rect, int, float], PlacedWindow]] = {}

    def app_area(self) -> Rect:
        """Return the screen without the system's bars."""
        size, density = self._phone.display.current_size, self._phone.display.density
        top, bottom = px(system_widgets.STATUS_BAR_DP, density), px(system_widgets.NAV_BAR_DP, density)
        return Rect(0, top, size.width, size.height - bottom)

    def area_of(self, record: ActivityRecord | None) -> Rect:
        """Return the area of an activity: its half of the screen, or the whole `app_area`."""
        area, half = self.app_area(), self._phone.activities.split.half_of(record) if record else None
        return area if half is None else halves(area, self._phone.display.density).of(half)

    def toast(self, text: str, package: str) -> None:
        """Show a toast, which disappears after a while."""
        entry = (text, package)
        self._toasts.append(entry)
        self.last_toast = entry

        def expire() -> None:
            self._toasts.remove(entry)
            self._phone.changed()

        self._phone.clock.after(TOAST_MS, expire)
        self._phone.changed()

    def show_heads_up(self, note: Notification) -> None:
        """Show a notification at the top of the screen for a while."""
        self._heads_up = note

        def expire() -> None:
            if self._heads_up is note:
                self.close_heads_up()

        self._phone.clock.after(HEADS_UP_MS, expire)

    def close_heads_up(self) -> None:
        """Close the heads-up notification; it stays in the shade."""
        self._heads_up = None
        self._phone.changed()

    def swipe_heads_up(self, *, away: bool) -> None:
        """Swipe the heads-up notification: sideways dismisses it, upwards hides it."""
        note = self._heads_up
        self.close_heads_up()
        if note is not None and away:
            self._phone.notifications.swipe(note.number)

    def ask_permission(self, package: str, permission: str, done: Callable[[bool], None]) -> None:
        """Show the system's permission dialog."""
        self.dialogs.ask_permission(package, permission, done)

    def report_crash(self, package: str, *, again: bool) -> None:
        """Show the crash dialog of an app."""
        self.dialogs.forget(package)
        self.dialogs.report_crash(package, again=again)

    def reset_autofocus(self) -> None:
        """Let fields with autofocus get the focus again."""
        self._autofocused.clear()

    def report_anr(self, package: str) -> None:
        """Show the ANR dialog of an app while it does not respond."""
        at_fault = self._phone.faults.active("not-responding") is not None
        if at_fault or self._phone.processes.frozen(package):
            self.dialogs.report_anr(package)

    def open_shade(self) -> None:
        """Pull the notification shade down."""
        self.overlay = "shade"
        self._phone.changed()

    def close_overlay(self) -> bool:
        """Close the shade or the recents; return whether one was open."""
        was, self.overlay = self.overlay, ""
        if was:
            self._phone.changed()
        return bool(was)

    def open_recents(self) -> None:
        """Toggle the recent apps."""
        self.overlay = "" if self.overlay == "recents" else "recents"
        self._phone.changed()

    def back(self) -> bool:
        """Handle Back above the activities; return whether it was consumed."""
        if self.close_overlay():
            return True
        return self.dialogs.back() or self._dismiss()

    def _dismiss(self, *, outside: bool = False) -> bool:
        """Ask the foreground app to close its dialog; False if it has none."""
        record = self._phone.activities.resumed
        if record is None or self._phone.build_dialog(record) is None:
            return False
        activity = record.activity
        self._phone.run_app(
            record.app.package, activity.on_touch_outside if outside else activity.on_dismiss_dialog
        )
        self._phone.changed()
        return True

    def dismiss_outside(self, window: PlacedWindow) -> None:
        """Handle a tap outside a modal window."""
        shown = self.dialogs.shown
        if shown is None or window.title != shown.title:
            self._dismiss(outside=True)

    def focus_by_key(self, key: str) -> None:
        """Focus the text field with that key or id, once it exists."""
        record = self._phone.activities.resumed
        if record is not None:
            self._focus_requests[record.number] = key
            self._phone.changed()

    def scroll_by_key(self, key: str, offset_dp: float) -> None:
        """Set the position of the scrollable with that key or id in the foreground app."""
        record = self._phone.activities.resumed
        window = self.window_of(record) if record is not None else None
        if record is None or window is None:
            return
        for node in window.root.walk():
            if node.scroll is not None and key in (node.widget.key, node.widget.id):
                record.state.offsets[node.key_path] = px(offset_dp, self._phone.display.density)
                self._phone.changed()

    def window_of(self, record: ActivityRecord) -> PlacedWindow | None:
        """Return the window of an activity in the current scene, or None."""
        title = f"{record.app.package}/{record.name}"
        windows = self._phone.scene().windows
        return next((window for window in reversed(windows) if window.title == title), None)

    def state_of(self, window: PlacedWindow) -> ViewState:
        """Return the view state of a window in the current scene."""
        record = self._phone.activities.resumed
        for visible in self._phone.activities.visible():
            if (
                window.title == f"{visible.app.package}/{visible.name}"
                and window.kind is WindowKind.APPLICATION
            ):
                return visible.state
        if window.kind is WindowKind.DIALOG and record is not None and window.package == record.app.package:
            return record.dialog_state
        return self._system_state(window.title)

    def focus_on(self, window: PlacedWindow) -> None:
        """Focus the split-screen half of a touched window."""
        for record in self._phone.activities.resumed_activities() if window.split_bounds is not None else ():
            if window.title == f"{record.app.package}/{record.name}":
                self._phone.activities.focus(record)

    def _system_state(self, title: str) -> ViewState:
        return self._states.setdefault(title, ViewState())

    def compose(self) -> Scene:
        """Build and lay out everything on the screen."""
        for _ in range(3):
            scene = self._compose()
            if not self._refocus(scene):
                break
        return scene

    def _compose(self) -> Scene:
        phone = self._phone
        size, density = phone.display.current_size, phone.display.density
        if not phone.display.screen_on:
            return Scene(size, (), phone.display.rotation, density)
        area = self.app_area()
        windows: list[PlacedWindow] = []
        records, resumed = phone.activities.visible(), phone.activities.resumed_activities()
        ime_top = size.height
        if phone.ime.shown:
            ime_top = area.bottom - self._keyboard_height()
        split, divided = self._split_layout(records, area, ime_top), 0
        for record in records:
            half = phone.activities.split.half_of(record)
            split_bounds = split.of(half) if split is not None and half is not None else None
            full_bounds = Rect(0, 0 if record.activity.full_screen else area.top, size.width, area.bottom)
            bounds = split_bounds or full_bounds
            covers = phone.defects.covers(record.app.package, record.name)
            if record is records[-1] and phone.ime.shown and not covers:
                bounds = Rect(bounds.left, bounds.top, bounds.right, min(bounds.bottom, ime_top))
            placed = self._activity_windows(record, bounds, record in resumed)
            windows += [replace(window, split_bounds=split_bounds) for window in placed]
            divided = divided if split_bounds is None else len(windows)
        if split is not None:
            windows.insert(divided, self._divider(split.divider))
        if self.dialogs.shown is not None:
            windows.append(self._system_dialog(self.dialogs.shown, area))
        if phone.ime.shown:
            windows.append(self._ime_window(Rect(0, ime_top, size.width, area.bottom)))
        status_bar_color = self._status_bar_color(records)
        full = bool(records) and records[-1].activity.full_screen and split is None
        windows += self._bars(area, status_bar_color, full)
        windows += self._overlays(area)
        focus = _focused(windows)
        marked = tuple(replace(window, focused=window is focus) for window in windows)
        return Scene(size, marked, phone.display.rotation, density)

    def _split_layout(
        self, records: tuple[ActivityRecord, ...], area: Rect, ime_top: int
    ) -> SplitLayout | None:
        """Return the layout of the split screen, if it is visible."""
        phone = self._phone
        if not any(phone.activities.split.half_of(record) is not None for record in records):
            return None
        keyboard = ime_top if phone.ime.shown else None
        typed = phone.activities.split.half_of(records[-1])
        return halves(area, phone.display.density, keyboard=keyboard, typed=typed)

    def _divider(self, bounds: Rect) -> PlacedWindow:
        old = self._phone.profile.sdk < STAGES_SDK
        title = "DockedStackDivider" if old else "StageCoordinatorSplitDivider"
        view = self._system_ui.divider(stacked=bounds.width > bounds.height)
        return self._lay(view, bounds, SYSTEM_UI, self._system_state(title), WindowKind.DIVIDER, title)

    def _status_bar_color(self, records: tuple[ActivityRecord, ...]) -> str:
        """Return the status bar's colour: that of the foreground app, or of a split screen's upper half."""
        split = self._phone.activities.split
        upper = [record for record in records if split.half_of(record) is SplitHalf.FIRST]
        last = records[-1] if records else None
        if upper and last is not None and split.half_of(last) is not None:
            last = upper[-1]
        return last.activity.status_bar if last is not None else "#FFFFFF"

    def _lay(
        self, view: w.Widget, bounds: Rect, package: str, state: ViewState, kind: WindowKind, title: str
    ) -> PlacedWindow:
        density = self._phone.display.density
        root = lay_out(
            view,
            bounds=bounds,
            density=density,
            package=package,
            state=state,
            font_scale=self._phone.display.font_scale,
        )
        return PlacedWindow(title=title, package=package, kind=kind, bounds=bounds, root=root)

    def _lay_system(
        self, view: w.Widget, bounds: Rect, package: str, kind: WindowKind, title: str
    ) -> PlacedWindow:
        """Lay out a window of the system that neither scrolls nor has fields, unless it is as before."""
        display, state = self._phone.display, self._system_state(title)
        inputs = (view, bounds, display.density, display.font_scale)
        known = self._laid.get(title)
        if known is None or known[0] != inputs or known[1].package != package:
            known = self._laid[title] = inputs, self._lay(view, bounds, package, state, kind, title)
        return known[1]

    def _activity_windows(self, record: ActivityRecord, bounds: Rect, front: bool) -> list[PlacedWindow]:
        package, title = record.app.package, f"{record.app.package}/{record.name}"
        built = self._phone.build(record)
        background = None if record.activity.translucent else "#FFFFFF"
        ticker = self._system_ui.ticker() if front else None
        content = w.Box(
            id="android:id/content",
            width=w.MATCH,
            height=w.MATCH,
            background=background,
            children=[built, ticker] if ticker is not None else [built],
        )
        window = self._lay(content, bounds, package, record.state, WindowKind.APPLICATION, title)
        dim = 0.32 if record.activity.translucent else 0.0
        activity, translucent = record.activity, record.activity.translucent
        windows = [replace(window, activity=record.name, dim=dim, secure=activity.secure, modal=translucent)]
        dialog = self._phone.build_dialog(record) if front else None
        if dialog is None:
            record.dialog_state = ViewState()
            self._autofocused.discard((record.number, WindowKind.DIALOG))
        else:
            windows.append(self._dialog(dialog, bounds, package, record.dialog_state, title))
        return windows

    def _dialog(
        self, view: w.Widget, bounds: Rect, package: str, state: ViewState, title: str
    ) -> PlacedWindow:
        measurer = self._measurer()
        at_bottom = view.align_vertical is w.Align.END
        margin = 0 if at_bottom else measurer.px(_DIALOG_MARGIN_DP)
        available_width, available_height = bounds.width - 2 * margin, bounds.height - 2 * margin
        width, height = measurer.outer(view, available_width, available_height)
        left = bounds.left + (bounds.width - width) // 2
        top = bounds.bottom - height if at_bottom else bounds.top + (bounds.height - height) // 2
        rect = Rect(left, top, left + width, top + height)
        placed = self._lay(view, rect, package, state, WindowKind.DIALOG, title)
        return replace(placed, dim=_DIM, modal=True)

    def _system_dialog(self, shown: SystemDialog, area: Rect) -> PlacedWindow:
        state = self._system_state(shown.title)
        placed = self._dialog(shown.build(), area, shown.package, state, shown.title)
        return replace(placed, secure=shown.secure)

    def _measurer(self) -> Measurer:
        return Measurer(self._phone.display.density, self._phone.display.font_scale)

    def _keyboard_height(self) -> int:
        """Return the height of the keyboard in pixels."""
        display = self._phone.display
        if self._phone.ime.default != LATIN:
            return px(_ADB_KEYBOARD_DP, display.density)
        return min(px(HEIGHT_DP, display.density), int(MAX_SHARE * display.current_size.height))

    def _ime_window(self, bounds: Rect) -> PlacedWindow:
        ime = self._phone.ime
        package = ime.default.partition("/")[0]
        if ime.default == LATIN:
            view = self._keyboard(ime.action, ime.wants_digits)
        else:
            view = self._system_ui.adb_keyboard_strip(package)
        return self._lay_system(view, bounds, package, WindowKind.IME, "InputMethod")

    def _keyboard(self, action: str, digits: bool) -> w.Widget:
        """Return the view of Android's keyboard, which is built once: its keys do not compare equal."""
        ime = self._phone.ime
        if (action, digits) not in self._keyboards:
            self._keyboards[action, digits] = keyboard_view(
                action=action,
                digits=digits,
                press=ime.type_key,
                delete=ime.backspace,
                act=ime.press_action,
            )
        return self._keyboards[action, digits]

    def _bars(self, area: Rect, status_bar_color: str, full_screen: bool) -> list[PlacedWindow]:
        size = self._phone.display.current_size
        found = []
        if not full_screen:
            top = Rect(0, 0, size.width, area.top)
            view = self._system_ui.status_bar(status_bar_color)
            found.append(self._lay_system(view, top, SYSTEM_UI, WindowKind.STATUS_BAR, "StatusBar"))
        bottom = Rect(0, area.bottom, size.width, size.height)
        view = self._system_ui.nav_bar()
        found.append(self._lay_system(view, bottom, SYSTEM_UI, WindowKind.NAV_BAR, "NavigationBar0"))
        return found

    def _lay_over_all(
        self, view: w.Widget, area: Rect, key: str, package: str = SYSTEM_UI, title: str = "NotificationShade"
    ) -> PlacedWindow:
        return self._lay(view, area, package, self._system_state(key), WindowKind.SHADE, title)

    def _overlays(self, area: Rect) -> list[PlacedWindow]:
        found = []
        if self._phone.keyguard.showing:
            keyguard = self._phone.keyguard
            found.append(
                self._lay_over_all(keyguard.view(), area, "keyguard", keyguard.package, keyguard.title)
            )
        elif self.overlay == "shade":
            found.append(self._lay_over_all(self._system_ui.shade(), area, "shade"))
        elif self.overlay == "recents":
            home = self._phone.packages.home()
            old = self._phone.profile.sdk < _QUICKSTEP_SDK
            package = SYSTEM_UI if old or home is None else home.app.package
            name = f"{SYSTEM_UI}.recent" if old else "com.android.quickstep"
            title = f"{package}/{name}.RecentsActivity"
            found.append(self._lay_over_all(self._system_ui.recents(), area, "recents", package, title))
        elif self._heads_up is not None:
            found.append(self._heads_up_window(self._heads_up, area))
        if self._toasts:
            found.append(self._toast_window(area))
        return found

    def _heads_up_window(self, note: Notification, area: Rect) -> PlacedWindow:
        measurer, view = self._measurer(), self._system_ui.heads_up(note)
        margin = measurer.px(8)
        width, height = measurer.outer(view, area.width - 2 * margin, None)
        bounds = Rect(margin, area.top + margin, margin + width, area.top + margin + height)
        state = self._system_state("heads-up")
        return self._lay(view, bounds, SYSTEM_UI, state, WindowKind.HEADS_UP, "NotificationShade")

    def _toast_window(self, area: Rect) -> PlacedWindow:
        text, package = self._toasts[-1]
        view = system_widgets.toast(text)
        width, height = self._measurer().outer(view, area.width * 4 // 5, None)
        left, bottom = (area.width - width) // 2, area.bottom - area.height // 8
        bounds = Rect(left, bottom - height, left + width, bottom)
        placed = self._lay(view, bounds, package, self._system_state("toast"), WindowKind.TOAST, "Toast")
        return replace(placed, touchable=False)

    def _refocus(self, scene: Scene) -> bool:
        """Update the keyboard for fields that got or lost the focus; return whether to compose again."""
        record = self._phone.activities.resumed
        window = scene.focus
        if record is None or window is None:
            return False
        nodes = [node for node in window.root.walk() if isinstance(node.widget, w.TextField)]
        state = record.dialog_state if window.kind is WindowKind.DIALOG else record.state
        key = self._focus_requests.pop(record.number, "")
        chosen = next((n for n in nodes if key and key in (n.widget.key, n.widget.id)), None)
        if chosen is None and (record.number, window.kind) not in self._autofocused and nodes:
            self._autofocused.add((record.number, window.kind))
            forced = self._phone.faults.active("keyboard-up") is not None
            chosen = next((n for n in nodes if forced or _autofocus(n)), None)
        held = self._phone.defects.holds_keyboard(record.app.package, record.name)
        if held and not self._phone.ime.shown and self._phone.ime.enabled and nodes:
            chosen, state.focused = next((n for n in nodes if n.focused), nodes[0]), None
        if chosen is not None and state.focused != chosen.key_path:
            state.focused = chosen.key_path
            self._phone.ime.show(chosen)
            return True
        if self._phone.ime.shown and not any(node.focused for node in nodes):
            self._phone.ime.hide(drop_focus=True)
            return True
        return False


def _autofocus(node: PlacedNode) -> bool:
    return isinstance(node.widget, w.TextField) and node.widget.autofocus


def _focused(windows: list[PlacedWindow]) -> PlacedWindow | None:
    kinds = (WindowKind.APPLICATION, WindowKind.DIALOG, WindowKind.SHADE)
    return next((window for window in reversed(windows) if window.kind in kinds), None)
