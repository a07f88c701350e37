"""The video page: player, introduction, comments, and all actions on a video."""

from __future__ import annotations

from garabench.virtual.apps.bilibili import content, names
from garabench.virtual.apps.bilibili.content import Video
from garabench.virtual.apps.bilibili.page import BilibiliPage
from garabench.virtual.apps.bilibili.video_comments import comment_tab
from garabench.virtual.apps.bilibili.video_composer import composer_panel
from garabench.virtual.apps.bilibili.video_intro import intro_tab
from garabench.virtual.apps.bilibili.video_modes import ComposerMode, Overlay
from garabench.virtual.apps.bilibili.video_player import player, tabs
from garabench.virtual.apps.bilibili.video_sheets import (
    coin_dialog,
    delete_sheet,
    favorite_sheet,
    share_sheet,
    unfollow_sheet,
)
from garabench.virtual.kit.framework import Intent
from garabench.virtual.kit.intent_filter import IntentFilter
from garabench.virtual.ui.widgets import MATCH, Box, Column, Handler, Widget


def video_of(intent: Intent) -> Video:
    """Return the video of an intent, by extra or by ``bilibili://video/<number>``.

    An unknown number gives the first recommendation, as the real app falls back to its feed.
    """
    number = (
        str(intent.extras.get("video", "")) or intent.data.rstrip("/").rpartition("/")[2].partition("?")[0]
    )
    known = content.videos()
    return known.get(number) or known[content.feed()["recommend"][0]]


class VideoActions(BilibiliPage):
    """Actions shared by the video page and the vertical player: likes, coins, favourites, follows."""

    def on_create(self) -> None:
        """Read the video from the intent and add it to the history."""
        self.video = video_of(self.intent)
        self.author = content.uploaders()[self.video.uploader]
        self.overlay = Overlay.NONE
        self.coin_choice = 2
        self.coin_likes_too = True
        self.folder_choice: frozenset[str] = frozenset()
        if self.loaded:
            self.store.watch(self.video, self.ctx.now())

    def retry(self) -> None:
        """Load the page again; a video that loads is added to the history."""
        super().retry()
        if self.loaded:
            self.store.watch(self.video, self.ctx.now())

    def opens_overlay(self, overlay: Overlay) -> Handler:
        """Return a handler that opens an overlay."""

        def run() -> None:
            self.overlay = overlay

        return run

    def like(self) -> None:
        """Like or unlike the video."""
        liked = not self.store.liked(self.video)
        self.store.set_liked(self.video, liked)
        self.ctx.toast("点赞成功" if liked else "取消点赞")

    def triple(self) -> None:
        """Like, give two coins and save to the default folder at once, on a long press of the like button."""
        self.store.set_liked(self.video, True)
        coins = self.store.coins(self.video)
        if coins < 2:
            self.store.give_coins(self.video, 2 - coins)
        if not self.store.folders_with(self.video):
            self.store.set_folders(self.video, frozenset({"default"}))
        self.ctx.toast("三连成功，感谢支持")

    def ask_coins(self) -> None:
        """Open the coin dialog, unless the video already has two coins."""
        left = 2 - self.store.coins(self.video)
        if left == 0:
            self.ctx.toast("对本视频投币已达上限")
            return
        self.coin_choice = left
        self.overlay = Overlay.COIN

    def give_coins(self) -> None:
        """Give the coins chosen in the dialog."""
        self.overlay = Overlay.NONE
        if not self.store.give_coins(self.video, self.coin_choice):
            self.ctx.toast("硬币不足")
            return
        if self.coin_likes_too:
            self.store.set_liked(self.video, True)
        self.ctx.toast("投币成功")

    def ask_folders(self) -> None:
        """Open the favourites sheet with the current folders (or the default one) checked."""
        self.folder_choice = self.store.folders_with(self.video) or frozenset({"default"})
        self.overlay = Overlay.FAVORITE

    def save_folders(self) -> None:
        """Save the choice of the favourites sheet."""
        before = self.store.folders_with(self.video)
        self.store.set_folders(self.video, self.folder_choice)
        self.overlay = Overlay.NONE
        if self.folder_choice and not before:
            self.ctx.toast("收藏成功")
        elif before and not self.folder_choice:
            self.ctx.toast("已取消收藏")
        elif before != self.folder_choice:
            self.ctx.toast("修改成功")

    def share(self) -> None:
        """Record the share when a target is chosen."""
        self.store.share(self.video)
        self.overlay = Overlay.NONE
        self.ctx.toast("链接已复制，快去分享吧")

    def follow(self) -> None:
        """Follow the uploader, or ask before unfollowing."""
        if self.store.following(self.author.id):
            self.overlay = Overlay.UNFOLLOW
            return
        self.store.set_following(self.author.id, True)
        self.ctx.toast("关注成功")

    def unfollow(self) -> None:
        """Unfollow the uploader after confirmation."""
        self.store.set_following(self.author.id, False)
        self.overlay = Overlay.NONE
        self.ctx.toast("已取消关注")

    def dialog(self) -> Widget | None:
        """Return the open overlay, if any."""
        match self.overlay:
            case Overlay.COIN:
                return coin_dialog(self)
            case Overlay.FAVORITE:
                return favorite_sheet(self)
            case Overlay.SHARE:
                return share_sheet(self)
            case Overlay.UNFOLLOW:
                return unfollow_sheet(self)
            case _:
                return super().dialog()

    def on_dismiss_dialog(self) -> None:
        """Close the overlay and discard its input."""
        self.overlay = Overlay.NONE
        super().on_dismiss_dialog()


