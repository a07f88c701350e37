"""What a person is told of a system anomaly: how it is seen to be in force, and how it is undone."""

from __future__ import annotations

import shlex

from garabench.core.changes import Argv, Change, Choice, Probe, Setting, Switch
from garabench.device.undo import moved
from garabench.interruptions.system import split
from garabench.interruptions.system.anomaly import (
    Aftermath,
    Anomaly,
    Beside,
    ClockMove,
    Event,
    FieldTap,
    Given,
    Hang,
    Precondition,
    Seen,
)
from garabench.interruptions.system.parts import state_of

_APP = "APP"
"""Stands for the task's app."""


def in_force(anomaly: Anomaly) -> tuple[str, ...]:
    """What is seen when it is in force, with its parameter's default: the commands, and what they tell."""
    told = []
    for part in anomaly.parts(_given(anomaly)):
        match part:
            case Event():
                if part.probe is not None:
                    told.append(_reads(part.probe, part.expected[0]))
            case Setting() | Choice():
                told.append(_reads(part.probe, part.value))
            case Switch() | FieldTap(brings=Switch()):
                switch = part.brings if isinstance(part, FieldTap) else part
                told.append(_reads(switch.probe, switch.states[switch.to].readings[0]))
            case Hang():
                told.append(_reads(state_of("PID"), "T"))
            case ClockMove():
                told.append(f"`date` tells a time {part.seconds:+d} s from what `/proc/uptime` leads to")
            case _:
                pass
    if anomaly.seen is not Seen.STATE:
        told.append(anomaly.seen.value)
    return tuple(told)


def undone(anomaly: Anomaly) -> tuple[str, ...]:
    """How what it changes is put back, the last first; empty when it changes nothing that lasts."""
    told = []
    for part in reversed(anomaly.parts(_given(anomaly))):
        match part:
            case Precondition():
                told.append(_back(part.change))
            case FieldTap() | Aftermath():
                told.append(_back(part.brings))
            case ClockMove():
                line = _line((*moved.SET, "MILLISECONDS"))
                told.append(f"`{line}` with what it was and the uptime, or this computer's time, since then")
            case Hang():
                told.append(f"`{_line(('am', 'force-stop', _APP))}`")
            case Beside():
                told.append(_whole())
            case Setting() | Switch() | Choice():
                told.append(_back(part))
            case _:
                pass
    return tuple(told)


def _given(anomaly: Anomaly) -> Given:
    first, last = anomaly.spans[-1]
    value = anomaly.parameter.default if anomaly.parameter else ""
    return Given(app=_APP, value=value, language="en", sdk=first if last is None else last)


def _whole() -> str:
    """How a split screen ends, in each of the ways that the help of a device's SystemUI may tell."""
    before = _line((*split.WMSHELL, "splitscreen"))
    stop = _line(("am", "force-stop", "SETTINGS"))
    return (
        f"`{before} exitSplitScreen TASK` or `… removeFromSideStage TASK`, as its help lists them, "
        f"and `{stop}`; up to Android 11 `{stop}` alone"
    )


def _reads(probe: Probe, value: str) -> str:
    if not value:
        return f"`{_line(probe.argv)}` tells {f'nothing after `{probe.after}`' if probe.after else 'nothing'}"
    gap = "" if not probe.after or probe.after[-1] in " =[" else " "
    return f"`{_line(probe.argv)}` tells `{probe.after.lstrip()}{gap}{value}`"


def _back(change: Change) -> str:
    match change:
        case Setting():
            key = f"{change.namespace} {change.key}"
            return f"`settings put {key}` with what it was (`delete` where it was not set)"
        case Choice():
            return f"`{_line(change.argv)}` with what it was"
        case Switch():
            others = [state for name, state in change.states.items() if name != change.to]
            ways = (" and ".join(f"`{_line(argv)}`" for argv in state.way) for state in others if state.way)
            return " or ".join(dict.fromkeys(ways))


def _line(argv: Argv) -> str:
    return shlex.join(argv)
