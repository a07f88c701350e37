"""收藏夹: home, company, and the favourite places."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from garabench.virtual.apps.amap import content
from garabench.virtual.apps.amap.dialogs import bottom_sheet
from garabench.virtual.apps.amap.page import AmapScreen
from garabench.virtual.apps.amap.theme import (
    BACKGROUND,
    BLUE,
    GOLD,
    INK,
    INK_2,
    INK_3,
    LINE,
    WHITE,
    card,
    icon_button,
    message_page,
    pill,
    text_action,
    title_bar,
)
from garabench.virtual.kit.maps.atlas import MapPlace
from garabench.virtual.ui.widgets import (
    MATCH,
    CheckBox,
    Column,
    Handler,
    Icon,
    ListView,
    Row,
    Text,
    TextField,
    Widget,
    divider,
    insets,
    spacer,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.amap.activity import NewMapActivity

_CORNERS = (("home", "家", "home_outline"), ("company", "公司", "office_building"))


class FavoritesScreen(AmapScreen):
    """The favourites; they can be renamed and deleted."""

    def __init__(self, app: NewMapActivity) -> None:
        super().__init__(app)
        self.managing = False
        self.selected: frozenset[str] = frozenset()
        self.named: MapPlace | None = None
        self.draft = ""

    def manage(self) -> None:
        """Toggle edit mode."""
        self.managing, self.selected = not self.managing, frozenset()

    def toggle_selected(self, place: MapPlace) -> None:
        """Toggle whether a place is selected."""
        self.selected ^= {place.id}

    def delete_selected(self) -> None:
        """Delete the selected places."""
        for place in self.store.favorites():
            if place.id in self.selected:
                self.store.set_favorite(place, False)
        self.ctx.toast("已取消收藏")
        self.manage()

    def on_back(self) -> bool:
        """Back leaves edit mode first."""
        if self.managing:
            self.manage()
            return True
        return False

    def set_shortcut(self, which: str) -> None:
        """Choose the place for home or company."""
        label = {key: name for key, name, _ in _CORNERS}[which]

        def put(place: MapPlace) -> None:
            self.store.set_shortcut(which, place)
            self.ctx.toast(f"{label}的地址已设置")

        self.app.pick(f"设置{label}的位置", put)

    def open_shortcut(self, which: str) -> None:
        """Plan the route to home or company, or set it."""
        place = self.store.shortcut(which)
        if place is None:
            self.set_shortcut(which)
        else:
            self.app.open_route(self.app.my_place, place)

    def delete_shortcut(self, which: str) -> None:
        """Delete home or company."""
        self.store.set_shortcut(which, None)
        self.sheet = None

    def delete(self, place: MapPlace) -> None:
        """Delete a favourite."""
        self.sheet = None
        self.store.set_favorite(place, False)
        self.ctx.toast("已取消收藏")

    def rename(self, place: MapPlace) -> None:
        """Open the sheet that renames a favourite."""
        self.draft = self.store.note_of(place)
        self.named = place
        self.sheet = self._name_sheet
        self.ctx.focus("favorite_note_edit")

    def _write(self, text: str) -> None:
        self.draft = text

    def _save(self) -> None:
        if self.named is not None:
            self.store.set_note(self.named, self.draft)
        self.sheet = None
        self.ctx.hide_keyboard()

    def bar(self) -> Widget | None:
        """Return the title bar with the button to manage favourites."""
        label = "完成" if self.managing else "管理"
        return title_bar("收藏夹", self.leave, text_action(label, "favorite_manage", self.manage))

    def content(self) -> Widget:
        """Return home and company above the places."""
        places = self.store.favorites()
        corners = card(*(self._shortcut(*shortcut) for shortcut in _CORNERS), padding=insets(14, 0))
        count = Row(
            width=MATCH,
            height=44,
            padding=insets(16, 8, 16, 0),
            children=(
                Text(id="favorite_count", text=f"收藏的点（{len(places)}）", size=14, bold=True, color=INK_2),
            ),
        )
        body: Widget = ListView(
            id="favorite_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            gap=1,
            header=(corners, count),
            items=places,
            build=lambda place, _: self._line(place),
        )
        if not places:
            body = Column(
                width=MATCH,
                height=MATCH,
                weight=1,
                children=(corners, message_page("star_outline", "还没有收藏地点")),
            )
        parts: list[Widget] = [body]
        if self.managing:
            delete = self.asks(f"确定取消收藏这{len(self.selected)}个地点吗？", "确定", self.delete_selected)
            button = pill(
                f"取消收藏({len(self.selected)})",
                delete,
                rid="favorite_drop",
                enabled=bool(self.selected),
                size=16,
                weight=1,
            )
            parts.append(Row(width=MATCH, background=WHITE, padding=insets(16, 8), children=(button,)))
        return Column(width=MATCH, height=MATCH, weight=1, background=BACKGROUND, children=parts)

    def _shortcut(self, which: str, label: str, icon: str) -> Widget:
        place = self.store.shortcut(which)
        more: tuple[Widget, ...] = ()
        if place is not None:
            more = (
                self._more(
                    f"corner_more_{which}", f"{label}的更多操作", partial(self._shortcut_sheet, which, label)
                ),
            )
        return Row(
            id=f"favorite_{which}",
            key=which,
            width=MATCH,
            height=58,
            gap=12,
            on_click=partial(self.open_shortcut, which),
            children=(
                Icon(name=icon, size=24, color=BLUE, important=False),
                Column(
                    weight=1,
                    gap=2,
                    children=(
                        Text(id="corner_label", text=label, size=15, bold=True, color=INK),
                        Text(
                            id=f"{which}_place",
                            text=place.name if place else "点击设置",
                            size=12,
                            color=INK_3,
                            max_lines=1,
                        ),
                    ),
                ),
                *more,
            ),
        )

    def _more(self, rid: str, desc: str, sheet: Handler) -> Widget:
        return icon_button("dots_horizontal", rid=rid, desc=desc, color=INK_3, size=20, on_click=sheet)

    def _shortcut_sheet(self, which: str, label: str) -> None:
        change = self.closing(partial(self.set_shortcut, which))
        delete = partial(self.delete_shortcut, which)
        self.sheet = lambda: bottom_sheet(
            label,
            self.on_dismiss_dialog,
            _sheet_row("修改地址", "corner_change", change),
            _sheet_row("删除", "corner_delete", delete),
        )

    def _line(self, place: MapPlace) -> Widget:
        note = self.store.note_of(place)
        tap = partial(self.toggle_selected, place) if self.managing else self.opens(place)
        header: Widget = Icon(name="star_filled", size=22, color=GOLD, important=False)
        if self.managing:
            header = CheckBox(
                id="favorite_check",
                desc=place.name,
                checked=place.id in self.selected,
                round=True,
                color=BLUE,
                width=26,
                height=26,
                on_click=tap,
            )
        more = self._more("favorite_more", f"{place.name}的更多操作", partial(self._open_sheet, place))
        return Column(
            width=MATCH,
            background=WHITE,
            children=(
                Row(
                    id="favorite_item",
                    key=place.id,
                    width=MATCH,
                    height=64,
                    gap=12,
                    padding=insets(16, 0, 8, 0),
                    on_click=tap,
                    children=(
                        header,
                        Column(
                            weight=1,
                            gap=3,
                            children=(
                                Text(
                                    id="favorite_name",
                                    text=note or place.name,
                                    size=16 * self.store.font_scale,
                                    color=INK,
                                    max_lines=1,
                                ),
                                Text(
                                    id="favorite_address",
                                    text=f"{place.name} {place.full_address}" if note else place.full_address,
                                    size=12,
                                    color=INK_3,
                                    max_lines=1,
                                ),
                            ),
                        ),
                        Text(text=content.distance_to(place), size=12, color=INK_3),
                        *(() if self.managing else (more,)),
                    ),
                ),
                divider(LINE),
            ),
        )

    def _open_sheet(self, place: MapPlace) -> None:
        self.sheet = lambda: bottom_sheet(
            place.name,
            self.on_dismiss_dialog,
            _sheet_row("路线", "favorite_route", self.closing(self.routes_to(place))),
            _sheet_row("修改备注", "favorite_rename", partial(self.rename, place)),
            _sheet_row("取消收藏", "favorite_delete", partial(self.delete, place)),
        )

    def _name_sheet(self) -> Widget:
        field = TextField(
            id="favorite_note_edit",
            text=self.draft,
            hint="请输入备注名",
            width=MATCH,
            height=46,
            background="#F3F5F8",
            radius=10,
            padding=insets(12, 0),
            on_change=self._write,
            on_submit=self._save,
        )
        body = Column(
            width=MATCH,
            gap=14,
            padding=insets(16, 4, 16, 4),
            children=(
                field,
                Row(
                    width=MATCH,
                    children=(pill("保存", self._save, rid="favorite_note_save", size=16, weight=1),),
                ),
                spacer(2),
            ),
        )
        return bottom_sheet("修改备注", self.on_dismiss_dialog, body, rid="favorite_note_sheet")


def _sheet_row(label: str, rid: str, on_click: Handler) -> Widget:
    return Row(
        id=rid,
        width=MATCH,
        height=52,
        padding=insets(20, 0),
        on_click=on_click,
        children=(Text(id="sheet_row_text", text=label, size=16, color=INK),),
    )
