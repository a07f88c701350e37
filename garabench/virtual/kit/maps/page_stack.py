"""The base of single-activity apps that show the top of a stack of pages, as map apps do."""

from __future__ import annotations

from typing import Generic, TypeVar

from garabench.virtual.kit.framework import Activity, Context, Intent
from garabench.virtual.kit.loading_page import LoadingPage
from garabench.virtual.ui.widgets import MATCH, Column, Widget

_PAGES_MOST = 24


class StackedPage(LoadingPage):
    """A page of such an app."""

    needs_network = False

    def view(self) -> Widget:
        """All that it shows."""
        raise NotImplementedError

    def on_back(self) -> bool:
        """Back was pressed; True when handled here."""
        return False

    def on_shown(self) -> None:
        """It has come (back) to the top of the stack."""


P = TypeVar("P", bound=StackedPage)


class StackActivity(Activity, Generic[P]):
    """Shows the top page of the stack; its bottom is the map with its tabs."""

    launch_mode = "singleTask"

    def __init__(self, ctx: Context, intent: Intent) -> None:
        super().__init__(ctx, intent)
        self.pages: list[tuple[int, P]] = []
        self._made = 0

    @property
    def top(self) -> P:
        """The page in front."""
        return self.pages[-1][1]

    def push(self, page: P) -> None:
        """Put a page in front; the oldest between it and the map is dropped from a very long stack."""
        if self.pages:
            self.ctx.hide_keyboard()
        self._made += 1
        self.pages.append((self._made, page))
        if len(self.pages) > _PAGES_MOST:
            del self.pages[1]
        page.on_shown()

    def pop(self) -> None:
        """Leave the page in front; the last one leaves the app."""
        if len(self.pages) == 1:
            self.ctx.finish()
            return
        self.ctx.hide_keyboard()
        self.pages.pop()
        self.top.on_shown()

    def go_home(self) -> None:
        """Leave all pages but the map."""
        self.ctx.hide_keyboard()
        del self.pages[1:]
        self.top.on_shown()

    def build(self) -> Widget:
        """Return the top page of the stack; each page has its own view state."""
        number, page = self.pages[-1]
        return Column(key=f"page-{number}", width=MATCH, height=MATCH, children=(page.view(),))

    def dialog(self) -> Widget | None:
        """Return the overlay of the page."""
        return self.top.dialog()

    def on_dismiss_dialog(self) -> None:
        """Back or a tap outside, over a sheet."""
        self.top.on_dismiss_dialog()

    def on_back(self) -> bool:
        """Back closes the page in front, and leaves the app from the map."""
        if self.top.on_back():
            return True
        if len(self.pages) == 1:
            return False
        self.pop()
        return True
