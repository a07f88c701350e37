"""The manifest of the app."""

from __future__ import annotations

from garabench.virtual.apps.weibo import names
from garabench.virtual.apps.weibo.chat import DMSingleChatActivity, HelpCenterActivity
from garabench.virtual.apps.weibo.comment_thread import SubCommentActivity
from garabench.virtual.apps.weibo.composer import OriginalComposerActivity
from garabench.virtual.apps.weibo.content_controls import (
    BlackListActivity,
    TeenagerModeActivity,
    WordsActivity,
)
from garabench.virtual.apps.weibo.detail import DetailWeiboActivity
from garabench.virtual.apps.weibo.drafts import DraftBoxActivity
from garabench.virtual.apps.weibo.group_members import GroupMembersActivity
from garabench.virtual.apps.weibo.groups import GroupManageActivity
from garabench.virtual.apps.weibo.hot_list import HotSearchActivity
from garabench.virtual.apps.weibo.main import MainTabActivity
from garabench.virtual.apps.weibo.notices import WeiboMessageBoxActivity
from garabench.virtual.apps.weibo.people import WeiboFriendListActivity
from garabench.virtual.apps.weibo.post_lists import PostListActivity
from garabench.virtual.apps.weibo.profile_header import ProfileSearchActivity
from garabench.virtual.apps.weibo.profile_page import ProfileInfoActivity
from garabench.virtual.apps.weibo.profile_pages import BlogNotificationActivity, EditProfileActivity
from garabench.virtual.apps.weibo.search import SearchResultActivity
from garabench.virtual.apps.weibo.settings_page import WeiboSettingActivity
from garabench.virtual.apps.weibo.short_composers import CommentComposerActivity, ForwardComposerActivity
from garabench.virtual.apps.weibo.state import state
from garabench.virtual.apps.weibo.store import initial_data
from garabench.virtual.apps.weibo.topic import TopicActivity
from garabench.virtual.apps.weibo.video_tab import VideoPlayActivity
from garabench.virtual.apps.weibo.viewer import ImageViewerActivity
from garabench.virtual.kit.framework import App

APP = App(
    package=names.PACKAGE,
    label={"zh": "微博", "en": "Weibo"},
    activities={
        names.MAIN: MainTabActivity,
        names.DETAIL: DetailWeiboActivity,
        names.FLOOR: SubCommentActivity,
        names.COMPOSER: OriginalComposerActivity,
        names.FORWARD: ForwardComposerActivity,
        names.COMMENT: CommentComposerActivity,
        names.DRAFTS: DraftBoxActivity,
        names.PROFILE: ProfileInfoActivity,
        names.PROFILE_SEARCH: ProfileSearchActivity,
        names.PROFILE_NOTICE: BlogNotificationActivity,
        names.EDIT_PROFILE: EditProfileActivity,
        names.SEARCH: SearchResultActivity,
        names.HOT: HotSearchActivity,
        names.TOPIC: TopicActivity,
        names.NOTICES: WeiboMessageBoxActivity,
        names.CHAT: DMSingleChatActivity,
        names.FAQ: HelpCenterActivity,
        names.USERS: WeiboFriendListActivity,
        names.POSTS: PostListActivity,
        names.GROUPS: GroupManageActivity,
        names.GROUP: GroupMembersActivity,
        names.VIDEO: VideoPlayActivity,
        names.PICTURES: ImageViewerActivity,
        names.SETTINGS: WeiboSettingActivity,
        names.BLOCKLIST: BlackListActivity,
        names.WORDS: WordsActivity,
        names.YOUTH: TeenagerModeActivity,
    },
    launcher=names.MAIN,
    version_name="14.5.2",
    version_code=6891,
    icon_seed="weibo",
    icon_color="#FF8200",
    icon_glyph="微",
    permissions=(
        "android.permission.INTERNET",
        "android.permission.ACCESS_NETWORK_STATE",
        "android.permission.POST_NOTIFICATIONS",
        "android.permission.CAMERA",
        "android.permission.ACCESS_COARSE_LOCATION",
        "android.permission.ACCESS_FINE_LOCATION",
        "android.permission.READ_EXTERNAL_STORAGE",
        "android.permission.WRITE_EXTERNAL_STORAGE",
        "android.permission.READ_MEDIA_IMAGES",
        "android.permission.READ_MEDIA_VIDEO",
        "android.permission.READ_CONTACTS",
    ),
    initial_data=initial_data,
    state=state,
    target_sdk=33,
)
