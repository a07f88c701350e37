"""A person's or a page's profile, and the lists of friends."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.facebook import content, names
from garabench.virtual.apps.facebook.cards import friend_button, person_row, post_card
from garabench.virtual.apps.facebook.content import ME, FbPage, Person, count_text, matches
from garabench.virtual.apps.facebook.page import FacebookPage
from garabench.virtual.apps.facebook.theme import (
    FIELD,
    INK,
    INK_2,
    WHITE,
    avatar,
    block,
    button,
    empty_state,
    heading,
    pill,
    scene,
    sheet,
    tab_row,
    toolbar,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Box,
    Column,
    Icon,
    Row,
    ScrollView,
    Text,
    TextField,
    Widget,
    insets,
)

TABS = ("Posts", "About", "Photos")
_MAX_BIO = 101


class TimelineActivity(FacebookPage):
    """A profile with its tabs."""

    def on_create(self) -> None:
        """Open the profile from the intent; the default is the user's."""
        named = str(self.intent.extras.get("who", ME))
        self.person: Person | None = content.people().get(named)
        self.page: FbPage | None = content.pages().get(named)
        self.who = named
        self.tab = TABS[0]
        self.bio = self.store.bio

    def choose(self, tab: str) -> None:
        """Select a tab."""
        self.tab = tab

    def type_bio(self, text: str) -> None:
        """Handle a change of the bio in the sheet."""
        self.bio = text[:_MAX_BIO]

    def save_bio(self) -> None:
        """Save the bio."""
        self.store.set_bio(" ".join(self.bio.split()))
        self.sheet = None
        self.ctx.hide_keyboard()

    def bar(self) -> Widget:
        """Return the bar with the name."""
        known = self.person or self.page
        return toolbar(known.name if known else "Profile", self.leave)

    def content(self) -> Widget:
        """Return header, buttons, tabs and the content of the tab."""
        known = self.person or self.page
        if known is None:
            return empty_state("account-off-outline", "This content isn't available right now")
        posts = [post for post in self.store.posts() if post.by == self.who and not post.group]
        followers = f"{count_text(known.followers)} followers"
        if self.who == ME:
            followers = f"{len(self.store.people_with('friend'))} friends"
        words: list[Widget] = [Text(id="profile_name", text=known.name, size=24, bold=True, color=INK)]
        if self.page is not None:
            words.append(
                Text(id="profile_kind", text=f"{self.page.kind} · {self.page.city}", size=15, color=INK_2)
            )
        words.append(Text(id="profile_followers", text=followers, size=15, color=INK_2))
        if self.who == ME:
            words.append(Text(id="profile_bio", text=self.store.bio, size=15, color=INK))
        elif self.person is not None and self.person.mutual:
            words.append(
                Text(id="profile_mutual", text=f"{self.person.mutual} mutual friends", size=15, color=INK_2)
            )
        header = Column(
            width=MATCH,
            background=WHITE,
            children=(
                scene(f"cover-{self.who}", "image-filter-hdr", 120),
                Column(
                    width=MATCH,
                    gap=6,
                    padding=insets(14, 10),
                    children=(
                        avatar(self.who, known.name, 92, page=self.page is not None),
                        *words,
                        self._buttons(),
                    ),
                ),
            ),
        )
        tabs = tab_row(TABS, self.tab, [partial(self.choose, tab) for tab in TABS])
        match self.tab:
            case "About":
                body = [self._about()]
            case "Photos":
                body = self._photos([post.photo for post in posts if post.photo])
            case _:
                body = [post_card(self, post) for post in posts] or [
                    empty_state("post-outline", "No posts yet")
                ]
        return ScrollView(
            id="profile_scroll",
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(header, tabs, Widget(height=6), *body),
        )

    def _buttons(self) -> Widget:
        if self.who == ME:
            parts: tuple[Widget, ...] = (
                button("Add to story", self.toasting("Choose a photo for your story"), weight=1),
                button("Edit profile", self.opening(self._edit), kind="soft", weight=1),
                button(
                    "Friends", self.opens_page(names.FRIENDS), kind="soft", desc="See all friends", weight=1
                ),
            )
            return Row(width=MATCH, gap=8, padding=insets(0, 6), children=parts)
        on = self.store.follows(self.who)
        follow = button(
            "Following" if on else "Follow",
            self.if_online(partial(self.store.set_followed, self.who, not on)),
            kind="soft" if on else "main",
            desc="Following" if on else "Follow",
            weight=1,
            selected=on,
        )
        message = button("Message", self.opens_page(names.CHAT, who=self.who), kind="soft", weight=1)
        friend = (friend_button(self, self.person),) if self.person is not None else ()
        return Row(width=MATCH, gap=8, padding=insets(0, 6), children=(*friend, follow, message))

    def _edit(self) -> Widget:
        field = TextField(
            id="bio_field",
            text=self.bio,
            hint="Describe who you are",
            size=16,
            color=INK,
            width=MATCH,
            height=48,
            radius=8,
            background=FIELD,
            padding=insets(14, 0),
            on_change=self.type_bio,
            on_submit=self.save_bio,
        )
        body = Column(
            width=MATCH,
            gap=12,
            padding=insets(16, 12),
            children=(
                Text(text="Bio", size=16, bold=True, color=INK),
                field,
                button("Save", self.save_bio),
            ),
        )
        return sheet("Edit profile", body)

    def _about(self) -> Widget:
        if self.page is not None:
            rows = (
                ("information-outline", self.page.about),
                ("clock", self.page.hours),
                ("phone", self.page.phone),
                ("location", self.page.city),
            )
        else:
            person = self.person or content.people()[ME]
            rows = (
                ("briefcase-outline", person.work),
                ("school-outline", f"Went to {person.study}"),
                ("home", f"Lives in {person.city}"),
                ("account-group", f"{count_text(person.followers)} followers"),
            )
        return block(
            heading("Details"),
            *(
                Row(
                    key=text,
                    width=MATCH,
                    gap=12,
                    children=(
                        Icon(name=icon, size=22, color=INK_2, important=False),
                        Text(id="about_line", text=text, size=16, color=INK, weight=1),
                    ),
                )
                for icon, text in rows
            ),
            gap=14,
        )

    def _photos(self, icons: list[str]) -> list[Widget]:
        if not icons:
            return [empty_state("image-off-outline", "No photos")]
        cells: list[Widget] = [
            Box(
                key=f"photo-{number}",
                desc=f"Photo {number + 1}",
                weight=1,
                children=(scene(f"{self.who}-{icon}", icon, 150),),
            )
            for number, icon in enumerate(icons)
        ]
        return [Row(width=MATCH, gap=4, children=cells[at : at + 2]) for at in range(0, len(cells), 2)]


