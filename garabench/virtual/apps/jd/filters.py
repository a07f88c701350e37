"""The filter drawer of the results: service, price range, brands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from garabench.virtual.apps.jd.content import JdProduct
from garabench.virtual.apps.jd.dialogs import sheet
from garabench.virtual.apps.jd.search_index import JdFilters, brands_of
from garabench.virtual.apps.jd.theme import BACKGROUND, INK, INK_3, WHITE, chip, pill
from garabench.virtual.kit.framework import Context
from garabench.virtual.ui.widgets import (
    MATCH,
    Column,
    Handler,
    Row,
    ScrollView,
    Text,
    TextField,
    Widget,
    insets,
)

_MAX_BRANDS = 12
_FEN = 100


class JdFilterSheet:
    """The drawer's unconfirmed filters; nothing takes effect before 确定."""

    def __init__(
        self,
        found: Sequence[JdProduct],
        filters: JdFilters,
        done: Callable[[JdFilters], None],
        close: Handler,
        ctx: Context,
    ) -> None:
        self.found = found
        self.done = done
        self.close = close
        self.ctx = ctx
        self._take(filters)

    def _take(self, filters: JdFilters) -> None:
        self.lowest = "" if filters.lowest is None else str(filters.lowest // _FEN)
        self.highest = "" if filters.highest is None else str(filters.highest // _FEN)
        self.self_run, self.delivered = filters.self_run, filters.delivered
        self.stocked = filters.stocked
        self.brands = set(filters.brands)

    def reset(self) -> None:
        """Clear all filters."""
        self._take(JdFilters())

    def confirm(self) -> None:
        """Apply the filters; a reversed price range is swapped."""
        low, high = self._fen(self.lowest), self._fen(self.highest)
        if low is not None and high is not None and low > high:
            low, high = high, low
        self.ctx.hide_keyboard()
        self.done(JdFilters(low, high, self.self_run, self.delivered, frozenset(self.brands), self.stocked))

    @staticmethod
    def _fen(text: str) -> int | None:
        digits = "".join(char for char in text if char.isdecimal())[:7]
        return int(digits) * _FEN if digits else None

    def _toggle(self, name: str) -> None:
        setattr(self, name, not getattr(self, name))

    def _brand(self, brand: str) -> None:
        self.brands ^= {brand}

    def _set(self, name: str, text: str) -> None:
        setattr(self, name, text)

    def view(self) -> Widget:
        """Return the drawer."""
        brands = brands_of(self.found)[:_MAX_BRANDS]
        parts = ScrollView(
            id="filter_groups",
            width=MATCH,
            height=340,
            padding=insets(16, 0),
            gap=10,
            children=(
                self._title("服务"),
                Row(
                    width=MATCH,
                    gap=8,
                    children=(
                        chip(
                            "京东自营", self.self_run, partial(self._toggle, "self_run"), rid="filter_option"
                        ),
                        chip(
                            "京东物流",
                            self.delivered,
                            partial(self._toggle, "delivered"),
                            rid="filter_option",
                        ),
                        chip("仅看有货", self.stocked, partial(self._toggle, "stocked"), rid="filter_option"),
                    ),
                ),
                self._title("价格区间（元）"),
                Row(
                    width=MATCH,
                    gap=10,
                    children=(
                        self._price("lowest", "最低价", "price_min"),
                        Text(text="—", size=14, color=INK_3),
                        self._price("highest", "最高价", "price_max"),
                    ),
                ),
                self._title("品牌"),
                Row(
                    id="filter_brands",
                    width=MATCH,
                    wrap=True,
                    gap=8,
                    children=[
                        chip(brand, brand in self.brands, partial(self._brand, brand), rid="filter_option")
                        for brand in brands
                    ],
                ),
            ),
        )
        buttons = Row(
            width=MATCH,
            gap=12,
            padding=insets(16, 10, 16, 4),
            background=WHITE,
            children=(
                pill("重置", self.reset, rid="filter_reset", fill=False, color=INK_3, size=15, weight=1),
                pill("确定", self.confirm, rid="filter_confirm", size=15, weight=1),
            ),
        )
        return sheet("筛选", self.close, parts, buttons, rid="filter_sheet")

    def _title(self, text: str) -> Widget:
        return Column(
            width=MATCH,
            padding=insets(0, 6, 0, 0),
            children=(Text(text=text, size=14, bold=True, color=INK),),
        )

    def _price(self, name: str, hint: str, rid: str) -> Widget:
        return TextField(
            id=rid,
            text=getattr(self, name),
            hint=hint,
            size=14,
            weight=1,
            height=38,
            radius=19,
            background=BACKGROUND,
            padding=insets(16, 0),
            input_type="number",
            action="done",
            on_change=partial(self._set, name),
            on_submit=self.ctx.hide_keyboard,
        )
