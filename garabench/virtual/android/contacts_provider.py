"""The providers of contacts and of the call log (AOSP ``ContactsProvider2``, ``CallLogProvider``).

Their tables are made of the contacts app's and the dialler's data, and selected by SQLite, as on Android.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import sqlite3
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from garabench.virtual.kit.framework import Rows

if TYPE_CHECKING:
    from garabench.virtual.android.phone import Phone

CONTACTS, CALL_LOG = "com.android.contacts", "call_log"
AUTHORITIES = (CONTACTS, CALL_LOG)
INCOMING, OUTGOING, MISSED = 1, 2, 3
"""``CallLog.Calls.TYPE``."""
_DIALER = "com.android.dialer"
_NAME, _PHONE = "vnd.android.cursor.item/name", "vnd.android.cursor.item/phone_v2"
_MAX_CALLS = 100
_MAX_STEPS = 200
"""Callbacks of SQLite, one each 10,000 of its instructions, after which a selection is stopped."""
_STEP = 10_000
_LAST_SECOND = 4_000_000_000
_ALLOWED = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION)
_TYPES = {
    "contacts": "vnd.android.cursor.dir/contact",
    "raw_contacts": "vnd.android.cursor.dir/raw_contact",
    "data": "vnd.android.cursor.dir/data",
    "data/phones": "vnd.android.cursor.dir/phone_v2",
    "calls": "vnd.android.cursor.dir/calls",
}
"""MIME types of the tables; one row's has ``item`` for ``dir``."""
_CHANGEABLE = {
    "calls": frozenset({"number", "type", "new"}),
    "data": frozenset({"data1"}),
    "data/phones": frozenset({"data1", "number"}),
}
"""The columns that can be changed, by table."""
_COLUMNS = {
    "contacts": (
        *("_id", "display_name", "display_name_alt", "sort_key", "starred", "has_phone_number", "lookup"),
        *("times_contacted", "in_visible_group"),
    ),
    "raw_contacts": ("_id", "contact_id", "display_name", "account_name", "account_type", "deleted"),
    "data": ("_id", "raw_contact_id", "contact_id", "mimetype", "display_name", "data1", "data2"),
    "data/phones": (
        *("_id", "raw_contact_id", "contact_id", "mimetype", "display_name", "data1", "data2", "number"),
    ),
    "calls": ("_id", "number", "date", "duration", "type", "name", "new"),
}


class UnknownTableError(ValueError):
    """The URI names no table; the text is the exception's of Android."""


class SelectionError(ValueError):
    """The selection, the projection or the sort order is not SQL; the text is SQLite's exception."""


def type_of(uri: str) -> str:
    """Return the MIME type of a ``content:`` URI of these providers; empty for another one."""
    scheme, _, rest = uri.partition("://")
    authority, _, path = rest.partition("?")[0].partition("/")
    if scheme != "content" or authority not in AUTHORITIES:
        return ""
    table, number = _table(authority, path)
    return _TYPES.get(table, "").replace(".dir/", ".item/" if number else ".dir/")


def _table(authority: str, path: str) -> tuple[str, str]:
    """Return the table and the row's number, which is empty for the whole table."""
    path = path.strip("/")
    table, slash, last = path.rpartition("/")
    if not (slash and last.isascii() and last.isdigit()):
        table, last = path, ""
    known = table in _TYPES and (table == "calls") == (authority == CALL_LOG)
    return (table, last) if known else ("", "")


def _require_table(authority: str, path: str) -> tuple[str, str]:
    table, number = _table(authority, path)
    if not table:
        raise UnknownTableError(f"Unknown URL content://{authority}/{path.strip('/')}")
    return table, number


def _contacts(phone: Phone) -> list[dict[str, str]]:
    found = phone.packages.get(CONTACTS)
    return found.data["contacts"] if found is not None else []


def _calls(phone: Phone) -> list[dict[str, Any]]:
    found = phone.packages.get(_DIALER)
    return found.data["calls"] if found is not None else []


