"""The video page: player, introduction, comments, and all actions on a video."""

from __future__ import annotations

from garabench.virtual.apps.bilibili import content, names
from garabench.virtual.apps.bilibili.content import Video
from garabench.virtual.apps.bilibili.page import BilibiliPage
from garabench.virtual.apps.bilibili.video_comments import comment_tab
from garabench.virtual.apps.bilibili.video_intro import intro_tab
from garabench.virtual.apps.bilibili.video_modes import Overlay, Writing
from garabench.virtual.apps.bilibili.video_player import player, tabs
from garabench.virtual.apps.bilibili.video_sheets import (
    coin_dialog,
    delete_sheet,
    favorite_sheet,
    share_sheet,
    unfollow_sheet,
)
from garabench.virtual.apps.bilibili.video_writing import writing
from garabench.virtual.kit.framework import Intent, IntentFilter
from garabench.virtual.ui.widgets import MATCH, Box, Column, Handler, Widget


def video_of(intent: Intent) -> Video:
    """The video that an intent names, by extra or by ``bilibili://video/<number>``.

    An unknown number gives the first recommendation, as the real app falls back to its feed.
    """
    number = (
        str(intent.extras.get("video", "")) or intent.data.rstrip("/").rpartition("/")[2].partition("?")[0]
    )
    known = content.videos()
    return known.get(number) or known[content.feed()["recommend"][0]]


class WatchesVideo(BilibiliPage):
    """What the video page and the upright player do alike: likes, coins, favourites, follows."""

    def on_create(self) -> None:
        """Take the video from the intent and note it in the history."""
        self.video = video_of(self.intent)
        self.author = content.uploaders()[self.video.uploader]
        self.overlay = Overlay.NONE
        self.coin_choice = 2
        self.coin_likes_too = True
        self.folder_choice: frozenset[str] = frozenset()
        if self.loaded:
            self.store.watch(self.video, self.ctx.now())

    def retry(self) -> None:
        """Load again; a video that loads is watched."""
        super().retry()
        if self.loaded:
            self.store.watch(self.video, self.ctx.now())

    def puts_over(self, overlay: Overlay) -> Handler:
        """A handler that opens an overlay."""

        def run() -> None:
            self.overlay = overlay

        return run

    def like(self) -> None:
        """Like, or take it back."""
        liked = not self.store.liked(self.video)
        self.store.set_liked(self.video, liked)
        self.ctx.toast("点赞成功" if liked else "取消点赞")

    def triple(self) -> None:
        """Like, two coins and the default folder at once: the long press on the thumb."""
        self.store.set_liked(self.video, True)
        coins = self.store.coins(self.video)
        if coins < 2:
            self.store.give_coins(self.video, 2 - coins)
        if not self.store.folders_with(self.video):
            self.store.collect(self.video, frozenset({"default"}))
        self.ctx.toast("三连成功，感谢支持")

    def ask_coins(self) -> None:
        """Open the coin dialog, unless the video has had its two."""
        left = 2 - self.store.coins(self.video)
        if left == 0:
            self.ctx.toast("对本视频投币已达上限")
            return
        self.coin_choice = left
        self.overlay = Overlay.COIN

    def give_coins(self) -> None:
        """Give what was chosen in the coin dialog."""
        self.overlay = Overlay.NONE
        if not self.store.give_coins(self.video, self.coin_choice):
            self.ctx.toast("硬币不足")
            return
        if self.coin_likes_too:
            self.store.set_liked(self.video, True)
        self.ctx.toast("投币成功")

    def ask_folders(self) -> None:
        """Open the favourites sheet, with the present folders (or the default one) ticked."""
        self.folder_choice = self.store.folders_with(self.video) or frozenset({"default"})
        self.overlay = Overlay.FAVORITE

    def keep_folders(self) -> None:
        """Store what was ticked in the favourites sheet."""
        before = self.store.folders_with(self.video)
        self.store.collect(self.video, self.folder_choice)
        self.overlay = Overlay.NONE
        if self.folder_choice and not before:
            self.ctx.toast("收藏成功")
        elif before and not self.folder_choice:
            self.ctx.toast("已取消收藏")
        elif before != self.folder_choice:
            self.ctx.toast("修改成功")

    def share(self) -> None:
        """Note the share, as choosing a target does."""
        self.store.share(self.video)
        self.overlay = Overlay.NONE
        self.ctx.toast("链接已复制，快去分享吧")

    def follow(self) -> None:
        """Follow at once; unfollowing asks first."""
        if self.store.following(self.author.id):
            self.overlay = Overlay.UNFOLLOW
            return
        self.store.set_following(self.author.id, True)
        self.ctx.toast("关注成功")

    def unfollow(self) -> None:
        """The answer to the question is yes."""
        self.store.set_following(self.author.id, False)
        self.overlay = Overlay.NONE
        self.ctx.toast("已取消关注")

    def dialog(self) -> Widget | None:
        """The open overlay, if any."""
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


