"""Parse the output of ``content query`` for an app's state; see ``docs/app-state.md``."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

from pydantic import ValidationError

from garabench.core.app_state import StateRecord
from garabench.effects.state import State, UnknownState, state_of

FORMAT = 1
"""Version of the format."""
MAX_RECORDS = 20_000
"""Maximum number of records of an app."""
_ROW = re.compile(r"Row: (?P<number>\d{1,9}) record=(?P<json>.*)", re.DOTALL)
LANGUAGES = ("zh", "en")
"""The languages in which each record has a sentence."""
_LONGEST_SHOWN = 60


class _InvalidStateError(ValueError):
    """The output is not a state; the text says why."""


def parse_state(output: str) -> State:
    """Parse the rows of an app's state.

    Args:
        output: The standard output of ``content query``.

    Returns:
        The state; unknown with a reason if any row is malformed or missing, or if there are too many.
    """
    try:
        lines = output.replace("\r\n", "\n").removesuffix("\n").split("\n")
        return _parse(lines)
    except _InvalidStateError as error:
        return UnknownState(str(error))


def _parse(lines: list[str]) -> State:
    expected = _expected_records(lines[0])
    if expected > MAX_RECORDS:
        raise _InvalidStateError(f"it offers {expected} records, more than {MAX_RECORDS}")
    rows = lines[1:]
    if len(rows) != expected:
        raise _InvalidStateError(f"it announced {expected} records and sent {len(rows)}")
    return state_of(tuple(_record(number, row) for number, row in enumerate(rows, start=1)))


def _expected_records(line: str) -> int:
    header = _json(0, line)
    version = header.get("format")
    if isinstance(version, bool) or not isinstance(version, int):
        raise _InvalidStateError(f"the first row is not a header: {_shown(line)}")
    if version != FORMAT:
        raise _InvalidStateError(f"its format is {version}; this GaraBench reads format {FORMAT}")
    records = header.get("records")
    if isinstance(records, bool) or not isinstance(records, int) or records < 0:
        raise _InvalidStateError(f"the header has no number of records: {_shown(line)}")
    return records


def _record(number: int, line: str) -> StateRecord:
    try:
        return _valid_record(_row_text(number, line), number)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise _InvalidStateError(f"row {number} is invalid: {place}: {first['msg']}") from error


@lru_cache(maxsize=8192)  # most records are the same before and after an episode
def _valid_record(text: str, number: int) -> StateRecord:
    record = StateRecord.model_validate(_object(text, number))
    for language in LANGUAGES:
        if not record.text.get(language, "").strip():
            raise _InvalidStateError(f"row {number} is invalid: text.{language}: a sentence is required")
    return record


def _json(number: int, line: str) -> dict[str, Any]:
    return _object(_row_text(number, line), number)


def _row_text(number: int, line: str) -> str:
    row = _ROW.fullmatch(line)
    if row is None:
        raise _InvalidStateError(f"not a row of a state: {_shown(line)}")
    if int(row["number"]) != number:
        raise _InvalidStateError(f"row {number} is missing: {_shown(line)}")
    return row["json"]


def _object(text: str, number: int) -> dict[str, Any]:
    try:
        value = json.loads(text, object_pairs_hook=_without_duplicates)
    except _InvalidStateError as error:
        raise _InvalidStateError(f"row {number} is invalid: {error}") from error
    except (ValueError, RecursionError) as error:
        raise _InvalidStateError(f"not a JSON object: {_shown(text)}") from error
    if not isinstance(value, dict):
        raise _InvalidStateError(f"not a JSON object: {_shown(text)}")
    return value


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _InvalidStateError(f"duplicate key {_shown(key)}")
        found[key] = value
    return found


def _shown(text: str) -> str:
    return repr(text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…")
