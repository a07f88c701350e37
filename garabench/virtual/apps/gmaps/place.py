"""A place's page: header, actions, and the tabs overview, reviews, photos and about."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from garabench.virtual.apps.gmaps import content
from garabench.virtual.apps.gmaps.navigation import GmapsNavigationScreen
from garabench.virtual.apps.gmaps.page import GmapsScreen
from garabench.virtual.apps.gmaps.save_sheet import SaveSheet
from garabench.virtual.apps.gmaps.search_results import rating_text
from garabench.virtual.apps.gmaps.theme import (
    BLUE,
    GREEN,
    RED,
    bottom_sheet,
    icon_button,
    line_row,
    pill,
)
from garabench.virtual.kit.maps.atlas import MapPlace
from garabench.virtual.kit.maps.driving_routes import drives
from garabench.virtual.kit.maps.geo import metres_between
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    ImageView,
    Row,
    ScrollView,
    Text,
    Widget,
    divider,
    insets,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.gmaps.activity import MapsActivity

TABS = ("Overview", "Reviews", "Photos", "About")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class GmapsPlaceScreen(GmapsScreen):
    """The page of a place."""

    needs_network = True

    def __init__(self, app: MapsActivity, place: MapPlace) -> None:
        super().__init__(app)
        self.place = place
        self.tab = TABS[0]
        self.all_hours = False
        self.saving = SaveSheet(self, place)

    def choose(self, tab: str) -> None:
        """Select a tab."""
        self.tab = tab

    def toggle_hours(self) -> None:
        """Toggle between the hours of all days and of today."""
        self.all_hours = not self.all_hours

    def navigate(self) -> None:
        """Start driving there immediately."""
        found = drives(content.app_atlas(), (content.HERE, self.place.at), self.app.hour, frozenset())
        if found:
            self.app.push(GmapsNavigationScreen(self.app, self.place, found[0], "Driving"))

    def bar(self) -> Widget:
        """Return the bar with back and close."""
        tone = self.tone
        return Row(
            width=MATCH,
            height=52,
            padding=insets(6, 0),
            background=tone.background,
            children=(
                icon_button("arrow_left", "Back", self.leave, rid="place_back", color=tone.ink),
                Text(text="", weight=1),
                icon_button("share_variant", "Share", self.opening(self._share), rid="share_icon"),
                icon_button("close", "Close place page", self.app.go_home, rid="place_close"),
            ),
        )

    def content(self) -> Widget:
        """Return header, buttons, tabs and the content of the selected tab."""
        match self.tab:
            case "Reviews":
                body = self._reviews()
            case "Photos":
                body = self._photos()
            case "About":
                body = self._about()
            case _:
                body = self._overview()
        return ScrollView(
            id="place_page_view",
            key=f"place-{self.tab}",
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(Column(width=MATCH, children=(self._header(), self._buttons(), self._tabs(), *body)),),
        )

    def _header(self) -> Widget:
        tone, place = self.tone, self.place
        state, until = content.hours_text(place, self.ctx.now())
        kind = " · ".join(
            part
            for part in (
                place.kind,
                content.price_text(place),
                self.store.format_distance(metres_between(content.HERE, place.at)),
            )
            if part
        )
        lines: list[Widget] = [
            Text(id="place_name", text=place.name, size=24, color=tone.ink),
            Text(id="place_rating", text=rating_text(place), size=14.5, color=tone.ink_2),
            Text(id="place_kind", text=kind, size=14.5, color=tone.ink_2),
        ]
        if state:
            color = RED if state == "Closed" else GREEN
            later = (Text(text=f"· {until}", size=14.5, color=tone.ink_2),) if until else ()
            lines.append(
                Row(gap=6, children=(Text(id="place_state", text=state, size=14.5, color=color), *later))
            )
        for name in self.store.saved_in(place)[:2]:
            lines.append(Text(id="saved_line", text=f"Saved in {name}", size=14, color=BLUE))
        return Column(width=MATCH, gap=4, padding=insets(18, 4, 18, 10), children=lines)

    def _buttons(self) -> Widget:
        place, tone = self.place, self.tone
        saved = self.store.saved_in(place)
        save = f"{place.name} is saved to {', '.join(saved)}" if saved else f"Save {place.name} to a list"
        buttons: list[Widget] = [
            pill(
                "Directions",
                self.if_online(self.routes_to(place)),
                tone=tone,
                rid="directions_button",
                desc=f"Directions to {place.name}",
                icon="directions",
                fill=True,
            ),
            pill(
                "Start",
                self.if_online(self.navigate),
                tone=tone,
                rid="start_button",
                icon="navigation",
            ),
            pill(
                "Saved" if saved else "Save",
                self.saving.open,
                tone=tone,
                rid="save_button",
                desc=save,
                icon="bookmark" if saved else "bookmark_outline",
                on=bool(saved),
                key="save",
            ),
            pill("Share", self.opening(self._share), tone=tone, rid="share_button", icon="share_variant"),
        ]
        if place.phone:
            call = self.toasting(f"Calling {place.phone}")
            buttons.insert(3, pill("Call", call, tone=tone, rid="call_button", icon="phone"))
        return ScrollView(
            id="action_bar",
            horizontal=True,
            width=MATCH,
            height=54,
            gap=8,
            padding=insets(16, 6),
            children=buttons,
        )

    def _tabs(self) -> Widget:
        def tab(label: str) -> Widget:
            on = label == self.tab
            line = Widget(
                height=3,
                width=40,
                radius=2,
                background=BLUE if on else None,
                align_self=Align.CENTER,
                align_vertical=Align.END,
                important=False,
            )
            word = Text(
                id="tab_text",
                text=label,
                size=14,
                bold=on,
                color=BLUE if on else self.tone.ink_2,
                selected=on,
                align_self=Align.CENTER,
                align_vertical=Align.CENTER,
            )
            return Box(
                id="place_tab",
                key=label,
                desc=label,
                weight=1,
                height=46,
                selected=on,
                on_click=partial(self.choose, label),
                children=(word, line),
            )

        row = Row(id="tab_layout", width=MATCH, children=[tab(label) for label in TABS])
        return Column(width=MATCH, children=(row, divider(self.tone.line)))

    def _overview(self) -> list[Widget]:
        tone, place = self.tone, self.place
        rows: list[Widget] = [
            line_row(tone, "map_marker_outline", content.address(place), rid="place_address_row")
        ]
        if place.hours:
            rows.append(self._hours())
        if place.phone:
            call = self.toasting(f"Calling {place.phone}")
            rows.append(line_row(tone, "phone", place.phone, rid="place_phone_row", on_click=call))
        for which, icon in (("Home", "home_outline"), ("Work", "briefcase_outline")):
            mine = self.store.label(which)
            if mine is not None and mine.id == place.id:
                rows.append(line_row(tone, icon, f"Labeled {which}", rid="place_label_row"))
        label = line_row(
            tone, "label_outline", "Add a label", rid="add_label_row", on_click=self.opening(self._labels)
        )
        rows.append(label)
        if self.store.saved_in(place):
            note = self.store.note_of(place)
            ask = self.asks_text("Note", "Add a note", "Save", self._note, note)
            rows.append(
                line_row(tone, "pencil_outline", note or "Add a note", rid="place_note_row", on_click=ask)
            )
        rows += [divider(tone.line), *self._reviews(2)]
        return rows

    def _hours(self) -> Widget:
        state, until = content.hours_text(self.place, self.ctx.now())
        row = line_row(
            self.tone,
            "clock_outline",
            f"{state} · {until}" if until else state,
            rid="place_hours_row",
            on_click=self.toggle_hours,
        )
        if not self.all_hours:
            return row
        start, end = self.place.hours.split("-")
        text = (
            "Open 24 hours"
            if self.place.hours == "00:00-24:00"
            else f"{content.clock_text(start)}–{content.clock_text(end)}"
        )
        days = [
            Row(
                width=MATCH,
                padding=insets(58, 5, 18, 5),
                children=(
                    Text(text=day, size=14, color=self.tone.ink, weight=1),
                    Text(id="day_hours", text=text, size=14, color=self.tone.ink_2),
                ),
            )
            for day in DAYS
        ]
        return Column(width=MATCH, children=(row, *days))

    def _reviews(self, limit: int = 20) -> list[Widget]:
        tone = self.tone
        rows: list[Widget] = [
            Text(
                id="review_summary",
                text=f"{self.place.rating} · {self.place.reviews:,} reviews",
                size=18,
                color=tone.ink,
                padding=insets(18, 14, 18, 6),
            )
        ]
        for review in content.reviews_of(self.place)[:limit]:
            rows.append(
                Column(
                    id="review",
                    width=MATCH,
                    gap=3,
                    padding=insets(18, 9),
                    children=(
                        Text(id="review_author", text=review.author, size=15, bold=True, color=tone.ink),
                        Text(text=f"{'★' * review.stars} {review.age}", size=13, color=tone.ink_2),
                        Text(id="review_text", text=review.text, size=14.5, color=tone.ink),
                    ),
                )
            )
        return rows

    def _photos(self) -> list[Widget]:
        width = (self.ctx.width_dp - 44) / 2
        cells = [
            ImageView(
                seed=f"gmaps-{self.place.id}-{number}",
                desc=f"Photo {number + 1} of {self.place.name}",
                width=width,
                height=width * 0.8,
                radius=10,
            )
            for number in range(6)
        ]
        rows = [Row(width=MATCH, gap=8, children=cells[at : at + 2]) for at in range(0, 6, 2)]
        return [Column(id="photo_grid", width=MATCH, gap=8, padding=insets(18, 14), children=rows)]

    def _about(self) -> list[Widget]:
        tone, place = self.tone, self.place
        facts = [*place.tags, *(("Accepts credit cards",) if place.price is not None else ())]
        rows: list[Widget] = [line_row(tone, "information_outline", place.kind, note=place.district)]
        rows += [line_row(tone, "check", fact, rid="place_fact") for fact in facts]
        if not facts:
            rows.append(line_row(tone, "check", "Open to the public", rid="place_fact"))
        return rows

    # Sheets

    def _note(self, text: str) -> bool:
        self.store.set_note(self.place, text)
        return True

    def _labels(self) -> Widget:
        rows = [
            line_row(
                self.tone,
                icon,
                which,
                rid="label_choice",
                key=which,
                on_click=self.closing(partial(self._set_label, which)),
            )
            for which, icon in (("Home", "home_outline"), ("Work", "briefcase_outline"))
        ]
        return bottom_sheet(self.tone, "Add a label", *rows, rid="label_sheet")

    def _set_label(self, which: str) -> None:
        self.store.set_label(which, self.place)
        self.ctx.toast(f"{which} set")

    def _share(self) -> Widget:
        link = f"https://maps.app.goo.gl/{self.place.id[2:]}"
        field = Text(id="share_link", text=link, size=15, color=self.tone.ink, padding=insets(20, 8))
        copy = line_row(
            self.tone,
            "content_copy",
            "Copy link",
            rid="share_copy",
            on_click=self.closing(self.toasting("Link copied")),
        )
        return bottom_sheet(self.tone, f"Share {self.place.name}", field, copy, rid="share_sheet")
