"""The sheet for a product's options and quantity."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from garabench.virtual.apps.jd.cards import photo, price
from garabench.virtual.apps.jd.content import JdProduct
from garabench.virtual.apps.jd.dialogs import sheet
from garabench.virtual.apps.jd.store import MAX_QUANTITY
from garabench.virtual.apps.jd.theme import BACKGROUND, INK, INK_2, INK_3, chip, icon_button, pill
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Handler,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
    spacer,
)

Done = Callable[[tuple[str, ...], int], None]


def stepper(
    count: int, change: Callable[[int], None], *, maximum: int = MAX_QUANTITY, on_edit: Handler | None = None
) -> Widget:
    """Return the quantity between the buttons for less and more; `on_edit` opens a dialog to type it."""

    def step(by: int) -> Handler:
        return lambda: change(max(1, min(maximum, count + by)))

    return Row(
        id="quantity_stepper",
        height=30,
        radius=6,
        background=BACKGROUND,
        children=(
            icon_button(
                "minus",
                rid="quantity_minus",
                desc="减少数量",
                color=INK_3 if count <= 1 else INK,
                size=15,
                touch_size=30,
                on_click=step(-1),
            ),
            Text(
                id="quantity",
                text=str(count),
                size=14,
                color=INK,
                align=Align.CENTER,
                width=36,
                on_click=on_edit,
            ),
            icon_button(
                "plus",
                rid="quantity_plus",
                desc="增加数量",
                color=INK_3 if count >= maximum else INK,
                size=15,
                touch_size=30,
                on_click=step(1),
            ),
        ),
    )


class SkuSheet:
    """The sheet with the current choice; `buttons` are (resource id, label, handler)."""

    def __init__(
        self,
        product: JdProduct,
        options: Sequence[str],
        count: int,
        close: Handler,
        buttons: Sequence[tuple[str, str, Done]],
    ) -> None:
        self.product = product
        self.options = tuple(options)
        self.count = count
        self.close = close
        self.buttons = buttons

    def choose(self, place: int, value: str) -> None:
        """Choose an option."""
        self.options = (*self.options[:place], value, *self.options[place + 1 :])

    def set_count(self, count: int) -> None:
        """Set the quantity."""
        self.count = count

    def view(self) -> Widget:
        """Return the sheet."""
        product = self.product
        header = Row(
            width=MATCH,
            gap=12,
            padding=insets(16, 0),
            children=(
                photo(product, 88.0),
                Column(
                    weight=1,
                    gap=6,
                    children=(
                        price(product.price_of(self.options), size=21, rid="sku_price"),
                        Text(
                            id="sku_selected",
                            text=f"已选：{'，'.join((*self.options, f'{self.count}件'))}",
                            size=13,
                            color=INK_2,
                            max_lines=2,
                        ),
                        Text(text=f"商品编号：{product.sku}", size=11, color=INK_3),
                    ),
                ),
            ),
        )
        groups: list[Widget] = []
        for place, choice in enumerate(product.choices):
            groups.append(Text(text=choice.name, size=14, bold=True, color=INK))
            groups.append(
                Row(
                    width=MATCH,
                    wrap=True,
                    gap=8,
                    children=[
                        chip(
                            value,
                            value == self.options[place],
                            partial(self.choose, place, value),
                            rid="sku_option",
                        )
                        for value in choice.values
                    ],
                )
            )
        count = Row(
            width=MATCH,
            height=46,
            children=(
                Text(text="数量", size=14, bold=True, color=INK),
                spacer(),
                stepper(self.count, self.set_count),
            ),
        )
        buttons = Row(
            width=MATCH,
            gap=12,
            padding=insets(16, 10, 16, 4),
            children=[
                pill(
                    label,
                    lambda done=done: done(self.options, self.count),  # type: ignore[misc]
                    rid=rid,
                    size=15,
                    weight=1,
                    color="#FF8A00" if number and len(self.buttons) > 1 else "#F2270C",
                )
                for number, (rid, label, done) in enumerate(self.buttons)
            ],
        )
        return sheet(
            "选择规格",
            self.close,
            header,
            ScrollView(
                id="sku_groups",
                width=MATCH,
                height=min(320, 60 + 84 * len(product.choices)),
                padding=insets(16, 12, 16, 0),
                gap=10,
                children=(*groups, count),
            ),
            buttons,
            rid="sku_sheet",
        )
