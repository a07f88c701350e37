"""Describe a system anomaly in words: how it is verified to be in effect, and how it is undone."""

from __future__ import annotations

import shlex

from garabench.core.anomalies import split_screen
from garabench.core.anomalies.anomaly import (
    Aftermath,
    Anomaly,
    AnomalyRequest,
    ClockShift,
    HangPart,
    Precondition,
    SplitScreenPart,
    TextFieldTap,
    TransientCommand,
    Verification,
)
from garabench.core.anomalies.app_anomalies import process_state
from garabench.core.device_changes import Argv, Change, Choice, Setting, StateQuery, Switch
from garabench.device.undo import clock_shift

_APP = "APP"
"""Placeholder for the task's app."""


def verifying_commands(anomaly: Anomaly) -> tuple[str, ...]:
    """Return the commands and readings that verify an anomaly, with its parameter's default."""
    lines = []
    for part in anomaly.parts(_default_request(anomaly)):
        match part:
            case TransientCommand():
                if part.query is not None:
                    lines.append(_reading(part.query, part.expected[0]))
            case Setting() | Choice():
                lines.append(_reading(part.query, part.value))
            case Switch() | TextFieldTap(effect=Switch()):
                switch = part.effect if isinstance(part, TextFieldTap) else part
                lines.append(_reading(switch.query, switch.states[switch.to].readings[0]))
            case HangPart():
                lines.append(_reading(process_state("PID"), "T"))
            case ClockShift():
                lines.append(
                    f"`date` differs by {part.seconds:+d} s from the time expected by `/proc/uptime`"
                )
            case _:
                pass
    if anomaly.verification is not Verification.STATE:
        lines.append(anomaly.verification.value)
    return tuple(lines)


def undoing_commands(anomaly: Anomaly) -> tuple[str, ...]:
    """Return how an anomaly's changes are undone, the last first; empty if it changes nothing lasting."""
    lines = []
    for part in reversed(anomaly.parts(_default_request(anomaly))):
        match part:
            case Precondition():
                lines.append(_undo(part.change))
            case TextFieldTap() | Aftermath():
                lines.append(_undo(part.effect))
            case ClockShift():
                line = _quoted((*clock_shift.SET, "MILLISECONDS"))
                lines.append(f"`{line}` with the original time plus the uptime, or local time, since then")
            case HangPart():
                lines.append(f"`{_quoted(('am', 'force-stop', _APP))}`")
            case SplitScreenPart():
                lines.append(_end_split_screen())
            case Setting() | Switch() | Choice():
                lines.append(_undo(part))
            case _:
                pass
    return tuple(lines)


def _default_request(anomaly: Anomaly) -> AnomalyRequest:
    first, last = anomaly.sdk_ranges[-1]
    value = anomaly.parameter.default if anomaly.parameter else ""
    return AnomalyRequest(app=_APP, value=value, language="en", sdk=first if last is None else last)


def _end_split_screen() -> str:
    """Describe how a split screen is ended, with each command that the help of SystemUI may list."""
    before = _quoted((*split_screen.WMSHELL, "splitscreen"))
    stop = _quoted(("am", "force-stop", "SETTINGS"))
    return (
        f"`{before} exitSplitScreen TASK` or `… removeFromSideStage TASK`, as its help lists them, "
        f"and `{stop}`; up to Android 11 `{stop}` alone"
    )


def _reading(query: StateQuery, value: str) -> str:
    if not value:
        return (
            f"`{_quoted(query.argv)}` prints {f'nothing after `{query.after}`' if query.after else 'nothing'}"
        )
    gap = "" if not query.after or query.after[-1] in " =[" else " "
    return f"`{_quoted(query.argv)}` prints `{query.after.lstrip()}{gap}{value}`"


def _undo(change: Change) -> str:
    match change:
        case Setting():
            key = f"{change.namespace} {change.key}"
            return f"`settings put {key}` with the original value (`delete` if it was not set)"
        case Choice():
            return f"`{_quoted(change.argv)}` with the original value"
        case Switch():
            others = [state for name, state in change.states.items() if name != change.to]
            commands = (
                " and ".join(f"`{_quoted(argv)}`" for argv in state.commands)
                for state in others
                if state.commands
            )
            return " or ".join(dict.fromkeys(commands))


def _quoted(argv: Argv) -> str:
    return shlex.join(argv)
