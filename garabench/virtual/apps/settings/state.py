"""The data of Settings beyond the system settings, as records; see ``docs/app-state.md``."""

from __future__ import annotations

from collections.abc import Iterator

from garabench.core.app_state import StateRecord
from garabench.virtual.kit.framework import Context
from garabench.virtual.kit.state import item, marks


def state(ctx: Context) -> Iterator[StateRecord]:
    """Return the Wi-Fi networks, and the apps whose notifications are off."""
    network = ctx.data["network"]
    yield item("wifi-network", "current", f"WLAN：{network}", f"Wi-Fi: {network}", name=network)
    yield from marks("saved-network", ctx.data["saved"], "保存了 WLAN“{}”", 'Saved the Wi-Fi network "{}"')
    yield from marks(
        "notifications-off", ctx.data["quiet"], "关闭了 {} 的通知", "Notifications of {} are off"
    )
