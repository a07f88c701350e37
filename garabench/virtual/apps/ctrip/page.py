"""The base of the app's pages: the store, loading over the network, overlays, sheets, confirmations."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from garabench.virtual.apps.ctrip import names
from garabench.virtual.apps.ctrip.store import CtripStore
from garabench.virtual.apps.ctrip.theme import BACKGROUND, title_bar
from garabench.virtual.apps.ctrip.widgets import confirm_dialog, network_error
from garabench.virtual.kit.framework import Activity, Context, Intent
from garabench.virtual.kit.loading_page import LoadingPage
from garabench.virtual.kit.server_calls import network_check
from garabench.virtual.ui.widgets import MATCH, Column, Handler, Widget

NO_NETWORK = "网络不给力，请检查网络设置"


class CtripPage(LoadingPage, Activity):
    """A page.

    Pages that load over the network show an error with a retry button when opened offline; loaded content
    stays. `sheet` builds the sheet over the page while it is open; `overlay` builds a full-screen picker (a
    calendar, a city picker) until it is closed.
    """

    no_network = NO_NETWORK

    def __init__(self, ctx: Context, intent: Intent) -> None:
        super().__init__(ctx, intent)
        self.store = CtripStore(self.ctx.data, network_check(ctx, self.no_network))
        self.load_first()
        self.overlay: Callable[[], Widget] | None = None

    @property
    def today(self) -> dt.date:
        """The date of the phone's clock."""
        return self.ctx.now().date()

    def build(self) -> Widget:
        """Return the page, the open picker, or an error if the page failed to load."""
        if self.overlay is not None:
            return self.overlay()
        body = self.content() if self.loaded else network_error(self.retry)
        bar = self.bar()
        children = (bar, body) if bar is not None else (body,)
        return Column(width=MATCH, height=MATCH, background=BACKGROUND, children=children)

    def content(self) -> Widget:
        """Return the content below the bar, which fills the remaining height."""
        raise NotImplementedError

    def bar(self) -> Widget | None:
        """Return the top bar, which is shown offline as well."""
        return None

    def back_bar(self, title: str, *actions: Widget) -> Widget:
        """Return a bar with a back button and a title."""
        return title_bar(title, self.leave, *actions)

    def leave(self) -> None:
        """Go back, as the back key does."""
        if not self.on_back():
            self.ctx.finish()

    def on_back(self) -> bool:
        """Back closes an open picker first."""
        if self.overlay is None:
            return False
        self.overlay = None
        return True

    def opens_page(self, activity: str, **extras: str | int | bool) -> Handler:
        """Return a handler that opens another page of the app."""
        return lambda: self.ctx.open(activity, **extras)

    def opens(self, kind: str, name: str) -> Handler:
        """Return a handler that opens a hotel, a sight or a tour."""
        return lambda: names.open_product(self.ctx, kind, name)

    # Sheets and pickers

    def asks(self, text: str, yes: str, on_yes: Handler, *, no: str = "取消") -> Handler:
        """Return a handler that asks for confirmation first."""
        question = confirm_dialog(text, yes, self.closing(on_yes), self.on_dismiss_dialog, no=no)
        return self.opening(lambda: question)
