"""The base of the app's pages: the stack, sheets, loading over the network."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from garabench.virtual.apps.gmaps import content
from garabench.virtual.apps.gmaps.theme import (
    Tone,
    dialog_box,
    message_page,
    pill,
    text_button,
    title_bar,
)
from garabench.virtual.kit.maps.atlas import MapPlace
from garabench.virtual.kit.maps.page_stack import StackedPage
from garabench.virtual.ui.widgets import MATCH, Align, Column, Handler, Row, TextField, Widget, insets

if TYPE_CHECKING:
    from garabench.virtual.apps.gmaps.activity import MapsActivity

NO_NETWORK = "No internet connection"
OnPick = Callable[[MapPlace], None]
"""Called with the selected place."""


class GmapsScreen(StackedPage):
    """A page.

    Pages that load over the network show an error with a retry button when opened offline; loaded content
    stays. `sheet` builds the sheet over the page while it is open.
    """

    no_network = NO_NETWORK
    title = ""

    def __init__(self, app: MapsActivity) -> None:
        self.app, self.ctx, self.store = app, app.ctx, app.store
        self.load_first()
        self.draft = ""

    @property
    def tone(self) -> Tone:
        """The theme's colours."""
        return self.app.tone

    def view(self) -> Widget:
        """Return the page, or an error if it failed to load."""
        again = pill("Try again", self.retry, rid="retry", tone=self.tone)
        body = (
            self.content()
            if self.loaded
            else message_page(self.tone, "wifi_off", NO_NETWORK, again, rid="network_error")
        )
        bar = self.bar()
        return Column(
            width=MATCH,
            height=MATCH,
            background=self.tone.background,
            children=(bar, body) if bar is not None else (body,),
        )

    def content(self) -> Widget:
        """Return the content below the bar, which fills the remaining height."""
        raise NotImplementedError

    def bar(self) -> Widget | None:
        """Return the top bar, which is shown offline as well."""
        return title_bar(self.tone, self.title, self.leave) if self.title else None

    def leave(self) -> None:
        """Go back, as the bar's button does."""
        if not self.on_back():
            self.app.pop()

    # Sheets and dialogs

    def write(self, text: str) -> None:
        """Handle a change of the dialog's field."""
        self.draft = text

    def asks_text(
        self, title: str, hint: str, yes: str, on_yes: Callable[[str], bool], start: str = ""
    ) -> Handler:
        """Return a handler that asks for a text; `on_yes` returns whether it is valid."""

        def save() -> None:
            if on_yes(self.draft):
                self.ctx.hide_keyboard()
                self.sheet = None

        def view() -> Widget:
            field = TextField(
                id="edit_text",
                text=self.draft,
                hint=hint,
                width=MATCH,
                height=50,
                color=self.tone.ink,
                border=self.tone.line,
                radius=6,
                padding=insets(12, 0),
                autofocus=True,
                on_change=self.write,
                on_submit=save,
            )
            buttons = Row(
                align_self=Align.END,
                children=(
                    text_button("Cancel", self.on_dismiss_dialog, rid="dialog_cancel"),
                    text_button(yes, save, rid="dialog_ok", enabled=bool(self.draft.strip())),
                ),
            )
            return dialog_box(self.tone, title, field, buttons, rid="text_dialog")

        def run() -> None:
            self.draft = start
            self.sheet = view

        return run

    # Navigation

    def opens(self, place: MapPlace) -> Handler:
        """Return a handler that opens a place."""
        return partial(self.app.open_place, place)

    def routes_to(self, place: MapPlace) -> Handler:
        """Return a handler that plans a route from the current location."""
        return lambda: self.app.open_route(content.here(), place)
