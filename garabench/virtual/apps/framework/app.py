"""The package ``android``: ``ResolverActivity``, which asks which app to open, and ``SuspendedAppActivity``.

Resource ids, texts and behaviour are those of AOSP's ``ResolverActivity``: the buttons are enabled after an
app was selected, a second tap on the selected app opens it once, and "Always" stores the choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import cast

from garabench.virtual.android.package_manager import (
    RESOLVER,
    RESOLVER_PACKAGE,
    SUSPENDED,
    ResolvedActivity,
)
from garabench.virtual.android.phone_interface import PhoneInterface
from garabench.virtual.apps.settings import rows
from garabench.virtual.kit.framework import Activity, App, Intent
from garabench.virtual.kit.launcher_icons import app_icon
from garabench.virtual.kit.state import no_state
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Button,
    Column,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
)

_PHONE = "android:id/"
_SCRIM = "#52000000"
_MAX_LIST = 400.0
_ROW = 64.0


class ResolverPage(Activity):
    """The sheet with the apps that can handle an intent."""

    translucent = True
    excluded_from_recents = True

    def on_create(self) -> None:
        self.chosen = -1

    def on_new_intent(self, intent: Intent) -> None:
        self.intent, self.chosen = intent, -1

    @property
    def _original(self) -> Intent:
        """The intent that needs an answer."""
        return replace(self.intent, package="", activity="")

    @property
    def _phone(self) -> PhoneInterface:
        return cast(PhoneInterface, self.ctx.system)

    def _found(self) -> Sequence[ResolvedActivity]:
        return self._phone.packages.query(self._original)

    def build(self) -> Widget:
        ctx, palette, found = self.ctx, rows.colors(self.ctx), self._found()
        entries = ScrollView(
            id=f"{_PHONE}resolver_list",
            width=MATCH,
            height=min(_MAX_LIST, ctx.height_dp / 2, _ROW * len(found)),
            children=[Column(width=MATCH, children=[self._entry(n, each) for n, each in enumerate(found)])],
        )
        buttons = [
            self._button("button_once", ctx.t("仅此一次", "Just once"), always=False),
            self._button("button_always", ctx.t("始终", "Always"), always=True),
        ]
        sheet = Column(
            id=f"{_PHONE}contentPanel",
            width=MATCH,
            background=palette.card,
            radius=24,
            padding=insets(0, 16, 0, 8),
            align_vertical=Align.END,
            on_click=lambda: None,
            children=[
                Text(
                    id=f"{_PHONE}title",
                    text=ctx.t("打开方式", "Open with"),
                    size=20,
                    color=palette.ink,
                    padding=insets(24, 4, 24, 12),
                ),
                entries,
                Row(
                    id=f"{_PHONE}button_bar",
                    width=MATCH,
                    justify=Align.END,
                    padding=insets(16, 8),
                    gap=8,
                    children=buttons,
                ),
            ],
        )
        return Box(width=MATCH, height=MATCH, background=_SCRIM, on_click=ctx.finish, children=[sheet])

    def _entry(self, number: int, found: ResolvedActivity) -> Widget:
        palette, chosen = rows.colors(self.ctx), number == self.chosen
        label = found.app.label.get(self.ctx.lang) or next(iter(found.app.label.values()), found.app.package)
        return Row(
            width=MATCH,
            height=_ROW,
            gap=16,
            padding=insets(24, 8),
            selected=chosen,
            background=palette.line if chosen else None,
            key=found.component,
            on_click=partial(self._select, number),
            children=[
                app_icon(found.app, 40, id_=f"{_PHONE}icon"),
                Text(id=f"{_PHONE}text1", text=label, size=16, color=palette.ink),
            ],
        )

    def _button(self, name: str, text: str, *, always: bool) -> Widget:
        palette, enabled = rows.colors(self.ctx), self.chosen >= 0
        return Button(
            id=f"{_PHONE}{name}",
            text=text,
            color=palette.accent if enabled else palette.grey,
            enabled=enabled,
            on_click=partial(self._open, always=always),
        )

    def _select(self, number: int) -> None:
        if number == self.chosen:
            self._open(always=False)
        self.chosen = number

    def _open(self, *, always: bool) -> None:
        found = self._found()
        if not 0 <= self.chosen < len(found):  # an app was removed meanwhile
            self.chosen = -1
            return
        target, original = found[self.chosen], self._original
        if always:
            self._phone.packages.prefer(original, target.component)
        self.ctx.finish()
        self.ctx.start(replace(original, package=target.app.package, activity=target.activity))


class SuspendedAppPage(Activity):
    """The dialog in place of an app that the shell has suspended (AOSP ``SuspendedAppActivity``)."""

    translucent = True
    excluded_from_recents = True
    exported = False

    def on_create(self) -> None:
        self.package = str(self.intent.extras.get("android.intent.extra.PACKAGE_NAME", ""))

    def build(self) -> Widget:
        ctx, palette = self.ctx, rows.colors(self.ctx)
        label = cast(PhoneInterface, ctx.system).label(self.package)
        text = ctx.t(
            f"“{label}”目前无法使用。该应用由“Shell”管理。",
            f"{label} isn’t available right now. This is managed by Shell.",
        )
        panel = Column(
            id=f"{_PHONE}parentPanel",
            width=300,
            background=palette.card,
            radius=24,
            padding=insets(24, 20, 12, 8),
            gap=12,
            align_self=Align.CENTER,
            align_vertical=Align.CENTER,
            on_click=lambda: None,
            children=[
                Text(
                    id=f"{_PHONE}alertTitle",
                    text=ctx.t("应用无法使用", "App isn’t available"),
                    size=20,
                    color=palette.ink,
                ),
                Text(id=f"{_PHONE}message", text=text, size=16, color=palette.ink),
                Row(
                    width=MATCH,
                    justify=Align.END,
                    children=[
                        Button(
                            id=f"{_PHONE}button1",
                            text=ctx.t("确定", "OK"),
                            color=palette.accent,
                            on_click=ctx.finish,
                        )
                    ],
                ),
            ],
        )
        return Box(width=MATCH, height=MATCH, background=_SCRIM, on_click=ctx.finish, children=[panel])


APP = App(
    package=RESOLVER_PACKAGE,
    label={"zh": "Android 系统", "en": "Android System"},
    activities={RESOLVER: ResolverPage, SUSPENDED: SuspendedAppPage},
    version_name="14",
    version_code=34,
    icon_seed="android",
    icon_color="#3DDC84",
    icon_glyph="icon:settings",
    system=True,
    state=no_state,
    apk_path="/system/framework/framework-res.apk",
)
