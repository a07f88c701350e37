"""The base of the app's pages: the store, the bars, loading over the network, sheets, confirmations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from garabench.virtual.apps.amazon import names
from garabench.virtual.apps.amazon.appearance import LIGHT, darkened, is_dark
from garabench.virtual.apps.amazon.content import AmazonProduct
from garabench.virtual.apps.amazon.dialogs import choice_sheet, question
from garabench.virtual.apps.amazon.store import AmazonStore
from garabench.virtual.apps.amazon.theme import (
    BACKGROUND,
    BAR,
    BAR_TOP,
    INK,
    INK_2,
    LINE,
    TEAL_DEEP,
    WHITE,
    icon_button,
    network_error,
)
from garabench.virtual.kit.framework import Activity, Context, Intent
from garabench.virtual.kit.loading_page import LoadingPage
from garabench.virtual.kit.server_calls import network_check
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Handler,
    Icon,
    Row,
    Text,
    Widget,
    divider,
    insets,
)

NO_NETWORK = "You're offline. Check your network connection."
HINT = "Search or ask a question"
TABS = (
    ("Home", "home_outline", "home"),
    ("You", "account_outline", "account"),
    ("Cart", "cart_outline", "cart"),
    ("Menu", "menu", "menu"),
)


class AmazonPage(LoadingPage, Activity):
    """A page.

    Pages that load over the network show an error with a retry button when opened offline; loaded content
    stays. `sheet` builds the sheet over the page while it is open.
    """

    no_network = NO_NETWORK
    place = "Home"
    """The page's bottom tab."""

    def __init__(self, ctx: Context, intent: Intent) -> None:
        super().__init__(ctx, intent)
        self.store = AmazonStore(self.ctx.data, network_check(ctx, self.no_network))
        self.load_first()
        self.status_bar = BAR_TOP

    @property
    def dark(self) -> bool:
        """Whether the app uses the dark theme."""
        return is_dark(str(self.store.setting("theme", LIGHT)), self.ctx.dark)

    def build(self) -> Widget:
        """Return the page between its bars, or an error if it failed to load."""
        self.status_bar = "#1F3B44" if self.dark else BAR_TOP
        body = self.content() if self.loaded else network_error(self.retry)
        parts = (self.bar(), body, divider(LINE), self.bottom())
        page = Column(width=MATCH, height=MATCH, background=BACKGROUND, children=parts)
        return self.themed(page)

    def themed(self, view: Widget) -> Widget:
        """Return a view in the app's current theme."""
        return darkened(view) if self.dark else view

    def content(self) -> Widget:
        """Return the content between the bars, which fills the remaining height."""
        raise NotImplementedError

    def bar(self) -> Widget:
        """Return the top bar: back, and the search box."""
        return self.search_bar("", back=True)

    def search_bar(self, text: str, *, back: bool) -> Widget:
        """Return a bar with the search box, which opens the search page."""
        arrow = (
            icon_button("arrow-back", rid="chrome_action_bar_back_icon", desc="Back", on_click=self.leave),
        )
        search = partial(self.ctx.open, names.SEARCH, text=text)
        hint = Text(
            id="chrome_search_hint_view",
            text=text or HINT,
            size=15,
            color=INK if text else INK_2,
            weight=1,
            max_lines=1,
        )
        box = Row(
            id="chrome_search_box",
            weight=1,
            height=42,
            radius=10,
            gap=8,
            background=WHITE,
            border="#B9C6C8",
            border_width=0.8,
            padding=insets(10, 0),
            on_click=search,
            children=(
                Icon(name="search", size=22, color=INK, important=False),
                hint,
                icon_button(
                    "camera",
                    rid="chrome_search_scan_icon",
                    desc="Scan It",
                    color=INK_2,
                    touch_size=34,
                    on_click=self.toasting("Point your camera at a product"),
                ),
            ),
        )
        return Row(
            id="chrome_action_bar",
            width=MATCH,
            height=58,
            gap=2,
            padding=insets(2 if back else 12, 0, 12, 0),
            background=BAR,
            children=(*(arrow if back else ()), box),
        )

    def bottom(self) -> Widget:
        """Return the bottom tabs."""
        return Row(
            id="bottom_tab_bar",
            width=MATCH,
            height=54,
            background=WHITE,
            children=[self._tab(number, *tab) for number, tab in enumerate(TABS, start=1)],
        )

    def _tab(self, number: int, label: str, icon: str, icon_on: str) -> Widget:
        on = self.place == label
        color = TEAL_DEEP if on else INK
        picture = Icon(
            id="bottom_tab_button_icon",
            name=icon_on if on else icon,
            size=24,
            color=color,
            align_self=Align.CENTER,
        )
        words = Text(
            id="bottom_tab_button_label",
            text=label,
            size=11,
            bold=on,
            color=color,
            selected=on,
            align_self=Align.CENTER,
        )
        parts: list[Widget] = [
            Widget(
                width=46,
                height=4,
                radius=2,
                background=TEAL_DEEP if on else None,
                align_self=Align.CENTER,
                align_vertical=Align.START,
                important=False,
            ),
            Column(
                align_self=Align.CENTER,
                align_vertical=Align.CENTER,
                margin=insets(0, 4, 0, 0),
                children=(picture, words),
            ),
        ]
        count = self.store.pieces if label == "Cart" else 0
        if count:
            parts.append(
                Text(
                    id="cart_count",
                    text="99+" if count > 99 else str(count),
                    size=10,
                    bold=True,
                    color="#FFFFFF",
                    background=TEAL_DEEP,
                    radius=8,
                    padding=insets(5, 0.5),
                    margin=insets(26, 5, 0, 0),
                    align_self=Align.CENTER,
                    align_vertical=Align.START,
                )
            )
        return Box(
            id="bottom_tab_button",
            key=f"tab-{label}",
            desc=f"{label} Tab {number} of {len(TABS)}",
            weight=1,
            height=54,
            selected=on,
            on_click=partial(self.go, label),
            children=parts,
        )

    def go(self, tab: str) -> None:
        """Open one of the bottom tabs."""
        self.ctx.open(names.MAIN, tab=tab)

    def leave(self) -> None:
        """Go back, unless the page intercepts it."""
        if not self.on_back():
            self.ctx.finish()

    def opens(self, product: AmazonProduct) -> Handler:
        """Return a handler that opens a product."""
        return lambda: names.open_product(self.ctx, product.id)

    def opens_page(self, activity: str, **extras: str) -> Handler:
        """Return a handler that opens another page."""
        return lambda: self.ctx.open(activity, **extras)

    # Sheets

    def asks(self, text: str, yes: str, on_yes: Handler, *, no: str = "Cancel", note: str = "") -> Handler:
        """Return a handler that asks for confirmation first."""
        dialog = question(text, yes, self.closing(on_yes), self.on_dismiss_dialog, no=no, note=note)
        return self.opening(lambda: dialog)

    def chooses(
        self,
        title: str,
        choices: Sequence[tuple[str, str]],
        chosen: str,
        choose: Callable[[str], None],
        *,
        rid: str = "choice",
        height: float = 420,
    ) -> Handler:
        """Return a handler that opens a choice among (key, label)."""

        def select(key: str) -> None:
            self.sheet = None
            choose(key)

        return self.opening(
            lambda: choice_sheet(
                title, choices, chosen, select, self.on_dismiss_dialog, rid=rid, height=height
            )
        )
