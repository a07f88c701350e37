"""The companion's activities: ``.Show`` shows a window, ``.Progress`` a progress page.

Events are written to logcat with the tag ``GaraBench``, one JSON object per line::

    {"token": "…", "seq": 1, "event": "shown"}

The events are ``shown``, ``pressed:<key>``, ``hidden`` (another window is in front) or ``hidden:screen-off``,
``resumed``, ``dismissed`` (by Back, or a touch outside the window), ``dismissed:<reason>`` (``close``,
``replaced``, ``timeout`` or ``destroyed``), and ``error:<reason>``. Others do not end the window: ``back`` (a
Back that was blocked), ``rotated:<degrees>``, and ``wrong`` (a puzzle piece was released outside its gap). If
a process dies with its window, the next process reports ``killed``. ``.Progress`` reports
``progress_started`` and ``progress_done``. A notification that opens a window reports ``posted`` before, and
``dismissed:swiped``. Events are also stored, and returned by
``content query --uri content://org.garabench.interruptions.events/<token>``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from garabench.virtual.apps.companion import notification, window_layout
from garabench.virtual.apps.companion.event_log import (
    AUTHORITY,
    PROVIDER,
    EventLogger,
    SampledEvents,
    recover,
    token_of,
)
from garabench.virtual.apps.companion.illustrations import TOLERANCE
from garabench.virtual.apps.companion.spec import Spec, SpecError, Template, parse
from garabench.virtual.apps.companion.view_factory import REST_POSITION, InputState, ViewContext
from garabench.virtual.kit.framework import Activity, App, Context, Intent, Timer
from garabench.virtual.ui.widgets import MATCH, Column, Widget

PACKAGE = "org.garabench.interruptions"
SHOW = f"{PACKAGE}.Show"
PROGRESS = f"{PACKAGE}.Progress"
CLOSE = f"{PACKAGE}.CLOSE"
STATE = f"{PACKAGE}.STATE"
NOTIFY = f"{PACKAGE}.NOTIFY"
HEADS_UP = f"{PACKAGE}.HEADS_UP"
SWIPED = f"{PACKAGE}.SWIPED"
PRESSED = f"{PACKAGE}.PRESSED"
EXPIRED = f"{PACKAGE}.EXPIRED"
_BROADCASTS = notification.BroadcastActions(swiped=SWIPED, pressed=PRESSED, expired=EXPIRED)

FORCED_LIMIT_MS = 10 * 60 * 1000
"""A forced window closes by itself after this time, so that none can lock the phone forever."""
TICK_MS = 500
MAX_PROGRESS_S = 600


class Show(Activity):
    """An interruption's window over the app in the foreground."""

    translucent = True
    launch_mode = "singleTask"
    excluded_from_recents = True

    def on_create(self) -> None:
        recover(self.ctx)
        self.spec: Spec | None = None
        self.ended = False
        self.in_background = False
        self.timeout: Timer | None = None
        self.close_button_delay: Timer | None = None
        self._begin(self.intent, recreated=self.restored)

    def on_new_intent(self, intent: Intent) -> None:
        if not self.ended:
            self.logger.write("dismissed:replaced")
        self.ended = self.in_background = False
        self._begin(intent)

    def _begin(self, intent: Intent, *, recreated: bool = False) -> None:
        self.logger = EventLogger(self.ctx, token_of(intent.extras), window=True)
        self.blocked_backs, self.rotations, self.misses = SampledEvents(), SampledEvents(), SampledEvents()
        self._cancel_timers()
        try:
            self.spec = parse(intent.extras.get("spec"))
        except SpecError as error:
            self.spec = None
            self.logger.write(f"error:{error}")
            self._finish()
            return
        notification.window_opened(self.ctx, self.logger.token)
        close = self.spec.close
        self.input = InputState(stars=self.spec.stars or 0, closable=close is None or close.after == 0)
        self.logger.write("resumed" if recreated else "shown")
        if close is not None and close.after:
            self.close_button_delay = self.ctx.after(close.after * 1000, self._show_close_button)
        if not self.spec.cancelable:
            self.timeout = self.ctx.after(FORCED_LIMIT_MS, lambda: self._end("timeout"))

    def _cancel_timers(self) -> None:
        for timer in (self.timeout, self.close_button_delay):
            if timer is not None:
                timer.cancel()

    def _show_close_button(self) -> None:
        self.input.closable = True
        self.ctx.invalidate()

    def _view_context(self, spec: Spec) -> ViewContext:
        return ViewContext(
            spec=spec,
            on_press=self._press,
            dark=self.ctx.dark,
            zh=self.ctx.lang == "zh",
            input=self.input,
            on_slide=self._slide,
            on_change=self.ctx.invalidate,
            width=self.ctx.width_dp,
            height=self.ctx.height_dp,
        )

    def build(self) -> Widget:
        if self.spec is not None and self.spec.template is Template.FULL_SCREEN:
            context = self._view_context(self.spec)
            self.status_bar = context.palette.tint
            return window_layout.full_screen(context)
        self.status_bar = self._status_bar_below()
        return Column(width=MATCH, height=MATCH)

    def _status_bar_below(self) -> str:
        """Return the status bar colour of the app below, which the dialog does not change."""
        below = [
            record.activity.status_bar
            for record in self.ctx.system.activities.visible()
            if record.activity is not self
        ]
        return below[-1] if below else self.status_bar

    def dialog(self) -> Widget | None:
        if self.spec is None or self.ended:
            return None
        if self.spec.template is Template.DIALOG:
            return window_layout.dialog(self._view_context(self.spec))
        if self.spec.template is Template.BOTTOM_SHEET:
            return window_layout.bottom_sheet(self._view_context(self.spec))
        return None

    def _press(self, key: str) -> None:
        if self.ended:
            return
        self.logger.write(f"pressed:{key}")
        self._finish()

    def _slide(self, position: float) -> None:
        """Solve the puzzle if the knob was released near the gap; otherwise reset the knob."""
        slider = self.spec.slider if self.spec is not None else None
        if slider is None or self.ended:
            return
        if abs(position - slider.gap) <= TOLERANCE:
            self._press(slider.key)
            return
        self.input.knob = REST_POSITION
        self._log_sampled(self.misses.count("wrong"))
        self.ctx.invalidate()

    def on_dismiss_dialog(self) -> None:
        self._back_pressed()

    def on_touch_outside(self) -> None:
        if self.spec is not None and self.spec.cancelable:
            self._back_pressed()

    def on_configuration_changed(self) -> None:
        if not self.ended:
            self._log_sampled(self.rotations.count(f"rotated:{self.ctx.system.display.rotation * 90}"))

    def _log_sampled(self, event: str) -> None:
        if event:
            self.logger.write(event)

    def on_back(self) -> bool:
        self._back_pressed()
        return True

    def _back_pressed(self) -> None:
        if self.spec is None or self.ended:
            return
        if self.spec.cancelable:
            self.logger.write("hidden")
            self._end("")
        else:
            self._log_sampled(self.blocked_backs.count("back"))

    def on_resume(self) -> None:
        if self.in_background and not self.ended:
            self.in_background = False
            self.logger.write("resumed")

    def on_pause(self) -> None:
        if not self.ended and not self.in_background:
            self.in_background = True
            self.logger.write("hidden" if self.ctx.system.display.screen_on else "hidden:screen-off")

    def on_destroy(self) -> None:
        if not self.ended:
            self.ended = True
            self.logger.write("dismissed:destroyed")

    def close(self) -> None:
        """Close the window because of the runner's CLOSE command."""
        self._end("close")

    def state(self) -> Mapping[str, Any]:
        """Return the entry in the result of the STATE broadcast."""
        template = self.spec.template.value if self.spec is not None else ""
        open_ = self.spec is not None and not self.ended
        return {"kind": "show", "token": self.logger.token, "template": template, "open": open_}

    def _end(self, reason: str) -> None:
        if not self.ended:
            self.logger.write(f"dismissed:{reason}" if reason else "dismissed")
        self._finish()

    def _finish(self) -> None:
        self.ended = True
        self._cancel_timers()
        self.ctx.finish()


