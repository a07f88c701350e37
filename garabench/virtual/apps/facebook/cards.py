"""Cards of posts and people, shared by the whole app."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.facebook import content, names
from garabench.virtual.apps.facebook.content import ME, FacebookPost, Person, count_text
from garabench.virtual.apps.facebook.page import FacebookPage
from garabench.virtual.apps.facebook.store import AUDIENCES, REACTIONS
from garabench.virtual.apps.facebook.theme import (
    BLUE,
    INK,
    INK_2,
    LINE,
    WHITE,
    avatar,
    button,
    icon_button,
    menu_line,
    scene,
    sheet,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Handler,
    Icon,
    Row,
    Text,
    Widget,
    divider,
    insets,
    spacer,
)

AUDIENCE_ICONS = {"Public": "earth", "Friends": "account-multiple", "Only me": "lock"}
_FACES = {
    "Like": ("thumb_up_filled", BLUE),
    "Love": ("heart_filled", "#F33E58"),
    "Care": ("hand-heart", "#F7B125"),
    "Haha": ("emoticon-lol", "#F7B125"),
    "Wow": ("emoticon-excited", "#F7B125"),
    "Sad": ("emoticon-sad", "#F7B125"),
    "Angry": ("emoticon-angry", "#E9710F"),
}
_PICTURE = 210


def reaction_sheet(page: FacebookPage, post: FacebookPost) -> Widget:
    """Return the sheet of reactions."""

    def choose(reaction: str) -> Handler:
        return page.closing(partial(page.store.react, post.id, reaction))

    faces = [
        Column(
            key=f"face-{name}",
            desc=name,
            cls="android.widget.Button",
            weight=1,
            gap=4,
            padding=insets(2, 8),
            selected=page.store.reaction(post.id) == name,
            on_click=choose(name),
            children=(
                Icon(
                    name=_FACES[name][0],
                    size=34,
                    color=_FACES[name][1],
                    align_self=Align.CENTER,
                    important=False,
                ),
                Text(text=name, size=11, color=INK_2, align=Align.CENTER, width=MATCH, important=False),
            ),
        )
        for name in REACTIONS
    ]
    return sheet("", Row(width=MATCH, padding=insets(8, 4), children=faces))


def post_menu(page: FacebookPage, post: FacebookPost) -> Widget:
    """Return the menu of a post."""
    store, name = page.store, content.name_of(post.by)
    saved = store.is_saved(post.id)

    def save() -> None:
        store.toggle_saved(post.id)
        page.ctx.toast("Removed from Saved" if saved else "Saved to For later")

    lines = [
        menu_line(
            "Unsave post" if saved else "Save post",
            "bookmark",
            page.closing(save),
            note="" if saved else "Add this to your saved items.",
        )
    ]
    if post.by == ME:
        edit = page.chooses("Edit audience", AUDIENCES, post.audience, partial(store.edit_audience, post.id))
        if post.id.startswith("own-"):
            lines.append(menu_line("Edit audience", "earth", edit))
        ask = page.asks(
            "Delete post?", "It is removed from your profile.", "Delete", partial(store.hide, post.id)
        )
        lines.append(menu_line("Delete post", "trash", ask))
    else:

        def hide() -> None:
            store.hide(post.id)
            page.ctx.toast("Post hidden")

        def unfollow() -> None:
            store.set_followed(post.by, False)
            page.ctx.toast(f"You unfollowed {name}")

        lines.append(
            menu_line("Hide post", "eye-off-outline", page.closing(hide), note="See fewer posts like this.")
        )
        if store.follows(post.by):
            lines.append(menu_line(f"Unfollow {name}", "account-remove-outline", page.closing(unfollow)))
        lines.append(
            menu_line(
                "Report post",
                "alert-octagon-outline",
                page.closing(page.toasting("Thanks for letting us know")),
            )
        )
    lines.append(menu_line("Copy link", "link-variant", page.closing(page.toasting("Link copied"))))
    return sheet("", *lines)


def post_header(page: FacebookPage, post: FacebookPost, *, menu: bool = True) -> Widget:
    """Return a post's author, place, time and audience."""
    name = content.name_of(post.by)
    known = content.groups()[post.group] if post.group else None
    group = known.name if known is not None else ""
    audience = known.kind if known is not None else post.audience
    words: list[Widget] = []
    if group:
        words.append(
            Text(
                text=group,
                size=15,
                bold=True,
                color=INK,
                max_lines=1,
                on_click=page.opens_page(names.GROUP, group=post.group),
            )
        )
    words.append(
        Row(
            gap=5,
            children=(
                Text(
                    text=name,
                    size=13 if group else 15,
                    bold=True,
                    color=INK,
                    max_lines=1,
                    on_click=page.opens(post.by),
                ),
                Text(text=post.extra, size=14, color=INK_2, max_lines=1, visible=bool(post.extra)),
            ),
        )
    )
    words.append(
        Row(
            gap=5,
            children=(
                Text(text=post.ago, size=12, color=INK_2),
                Icon(
                    name=AUDIENCE_ICONS.get(audience, "account-group"),
                    size=13,
                    color=INK_2,
                    desc=f"Shared with {audience}",
                ),
            ),
        )
    )
    more = icon_button(
        "dots-horizontal", f"More options for {name}", page.opening(partial(post_menu, page, post))
    )
    return Row(
        width=MATCH,
        gap=10,
        children=(
            avatar(post.by, name, page=post.by in content.pages()),
            Column(weight=1, gap=1, children=words),
            *((more,) if menu else ()),
        ),
    )


