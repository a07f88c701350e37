"""The base of the Settings pages."""

from __future__ import annotations

from garabench.virtual.apps.settings import rows
from garabench.virtual.apps.settings.phone_state import PhoneState
from garabench.virtual.kit.framework import Activity


class SettingsPage(Activity):
    """A page with the phone's state, in the current theme."""

    def on_create(self) -> None:
        self.state = PhoneState(self.ctx)
        self.status_bar = rows.colors(self.ctx).page

    def on_resume(self) -> None:
        self.status_bar = rows.colors(self.ctx).page
