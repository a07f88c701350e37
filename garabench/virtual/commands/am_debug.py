"""Verbs of ``am`` for profiling, standby, configuration and users (AOSP ``ActivityManagerShellCommand``)."""

from __future__ import annotations

import re

from garabench.virtual.android import not_simulated
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.system_properties import system_properties
from garabench.virtual.commands import framework_errors
from garabench.virtual.commands.dumpsys_apps import bucket_of
from garabench.virtual.shell.call import CommandCall

_TRACE_HEADER = b"*version\n3\ndata-file-overflow=false\nclock=dual\n*threads\n*methods\n*end\n"
_HEAP_HEADER = b"JAVA PROFILE 1.0.3\0"
_HEAP_FILE = "/data/local/tmp/heapdump-{stamp}.prof"
_BUCKETS = {
    "exempted": 5,
    "active": 10,
    "working_set": 20,
    "frequent": 30,
    "rare": 40,
    "restricted": 45,
    "never": 50,
}
_WITH_VALUE = frozenset(
    {"--user", "--sampling", "--streaming", "-P", "--clock-type", "--profiler-output-version"}
)
_WITH_ARGUMENTS = frozenset(
    {"profile", "dumpheap", "switch-user", "set-standby-bucket", "set-inactive", "get-inactive", "trace-ipc"}
    | {"start-user", "stop-user", "is-user-stopped", "package-importance"}
)


class DebugVerbs:
    """The verbs."""

    def __init__(self, phone: Phone) -> None:
        self._phone = phone

    async def run(self, call: CommandCall, verb: str, rest: list[str]) -> int | None:
        """Run a verb; None if it is not one of these."""
        plain = _plain(rest)
        match verb, plain:
            case "profile", ["start" | "stop" as action, *operands]:
                return await self._profile(call, action, operands)
            case "dumpheap", [process, *files]:
                return await self._dump_heap(call, process, files)
            case "get-config", _:
                await call.print(f"config: {configuration(self._phone)}\nabi: {self._abis()}\n")
            case "switch-user" | "start-user" | "stop-user" | "is-user-stopped" | "unlock-user", [user]:
                return await self._user(call, verb, user)
            case "get-standby-bucket", names:
                return await self._bucket(call, names)
            case "set-standby-bucket", [package, bucket]:
                return await self._set_bucket(call, package, bucket)
            case "set-inactive", [package, value]:
                change = self._phone.services.inactive
                (change.add if value == "true" else change.discard)(package)
            case "get-inactive", [package]:
                await call.print(f"Idle={str(package in self._phone.services.inactive).lower()}\n")
            case "package-importance", [package]:
                await call.print(f"{100 if self._phone.processes.pidof(package) else 1000}\n")
            case "get-isolated-pids", _:
                await call.print("[]\n")
            case "to-app-uri", _:
                await call.print("android-app://com.android.shell\n")
            case "trace-ipc", ["start"]:
                await call.print("Starting IPC tracing.\n")
            case "trace-ipc", ["stop", *_]:
                await call.print("Stopping IPC tracing, dumping logs to stdout.\n")
            case "bug-report", _:
                await call.print("Your lovely bug report is being created; please be patient.\n")
            case "wait-for-broadcast-barrier" | "wait-for-application-barrier", _:
                await call.print("All broadcast queues are idle!\n")
            case _ if verb in _WITH_ARGUMENTS:
                return await framework_errors.report_illegal_argument(
                    call, verb, f'Argument expected after "{rest[-1] if rest else verb}"'
                )
            case _:
                return None
        return 0

    async def _profile(self, call: CommandCall, action: str, operands: list[str]) -> int:
        """``am profile start PROCESS FILE`` and ``stop [PROCESS]``; the trace is empty."""
        process = (*operands, "current")[0]
        if process != "current" and not self._pid(process):
            await call.print_error(f"Error: PROFILE FAILED on process {process}\n")
            return framework_errors.FAILED
        if action == "start":
            if len(operands) < 2:
                return await framework_errors.report_illegal_argument(
                    call, "profile", f'Argument expected after "{(*operands, action)[-1]}"'
                )
            self._phone.services.profiled = call.path(operands[1])
            return await self._write(call, self._phone.services.profiled, b"")
        path, self._phone.services.profiled = self._phone.services.profiled, ""
        if not path:
            return 0
        not_simulated.say(self._phone, "am profile")
        return await self._write(call, path, _TRACE_HEADER)

    async def _dump_heap(self, call: CommandCall, process: str, files: list[str]) -> int:
        """``am dumpheap PROCESS [FILE]``; the dump has only its header."""
        stamp = f"{self._phone.clock.wall():%Y%m%d-%H%M%S}"
        path = call.path(files[0]) if files else _HEAP_FILE.format(stamp=stamp)
        if not self._pid(process):
            await call.print_error(f"Error: HEAP DUMP FAILED on process {process}\n")
            return framework_errors.FAILED
        await call.print(f"File: {path}\nWaiting for dump to finish...\n")
        not_simulated.say(self._phone, "am dumpheap")
        return await self._write(call, path, _HEAP_HEADER)

    def _pid(self, process: str) -> bool:
        return any(process in (str(pid), name) for pid, name in self._phone.processes.list())

    async def _write(self, call: CommandCall, path: str, data: bytes) -> int:
        try:
            self._phone.files.write(path, data)
        except OSError as error:
            await call.print_error(f"Error: Unable to open file: {path}\n{error.strerror}\n")
            return framework_errors.FAILED
        return 0

    def _abis(self) -> str:
        return system_properties(self._phone).get("ro.product.cpu.abilist", "x86")

    async def _user(self, call: CommandCall, verb: str, user: str) -> int:
        if not re.fullmatch(r"-?\d+", user):
            message = f'java.lang.NumberFormatException: For input string: "{user}"'
            return await framework_errors.report_exception(call, verb, message)
        if verb == "is-user-stopped":
            await call.print(f"{str(user != '0').lower()}\n")
            return 0
        if verb == "stop-user":
            text = "Can't stop system user" if user == "0" else f"user {user} does not exist"
            await call.print_error(f"Error: {text}\n")
            return 1 if user == "0" else framework_errors.FAILED
        if user == "0":
            await call.print("Success: user started\n" if verb == "start-user" else "")
            return 0
        text = "could not start user" if verb == "start-user" else f"Failed to switch to user {user}"
        await call.print_error(f"Error: {text}\n")
        return 1

    async def _bucket(self, call: CommandCall, names: list[str]) -> int:
        if names:
            if self._phone.packages.get(names[0]) is None:
                await call.print_error(f"Error: Unknown package: {names[0]}\n")
                return framework_errors.FAILED
            await call.print(f"{bucket_of(self._phone, names[0])}\n")
            return 0
        for each in self._phone.packages.all():
            await call.print(f"{each.app.package}: {bucket_of(self._phone, each.app.package)}\n")
        return 0

    async def _set_bucket(self, call: CommandCall, package: str, bucket: str) -> int:
        value = int(bucket) if bucket.isdecimal() else _BUCKETS.get(bucket)
        if value is None or value not in _BUCKETS.values():
            await call.print_error(f"Error: Unknown bucket: {bucket}\n")
            return framework_errors.FAILED
        if self._phone.packages.get(package) is not None:
            self._phone.services.buckets[package] = value
        return 0


