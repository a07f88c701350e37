"""The market: a home page with the installed apps, and a page for each app, reached by ``market://details``."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import Any
from urllib.parse import parse_qs, urlsplit

from garabench.virtual.apps.market import home_page, page
from garabench.virtual.apps.market.listing import PACKAGE_NAME, Listing, listing
from garabench.virtual.apps.market.page import Installation, Stage
from garabench.virtual.apps.market.state import state
from garabench.virtual.kit.framework import Activity, App, Intent, Timer
from garabench.virtual.kit.intent_filter import IntentFilter
from garabench.virtual.kit.launcher_icons import app_icon
from garabench.virtual.ui.widgets import ImageView, Widget

PACKAGE = "com.android.vending"
HOME = f"{PACKAGE}.AssetBrowserActivity"
DETAILS = f"{PACKAGE}.DetailsActivity"
VIEW = "android.intent.action.VIEW"

DOWNLOAD_MS = 12_000
INSTALL_MS = 2_500
TICK_MS = 500
ICON = 72.0


def package_of(uri: str) -> str:
    """Return the package named by a ``market://details?id=…`` or play.google.com address; empty if none."""
    try:
        parts = urlsplit(uri)
        wanted = parse_qs(parts.query).get("id", [""])[0]
    except ValueError:
        return ""
    return wanted if PACKAGE_NAME.fullmatch(wanted) else ""


class MarketDetailsActivity(Activity):
    """The page of an app."""

    launch_mode = "singleTop"
    filters = (
        IntentFilter.of(VIEW, "market", "details"),
        IntentFilter.of(VIEW, "https", "play.google.com"),
    )

    def on_create(self) -> None:
        self.timer: Timer | None = None
        self.asking = False
        self._read_intent(self.intent)

    def on_new_intent(self, intent: Intent) -> None:
        self._read_intent(intent)

    def _read_intent(self, intent: Intent) -> None:
        self.app = package_of(intent.data) or str(intent.extras.get("package", ""))
        self.listing: Listing | None = None
        if PACKAGE_NAME.fullmatch(self.app):
            self.listing = listing(
                self.app,
                self._label(),
                translate=self.ctx.t,
                generator=self.ctx.random("listing", self.app),
            )
        self._plan()

    def _installed(self) -> Any:
        return self.ctx.system.packages.get(self.app)

    def _label(self) -> str:
        installed = self._installed()
        if installed is None:
            return ""
        label: str = installed.app.label.get(self.ctx.lang, installed.app.label["en"])
        return label

    def on_resume(self) -> None:
        self._plan()

    def on_pause(self) -> None:
        if self.timer is not None:
            self.timer.cancel()

    def _plan(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
        if self.installation().stage in (Stage.DOWNLOADING, Stage.INSTALLING):
            self.timer = self.ctx.after(TICK_MS, self._plan)

    def installation(self) -> Installation:
        """Return the progress of the app's update, from the moment of its request."""
        installed = self._installed()
        started = self.ctx.data["started"].get(self.app)
        if started is not None:
            passed = (self.ctx.now() - dt.datetime.fromisoformat(started)) / dt.timedelta(milliseconds=1)
            if passed < DOWNLOAD_MS:
                return Installation(Stage.DOWNLOADING, max(0.0, passed / DOWNLOAD_MS))
            if passed < DOWNLOAD_MS + INSTALL_MS:
                return Installation(Stage.INSTALLING, 1.0)
            del self.ctx.data["started"][self.app]
            self.ctx.data["updated"] = sorted({*self.ctx.data["updated"], self.app})
        if installed is None:
            return Installation(Stage.UNAVAILABLE)
        if installed.app.system or self.app in self.ctx.data["updated"]:
            return Installation(Stage.CURRENT)
        return Installation(Stage.OLD)

    def build(self) -> Widget:
        if self.listing is None:
            return page.missing(self.ctx, back=self.ctx.finish)
        return page.details(
            self.ctx,
            self.listing,
            self.installation(),
            icon=self._icon(),
            my_stars=self.ctx.data["stars"].get(self.app, 0),
            act=self,
        )

    def _icon(self) -> Widget:
        installed = self._installed()
        if installed is None:
            return ImageView(id="icon", seed=self.app, kind="logo", width=ICON, height=ICON, radius=ICON / 4)
        return app_icon(installed.app, ICON, id_="icon")

    def dialog(self) -> Widget | None:
        if not self.asking or self.listing is None:
            return None
        return page.uninstall_dialog(self.ctx, self.listing, yes=self.uninstall, no=self.on_dismiss_dialog)

    def on_dismiss_dialog(self) -> None:
        self.asking = False

    def back(self) -> None:
        """Handle the back arrow."""
        self.ctx.finish()

    def update(self) -> None:
        """Start the update."""
        if not self.ctx.online:
            self.ctx.toast(self.ctx.t("无网络连接，请稍后重试", "No connection. Try again later."))
            return
        self.ctx.data["started"][self.app] = self.ctx.now().isoformat()
        self._plan()

    def cancel(self) -> None:
        """Cancel the download."""
        self.ctx.data["started"].pop(self.app, None)

    def open(self) -> None:
        """Start the app."""
        installed = self._installed()
        if installed is not None and installed.app.launcher:
            self.ctx.start(
                Intent(
                    action="android.intent.action.MAIN",
                    package=self.app,
                    activity=installed.app.launcher,
                    categories=frozenset({"android.intent.category.LAUNCHER"}),
                    flags=frozenset({"NEW_TASK"}),
                )
            )

    def ask_uninstall(self) -> None:
        """Ask for confirmation of the uninstallation."""
        self.asking = True

    def uninstall(self) -> None:
        """Uninstall the app after confirmation."""
        self.asking = False
        self.ctx.system.packages.uninstall(self.app)
        self.ctx.toast(self.ctx.t("已卸载", "Uninstalled"))

    def rate(self, stars: int) -> None:
        """Rate the app; tapping the same star again removes the rating."""
        ratings = self.ctx.data["stars"]
        if ratings.get(self.app) == stars:
            del ratings[self.app]
            return
        ratings[self.app] = stars
        self.ctx.toast(self.ctx.t("感谢你的评分", "Thanks for your rating"))


class MarketHomeActivity(Activity):
    """The first page: a search field and the apps on the phone."""

    def on_create(self) -> None:
        self.words = ""

    def build(self) -> Widget:
        apps = [
            app
            for app in (each.app for each in self.ctx.system.packages.query_launcher())
            if self.words.strip().lower() in f"{app.label.get(self.ctx.lang, '')} {app.package}".lower()
        ]
        rows = []
        for app in apps:
            label = app.label.get(self.ctx.lang, app.label["en"])
            entry = listing(
                app.package, label, translate=self.ctx.t, generator=self.ctx.random("listing", app.package)
            )
            rows.append((app, entry, partial(self.ctx.open, DETAILS, package=app.package)))
        return home_page.home(self.ctx, rows, words=self.words, on_words=self._search)

    def _search(self, words: str) -> None:
        self.words = words


def _initial_data() -> dict[str, Any]:
    return {"started": {}, "updated": [], "stars": {}}


APP = App(
    package=PACKAGE,
    label={"zh": "应用商店", "en": "Play Store"},
    activities={HOME: MarketHomeActivity, DETAILS: MarketDetailsActivity},
    launcher=HOME,
    version_name="40.6.31",
    version_code=84063100,
    icon_seed="store",
    icon_color="#01875F",
    icon_glyph="icon:store",
    system=True,
    initial_data=_initial_data,
    state=state,
)
