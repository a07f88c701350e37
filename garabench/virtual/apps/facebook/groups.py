"""Groups, events and saved items."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.facebook import content, names
from garabench.virtual.apps.facebook.cards import post_card
from garabench.virtual.apps.facebook.content import Event, FacebookGroup, count_text
from garabench.virtual.apps.facebook.market import item_card
from garabench.virtual.apps.facebook.page import FacebookPage
from garabench.virtual.apps.facebook.search import event_row, group_row
from garabench.virtual.apps.facebook.theme import (
    FIELD,
    INK,
    INK_2,
    block,
    button,
    empty_state,
    heading,
    pill,
    scene,
    sheet,
    tab_row,
)
from garabench.virtual.ui.widgets import MATCH, Column, Row, ScrollView, Text, TextField, Widget, insets

_MAX_ANSWER = 200
STATES = ("Going", "Interested", "Not interested")


class GroupsTabActivity(FacebookPage):
    """The user's groups, and others to discover."""

    title = "Groups"

    def on_create(self) -> None:
        """Start with the user's groups."""
        self.tab = "Your groups"

    def choose(self, tab: str) -> None:
        """Select a tab."""
        self.tab = tab

    def content(self) -> Widget:
        """Return the groups of the tab."""
        tabs = ("Your groups", "Discover")
        own = self.tab == tabs[0]
        rows = [group for group in content.groups().values() if self.store.is_member(group.id) is own]
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                tab_row(tabs, self.tab, [partial(self.choose, tab) for tab in tabs]),
                ScrollView(
                    id="group_list",
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    children=[group_row(self, group) for group in rows]
                    or [empty_state("account-group", "No groups")],
                ),
            ),
        )


class GroupActivity(FacebookPage):
    """A group: about, posts, and the buttons to join or leave."""

    def on_create(self) -> None:
        """Read the intent."""
        self.group: FacebookGroup | None = content.groups().get(str(self.intent.extras.get("group", "")))
        self.title = self.group.name if self.group else "Group"
        self.answer = ""

    def type_answer(self, text: str) -> None:
        """Handle a change of the answer."""
        self.answer = text[:_MAX_ANSWER]

    def join(self, group: FacebookGroup) -> None:
        """Join the group, or open its question first."""
        if group.question:
            self.sheet = partial(self._question, group)
        else:
            self.store.set_membership(group.id, "joined")
            self.ctx.toast(f"You joined {group.name}")

    def ask(self, group: FacebookGroup) -> None:
        """Request to join with the answer."""
        words = " ".join(self.answer.split())
        if not words:
            self.ctx.toast("Answer the question first")
            return
        self.store.set_membership(group.id, "pending", words)
        self.sheet = None
        self.ctx.hide_keyboard()

    def leave_group(self, group: FacebookGroup) -> None:
        """Leave the group, or cancel the request."""
        self.store.set_membership(group.id, "")

    def content(self) -> Widget:
        """Return the page."""
        group = self.group
        if group is None:
            return empty_state("account-group", "This content isn't available right now")
        state = self.store.membership(group.id)
        posts = [post for post in self.store.posts() if post.group == group.id]
        match state:
            case "joined":
                out = self.asks(
                    f"Leave {group.name}?",
                    "You can join again at any time.",
                    "Leave group",
                    partial(self.leave_group, group),
                )
                actions: tuple[Widget, ...] = (
                    button("Joined", out, kind="soft", desc="Joined", weight=1, selected=True),
                    button("Write something", self.opens_page(names.COMPOSER, group=group.id), weight=1),
                )
            case "pending":
                actions = (button("Cancel request", partial(self.leave_group, group), kind="soft", weight=1),)
            case _:
                actions = (button("Join group", self.if_online(partial(self.join, group)), weight=1),)
        own = self.store.answer(group.id)
        note = (
            (Text(id="group_answer", text=f"Your answer: {own}", size=14, color=INK_2),)
            if state == "pending" and own
            else ()
        )
        hidden = group.kind == "Private group" and state != "joined"
        body = (
            [empty_state("lock", "This group is private", "Join to see its posts.")]
            if hidden
            else [post_card(self, post) for post in posts]
        )
        return ScrollView(
            id="group_scroll",
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                scene(group.id, "account-group", 130),
                block(
                    Text(id="group_name", text=group.name, size=22, bold=True, color=INK),
                    Text(text=f"{group.kind} · {count_text(group.members)} members", size=14, color=INK_2),
                    Text(text=group.about, size=15, color=INK),
                    Row(width=MATCH, gap=8, children=actions),
                    *note,
                ),
                *body,
            ),
        )

    def _question(self, group: FacebookGroup) -> Widget:
        field = TextField(
            id="answer_field",
            text=self.answer,
            hint="Write your answer",
            size=16,
            color=INK,
            width=MATCH,
            height=48,
            radius=8,
            background=FIELD,
            padding=insets(14, 0),
            on_change=self.type_answer,
            on_submit=partial(self.ask, group),
        )
        body = Column(
            width=MATCH,
            gap=12,
            padding=insets(16, 12),
            children=(
                Text(text=group.question, size=16, bold=True, color=INK),
                field,
                button("Submit", self.if_online(partial(self.ask, group))),
            ),
        )
        return sheet("Answer questions", body)