class FacebookFriendListActivity(FacebookPage):
    """The user's friends, or suggestions, with a search."""

    title = "Friends"

    def on_create(self) -> None:
        """Start with friends, or with the kind from the intent."""
        self.kind = "suggestion" if self.intent.extras.get("kind") == "suggestion" else "friend"
        self.text = ""
        self.by_name = False

    def type_text(self, text: str) -> None:
        """Handle a change of the query."""
        self.text = text

    def choose(self, kind: str) -> None:
        """Select friends or suggestions."""
        self.kind = kind

    def toggle_order(self) -> None:
        """Toggle between sorting by name and the default order."""
        self.by_name = not self.by_name

    def content(self) -> Widget:
        """Return the search field above the people."""
        people = [
            each
            for each in self.store.people_with(self.kind)
            if not self.text.strip() or matches(self.text, each.name)
        ]
        if self.by_name:
            people.sort(key=lambda each: each.name)
        field = TextField(
            id="friends_field",
            text=self.text,
            hint="Search friends",
            size=16,
            color=INK,
            width=MATCH,
            height=42,
            radius=21,
            background=FIELD,
            padding=insets(16, 0),
            on_change=self.type_text,
            on_submit=self.ctx.hide_keyboard,
            action="search",
        )
        kinds = Row(
            gap=8,
            children=(
                pill("Your friends", self.kind == "friend", partial(self.choose, "friend")),
                pill("Suggestions", self.kind == "suggestion", partial(self.choose, "suggestion")),
                pill("By name", self.by_name, self.toggle_order),
            ),
        )
        word = "friends" if self.kind == "friend" else "suggestions"
        header = block(
            kinds,
            field,
            Text(id="friends_count", text=f"{len(people)} {word}", size=17, bold=True, color=INK),
        )
        rows = [
            person_row(self, each, *(() if self.kind == "friend" else (friend_button(self, each),)))
            for each in people
        ]
        return ScrollView(
            id="friends_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(header, *(rows or [empty_state("account-search-outline", "No results")])),
        )
