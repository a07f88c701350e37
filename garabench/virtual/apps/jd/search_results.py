"""Search results: sort order, filters and product rows."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from garabench.virtual.apps.jd import names
from garabench.virtual.apps.jd.cards import result_line
from garabench.virtual.apps.jd.content import JdProduct
from garabench.virtual.apps.jd.filters import JdFilterSheet
from garabench.virtual.apps.jd.page import JdPage
from garabench.virtual.apps.jd.search import search_box
from garabench.virtual.apps.jd.search_index import JdFilters, JdSortOrder, arrange, related, search
from garabench.virtual.apps.jd.theme import (
    BACKGROUND,
    INK,
    INK_2,
    INK_3,
    LINE,
    RED,
    WHITE,
    chip,
    icon_button,
    message_page,
)
from garabench.virtual.kit.framework import Intent
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Handler,
    Icon,
    ListView,
    ProgressBar,
    Row,
    ScrollView,
    Text,
    Widget,
    divider,
    insets,
)

SEARCH_MS = 300
_PAGE_SIZE = 10
_SHORT = 5
"""Below this number of results, similar products follow."""
_ORDERS = (JdSortOrder.DEFAULT, JdSortOrder.SALES)


class ProductListActivity(JdPage):
    """The results of a query."""

    def on_create(self) -> None:
        """Run the search from the intent."""
        self.query = str(self.intent.extras.get("query", ""))
        self.order = JdSortOrder.DEFAULT
        self.active_filters = JdFilters()
        self.shown = _PAGE_SIZE
        self._load()

    def on_new_intent(self, intent: Intent) -> None:
        """Run another search."""
        self.intent = intent
        self.on_create()

    def _load(self) -> None:
        self.searching = self.loaded
        if self.searching:
            self.ctx.after(SEARCH_MS, self._found)

    def _found(self) -> None:
        self.searching = False

    def retry(self) -> None:
        """Repeat the search."""
        super().retry()
        self._load()

    @property
    def found(self) -> tuple[JdProduct, ...]:
        """All products that match the query."""
        return search(self.query)

    def sort(self, order: JdSortOrder) -> None:
        """Choose the sort order."""
        self.order = order
        self.shown = _PAGE_SIZE
        self.ctx.scroll_to("product_list")

    def sort_by_price(self) -> None:
        """Sort by price, lowest first; the next tap reverses the order."""
        self.sort(JdSortOrder.PRICE_DOWN if self.order is JdSortOrder.PRICE_UP else JdSortOrder.PRICE_UP)

    def filter(self, filters: JdFilters) -> None:
        """Set the filters."""
        self.active_filters = filters
        self.shown = _PAGE_SIZE
        self.sheet = None
        self.ctx.scroll_to("product_list")

    def load_more(self) -> None:
        """Load the next page of the list."""
        self.shown += _PAGE_SIZE

    def open_filters(self) -> None:
        """Show the filter drawer."""
        sheet = JdFilterSheet(self.found, self.active_filters, self.filter, self.on_dismiss_dialog, self.ctx)
        self.sheet = sheet.view

    def edit_query(self) -> None:
        """Return to the field, with the query in it."""
        self.ctx.finish()
        self.ctx.open(names.SEARCH, text=self.query)

    def bar(self) -> Widget:
        """Return the title and the back button."""
        return Row(
            id="search_bar",
            width=MATCH,
            height=50,
            padding=insets(2, 0, 4, 0),
            background=WHITE,
            children=(
                icon_button("chevron_left", rid="back", desc="返回", size=28, on_click=self.ctx.finish),
                search_box(self.query, "", on_change=self.edit_query, field=None, on_clear=None),
                icon_button(
                    "message",
                    rid="feedback",
                    desc="反馈",
                    color=INK_2,
                    on_click=self.toasting("感谢您的反馈"),
                ),
            ),
        )

    def content(self) -> Widget:
        """Return sort orders and filters above the list."""
        if self.searching:
            spinner = ProgressBar(
                circular=True,
                color=RED,
                width=34,
                height=34,
                align_self=Align.CENTER,
                align_vertical=Align.CENTER,
            )
            return Box(id="loading", width=MATCH, height=MATCH, weight=1, children=(spinner,))
        matching = arrange(self.found, self.order, self.active_filters)
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(self._orders(), self._quick(), divider(LINE), self._list(matching)),
        )

    def _orders(self) -> Widget:
        active = self.active_filters.active
        return Row(
            id="sort_bar",
            width=MATCH,
            height=42,
            background=WHITE,
            children=(
                *(
                    self._order(order.value, self.order is order, partial(self.sort, order))
                    for order in _ORDERS
                ),
                self._order(
                    "价格",
                    self.order in (JdSortOrder.PRICE_UP, JdSortOrder.PRICE_DOWN),
                    self.sort_by_price,
                    icon={JdSortOrder.PRICE_UP: "menu_up", JdSortOrder.PRICE_DOWN: "menu_down"}.get(
                        self.order, "unfold_more_horizontal"
                    ),
                    desc={JdSortOrder.PRICE_UP: "价格升序", JdSortOrder.PRICE_DOWN: "价格降序"}.get(
                        self.order, "价格"
                    ),
                ),
                self._order(
                    f"筛选({active})" if active else "筛选",
                    bool(active),
                    self.open_filters,
                    icon="filter",
                    rid="filter_button",
                ),
            ),
        )

    def _order(
        self,
        label: str,
        on: bool,
        on_click: Handler,
        *,
        icon: str = "",
        desc: str = "",
        rid: str = "sort_item",
    ) -> Widget:
        color = RED if on else INK
        mark = (Icon(name=icon, size=16, color=color, important=False),) if icon else ()
        return Row(
            id=rid,
            desc=desc,
            weight=1,
            height=42,
            justify=Align.CENTER,
            gap=2,
            selected=on,
            on_click=on_click,
            children=(Text(id="sort_text", text=label, size=14, color=color, bold=on, selected=on), *mark),
        )

    def _quick(self) -> Widget:
        f = self.active_filters
        own = replace(f, self_run=not f.self_run)
        sent = replace(f, delivered=not f.delivered)
        return ScrollView(
            id="quick_filters",
            horizontal=True,
            width=MATCH,
            height=44,
            gap=8,
            background=WHITE,
            padding=insets(12, 6),
            children=(
                chip("京东自营", f.self_run, partial(self.filter, own), rid="quick_filter", size=12),
                chip("京东物流", f.delivered, partial(self.filter, sent), rid="quick_filter", size=12),
                chip("品牌", bool(f.brands), self.open_filters, rid="quick_filter", size=12),
                chip("价格区间", f.lowest is not None, self.open_filters, rid="quick_filter", size=12),
            ),
        )

    def _list(self, matching: tuple[JdProduct, ...]) -> Widget:
        if not self.found:
            return self._nothing()
        if not matching:
            return message_page(
                "filter",
                "没有符合条件的商品，换个筛选条件试试",
                "清空筛选",
                partial(self.filter, JdFilters()),
            )

        def line(product: JdProduct | None, _: int) -> Widget:
            return _also() if product is None else result_line(product, self.opens(product))

        short = len(matching) < _SHORT
        return ListView(
            id="product_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            gap=1,
            background=BACKGROUND,
            items=(*matching, None, *related(self.found)) if short else matching[: self.shown],
            build=line,
            item_height=0 if short else 146,
            on_end=self.load_more if self.shown < len(matching) else None,
        )

    def _nothing(self) -> Widget:
        others = related(())

        def line(product: JdProduct, _: int) -> Widget:
            return result_line(product, self.opens(product))

        header = Column(
            id="no_result",
            width=MATCH,
            padding=insets(20, 28),
            gap=8,
            background=WHITE,
            children=(
                Text(
                    id="empty_text",
                    text=f"抱歉，没有找到与“{self.query}”相关的商品",
                    size=15,
                    color=INK,
                    align=Align.CENTER,
                    width=MATCH,
                ),
                Text(text="看看大家都在买什么", size=13, color=INK_3, align=Align.CENTER, width=MATCH),
            ),
        )
        return ListView(
            id="product_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            gap=1,
            background=BACKGROUND,
            header=(header,),
            items=others,
            build=line,
            item_height=146,
        )


def _also() -> Widget:
    return Row(
        id="also_title",
        width=MATCH,
        height=44,
        justify=Align.CENTER,
        gap=12,
        children=(
            Widget(width=36, height=1, background=INK_3, important=False),
            Text(text="相关推荐", size=13, color=INK_2),
            Widget(width=36, height=1, background=INK_3, important=False),
        ),
    )
