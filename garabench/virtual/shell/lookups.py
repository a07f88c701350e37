"""The builtins that say what a name is: ``whence``, ``type``, ``which``, ``command -v``, ``hash``."""

from __future__ import annotations

from collections.abc import Collection

from garabench.virtual.shell.call import Streams
from garabench.virtual.shell.execution import Execution
from garabench.virtual.shell.parser import RESERVED
from garabench.virtual.shell.printing import print_text, quote


async def describe(
    sh: Execution,
    names: list[str],
    streams: Streams,
    builtins: Collection[str],
    *,
    long: bool,
    programs: bool,
) -> int:
    """Print what each name is; return 1 if one is unknown.

    Args:
        sh: The shell.
        names: The names.
        streams: Where it prints.
        builtins: The names of the builtins, or of those that are programs, too.
        long: Whether to print sentences.
        programs: Whether to look for programs only, as ``which`` does.
    """
    status = 0
    for name in names:
        bare = name.rpartition("/")[2]
        path = f"/system/bin/{bare}"
        if not programs and name in RESERVED:
            text = f"{name} is a reserved word" if long else name
        elif not programs and name in sh.state.aliases:
            value = quote(sh.state.aliases[name])
            text = f"{name} is an alias for {value}" if long else value
        elif not programs and name in sh.state.functions:
            text = f"{name} is a function" if long else name
        elif not programs and name in builtins:
            text = f"{name} is a shell builtin" if long else name
        elif (bare in sh.commands or bare in builtins) and name in (bare, path):
            text = f"{name} is {path}" if long else path
        else:
            status = 1
            text = f"{name} not found" if long else ""
        if text:
            await print_text(streams, text + "\n")
    return status
