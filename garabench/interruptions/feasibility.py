"""Whether a device can perform device steps and system anomalies; pure, from its capabilities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from garabench.core import device_switches, steps
from garabench.core.anomalies.anomaly import AnomalyRequest, SupportedDevices
from garabench.core.anomalies.catalog import ANOMALIES
from garabench.core.device_changes import Switch
from garabench.core.interruption import Interruption, SystemInterruption
from garabench.core.steps import DeviceStep
from garabench.device.console import is_emulator
from garabench.interruptions.capabilities import ActivityQuery, Capabilities
from garabench.interruptions.follow_up import describe_follow_up, over_network
from garabench.interruptions.settings_pages import page_intents

PERMISSION_SDK = 23
"""First API level with runtime permissions (Android 6)."""
STORE_PAGE = ActivityQuery("android.intent.action.VIEW", "market://details?id={app}")


@dataclass(frozen=True, slots=True)
class Needs:
    """What must be read about a device to decide what it can do.

    Attributes:
        queries: The intents to resolve.
        wifi: Whether a step or an anomaly switches Wi-Fi.
        root: Whether an anomaly requires root.
    """

    queries: frozenset[ActivityQuery] = frozenset()
    wifi: bool = False
    root: bool = False

    def __or__(self, other: Needs) -> Needs:
        return Needs(self.queries | other.queries, self.wifi or other.wifi, self.root or other.root)


def step_needs(step: DeviceStep, sdk: int) -> Needs:
    """Return what must be read about a device to decide whether it can perform a step."""
    return Needs(frozenset(_alternatives(step, sdk)), wifi=isinstance(step, steps.WifiStep))


def anomaly_needs(use: SystemInterruption, sdk: int) -> Needs:
    """Return what must be read about a device to decide whether a system anomaly is possible on it."""
    return Needs(wifi=_switches_wifi(use, sdk), root=_requires_root(use))


def step_problem(step: DeviceStep, on: Capabilities) -> str:
    """Return why a device cannot perform a step, or empty."""
    match step:
        case steps.WifiStep():
            reason = "" if on.wifi else "it has no Wi-Fi"
        case steps.AirplaneStep():
            possible = device_switches.airplane_switch_of(on.sdk, on=step.airplane) is not None
            reason = "" if possible else "Android 7 to 10 have no command to switch airplane mode"
        case steps.NotificationStep():
            possible = on.sdk >= device_switches.NOTIFICATION_SDK
            reason = "" if possible else "adb's shell can post notifications only since Android 10"
        case steps.PermissionStep() | steps.RevokeStep():
            reason = (
                "" if on.sdk >= PERMISSION_SDK else "Android has runtime permissions only since version 6"
            )
        case steps.StartStep() if step.start.package not in ("", "{app}", *on.packages):
            reason = f"{step.start.package} is not installed, or is disabled"
        case steps.StorePageStep():
            reason = "no app store opens market:// links" if STORE_PAGE in on.unresolved else ""
        case _:
            queries = _alternatives(step, on.sdk)
            missing = bool(queries) and all(query in on.unresolved for query in queries)
            reason = f"no app handles {queries[0]}" if missing else ""
    return f"{describe_follow_up(step)}: {reason}" if reason else ""


def anomaly_problem(use: SystemInterruption, on: Capabilities) -> str:
    """Return why a system anomaly is impossible on a device, or empty."""
    anomaly = ANOMALIES[use.system]
    if reason := anomaly.unsupported_reason(
        sdk=on.sdk, emulator=is_emulator(on.serial), over_network=over_network(on.serial)
    ):
        return reason
    if _requires_root(use) and not on.rooted:
        return f"{use.system} requires root, and `su 0` does not give it"
    if _switches_wifi(use, on.sdk) and not on.wifi:
        return f"{use.system} requires Wi-Fi, and the device has none"
    return ""


def follow_up_steps(names: Iterable[str], windows: Mapping[str, Interruption]) -> Iterator[DeviceStep]:
    """Iterate over the follow-ups of windows, and of the windows that those show."""
    pending, seen = list(names), set[str]()
    while pending:
        name = pending.pop()
        if name in seen or name not in windows:
            continue
        seen.add(name)
        for button in windows[name].buttons:
            for step in button.follow_up:
                yield step
                if isinstance(step, steps.ShowStep):
                    pending.append(step.show)


def _alternatives(step: DeviceStep, sdk: int) -> tuple[ActivityQuery, ...]:
    """Return the intents of which a device must resolve at least one; empty if the step needs none."""
    match step:
        case steps.StorePageStep():
            return (STORE_PAGE,)
        case steps.SettingsPageStep():
            return tuple(ActivityQuery(*each) for each in page_intents(step.settings_page, sdk))
        case steps.StartStep() if step.start.action and not step.start.package:
            return (ActivityQuery(step.start.action, step.start.data),)
        case _:
            return ()


def _requires_root(use: SystemInterruption) -> bool:
    return ANOMALIES[use.system].devices is SupportedDevices.ROOTED


def _switches_wifi(use: SystemInterruption, sdk: int) -> bool:
    anomaly = ANOMALIES[use.system]
    value = use.value or (anomaly.parameter.default if anomaly.parameter else "")
    parts = anomaly.parts(AnomalyRequest(app="app.example", value=value, language="en", sdk=sdk))
    return any(isinstance(part, Switch) and part.subject == device_switches.WIFI for part in parts)
