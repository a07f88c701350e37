"""The calendar picker for a day or a range of days."""

from __future__ import annotations

import calendar as months
import datetime as dt
from collections.abc import Callable
from functools import partial

from garabench.virtual.apps.ctrip.theme import (
    BLUE,
    BLUE_SOFT,
    INK,
    INK_2,
    INK_3,
    ORANGE,
    WHITE,
    button,
    label,
    title_bar,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Handler,
    ListView,
    Row,
    Text,
    Widget,
    insets,
)

WEEKDAYS = ("周一", "周二", "周三", "周四", "周五", "周六", "周日")
_MONTHS = 6
_HEIGHT = 46
_FESTIVALS = {(6, 10): "端午", (6, 1): "儿童节", (9, 17): "中秋", (10, 1): "国庆"}


def short_date(day: dt.date) -> str:
    """Return a date such as 6月7日."""
    return f"{day.month}月{day.day}日"


def long_date(day: dt.date) -> str:
    """Return a date such as 2024年6月7日."""
    return f"{day.year}年{day.month}月{day.day}日"


def weekday(day: dt.date, today: dt.date) -> str:
    """Return 今天, 明天 or a weekday such as 周五."""
    return {0: "今天", 1: "明天", 2: "后天"}.get((day - today).days, WEEKDAYS[day.weekday()])


class Calendar:
    """A date picker; with two `marks`, it picks a range of days.

    Args:
        today: Earlier days cannot be selected.
        marks: Labels under the selected days: (入住, 离店), or a single one.
        chosen: The days selected initially.
        done: Called with the selected days.
        leave: Closes the picker.
        closed: Returns whether a day cannot be selected.
    """

    def __init__(
        self,
        title: str,
        today: dt.date,
        marks: tuple[str, ...],
        chosen: tuple[dt.date, ...],
        done: Callable[[tuple[dt.date, ...]], None],
        leave: Handler,
        *,
        closed: Callable[[dt.date], bool] = lambda day: False,
    ) -> None:
        self.title = title
        self.today = today
        self.marks = marks
        self.chosen = chosen
        self.done = done
        self.leave = leave
        self.closed = closed

    def tap(self, day: dt.date) -> None:
        """Select a day; of a range, first the start, then the end."""
        if len(self.marks) == 1:
            self.done((day,))
        elif len(self.chosen) == 1 and day > self.chosen[0]:
            self.chosen = (self.chosen[0], day)
        else:
            self.chosen = (day,)

    def view(self) -> Widget:
        """Return the picker."""
        rows = [
            title_bar(self.title, self.leave),
            Row(
                width=MATCH,
                height=30,
                padding=insets(8, 0),
                background=WHITE,
                children=[
                    Text(text=day[1], size=12, color=INK_2, align=Align.CENTER, weight=1)
                    for day in (WEEKDAYS[-1], *WEEKDAYS[:-1])
                ],
            ),
            ListView(
                id="calendar_list",
                width=MATCH,
                height=MATCH,
                weight=1,
                background=WHITE,
                padding=insets(8, 0),
                items=[self._month(number) for number in range(_MONTHS)],
                build=lambda month, _: self._month_view(*month),
            ),
        ]
        if len(self.marks) > 1:
            rows.append(self._bottom())
        return Column(id="calendar", width=MATCH, height=MATCH, background=WHITE, children=rows)

    def _month(self, number: int) -> tuple[int, int]:
        past = self.today.month - 1 + number
        return self.today.year + past // 12, past % 12 + 1

    def _month_view(self, year: int, month: int) -> Widget:
        weeks = months.Calendar(firstweekday=6).monthdatescalendar(year, month)
        return Column(
            key=f"{year}-{month}",
            width=MATCH,
            children=[
                Text(
                    id="month_title",
                    text=f"{year}年{month}月",
                    size=15,
                    bold=True,
                    color=INK,
                    padding=insets(8, 10, 8, 6),
                ),
                *(
                    Row(width=MATCH, height=_HEIGHT, children=[self._day(day, month) for day in week])
                    for week in weeks
                ),
            ],
        )

    def _day(self, day: dt.date, month: int) -> Widget:
        if day.month != month:
            return Widget(weight=1, height=_HEIGHT, important=False)
        able = day >= self.today and not self.closed(day)
        on = day in self.chosen
        between = len(self.chosen) == 2 and self.chosen[0] < day < self.chosen[1]
        note = _FESTIVALS.get((day.month, day.day), "")
        if on:
            note = self.marks[min(self.chosen.index(day), len(self.marks) - 1)]
        elif day == self.today:
            note = "今天"
        color = WHITE if on else (INK if able else "#C4C8D0")
        if able and not on and day.weekday() > 4:
            color = ORANGE
        lines: list[Widget] = [
            Text(id="day_number", text=str(day.day), size=16, color=color, align_self=Align.CENTER)
        ]
        if note:
            lines.append(
                Text(
                    id="day_note", text=note, size=9.5, color=WHITE if on else INK_3, align_self=Align.CENTER
                )
            )
        return Box(
            id="calendar_day",
            key=day.isoformat(),
            desc=long_date(day),
            weight=1,
            height=_HEIGHT,
            radius=6 if on else 0,
            background=BLUE if on else BLUE_SOFT if between else None,
            selected=on or between,
            enabled=able,
            on_click=partial(self.tap, day) if able else None,
            children=(Column(align_self=Align.CENTER, align_vertical=Align.CENTER, children=lines),),
        )

    def _bottom(self) -> Widget:
        if len(self.chosen) == 2:
            first, last = self.chosen
            nights = (last - first).days
            chosen = f"{short_date(first)} - {short_date(last)}"
            word = f"完成({nights}晚)" if self.marks[1] == "离店" else "完成"
        else:
            chosen, word = f"请选择{self.marks[1]}日期", "完成"
        return Row(
            width=MATCH,
            height=62,
            gap=12,
            padding=insets(16, 8),
            background=WHITE,
            children=(
                label(chosen, 15, INK, rid="calendar_chosen", weight=1),
                button(
                    word,
                    lambda: self.done(self.chosen),
                    rid="calendar_done",
                    enabled=len(self.chosen) == 2,
                    padding=insets(26, 11),
                ),
            ),
        )
