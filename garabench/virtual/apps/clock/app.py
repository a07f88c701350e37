"""The clock: alarms that can be added, switched and deleted, and a stopwatch.

Alarms do not ring: an alarm would interrupt what runs on the phone at that time.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from garabench.core.app_state import StateRecord
from garabench.virtual.apps.settings.rows import card, colors, page
from garabench.virtual.kit.framework import Activity, App, Context, Intent, Timer
from garabench.virtual.kit.intent_filter import DEFAULT, IntentFilter
from garabench.virtual.kit.state import item, numbered
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Button,
    Column,
    Icon,
    Row,
    Text,
    Toggle,
    Widget,
    insets,
    spacer,
)

PACKAGE = "com.android.deskclock"
MAIN, STOPWATCH, SET_ALARM = (
    f"{PACKAGE}.DeskClock",
    f"{PACKAGE}.StopwatchActivity",
    f"{PACKAGE}.HandleSetAlarm",
)
_EXTRA = "android.intent.extra.alarm."
_TICK_MS = 100
_HAIR_SPACE_SDK = 19


class DeskClockActivity(Activity):
    """The alarms."""

    launch_mode = "singleTask"
    filters = (IntentFilter(("android.intent.action.SHOW_ALARMS",), (DEFAULT,)),)

    def on_create(self) -> None:
        self.new: tuple[int, int] | None = None

    def build(self) -> Widget:
        ctx, palette = self.ctx, colors(self.ctx)
        self.status_bar = palette.page
        rows = [self._row(place, alarm) for place, alarm in enumerate(ctx.data["alarms"])]
        buttons = Row(
            padding=insets(24, 0, 24, 12),
            gap=12,
            children=[
                Button(
                    id="fab",
                    text=ctx.t("添加闹钟", "Add alarm"),
                    color=palette.on_accent,
                    background=palette.accent,
                    radius=24,
                    on_click=self._add,
                ),
                Button(
                    id="tab_menu_stopwatch",
                    text=ctx.t("秒表", "Stopwatch"),
                    color=palette.accent,
                    on_click=partial(ctx.open, STOPWATCH),
                ),
            ],
        )
        none = Text(
            id="alarms_empty_view",
            text=ctx.t("没有闹钟", "No Alarms"),
            size=16,
            color=palette.grey,
            padding=insets(24, 24),
        )
        return page(
            ctx, ctx.t("闹钟", "Alarm"), [buttons, card(ctx, rows) if rows else none], back=ctx.finish
        )

    def _row(self, place: int, alarm: dict[str, Any]) -> Widget:
        ctx, palette = self.ctx, colors(self.ctx)
        ink = palette.ink if alarm["on"] else palette.grey
        label = _schedule(ctx, alarm)
        if alarm["label"]:
            label = f"{label} · {alarm['label']}"
        return Row(
            id="alarm_item",
            key=f"alarm-{place}",
            width=MATCH,
            gap=8,
            padding=insets(20, 10),
            children=[
                Column(
                    weight=1,
                    children=[
                        Text(id="digital_clock", text=_shown_time(ctx, alarm), size=34, color=ink),
                        Text(id="days_of_week", text=label, size=14, color=palette.grey),
                    ],
                ),
                Icon(
                    name="delete",
                    id="delete",
                    desc=ctx.t(f"删除 {_time(alarm)}", f"Delete {_time(alarm)}"),
                    color=palette.grey,
                    width=48,
                    height=48,
                    padding=insets(12),
                    on_click=partial(self._delete, place),
                ),
                Toggle(
                    id="onoff",
                    key=f"onoff-{place}",
                    desc=_shown_time(ctx, alarm),
                    checked=alarm["on"],
                    color=palette.accent,
                    on_click=partial(self._switch, place),
                ),
            ],
        )

    def dialog(self) -> Widget | None:
        if self.new is None:
            return None
        ctx, palette, (hour, minute) = self.ctx, colors(self.ctx), self.new
        buttons = [
            Button(
                id="android:id/button2",
                text=ctx.t("取消", "Cancel"),
                color=palette.accent,
                on_click=self.on_dismiss_dialog,
            ),
            Button(
                id="android:id/button1", text=ctx.t("确定", "OK"), color=palette.accent, on_click=self._save
            ),
        ]
        return Column(
            width=300,
            background=palette.card,
            radius=24,
            padding=insets(24, 20, 12, 8),
            gap=12,
            children=[
                Text(text=ctx.t("选择时间", "Select time"), size=18, color=palette.ink),
                Row(
                    width=MATCH,
                    justify=Align.CENTER,
                    gap=12,
                    children=[
                        self._picker("hour", hour, ctx.t("小时", "hour"), 1, 0),
                        Text(text=":", size=40, color=palette.ink, important=False),
                        self._picker("minute", minute, ctx.t("分钟", "minute"), 0, 5),
                    ],
                ),
                Row(width=MATCH, gap=8, justify=Align.END, children=buttons),
            ],
        )

    def _picker(self, name: str, value: int, unit: str, hours: int, minutes: int) -> Widget:
        palette, ctx = colors(self.ctx), self.ctx
        more, less = ctx.t(f"增加{unit}", f"Increase {unit}"), ctx.t(f"减少{unit}", f"Decrease {unit}")
        return Column(
            align=Align.CENTER,
            children=[
                Icon(
                    name="plus",
                    id=f"{name}_up",
                    desc=more,
                    color=palette.accent,
                    width=48,
                    height=44,
                    padding=insets(10),
                    on_click=partial(self._move, hours, minutes),
                ),
                Text(id=f"android:id/{name}s", text=f"{value:02}", size=40, color=palette.ink),
                Icon(
                    name="minus",
                    id=f"{name}_down",
                    desc=less,
                    color=palette.accent,
                    width=48,
                    height=44,
                    padding=insets(10),
                    on_click=partial(self._move, -hours, -minutes),
                ),
            ],
        )

    def on_dismiss_dialog(self) -> None:
        self.new = None

    def _add(self) -> None:
        now = self.ctx.now()
        self.new = now.hour, now.minute - now.minute % 5

    def _move(self, hours: int, minutes: int) -> None:
        if self.new is not None:
            self.new = (self.new[0] + hours) % 24, (self.new[1] + minutes) % 60

    def _save(self) -> None:
        if self.new is not None:
            add_alarm(self.ctx, *self.new, "")
        self.new = None

    def _delete(self, place: int) -> None:
        del self.ctx.data["alarms"][place]

    def _switch(self, place: int) -> None:
        alarm = self.ctx.data["alarms"][place]
        alarm["on"] = not alarm["on"]


class SetAlarmActivity(Activity):
    """Sets an alarm for another app (``AlarmClock.ACTION_SET_ALARM``), and shows the alarms."""

    filters = (IntentFilter(("android.intent.action.SET_ALARM",), (DEFAULT,)),)
    translucent = True

    def on_create(self) -> None:
        extras = self.intent.extras
        hour, minute = extras.get(f"{_EXTRA}HOUR", -1), extras.get(f"{_EXTRA}MINUTES", 0)
        if isinstance(hour, int) and isinstance(minute, int) and 0 <= hour < 24 and 0 <= minute < 60:
            add_alarm(self.ctx, hour, minute, str(extras.get(f"{_EXTRA}MESSAGE", ""))[:100])
        self.ctx.finish()
        if not extras.get(f"{_EXTRA}SKIP_UI", False):
            self.ctx.start(Intent(package=PACKAGE, activity=MAIN))

    def build(self) -> Widget:
        return Column(width=MATCH, height=MATCH)


class StopwatchActivity(Activity):
    """The stopwatch."""

    def on_create(self) -> None:
        self.passed_ms, self.since = 0.0, None
        self.timer: Timer | None = None

    def on_pause(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    def on_resume(self) -> None:
        self._tick()

    def _tick(self) -> None:
        self.on_pause()
        if self.since is not None:
            self.timer = self.ctx.after(_TICK_MS, self._tick)

    def _total_ms(self) -> float:
        if self.since is None:
            return self.passed_ms
        return self.passed_ms + (self.ctx.now().timestamp() - self.since) * 1000

    def build(self) -> Widget:
        ctx, palette = self.ctx, colors(self.ctx)
        self.status_bar = palette.page
        total = int(self._total_ms() // 100)
        text = f"{total // 600:02}:{total // 10 % 60:02}.{total % 10}"
        running = self.since is not None
        buttons = [
            Button(
                id="stopwatch_reset",
                text=ctx.t("重置", "Reset"),
                color=palette.accent,
                enabled=total > 0,
                on_click=self._reset,
            ),
            Button(
                id="fab",
                text=ctx.t("暂停", "Pause") if running else ctx.t("开始", "Start"),
                color=palette.on_accent,
                background=palette.accent,
                radius=24,
                on_click=self._toggle,
            ),
        ]
        body = [
            Text(
                id="stopwatch_time_text",
                text=text,
                size=52,
                color=palette.ink,
                width=MATCH,
                align=Align.CENTER,
                padding=insets(0, 60, 0, 40),
            ),
            Row(width=MATCH, justify=Align.CENTER, gap=24, children=buttons),
            spacer(),
        ]
        return page(ctx, ctx.t("秒表", "Stopwatch"), body, back=ctx.finish)

    def _toggle(self) -> None:
        if self.since is None:
            self.since = self.ctx.now().timestamp()
        else:
            self.passed_ms, self.since = self._total_ms(), None
        self._tick()

    def _reset(self) -> None:
        self.passed_ms, self.since = 0.0, None
        self._tick()

    since: float | None


def add_alarm(ctx: Context, hour: int, minute: int, label: str) -> None:
    """Add an alarm that is on, and say so."""
    alarm = {"hour": hour, "minute": minute, "label": label, "on": True}
    alarms = ctx.data["alarms"]
    alarms.append(alarm)
    alarms.sort(key=lambda each: (each["hour"], each["minute"]))
    ctx.toast(ctx.t(f"闹钟已设为 {_time(alarm)}", f"Alarm set for {_time(alarm)}"))


def next_time(alarm: Mapping[str, Any], now: dt.datetime) -> dt.datetime:
    """Return when an alarm rings next, whether it is on or not."""
    at = now.replace(hour=alarm["hour"], minute=alarm["minute"], second=0, microsecond=0)
    return at if at > now else at + dt.timedelta(days=1)


def _schedule(ctx: Context, alarm: Mapping[str, Any]) -> str:
    """Return the day on which an alarm rings, which does not repeat (``DeskClock``'s ``days_of_week``)."""
    if not alarm["on"]:
        return ctx.t("未安排", "Not scheduled")
    now = ctx.now()
    today = next_time(alarm, now).date() == now.date()
    return ctx.t("今天", "Today") if today else ctx.t("明天", "Tomorrow")


def _time(alarm: dict[str, Any]) -> str:
    return f"{alarm['hour']:02}:{alarm['minute']:02}"


def _shown_time(ctx: Context, alarm: dict[str, Any]) -> str:
    """Return the time as the list shows it: in English, Android 4.4 joins AM or PM by a hair space."""
    if ctx.sdk > _HAIR_SPACE_SDK or ctx.lang != "en":
        return _time(alarm)
    half = "AM" if alarm["hour"] < 12 else "PM"
    return f"{(alarm['hour'] + 11) % 12 + 1}:{alarm['minute']:02}\u200a{half}"


def _initial_data() -> dict[str, Any]:
    return {
        "alarms": [
            {"hour": 8, "minute": 30, "label": "", "on": False},
            {"hour": 9, "minute": 0, "label": "", "on": False},
        ]
    }


def state(ctx: Context) -> Iterator[StateRecord]:
    """Return the alarms."""
    yield from numbered(
        item(
            "alarm",
            _time(each),
            f"{_time(each)} 的闹钟{'开着' if each['on'] else '关着'}",
            f"The alarm at {_time(each)} is {'on' if each['on'] else 'off'}",
            label=each["label"],
            on=each["on"],
        )
        for each in ctx.data["alarms"]
    )


APP = App(
    package=PACKAGE,
    label={"zh": "时钟", "en": "Clock"},
    activities={MAIN: DeskClockActivity, SET_ALARM: SetAlarmActivity, STOPWATCH: StopwatchActivity},
    launcher=MAIN,
    version_name="14",
    version_code=34,
    icon_seed="clock",
    icon_color="#3F51B5",
    icon_glyph="icon:clock",
    system=True,
    initial_data=_initial_data,
    state=state,
    apk_path="/product/app/DeskClock/DeskClock.apk",
)
