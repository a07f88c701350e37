"""The main activity: the four bottom tabs."""

from __future__ import annotations

from garabench.virtual.apps.amazon import names
from garabench.virtual.apps.amazon.cart import AmazonCartView
from garabench.virtual.apps.amazon.home import AmazonHomeView
from garabench.virtual.apps.amazon.links import FILTERS, target
from garabench.virtual.apps.amazon.menu import MenuView
from garabench.virtual.apps.amazon.page import NO_NETWORK, TABS, AmazonPage
from garabench.virtual.apps.amazon.theme import network_error
from garabench.virtual.apps.amazon.you import YouView
from garabench.virtual.kit.framework import Intent
from garabench.virtual.ui.widgets import MATCH, Column, Widget


class AmazonMainActivity(AmazonPage):
    """Home, You, Cart and Menu."""

    launch_mode = "singleTask"
    needs_network = False
    filters = FILTERS

    def on_create(self) -> None:
        """Start on Home, or on the tab from the intent."""
        self.home = AmazonHomeView(self)
        self.you = YouView(self)
        self.cart = AmazonCartView(self)
        self.menu = MenuView(self)
        self.seen: set[str] = set()
        self.go(str(self.intent.extras.get("tab", "Home")))
        self._follow(self.intent)

    def on_new_intent(self, intent: Intent) -> None:
        """Switch to the tab from the intent; the launcher icon keeps the current one."""
        if "tab" in intent.extras:
            self.go(str(intent.extras["tab"]))
        self._follow(intent)

    def _follow(self, intent: Intent) -> None:
        """Open the target of a deep link above this screen."""
        if intent.data:
            activity, extras = target(intent.data)
            if activity == names.MAIN:
                self.go(extras.get("tab", "Home"))
            else:
                self.ctx.after(0, lambda: self.ctx.open(activity, **extras))

    def on_back(self) -> bool:
        """Back goes to Home first."""
        if self.place == "Home":
            return False
        self.go("Home")
        return True

    def go(self, tab: str) -> None:
        """Select a tab; loading it for the first time needs the network."""
        if tab not in {label for label, _, _ in TABS}:
            return
        self.place = tab
        if self.ctx.online or tab == "Menu":
            self.seen.add(tab)

    def retry(self) -> None:
        """Reload the current tab."""
        self.go(self.place)
        if self.place not in self.seen:
            self.ctx.toast(NO_NETWORK)

    def bar(self) -> Widget:
        """Return the search box, without a back button."""
        return self.search_bar("", back=False)

    def content(self) -> Widget:
        """Return the selected tab."""
        if self.place not in self.seen:
            return network_error(self.retry)
        match self.place:
            case "You":
                body = self.you.view()
            case "Cart":
                body = self.cart.view()
            case "Menu":
                body = self.menu.view()
            case _:
                body = self.home.view()
        return Column(key=self.place, width=MATCH, height=MATCH, weight=1, children=(body,))
