"""A fake phone for testing an app in isolation."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any

from garabench.core.seeds import generator
from garabench.virtual.kit.framework import Activity, App, Intent
from garabench.virtual.ui.widgets import Container, ListView, Widget


class FakeTimer:
    def __init__(self, due: int, call: Callable[[], None]) -> None:
        self.due = due
        self.call = call
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class FakeContext:
    """Records an app's requests; time advances only by `pass_ms`."""

    sdk = 34
    width_dp = 411.0
    height_dp = 840.0

    def __init__(self, app: App, *, lang: str = "zh", system: Any = None) -> None:
        self.package = app.package
        self.data = app.initial_data()
        self.lang = lang
        self.online = True
        self.dark = False
        self.system = (
            system
            if system is not None
            else namespace(
                activities=namespace(tasks=[], visible=lambda: ()),
                processes=namespace(start=lambda package: 1),
                display=namespace(screen_on=True, rotation=0),
            )
        )
        self.finished = 0
        self.started: list[Intent] = []
        self.opened: list[tuple[str, dict[str, Any]]] = []
        self.toasts: list[str] = []
        self.lines: list[tuple[str, str]] = []
        self.timers: list[FakeTimer] = []
        self.ms = 0

    def t(self, zh: str, en: str) -> str:
        return zh if self.lang == "zh" else en

    def now(self) -> dt.datetime:
        start = dt.datetime(2024, 5, 20, 9, 41, tzinfo=dt.timezone(dt.timedelta(hours=8)))
        return start + dt.timedelta(milliseconds=self.ms)

    def random(self, *names: str | int) -> random.Random:
        return generator(0, self.package, *names)

    def start(self, intent: Intent) -> None:
        self.started.append(intent)

    def open(self, activity: str, **extras: Any) -> None:
        self.opened.append((activity, extras))

    def finish(self) -> None:
        self.finished += 1

    def relaunch(self) -> None:
        self.finished += 1

    def invalidate(self) -> None:
        return

    def toast(self, text: str) -> None:
        self.toasts.append(text)

    def after(self, milliseconds: int, call: Callable[[], None]) -> FakeTimer:
        timer = FakeTimer(self.ms + milliseconds, call)
        self.timers.append(timer)
        return timer

    def log(self, tag: str, message: str, level: str = "I") -> None:
        self.lines.append((tag, message))

    def hide_keyboard(self) -> None:
        return

    def focus(self, key: str) -> None:
        return

    def scroll_to(self, key: str, offset_dp: float = 0) -> None:
        return

    def notify(self, channel: str, title: str, text: str, intent: Intent | None = None) -> None:
        return

    def permission(self, name: str) -> bool:
        return False

    def request_permission(self, name: str, done: Callable[[bool], None]) -> None:
        done(False)

    def pass_ms(self, ms: int) -> None:
        end = self.ms + ms
        while True:
            due = [timer for timer in self.timers if not timer.cancelled and timer.due <= end]
            if not due:
                break
            first = min(due, key=lambda timer: timer.due)
            self.timers.remove(first)
            self.ms = max(self.ms, first.due)
            first.call()
        self.ms = end


def launch(
    app: App, activity: str, *, lang: str = "zh", system: Any = None, data: str = "", **extras: Any
) -> tuple[Any, FakeContext]:
    """Create and resume an activity on a fake phone."""
    ctx = FakeContext(app, lang=lang, system=system)
    made: Activity = app.activities[activity](ctx, Intent(data=data, extras=extras))
    made.on_create()
    made.on_resume()
    return made, ctx


def views(view: Widget | None) -> Iterator[Widget]:
    """Return all widgets of a view."""
    if view is None:
        return
    yield view
    children: Sequence[Widget] = ()
    if isinstance(view, Container):
        children = view.children
    elif isinstance(view, ListView):
        children = [*view.header, *(view.build(item, place) for place, item in enumerate(view.items))]
    for child in children:
        yield from views(child)


def by_id(view: Widget | None, name: str) -> Any:
    """Return the first widget with this id."""
    return next(each for each in views(view) if each.id == name)


def texts(view: Widget | None) -> list[str]:
    """Return all texts of a view."""
    return [each.text for each in views(view) if getattr(each, "text", "")]  # type: ignore[attr-defined]


def row(view: Widget | None, title: str) -> Any:
    """Return the clickable widget that contains this text."""
    for each in views(view):
        if each.on_click is not None and title in texts(each):
            return each
    raise LookupError(title)


def namespace(**attributes: Any) -> SimpleNamespace:
    return SimpleNamespace(**attributes)
