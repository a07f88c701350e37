"""Package and activity names, as in the real app's manifest where known."""

from __future__ import annotations

from garabench.virtual.apps.bilibili.content import Video
from garabench.virtual.kit.framework import Context

PACKAGE = "tv.danmaku.bili"

MAIN = "tv.danmaku.bili.MainActivityV2"
SEARCH = "com.bilibili.search2.main.BiliMainSearchActivity"
VIDEO = "com.bilibili.ship.theseus.detail.UnitedBizDetailsActivity"
STORY = "com.bilibili.video.story.StoryVideoActivity"
SPACE = "com.bilibili.app.authorspace.ui.AuthorSpaceActivity"
RANKING = "com.bilibili.app.rank.RankPagerActivity"
WEEKLY = "com.bilibili.app.rank.WeeklySelectionActivity"
CHANNELS = "com.bilibili.app.region.RegionIndexActivity"
CHANNEL = "com.bilibili.app.region.RegionPageActivity"
HISTORY = "com.bilibili.app.history.HistoryActivity"
FAVORITES = "com.bilibili.app.favorites.FavoriteBoxActivity"
FOLDER = "com.bilibili.app.favorites.FavoriteFolderActivity"
LATER = "com.bilibili.app.watchlater.WatchLaterActivity"
OFFLINE = "com.bilibili.app.offline.OfflineActivity"
CREATOR = "com.bilibili.upper.UpperCenterMainActivity"
FOLLOWS = "com.bilibili.relation.AttentionActivity"
MESSAGES = "com.bilibili.app.im.MessagesActivity"
SETTINGS = "com.bilibili.app.preferences.BiliPreferencesActivity"
TEEN = "com.bilibili.teenagersmode.ui.TeenagersModeActivity"
VIP = "com.bilibili.vip.web.VipWebActivity"


def open_video(ctx: Context, video: Video) -> None:
    """Open a video on the matching page: the video page, or the vertical player."""
    ctx.open(STORY if video.portrait else VIDEO, video=video.id)


def open_space(ctx: Context, uploader: str) -> None:
    """Open an uploader's page."""
    ctx.open(SPACE, uploader=uploader)
