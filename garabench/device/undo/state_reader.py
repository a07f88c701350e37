"""Read many states of a device with few commands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import cast, get_args

from garabench.core.device_changes import Namespace, StateQuery
from garabench.core.settings_table import NULL, parse_list, parse_table, table_query
from garabench.device import console
from garabench.device.adb import Adb, RunningShell

_LOOKS = 8
_PAUSE_S = 0.25


class StateReader:
    """Reads states of a device, and whole tables of settings where each ``settings get`` is slow.

    Before Android 7 each ``settings get`` starts a virtual machine, which takes seconds on a slow phone, and
    ``content query`` takes as long for a whole table. A table is read once, until `forget`.
    """

    def __init__(self, adb: Adb) -> None:
        """Set up without reading anything."""
        self._adb = adb
        self._tables: dict[Namespace, dict[str, str]] = {}
        self._unreadable: set[Namespace] = set()
        self._started: dict[Namespace, RunningShell] = {}

    def start(self, queries: Iterable[StateQuery]) -> None:
        """Have the device start to read the tables of these queries, while other commands run.

        Raises:
            DeviceError: The device is gone.
        """
        for query in queries:
            namespace = settings_table_of(query)
            if namespace is not None and not self._adb.starts_fast and namespace not in self._started:
                self._started[namespace] = self._adb.start_shell(table_query(namespace))

    def close(self) -> None:
        """Discard the tables that were started and not read."""
        while self._started:
            self._started.popitem()[1].close()

    def read(self, query: StateQuery) -> str:
        """Return what a query reads.

        Raises:
            CommandError: The device printed an error instead.
            DeviceError: The device is gone, or its console rejected the command.
        """
        namespace = settings_table_of(query)
        if namespace is not None and (table := self._table(namespace)):
            value = table.get(query.argv[3], "null").strip()
            if value != NULL:
                return value
        result = console.run_in_shell_or_console(self._adb, query.argv)
        return query.read(result.check_reading("read a state").output)

    def read_settings(self, queries: Iterable[StateQuery]) -> dict[StateQuery, str]:
        """Return what queries of settings read, by one command for each table.

        Raises:
            CommandError: The device printed an error instead.
            DeviceError: The device is gone.
        """
        queries = tuple(queries)
        if not self._adb.starts_fast:
            return {query: self.read(query) for query in queries}
        lists = {
            namespace: parse_list(
                self._adb.shell(["settings", "list", namespace]).check("list the settings").stdout
            )
            for namespace in sorted({query.argv[2] for query in queries})
        }
        return {query: lists[query.argv[2]].get(query.argv[3], "null") for query in queries}

    def read_until(self, query: StateQuery, holds: Callable[[str], bool]) -> str:
        """Read a query until a condition holds, and return the last reading, even if it never held.

        On real phones radios and settings follow a command with a delay. The first reading may come from a
        table that was read before; call `forget` after a change.

        Raises:
            DeviceError: As `read`.
        """
        reading = self.read(query)
        for _ in range(_LOOKS):
            if holds(reading):
                break
            self._adb.clock.sleep(_PAUSE_S)
            self.forget()
            reading = self.read(query)
        return reading

    def forget(self, queries: Iterable[StateQuery] | None = None) -> None:
        """Forget the tables that these queries read, or all of them, since the device may have changed."""
        if queries is None:
            self._tables.clear()
            return
        for namespace in {settings_table_of(query) for query in queries}:
            if namespace is not None:
                self._tables.pop(namespace, None)

    def _table(self, namespace: Namespace) -> dict[str, str] | None:
        if self._adb.starts_fast or namespace in self._unreadable:
            return None
        if namespace not in self._tables:
            table = parse_table(self._query(namespace))
            if table is None:  # for example, a vendor's provider that rejects the query, or an empty table
                self._unreadable.add(namespace)
                return None
            self._tables[namespace] = table
        return self._tables[namespace]

    def _query(self, namespace: Namespace) -> str:
        started = self._started.pop(namespace, None)
        if started is None:
            return self._adb.shell(table_query(namespace)).output
        return started.result().output


def settings_table_of(query: StateQuery) -> Namespace | None:
    """Return the table of settings that a query reads; None if it reads something else."""
    if query.argv[:2] != ("settings", "get") or len(query.argv) != 4 or query.after:
        return None
    return cast(Namespace, query.argv[2]) if query.argv[2] in get_args(Namespace) else None
