"""An app's declaration of its state: the user's data as typed records, for tests and measurements.

An app offers it by a function, `garabench.virtual.kit.framework.App.state`; ``docs/app-state.md`` describes
what a record contains.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from garabench.core.app_state import FieldValue, StateRecord
from garabench.virtual.kit.framework import Context

FORMAT = 1
"""Version of the format."""
_LONGEST = 200
"""Maximum number of characters of an object before it is shortened."""


def item(kind: str, object_: str, zh: str, en: str, **fields: FieldValue) -> StateRecord:
    """Return a record.

    Args:
        kind: Its kind.
        object_: What identifies it among the records of its kind, independently of language and time.
        zh: A sentence about it in Chinese.
        en: The sentence in English.
        fields: Its values.
    """
    return StateRecord(kind=kind, object=_identity(object_), fields=fields, text={"zh": zh, "en": en})


def _identity(text: str) -> str:
    """Return the text as an object: a long one, such as a comment, is shortened by its hash."""
    if len(text) <= _LONGEST:
        return text or "(empty)"
    return f"{text[:_LONGEST]}~{hashlib.sha256(text.encode(errors='replace')).hexdigest()[:12]}"


def marks(
    kind: str, objects: Iterable[str], zh: str, en: str, title: Callable[[str], str] = str
) -> Iterator[StateRecord]:
    """Return a record of each object that the user marked, such as a like.

    Args:
        kind: Its kind.
        objects: Ids of the objects.
        zh: A sentence in Chinese, with ``{}`` for the object's title.
        en: The sentence in English.
        title: Returns an object's title.
    """
    for object_ in objects:
        name = title(object_)
        yield item(kind, object_, zh.format(name), en.format(name), title=name)


def values(kind: str, fields: Mapping[str, Any], zh: str, en: str) -> Iterator[StateRecord]:
    """Return a record of each value, such as those of the profile.

    Args:
        kind: Its kind.
        fields: The values by name.
        zh: A sentence in Chinese, with ``{}`` for the name and for the value.
        en: The sentence in English.
    """
    for name, value in fields.items():
        yield item(kind, name, zh.format(name, value), en.format(name, value), value=scalar(value))


def searches(queries: Iterable[str]) -> Iterator[StateRecord]:
    """Return a record of each recent search."""
    return marks("recent-search", queries, "搜索过“{}”", 'Searched for "{}"')


def profile(fields: Mapping[str, Any]) -> Iterator[StateRecord]:
    """Return a record of each value of the user's profile."""
    return values("profile", fields, "个人资料 {}：{}", "Profile {}: {}")


def unread(counts: Mapping[str, int]) -> Iterator[StateRecord]:
    """Return a record of each number of unread messages; reading them removes it."""
    return values("unread", counts, "{} 有 {} 条未读消息", "{} has {} unread messages")


def numbered(records: Iterable[StateRecord]) -> Iterator[StateRecord]:
    """Number the repetitions of an object: a comment that was posted twice is two records."""
    seen: Counter[tuple[str, str]] = Counter()
    for record in records:
        seen[record.key] += 1
        repetition = seen[record.key]
        if repetition > 1:
            record = record.model_copy(update={"object": f"{record.object}#{repetition}"})
        yield record


@lru_cache
def declared_settings(load: Callable[[str], object], name: str) -> Mapping[str, tuple[str, Any]]:
    """Return the title and default of each setting of an app, by its key; its content does not change.

    Args:
        load: Loads a file of the app's content.
        name: The file with its settings pages.
    """
    return _declared(load(name))


def _declared(pages: object) -> dict[str, tuple[str, Any]]:
    found: dict[str, tuple[str, Any]] = {}
    match pages:
        case Mapping():
            key = pages.get("key", pages.get("id"))
            if isinstance(key, str) and "default" in pages:
                title = pages.get("title", pages.get("label", key))
                found[key] = (str(title), pages["default"])
            for value in pages.values():
                found |= _declared(value)
        case list() | tuple():
            for value in pages:
                found |= _declared(value)
        case _:
            pass
    return found


def settings(values: Mapping[str, Any], declared: Mapping[str, tuple[str, Any]]) -> Iterator[StateRecord]:
    """Return a record of each setting of the app, with its default unless the user changed it.

    Args:
        values: The stored settings.
        declared: Title and default by key; a stored setting that is not among them is named by its key.
    """
    for key in sorted({*values, *declared}):
        title, default = declared.get(key, (key, None))
        value = scalar(values.get(key, default))
        yield item("setting", key, f"设置“{title}”为{value}", f'Setting "{title}" is {value}', value=value)


def scalar(value: Any) -> FieldValue:
    """Return a JSON-compatible value as a record's field; mappings become JSON."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case list() | tuple() | set() | frozenset() if all(isinstance(each, str) for each in value):
            return tuple(value)
        case _:
            return json.dumps(value, ensure_ascii=False, sort_keys=True)


def no_state(_: Context) -> Iterator[StateRecord]:
    """Return nothing: the app has no data of the user."""
    return iter(())


def provider_rows(records: Iterable[StateRecord]) -> tuple[str, ...]:
    """Return the rows of the content provider: a header with their number, then the records."""
    lines = [record.model_dump_json() for record in records]
    return (json.dumps({"format": FORMAT, "records": len(lines)}, separators=(",", ":")), *lines)
