"""The home screen: date and weather, a search pill, the installed apps in a grid, and the dock."""

from __future__ import annotations

from functools import partial

from garabench.virtual.kit.framework import Activity, App, Intent, Timer
from garabench.virtual.kit.intent_filter import DEFAULT, IntentFilter
from garabench.virtual.kit.launcher_icons import app_icon
from garabench.virtual.kit.state import no_state
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Gradient,
    Icon,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
    spacer,
)

PACKAGE = "com.android.launcher3"
HOME = f"{PACKAGE}.uioverrides.QuickstepLauncher"
OLD_HOME = f"{PACKAGE}.Launcher"
HOME_CATEGORY = "android.intent.category.HOME"

COLUMNS, WIDE_COLUMNS = 4, 7
LOW_SCREEN = 480.0
"""Below this height in dp, the phone is in landscape."""
DRAWER_ONLY = frozenset(
    f"com.android.{name}" for name in ("browser", "dialer", "contacts", "deskclock", "calculator2", "camera2")
)
"""Apps that are not on the home screen, only among all apps."""
DOCK = ("com.android.vending", "com.android.settings")
CELL_HEIGHT = 96.0
ICON = 56.0
LIGHT = "#FFFFFF"
SKY = "#1B3A6B"
"""Top colour of the wallpaper."""
DRAWER = "#F3F6FC"

_DAYS_ZH = "一二三四五六日"
_DAYS_EN = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS_EN = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


