"""``monkey``: starts an app and injects random events (AOSP ``Monkey.java``)."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from garabench.core.seeds import derive, generator
from garabench.virtual.android.package_manager import LAUNCHER, MAIN, ResolvedActivity
from garabench.virtual.android.phone import Phone
from garabench.virtual.commands.durations import durations
from garabench.virtual.commands.monkey_events import PERCENTAGES, RandomEvents
from garabench.virtual.kit.framework import Intent
from garabench.virtual.shell.call import Command, CommandCall

_PRINTS_ARGUMENTS_SDK = 21
"""First API level (Android 5) whose script in ``/system/bin`` prints its arguments."""
_PRINTS_DATA_SDK = 29
"""First API level (Android 10) whose ``Monkey.java`` prints its arguments, too."""
_EVENT_MS = 5
_BREATH = 20
"""Number of events after which other connections are served."""
_MAX_COUNT, _MAX_THROTTLE_MS = 100_000, 60_000
_NOTHING_TO_RUN = 252
_WRONG = 251
_WITH_VALUE = frozenset(
    {"-p", "-c", "-s", "-f", "--throttle", "--setup", "--port", "--pkg-whitelist-file", "--screenshot"}
    | {"--pkg-blacklist-file", "--device-sleep-time", "--script-log", "--profile-wait", "--bugreport"}
    | {f"--pct-{name}" for name in PERCENTAGES}
)
_USAGE = (
    "usage: monkey [-p ALLOWED_PACKAGE [-p ALLOWED_PACKAGE] ...]\n"
    "              [-c MAIN_CATEGORY [-c MAIN_CATEGORY] ...]\n"
    "              [-s SEED]\n              [-v [-v] ...]\n              [--throttle MILLISEC]\n"
    "              COUNT\n"
)


def _reset_rotation(phone: Phone) -> None:
    """Freeze rotation 0 and release it, as ``Monkey.java`` does when it exits."""
    phone.settings.put("system", "user_rotation", "0")
    phone.settings.put("system", "accelerometer_rotation", "1")


@dataclass(frozen=True, slots=True)
class MonkeyOptions:
    """The arguments of ``monkey``.

    Attributes:
        packages, categories: The allowed packages and main categories; empty for all, and for LAUNCHER.
        count: The number of events as given.
        seed: The seed; None for one that differs in each call.
        throttle: Milliseconds between events.
        verbose: How often ``-v`` was given.
        ignored: Whether it goes on after a crash.
        percentages: The share of each kind of event.
    """

    packages: tuple[str, ...]
    categories: tuple[str, ...]
    count: str
    seed: int | None
    throttle: int
    verbose: int
    ignored: bool
    percentages: Mapping[str, float]


def _options(args: list[str]) -> MonkeyOptions:
    values, switches, count, remaining = list[tuple[str, str]](), list[str](), "", list(args)
    while remaining:
        arg = remaining.pop(0)
        if arg in _WITH_VALUE and remaining:
            values.append((arg, remaining.pop(0)))
        elif arg.startswith("-"):
            switches.append(arg)
        else:
            count = arg
    known = dict(values)
    shares = {
        name: float(known[f"--pct-{name}"])
        for name in PERCENTAGES
        if known.get(f"--pct-{name}", "").replace(".", "", 1).isdecimal()
    }
    # AOSP's adjustEventFactors: what the user leaves is divided among the other kinds
    others = sum(share for name, share in PERCENTAGES.items() if name not in shares) or 1.0
    rest = max(0.0, 100.0 - sum(shares.values()))
    percentages = {name: shares.get(name, share * rest / others) for name, share in PERCENTAGES.items()}
    seed, throttle = known.get("-s", ""), known.get("--throttle", "")
    return MonkeyOptions(
        packages=tuple(value for name, value in values if name == "-p"),
        categories=tuple(value for name, value in values if name == "-c"),
        count=count,
        seed=int(seed) if seed.lstrip("-").isdecimal() else None,
        throttle=min(int(throttle), _MAX_THROTTLE_MS) if throttle.isdecimal() else 0,
        verbose=sum(each.count("v") for each in switches if set(each[1:]) == {"v"}),
        ignored="--ignore-crashes" in switches,
        percentages=percentages,
    )


class MonkeyRun:
    """A run of ``monkey``."""

    def __init__(self, phone: Phone, call: CommandCall, options: MonkeyOptions) -> None:
        self._phone = phone
        self._call = call
        self._options = options
        count = len(phone.logcat.read())
        seed = options.seed if options.seed is not None else derive(phone.seed, "monkey", count) % 2**31
        self._seed = seed
        self._events = RandomEvents(phone, generator(seed, "monkey"), options.percentages, self._switch)
        self._seen = phone.logcat.read()[-1].number if phone.logcat.read() else 0

    def _main_activities(self) -> tuple[ResolvedActivity, ...]:
        wanted = self._options.packages or tuple(
            each.app.package for each in self._phone.packages.query_launcher()
        )
        intents = (Intent(action=MAIN, package=name, categories=frozenset({LAUNCHER})) for name in wanted)
        # Monkey queries without MATCH_DEFAULT_ONLY.
        return tuple(
            found
            for intent in intents
            for found in self._phone.packages.query(intent, default_only=False)[:1]
        )

    def _start(self, chosen: ResolvedActivity) -> bool:
        intent = Intent(action=MAIN, package=chosen.app.package, categories=frozenset({LAUNCHER}))
        return self._phone.activities.start(replace(intent, activity=chosen.activity)).ok

    def _switch(self) -> str:
        """Start one of the main activities; return what ``-v`` prints."""
        found = self._main_activities()
        if not found:
            return ""
        chosen = self._events.random.choice(found)
        self._start(chosen)
        return (
            f":Switch: #Intent;action={MAIN};category={LAUNCHER};launchFlags=0x10200000;"
            f"component={chosen.component};end\n    // Allowing start of Intent {{ act={MAIN} "
            f"cat=[{LAUNCHER}] "
            f"cmp={chosen.component} }} in package {chosen.app.package}\n"
        )

    async def run(self) -> int:
        """Inject the events; return the exit status."""
        options, count = self._options, int(self._options.count)
        await self._phone.spend(durations(self._phone).start)
        if LAUNCHER not in (options.categories or (LAUNCHER,)) or not any(
            map(self._start, self._main_activities()[:1])
        ):
            # nothing to run: it ends before it touches the rotation
            await self._call.print("** No activities found to run, monkey aborted.\n")
            return _NOTHING_TO_RUN
        if options.verbose:
            await self._call.print(self._head(count))
        done, status = await self._inject(count)
        _reset_rotation(self._phone)
        await self._call.print(f"Events injected: {done}\n")
        if options.verbose:
            await self._call.print(
                ":Sending rotation degree=0, persist=false\n"
                ":Dropped: keys=0 pointers=0 trackballs=0 flips=0 rotations=0\n"
            )
        await self._call.print(
            "## Network stats: elapsed time=17ms (0ms mobile, 0ms wifi, 17ms not connected)\n"
        )
        if status:
            await self._call.print_error(
                f"** System appears to have crashed at event {done} of {count} using seed {self._seed}\n"
            )
        elif options.verbose:
            await self._call.print("// Monkey finished\n")
        return min(status, 255)

    def _head(self, count: int) -> str:
        options = self._options
        shares = "".join(
            f"//   {at}: {share:.1f}%\n" for at, share in enumerate(options.percentages.values())
        )
        return (
            f":Monkey: seed={self._seed} count={count}\n"
            + "".join(f":AllowPackage: {name}\n" for name in options.packages)
            + f":IncludeCategory: {LAUNCHER}\n:IncludeCategory: android.intent.category.MONKEY\n"
            + f"// Event percentages:\n{shares}"
        )

    async def _inject(self, count: int) -> tuple[int, int]:
        """Inject the events after the first, which started an app; return their number and the status."""
        options = self._options
        for number in range(1, count):
            line = self._events.perform()
            if options.verbose > 1:
                await self._call.print(line)
            await self._phone.spend(options.throttle or _EVENT_MS)
            crash = self._crash()
            if crash:
                await self._call.print_error(crash)
                if not options.ignored:
                    await self._call.print_error("** Monkey aborted due to error.\n")
                    return number + 1, number + 1
            await self._stay(options)
            if number % _BREATH == 0:
                await asyncio.sleep(0)
        return count, 0

    def _crash(self) -> str:
        """Return what is printed about an app that crashed since the last event."""
        found = [each for each in self._phone.logcat.read(self._seen) if each.tag == "AndroidRuntime"]
        if not found:
            return ""
        self._seen = found[-1].number
        lines = [each.message for each in found]
        process = next((line for line in lines if line.startswith("Process: ")), "Process: ?, PID: 0")
        name, _, pid = process.removeprefix("Process: ").partition(", PID: ")
        reason = lines[lines.index(process) + 1] if process in lines[:-1] else ""
        return (
            f"// CRASH: {name} (pid {pid})\n// Short Msg: {reason.partition(':')[0]}\n// Long Msg: {reason}\n"
            f"// Build Label: {self._phone.profile.fingerprint}\n"
        )

    async def _stay(self, options: MonkeyOptions) -> None:
        """Return to an allowed package: Monkey rejects starts of activities of others."""
        record = self._phone.activities.resumed
        if options.packages and (record is None or record.app.package not in options.packages):
            if options.verbose:
                name = record.app.package if record else "android"
                await self._call.print(
                    f"    // Rejecting start of Intent {{ cmp={record.component if record else ''} }} in "
                    f"package {name}\n"
                )
            self._phone.windows.close_overlay()
            self._start(self._main_activities()[0])


async def monkey(phone: Phone, call: CommandCall) -> int:
    """``monkey [-p PACKAGE] [-c CATEGORY] [-s SEED] [-v] [--throttle MS] [--pct-KIND SHARE] COUNT``.

    The first event starts an app; the others are random touches and keys. At its end it resets the user's
    rotation, on every Android version.
    """
    args = call.argv[1:]
    if phone.profile.sdk >= _PRINTS_ARGUMENTS_SDK:
        await call.print("".join(f"  bash arg: {arg}\n" for arg in args))
    if phone.profile.sdk >= _PRINTS_DATA_SDK:
        data = [value for name, value in itertools.pairwise(args) if name in _WITH_VALUE]
        await call.print_error(
            f"args: [{', '.join(args)}]\n"
            + "".join(f' arg: "{arg}"\n' for arg in args)
            + "".join(f'data="{value}"\n' for value in data)
        )
    options = _options(args)
    if not options.count.isdecimal():
        await call.print_error(_USAGE if not options.count else f"** Error: Count is not a number\n{_USAGE}")
        return _WRONG
    return await MonkeyRun(
        phone, call, replace(options, count=str(min(int(options.count), _MAX_COUNT)))
    ).run()


def commands(phone: Phone) -> Mapping[str, Command]:
    """Return the commands by name."""
    return {"monkey": partial(monkey, phone)}