def post_card(page: FacebookPage, post: FacebookPost, *, whole: bool = False) -> Widget:
    """Return a post with its counts and buttons; a tap opens its page."""
    store = page.store
    opens = None if whole else page.opens_page(names.POST, post=post.id)
    reaction = store.reaction(post.id)
    likes, comments = store.likes(post), len(store.comments(post))
    numbers = []
    if comments:
        numbers.append(f"{comments} comment" if comments == 1 else f"{comments} comments")
    if post.shares:
        numbers.append(f"{count_text(post.shares)} shares")
    counts = Row(
        width=MATCH,
        gap=5,
        padding=insets(12, 8),
        on_click=opens,
        children=(
            Icon(name="thumb-up", size=16, color=BLUE, important=False),
            Text(text=count_text(likes), size=14, color=INK_2, desc=f"{likes} reactions"),
            spacer(),
            Text(text=" · ".join(numbers), size=14, color=INK_2),
        ),
    )
    return Column(
        id="post",
        key=post.id,
        width=MATCH,
        margin=insets(0, 0, 0, 6),
        background=WHITE,
        children=(
            Column(
                width=MATCH,
                gap=8,
                padding=insets(12, 12, 6, 10),
                on_click=opens,
                children=(post_header(page, post), Text(id="post_text", text=post.text, size=16, color=INK)),
            ),
            *((scene(post.id, post.photo, _PICTURE, rid="post_photo", desc="Photo"),) if post.photo else ()),
            counts,
            divider(LINE),
            _buttons(page, post, reaction),
        ),
    )


def _buttons(page: FacebookPage, post: FacebookPost, reaction: str) -> Widget:
    store = page.store
    icon, color = _FACES[reaction] if reaction else ("thumb-up-outline", INK_2)
    state = f", pressed, {reaction}" if reaction not in ("", "Like") else ", pressed" if reaction else ""

    def like() -> None:
        store.react(post.id, "" if reaction else "Like")

    comment = page.opens_page(names.POST, post=post.id, write="1")

    def part(
        label: str, name: str, tint: str, desc: str, on_click: Handler, on_hold: Handler | None = None
    ) -> Widget:
        return Row(
            desc=desc,
            cls="android.widget.Button",
            weight=1,
            height=44,
            gap=6,
            justify=Align.CENTER,
            on_click=on_click,
            on_long_click=on_hold,
            selected=bool(on_hold and reaction),
            children=(
                Icon(name=name, size=20, color=tint, important=False),
                Text(text=label, size=14, bold=bool(on_hold and reaction), color=tint, important=False),
            ),
        )

    return Row(
        width=MATCH,
        children=(
            part(
                reaction or "Like",
                icon,
                color,
                f"Like button{state}. Double tap and hold for more reactions.",
                page.if_online(like),
                page.opening(partial(reaction_sheet, page, post)),
            ),
            part("Comment", "comment-outline", INK_2, "Comment", comment),
            part("Share", "share-outline", INK_2, "Share", page.opening(partial(_share_sheet, page, post))),
        ),
    )


def _share_sheet(page: FacebookPage, post: FacebookPost) -> Widget:
    return sheet(
        "Share",
        menu_line(
            "Share now",
            "share-outline",
            page.closing(page.toasting("Shared to your feed")),
            note="To your feed",
        ),
        menu_line("Send in Messenger", "facebook-messenger", page.closing(page.toasting("Sent"))),
        menu_line("Copy link", "link-variant", page.closing(page.toasting("Link copied"))),
    )


def person_row(page: FacebookPage, person: Person, *actions: Widget, note: str = "") -> Widget:
    """Return a person with the actions on them."""
    if not note:
        note = f"{person.mutual} mutual friends" if person.mutual else person.city
    return Row(
        id="person",
        key=person.id,
        width=MATCH,
        gap=12,
        padding=insets(14, 8),
        background=WHITE,
        on_click=page.opens(person.id),
        children=(
            avatar(person.id, person.name, 58),
            Column(
                weight=1,
                gap=4,
                children=(
                    Text(text=person.name, size=16, bold=True, color=INK, max_lines=1),
                    Text(text=note, size=13, color=INK_2, max_lines=1),
                    *((Row(width=MATCH, gap=8, children=actions),) if actions else ()),
                ),
            ),
        ),
    )


def friend_button(page: FacebookPage, person: Person, *, weight: float = 1) -> Widget:
    """Return the button Add friend, or the current state of the friendship."""
    store = page.store

    def change(state: str) -> Handler:
        return page.if_online(partial(store.set_friendship, person, state))

    match store.friendship(person):
        case "friend":
            remove = page.asks(
                f"Unfriend {person.name}?",
                "They won't be told.",
                "Unfriend",
                partial(store.set_friendship, person, "stranger"),
            )
            return button("Friends", remove, kind="soft", desc=f"Friends with {person.name}", weight=weight)
        case "requested":
            return button(
                "Cancel request",
                change("stranger"),
                kind="soft",
                desc=f"Cancel request to {person.name}",
                weight=weight,
            )
        case "request":
            return button(
                "Confirm", change("friend"), desc=f"Confirm {person.name}'s friend request", weight=weight
            )
        case _:
            return button(
                "Add friend", change("requested"), desc=f"Add {person.name} as a friend", weight=weight
            )
