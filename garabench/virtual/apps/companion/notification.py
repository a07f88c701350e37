"""The companion's notification; there is at most one.

It is of one of two kinds: a notification with a full-screen intent, which opens a window, or a heads-up
notification, which stands alone, has buttons, and expires after a timeout.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from garabench.virtual.android.notifications import NotificationAction
from garabench.virtual.apps.companion.event_log import EventLogger, token_of
from garabench.virtual.apps.companion.spec import OPEN, SpecError, parse, parse_heads_up
from garabench.virtual.kit.framework import Context, Intent

CHANNEL = "interruptions"
PERMISSIONS = ("android.permission.POST_NOTIFICATIONS", "android.permission.USE_FULL_SCREEN_INTENT")
POSTED = "posted"
OFF = "notifications-off"
NO_HEADS_UP = "no-heads-up"
NO_FULL_SCREEN = "no-full-screen"
POSTED_RESULTS = (POSTED, NO_FULL_SCREEN)
"""The results for a notification that was posted."""
_POST = "android.permission.POST_NOTIFICATIONS"
_FULL_SCREEN_OP = "USE_FULL_SCREEN_INTENT"
_HEADS_UP_SDK, _POST_SDK, _FULL_SCREEN_SDK = 21, 33, 34
_STORED = "notification"
_KINDS = ("notification", "heads-up")


@dataclass(frozen=True, slots=True)
class BroadcastActions:
    """Actions of the broadcasts that report what happened to the notification."""

    swiped: str
    pressed: str
    expired: str


def post(ctx: Context, extras: Mapping[str, Any], show: str, actions: BroadcastActions) -> str:
    """Post a notification with a full-screen intent, which opens the window of `show`.

    Args:
        ctx: The app's context.
        extras: The specification and the token.
        show: The window's activity.
        actions: Broadcast when something happens to the notification.

    Returns:
        ``posted``; ``no-full-screen`` if the notification will not open the window by itself, because Android
        14 ignores the full-screen intent of an app whose app-op is denied; ``error:<reason>`` for an invalid
        specification, which is also reported as an event; or ``notifications-off``.
    """
    token = token_of(extras)
    try:
        spec = parse(extras.get("spec"))
    except SpecError as error:
        return _rejected(ctx, token, error)
    if _is_off(ctx):
        return OFF
    _store(ctx, _KINDS[0], token, spec.template.value)
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
        delete_intent=_broadcast(ctx, actions.swiped, token),
    )
    return NO_FULL_SCREEN if denied else POSTED


def post_heads_up(ctx: Context, extras: Mapping[str, Any], actions: BroadcastActions) -> str:
    """Post a heads-up notification: at the top of the screen for some seconds, then in the shade.

    Args:
        ctx: The app's context.
        extras: The specification and the token.
        actions: Broadcast when something happens to the notification.

    Returns:
        ``posted``, ``error:<reason>``, ``notifications-off``, or ``no-heads-up`` before Android 5.0.
    """
    token = token_of(extras)
    try:
        spec = parse_heads_up(extras.get("spec"))
    except SpecError as error:
        return _rejected(ctx, token, error)
    if ctx.sdk < _HEADS_UP_SDK:
        return NO_HEADS_UP
    if _is_off(ctx):
        return OFF
    clock = ctx.system.clock
    _store(ctx, _KINDS[1], token, "", expires_at=clock.now_ms() + spec.seconds * 1000)
    expired = _broadcast(ctx, actions.expired, token)
    clock.after(
        spec.seconds * 1000,
        lambda: ctx.system.broadcast(expired.action, dict(expired.extras), ctx.package),
    )
    ctx.system.notifications.post(
        ctx.package,
        CHANNEL,
        spec.title,
        spec.message,
        urgent=True,
        delete_intent=_broadcast(ctx, actions.swiped, token),
        tap_broadcast=_broadcast(ctx, actions.pressed, token, key=OPEN),
        actions=tuple(
            NotificationAction(each.label, _broadcast(ctx, actions.pressed, token, key=each.key))
            for each in spec.buttons
        ),
    )
    EventLogger(ctx, token).write("shown")
    return POSTED


def _rejected(ctx: Context, token: str, error: SpecError) -> str:
    EventLogger(ctx, token).write(f"error:{error}")
    return f"error:{error}"


def _is_off(ctx: Context) -> bool:
    return ctx.sdk >= _POST_SDK and not ctx.permission(_POST)


def _broadcast(ctx: Context, action: str, token: str, **more: str) -> Intent:
    return Intent(action=action, package=ctx.package, extras={"token": token, **more})


def _store(ctx: Context, kind: str, token: str, template: str, *, expires_at: int = 0) -> None:
    dismiss(ctx, "replaced")
    ctx.data[_STORED] = {"kind": kind, "token": token, "template": template, "expires_at": expires_at}


def window_opened(ctx: Context, token: str) -> None:
    """Remove the notification because a window opened; report ``replaced`` if it has another token."""
    stored = ctx.data.get(_STORED)
    if stored is not None and stored["token"] == token:
        _remove(ctx)
    else:
        dismiss(ctx, "replaced")


def dismiss(ctx: Context, reason: str, token: str | None = None) -> bool:
    """Remove the notification and report the reason; return whether there was one.

    Args:
        ctx: The app's context.
        reason: The reason to report.
        token: Remove only the notification of this token; None for any.
    """
    return _end(ctx, f"dismissed:{reason}", token)


def pressed(ctx: Context, extras: Mapping[str, Any]) -> bool:
    """Report a press on the notification or one of its buttons; return whether this ended it."""
    key = extras.get("key")
    return isinstance(key, str) and _end(ctx, f"pressed:{key}", token_of(extras))


def expired(ctx: Context, extras: Mapping[str, Any]) -> bool:
    """Remove the notification if it has expired; return whether it had."""
    stored = ctx.data.get(_STORED)
    if stored is None or not 0 < stored["expires_at"] <= ctx.system.clock.now_ms():
        return False
    return dismiss(ctx, "timeout", token_of(extras))


def _end(ctx: Context, event: str, token: str | None) -> bool:
    stored = ctx.data.get(_STORED)
    if stored is None or token not in (None, stored["token"]):
        return False
    _remove(ctx)
    EventLogger(ctx, stored["token"]).write(event)
    return True


def state(ctx: Context) -> Mapping[str, Any] | None:
    """Return the entry in the result of the STATE broadcast, or None if there is no notification."""
    stored = ctx.data.get(_STORED)
    if stored is None:
        return None
    return {"kind": stored["kind"], "token": stored["token"], "template": stored["template"], "open": True}


def _remove(ctx: Context) -> None:
    del ctx.data[_STORED]
    ctx.system.windows.close_heads_up()
    ctx.system.notifications.cancel_all(ctx.package)
