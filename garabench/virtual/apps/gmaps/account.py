"""The account menu and its pages: offline maps, location sharing."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from garabench.virtual.apps.gmaps.page import GmapsScreen
from garabench.virtual.apps.gmaps.settings_page import GmapsSettingsScreen
from garabench.virtual.apps.gmaps.theme import (
    bottom_sheet,
    choice,
    icon_button,
    line_row,
    pill,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    ProgressBar,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.gmaps.activity import MapsActivity

REGIONS = {
    "San Francisco": "112 MB",
    "South San Francisco": "38 MB",
    "Oakland": "84 MB",
    "Palo Alto": "46 MB",
    "San Jose": "128 MB",
    "Cupertino": "31 MB",
    "Berkeley": "29 MB",
}
CONTACTS = ("Robin Foster", "Robin Fowler", "Dana Kim", "Jamie Reyes", "Morgan Diaz")
TIMES = ("1 hour", "2 hours", "Until you turn this off")
_DOWNLOAD_MS = 600


def account_menu(page: GmapsScreen) -> Widget:
    """Return the menu of the account disc in the search bar."""
    app, tone = page.app, page.tone

    def to(target: GmapsScreen) -> None:
        app.push(target)

    rows = (
        ("timeline_clock_outline", "Your Timeline", lambda: to(GmapsSettingsScreen(app, "timeline"))),
        ("account_multiple_outline", "Location sharing", lambda: to(SharingScreen(app))),
        ("cloud_off_outline", "Offline maps", lambda: to(GmapsOfflineScreen(app))),
        ("cog_outline", "Settings", lambda: to(GmapsSettingsScreen(app, "root"))),
        ("help_circle_outline", "Help & feedback", page.toasting("Help is available online")),
    )
    lines = [
        line_row(tone, icon, label, rid="account_menu_item", key=label, on_click=page.closing(call))
        for icon, label, call in rows
    ]
    who = Text(id="account_name", text="alex.example@gmail.com", size=14, color=tone.ink_2)
    header = Column(width=MATCH, padding=insets(20, 0, 20, 8), children=(who,))
    return bottom_sheet(tone, "Alex", header, *lines, rid="account_menu")


class GmapsOfflineScreen(GmapsScreen):
    """The downloaded maps, and those available."""

    title = "Offline maps"

    def __init__(self, app: MapsActivity) -> None:
        super().__init__(app)
        self.loading: frozenset[str] = frozenset()

    def download(self, name: str) -> None:
        """Download a map; it takes a moment."""
        self.loading |= {name}
        self.ctx.after(_DOWNLOAD_MS, partial(self._done, name))

    def _done(self, name: str) -> None:
        self.loading -= {name}
        if self.ctx.online:
            self.store.set_offline(name, True)
            self.ctx.toast(f"{name} downloaded")
        else:
            self.ctx.toast("Download failed")

    def delete(self, name: str) -> None:
        """Delete a map from the phone."""
        self.store.set_offline(name, False)

    def content(self) -> Widget:
        """Return the downloaded maps above the others."""
        tone, mine = self.tone, self.store.offline()
        rows: list[Widget] = [self._header("Downloaded maps")]
        for name in mine:
            bin_button = icon_button(
                "trash_can_outline", f"Delete {name}", partial(self.delete, name), rid="offline_delete"
            )
            rows.append(
                line_row(
                    tone,
                    "check_circle",
                    name,
                    note=f"Downloaded · {REGIONS.get(name, '')}",
                    rid="offline_map",
                    key=f"mine-{name}",
                    trailing=(bin_button,),
                    color="#188038",
                )
            )
        if not mine:
            rows.append(line_row(tone, "cloud_off_outline", "No offline maps", rid="offline_none"))
        rows.append(self._header("Recommended maps"))
        for name, size in REGIONS.items():
            if name in mine:
                continue
            button = (
                ProgressBar(circular=True, width=28, height=28)
                if name in self.loading
                else icon_button(
                    "download",
                    f"Download {name}",
                    self.if_online(partial(self.download, name)),
                    rid="offline_download",
                )
            )
            rows.append(
                line_row(
                    tone,
                    "map_outline",
                    name,
                    note=size,
                    rid="offline_region",
                    key=f"new-{name}",
                    trailing=(button,),
                )
            )
        return ScrollView(
            id="offline_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(Column(width=MATCH, children=rows),),
        )

    def _header(self, text: str) -> Widget:
        return Text(text=text, size=14, color=self.tone.ink_2, padding=insets(18, 14, 18, 4))


class SharingScreen(GmapsScreen):
    """The page for sharing the location."""

    title = "Location sharing"
    needs_network = True

    def __init__(self, app: MapsActivity) -> None:
        super().__init__(app)
        self.time = TIMES[0]

    def choose(self, time: str) -> None:
        """Choose the duration of sharing."""
        self.time = time

    def share(self, who: str) -> None:
        """Share with a person for the chosen duration."""
        self.store.share(who, self.time)
        self.ctx.toast(f"Sharing with {who}")

    def content(self) -> Widget:
        """Return the people who see the location, and the share button."""
        tone = self.tone
        rows: list[Widget] = []
        for who, time in self.store.sharing():
            stop = pill("Stop", partial(self.store.share, who, ""), tone=tone, rid="sharing_stop", key=who)
            note = time if time == TIMES[-1] else f"Sharing for {time}"
            rows.append(
                line_row(
                    tone,
                    "account_circle_outline",
                    who,
                    note=note,
                    rid="sharing_item",
                    key=f"share-{who}",
                    trailing=(stop,),
                )
            )
        if not rows:
            rows.append(
                line_row(
                    tone,
                    "account_multiple_outline",
                    "Nobody sees your location",
                    note="Share your real-time location with others from any device",
                    rid="sharing_none",
                )
            )
        new = pill(
            "New share",
            self.opening(self._sheet),
            tone=tone,
            rid="new_share_button",
            icon="account_plus_outline",
        )
        footer = Row(width=MATCH, justify=Align.CENTER, padding=insets(0, 16), children=(new,))
        return ScrollView(
            id="sharing_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(Column(width=MATCH, children=(*rows, footer)),),
        )

    def _sheet(self) -> Widget:
        tone = self.tone
        times = [
            choice(self.tone, "sharing_time", time, time == self.time, partial(self.choose, time), height=44)
            for time in TIMES
        ]
        people = [
            line_row(
                tone,
                "account_circle_outline",
                who,
                rid="sharing_person",
                key=who,
                on_click=self.closing(partial(self.share, who)),
            )
            for who in CONTACTS
        ]
        return bottom_sheet(
            tone,
            "Share your location",
            Column(width=MATCH, padding=insets(18, 0), children=times),
            ScrollView(
                width=MATCH,
                height=min(270.0, self.ctx.height_dp * 0.4),
                children=(Column(width=MATCH, children=people),),
            ),
            rid="sharing_sheet",
        )
