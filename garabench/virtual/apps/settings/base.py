"""What all pages of Settings have in common."""

from __future__ import annotations

from garabench.virtual.apps.framework import Activity
from garabench.virtual.apps.settings import rows
from garabench.virtual.apps.settings.state import PhoneState


class SettingsPage(Activity):
    """A page that knows the phone's state and follows its theme."""

    def on_create(self) -> None:
        self.state = PhoneState(self.ctx)
        self.status_bar = rows.colors(self.ctx).page

    def on_resume(self) -> None:
        self.status_bar = rows.colors(self.ctx).page
