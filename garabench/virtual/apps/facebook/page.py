"""The base of the app's pages: the store, the theme, loading over the network, sheets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import partial
from typing import Any

from garabench.virtual.apps.facebook import content, names, theme
from garabench.virtual.apps.facebook.store import FacebookStore
from garabench.virtual.apps.facebook.theme import button, empty_state, radio_row, sheet, toolbar
from garabench.virtual.kit.framework import Activity, Context, Intent
from garabench.virtual.kit.loading_page import LoadingPage
from garabench.virtual.kit.server_calls import network_check
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Container,
    Handler,
    ListView,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
)

NO_NETWORK = "No internet connection"
_TEXT_COLORS: Mapping[str, str] = {theme.INK: "#E2E5E9", theme.INK_2: "#B0B3B8", theme.BLUE: "#5AA7FF"}
_BACKGROUNDS: Mapping[str, str] = {
    theme.WHITE: "#252728",
    theme.BACKGROUND: "#1C1C1D",
    theme.FIELD: "#333334",
    theme.LINE: "#3B3D3F",
    theme.PALE_BLUE: "#1D3A5C",
    "#E2E5E9": "#3B3D3F",
    "#E9EBEE": "#333334",
}
_VISIBLE_ROWS = 7
_ROW = 50


def darkened(view: Widget) -> Widget:
    """Return the view in the dark theme."""
    changes: dict[str, Any] = {}
    if isinstance(view.background, str) and view.background in _BACKGROUNDS:
        changes["background"] = _BACKGROUNDS[view.background]
    if any(field.name == "color" for field in fields(view)):
        color: str = getattr(view, "color", "")
        if color in _TEXT_COLORS:
            changes["color"] = _TEXT_COLORS[color]
    if isinstance(view, Container):
        changes["children"] = [darkened(child) for child in view.children]
    elif isinstance(view, ListView):
        build = view.build
        changes["build"] = lambda item, index: darkened(build(item, index))
        changes["header"] = [darkened(child) for child in view.header]
    return replace(view, **changes) if changes else view


class FacebookPage(LoadingPage, Activity):
    """A page.

    Pages that load over the network show an error with a retry button when opened offline; loaded content
    stays. `sheet` builds the sheet over the page while it is open.
    """

    no_network = NO_NETWORK
    title = ""

    def __init__(self, ctx: Context, intent: Intent) -> None:
        super().__init__(ctx, intent)
        self.store = FacebookStore(self.ctx.data, network_check(ctx, self.no_network))
        self.load_first()

    @property
    def dark(self) -> bool:
        """Whether the app uses the dark theme."""
        chosen = self.store.setting("dark", "Off")
        return chosen == "On" or (chosen != "Off" and self.ctx.dark)

    def build(self) -> Widget:
        """Return the page below its bar, or an error if it failed to load."""
        self.status_bar = "#252728" if self.dark else "#FFFFFF"
        retry = Row(justify=Align.CENTER, width=MATCH, children=(button("Try again", self.retry),))
        body = (
            self.content()
            if self.loaded
            else empty_state("wifi_off", NO_NETWORK, "Check your connection.", retry)
        )
        page = Column(width=MATCH, height=MATCH, background=theme.BACKGROUND, children=(self.bar(), body))
        return self.themed(page)

    def themed(self, view: Widget) -> Widget:
        """Return a view in the app's current theme."""
        return darkened(view) if self.dark else view

    def content(self) -> Widget:
        """Return the content below the bar, which fills the remaining height."""
        raise NotImplementedError

    def bar(self) -> Widget:
        """Return the top bar."""
        return toolbar(self.title, self.leave)

    def leave(self) -> None:
        """Go back, unless the page intercepts it."""
        if not self.on_back():
            self.ctx.finish()

    def opens_page(self, activity: str, **extras: str) -> Handler:
        """Return a handler that opens another page."""
        return lambda: self.ctx.open(activity, **extras)

    def opens(self, who: str) -> Handler:
        """Return a handler that opens a person's or a page's profile."""
        return partial(self.ctx.open, names.PROFILE, who=who)

    def name_of(self, who: str) -> str:
        """Return the name of a person or a page."""
        return content.name_of(who)

    # Sheets

    def chooses(
        self, title: str, labels: tuple[str, ...], chosen: str, choose: Callable[[str], None]
    ) -> Handler:
        """Return a handler that opens a choice among labels."""

        def view() -> Widget:
            rows = [
                radio_row(label, label == chosen, self.closing(partial(choose, label))) for label in labels
            ]
            body: Widget = Column(width=MATCH, children=rows)
            if len(rows) > _VISIBLE_ROWS:
                body = ScrollView(id="choices", width=MATCH, height=_ROW * _VISIBLE_ROWS, children=rows)
            return sheet(title, body)

        return self.opening(view)

    def asks(self, title: str, text: str, yes: str, on_yes: Handler) -> Handler:
        """Return a handler that asks for confirmation first."""

        def view() -> Widget:
            buttons = Row(
                width=MATCH,
                gap=10,
                padding=insets(16, 10),
                children=(
                    button("Cancel", self.on_dismiss_dialog, kind="soft", weight=1),
                    button(yes, self.closing(on_yes), weight=1),
                ),
            )
            words = Text(text=text, size=15, color=theme.INK_2, padding=insets(16, 12, 16, 4))
            return sheet(title, words, buttons)

        return self.opening(view)
