"""``run-as``: runs a command as a debuggable app (AOSP ``system/core/run-as``)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from garabench.virtual.android.file_system import as_root
from garabench.virtual.android.phone import Phone
from garabench.virtual.commands.durations import KITKAT
from garabench.virtual.shell.call import Command, CommandCall

_USAGE = "run-as: usage: run-as <package-name> [--user <uid>] <command> [<args>]\n"
_FOLDERS = ("cache", "code_cache", "files", "shared_prefs")


async def run_as(phone: Phone, call: CommandCall) -> int:
    """``run-as PACKAGE [--user N] COMMAND …``, in the app's data directory."""
    args = call.argv[1:]
    if not args:
        await call.print_error(_USAGE)
        return 1
    package, rest = args[0], args[1:]
    old = phone.profile.sdk <= KITKAT
    if rest[:1] == ["--user"]:
        rest = rest[2:]
    found = phone.packages.get(package)
    if found is None or not found.installed:
        await call.print_error(
            f"run-as: Package '{package}' is unknown\n" if old else f"run-as: unknown package: {package}\n"
        )
        return 1
    if not found.debuggable:
        await call.print_error(
            f"run-as: Package '{package}' is not debuggable\n"
            if old
            else f"run-as: package not debuggable: {package}\n"
        )
        return 1
    if call.run is None:
        return 1
    home = f"/data/data/{package}" if old else f"/data/user/0/{package}"
    user = f"u0_a{found.uid - 10_000}"
    with as_root():
        for name in _FOLDERS:
            if phone.files.stat(f"{home}/{name}") is None:
                phone.files.mkdir(f"{home}/{name}")
        match rest:
            case ["id"]:
                await call.print(
                    f"uid={found.uid}({user}) gid={found.uid}({user}) groups={found.uid}({user}),3003(inet),"
                    f"9997(everybody),{found.uid + 40_000}(all_{user[3:]}) "
                    "context=u:r:runas_app:s0:c512,c768\n"
                )
                return 0
            case ["whoami"]:
                await call.print(f"{user}\n")
                return 0
        argv = rest or ["sh"]
        env = {**call.env, "HOME": home, "USER": user}
        return await call.run(
            CommandCall(argv, call.stdin, call.write, call.write_error, env, home, call.run)
        )


def commands(phone: Phone) -> Mapping[str, Command]:
    """Return the command by name."""
    return {"run-as": partial(run_as, phone)}
