"""The telephone: recent calls, a keypad, and the screen of a call."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from functools import partial
from typing import Any, cast
from urllib.parse import unquote

from garabench.core.app_state import StateRecord
from garabench.virtual.android.phone_calls import CallState, PhoneCalls
from garabench.virtual.apps.settings.rows import card, colors, page
from garabench.virtual.kit.framework import Activity, App, Context, Intent
from garabench.virtual.kit.intent_filter import BROWSABLE, DEFAULT, IntentFilter
from garabench.virtual.kit.state import item, numbered
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Button,
    Column,
    Handler,
    Icon,
    Row,
    Text,
    Widget,
    insets,
    spacer,
)

PACKAGE = "com.android.dialer"
MAIN, CALL = f"{PACKAGE}.main.impl.MainActivity", "com.android.incallui.InCallActivity"
_DIAL, _VIEW, _CALL = "android.intent.action.DIAL", "android.intent.action.VIEW", "android.intent.action.CALL"
_KEYS = (
    (("1", ""), ("2", "ABC"), ("3", "DEF")),
    (("4", "GHI"), ("5", "JKL"), ("6", "MNO")),
    (("7", "PQRS"), ("8", "TUV"), ("9", "WXYZ")),
    (("*", ""), ("0", "+"), ("#", "")),
)
_NAMES = {
    "*": "star",
    "#": "pound",
    **{"0": "zero", "1": "one", "2": "two", "3": "three", "4": "four"},
    **{"5": "five", "6": "six", "7": "seven", "8": "eight", "9": "nine"},
}
_MAX_NUMBER = 30
_MAX_CALLS = 100
_OUTGOING = 2
"""``CallLog.Calls.OUTGOING_TYPE``."""


def number_of(uri: str) -> str:
    """Return the telephone number of a ``tel:`` URI; empty for another one."""
    scheme, _, rest = uri.partition(":")
    if scheme != "tel":
        return ""
    return "".join(char for char in unquote(rest) if char in "0123456789+*#")[:_MAX_NUMBER]


class DialerActivity(Activity):
    """The recent calls and the keypad."""

    launch_mode = "singleTask"
    filters = (
        IntentFilter((_DIAL, _VIEW), (DEFAULT, BROWSABLE), ("tel",)),
        IntentFilter((_DIAL,), (DEFAULT,)),
        IntentFilter(("android.intent.action.CALL_BUTTON",), (DEFAULT, BROWSABLE)),
        IntentFilter(("android.intent.action.MAIN",), (DEFAULT, "android.intent.category.APP_CONTACTS")),
    )

    def on_create(self) -> None:
        self.number, self.keypad = "", False
        self.on_new_intent(self.intent)

    def on_new_intent(self, intent: Intent) -> None:
        if intent.action in (_DIAL, _VIEW):
            self.number, self.keypad = number_of(intent.data), True

    def on_back(self) -> bool:
        was, self.keypad = self.keypad, False
        return was

    def build(self) -> Widget:
        self.status_bar = colors(self.ctx).page
        return self._keypad() if self.keypad else self._recent()

    def _recent(self) -> Widget:
        ctx, palette = self.ctx, colors(self.ctx)
        calls = ctx.data["calls"]
        rows = [
            Row(
                id="call_log_row",
                key=f"call-{place}",
                width=MATCH,
                gap=16,
                padding=insets(20, 12),
                on_click=partial(self._call, call["number"]),
                children=[
                    Icon(name="phone", color=palette.accent, important=False),
                    Column(
                        children=[
                            Text(id="primary_text", text=call["number"], size=17, color=palette.ink),
                            Text(id="call_details", text=_when(ctx, call["at"]), size=14, color=palette.grey),
                        ]
                    ),
                ],
            )
            for place, call in reversed(list(enumerate(calls)))
        ]
        empty = Text(
            id="empty_list_view_message",
            text=ctx.t("通话记录为空", "Your call history is empty"),
            size=16,
            color=palette.grey,
            padding=insets(24, 40),
        )
        pad = Button(
            id="fab",
            text=ctx.t("拨号键盘", "Key pad"),
            color=palette.on_accent,
            background=palette.accent,
            radius=24,
            margin=insets(24, 8),
            on_click=self._open_keypad,
        )
        return page(ctx, ctx.t("电话", "Phone"), [pad, card(ctx, rows) if rows else empty], back=ctx.finish)

    def _keypad(self) -> Widget:
        ctx, palette = self.ctx, colors(self.ctx)
        shown = Row(
            width=MATCH,
            padding=insets(16, 24, 16, 8),
            children=[
                Text(
                    id="digits",
                    text=self.number,
                    size=34,
                    color=palette.ink,
                    weight=1,
                    align=Align.CENTER,
                    max_lines=1,
                ),
                Icon(
                    name="backspace",
                    id="deleteButton",
                    color=palette.grey,
                    desc=ctx.t("退格", "backspace"),
                    width=48,
                    height=48,
                    padding=insets(12),
                    on_click=self._delete,
                ),
            ],
        )
        rows = [
            Row(width=MATCH, padding=insets(16, 4), gap=8, children=[self._key(*key) for key in row])
            for row in _KEYS
        ]
        call = Icon(
            name="phone",
            id="dialpad_floating_action_button",
            desc=ctx.t("拨打", "dial"),
            color="#FFFFFF",
            background="#1E8E3E",
            radius=36,
            width=72,
            height=72,
            padding=insets(22),
            align_self=Align.CENTER,
            margin=insets(0, 12, 0, 24),
            on_click=partial(self._call, self.number),
        )
        return Column(
            id="dialpad_fragment",
            width=MATCH,
            height=MATCH,
            background=palette.page,
            children=[spacer(), shown, *rows, call],
        )

    def _key(self, digit: str, letters: str) -> Widget:
        palette = colors(self.ctx)
        return Column(
            id=_NAMES[digit],
            desc=f"{digit},{letters}" if letters else digit,
            weight=1,
            height=68,
            radius=20,
            background=palette.card,
            align=Align.CENTER,
            justify=Align.CENTER,
            on_click=partial(self._press, digit),
            on_long_click=partial(self._press, "+") if digit == "0" else None,
            children=[
                Text(id="dialpad_key_number", text=digit, size=28, color=palette.ink),
                Text(id="dialpad_key_letters", text=letters, size=11, color=palette.grey),
            ],
        )

    def _open_keypad(self) -> None:
        self.keypad = True

    def _press(self, digit: str) -> None:
        self.number = (self.number + digit)[:_MAX_NUMBER]

    def _delete(self) -> None:
        self.number = self.number[:-1]

    def _call(self, number: str) -> None:
        if number:
            self.ctx.open(CALL, number=number)


class InCallActivity(Activity):
    """A call, which nobody answers."""

    launch_mode = "singleTask"
    filters = (IntentFilter((_CALL,), (DEFAULT,), ("tel",)),)
    status_bar = "#1B4332"

    def on_create(self) -> None:
        self.on_new_intent(self.intent)

    def on_new_intent(self, intent: Intent) -> None:
        self.number = number_of(intent.data) or str(intent.extras.get("number", ""))
        if not self.number:
            self.ctx.finish()
            return
        self.calls.dial(self.number)
        calls = self.ctx.data["calls"]
        at = self.ctx.now().isoformat(timespec="seconds")
        calls.append({"number": self.number, "at": at, "type": _OUTGOING})
        del calls[:-_MAX_CALLS]

    @property
    def calls(self) -> PhoneCalls:
        """The phone's calls."""
        return cast(PhoneCalls, self.ctx.system.network.calls)

    def _end(self) -> None:
        self.calls.hang_up(self.number)
        self.ctx.finish()

    def build(self) -> Widget:
        ctx, call = self.ctx, self.calls.find(self.number)
        if call is None:
            status = ctx.t("通话已结束", "Call ended")
        elif call.state is CallState.ACTIVE:
            status = ctx.t("通话中", "Ongoing call")
        elif call.state is CallState.HOLDING:
            status = ctx.t("保持", "On hold")
        else:
            status = ctx.t("正在拨号…", "Calling…")
        return Column(
            width=MATCH,
            height=MATCH,
            background=self.status_bar,
            align=Align.CENTER,
            children=[
                _line("contactgrid_status_text", status, 18, 64),
                _line("contactgrid_contact_name", self.number, 34, 12),
                spacer(),
                _end_call(ctx.t("结束通话", "End call"), self._end),
            ],
        )


