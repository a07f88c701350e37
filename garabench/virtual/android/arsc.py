"""Look a string up in an APK's resource table (``resources.arsc``)."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from garabench.virtual.android.axml import AxmlError, chunk_headers, string_pool

_TABLE, _STRINGS, _PACKAGE, _TYPE = 0x0002, 0x0001, 0x0200, 0x0201
_SPARSE, _OFFSET16 = 1, 2
_COMPLEX, _COMPACT = 1, 8
_TYPE_REFERENCE, _TYPE_STRING = 0x01, 0x03
_MAX_HOPS = 4


def resource_string(table: bytes, resource: int, lang: str = "") -> str | None:
    """Look up the text of a string resource.

    Args:
        table: The whole ``resources.arsc``.
        resource: Resource id, such as ``0x7f0b0001``.
        lang: Two letters; a text for this language is preferred to the default one.

    Returns:
        The text, or None if it is missing or the table cannot be read.
    """
    try:
        return _lookup(table, resource, lang, _MAX_HOPS)
    except (AxmlError, struct.error, IndexError):
        return None


def _lookup(table: bytes, resource: int, lang: str, hops: int) -> str | None:
    kind, header, total = struct.unpack_from("<HHI", table, 0)
    if kind != _TABLE or hops == 0:
        return None
    strings: list[str] = []
    found: dict[str, tuple[int, int]] = {}
    for kind, start, header_size, size in chunk_headers(table, header, min(total, len(table))):
        if kind == _STRINGS:
            strings = string_pool(table, start)
        elif kind == _PACKAGE:
            (number,) = struct.unpack_from("<I", table, start + 8)
            if number == resource >> 24:
                found |= dict(_values(table, start + header_size, start + size, resource))
    value = found.get(lang) or found.get("")
    if value is None:
        return None
    kind, data = value
    if kind == _TYPE_REFERENCE:
        return _lookup(table, data, lang, hops - 1)
    return strings[data] if kind == _TYPE_STRING else None


def _values(table: bytes, begin: int, end: int, resource: int) -> Iterator[tuple[str, tuple[int, int]]]:
    """(language, (type, data)) of a resource in each configuration."""
    for kind, start, header, _ in chunk_headers(table, begin, end):
        if kind != _TYPE or table[start + 8] != (resource >> 16) & 0xFF:
            continue
        flags = table[start + 9]
        count, entries = struct.unpack_from("<II", table, start + 12)
        offset = _offset(table, start + header, flags, count, resource & 0xFFFF)
        if offset is None:
            continue
        language = table[start + 28 : start + 30]
        position = start + entries + offset
        size, entry_flags, low = struct.unpack_from("<HHI", table, position)
        if entry_flags & _COMPACT:
            yield _language(language), (entry_flags >> 8, low)
        elif not entry_flags & _COMPLEX:
            _, _, value_type, data = struct.unpack_from("<HBBI", table, position + size)
            yield _language(language), (value_type, data)


def _offset(table: bytes, position: int, flags: int, count: int, entry: int) -> int | None:
    if flags & _SPARSE:
        for number in range(count):
            index, quarter = struct.unpack_from("<HH", table, position + 4 * number)
            if index == entry:
                return int(quarter) * 4
        return None
    if entry >= count:
        return None
    if flags & _OFFSET16:
        (short,) = struct.unpack_from("<H", table, position + 2 * entry)
        return None if short == 0xFFFF else int(short) * 4
    (offset,) = struct.unpack_from("<I", table, position + 4 * entry)
    return None if offset == 0xFFFFFFFF else int(offset)


def _language(code: bytes) -> str:
    return "" if code == b"\0\0" else code.decode("ascii", "replace")
