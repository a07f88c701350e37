"""A post's page with its comments, and the post composer."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.facebook import content
from garabench.virtual.apps.facebook.cards import AUDIENCE_ICONS, post_card
from garabench.virtual.apps.facebook.content import ME, FacebookPost
from garabench.virtual.apps.facebook.page import FacebookPage
from garabench.virtual.apps.facebook.store import AUDIENCES
from garabench.virtual.apps.facebook.theme import (
    BLUE,
    FIELD,
    INK,
    INK_2,
    LINE,
    PALE_BLUE,
    WHITE,
    avatar,
    button,
    empty_state,
    icon_button,
    menu_line,
    scene,
    toolbar,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Icon,
    Row,
    ScrollView,
    Text,
    TextField,
    Widget,
    divider,
    insets,
)

_SORTS = ("Most relevant", "Newest")
_MAX_TEXT = 500
FEELINGS = ("happy", "loved", "tired", "thankful", "excited", "sad", "hungry", "proud", "relaxed")
PLACES = (
    "Forest Park",
    "Harbor Lights Bakery",
    "Cannon Beach",
    "Museum of Small Machines",
    "Lantern Street Theatre",
)


class PermalinkActivity(FacebookPage):
    """A post with its comments."""

    def on_create(self) -> None:
        """Open the post from the intent; the field gets the focus if the intent requests it."""
        self.post_id = str(self.intent.extras.get("post", ""))
        self.text = ""
        self.sort = _SORTS[0]
        if self.intent.extras.get("write") and self.store.post(self.post_id) is not None:
            self.ctx.focus("comment_field")

    def type_text(self, text: str) -> None:
        """Handle a change of the comment."""
        self.text = text[:_MAX_TEXT]

    def send(self) -> None:
        """Post the comment."""
        words = " ".join(self.text.split())
        if words:
            self.store.comment(self.post_id, words)
            self.text = ""
            self.ctx.hide_keyboard()
            self.ctx.scroll_to("post_scroll", 100_000)

    def reply(self, who: str) -> None:
        """Start a comment that mentions a person."""
        self.text = f"{content.name_of(who)} "
        self.ctx.focus("comment_field")

    def choose_sort(self, sort: str) -> None:
        """Choose the sort order."""
        self.sort = sort

    def bar(self) -> Widget:
        """Return the bar with the author's name."""
        post = self.store.post(self.post_id)
        return toolbar(f"{content.name_of(post.by)}'s post" if post else "Post", self.leave)

    def content(self) -> Widget:
        """Return the post, the comments and the field."""
        post = self.store.post(self.post_id)
        if post is None:
            return empty_state("post-outline", "This content isn't available right now")
        comments = list(self.store.comments(post))
        if self.sort == _SORTS[1]:
            comments.reverse()
        sort = self.chooses("Sort comments", _SORTS, self.sort, self.choose_sort)
        order = Row(
            gap=4,
            padding=insets(14, 10),
            on_click=sort,
            desc=f"Sorted by {self.sort}",
            children=(
                Text(text=self.sort, size=15, bold=True, color=INK),
                Icon(name="chevron_down", size=18, color=INK, important=False),
            ),
        )
        none = Text(text="No comments yet", size=15, color=INK_2, padding=insets(14, 14))
        field = Row(
            width=MATCH,
            gap=8,
            padding=insets(12, 7),
            background=WHITE,
            children=(
                TextField(
                    id="comment_field",
                    text=self.text,
                    hint=f"Comment as {content.name_of(ME)}",
                    size=16,
                    color=INK,
                    weight=1,
                    height=42,
                    radius=21,
                    background=FIELD,
                    padding=insets(16, 0),
                    on_change=self.type_text,
                    on_submit=self.if_online(self.send),
                    action="send",
                ),
                icon_button("send", "Send", self.if_online(self.send), color=BLUE),
            ),
        )
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                ScrollView(
                    id="post_scroll",
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    background=WHITE,
                    children=(
                        post_card(self, post, whole=True),
                        order,
                        *([self._comment(post, who, text) for who, text in comments] or [none]),
                    ),
                ),
                divider(LINE),
                field,
            ),
        )

    def _comment(self, post: FacebookPost, who: str, text: str) -> Widget:
        key = f"{post.id}/{who}/{text}"
        name, liked = content.name_of(who), self.store.likes_comment(key)
        actions: list[Widget] = [
            Text(
                text="Like",
                desc=f"Like {name}'s comment, pressed" if liked else f"Like {name}'s comment",
                size=13,
                bold=True,
                color=BLUE if liked else INK_2,
                padding=insets(6, 4),
                selected=liked,
                on_click=partial(self.store.toggle_comment, key),
            ),
            Text(
                text="Reply",
                desc=f"Reply to {name}",
                size=13,
                bold=True,
                color=INK_2,
                padding=insets(6, 4),
                on_click=partial(self.reply, who),
            ),
        ]
        if who == ME:
            delete = partial(self.store.delete_comment, post.id, text)
            actions.append(
                Text(text="Delete", size=13, bold=True, color=INK_2, padding=insets(6, 4), on_click=delete)
            )
        bubble = Column(
            gap=2,
            radius=16,
            background=FIELD,
            padding=insets(12, 8),
            align_self=Align.START,
            children=(
                Text(id="comment_author", text=name, size=13, bold=True, color=INK, on_click=self.opens(who)),
                Text(id="comment_text", text=text, size=15, color=INK),
            ),
        )
        return Row(
            id="comment",
            key=key,
            width=MATCH,
            gap=8,
            padding=insets(12, 5),
            align=Align.START,
            children=(
                avatar(who, name, 36),
                Column(weight=1, gap=2, children=(bubble, Row(children=actions))),
            ),
        )


