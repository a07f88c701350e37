"""``am startservice``, ``am stopservice`` and ``am broadcast``: services and receivers of installed APKs.

Their code does not run on this phone, but they are found, started and refused as on Android
(``ActiveServices.retrieveServiceLocked``, ``BroadcastQueue``).
"""

from __future__ import annotations

from garabench.virtual.android import not_simulated
from garabench.virtual.android.component_queries import (
    ResolvedComponent,
    query,
    receivers_of,
    services_of,
)
from garabench.virtual.android.file_system import AS_ROOT
from garabench.virtual.android.intent_text import INCLUDE_BACKGROUND
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.system_processes import SYSTEM_SERVER_PID
from garabench.virtual.commands import framework_errors
from garabench.virtual.commands.intent_arguments import ParsedIntent
from garabench.virtual.shell.call import CommandCall

SERVICE_VERBS = {
    "startservice": "Starting",
    "start-service": "Starting",
    "startforegroundservice": "Starting",
    "start-foreground-service": "Starting",
    "stopservice": "Stopping",
    "stop-service": "Stopping",
}
"""The verbs about services, and how their output begins."""
_IN_PROCESS_SDK = 26
_BACKGROUND_LIMITS_SDK = 26
"""First API level (Android 8), and target of an app, that limits what runs in the background."""
_FROM_SHELL = 0x400000


async def service(phone: Phone, call: CommandCall, verb: str, parsed: ParsedIntent) -> int:
    """Start or stop a service."""
    sdk, what = phone.profile.sdk, SERVICE_VERBS[verb]
    await call.print(f"{what} service: {parsed.text(sdk)}\n")
    found = query(phone.packages, parsed.intent, services_of)
    failed = framework_errors.FAILED if sdk >= _IN_PROCESS_SDK else 0
    if what == "Stopping":
        was_running = bool(found) and phone.services.running.pop(_full(found[0]), None) is not None
        await call.print_error(
            "Service stopped\n" if was_running else "Service not stopped: was not running.\n"
        )
        return 0 if was_running else failed
    refused = (
        _refusal(phone, found[0], foreground="foreground" in verb)
        if found
        else "Not found; no service started."
    )
    if refused:
        await call.print_error(f"Error: {refused}\n")
        return failed
    phone.services.running[_full(found[0])] = phone.processes.start(found[0].app.package)
    not_simulated.say(phone, f"service {_full(found[0])}")
    return 0


def _full(found: ResolvedComponent) -> str:
    return f"{found.app.package}/{found.name}"


def _refusal(phone: Phone, found: ResolvedComponent, *, foreground: bool) -> str:
    """Return why the system does not start a service; empty if it does."""
    if not found.entry.exported and not AS_ROOT.get():
        return f"Requires permission not exported from uid {found.owner.uid}"
    if not foreground and _is_idle(phone, found):
        return "app is in background uid null"
    return ""


def _is_idle(phone: Phone, found: ResolvedComponent) -> bool:
    """Return whether Android limits what an app does in the background: a new one without a process."""
    limited = min(phone.profile.sdk, found.app.target_sdk) >= _BACKGROUND_LIMITS_SDK
    return limited and phone.processes.pidof(found.app.package) is None


async def broadcast(phone: Phone, call: CommandCall, parsed: ParsedIntent) -> int:
    """Send a broadcast."""
    sdk, intent = phone.profile.sdk, parsed.intent
    text = parsed.text(sdk, _FROM_SHELL if sdk >= _IN_PROCESS_SDK else 0)
    await call.print(f"Broadcasting: {text}\n")
    package, matching = intent.package, query(phone.packages, intent, receivers_of)
    stand_ins = [each for each in matching if phone.packages.simulated(each.app.package) is None]
    for found in stand_ins:
        _deliver(phone, found, parsed, text)
    if not matching and phone.packages.get(package) is not None and not phone.packages.simulated(package):
        # The app's code could have registered a receiver.
        not_simulated.say(phone, f"receiver {parsed.component or package}")
    code, data = phone.broadcast(intent.action or parsed.action, dict(intent.extras), package)
    shown = f', data="{data}"' if data else ""
    await call.print(f"Broadcast completed: result={code}{shown}\n")
    return 0


def _deliver(phone: Phone, found: ResolvedComponent, parsed: ParsedIntent, text: str) -> None:
    """Deliver a broadcast to a receiver whose code does not run, or log why Android does not."""
    implicit = not parsed.intent.package and not parsed.flags & INCLUDE_BACKGROUND
    refused = ""
    if not found.entry.exported and not AS_ROOT.get():
        refused = (
            f"Permission Denial: broadcasting {text} from null (pid=4242, uid=2000) is not exported from "
        )
        refused += f"uid {found.owner.uid} due to receiver {found.component}"
    elif implicit and _is_idle(phone, found):
        refused = f"Background execution not allowed: receiving {text} to {found.component}"
    if refused:
        phone.logcat.write("W", "BroadcastQueue", refused, pid=SYSTEM_SERVER_PID)
        return
    phone.processes.start(found.app.package)
    not_simulated.say(phone, f"receiver {_full(found)}")
