"""Search: recent searches, and matching people, pages, groups and posts."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.facebook import content, names
from garabench.virtual.apps.facebook.cards import friend_button, person_row, post_card
from garabench.virtual.apps.facebook.content import (
    FacebookGroup,
    FacebookPost,
    FbPage,
    Person,
    count_text,
    fold,
    matches,
)
from garabench.virtual.apps.facebook.page import FacebookPage
from garabench.virtual.apps.facebook.theme import (
    INK,
    INK_2,
    WHITE,
    avatar,
    button,
    empty_state,
    heading,
    icon_button,
    pill,
    scene,
    search_bar,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Box,
    Column,
    Icon,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
)

TABS = ("All", "Posts", "People", "Groups", "Pages", "Events")
_FEW = 3


def page_row(page: FacebookPage, found: FbPage) -> Widget:
    """Return the row of a page with a follow button."""
    on = page.store.follows(found.id)
    follow = page.if_online(partial(page.store.set_followed, found.id, not on))
    return Row(
        key=found.id,
        width=MATCH,
        gap=12,
        padding=insets(14, 8),
        background=WHITE,
        on_click=page.opens(found.id),
        children=(
            avatar(found.id, found.name, 54, page=True),
            Column(
                weight=1,
                gap=2,
                children=(
                    Text(text=found.name, size=16, bold=True, color=INK, max_lines=1),
                    Text(text=f"{found.kind} · {found.city}", size=13, color=INK_2, max_lines=1),
                    Text(text=f"{count_text(found.followers)} followers", size=13, color=INK_2),
                ),
            ),
            button(
                "Following" if on else "Follow",
                follow,
                kind="soft" if on else "tint",
                desc=f"{'Following' if on else 'Follow'} {found.name}",
            ),
        ),
    )


def group_row(page: FacebookPage, group: FacebookGroup) -> Widget:
    """Return the row of a group, which opens it."""
    state = {"joined": "Member", "pending": "Requested"}.get(page.store.membership(group.id), "")
    return Row(
        key=group.id,
        width=MATCH,
        gap=12,
        padding=insets(14, 8),
        background=WHITE,
        on_click=page.opens_page(names.GROUP, group=group.id),
        children=(
            Box(width=54, height=54, radius=10, children=(scene(group.id, "account-group", 54),)),
            Column(
                weight=1,
                gap=2,
                children=(
                    Text(text=group.name, size=16, bold=True, color=INK, max_lines=1),
                    Text(
                        text=f"{group.kind} · {count_text(group.members)} members",
                        size=13,
                        color=INK_2,
                        max_lines=1,
                    ),
                    Text(text=f"{group.posts} posts a day", size=13, color=INK_2),
                ),
            ),
            Text(text=state, size=13, bold=True, color=INK_2, visible=bool(state)),
        ),
    )


def event_row(page: FacebookPage, event: content.Event) -> Widget:
    """Return the row of an event, which opens it."""
    return Row(
        key=event.id,
        width=MATCH,
        gap=12,
        padding=insets(14, 8),
        background=WHITE,
        on_click=page.opens_page(names.EVENT, event=event.id),
        children=(
            Box(width=54, height=54, radius=10, children=(scene(event.id, "calendar-star", 54),)),
            Column(
                weight=1,
                gap=2,
                children=(
                    Text(text=event.day, size=13, bold=True, color="#E41E3F", max_lines=1),
                    Text(text=event.name, size=16, bold=True, color=INK, max_lines=1),
                    Text(text=event.place, size=13, color=INK_2, max_lines=1),
                ),
            ),
            Text(text=page.store.attendance(event.id), size=13, bold=True, color=INK_2),
        ),
    )


class GraphSearchActivity(FacebookPage):
    """The search field and its results."""

    needs_network = False

    def on_create(self) -> None:
        """Start without a query."""
        self.text = ""
        self.query = ""
        self.tab = TABS[0]

    def type_text(self, text: str) -> None:
        """Handle a change of the field's text."""
        self.text = text
        self._back_to_field()

    def _back_to_field(self) -> None:
        self.query = ""
        self.loaded = True

    def submit(self) -> None:
        """Search for the typed text."""
        query = " ".join(self.text.split())
        if query:
            self.search(query)

    def search(self, query: str) -> None:
        """Search; offline, there are no results."""
        self.text = self.query = query
        self.tab = TABS[0]
        self.loaded = self.ctx.online
        self.store.add_search(query)
        self.ctx.hide_keyboard()

    def choose(self, tab: str) -> None:
        """Select a kind of results."""
        self.tab = tab
        self.loaded = self.ctx.online
        self.ctx.scroll_to("search_results")

    def on_back(self) -> bool:
        """Back from the results returns to the field."""
        if self.query:
            self._back_to_field()
            return True
        return False

    def bar(self) -> Widget:
        """Return the field."""
        return search_bar(
            "search_field", self.text, "Search Facebook", self.leave, self.type_text, self.submit
        )

    def content(self) -> Widget:
        """Return results, suggestions or recent searches."""
        if self.query:
            return self._results()
        typed = self.text.strip()
        rows = self._suggestions(typed) if typed else list(self.store.searches())
        icon = "magnify" if typed else "history"
        header = (
            Row(
                width=MATCH,
                padding=insets(14, 10),
                background=WHITE,
                children=(heading("Recent", icon_button("trash", "Clear all", self.store.delete_search)),),
            ),
        )
        return ScrollView(
            id="search_start",
            width=MATCH,
            height=MATCH,
            weight=1,
            background=WHITE,
            children=(*(() if typed or not rows else header), *(self._row(row, icon) for row in rows)),
        )

    def _suggestions(self, typed: str) -> list[str]:
        every = [person.name for person in content.people().values() if person.id != content.ME]
        every += [page.name for page in content.pages().values()]
        every += [group.name for group in content.groups().values()]
        fitting = [name for name in every if matches(typed, name)]
        return list(dict.fromkeys([fold(typed), *fitting]))[:9]

    def _row(self, text: str, icon: str) -> Widget:
        forget = icon_button(
            "close", f"Remove {text}", partial(self.store.delete_search, text), color=INK_2, size=18
        )
        return Row(
            id="search_row",
            key=text,
            width=MATCH,
            height=52,
            gap=14,
            padding=insets(16, 0, 8, 0),
            on_click=partial(self.search, text),
            children=(
                Icon(name=icon, size=22, color=INK_2, important=False),
                Text(text=text, size=16, color=INK, weight=1, max_lines=1),
                *((forget,) if icon == "history" else ()),
            ),
        )

    def _results(self) -> Widget:
        tabs = ScrollView(
            id="search_tabs",
            horizontal=True,
            width=MATCH,
            height=52,
            gap=8,
            padding=insets(12, 7),
            background=WHITE,
            children=[pill(tab, tab == self.tab, partial(self.choose, tab), desc=tab) for tab in TABS],
        )
        parts = {
            "People": [self._person(each) for each in self._people()],
            "Pages": [
                page_row(self, each)
                for each in content.pages().values()
                if matches(self.query, each.name, each.city)
            ],
            "Groups": [
                group_row(self, each) for each in content.groups().values() if matches(self.query, each.name)
            ],
            "Events": [
                event_row(self, each) for each in content.events().values() if matches(self.query, each.name)
            ],
            "Posts": [post_card(self, each) for each in self._posts()],
        }
        shown: list[Widget] = []
        for name, rows in parts.items():
            if self.tab == name:
                shown = rows
            elif self.tab == "All" and rows:
                title = Row(
                    key=name,
                    width=MATCH,
                    padding=insets(14, 12, 14, 4),
                    background=WHITE,
                    children=(heading(name),),
                )
                shown += [title, *rows[:_FEW]]
        if not shown:
            body = empty_state("magnify", f"We didn't find any results for {self.query}")
        else:
            body = ScrollView(id="search_results", width=MATCH, height=MATCH, weight=1, children=shown)
        return Column(width=MATCH, height=MATCH, weight=1, children=(tabs, body))

    def _people(self) -> list[Person]:
        return [
            each
            for each in content.people().values()
            if matches(self.query, each.name) and each.id != content.ME
        ]

    def _posts(self) -> list[FacebookPost]:
        return [
            each for each in self.store.posts() if matches(self.query, each.text, content.name_of(each.by))
        ]

    def _person(self, person: Person) -> Widget:
        note = f"{person.city} · {person.work}"
        return person_row(self, person, friend_button(self, person), note=note)
