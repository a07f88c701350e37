"""The base of the app's pages: the store, loading over the network, sheets, confirmations."""

from __future__ import annotations

from collections.abc import Callable

from garabench.virtual.apps.jd import names
from garabench.virtual.apps.jd.content import JdProduct, Shop
from garabench.virtual.apps.jd.dialogs import confirm_dialog
from garabench.virtual.apps.jd.store import JdStore
from garabench.virtual.apps.jd.theme import BACKGROUND, network_error, title_bar
from garabench.virtual.kit.framework import Activity, Context, Intent
from garabench.virtual.kit.loading_page import LoadingPage
from garabench.virtual.kit.server_calls import network_check
from garabench.virtual.ui.widgets import MATCH, Column, Handler, Widget

NO_NETWORK = "网络请求失败，请检查您的网络设置"


class JdPage(LoadingPage, Activity):
    """A page.

    Pages that load over the network show an error with a retry button when opened offline; loaded content
    stays. `sheet` builds the sheet over the page while it is open.
    """

    no_network = NO_NETWORK

    def __init__(self, ctx: Context, intent: Intent) -> None:
        super().__init__(ctx, intent)
        self.store = JdStore(self.ctx.data, network_check(ctx, self.no_network))
        self.load_first()

    def build(self) -> Widget:
        """Return the page, or an error if it failed to load."""
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

    def back_bar(self, title: str, *actions: Widget, on_back: Callable[[], bool] | None = None) -> Widget:
        """Return a bar with a back button and a title; `on_back` may handle Back, as `Activity.on_back`."""

        def leave() -> None:
            if on_back is None or not on_back():
                self.ctx.finish()

        return title_bar(title, leave, *actions)

    def opens(self, product: JdProduct) -> Handler:
        """Return a handler that opens a product."""
        return lambda: names.open_product(self.ctx, product.id)

    def opens_shop(self, shop: Shop) -> Handler:
        """Return a handler that opens a shop."""
        return lambda: names.open_shop(self.ctx, shop.id)

    def finds(self, query: str) -> Handler:
        """Return a handler that opens the results of a query."""
        return lambda: names.open_results(self.ctx, query)

    # Sheets

    def asks(self, text: str, yes: str, on_yes: Handler, *, no: str = "取消") -> Handler:
        """Return a handler that asks for confirmation first."""
        question = confirm_dialog(text, yes, self.closing(on_yes), self.on_dismiss_dialog, no=no)
        return self.opening(lambda: question)