class LauncherHomeActivity(Activity):
    """The home screen; it never finishes."""

    launch_mode = "singleTask"
    excluded_from_recents = True
    status_bar = SKY
    filters = (IntentFilter(("android.intent.action.MAIN",), (HOME_CATEGORY, DEFAULT)),)

    def on_create(self) -> None:
        self.timer: Timer | None = None
        self.drawer = False

    def on_resume(self) -> None:
        self._tick()

    def on_pause(self) -> None:
        self.drawer = False
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    def on_new_intent(self, intent: Intent) -> None:
        self.drawer = False

    def on_back(self) -> bool:
        self.drawer = False
        return True

    def _tick(self) -> None:
        """Rebuild the view at each full minute, for the clock."""
        if self.timer is not None:
            self.timer.cancel()
        now = self.ctx.now()
        self.timer = self.ctx.after(60_000 - (now.second * 1000 + now.microsecond // 1000), self._tick)

    def _apps(self) -> list[App]:
        return [each.app for each in self.ctx.system.packages.query_launcher() if each.app.package != PACKAGE]

    def build(self) -> Widget:
        apps = self._apps()
        self.status_bar = DRAWER if self.drawer else SKY
        if self.drawer:
            return self._drawer(apps)
        docked = [app for package in DOCK for app in apps if app.package == package]
        rest = [app for app in apps if app not in docked and app.package not in DRAWER_ONLY]
        low = self.ctx.height_dp < LOW_SCREEN
        columns = WIDE_COLUMNS if low else COLUMNS
        rows = max(1, int((self.ctx.height_dp - (190 if low else 330)) // CELL_HEIGHT))
        shown = rest[: rows * columns]
        return Box(
            id="launcher",
            children=[
                _wallpaper(),
                Column(
                    id="workspace",
                    children=[
                        self._clock_card(low),
                        _grid([self._cell(app) for app in shown], columns),
                        spacer(),
                        *([] if low else [self._search()]),
                        self._dock(docked),
                    ],
                    width=MATCH,
                    height=MATCH,
                ),
            ],
            width=MATCH,
            height=MATCH,
        )

    def _drawer(self, apps: list[App]) -> Widget:
        return Column(
            id="apps_view",
            children=[
                Text(
                    text=self.ctx.t("所有应用", "All apps"), size=22, color="#1F1F1F", padding=insets(24, 20)
                ),
                ScrollView(
                    id="apps_list_view",
                    children=[
                        _grid(
                            [self._cell(app, ink="#1F1F1F") for app in apps],
                            WIDE_COLUMNS if self.ctx.height_dp < LOW_SCREEN else COLUMNS,
                        )
                    ],
                    weight=1,
                    width=MATCH,
                ),
            ],
            width=MATCH,
            height=MATCH,
            background=DRAWER,
        )

    def _clock_card(self, low: bool) -> Widget:
        now = self.ctx.now()
        date = self.ctx.t(
            f"{now.month}月{now.day}日 星期{_DAYS_ZH[now.weekday()]}",
            f"{_DAYS_EN[now.weekday()]}, {_MONTHS_EN[now.month - 1]} {now.day}",
        )
        return Column(
            id="bc_smartspace_view",
            children=[
                Text(id="clock", text=now.strftime("%H:%M"), size=52, color=LIGHT, visible=not low),
                Row(
                    children=[
                        Text(id="date", text=date, size=16, color=LIGHT),
                        Widget(
                            width=0.8,
                            height=14,
                            background="#99FFFFFF",
                            margin=insets(12, 0),
                            important=False,
                        ),
                        Icon(name="sun", size=18, color="#FFE082", important=False),
                        Text(
                            id="weather",
                            text=self.ctx.t("24°C 晴", "24°C Sunny"),
                            size=16,
                            color=LIGHT,
                            margin=insets(6, 0, 0, 0),
                        ),
                    ],
                    margin=insets(0, 2, 0, 0),
                ),
            ],
            padding=insets(26, 12, 26, 10) if low else insets(26, 28, 26, 30),
        )

    def _cell(self, app: App, *, ink: str = LIGHT) -> Widget:
        label = app.label.get(self.ctx.lang, app.label["en"])
        return Column(
            id="icon",
            key=app.package,
            desc=label,
            children=[
                Box(children=[app_icon(app, ICON)], align_self=Align.CENTER, important=False),
                Text(
                    text=label,
                    size=12,
                    color=ink,
                    max_lines=1,
                    align=Align.CENTER,
                    width=MATCH,
                    margin=insets(0, 7, 0, 0),
                ),
            ],
            height=CELL_HEIGHT,
            weight=1,
            padding=insets(4, 6, 4, 0),
            on_click=partial(self._open, app),
            on_long_click=partial(self._details, app),
        )

    def _search(self) -> Widget:
        return Row(
            id="search_container_hotseat",
            children=[
                Icon(name="search", size=22, color="#E8EAED", important=False),
                Text(
                    text=self.ctx.t("搜索应用和网页", "Search apps and web"),
                    size=15,
                    color="#E8EAED",
                    margin=insets(12, 0, 0, 0),
                ),
                spacer(),
                Icon(name="mic", size=22, color="#E8EAED", important=False),
            ],
            height=50,
            width=MATCH,
            radius=999,
            background="#40FFFFFF",
            padding=insets(18, 0),
            margin=insets(24, 0, 24, 14),
            desc=self.ctx.t("搜索", "Search"),
            on_click=self._show_drawer,
        )

    def _dock(self, apps: list[App]) -> Widget:
        every = Box(
            id="all_apps_button",
            desc=self.ctx.t("所有应用", "All apps"),
            children=[
                Box(
                    children=[
                        Icon(
                            name="grid",
                            size=28,
                            color="#3C4043",
                            align_self=Align.CENTER,
                            align_vertical=Align.CENTER,
                            important=False,
                        )
                    ],
                    width=ICON,
                    height=ICON,
                    radius=ICON * 0.26,
                    background="#E8EEF9",
                    align_self=Align.CENTER,
                    important=False,
                )
            ],
            weight=1,
            on_click=self._show_drawer,
        )
        icons: list[Widget] = [
            Box(
                id="icon",
                key=f"dock-{app.package}",
                desc=app.label.get(self.ctx.lang, app.label["en"]),
                children=[Box(children=[app_icon(app, ICON)], align_self=Align.CENTER, important=False)],
                weight=1,
                on_click=partial(self._open, app),
                on_long_click=partial(self._details, app),
            )
            for app in apps
        ]
        middle = len(icons) // 2
        return Row(
            id="hotseat",
            children=[*icons[:middle], every, *icons[middle:]],
            width=MATCH,
            padding=insets(16, 10, 16, 18),
            background="#26FFFFFF",
            radius=28,
            margin=insets(14, 0, 14, 14),
        )

    def _show_drawer(self) -> None:
        self.drawer = True

    def _open(self, app: App) -> None:
        self.drawer = False
        self.ctx.start(
            Intent(
                action="android.intent.action.MAIN",
                package=app.package,
                activity=app.launcher,
                categories=frozenset({"android.intent.category.LAUNCHER"}),
                flags=frozenset({"NEW_TASK"}),
            )
        )

    def _details(self, app: App) -> None:
        self.ctx.start(
            Intent(
                action="android.settings.APPLICATION_DETAILS_SETTINGS",
                data=f"package:{app.package}",
                flags=frozenset({"NEW_TASK"}),
            )
        )


def _wallpaper() -> Widget:
    return Box(
        children=[
            Widget(width=MATCH, height=MATCH, background=Gradient(SKY, "#8FA9D6")),
            Widget(
                width=520,
                height=520,
                radius=999,
                background=Gradient("#3F6FB5", "#335C98"),
                opacity=0.55,
                align_self=Align.END,
                align_vertical=Align.CENTER,
                margin=insets(0, 0, -190, 0),
            ),
            Widget(
                width=420,
                height=420,
                radius=999,
                background=Gradient("#E9B7A0", "#C98CA6"),
                opacity=0.55,
                align_self=Align.START,
                align_vertical=Align.END,
                margin=insets(-150, 0, 0, -130),
            ),
        ],
        width=MATCH,
        height=MATCH,
        important=False,
    )


def _grid(cells: list[Widget], columns: int) -> Widget:
    rows = []
    for start in range(0, len(cells), columns):
        part = cells[start : start + columns]
        empty = [Widget(weight=1, height=CELL_HEIGHT, important=False) for _ in range(columns - len(part))]
        rows.append(Row(children=[*part, *empty], width=MATCH))
    return Column(children=rows, width=MATCH, padding=insets(14, 0))


APP = App(
    package=PACKAGE,
    label={"zh": "桌面", "en": "Launcher"},
    activities={HOME: LauncherHomeActivity},
    old_names={HOME: OLD_HOME},
    version_name="14",
    version_code=34,
    system=True,
    state=no_state,
)
