"""``content``: queries the content providers of the settings and of apps (AOSP ``Content.java``).

Usage errors go to standard output, exceptions of a provider to standard error; the exit status is
always 0.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial

from garabench.virtual.android import content_providers
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.settings import NAMESPACES
from garabench.virtual.commands.durations import CALL_MS
from garabench.virtual.shell.call import Command, CommandCall

_WHERE = re.compile(r"""\s*\(?\s*name\s*=\s*(['"])(?P<name>[^'"]*)\1\s*\)?\s*""")
_URI = re.compile(r"content://(?P<authority>[^/?]+)(?P<path>/?(?P<table>[^/?]*)/?(?P<key>[^/?]*).*)")
_SETTINGS = "settings"
_USAGE = (
    "usage: adb shell content [subcommand] [options]\n\n"
    "usage: adb shell content insert --uri <URI> [--user <USER_ID>] --bind <BINDING> [--bind <BINDING>...]\n"
    "usage: adb shell content update --uri <URI> [--user <USER_ID>] [--where <WHERE>]\n"
    "usage: adb shell content delete --uri <URI> [--user <USER_ID>] [--where <WHERE>]\n"
    "usage: adb shell content query --uri <URI> [--user <USER_ID>] [--projection <PROJECTION>] "
    "[--where <WHERE>] [--sort <SORT_ORDER>]\n"
)


class ContentError(ValueError):
    """A usage error of ``content``; the text is its message."""


class ProviderError(ValueError):
    """The provider raised an exception, which is the text.

    Attributes:
        provider: Its authority.
    """

    def __init__(self, provider: str, exception: str) -> None:
        super().__init__(exception)
        self.provider = provider


def _arguments(args: list[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Parse the options, and the bound values by column."""
    options, bound, remaining = dict[str, str](), dict[str, str](), list(args)
    while remaining:
        arg = remaining.pop(0)
        if not remaining:
            raise ContentError(f"Argument expected after {arg}")
        value = remaining.pop(0)
        if arg == "--bind":
            column, kind, text = (*value.split(":", 2), "", "")[:3]
            if not kind:
                raise ContentError(f"Binding not well formed: {value}")
            bound[column] = text
        elif arg in ("--uri", "--where", "--projection", "--sort", "--user"):
            options[arg] = value
        else:
            raise ContentError(f"Unsupported argument: {arg}")
    if "--uri" not in options:
        raise ContentError("Content provider URI not specified. Did you specify --uri argument?")
    return options, bound


async def content(phone: Phone, call: CommandCall) -> int:
    """``content query|insert|update|delete --uri content://<authority>/…``."""
    verb, args = call.argv[1] if len(call.argv) > 1 else "", call.argv[2:]
    if not _reads_state(args):
        await phone.spend(CALL_MS)
    try:
        if verb not in ("query", "insert", "update", "delete"):
            raise ContentError(f"Unsupported operation: {verb}")
        options, bound = _arguments(args)
        found = _URI.fullmatch(options["--uri"])
        if found is None:
            raise _not_found(options["--uri"])
        if found["authority"] == _SETTINGS:
            output = _of_settings(phone, verb, found, options, bound)
        elif found["authority"] == content_providers.STATE_AUTHORITY:
            output = _state_of(phone, verb, found["path"].partition("?")[0])
        else:
            output = _of_app(phone, verb, found["authority"], found["path"].partition("?")[0])
    except ContentError as error:
        await call.print(f"[ERROR] {error}\n\n{_USAGE}")
        return 0
    except ProviderError as error:
        await call.print_error(f"Error while accessing provider:{error.provider}\n{error}\n")
        return 0
    await call.print(output)
    return 0


def _not_found(authority: str) -> ProviderError:
    return ProviderError(authority, f"java.lang.IllegalStateException: Could not find provider: {authority}")


def _of_app(phone: Phone, verb: str, authority: str, path: str) -> str:
    """Call an app's provider; like the companion app's, it ignores projection and selection."""
    try:
        if verb != "query":
            content_providers.change(phone, authority)
            return ""
        rows = content_providers.query(phone, authority, path)
    except content_providers.ProviderNotFoundError as error:
        raise _not_found(authority) from error
    except content_providers.ProviderPermissionError as error:
        raise ProviderError(authority, f"java.lang.SecurityException: {error}") from error
    except content_providers.ProviderReadOnlyError as error:
        raise ProviderError(authority, f"java.lang.UnsupportedOperationException: {error}") from error
    return _rows([dict(zip(rows.columns, row, strict=True)) for row in rows.values], rows.columns)


def _reads_state(args: Sequence[str]) -> bool:
    """Return whether an app's state is read, which takes no phone time: measuring must not change timing."""
    return any(arg.startswith(f"content://{content_providers.STATE_AUTHORITY}/") for arg in args)


def _state_of(phone: Phone, verb: str, path: str) -> str:
    authority = content_providers.STATE_AUTHORITY
    if verb != "query":
        raise ProviderError(authority, "java.lang.UnsupportedOperationException: the state is read-only")
    try:
        rows = content_providers.query_state(phone, path)
    except content_providers.ProviderNotFoundError as error:
        raise _not_found(authority) from error
    except content_providers.ProviderFailedError as error:
        raise ProviderError(authority, f"java.lang.IllegalStateException: {error}") from error
    return _rows([dict(zip(rows.columns, row, strict=True)) for row in rows.values], rows.columns)


def _rows(lines: Sequence[Mapping[str, str]], columns: Sequence[str]) -> str:
    shown = [", ".join(f"{key}={line.get(key, 'NULL')}" for key in columns) for line in lines]
    return "".join(f"Row: {at} {text}\n" for at, text in enumerate(shown)) or "No result found.\n"


def _of_settings(
    phone: Phone, verb: str, uri: re.Match[str], options: Mapping[str, str], bound: dict[str, str]
) -> str:
    if uri["table"] not in NAMESPACES:
        raise _not_found(_SETTINGS)
    where = _WHERE.fullmatch(options.get("--where", ""))
    if "--where" in options and where is None:
        raise ProviderError(_SETTINGS, "java.lang.UnsupportedOperationException: WHERE clause not supported")
    name = where["name"] if where else uri["key"]
    return _execute(phone, verb, uri["table"], name, options.get("--projection", ""), bound)


def _execute(phone: Phone, verb: str, table: str, name: str, columns: str, bound: dict[str, str]) -> str:
    values = phone.settings
    match verb:
        case "insert":
            if "name" not in bound:
                raise ProviderError("settings", "java.lang.IllegalArgumentException: Missing name")
            values.put(table, bound["name"], bound.get("value", ""))
        case "update":
            if name and values.get(table, name) is not None:
                values.put(table, name, bound.get("value", ""))
        case "delete":
            values.delete(table, name)
        case _:
            rows = enumerate(values.list(table).items(), start=1)
            chosen = [(str(number), *row) for number, row in rows if not name or row[0] == name]
            wanted = columns.split(":") if columns else ["_id", "name", "value"]
            return _rows([dict(zip(("_id", "name", "value"), row, strict=True)) for row in chosen], wanted)
    return ""


def commands(phone: Phone) -> Mapping[str, Command]:
    """Return the commands by name."""
    return {"content": partial(content, phone)}