class ComposerActivity(FacebookPage):
    """The post composer: text, audience, photo, feeling, place."""

    needs_network = False

    def on_create(self) -> None:
        """Start with the default audience, or in the group from the intent."""
        self.text = ""
        self.audience = str(self.store.setting("audience", "Friends"))
        self.photo = "image-outline" if self.intent.extras.get("photo") else ""
        self.feeling = ""
        self.spot = ""
        self.group = content.groups().get(str(self.intent.extras.get("group", "")))

    def type_text(self, text: str) -> None:
        """Handle a change of the text."""
        self.text = text[:_MAX_TEXT]

    def set_value(self, name: str, value: str) -> None:
        """Set audience, feeling, place or photo."""
        setattr(self, name, value)

    @property
    def extra(self) -> str:
        """The text after the author's name."""
        parts = (f"is feeling {self.feeling}" if self.feeling else "", f"at {self.spot}" if self.spot else "")
        return " ".join(part for part in parts if part)

    def post(self) -> None:
        """Publish the post."""
        words = self.text.strip()
        if not words and not self.photo:
            self.ctx.toast("Write something first")
            return
        audience = "Public" if self.group is not None else self.audience
        self.store.publish(
            words,
            audience=audience,
            extra=self.extra,
            photo=self.photo,
            group=self.group.id if self.group else "",
        )
        self.ctx.hide_keyboard()
        self.ctx.toast("Posted")
        self.ctx.finish()

    def on_back(self) -> bool:
        """Confirm before discarding a draft."""
        if not self.text.strip():
            return False
        self.asks("Discard post?", "If you discard now, you'll lose this post.", "Discard", self.ctx.finish)()
        return True

    def bar(self) -> Widget:
        """Return the title, and the button that publishes the post."""
        return toolbar("Create post", self.leave, button("Post", self.if_online(self.post), desc="POST"))

    def content(self) -> Widget:
        """Return author and audience, the text, and the attachments."""
        me = content.name_of(ME)
        who: Widget = Row(
            gap=4,
            radius=6,
            padding=insets(8, 4),
            background=PALE_BLUE,
            desc=f"Audience: {self.audience}",
            on_click=self.chooses(
                "Post audience", AUDIENCES, self.audience, partial(self.set_value, "audience")
            ),
            children=(
                Icon(name=AUDIENCE_ICONS[self.audience], size=15, color=BLUE, important=False),
                Text(id="audience", text=self.audience, size=13, bold=True, color=BLUE),
                Icon(name="chevron_down", size=15, color=BLUE, important=False),
            ),
        )
        if self.group is not None:
            who = Text(text=self.group.name, size=13, bold=True, color=INK_2)
        header = Row(
            width=MATCH,
            gap=10,
            padding=insets(14, 12),
            children=(
                avatar(ME, me, 46),
                Column(
                    gap=4,
                    weight=1,
                    children=(
                        Text(
                            text=" ".join(part for part in (me, self.extra) if part),
                            size=16,
                            bold=True,
                            color=INK,
                            max_lines=2,
                        ),
                        Row(children=(who,)),
                    ),
                ),
            ),
        )
        field = TextField(
            id="composer_field",
            text=self.text,
            hint="What's on your mind?",
            size=20,
            color=INK,
            width=MATCH,
            height=150,
            padding=insets(16, 6),
            input_type="multiline",
            on_change=self.type_text,
            autofocus=True,
        )
        add = (
            menu_line(
                "Photo/video",
                "image-multiple",
                self.chooses("Add a photo", ("Latest photo", "No photo"), "", self._pick),
            ),
            menu_line(
                "Feeling/activity",
                "emoticon-happy-outline",
                self.chooses(
                    "How are you feeling?", FEELINGS, self.feeling, partial(self.set_value, "feeling")
                ),
            ),
            menu_line(
                "Check in",
                "map-marker",
                self.chooses("Check in", PLACES, self.spot, partial(self.set_value, "spot")),
            ),
        )
        picture = (scene("composer", self.photo, 150),) if self.photo else ()
        return ScrollView(
            id="composer_scroll",
            width=MATCH,
            height=MATCH,
            weight=1,
            background=WHITE,
            children=(header, field, *picture, divider(LINE), *add),
        )

    def _pick(self, choice: str) -> None:
        self.photo = "image-outline" if choice == "Latest photo" else ""
