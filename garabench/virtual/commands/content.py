"""``content``: queries the content providers of the settings and of apps (AOSP ``Content.java``).

Usage errors go to standard output, exceptions of a provider to standard error; the exit status is
always 0.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial

from garabench.virtual.android import contacts_provider, content_providers
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.settings import NAMESPACES
from garabench.virtual.commands.durations import CALL_MS, KITKAT
from garabench.virtual.shell.call import Command, CommandCall

_WHERE = re.compile(r"""\s*\(?\s*name\s*=\s*(['"])(?P<name>[^'"]*)\1\s*\)?\s*""")
_URI = re.compile(r"content://(?P<authority>[^/?]+)(?P<path>/?(?P<table>[^/?]*)/?(?P<key>[^/?]*).*)")
_SETTINGS = "settings"
_VERBS, _NEWER_VERBS = ("query", "insert", "update", "delete"), ("call", "read", "gettype")
_METHOD = re.compile(r"(?P<verb>GET|PUT|DELETE|LIST)_(?P<table>system|secure|global)")
"""The methods of the settings' provider (AOSP ``Settings.CALL_METHOD_…``)."""
_USAGE = (
    "usage: adb shell content [subcommand] [options]\n\n"
    "usage: adb shell content insert --uri <URI> [--user <USER_ID>] --bind <BINDING> [--bind <BINDING>...]\n"
    "usage: adb shell content update --uri <URI> [--user <USER_ID>] [--where <WHERE>]\n"
    "usage: adb shell content delete --uri <URI> [--user <USER_ID>] [--where <WHERE>]\n"
    "usage: adb shell content query --uri <URI> [--user <USER_ID>] [--projection <PROJECTION>] "
    "[--where <WHERE>] [--sort <SORT_ORDER>]\n"
    "usage: adb shell content call --uri <URI> --method <METHOD> [--arg <ARG>] [--extra <BINDING> ...]\n"
    "usage: adb shell content read --uri <URI> [--user <USER_ID>]\n"
    "usage: adb shell content gettype --uri <URI> [--user <USER_ID>]\n"
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
        if arg in ("--bind", "--extra"):
            column, kind, text = (*value.split(":", 2), "", "")[:3]
            if not kind:
                raise ContentError(f"Binding not well formed: {value}")
            bound[column] = text
        elif arg in ("--uri", "--where", "--projection", "--sort", "--user", "--method", "--arg"):
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
        if verb not in (*_VERBS, *(_NEWER_VERBS if phone.profile.sdk > KITKAT else ())):
            raise ContentError(f"Unsupported operation: {verb}")
        options, bound = _arguments(args)
        found = _URI.fullmatch(options["--uri"])
        if found is None:
            raise _not_found(options["--uri"])
        if verb == "call" and "--method" not in options:
            raise ContentError("Content provider method not specified. Did you specify --method argument?")
        if verb in _NEWER_VERBS:
            output = _call(phone, verb, found, options, bound)
        elif found["authority"] == _SETTINGS:
            output = _of_settings(phone, verb, found, options, bound)
        elif found["authority"] in contacts_provider.AUTHORITIES:
            output = _of_contacts(phone, verb, found, options, bound)
        elif found["authority"] == content_providers.STATE_AUTHORITY:
            output = _state_of(phone, verb, *found["path"].partition("?")[::2])
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


def _call(
    phone: Phone, verb: str, uri: re.Match[str], options: Mapping[str, str], bound: dict[str, str]
) -> str:
    """``content call``, ``read`` and ``gettype``; of the providers only the settings' has methods."""
    authority = uri["authority"]
    if authority != _SETTINGS:
        _require(phone, authority)
        if verb == "read":
            raise ProviderError(
                authority, f"java.io.FileNotFoundException: No files supported by provider at {uri[0]}"
            )
        if authority in contacts_provider.AUTHORITIES and verb == "gettype":
            return f"Result: {contacts_provider.type_of(uri[0]) or 'null'}\n"
        return f"Result: {'null' if verb == 'call' else 'vnd.android.cursor.dir/' + authority}\n"
    if verb == "gettype":
        kind = "item" if uri["key"] else "dir"
        return f"Result: vnd.android.cursor.{kind}/setting\n"
    if verb == "read":
        raise ProviderError(
            authority, f"java.io.FileNotFoundException: No files supported by provider at {uri[0]}"
        )
    found = _METHOD.fullmatch(options["--method"])
    if found is None:
        return "Result: null\n"
    key, table = options.get("--arg", ""), found["table"]
    match found["verb"]:
        case "PUT":
            phone.settings.put(table, key, bound.get("value", ""))
            return "Result: null\n"
        case "DELETE":
            return f"Result: Bundle[{{result_rows_deleted={int(phone.settings.delete(table, key))}}}]\n"
        case "LIST":
            rows = ", ".join(f"{name}={value}" for name, value in phone.settings.list(table).items())
            return f"Result: Bundle[{{result_settings_list=[{rows}]}}]\n"
    value = phone.settings.get(table, key)
    return f"Result: Bundle[{{value={'null' if value is None else value}}}]\n"


def _require(phone: Phone, authority: str) -> None:
    known = {name for each in phone.packages.all() if each.available for name in each.app.providers}
    known |= set(contacts_provider.AUTHORITIES)
    if authority not in known and authority != content_providers.STATE_AUTHORITY:
        raise _not_found(authority)


def _not_found(authority: str) -> ProviderError:
    return ProviderError(authority, f"java.lang.IllegalStateException: Could not find provider: {authority}")


def _of_app(phone: Phone, verb: str, authority: str, path: str) -> str:
    """Call an app's provider; like the companion app's, it ignores projection and selection."""
    try:
        if verb != "query":
            content_providers.change(phone, authority)
            return ""
        rows = content_providers.query_provider(phone, authority, path)
    except content_providers.ProviderNotFoundError as error:
        raise _not_found(authority) from error
    except content_providers.ProviderPermissionError as error:
        raise ProviderError(authority, f"java.lang.SecurityException: {error}") from error
    except content_providers.ProviderReadOnlyError as error:
        raise ProviderError(authority, f"java.lang.UnsupportedOperationException: {error}") from error
    return _rows([dict(zip(rows.columns, row, strict=True)) for row in rows.values], rows.columns)


def _of_contacts(
    phone: Phone, verb: str, uri: re.Match[str], options: Mapping[str, str], bound: Mapping[str, str]
) -> str:
    """Query or change the contacts or the call log."""
    authority, path = uri["authority"], uri["path"].partition("?")[0]
    where, sort = options.get("--where", ""), options.get("--sort", "")
    columns = [name for name in options.get("--projection", "").split(":") if name]
    try:
        match verb:
            case "query":
                rows = contacts_provider.query_contacts(
                    phone, authority, path, projection=columns, where=where, sort=sort
                )
                return _rows([dict(zip(rows.columns, row, strict=True)) for row in rows.values], rows.columns)
            case "insert":
                contacts_provider.insert(phone, authority, path, bound)
            case "delete":
                contacts_provider.delete(phone, authority, path, where=where)
            case _:
                contacts_provider.update_contacts(phone, authority, path, bound, where=where)
    except contacts_provider.UnknownTableError as error:
        raise ProviderError(authority, f"java.lang.IllegalArgumentException: {error}") from error
    except contacts_provider.SelectionError as error:
        raise ProviderError(authority, f"android.database.sqlite.SQLiteException: {error}") from error
    return ""


def _reads_state(args: Sequence[str]) -> bool:
    """Return whether an app's state is read, which takes no phone time: measuring must not change timing."""
    return any(arg.startswith(f"content://{content_providers.STATE_AUTHORITY}/") for arg in args)


def _state_of(phone: Phone, verb: str, path: str, query: str) -> str:
    authority = content_providers.STATE_AUTHORITY
    if verb != "query":
        raise ProviderError(authority, "java.lang.UnsupportedOperationException: the state is read-only")
    try:
        content_providers.open_states(phone, query)
        rows = content_providers.query_state(phone, path)
    except content_providers.ProviderNotFoundError as error:
        raise _not_found(authority) from error
    except content_providers.ProviderFailedError as error:
        raise ProviderError(authority, f"java.lang.IllegalStateException: {error}") from error
    except content_providers.StateLockedError as error:
        raise ProviderError(authority, f"java.lang.SecurityException: {error}") from error
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