class VideoActivity(VideoActions):
    """The page of a landscape video."""

    status_bar = "#000000"
    filters = (IntentFilter.of("android.intent.action.VIEW", scheme="bilibili", host="video"),)

    def on_create(self) -> None:
        """Start on the introduction, playing."""
        super().on_create()
        self.tab = "简介"
        self.playing = True
        self.danmaku_on = bool(self.store.setting("danmaku_on", True))
        self.described = False
        self.newest_comments = False
        self.composing = ComposerMode.NOTHING
        self.draft = ""
        self.danmaku_size, self.danmaku_place, self.danmaku_color = "标准", "滚动", "白色"
        self.deleting = 0

    def on_back(self) -> bool:
        """Back closes the composer first."""
        if self.composing is not ComposerMode.NOTHING:
            self.close_composer()
            return True
        return False

    def opens(self, video: Video) -> Handler:
        """Return a handler that shows a related video on this page, as in the real app."""

        def run() -> None:
            if video.portrait:
                self.ctx.open(names.STORY, video=video.id)
                return
            self.intent = Intent(extras={"video": video.id})
            self.loaded = self.ctx.online
            self.on_create()
            self.ctx.scroll_to("intro_list")

        return run

    def opens_composer(self, composing: ComposerMode) -> Handler:
        """Return a handler that opens the composer."""

        def run() -> None:
            self.composing = composing
            self.draft = ""
            self.ctx.focus("comment_input" if composing is ComposerMode.COMMENT else "danmaku_input")

        return run

    def close_composer(self) -> None:
        """Close the composer and discard the draft."""
        self.composing = ComposerMode.NOTHING
        self.ctx.hide_keyboard()

    def change_draft(self, text: str) -> None:
        """Handle a change of the draft."""
        self.draft = text

    def send(self) -> None:
        """Send the comment or bullet comment."""
        text = self.draft.strip()
        if not text:
            self.ctx.toast("内容不能为空")
            return
        if not self.ctx.online:
            self.ctx.toast("网络不可用，请检查网络设置")
            return
        if self.composing is ComposerMode.COMMENT:
            self.store.comment(self.video, text, self.ctx.now())
            self.tab, self.newest_comments = "评论", True
            self.ctx.scroll_to("comment_list")
            self.ctx.toast("发送成功")
        else:
            self.store.send_danmaku(self.video, text)
            self.ctx.toast("弹幕发送成功")
        self.close_composer()

    def delete_comment(self) -> None:
        """Delete the user's comment after confirmation."""
        self.store.delete_comment(self.video, self.deleting)
        self.overlay = Overlay.NONE
        self.ctx.toast("删除成功")

    def dialog(self) -> Widget | None:
        """Return the confirmation before deleting, or an overlay shared by all video pages."""
        if self.overlay is Overlay.DELETE_COMMENT:
            return delete_sheet(self.delete_comment, self.on_dismiss_dialog)
        return super().dialog()

    def build(self) -> Widget:
        """Return the page, with the composer over it."""
        page = super().build()
        if self.composing is ComposerMode.NOTHING:
            return page
        return Box(width=MATCH, height=MATCH, children=(page, composer_panel(self)))

    def content(self) -> Widget:
        """Return the player, the tabs, and the selected tab."""
        body = comment_tab(self) if self.tab == "评论" else intro_tab(self)
        return Column(width=MATCH, height=MATCH, weight=1, children=(player(self), tabs(self), body))