class ProgressActivity(Activity):
    """A page with a progress bar that fills in the given time and then closes."""

    launch_mode = "singleTask"
    excluded_from_recents = True

    def on_create(self) -> None:
        recover(self.ctx)
        self.timer: Timer | None = None
        self._begin(self.intent, recreated=self.restored)

    def on_new_intent(self, intent: Intent) -> None:
        if not self.ended:
            self.logger.write("dismissed:replaced")
        self._begin(intent)

    def _begin(self, intent: Intent, *, recreated: bool = False) -> None:
        self._cancel_timers()
        self.logger = EventLogger(self.ctx, token_of(intent.extras), window=True)
        self.blocked_backs, self.ended = SampledEvents(), False
        self.elapsed_ms = 0
        self.total_ms = 0
        seconds = intent.extras.get("seconds")
        title = intent.extras.get("title", "")
        self.title = title if isinstance(title, str) and title else self.ctx.t("正在更新", "Updating")
        if isinstance(seconds, bool) or not isinstance(seconds, int) or not 0 < seconds <= MAX_PROGRESS_S:
            self._end("error:bad-seconds")
            return
        self.total_ms = seconds * 1000
        self.logger.write("resumed" if recreated else "progress_started")
        self._schedule_tick()

    def _cancel_timers(self) -> None:
        if self.timer is not None:
            self.timer.cancel()

    def _schedule_tick(self) -> None:
        self.timer = self.ctx.after(min(TICK_MS, self.total_ms - self.elapsed_ms), self._tick)

    def _tick(self) -> None:
        self.elapsed_ms = min(self.total_ms, self.elapsed_ms + TICK_MS)
        if self.elapsed_ms < self.total_ms:
            self._schedule_tick()
            return
        self._end("progress_done")

    def _end(self, event: str) -> None:
        if not self.ended:
            self.ended = True
            self.logger.write(event)
        self.ctx.finish()

    def on_destroy(self) -> None:
        if not self.ended:
            self.ended = True
            self.logger.write("dismissed:destroyed")

    def close(self) -> None:
        """Close the page because of the runner's CLOSE command."""
        self._cancel_timers()
        self._end("dismissed:close")

    def state(self) -> Mapping[str, Any]:
        """Return the entry in the result of the STATE broadcast."""
        return {"kind": "progress", "token": self.logger.token, "template": "page", "open": True}

    def build(self) -> Widget:
        self.status_bar = window_layout.progress_page_top_color(self.ctx.dark)
        note = self.ctx.t("请稍候，完成后会自动返回", "Please wait, this page closes by itself")
        done = self.elapsed_ms / self.total_ms if self.total_ms else 0.0
        return window_layout.progress_page(self.title, note, done, dark=self.ctx.dark)

    def on_back(self) -> bool:
        event = self.blocked_backs.count("back")  # blocked: the page closes by itself
        if event and not self.ended:
            self.logger.write(event)
        return True


