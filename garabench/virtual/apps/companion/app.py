"""The companion's activities: ``.Show`` puts an interruption on the screen, ``.Progress`` a progress page.

Events are logged to logcat under the tag ``GaraBench``, one JSON object a line::

    {"token": "…", "seq": 1, "event": "shown"}

with the events ``shown``, ``pressed:<key>``, ``hidden`` (another window has come in front) or
``hidden:screen-off``, ``resumed``, ``dismissed`` (by Back, or a touch beside the window; other ways have a
reason: ``dismissed:close``, ``dismissed:replaced``, ``dismissed:timeout``, ``dismissed:destroyed``), and
``error:<reason>``. In between ``back`` (held back), ``rotated:<degrees>`` and ``wrong`` (a puzzle's piece was
let go beside its gap) end nothing; ``killed`` is reported by the next process after one died with the window.
``.Progress`` logs ``progress_started`` and ``progress_done``. A notification that opens the window tells
``posted`` before, and ``dismissed:swiped``.
They are also stored, and returned by ``content query --uri content://org.garabench.interruptions.events/<token>``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from garabench.virtual.apps.companion import look, notice
from garabench.virtual.apps.companion.event_log import (
    AUTHORITY,
    PROVIDER,
    EventLogger,
    SampledEvents,
    recover,
    token_of,
)
from garabench.virtual.apps.companion.parts import KNOB_REST, Entered, Kit
from garabench.virtual.apps.companion.scenes import NEAR
from garabench.virtual.apps.companion.spec import Spec, SpecError, Template, parse
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
_WORDS = notice.Words(swiped=SWIPED, pressed=PRESSED, expired=EXPIRED)

FORCED_LIMIT_MS = 10 * 60 * 1000
"""A forced interruption ends by itself after this, so that nothing can lock the phone for good."""
TICK_MS = 500
MAX_PROGRESS_S = 600


class Show(Activity):
    """An interruption over whatever is on the screen."""

    translucent = True
    launch_mode = "singleTask"
    excluded_from_recents = True

    def on_create(self) -> None:
        recover(self.ctx)
        self.spec: Spec | None = None
        self.ended = False
        self.away = False
        self.limit: Timer | None = None
        self.cross: Timer | None = None
        self._begin(self.intent, again=self.restored)

    def on_new_intent(self, intent: Intent) -> None:
        if not self.ended:
            self.event_log.write("dismissed:replaced")
        self.ended = self.away = False
        self._begin(intent)

    def _begin(self, intent: Intent, *, again: bool = False) -> None:
        self.event_log = EventLogger(self.ctx, token_of(intent.extras), window=True)
        self.backs, self.turns, self.wrongs = SampledEvents(), SampledEvents(), SampledEvents()
        self._rest()
        try:
            self.spec = parse(intent.extras.get("spec"))
        except SpecError as error:
            self.spec = None
            self.event_log.write(f"error:{error}")
            self._finish()
            return
        notice.opened(self.ctx, self.event_log.token)
        close = self.spec.close
        self.entered = Entered(stars=self.spec.stars or 0, closable=close is None or close.after == 0)
        self.event_log.write("resumed" if again else "shown")
        if close is not None and close.after:
            self.cross = self.ctx.after(close.after * 1000, self._closable)
        if not self.spec.cancelable:
            self.limit = self.ctx.after(FORCED_LIMIT_MS, lambda: self._end("timeout"))

    def _rest(self) -> None:
        for timer in (self.limit, self.cross):
            if timer is not None:
                timer.cancel()

    def _closable(self) -> None:
        self.entered.closable = True
        self.ctx.invalidate()

    def _kit(self, spec: Spec) -> Kit:
        return Kit(
            spec=spec,
            press=self._press,
            dark=self.ctx.dark,
            zh=self.ctx.lang == "zh",
            entered=self.entered,
            slide=self._slide,
            change=self.ctx.invalidate,
            width=self.ctx.width_dp,
            height=self.ctx.height_dp,
        )

    def build(self) -> Widget:
        if self.spec is not None and self.spec.template is Template.FULL_SCREEN:
            kit = self._kit(self.spec)
            self.status_bar = kit.palette.tint
            return look.page(kit)
        self.status_bar = self._ground_below()
        return Column(width=MATCH, height=MATCH)

    def _ground_below(self) -> str:
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
            return look.card(self._kit(self.spec))
        if self.spec.template is Template.BOTTOM_SHEET:
            return look.sheet(self._kit(self.spec))
        return None

    def _press(self, key: str) -> None:
        if self.ended:
            return
        self.event_log.write(f"pressed:{key}")
        self._finish()

    def _slide(self, place: float) -> None:
        """The knob was let go: near the gap it is solved, elsewhere it goes back."""
        slider = self.spec.slider if self.spec is not None else None
        if slider is None or self.ended:
            return
        if abs(place - slider.gap) <= NEAR:
            self._press(slider.key)
            return
        self.entered.knob = KNOB_REST
        self._log_sampled(self.wrongs.count("wrong"))
        self.ctx.invalidate()

    def on_dismiss_dialog(self) -> None:
        self._left_by_back()

    def on_touch_outside(self) -> None:
        if self.spec is not None and self.spec.cancelable:
            self._left_by_back()

    def on_configuration_changed(self) -> None:
        if not self.ended:
            self._log_sampled(self.turns.count(f"rotated:{self.ctx.system.display.rotation * 90}"))

    def _log_sampled(self, event: str) -> None:
        if event:
            self.event_log.write(event)

    def on_back(self) -> bool:
        self._left_by_back()
        return True

    def _left_by_back(self) -> None:
        if self.spec is None or self.ended:
            return
        if self.spec.cancelable:
            self.event_log.write("hidden")
            self._end("")
        else:
            self._log_sampled(self.backs.count("back"))

    def on_resume(self) -> None:
        if self.away and not self.ended:
            self.away = False
            self.event_log.write("resumed")

    def on_pause(self) -> None:
        if not self.ended and not self.away:
            self.away = True
            self.event_log.write("hidden" if self.ctx.system.display.screen_on else "hidden:screen-off")

    def on_destroy(self) -> None:
        if not self.ended:
            self.ended = True
            self.event_log.write("dismissed:destroyed")

    def close(self) -> None:
        """End it because the runner says so."""
        self._end("close")

    def state(self) -> Mapping[str, Any]:
        """What it is, for the runner's question."""
        template = self.spec.template.value if self.spec is not None else ""
        open_ = self.spec is not None and not self.ended
        return {"kind": "show", "token": self.event_log.token, "template": template, "open": open_}

    def _end(self, reason: str) -> None:
        if not self.ended:
            self.event_log.write(f"dismissed:{reason}" if reason else "dismissed")
        self._finish()

    def _finish(self) -> None:
        self.ended = True
        self._rest()
        self.ctx.finish()


