"""The main activity: Home, Friends, Marketplace, Notifications and Menu."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.facebook import content, names
from garabench.virtual.apps.facebook.cards import friend_button, person_row, post_card
from garabench.virtual.apps.facebook.content import ME, Person
from garabench.virtual.apps.facebook.links import FILTERS, target
from garabench.virtual.apps.facebook.market import MarketView
from garabench.virtual.apps.facebook.notices import notice_list
from garabench.virtual.apps.facebook.page import NO_NETWORK, FacebookPage
from garabench.virtual.apps.facebook.theme import (
    BACKGROUND,
    BLUE,
    FIELD,
    INK,
    INK_2,
    LINE,
    RED,
    WHITE,
    arrow_row,
    avatar,
    block,
    button,
    empty_state,
    heading,
    icon_button,
    link,
    pill,
    scene,
)
from garabench.virtual.kit.framework import Intent
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Icon,
    ListView,
    Row,
    ScrollView,
    Text,
    Widget,
    divider,
    insets,
    spacer,
)

TABS = (
    ("Home", "home_outline"),
    ("Friends", "account-multiple-outline"),
    ("Marketplace", "store-outline"),
    ("Notifications", "bell-outline"),
    ("Menu", "menu"),
)
_PAGE_SIZE = 6


class FbMainTabActivity(FacebookPage):
    """The five tabs below the bar with the app's name."""

    launch_mode = "singleTask"
    needs_network = False
    filters = FILTERS

    def on_create(self) -> None:
        """Start on Home, or on the tab from the intent."""
        self.shown = _PAGE_SIZE
        self.market = MarketView(self)
        self.seen: set[str] = set()
        self.tab = "Home"
        self.own = self._newest_own()
        self.go(str(self.intent.extras.get("tab", "Home")))
        self._follow(self.intent)

    def on_new_intent(self, intent: Intent) -> None:
        """Switch to the tab from the intent."""
        self.go(str(intent.extras.get("tab", self.tab)))
        self._follow(intent)

    def on_resume(self) -> None:
        """Scroll the feed to the top if the user has published a post."""
        newest = self._newest_own()
        if newest != self.own:
            self.own = newest
            self.ctx.scroll_to("feed")

    def _newest_own(self) -> str:
        return next((post.id for post in self.store.feed() if post.by == ME and not post.group), "")

    def _follow(self, intent: Intent) -> None:
        """Open the target of a deep link above this screen."""
        if intent.data:
            activity, extras = target(intent.data)
            if activity == names.MAIN:
                self.go(extras["tab"])
            else:
                self.ctx.after(0, lambda: self.ctx.open(activity, **extras))

    def go(self, tab: str) -> None:
        """Select a tab; loading it for the first time needs the network, except for the menu."""
        if tab in {label for label, _ in TABS}:
            self.tab = tab
            if self.ctx.online or tab == "Menu":
                self.seen.add(tab)

    def on_back(self) -> bool:
        """Back goes to Home first."""
        if self.tab == "Home":
            return False
        self.go("Home")
        return True

    def retry(self) -> None:
        """Reload the current tab."""
        self.go(self.tab)
        if self.tab not in self.seen:
            self.ctx.toast(NO_NETWORK)

    def load_more(self) -> None:
        """Load more posts."""
        self.shown += _PAGE_SIZE

    def bar(self) -> Widget:
        """Return the app's name and the tabs."""
        header = Row(
            width=MATCH,
            height=54,
            gap=4,
            padding=insets(14, 0, 8, 0),
            background=WHITE,
            children=(
                Text(text="facebook", size=27, bold=True, color=BLUE),
                spacer(),
                icon_button("plus", "Create", self.opens_page(names.COMPOSER), background=FIELD),
                icon_button("search", "Search", self.opens_page(names.SEARCH), background=FIELD),
                icon_button(
                    "facebook-messenger",
                    "Messaging",
                    self.opens_page(names.CHAT, who="maya"),
                    background=FIELD,
                ),
            ),
        )
        tabs = Row(
            width=MATCH,
            height=48,
            background=WHITE,
            children=[self._tab(number, *tab) for number, tab in enumerate(TABS, start=1)],
        )
        return Column(width=MATCH, background=WHITE, children=(header, tabs, divider(LINE)))

    def _tab(self, number: int, label: str, icon: str) -> Widget:
        on = label == self.tab
        fresh = 0
        if label == "Notifications":
            rows = content.load("places")["notifications"]
            fresh = sum(bool(row.get("fresh")) and not self.store.is_read(row["id"]) for row in rows)
        mark = Text(
            text=str(fresh),
            size=10,
            bold=True,
            color="#FFFFFF",
            background=RED,
            radius=8,
            padding=insets(5, 0.5),
            margin=insets(24, 5, 0, 0),
            align_self=Align.CENTER,
            align_vertical=Align.START,
            important=False,
        )
        face = Icon(
            name=icon.replace("_outline", "").replace("-outline", "") if on else icon,
            size=25,
            color=BLUE if on else INK_2,
            align_self=Align.CENTER,
            align_vertical=Align.CENTER,
            important=False,
        )
        line = Widget(
            width=MATCH, height=3, background=BLUE if on else None, align_vertical=Align.END, important=False
        )
        new = f", {fresh} new" if fresh else ""
        return Box(
            key=f"tab-{label}",
            desc=f"{label}, tab {number} of {len(TABS)}{new}",
            weight=1,
            height=48,
            selected=on,
            on_click=partial(self.go, label),
            children=(face, line, mark) if fresh else (face, line),
        )

    def content(self) -> Widget:
        """Return the selected tab."""
        if self.tab not in self.seen:
            retry = Row(justify=Align.CENTER, width=MATCH, children=(button("Try again", self.retry),))
            return empty_state("wifi_off", NO_NETWORK, "Check your connection.", retry)
        match self.tab:
            case "Friends":
                body = self._friends()
            case "Marketplace":
                body = self.market.view()
            case "Notifications":
                body = notice_list(self)
            case "Menu":
                body = self._menu()
            case _:
                body = self._home()
        return Column(key=self.tab, width=MATCH, height=MATCH, weight=1, children=(body,))

    # Home

    def _home(self) -> Widget:
        posts = self.store.feed()
        write = Row(
            width=MATCH,
            gap=10,
            padding=insets(12, 10),
            background=WHITE,
            margin=insets(0, 0, 0, 6),
            children=(
                Box(on_click=self.opens(ME), desc="Go to profile", children=(avatar(ME, "Your profile"),)),
                Text(
                    text="What's on your mind?",
                    size=16,
                    color=INK_2,
                    weight=1,
                    background=FIELD,
                    radius=20,
                    padding=insets(16, 10),
                    on_click=self.opens_page(names.COMPOSER),
                ),
                icon_button(
                    "image-multiple", "Photo", self.opens_page(names.COMPOSER, photo="1"), color="#45BD62"
                ),
            ),
        )
        return ListView(
            id="feed",
            width=MATCH,
            height=MATCH,
            weight=1,
            background=BACKGROUND,
            header=(write, self._stories()),
            items=posts[: self.shown],
            build=lambda post, _: post_card(self, post),
            on_end=self.load_more if self.shown < len(posts) else None,
        )

    def _stories(self) -> Widget:
        def story(key: str, label: str, who: str) -> Widget:
            picture = scene(key, "plus-circle" if who == ME else "image-outline", 120)
            open_story = self.toasting("Your story" if who == ME else f"{label}'s story")
            return Column(
                key=key,
                desc=label if who == ME else f"{label}'s story",
                width=98,
                radius=10,
                background=FIELD,
                on_click=open_story,
                children=(
                    picture,
                    Text(
                        text=label,
                        size=12,
                        bold=True,
                        color=INK,
                        max_lines=2,
                        padding=insets(8, 6),
                        height=44,
                    ),
                ),
            )

        others = [
            story(f"story-{who}", content.name_of(who), who) for who in content.load("places")["stories"]
        ]
        return ScrollView(
            id="stories",
            horizontal=True,
            width=MATCH,
            height=186,
            gap=8,
            padding=insets(12, 10),
            margin=insets(0, 0, 0, 6),
            background=WHITE,
            children=(story("story-me", "Create story", ME), *others),
        )

    # Friends

    def _friends(self) -> Widget:
        store = self.store
        requests, suggestions = store.people_with("request"), store.people_with("suggestion")
        header = block(
            heading(
                "Friends", icon_button("search", "Search friends", self.opens_page(names.FRIENDS)), size=22
            ),
            Row(
                gap=8,
                children=(
                    pill(
                        "Suggestions",
                        False,
                        self.opens_page(names.FRIENDS, kind="suggestion"),
                        desc="Suggestions",
                    ),
                    pill("Your friends", False, self.opens_page(names.FRIENDS), desc="Your friends"),
                ),
            ),
        )
        title = Row(
            width=MATCH,
            padding=insets(14, 10, 14, 4),
            background=WHITE,
            children=(
                Text(text="Friend requests", desc="Friend requests", size=18, bold=True, color=INK),
                spacer(6),
                Text(text=str(len(requests)), size=18, bold=True, color=RED),
            ),
        )
        none = Text(
            text="No new requests",
            size=15,
            color=INK_2,
            padding=insets(14, 14),
            background=WHITE,
            width=MATCH,
        )
        may = Row(
            width=MATCH,
            padding=insets(14, 14, 14, 4),
            background=WHITE,
            margin=insets(0, 6, 0, 0),
            children=(Text(text="People you may know", size=18, bold=True, color=INK),),
        )
        return ScrollView(
            id="friends_scroll",
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                header,
                title,
                *([self._request(person) for person in requests] or [none]),
                may,
                *(self._suggestion(person) for person in suggestions),
            ),
        )

    def _request(self, person: Person) -> Widget:
        decline = self.if_online(partial(self.store.set_friendship, person, "removed"))
        delete = button(
            "Delete", decline, kind="soft", desc=f"Delete {person.name}'s friend request", weight=1
        )
        note = f"{person.mutual} mutual friends · {person.request_age}"
        return person_row(self, person, friend_button(self, person), delete, note=note)

    def _suggestion(self, person: Person) -> Widget:
        decline = partial(self.store.set_friendship, person, "removed")
        remove = button("Remove", decline, kind="soft", desc=f"Remove {person.name}", weight=1)
        return person_row(self, person, friend_button(self, person), remove)

    # Menu

    def _menu(self) -> Widget:
        me = content.people()[ME]
        own = Row(
            width=MATCH,
            gap=12,
            padding=insets(14, 12),
            radius=10,
            background=WHITE,
            desc="View your profile",
            on_click=self.opens(ME),
            children=(
                avatar(ME, me.name, 44),
                Text(text=me.name, size=18, bold=True, color=INK, weight=1),
                Icon(name="chevron_right", size=22, color=INK_2, important=False),
            ),
        )
        rows = (
            ("Friends", "account-multiple", self.opens_page(names.FRIENDS)),
            ("Groups", "account-group", self.opens_page(names.GROUPS)),
            ("Marketplace", "store", partial(self.go, "Marketplace")),
            ("Saved", "bookmark", self.opens_page(names.SAVED)),
            ("Events", "calendar-star", self.opens_page(names.EVENTS)),
            ("Settings & privacy", "cog", self.opens_page(names.SETTINGS)),
            ("Help & support", "help-circle", self.toasting("Help opens in your browser")),
        )
        return ScrollView(
            id="menu_scroll",
            width=MATCH,
            height=MATCH,
            weight=1,
            gap=8,
            padding=insets(12, 12),
            children=(
                heading("Menu", icon_button("search", "Search", self.opens_page(names.SEARCH)), size=24),
                own,
                *(arrow_row(label, icon=icon, on_click=on_click) for label, icon, on_click in rows),
                link("Log out", self.toasting("This demo account stays logged in")),
            ),
        )
