"""The base of single-activity apps that show the top of a stack of pages, as map apps do."""

from __future__ import annotations

from typing import Generic, TypeVar

from garabench.virtual.kit.framework import Activity, Context, Intent
from garabench.virtual.kit.loading_page import LoadingPage
from garabench.virtual.ui.widgets import MATCH, Column, Widget

_MAX_PAGES = 24


class StackedPage(LoadingPage):
    """A page of a stack."""

    needs_network = False

    def view(self) -> Widget:
        """Return the whole page."""
        raise NotImplementedError

    def on_back(self) -> bool:
        """Handle Back; return True if handled."""
        return False

    def on_shown(self) -> None:
        """Handle coming (back) to the top of the stack."""


P = TypeVar("P", bound=StackedPage)


class StackActivity(Activity, Generic[P]):
    """Shows the top page of the stack; the bottom one is the map with its tabs."""

    launch_mode = "singleTask"

    def __init__(self, ctx: Context, intent: Intent) -> None:
        super().__init__(ctx, intent)
        self.pages: list[tuple[int, P]] = []
        self._made = 0

    @property
    def top(self) -> P:
        """The page on top."""
        return self.pages[-1][1]

    def push(self, page: P) -> None:
        """Push a page; if the stack gets too long, the oldest page above the map is dropped."""
        if self.pages:
            self.ctx.hide_keyboard()
        self._made += 1
        self.pages.append((self._made, page))
        if len(self.pages) > _MAX_PAGES:
            del self.pages[1]
        page.on_shown()

    def pop(self) -> None:
        """Pop the top page; the last one leaves the app."""
        if len(self.pages) == 1:
            self.ctx.finish()
            return
        self.ctx.hide_keyboard()
        self.pages.pop()
        self.top.on_shown()

    def go_home(self) -> None:
        """Pop all pages but the map."""
        self.ctx.hide_keyboard()
        del self.pages[1:]
        self.top.on_shown()

    def build(self) -> Widget:
        """Return the top page of the stack; each page has its own view state."""
        number, page = self.pages[-1]
        return Column(key=f"page-{number}", width=MATCH, height=MATCH, children=(page.view(),))

    def dialog(self) -> Widget | None:
        """Return the overlay of the top page."""
        return self.top.dialog()

    def on_dismiss_dialog(self) -> None:
        """Handle Back or a tap outside while a sheet is open."""
        self.top.on_dismiss_dialog()

    def on_back(self) -> bool:
        """Back pops the top page; from the map, it leaves the app."""
        if self.top.on_back():
            return True
        if len(self.pages) == 1:
            return False
        self.pop()
        return True