def log_call(phone: Phone, number: str, kind: int) -> None:
    """Add a call that ends now to the call log."""
    at = phone.clock.wall().isoformat(timespec="seconds")
    _append(_calls(phone), {"number": number, "at": at, "type": kind})


def _append(calls: list[dict[str, Any]], call: dict[str, Any]) -> None:
    calls.append(call)
    del calls[:-_MAX_CALLS]


def _records(phone: Phone, table: str) -> list[dict[str, object]]:
    """Return the rows of a table, whose ids count from 1."""
    if table == "calls":
        names = {each["phone"]: each["name"] for each in _contacts(phone)}
        return [
            {
                **{"_id": at, "number": call["number"], "duration": 0, "new": 1},
                **{"date": _milliseconds(call["at"]), "type": call.get("type", OUTGOING)},
                "name": names.get(call["number"]),
            }
            for at, call in enumerate(_calls(phone), 1)
        ]
    rows: list[dict[str, object]] = []
    for at, each in enumerate(_contacts(phone), 1):
        name, number = each["name"], each["phone"]
        shared: dict[str, object] = {"contact_id": at, "raw_contact_id": at, "display_name": name}
        if table == "contacts":
            rows.append(
                {
                    **{"_id": at, "display_name": name, "display_name_alt": name, "sort_key": name},
                    **{"starred": 0, "has_phone_number": int(bool(number)), "lookup": f"0r{at}"},
                    **{"times_contacted": 0, "in_visible_group": 1},
                }
            )
        elif table == "raw_contacts":
            rows.append({**shared, "_id": at, "deleted": 0})
        else:
            named = {**shared, "_id": at * 2 - 1, "mimetype": _NAME, "data1": name}
            called = {**shared, "_id": at * 2, "mimetype": _PHONE, "data1": number, "data2": 2}
            called["number"] = number
            rows += [] if table == "data/phones" else [named]
            rows += [called] if number else []
    return rows


def _milliseconds(at: str) -> int:
    return int(dt.datetime.fromisoformat(at).timestamp() * 1000)


def query_contacts(
    phone: Phone,
    authority: str,
    path: str,
    *,
    projection: Sequence[str] = (),
    where: str = "",
    sort: str = "",
) -> Rows:
    """Return the selected rows.

    Args:
        phone: The phone.
        authority: One of `AUTHORITIES`.
        path: Path of the URI: a table, or a table and a row's number.
        projection: The columns; all without.
        where: The selection, in SQL.
        sort: The order, in SQL.

    Raises:
        UnknownTableError: The path names no table.
        SelectionError: The projection, the selection or the order is not SQL.
    """
    table, number = _require_table(authority, path)
    columns = tuple(projection) or _COLUMNS[table]
    clauses = [f"({where})"] * bool(where) + [f"_id = {number}"] * bool(number)
    # The caller's SQL is Android's interface; the database holds only this table, and only selects.
    text = f"SELECT {', '.join(columns)} FROM view_{table.replace('/', '_')}"  # noqa: S608
    text += f" WHERE {' AND '.join(clauses)}" * bool(clauses) + f" ORDER BY {sort}" * bool(sort)
    with contextlib.closing(_database(phone, table)) as database:
        try:
            found = database.execute(text).fetchall()
        except (sqlite3.Error, sqlite3.Warning) as error:
            raise SelectionError(f"{error} (code 1 SQLITE_ERROR): , while compiling: {text}") from error
    values = tuple(tuple("NULL" if value is None else str(value) for value in row) for row in found)
    return Rows(columns, values)