class ProgressActivity(Activity):
    """A page with a progress bar that fills in the given time and then goes away."""

    launch_mode = "singleTask"
    excluded_from_recents = True

    def on_create(self) -> None:
        recover(self.ctx)
        self.timer: Timer | None = None
        self._begin(self.intent, again=self.restored)

    def on_new_intent(self, intent: Intent) -> None:
        if not self.ended:
            self.event_log.write("dismissed:replaced")
        self._begin(intent)

    def _begin(self, intent: Intent, *, again: bool = False) -> None:
        self._rest()
        self.event_log = EventLogger(self.ctx, token_of(intent.extras), window=True)
        self.backs, self.ended = SampledEvents(), False
        self.passed_ms = 0
        self.total_ms = 0
        seconds = intent.extras.get("seconds")
        title = intent.extras.get("title", "")
        self.title = title if isinstance(title, str) and title else self.ctx.t("正在更新", "Updating")
        if isinstance(seconds, bool) or not isinstance(seconds, int) or not 0 < seconds <= MAX_PROGRESS_S:
            self._end("error:bad-seconds")
            return
        self.total_ms = seconds * 1000
        self.event_log.write("resumed" if again else "progress_started")
        self._plan()

    def _rest(self) -> None:
        if self.timer is not None:
            self.timer.cancel()

    def _plan(self) -> None:
        self.timer = self.ctx.after(min(TICK_MS, self.total_ms - self.passed_ms), self._tick)

    def _tick(self) -> None:
        self.passed_ms = min(self.total_ms, self.passed_ms + TICK_MS)
        if self.passed_ms < self.total_ms:
            self._plan()
            return
        self._end("progress_done")

    def _end(self, event: str) -> None:
        if not self.ended:
            self.ended = True
            self.event_log.write(event)
        self.ctx.finish()

    def on_destroy(self) -> None:
        if not self.ended:
            self.ended = True
            self.event_log.write("dismissed:destroyed")

    def close(self) -> None:
        """End it before its time."""
        self._rest()
        self._end("dismissed:close")

    def state(self) -> Mapping[str, Any]:
        """What it is, for the runner's question."""
        return {"kind": "progress", "token": self.event_log.token, "template": "page", "open": True}

    def build(self) -> Widget:
        self.status_bar = look.page_top(self.ctx.dark)
        note = self.ctx.t("请稍候，完成后会自动返回", "Please wait, this page closes by itself")
        done = self.passed_ms / self.total_ms if self.total_ms else 0.0
        return look.progress_page(self.title, note, done, dark=self.ctx.dark)

    def on_back(self) -> bool:
        event = self.backs.count("back")  # nothing to press: it goes away by itself
        if event and not self.ended:
            self.event_log.write(event)
        return True


