"""The search box above a list."""

from __future__ import annotations

from collections.abc import Callable

from garabench.virtual.apps.weibo.theme import Skin
from garabench.virtual.ui.widgets import MATCH, Handler, Icon, Row, TextField, Widget, insets


def search_box(
    skin: Skin, text: str, hint: str, on_change: Callable[[str], None], on_submit: Handler, *more: Widget
) -> Widget:
    """Return the search box and its buttons."""
    return Row(
        width=MATCH,
        height=46,
        gap=8,
        background=skin.card,
        padding=insets(12, 0),
        children=(
            Row(
                weight=1,
                height=34,
                radius=17,
                gap=6,
                background=skin.soft,
                padding=insets(12, 0),
                children=(
                    Icon(name="search", size=15, color=skin.ink_3, important=False),
                    TextField(
                        id="list_search",
                        text=text,
                        hint=hint,
                        size=13.5,
                        color=skin.ink,
                        hint_color=skin.ink_3,
                        weight=1,
                        height=34,
                        on_change=on_change,
                        on_submit=on_submit,
                        action="search",
                    ),
                ),
            ),
            *more,
        ),
    )
