"""A place's page: the map above a card with details and actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from garabench.virtual.apps.amap import content
from garabench.virtual.apps.amap.cards import facts_row, price_text, small_card
from garabench.virtual.apps.amap.detail_widgets import (
    action,
    lines_card,
    phone_sheet,
    review_line,
    share_sheet,
    ticket,
)
from garabench.virtual.apps.amap.lines import LineScreen
from garabench.virtual.apps.amap.map_view import AmapMapView
from garabench.virtual.apps.amap.page import AmapScreen
from garabench.virtual.apps.amap.reviews import ReviewsScreen
from garabench.virtual.apps.amap.theme import (
    BACKGROUND,
    BLUE,
    GOLD,
    INK,
    INK_2,
    INK_3,
    LINE,
    WHITE,
    badge,
    card,
    icon_button,
    pill,
)
from garabench.virtual.kit.framework import Intent
from garabench.virtual.kit.maps.atlas import MapPlace
from garabench.virtual.kit.maps.geo import metres_between
from garabench.virtual.kit.maps.map_scene import Pin, PinKind
from garabench.virtual.kit.maps.place_search import nearby
from garabench.virtual.kit.maps.units import distance_text
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Handler,
    Icon,
    Row,
    ScrollView,
    Text,
    Widget,
    divider,
    insets,
    spacer,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.amap.activity import NewMapActivity

_MAP_DP = 230.0
_REVIEWS = 3


class AmapPlaceScreen(AmapScreen):
    """The page of a place."""

    needs_network = True
    works_offline = True

    def __init__(self, app: NewMapActivity, place: MapPlace) -> None:
        super().__init__(app)
        self.place = place
        self.map = AmapMapView(app)
        self.map.opens_places()
        self.map.height = _MAP_DP
        self.map.show(place.at, closest=16.0)
        self.map.pins = (Pin(place.at, PinKind.CHOSEN, place.name),)

    @property
    def is_favorite(self) -> bool:
        """Whether the place is a favourite."""
        return self.store.is_favorite(self.place)

    def toggle_favorite(self) -> None:
        """Toggle whether the place is a favourite."""
        self.store.set_favorite(self.place, not self.is_favorite)
        self.ctx.toast("收藏成功" if self.is_favorite else "已取消收藏")

    def around(self) -> None:
        """Search for something near the place."""
        self.app.open_search(center=self.place, hint=f"在{self.place.name}附近搜索")

    def call(self) -> None:
        """Open the dialer with the place's number."""
        self.sheet = None
        self.ctx.start(Intent(action="android.intent.action.DIAL", data=f"tel:{self.place.phone}"))

    def navigate(self) -> None:
        """Start the drive there, above the route page."""
        page = self.app.open_route(self.app.my_place, self.place)
        page.navigate()

    def bar(self) -> Widget | None:
        """Return None: the back button is over the map."""
        return None

    def content(self) -> Widget:
        """Return the map, the card, and the bar at the bottom."""
        back = Row(
            width=MATCH,
            margin=insets(12, 10),
            align_vertical=Align.START,
            children=(
                icon_button(
                    "chevron_left",
                    rid="poi_detail_back",
                    desc="返回",
                    size=26,
                    background=WHITE,
                    elevation=2,
                    on_click=self.leave,
                ),
                Text(
                    id="poi_detail_title",
                    text=self.place.name,
                    size=14,
                    bold=True,
                    color=INK,
                    weight=1,
                    align=Align.CENTER,
                    max_lines=1,
                    background=WHITE,
                    radius=18,
                    padding=insets(12, 9),
                    margin=insets(10, 0),
                    align_self=Align.CENTER,
                ),
                icon_button(
                    "close",
                    rid="poi_detail_close",
                    desc="关闭",
                    background=WHITE,
                    elevation=2,
                    on_click=self.app.go_home,
                ),
            ),
        )
        top = Box(width=MATCH, height=_MAP_DP, children=(self.map.view(height=_MAP_DP), back))
        body = ScrollView(
            id="poi_detail_scroll",
            width=MATCH,
            height=MATCH,
            weight=1,
            background=BACKGROUND,
            children=(
                self._header(),
                *self._lines(),
                *self._tickets(),
                *self._reviews(),
                self._near(),
                spacer(14),
            ),
        )
        return Column(
            width=MATCH, height=MATCH, weight=1, children=(top, body, divider(LINE), self._actions())
        )

    def _header(self) -> Widget:
        place = self.place
        far = content.is_far(place)
        marks = [badge("跨城", color="#B4691E", background="#FFF1E0", rid="poi_far")] if far else []
        marks += [badge(tag, rid="poi_tag") for tag in place.tags]
        where = f"{place.city}{place.full_address}" if far else place.full_address
        where = place.address if place.category == "位置" else where
        parts: list[Widget] = [
            Text(
                id="poi_detail_name",
                text=place.name,
                size=20 * self.store.font_scale,
                bold=True,
                color=INK,
                max_lines=2,
            )
        ]
        if place.category != "位置":
            parts.append(
                Row(
                    gap=8,
                    children=(
                        facts_row(place, rid="poi_detail"),
                        Text(id="poi_review_count", text=f"{place.reviews}条评价", size=12, color=INK_3),
                    ),
                )
            )
        if marks:
            parts.append(Row(gap=6, wrap=True, width=MATCH, children=marks))
        if place.hours:
            parts.append(_fact("clock_outline", f"营业中 {place.hours}", "poi_detail_hours"))
        parts.append(divider(LINE))
        parts.append(
            Row(
                width=MATCH,
                gap=10,
                children=(
                    Column(
                        weight=1,
                        gap=2,
                        children=(
                            Text(id="poi_detail_address", text=where, size=14, color=INK, max_lines=2),
                            Text(
                                id="poi_detail_distance",
                                text=f"距您{content.distance_to(place)}",
                                size=12,
                                color=INK_3,
                            ),
                        ),
                    ),
                    *((self._phone(),) if place.phone else ()),
                ),
            )
        )
        return card(*parts, rid="poi_card", gap=8)

    def _phone(self) -> Widget:
        sheet = phone_sheet(self.place.phone, self.call, self.on_dismiss_dialog)
        return Column(
            id="poi_phone",
            desc="电话",
            width=48,
            gap=2,
            on_click=self.opening(lambda: sheet),
            children=(
                Icon(name="phone", size=22, color=BLUE, align_self=Align.CENTER, important=False),
                Text(text="电话", size=11, color=INK_2, align_self=Align.CENTER),
            ),
        )

    def _lines(self) -> tuple[Widget, ...]:
        """Return the lines of a station."""
        city = content.app_atlas().city_at(self.place.at)
        found = content.lines_at(self.place) if self.place.category == "地铁站" else ()
        if not found:
            return ()
        return (lines_card(found, lambda line: self.app.push(LineScreen(self.app, city, line))),)

    def _tickets(self) -> tuple[Widget, ...]:
        place = self.place
        if place.category != "景点" or not place.price:
            return ()
        return (ticket(place, price_text(place), self.toasting("门票需在官方渠道预约购买")),)

    def _reviews(self) -> tuple[Widget, ...]:
        place = self.place
        if place.category == "位置":
            return ()
        every = content.reviews_of(place)
        header = Row(
            id="poi_reviews_entry",
            width=MATCH,
            height=34,
            on_click=lambda: self.app.push(ReviewsScreen(self.app, place)),
            children=(
                Text(text="用户评价", size=16, bold=True, color=INK),
                spacer(),
                Icon(name="star_filled", size=15, color=GOLD, important=False),
                Text(text=f"{place.rating:.1f}", size=14, color=INK_2, margin=insets(3, 0, 8, 0)),
                Text(id="poi_reviews_all", text="全部评价", size=13, color=BLUE),
                Icon(name="chevron_right", size=17, color=BLUE, important=False),
            ),
        )
        rows = [review_line(review) for review in every[:_REVIEWS]]
        return (card(header, *rows, rid="poi_reviews", gap=10),)

    def _near(self) -> Widget:
        near = nearby(content.app_atlas(), self.place)
        cards = [
            small_card(each, distance_text(metres_between(each.at, self.place.at)), self.opens(each))
            for each in near
        ]
        header = Row(
            width=MATCH,
            height=32,
            children=(Text(text="附近推荐", size=16, bold=True, color=INK),),
        )
        return card(
            header, ScrollView(id="near_list", horizontal=True, width=MATCH, gap=10, children=cards), gap=6
        )

    def _actions(self) -> Widget:
        is_favorite = self.is_favorite
        share = share_sheet(self._share, self.on_dismiss_dialog)
        state = "收藏按钮已收藏" if is_favorite else "收藏按钮未收藏"
        return Row(
            id="poi_bottom_bar",
            width=MATCH,
            height=58,
            gap=2,
            background=WHITE,
            padding=insets(6, 0, 12, 0),
            children=(
                action("magnify", "周边", "poi_around", self.around),
                action(
                    "star_filled" if is_favorite else "star_outline",
                    "已收藏" if is_favorite else "收藏",
                    "poi_favorite",
                    self.toggle_favorite,
                    desc=state,
                    color=GOLD if is_favorite else INK_2,
                    on=is_favorite,
                ),
                action("share_variant", "分享", "poi_share", self.opening(lambda: share)),
                spacer(),
                self._button("路线", "poi_route_button", self._plan(), fill=False),
                spacer(8),
                self._button("导航", "poi_navi_button", self.if_online(self.navigate), fill=True),
            ),
        )

    def _plan(self) -> Handler:
        return self.if_online(self.routes_to(self.place))

    def _button(self, label: str, rid: str, on_click: Handler, *, fill: bool) -> Widget:
        return pill(label, on_click, rid=rid, fill=fill, size=15, padding=insets(18, 9))

    def _share(self, way: str) -> None:
        self.sheet = None
        self.ctx.toast("链接已复制" if way == "复制链接" else f"未安装{way}")


def _fact(icon: str, text: str, rid: str) -> Widget:
    return Row(
        gap=6,
        children=(
            Icon(name=icon, size=15, color=INK_3, important=False),
            Text(id=rid, text=text, size=13, color=INK_2, max_lines=1),
        ),
    )
