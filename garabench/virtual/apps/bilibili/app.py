"""The manifest of the app."""

from __future__ import annotations

from garabench.virtual.apps.bilibili import names
from garabench.virtual.apps.bilibili.channels import ChannelActivity, ChannelsActivity
from garabench.virtual.apps.bilibili.favorites import FavoritesActivity, FolderActivity
from garabench.virtual.apps.bilibili.home import BilibiliMainActivity
from garabench.virtual.apps.bilibili.lists import (
    BilibiliHistoryActivity,
    FollowsActivity,
    LaterActivity,
    OfflineActivity,
)
from garabench.virtual.apps.bilibili.preferences import BilibiliSettingsActivity
from garabench.virtual.apps.bilibili.rankings import RankingActivity, WeeklyActivity
from garabench.virtual.apps.bilibili.search import BilibiliSearchActivity
from garabench.virtual.apps.bilibili.side_pages import (
    CreatorActivity,
    MessagesActivity,
    TeenagersModeActivity,
)
from garabench.virtual.apps.bilibili.space import SpaceActivity
from garabench.virtual.apps.bilibili.state import state
from garabench.virtual.apps.bilibili.store import initial_data
from garabench.virtual.apps.bilibili.story import StoryActivity
from garabench.virtual.apps.bilibili.video import VideoActivity
from garabench.virtual.apps.bilibili.vip import VipActivity
from garabench.virtual.kit.framework import App

APP = App(
    package=names.PACKAGE,
    label={"zh": "哔哩哔哩", "en": "bilibili"},
    activities={
        names.MAIN: BilibiliMainActivity,
        names.SEARCH: BilibiliSearchActivity,
        names.VIDEO: VideoActivity,
        names.STORY: StoryActivity,
        names.SPACE: SpaceActivity,
        names.RANKING: RankingActivity,
        names.WEEKLY: WeeklyActivity,
        names.CHANNELS: ChannelsActivity,
        names.CHANNEL: ChannelActivity,
        names.HISTORY: BilibiliHistoryActivity,
        names.FAVORITES: FavoritesActivity,
        names.FOLDER: FolderActivity,
        names.LATER: LaterActivity,
        names.OFFLINE: OfflineActivity,
        names.FOLLOWS: FollowsActivity,
        names.CREATOR: CreatorActivity,
        names.MESSAGES: MessagesActivity,
        names.SETTINGS: BilibiliSettingsActivity,
        names.TEEN: TeenagersModeActivity,
        names.VIP: VipActivity,
    },
    launcher=names.MAIN,
    version_name="7.76.0",
    version_code=7760300,
    icon_seed="bilibili",
    icon_color="#FB7299",
    icon_glyph="哔",
    permissions=(
        "android.permission.INTERNET",
        "android.permission.ACCESS_NETWORK_STATE",
        "android.permission.POST_NOTIFICATIONS",
        "android.permission.CAMERA",
        "android.permission.ACCESS_COARSE_LOCATION",
        "android.permission.ACCESS_FINE_LOCATION",
        "android.permission.READ_EXTERNAL_STORAGE",
        "android.permission.WRITE_EXTERNAL_STORAGE",
        "android.permission.READ_MEDIA_VIDEO",
        "android.permission.READ_MEDIA_IMAGES",
    ),
    initial_data=initial_data,
    state=state,
    target_sdk=33,
)