def _plain(args: list[str]) -> list[str]:
    """Return the operands."""
    found, left = list[str](), list(args)
    while left:
        arg = left.pop(0)
        if arg in _WITH_VALUE:
            left = left[1:]
        elif not arg.startswith("--"):
            found.append(arg)
    return found


def configuration(phone: Phone) -> str:
    """Return the configuration as resource qualifiers (AOSP ``Configuration.resourceQualifierString``)."""
    size, density = phone.display.current_size, phone.display.density
    width, height = (round(side * 160 / density) for side in (size.width, size.height))
    language = "zh-rCN" if phone.lang == "zh" else "en-rUS"
    night = "night" if phone.settings.get("secure", "ui_night_mode") == "2" else "notnight"
    turned = "port" if size.height >= size.width else "land"
    tall = "long" if max(size.width, size.height) * 3 > min(size.width, size.height) * 5 else "notlong"
    parts = ["mcc001-mnc1", language, "ldltr", f"sw{min(width, height)}dp", f"w{width}dp", f"h{height}dp"]
    parts += ["normal", tall, "notround", "lowdr", "nowidecg", turned, night, f"{density}dpi", "finger"]
    shown = "keyssoft" if phone.ime.shown else "keysexposed"
    parts += [shown, "nokeys", "navhidden", "nonav", f"{size.width}x{size.height}", f"v{phone.profile.sdk}"]
    return "-".join(parts)