def _database(phone: Phone, table: str) -> sqlite3.Connection:
    """Return a database with one table, which only selects."""
    database = sqlite3.connect(":memory:")
    name, columns = f"view_{table.replace('/', '_')}", _COLUMNS[table]
    database.execute(f"CREATE TABLE {name} ({', '.join(columns)})")
    marks = ", ".join("?" * len(columns))
    rows = [tuple(record.get(column) for column in columns) for record in _records(phone, table)]
    database.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)  # noqa: S608  # names of this module
    database.commit()
    database.set_authorizer(
        lambda action, *names: sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY
    )
    steps = iter(range(_MAX_STEPS))
    database.set_progress_handler(lambda: next(steps, None) is None, _STEP)
    return database


def insert(phone: Phone, authority: str, path: str, values: Mapping[str, str]) -> None:
    """Insert a row: a raw contact, its name or its number, or a call.

    Raises:
        UnknownTableError: The path names no table into which rows can be inserted.
    """
    table, _ = _require_table(authority, path)
    if table == "calls":
        now = int(phone.clock.wall().timestamp() * 1000)
        date = int(values["date"]) if values.get("date", "").isdecimal() else now
        kind = int(values["type"]) if values.get("type", "").isdecimal() else OUTGOING
        at = phone.clock.at(min(date // 1000, _LAST_SECOND)).isoformat(timespec="seconds")
        _append(_calls(phone), {"number": values.get("number", ""), "at": at, "type": kind})
    elif table == "raw_contacts":
        _contacts(phone).append({"name": "", "phone": ""})
    elif table == "data":
        contact = _raw_contact(phone, values.get("raw_contact_id", ""))
        key = {_NAME: "name", _PHONE: "phone"}.get(values.get("mimetype", ""))
        if key is not None:
            contact[key] = values.get("data1", "")
    else:
        raise UnknownTableError(f"Unknown URL content://{authority}/{path.strip('/')}")
    phone.changed()


def _raw_contact(phone: Phone, number: str) -> dict[str, str]:
    contacts = _contacts(phone)
    if not (number.isascii() and number.isdigit() and 0 < int(number[:9]) <= len(contacts)):
        raise UnknownTableError("raw_contact_id is required")
    return contacts[int(number) - 1]


def update_contacts(
    phone: Phone, authority: str, path: str, values: Mapping[str, str], *, where: str = ""
) -> int:
    """Change the selected names, numbers or calls; return their number.

    Raises:
        UnknownTableError: The path names no table, or one whose rows or columns cannot be changed.
        SelectionError: The selection is not SQL.
    """
    table, _ = _require_table(authority, path)
    if table not in _CHANGEABLE or not values or not values.keys() <= _CHANGEABLE[table]:
        raise UnknownTableError(f"Unknown URL content://{authority}/{path.strip('/')}")
    found = query_contacts(phone, authority, path, projection=("_id",), where=where)
    for number in (int(row[0]) for row in found.values):
        if table == "calls":
            call = _calls(phone)[number - 1]
            call["number"] = values.get("number", call["number"])
            call["type"] = int(values["type"]) if values.get("type", "").isdecimal() else call.get("type")
        else:  # a contact's name has an odd id, its number the even one after it
            key = "name" if number % 2 else "phone"
            _contacts(phone)[(number - 1) // 2][key] = values.get("data1", values.get("number", ""))
    phone.changed()
    return len(found.values)


def delete(phone: Phone, authority: str, path: str, *, where: str = "") -> int:
    """Delete the selected contacts or calls; return their number.

    Raises:
        UnknownTableError: The path names no table, or one whose rows cannot be deleted.
        SelectionError: The selection is not SQL.
    """
    table, _ = _require_table(authority, path)
    if table not in ("calls", "contacts", "raw_contacts"):
        raise UnknownTableError(f"Unknown URL content://{authority}/{path.strip('/')}")
    found = query_contacts(phone, authority, path, projection=("_id",), where=where)
    numbers = {int(row[0]) for row in found.values}
    entries: list[Any] = _calls(phone) if table == "calls" else _contacts(phone)
    entries[:] = [each for at, each in enumerate(entries, 1) if at not in numbers]
    phone.changed()
    return len(numbers)
