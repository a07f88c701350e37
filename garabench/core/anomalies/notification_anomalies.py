"""Anomalies that announce something: notifications, calls and text messages.

Sources: ``NotificationShellCmd`` of AOSP, and the emulator's console.
"""

from __future__ import annotations

import base64
import json
from types import MappingProxyType

from garabench.core import device_switches
from garabench.core.anomalies.anomaly import (
    AnomalyRequest,
    Part,
    Precondition,
    Requirement,
    TransientCommand,
)
from garabench.core.companion_app import CLOSE, COMMANDS, HEADS_UP, PACKAGE, PERMISSION, PERMISSION_SDK
from garabench.core.device_changes import StateQuery, Switch, SwitchState


def notification(request: AnomalyRequest) -> tuple[Part, ...]:
    """Post a notification from adb's shell."""
    title, text = {"zh": ("新消息", "你有一条未读消息")}.get(
        request.language, ("New message", "One unread message")
    )
    return (device_switches.notification_switch(title, text),)


def heads_up_title(request: AnomalyRequest) -> str:
    """Return the title of the heads-up notification, by which it is found on the tree."""
    return {"zh": "李雷：在吗？"}.get(request.language, "Li Lei: are you there?")


def heads_up(request: AnomalyRequest) -> tuple[Part, ...]:
    """Post a notification from the companion app, since adb's shell cannot post a heads-up notification."""
    message, answer = {"zh": ("晚上一起吃饭吧", "回复")}.get(request.language, ("Dinner tonight?", "Reply"))
    spec = {
        "v": 1,
        "title": heads_up_title(request),
        "message": message,
        "buttons": [{"key": "accept", "label": answer}],
    }
    encoded = base64.b64encode(json.dumps(spec, ensure_ascii=False).encode()).decode()
    extras = ("--es", "token", "heads-up", "--es", "spec", encoded)
    states = {
        "posted": SwitchState(("user=UserHandle",), (*HEADS_UP, "-n", COMMANDS, *extras)),
        "none": SwitchState(("",), CLOSE),
    }
    query = StateQuery(("dumpsys", "notification"), f": pkg={PACKAGE}")
    there = Requirement(
        StateQuery(("pm", "list", "packages", PACKAGE), "package:"),
        (PACKAGE,),
        "the companion app is not installed; install it with `garabench device setup`",
    )
    may = (Precondition(device_switches.permission_switch(PACKAGE, PERMISSION, granted=True)),)
    return (
        there,
        *(may if request.sdk >= PERMISSION_SDK else ()),
        Switch("the companion app's notification", query, MappingProxyType(states), "posted"),
    )


def call(request: AnomalyRequest) -> tuple[Part, ...]:
    """Call an emulator."""
    states = {
        "a call": SwitchState((request.value,), ("emu", "gsm", "call", request.value)),
        "none": SwitchState(("",), ("emu", "gsm", "cancel", request.value)),
    }
    query = StateQuery(("emu", "gsm", "list"), "inbound from")
    return (Switch("the incoming call", query, MappingProxyType(states), "a call"),)


def sms(request: AnomalyRequest) -> tuple[Part, ...]:
    """Send a text message to an emulator."""
    return (
        TransientCommand(
            ("emu", "sms", "send", request.value, "验证码" if request.language == "zh" else "code", "4711")
        ),
    )