class VideoActivity(WatchesVideo):
    """The page of a video that plays across."""

    status_bar = "#000000"
    filters = (IntentFilter("android.intent.action.VIEW", scheme="bilibili", host="video"),)

    def on_create(self) -> None:
        """Start on the introduction, playing."""
        super().on_create()
        self.tab = "简介"
        self.playing = True
        self.danmaku_on = bool(self.store.setting("danmaku_on", True))
        self.described = False
        self.newest_comments = False
        self.writing = Writing.NOTHING
        self.draft = ""
        self.danmaku_size, self.danmaku_place, self.danmaku_color = "标准", "滚动", "白色"
        self.deleting = 0

    def on_back(self) -> bool:
        """Back closes the writing panel first."""
        if self.writing is not Writing.NOTHING:
            self.stop_writing()
            return True
        return False

    def opens(self, video: Video) -> Handler:
        """A related video takes this page over, as in the real app."""

        def run() -> None:
            if video.portrait:
                self.ctx.open(names.STORY, video=video.id)
                return
            self.intent = Intent(extras={"video": video.id})
            self.loaded = self.ctx.online
            self.on_create()
            self.ctx.scroll_to("intro_list")

        return run

    def starts(self, writing: Writing) -> Handler:
        """A handler that opens the writing panel."""

        def run() -> None:
            self.writing = writing
            self.draft = ""
            self.ctx.focus("comment_input" if writing is Writing.COMMENT else "danmaku_input")

        return run

    def stop_writing(self) -> None:
        """Close the panel; the draft is lost."""
        self.writing = Writing.NOTHING
        self.ctx.hide_keyboard()

    def change_draft(self, text: str) -> None:
        """The text in the panel has changed."""
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
        if self.writing is Writing.COMMENT:
            self.store.comment(self.video, text, self.ctx.now())
            self.tab, self.newest_comments = "评论", True
            self.ctx.scroll_to("comment_list")
            self.ctx.toast("发送成功")
        else:
            self.store.send_danmaku(self.video, text)
            self.ctx.toast("弹幕发送成功")
        self.stop_writing()

    def delete_comment(self) -> None:
        """Delete the user's own comment that was asked about."""
        self.store.delete_comment(self.video, self.deleting)
        self.overlay = Overlay.NONE
        self.ctx.toast("删除成功")

    def dialog(self) -> Widget | None:
        """The question before deleting, or what all video pages have."""
        if self.overlay is Overlay.DELETE_COMMENT:
            return delete_sheet(self.delete_comment, self.on_dismiss_dialog)
        return super().dialog()

    def build(self) -> Widget:
        """The page, and the writing panel over it."""
        page = super().build()
        if self.writing is Writing.NOTHING:
            return page
        return Box(width=MATCH, height=MATCH, children=(page, writing(self)))

    def content(self) -> Widget:
        """Player, tabs, and the selected tab."""
        body = comment_tab(self) if self.tab == "评论" else intro_tab(self)
        return Column(width=MATCH, height=MATCH, weight=1, children=(player(self), tabs(self), body))
