"""The dialogs of the video page: coins, folders, sharing, unfollowing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from garabench.virtual.apps.bilibili.theme import (
    INK,
    INK_2,
    INK_3,
    LINE,
    PINK,
    PINK_SOFT,
    WHITE,
    icon_button,
    sheet,
    sheet_row,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Button,
    CheckBox,
    Column,
    Handler,
    Icon,
    Row,
    Text,
    Widget,
    divider,
    insets,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.bilibili.store import Folder
    from garabench.virtual.apps.bilibili.video import VideoActions

SHARE_TARGETS = (
    ("动态", "dynamic", "#FB7299"),
    ("微信", "wechat", "#07C160"),
    ("朋友圈", "camera", "#5AC26B"),
    ("QQ", "bell", "#1296DB"),
    ("复制链接", "link", "#9499A0"),
)


def coin_dialog(page: VideoActions) -> Widget:
    """Return the dialog for the number of coins, with the option to like as well."""
    left = 2 - page.store.coins(page.video)

    def option(number: int) -> Widget:
        on = page.coin_choice == number
        allowed = number <= left

        def choose() -> None:
            page.coin_choice = number

        return Column(
            id=f"coin_{number}",
            desc=f"{number}硬币",
            weight=1,
            height=132,
            gap=8,
            align=Align.CENTER,
            justify=Align.CENTER,
            radius=10,
            background=PINK_SOFT if on else LINE,
            border=PINK if on else None,
            border_width=1.5,
            selected=on,
            enabled=allowed,
            opacity=1 if allowed else 0.4,
            on_click=choose if allowed else None,
            children=(
                Row(
                    gap=4,
                    children=[
                        Icon(name="coin", size=44, color="#FFB027", important=False) for _ in range(number)
                    ],
                ),
                Text(id="coin_text", text=f"{number}硬币", size=15, bold=on, color=PINK if on else INK_2),
            ),
        )

    def toggle() -> None:
        page.coin_likes_too = not page.coin_likes_too

    return Column(
        id="coin_dialog",
        width=310,
        background=WHITE,
        radius=14,
        padding=insets(18, 16),
        gap=14,
        children=(
            Text(
                id="coin_title",
                text=f"给UP主投上 {page.coin_choice} 枚硬币",
                size=17,
                bold=True,
                color=INK,
                align=Align.CENTER,
            ),
            Row(width=MATCH, gap=12, children=(option(1), option(2))),
            Row(
                width=MATCH,
                children=(
                    CheckBox(
                        id="coin_like_checkbox",
                        text="同时点赞内容",
                        size=13,
                        color=PINK,
                        checked=page.coin_likes_too,
                        on_click=toggle,
                    ),
                ),
            ),
            Button(
                id="coin_confirm",
                text="投币",
                size=16,
                color=WHITE,
                background=PINK,
                radius=20,
                on_click=page.if_online(page.give_coins),
            ),
            Text(
                text=f"硬币余额：{page.store.coins_left}",
                id="coin_left",
                size=12,
                color=INK_3,
                align=Align.CENTER,
            ),
        ),
    )


def favorite_sheet(page: VideoActions) -> Widget:
    """Return the sheet of folders with check boxes."""

    def row(folder: Folder) -> Widget:
        on = folder.id in page.folder_choice

        def toggle() -> None:
            page.folder_choice = page.folder_choice ^ {folder.id}

        return Row(
            key=folder.id,
            id="folder_row",
            width=MATCH,
            height=58,
            gap=12,
            padding=insets(18, 0),
            on_click=toggle,
            children=(
                Box(
                    width=38,
                    height=38,
                    radius=6,
                    background=LINE,
                    children=(
                        Icon(
                            name="folder",
                            size=20,
                            color=INK_3,
                            align_self=Align.CENTER,
                            align_vertical=Align.CENTER,
                            important=False,
                        ),
                    ),
                ),
                Column(
                    weight=1,
                    gap=2,
                    children=(
                        Text(id="folder_name", text=folder.name, size=15, color=INK, max_lines=1),
                        Text(text=f"{len(folder.videos)}个内容", size=12, color=INK_3),
                    ),
                ),
                CheckBox(
                    id="folder_check", desc=folder.name, round=True, color=PINK, checked=on, on_click=toggle
                ),
            ),
        )

    return sheet(
        (
            Row(
                width=MATCH,
                height=44,
                padding=insets(18, 0, 8, 0),
                children=(
                    Text(text="选择收藏夹", size=16, bold=True, color=INK, weight=1),
                    icon_button("close", desc="关闭", size=18, color=INK_3, on_click=page.on_dismiss_dialog),
                ),
            ),
            divider(),
            *(row(folder) for folder in page.store.folders()),
            Button(
                id="favorite_done",
                text="完成",
                size=16,
                color=WHITE,
                background=PINK,
                radius=20,
                margin=insets(18, 10, 18, 4),
                on_click=page.if_online(page.save_folders),
            ),
        ),
        rid="favorite_sheet",
    )


def share_sheet(page: VideoActions) -> Widget:
    """Return the sheet of share targets."""
    targets = [
        Column(
            key=label,
            weight=1,
            gap=6,
            align=Align.CENTER,
            on_click=page.share,
            children=(
                Box(
                    width=46,
                    height=46,
                    radius=23,
                    background=color,
                    children=(
                        Icon(
                            name=icon,
                            size=24,
                            color=WHITE,
                            align_self=Align.CENTER,
                            align_vertical=Align.CENTER,
                            important=False,
                        ),
                    ),
                ),
                Text(id="share_target", text=label, size=12, color=INK_2),
            ),
        )
        for label, icon, color in SHARE_TARGETS
    ]
    return sheet(
        (
            Text(
                id="share_title",
                text="分享到",
                size=16,
                bold=True,
                color=INK,
                align=Align.CENTER,
                padding=insets(0, 10),
            ),
            Row(width=MATCH, padding=insets(8, 8, 8, 16), children=targets),
            divider(),
            sheet_row(
                "移出稍后再看" if page.store.in_later(page.video) else "添加至稍后再看",
                lambda: _later(page),
                icon="watch-later",
                rid="menu_later",
            ),
            divider(),
            Text(
                id="share_cancel",
                text="取消",
                size=15,
                color=INK_3,
                align=Align.CENTER,
                padding=insets(0, 14),
                on_click=page.on_dismiss_dialog,
            ),
        ),
        rid="share_sheet",
    )


def _later(page: VideoActions) -> None:
    wanted = not page.store.in_later(page.video)
    page.store.set_later(page.video, wanted, page.ctx.now())
    page.on_dismiss_dialog()
    page.ctx.toast("已添加至稍后再看" if wanted else "已移出稍后再看")


def confirm_sheet(question: str, answer: str, on_yes: Handler, on_no: Handler, *, rid: str) -> Widget:
    """Return a bottom sheet with one pink answer and 取消."""
    return sheet(
        (
            Text(text=question, size=13, color=INK_3, align=Align.CENTER, padding=insets(18, 12)),
            divider(),
            Text(
                id=f"{rid}_yes",
                text=answer,
                size=16,
                color=PINK,
                align=Align.CENTER,
                padding=insets(0, 14),
                on_click=on_yes,
            ),
            Widget(width=MATCH, height=8, background=LINE, important=False),
            Text(
                id=f"{rid}_no",
                text="取消",
                size=16,
                color=INK,
                align=Align.CENTER,
                padding=insets(0, 14),
                on_click=on_no,
            ),
        ),
        rid=rid,
    )


def unfollow_sheet(page: VideoActions) -> Widget:
    """Return the confirmation before unfollowing."""
    return confirm_sheet(
        f"不再关注 {page.author.name}？",
        "取消关注",
        page.if_online(page.unfollow),
        page.on_dismiss_dialog,
        rid="unfollow_sheet",
    )


def delete_sheet(on_yes: Handler, on_no: Handler) -> Widget:
    """Return the confirmation before deleting the user's comment."""
    return confirm_sheet("删除后，评论下所有回复都会被删除", "删除评论", on_yes, on_no, rid="delete_sheet")
