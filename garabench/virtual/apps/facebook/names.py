"""Package and activity names, as in the real app's manifest where known."""

from __future__ import annotations

PACKAGE = "com.facebook.katana"

MAIN = "com.facebook.katana.activity.FbMainTabActivity"
SEARCH = "com.facebook.search.fragment.GraphSearchActivity"
PROFILE = "com.facebook.timeline.TimelineActivity"
FRIENDS = "com.facebook.friendlist.FriendListActivity"
POST = "com.facebook.permalink.PermalinkActivity"
COMPOSER = "com.facebook.composer.activity.ComposerActivity"
GROUPS = "com.facebook.groups.GroupsTabActivity"
GROUP = "com.facebook.groups.GroupActivity"
EVENTS = "com.facebook.events.EventsDashboardActivity"
EVENT = "com.facebook.events.EventPermalinkActivity"
ITEM = "com.facebook.marketplace.ProductDetailsActivity"
MARKET_SEARCH = "com.facebook.marketplace.SearchActivity"
SAVED = "com.facebook.saved.SavedActivity"
SETTINGS = "com.facebook.settings.SettingsActivity"
CHAT = "com.facebook.messagingclient.ThreadActivity"
