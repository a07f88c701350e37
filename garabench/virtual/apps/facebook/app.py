"""The manifest of Facebook."""

from __future__ import annotations

from garabench.virtual.apps.facebook import names
from garabench.virtual.apps.facebook.groups import (
    EventPermalinkActivity,
    EventsDashboardActivity,
    GroupActivity,
    GroupsTabActivity,
    SavedActivity,
)
from garabench.virtual.apps.facebook.main import FbMainTabActivity
from garabench.virtual.apps.facebook.market import ItemActivity, MarketSearchActivity
from garabench.virtual.apps.facebook.post_page import ComposerActivity, PermalinkActivity
from garabench.virtual.apps.facebook.profile_page import FacebookFriendListActivity, TimelineActivity
from garabench.virtual.apps.facebook.search import GraphSearchActivity
from garabench.virtual.apps.facebook.settings_page import FacebookSettingsActivity, ThreadActivity
from garabench.virtual.apps.facebook.state import state
from garabench.virtual.apps.facebook.store import initial_data
from garabench.virtual.kit.framework import App

APP = App(
    package=names.PACKAGE,
    label={"zh": "Facebook", "en": "Facebook"},
    activities={
        names.MAIN: FbMainTabActivity,
        names.SEARCH: GraphSearchActivity,
        names.PROFILE: TimelineActivity,
        names.FRIENDS: FacebookFriendListActivity,
        names.POST: PermalinkActivity,
        names.COMPOSER: ComposerActivity,
        names.GROUPS: GroupsTabActivity,
        names.GROUP: GroupActivity,
        names.EVENTS: EventsDashboardActivity,
        names.EVENT: EventPermalinkActivity,
        names.ITEM: ItemActivity,
        names.MARKET_SEARCH: MarketSearchActivity,
        names.SAVED: SavedActivity,
        names.SETTINGS: FacebookSettingsActivity,
        names.CHAT: ThreadActivity,
    },
    launcher=names.MAIN,
    version_name="464.0.0.50.108",
    version_code=454214831,
    icon_seed="facebook",
    icon_color="#0866FF",
    icon_glyph="f",
    permissions=(
        "android.permission.INTERNET",
        "android.permission.ACCESS_NETWORK_STATE",
        "android.permission.POST_NOTIFICATIONS",
        "android.permission.CAMERA",
        "android.permission.RECORD_AUDIO",
        "android.permission.READ_CONTACTS",
        "android.permission.ACCESS_COARSE_LOCATION",
        "android.permission.ACCESS_FINE_LOCATION",
    ),
    initial_data=initial_data,
    state=state,
)
