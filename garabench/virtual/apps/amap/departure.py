"""The departure picker: day, hour and minutes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from functools import partial

from garabench.virtual.apps.amap.dialogs import bottom_sheet
from garabench.virtual.apps.amap.theme import BLUE, INK, INK_3, chip, pill
from garabench.virtual.ui.widgets import MATCH, Column, Handler, Row, ScrollView, Text, Widget, insets

DAYS = ("今天", "明天", "后天")
_MINUTES = (0, 10, 20, 30, 40, 50)
NOW = "现在出发"


def departure_text(when: dt.datetime | None, now: dt.datetime) -> str:
    """Format a time of departure: ``现在出发``, ``今天 18:00出发``, ``明天 08:30出发``."""
    if when is None:
        return NOW
    away = (when.date() - now.date()).days
    day = DAYS[away] if 0 <= away < len(DAYS) else f"{when.month}月{when.day}日"
    return f"{day} {when:%H:%M}出发"


class DepartureSheet:
    """The departure sheet; it holds the choice until it is confirmed."""

    def __init__(
        self,
        now: dt.datetime,
        chosen: dt.datetime | None,
        confirm: Callable[[dt.datetime | None], None],
        close: Handler,
        toasting: Callable[[str], Handler],
    ) -> None:
        self._now, self._confirm, self._close, self._toasting = now, confirm, close, toasting
        begin = chosen or now
        self.day = max(0, min(len(DAYS) - 1, (begin.date() - now.date()).days))
        self.hour, self.minute = begin.hour, begin.minute // 10 * 10

    def choose(self, *, day: int | None = None, hour: int | None = None, minute: int | None = None) -> None:
        """Choose day, hour or minute."""
        self.day = self.day if day is None else day
        self.hour = self.hour if hour is None else hour
        self.minute = self.minute if minute is None else minute

    @property
    def when(self) -> dt.datetime:
        """Return the chosen time."""
        day = self._now.date() + dt.timedelta(days=self.day)
        return dt.datetime.combine(day, dt.time(self.hour, self.minute), self._now.tzinfo)

    def confirm(self) -> None:
        """Confirm the choice, unless it is in the past."""
        if self.when < self._now - dt.timedelta(minutes=10):
            self._toasting("出发时间不能早于当前时间")()
            return
        self._confirm(self.when)

    def view(self) -> Widget:
        """Return the sheet."""
        days = [
            chip(label, place == self.day, partial(self.choose, day=place), rid="departure_day", size=14)
            for place, label in enumerate(DAYS)
        ]
        hours = [
            chip(f"{hour:02d}时", hour == self.hour, partial(self.choose, hour=hour), rid="departure_hour")
            for hour in range(24)
        ]
        minutes = [
            chip(f"{m:02d}分", m == self.minute, partial(self.choose, minute=m), rid="departure_minute")
            for m in _MINUTES
        ]
        body = Column(
            width=MATCH,
            gap=12,
            padding=insets(16, 2, 16, 4),
            children=(
                Text(
                    id="departure_chosen",
                    text=departure_text(self.when, self._now),
                    size=16,
                    bold=True,
                    color=BLUE,
                ),
                Row(width=MATCH, gap=10, children=days),
                Text(text="小时", size=13, color=INK_3),
                ScrollView(
                    id="departure_hours",
                    width=MATCH,
                    height=132,
                    children=(Row(width=MATCH, wrap=True, gap=8, children=hours),),
                ),
                Text(text="分钟", size=13, color=INK_3),
                Row(width=MATCH, wrap=True, gap=8, children=minutes),
                Row(
                    width=MATCH,
                    gap=12,
                    children=(
                        pill(
                            NOW,
                            partial(self._confirm, None),
                            rid="departure_now",
                            fill=False,
                            color=INK,
                            weight=1,
                        ),
                        pill("确定", self.confirm, rid="departure_confirm", weight=1),
                    ),
                ),
            ),
        )
        return bottom_sheet("出发时间", self._close, body, rid="departure_sheet")
