"""What every page of the app shares: the store, loading over the network, sheets and questions."""

from __future__ import annotations

from collections.abc import Callable

from garabench.virtual.apps.framework import Activity, Context, Intent
from garabench.virtual.apps.jd import names
from garabench.virtual.apps.jd.content import Product, Shop
from garabench.virtual.apps.jd.dialogs import confirm_dialog
from garabench.virtual.apps.jd.store import Store
from garabench.virtual.apps.jd.theme import GROUND, network_error, title_bar
from garabench.virtual.apps.paging import Paging
from garabench.virtual.apps.servers import reach_over
from garabench.virtual.ui.widgets import MATCH, Column, Handler, View

NO_NETWORK = "网络请求失败，请检查您的网络设置"


class Page(Paging, Activity):
    """A page with the user's store.

    Pages that come over the network show an error with a retry button when they are opened offline; what
    has been loaded once stays. `sheet` makes what lies over the page, while there is something.
    """

    no_network = NO_NETWORK

    def __init__(self, ctx: Context, intent: Intent) -> None:
        super().__init__(ctx, intent)
        self.store = Store(self.ctx.data, reach_over(ctx, self.no_network))
        self.load_first()

    def build(self) -> View:
        """The page, or the error that it could not be loaded."""
        body = self.content() if self.loaded else network_error(self.retry)
        bar = self.bar()
        children = (bar, body) if bar is not None else (body,)
        return Column(width=MATCH, height=MATCH, background=GROUND, children=children)

    def content(self) -> View:
        """Everything below the bar; takes the remaining height."""
        raise NotImplementedError

    def bar(self) -> View | None:
        """The bar at the top, shown offline too."""
        return None

    def back_bar(self, title: str, *actions: View, on_back: Callable[[], bool] | None = None) -> View:
        """A bar with a way back and a title; `on_back` may hold the way back, as `Activity.on_back`."""

        def leave() -> None:
            if on_back is None or not on_back():
                self.ctx.finish()

        return title_bar(title, leave, *actions)

    def opens(self, product: Product) -> Handler:
        """A handler that opens a product."""
        return lambda: names.open_product(self.ctx, product.id)

    def opens_shop(self, shop: Shop) -> Handler:
        """A handler that opens a shop."""
        return lambda: names.open_shop(self.ctx, shop.id)

    def finds(self, query: str) -> Handler:
        """A handler that opens the results of a query."""
        return lambda: names.open_results(self.ctx, query)

    # Sheets

    def asks(self, text: str, yes: str, on_yes: Handler, *, no: str = "取消") -> Handler:
        """A handler that asks before it does the thing."""
        question = confirm_dialog(text, yes, self.closing(on_yes), self.on_dismiss_dialog, no=no)
        return self.shows(lambda: question)
