"""The base of the app's pages: the stack, sheets, confirmations, loading over the network."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from garabench.virtual.apps.amap import content
from garabench.virtual.apps.amap.dialogs import question
from garabench.virtual.apps.amap.theme import BACKGROUND, WHITE, message_page, title_bar
from garabench.virtual.kit.maps.atlas import MapPlace
from garabench.virtual.kit.maps.page_stack import StackedPage
from garabench.virtual.ui.widgets import MATCH, Column, Handler, Widget

if TYPE_CHECKING:
    from garabench.virtual.apps.amap.activity import NewMapActivity

NO_NETWORK = "网络连接失败，请检查网络设置"
OnPick = Callable[[MapPlace], None]
"""Called with the selected place."""


class AmapScreen(StackedPage):
    """A page.

    Pages that load over the network show an error with a retry button when opened offline; loaded content
    stays. `sheet` builds the sheet over the page while it is open.
    """

    no_network = NO_NETWORK
    works_offline = False
    """Whether the offline map of the user's city can replace the network."""
    title = ""
    background = WHITE
    """Colour behind the status bar."""

    def __init__(self, app: NewMapActivity) -> None:
        self.app = app
        self.ctx = app.ctx
        self.store = app.store
        self.load_first()

    @property
    def online(self) -> bool:
        """Whether the app can reach its servers, or has an offline map."""
        return self.ctx.online or (self.works_offline and content.here().city in self.store.offline())

    def known(self, places: tuple[MapPlace, ...]) -> tuple[MapPlace, ...]:
        """Return the places that are available now: offline, only those on downloaded maps."""
        if self.ctx.online:
            return places
        return tuple(place for place in places if place.city in self.store.offline())

    def view(self) -> Widget:
        """Return the page, or an error if it failed to load."""
        body = (
            self.content()
            if self.loaded
            else message_page("wifi_off", NO_NETWORK, "重新加载", self.retry, rid="network_error")
        )
        bar = self.bar()
        return Column(
            width=MATCH,
            height=MATCH,
            background=BACKGROUND,
            children=(bar, body) if bar is not None else (body,),
        )

    def content(self) -> Widget:
        """Return the content below the bar, which fills the remaining height."""
        raise NotImplementedError

    def bar(self) -> Widget | None:
        """Return the top bar, which is shown offline as well."""
        return title_bar(self.title, self.leave) if self.title else None

    def leave(self) -> None:
        """Go back, as the bar's button does."""
        if not self.on_back():
            self.app.pop()

    # Sheets

    def asks(self, text: str, yes: str, on_yes: Handler, *, no: str = "取消") -> Handler:
        """Return a handler that asks for confirmation first."""
        return self.opening(lambda: question(text, yes, self.closing(on_yes), self.on_dismiss_dialog, no=no))

    # Navigation

    def opens(self, place: MapPlace) -> Handler:
        """Return a handler that opens a place."""
        return lambda: self.app.open_place(place)

    def routes_to(self, place: MapPlace) -> Handler:
        """Return a handler that plans a route from the current location."""

        def run() -> None:
            self.app.open_route(self.app.my_place, place)

        return run

    def finds(self, query: str) -> Handler:
        """Return a handler that opens the results of a query."""
        return lambda: self.app.open_results(query)

    @property
    def here(self) -> MapPlace:
        """The current location as a place."""
        return content.here()