class EventsDashboardActivity(FacebookPage):
    """Upcoming events, all or the user's."""

    title = "Events"

    def on_create(self) -> None:
        """Start with all events."""
        self.tab = "For you"

    def choose(self, tab: str) -> None:
        """Select a tab."""
        self.tab = tab

    def content(self) -> Widget:
        """Return the events of the tab."""
        every = content.events().values()
        match self.tab:
            case "Your events":
                matching = [event for event in every if self.store.attendance(event.id) in STATES[:2]]
            case "Portland":
                matching = [event for event in every if event.city == "Portland"]
            case _:
                matching = list(every)
        bar = Row(
            width=MATCH,
            gap=8,
            padding=insets(12, 8),
            background="#FFFFFF",
            children=[
                pill(tab, tab == self.tab, partial(self.choose, tab))
                for tab in ("For you", "Portland", "Your events")
            ],
        )
        rows = [event_row(self, event) for event in matching] or [empty_state("calendar-star", "No events")]
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(bar, ScrollView(id="event_list", width=MATCH, height=MATCH, weight=1, children=rows)),
        )


class EventPermalinkActivity(FacebookPage):
    """An event: time, place, people, and the user's attendance."""

    title = "Event"

    def on_create(self) -> None:
        """Read the intent."""
        self.event: Event | None = content.events().get(str(self.intent.extras.get("event", "")))

    def content(self) -> Widget:
        """Return the page."""
        event = self.event
        if event is None:
            return empty_state("calendar-remove-outline", "This event is over")
        state = self.store.attendance(event.id)
        host = content.name_of(event.by)
        choices = [
            button(
                label,
                self.if_online(partial(self.store.attend, event.id, label)),
                kind="tint" if state == label else "soft",
                desc=f"{label}, selected" if state == label else label,
                weight=1,
                selected=state == label,
            )
            for label in STATES
        ]
        going = event.going + (state == "Going")
        return ScrollView(
            id="event_scroll",
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                scene(event.id, "calendar-star", 170),
                block(
                    Text(id="event_day", text=event.day, size=15, bold=True, color="#E41E3F"),
                    Text(id="event_name", text=event.name, size=22, bold=True, color=INK),
                    Text(id="event_place", text=event.place, size=15, color=INK_2),
                    Row(width=MATCH, gap=6, children=choices),
                ),
                block(
                    heading("Details"),
                    Text(
                        text=f"Event by {host}",
                        size=16,
                        color=INK,
                        on_click=self.opens(event.by),
                        padding=insets(0, 4),
                    ),
                    Text(
                        id="event_going",
                        text=f"{going} going · {event.interested} interested",
                        size=15,
                        color=INK,
                    ),
                    Text(text="Public · Anyone on or off Facebook", size=15, color=INK_2),
                ),
            ),
        )


class SavedActivity(FacebookPage):
    """The user's saved posts and items."""

    title = "Saved"

    def on_create(self) -> None:
        """Start with posts."""
        self.tab = "Posts"

    def choose(self, tab: str) -> None:
        """Select a tab."""
        self.tab = tab

    def content(self) -> Widget:
        """Return the posts, or the items of the Marketplace."""
        tabs = ("Posts", "Marketplace")
        if self.tab == tabs[0]:
            rows = [post_card(self, post) for post in self.store.saved()]
        else:
            rows = [item_card(self, item) for item in self.store.saved_items()]
        if rows:
            number = f"{len(rows)} saved"
            count = Text(id="saved_count", text=number, size=14, color=INK_2, padding=insets(14, 10))
            rows.insert(0, count)
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                tab_row(tabs, self.tab, [partial(self.choose, tab) for tab in tabs]),
                ScrollView(
                    id="saved_list",
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    children=rows or [empty_state("bookmark", "Nothing saved yet")],
                ),
            ),
        )
