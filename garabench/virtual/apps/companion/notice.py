"""The companion's second way: a notification with a full-screen intent, of which there is at most one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from garabench.virtual.apps.companion.spec import SpecError, parse
from garabench.virtual.apps.companion.teller import Teller, token_of
from garabench.virtual.apps.framework import Context, Intent

CHANNEL = "interruptions"
PERMISSIONS = ("android.permission.POST_NOTIFICATIONS", "android.permission.USE_FULL_SCREEN_INTENT")
_POST = "android.permission.POST_NOTIFICATIONS"
_POST_SDK = 33
_KEPT = "notice"


def post(ctx: Context, extras: Mapping[str, Any], show: str, swiped: str) -> str:
    """Post what an intent describes as it does for the window.

    Args:
        ctx: Of this app.
        extras: Specification and token.
        show: The window's activity.
        swiped: The broadcast that tells that a person has taken the notification away.

    Returns:
        ``posted``; ``error:<reason>`` of a wrong specification, which is told, too; or ``notifications-off``.
    """
    token = token_of(extras)
    try:
        spec = parse(extras.get("spec"))
    except SpecError as error:
        Teller(ctx, token).tell(f"error:{error}")
        return f"error:{error}"
    if ctx.sdk >= _POST_SDK and not ctx.permission(_POST):
        return "notifications-off"
    end(ctx, "replaced")
    ctx.data[_KEPT] = {"token": token, "template": spec.template.value}
    window = Intent(
        package=ctx.package,
        activity=show,
        extras={"spec": extras.get("spec"), "token": token},
        flags=frozenset({"NEW_TASK"}),
    )
    away = Intent(action=swiped, package=ctx.package, extras={"token": token})
    Teller(ctx, token).tell("posted")
    ctx.system.notifications.post(
        ctx.package, CHANNEL, spec.title, spec.message, window, full_screen=True, deleted=away
    )
    return "posted"


def opened(ctx: Context, token: str) -> None:
    """The window of a token is there: its notification has done its work, another's gives way to it."""
    kept = ctx.data.get(_KEPT)
    if kept is not None and kept["token"] == token:
        _forget(ctx)
    else:
        end(ctx, "replaced")


def end(ctx: Context, reason: str) -> bool:
    """Take the notification away, telling why; whether there was one."""
    kept = ctx.data.get(_KEPT)
    if kept is None:
        return False
    _forget(ctx)
    Teller(ctx, kept["token"]).tell(f"dismissed:{reason}")
    return True


def state(ctx: Context) -> Mapping[str, Any] | None:
    """What waits, for the runner's question; None when nothing does."""
    kept = ctx.data.get(_KEPT)
    return None if kept is None else {"kind": "notification", **kept, "open": True}


def _forget(ctx: Context) -> None:
    del ctx.data[_KEPT]
    ctx.system.windows.close_heads_up()
    ctx.system.notifications.cancel_all(ctx.package)
