"""The base of pages that load over the network and may be covered by a sheet."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from garabench.virtual.kit.framework import Context
from garabench.virtual.ui.widgets import Handler, Widget


class LoadingPage:
    """A page, either a separate activity or one of several in an activity.

    Loaded content stays when the network is lost. `sheet` builds the sheet over the page while
    it is open.

    Attributes:
        ctx: The phone as the app sees it.
        needs_network: Whether the page loads over the network: opened offline, it shows an error and a retry
            button.
        no_network: The app's message when an action needs the network and there is none.
        no_network_still: Its message when a retry failed, if different.
        loaded: Whether the page has content.
    """

    needs_network: ClassVar[bool] = True
    no_network: ClassVar[str]
    no_network_still: ClassVar[str] = ""
    ctx: Context
    loaded: bool
    sheet: Callable[[], Widget] | None = None

    @property
    def online(self) -> bool:
        """Whether the page can reach its servers."""
        return self.ctx.online

    def load_first(self) -> None:
        """Load the page if possible."""
        self.loaded = not self.needs_network or self.online

    def retry(self) -> None:
        """Try to load the page again."""
        self.loaded = self.online
        if not self.loaded:
            self.ctx.toast(self.no_network_still or self.no_network)

    # Handlers

    def if_online(self, call: Handler) -> Handler:
        """Return a handler that shows a notice instead if there is no network."""

        def run() -> None:
            if self.online:
                call()
            else:
                self.ctx.toast(self.no_network)

        return run

    def toasting(self, text: str) -> Handler:
        """Return a handler that shows a toast."""
        return lambda: self.ctx.toast(text)

    # The sheet

    def themed(self, view: Widget) -> Widget:
        """Return a view in the app's current theme."""
        return view

    def dialog(self) -> Widget | None:
        """Return the open sheet, if any."""
        return self.themed(self.sheet()) if self.sheet is not None else None

    def on_dismiss_dialog(self) -> None:
        """Close the sheet."""
        self.sheet = None

    def opening(self, sheet: Callable[[], Widget]) -> Handler:
        """Return a handler that opens a sheet."""

        def run() -> None:
            self.sheet = sheet

        return run

    def closing(self, call: Handler) -> Handler:
        """Return a handler that closes the sheet and then calls another handler."""

        def run() -> None:
            self.sheet = None
            call()

        return run