def _line(name: str, text: str, size: int, above: int) -> Widget:
    return Text(id=name, text=text, size=size, color="#FFFFFF", margin=insets(0, above, 0, 0))


def _end_call(desc: str, end: Handler) -> Widget:
    return Icon(
        name="close",
        id="incall_end_call",
        desc=desc,
        color="#FFFFFF",
        background="#D93025",
        radius=36,
        width=72,
        height=72,
        padding=insets(22),
        margin=insets(0, 0, 0, 64),
        on_click=end,
    )


def _when(ctx: Context, at: str) -> str:
    moment = dt.datetime.fromisoformat(at)
    return ctx.t(
        f"{moment.month}月{moment.day}日 {moment:%H:%M}", f"{moment:%b} {moment.day}, {moment:%H:%M}"
    )


def _initial_data() -> dict[str, Any]:
    return {"calls": []}


def state(ctx: Context) -> Iterator[StateRecord]:
    """Return the calls made, in any order of time."""
    yield from numbered(
        item(
            "call",
            call["number"],
            f"拨打过 {call['number']}",
            f"Called {call['number']}",
            number=call["number"],
        )
        for call in ctx.data["calls"]
        if call.get("type", _OUTGOING) == _OUTGOING
    )


APP = App(
    package=PACKAGE,
    label={"zh": "电话", "en": "Phone"},
    activities={MAIN: DialerActivity, CALL: InCallActivity},
    launcher=MAIN,
    version_name="14",
    version_code=34,
    icon_seed="dialer",
    icon_color="#1E8E3E",
    icon_glyph="icon:phone",
    system=True,
    initial_data=_initial_data,
    state=state,
    apk_path="/product/priv-app/Dialer/Dialer.apk",
)