def _live_activities(ctx: Context) -> list[Show | ProgressActivity]:
    """Return the app's activities, in the foreground or in the background."""
    records = [record for task in ctx.system.activities.tasks for record in task.stack]
    return [record.activity for record in records if isinstance(record.activity, Show | ProgressActivity)]


def _close(ctx: Context, extras: Mapping[str, Any]) -> tuple[int, str] | None:
    """Handle the CLOSE broadcast: close everything that is open."""
    recover(ctx)
    activities = _live_activities(ctx)
    for activity in activities:
        activity.close()
    notified = notification.dismiss(ctx, "close")
    return (-1, "closed") if activities or notified else (0, "nothing is shown")


def _state(ctx: Context, extras: Mapping[str, Any]) -> tuple[int, str] | None:
    """Handle the STATE broadcast: return what is open, as a list of JSON objects."""
    recover(ctx)
    notified = notification.state(ctx)
    states = [*(each.state() for each in _live_activities(ctx)), *([notified] if notified else [])]
    return -1, json.dumps(states, ensure_ascii=False, separators=(",", ":"))


def _notify(ctx: Context, extras: Mapping[str, Any]) -> tuple[int, str] | None:
    """Handle the NOTIFY broadcast: show a window by a notification."""
    recover(ctx)
    return _answer(notification.post(ctx, extras, SHOW, _BROADCASTS))


def _heads_up(ctx: Context, extras: Mapping[str, Any]) -> tuple[int, str] | None:
    """Handle the HEADS_UP broadcast: post a heads-up notification."""
    recover(ctx)
    return _answer(notification.post_heads_up(ctx, extras, _BROADCASTS))


def _answer(result: str) -> tuple[int, str]:
    return (-1 if result in notification.POSTED_RESULTS else 0), result


def _swiped(ctx: Context, extras: Mapping[str, Any]) -> tuple[int, str] | None:
    """Handle the broadcast of a notification that the user swiped away."""
    recover(ctx)
    notification.dismiss(ctx, "swiped", token_of(extras))
    return None


def _pressed(ctx: Context, extras: Mapping[str, Any]) -> tuple[int, str] | None:
    """Handle the broadcast of a press on the notification or one of its buttons."""
    recover(ctx)
    notification.pressed(ctx, extras)
    return None


def _expired(ctx: Context, extras: Mapping[str, Any]) -> tuple[int, str] | None:
    """Handle the broadcast of the notification's alarm."""
    recover(ctx)
    notification.expired(ctx, extras)
    return None


APP = App(
    package=PACKAGE,
    label={"zh": "GaraBench 干扰", "en": "GaraBench Interruptions"},
    activities={SHOW: Show, PROGRESS: ProgressActivity},
    has_apk=False,
    icon_seed="garabench-interruptions",
    icon_color="#3C4043",
    icon_glyph="G",
    receivers={
        CLOSE: _close,
        STATE: _state,
        NOTIFY: _notify,
        HEADS_UP: _heads_up,
        SWIPED: _swiped,
        PRESSED: _pressed,
        EXPIRED: _expired,
    },
    providers={AUTHORITY: PROVIDER},
    permissions=notification.PERMISSIONS,
)
"""The app without a launcher entry: agents must not find it on the home screen."""
