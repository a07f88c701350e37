"""What pages of all apps share: loading over the network, and the sheet that may lie over them."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from garabench.virtual.apps.framework import Context
from garabench.virtual.ui.widgets import Handler, View


class Paging:
    """A page, whether it is an activity of its own or one of several within an activity.

    What has been loaded once stays when the network goes. `sheet` makes what lies over the page, while
    there is something.

    Attributes:
        ctx: The app's way to the phone.
        needs_network: Whether the page comes over the network: opened offline, it shows an error with a
            button to try again.
        no_network: What the app says when something wants the network and there is none.
        no_network_still: What it says when trying again was in vain, where that is something else.
        loaded: Whether there is something to show.
    """

    needs_network: ClassVar[bool] = True
    no_network: ClassVar[str]
    no_network_still: ClassVar[str] = ""
    ctx: Context
    loaded: bool
    sheet: Callable[[], View] | None = None

    @property
    def online(self) -> bool:
        """Whether what the page wants from its servers can be had."""
        return self.ctx.online

    def load_first(self) -> None:
        """Load what the page shows, where that is possible."""
        self.loaded = not self.needs_network or self.online

    def retry(self) -> None:
        """Load again."""
        self.loaded = self.online
        if not self.loaded:
            self.ctx.toast(self.no_network_still or self.no_network)

    # Handlers

    def on_network(self, call: Handler) -> Handler:
        """A handler that tells the user instead when there is no network."""

        def run() -> None:
            if self.online:
                call()
            else:
                self.ctx.toast(self.no_network)

        return run

    def says(self, text: str) -> Handler:
        """A handler that shows a toast."""
        return lambda: self.ctx.toast(text)

    # The sheet

    def dressed(self, view: View) -> View:
        """A view in the app's appearance of now."""
        return view

    def dialog(self) -> View | None:
        """The sheet, while one is open."""
        return self.dressed(self.sheet()) if self.sheet is not None else None

    def on_dismiss_dialog(self) -> None:
        """Close the sheet."""
        self.sheet = None

    def shows(self, sheet: Callable[[], View]) -> Handler:
        """A handler that opens a sheet."""

        def run() -> None:
            self.sheet = sheet

        return run

    def closing(self, call: Handler) -> Handler:
        """A handler that closes the sheet and does the thing."""

        def run() -> None:
            self.sheet = None
            call()

        return run