def _living(ctx: Context) -> list[Show | ProgressActivity]:
    """What of this app is on the phone, in front or behind."""
    records = [record for task in ctx.system.activities.tasks for record in task.stack]
    return [record.activity for record in records if isinstance(record.activity, Show | ProgressActivity)]


def _close(ctx: Context, extras: Mapping[str, Any]) -> tuple[int, str] | None:
    """The CLOSE broadcast: ends what is shown."""
    recover(ctx)
    shown = _living(ctx)
    for activity in shown:
        activity.close()
    waited = notice.end(ctx, "close")
    return (-1, "closed") if shown or waited else (0, "nothing is shown")


def _state(ctx: Context, extras: Mapping[str, Any]) -> tuple[int, str] | None:
    """Answer the STATE broadcast with what is on screen, as a list of JSON objects."""
    recover(ctx)
    waits = notice.state(ctx)
    states = [*(each.state() for each in _living(ctx)), *([waits] if waits else [])]
    return -1, json.dumps(states, ensure_ascii=False, separators=(",", ":"))


def _notify(ctx: Context, extras: Mapping[str, Any]) -> tuple[int, str] | None:
    """The NOTIFY broadcast: shows by a notification what the window would."""
    recover(ctx)
    return _answer(notice.post(ctx, extras, SHOW, _WORDS))


def _heads_up(ctx: Context, extras: Mapping[str, Any]) -> tuple[int, str] | None:
    """The HEADS_UP broadcast: shows a notification at the top of the screen."""
    recover(ctx)
    return _answer(notice.alert(ctx, extras, _WORDS))


def _answer(said: str) -> tuple[int, str]:
    return (-1 if said in notice.SHOWN else 0), said


def _swiped(ctx: Context, extras: Mapping[str, Any]) -> tuple[int, str] | None:
    """A person has taken the notification away."""
    recover(ctx)
    notice.end(ctx, "swiped", token_of(extras))
    return None


def _pressed(ctx: Context, extras: Mapping[str, Any]) -> tuple[int, str] | None:
    """A person has pressed the notification, or a button of it."""
    recover(ctx)
    notice.pressed(ctx, extras)
    return None


def _expired(ctx: Context, extras: Mapping[str, Any]) -> tuple[int, str] | None:
    """The time of the notification is over."""
    recover(ctx)
    notice.expired(ctx, extras)
    return None


APP = App(
    package=PACKAGE,
    label={"zh": "GaraBench 干扰", "en": "GaraBench Interruptions"},
    activities={SHOW: Show, PROGRESS: ProgressActivity},
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
    permissions=notice.PERMISSIONS,
)
"""Without a launcher entry: agents must not meet it on the home screen."""
