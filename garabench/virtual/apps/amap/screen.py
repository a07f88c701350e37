"""A page of the app's one activity, and what all pages share: the stack, sheets, questions, the network."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from garabench.virtual.apps.amap import content
from garabench.virtual.apps.amap.dialogs import question
from garabench.virtual.apps.amap.theme import GROUND, WHITE, message_page, title_bar
from garabench.virtual.apps.maps.atlas import Place
from garabench.virtual.apps.maps.stack import StackedPage
from garabench.virtual.ui.widgets import MATCH, Column, Handler, View

if TYPE_CHECKING:
    from garabench.virtual.apps.amap.activity import NewMapActivity

NO_NETWORK = "网络连接失败，请检查网络设置"
Picks = Callable[[Place], None]
"""What is done with a place that was chosen."""


class Screen(StackedPage):
    """A page.

    Pages that come over the network show an error with a retry button when they are opened offline; what
    has been loaded once stays. `sheet` makes what lies over the page, while there is something.
    """

    no_network = NO_NETWORK
    works_offline = False
    """Whether the map of one's own city on the phone does instead of the network."""
    title = ""
    ground = WHITE
    """Colour behind the status bar."""

    def __init__(self, app: NewMapActivity) -> None:
        self.app = app
        self.ctx = app.ctx
        self.store = app.store
        self.load_first()

    @property
    def online(self) -> bool:
        """Whether the app can ask its servers, or the map on the phone."""
        return self.ctx.online or (self.works_offline and content.here().city in self.store.offline())

    def known(self, places: tuple[Place, ...]) -> tuple[Place, ...]:
        """Those places that the app knows of now: without a network those on the phone's own maps."""
        if self.ctx.online:
            return places
        return tuple(place for place in places if place.city in self.store.offline())

    def view(self) -> View:
        """The page, or the error that it could not be loaded."""
        body = (
            self.content()
            if self.loaded
            else message_page("wifi_off", NO_NETWORK, "重新加载", self.retry, rid="network_error")
        )
        bar = self.bar()
        return Column(
            width=MATCH, height=MATCH, background=GROUND, children=(bar, body) if bar is not None else (body,)
        )

    def content(self) -> View:
        """Everything below the bar; takes the remaining height."""
        raise NotImplementedError

    def bar(self) -> View | None:
        """The bar at the top, shown offline too."""
        return title_bar(self.title, self.leave) if self.title else None

    def leave(self) -> None:
        """Go back, as the bar's button does."""
        if not self.on_back():
            self.app.pop()

    # Sheets

    def asks(self, text: str, yes: str, on_yes: Handler, *, no: str = "取消") -> Handler:
        """A handler that asks before it does the thing."""
        return self.shows(lambda: question(text, yes, self.closing(on_yes), self.on_dismiss_dialog, no=no))

    # Where one can go from most pages

    def opens(self, place: Place) -> Handler:
        """A handler that opens a place."""
        return lambda: self.app.open_place(place)

    def routes_to(self, place: Place) -> Handler:
        """A handler that plans a route from the own place."""

        def run() -> None:
            self.app.open_route(self.app.my_place, place)

        return run

    def finds(self, query: str) -> Handler:
        """A handler that opens the results of a query."""
        return lambda: self.app.open_results(query)

    @property
    def here(self) -> Place:
        """The own place."""
        return content.here()
