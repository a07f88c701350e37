"""The companion's notification; there is at most one.

It is either the second way to show a window, by a full-screen intent, or a heads-up notification by itself,
with buttons, which ends after a time limit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from garabench.virtual.android.notifications import NotificationAction
from garabench.virtual.apps.companion.event_log import EventLogger, token_of
from garabench.virtual.apps.companion.spec import OPEN, SpecError, parse, parse_alert
from garabench.virtual.kit.framework import Context, Intent

CHANNEL = "interruptions"
PERMISSIONS = ("android.permission.POST_NOTIFICATIONS", "android.permission.USE_FULL_SCREEN_INTENT")
POSTED = "posted"
OFF = "notifications-off"
NO_HEADS_UP = "no-heads-up"
NO_FULL_SCREEN = "no-full-screen"
SHOWN = (POSTED, NO_FULL_SCREEN)
"""The answers that a notification is there."""
_POST = "android.permission.POST_NOTIFICATIONS"
_FULL_SCREEN_OP = "USE_FULL_SCREEN_INTENT"
_HEADS_UP_SDK, _POST_SDK, _FULL_SCREEN_SDK = 21, 33, 34
_KEPT = "notice"
_KINDS = ("notification", "heads-up")


@dataclass(frozen=True, slots=True)
class Words:
    """The actions of the app's own broadcasts: the notification was swiped away, pressed, or is over."""

    swiped: str
    pressed: str
    expired: str


def post(ctx: Context, extras: Mapping[str, Any], show: str, words: Words) -> str:
    """Post what an intent describes as it does for the window.

    Args:
        ctx: Of this app.
        extras: Specification and token.
        show: The window's activity.
        words: What is sent when something happens to the notification.

    Returns:
        ``posted``; ``no-full-screen`` when it was posted without its full-screen intent, which Android 14
        lets nobody use whose app-op is denied; ``error:<reason>`` of an invalid specification, which is also
        logged; or ``notifications-off``.
    """
    token = token_of(extras)
    try:
        spec = parse(extras.get("spec"))
    except SpecError as error:
        return _refused(ctx, token, error)
    if _is_off(ctx):
        return OFF
    _keep(ctx, _KINDS[0], token, spec.template.value)
    EventLogger(ctx, token).write("posted")
    denied = ctx.sdk >= _FULL_SCREEN_SDK and not ctx.system.packages.allows(ctx.package, _FULL_SCREEN_OP)
    ctx.system.notifications.post(
        ctx.package,
        CHANNEL,
        spec.title,
        spec.message,
        Intent(
            package=ctx.package,
            activity=show,
            extras={"spec": extras.get("spec"), "token": token},
            flags=frozenset({"NEW_TASK"}),
        ),
        full_screen=not denied,
        urgent=True,
        delete_intent=_own(ctx, words.swiped, token),
    )
    return NO_FULL_SCREEN if denied else POSTED


def alert(ctx: Context, extras: Mapping[str, Any], words: Words) -> str:
    """Post a heads-up notification: shown at the top of the screen for some seconds, then in the shade.

    Args:
        ctx: Of this app.
        extras: Specification and token.
        words: What is sent when something happens to the notification.

    Returns:
        As `post`, or ``no-heads-up`` where Android has none, before 5.0.
    """
    token = token_of(extras)
    try:
        given = parse_alert(extras.get("spec"))
    except SpecError as error:
        return _refused(ctx, token, error)
    if ctx.sdk < _HEADS_UP_SDK:
        return NO_HEADS_UP
    if _is_off(ctx):
        return OFF
    clock = ctx.system.clock
    _keep(ctx, _KINDS[1], token, "", ends_at=clock.now_ms() + given.seconds * 1000)
    expired = _own(ctx, words.expired, token)
    clock.after(
        given.seconds * 1000,
        lambda: ctx.system.broadcast(expired.action, dict(expired.extras), ctx.package),
    )
    ctx.system.notifications.post(
        ctx.package,
        CHANNEL,
        given.title,
        given.message,
        urgent=True,
        delete_intent=_own(ctx, words.swiped, token),
        tap_broadcast=_own(ctx, words.pressed, token, key=OPEN),
        actions=tuple(
            NotificationAction(each.label, _own(ctx, words.pressed, token, key=each.key))
            for each in given.buttons
        ),
    )
    EventLogger(ctx, token).write("shown")
    return POSTED


def _refused(ctx: Context, token: str, error: SpecError) -> str:
    EventLogger(ctx, token).write(f"error:{error}")
    return f"error:{error}"


def _is_off(ctx: Context) -> bool:
    return ctx.sdk >= _POST_SDK and not ctx.permission(_POST)


def _own(ctx: Context, action: str, token: str, **more: str) -> Intent:
    return Intent(action=action, package=ctx.package, extras={"token": token, **more})


def _keep(ctx: Context, kind: str, token: str, template: str, *, ends_at: int = 0) -> None:
    end(ctx, "replaced")
    ctx.data[_KEPT] = {"kind": kind, "token": token, "template": template, "ends_at": ends_at}


def opened(ctx: Context, token: str) -> None:
    """The window of a token is there: its notification has done its work, another's gives way to it."""
    kept = ctx.data.get(_KEPT)
    if kept is not None and kept["token"] == token:
        _forget(ctx)
    else:
        end(ctx, "replaced")


def end(ctx: Context, reason: str, token: str | None = None) -> bool:
    """Remove the notification and log the reason; return whether there was one.

    Args:
        ctx: Of this app.
        reason: Why.
        token: The one that is meant; None for whichever there is.
    """
    return _last_word(ctx, f"dismissed:{reason}", token)


def pressed(ctx: Context, extras: Mapping[str, Any]) -> bool:
    """A button of a heads-up notification was pressed, or the notification itself; whether it ended it."""
    key = extras.get("key")
    return isinstance(key, str) and _last_word(ctx, f"pressed:{key}", token_of(extras))


def expired(ctx: Context, extras: Mapping[str, Any]) -> bool:
    """The time of a notification may be over; whether it was."""
    kept = ctx.data.get(_KEPT)
    if kept is None or not 0 < kept["ends_at"] <= ctx.system.clock.now_ms():
        return False
    return end(ctx, "timeout", token_of(extras))


def _last_word(ctx: Context, event: str, token: str | None) -> bool:
    kept = ctx.data.get(_KEPT)
    if kept is None or token not in (None, kept["token"]):
        return False
    _forget(ctx)
    EventLogger(ctx, kept["token"]).write(event)
    return True


def state(ctx: Context) -> Mapping[str, Any] | None:
    """What waits, for the runner's question; None when nothing does."""
    kept = ctx.data.get(_KEPT)
    if kept is None:
        return None
    return {"kind": kept["kind"], "token": kept["token"], "template": kept["template"], "open": True}


def _forget(ctx: Context) -> None:
    del ctx.data[_KEPT]
    ctx.system.windows.close_heads_up()
    ctx.system.notifications.cancel_all(ctx.package)
