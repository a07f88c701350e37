"""Parse Android's binary XML, the format of the manifest inside an APK.

Follows ``ResourceTypes.h`` of the Android Open Source Project: a file is one chunk that holds a string pool,
a table of the attributes' resource ids, and the start and end of each element.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

Value = str | int | float | bool

_XML, _STRINGS, _RESOURCE_MAP = 0x0003, 0x0001, 0x0180
_START, _END = 0x0102, 0x0103
_UTF8 = 1 << 8
_NONE = 0xFFFFFFFF
_MAX_STRINGS = 200_000
_MAX_DEPTH = 64
_TYPE_REFERENCE, _TYPE_STRING, _TYPE_FLOAT, _TYPE_BOOLEAN = 0x01, 0x03, 0x04, 0x12

# Shrinkers may strip the attributes' names: Android itself uses the resource id.
_ATTRIBUTES: Mapping[int, str] = {
    0x01010001: "label",
    0x01010003: "name",
    0x01010006: "permission",
    0x01010010: "exported",
    0x0101001D: "launchMode",
    0x01010027: "scheme",
    0x01010028: "host",
    0x01010029: "port",
    0x0101002A: "path",
    0x0101002B: "pathPrefix",
    0x0101002C: "pathPattern",
    0x01010021: "targetPackage",
    0x01010026: "mimeType",
    0x0101001C: "priority",
    0x01010417: "ssp",
    0x01010418: "sspPrefix",
    0x01010419: "sspPattern",
    0x0101056E: "pathAdvancedPattern",
    0x01010626: "pathSuffix",
    0x0101020C: "minSdkVersion",
    0x0101021B: "versionCode",
    0x0101021C: "versionName",
    0x01010270: "targetSdkVersion",
    0x01010272: "testOnly",
}


class AxmlError(ValueError):
    """The bytes are not binary XML."""


@dataclass(frozen=True, slots=True)
class ResourceReference:
    """A reference into the resource table, such as ``@0x7f0b0001``."""

    resource: int


@dataclass(slots=True)
class XmlElement:
    """An element of the document.

    Attributes:
        tag: Its name.
        attributes: Attributes by name, without namespace.
        children: Child elements in document order.
    """

    tag: str
    attributes: dict[str, Value | ResourceReference] = field(default_factory=dict)
    children: list[XmlElement] = field(default_factory=list)

    def text(self, name: str, default: str = "") -> str:
        """Return an attribute as text; the default if it is absent or a reference."""
        value = self.attributes.get(name, default)
        return default if isinstance(value, ResourceReference) else str(value)

    def number(self, name: str, default: int = 0) -> int:
        """Return an attribute as an integer; the default if it is absent or not one."""
        value = self.attributes.get(name)
        if isinstance(value, bool | int):
            return int(value)
        return int(value) if isinstance(value, str) and value.lstrip("-").isdecimal() else default

    def flag(self, name: str, *, default: bool = False) -> bool:
        """Return a boolean attribute."""
        value = self.attributes.get(name)
        if isinstance(value, bool | int):
            return bool(value)
        return value == "true" if isinstance(value, str) else default

    def all(self, tag: str) -> Iterator[XmlElement]:
        """Yield the children with that tag."""
        return (child for child in self.children if child.tag == tag)


def parse_axml(data: bytes) -> XmlElement:
    """Parse a document.

    Raises:
        AxmlError: It is not binary XML, is truncated, or nested too deep.
    """
    try:
        return _parse(data)
    except (struct.error, IndexError, UnicodeDecodeError) as error:
        raise AxmlError(f"broken binary XML: {error}") from error


def _parse(data: bytes) -> XmlElement:
    kind, first, total = struct.unpack_from("<HHI", data, 0)
    if kind != _XML:
        raise AxmlError("not binary XML")
    strings: list[str] = []
    resources: tuple[int, ...] = ()
    root: XmlElement | None = None
    stack: list[XmlElement] = []
    for kind, start, header, size in chunk_headers(data, first, min(total, len(data))):
        if kind == _STRINGS:
            strings = string_pool(data, start)
        elif kind == _RESOURCE_MAP:
            resources = struct.unpack_from(f"<{(size - header) // 4}I", data, start + header)
        elif kind == _START:
            element = _element(data, start + header, strings, resources)
            if stack:
                stack[-1].children.append(element)
            elif root is None:
                root = element
            stack.append(element)
            if len(stack) > _MAX_DEPTH:
                raise AxmlError("nested too deep")
        elif kind == _END and stack:
            stack.pop()
    if root is None:
        raise AxmlError("no root element")
    return root


def chunk_headers(data: bytes, begin: int, end: int) -> Iterator[tuple[int, int, int, int]]:
    """(type, offset, header size, size) of the chunks in a range of the file.

    Raises:
        AxmlError: A chunk exceeds the range.
    """
    position = begin
    while position + 8 <= end:
        kind, header, size = struct.unpack_from("<HHI", data, position)
        if size < 8 or header > size or position + size > end:
            raise AxmlError(f"invalid chunk of {size} bytes at offset {position}")
        yield kind, position, header, size
        position += size


def string_pool(data: bytes, start: int) -> list[str]:
    """Return the strings of a string pool chunk.

    Raises:
        AxmlError: It claims more strings than it can hold.
    """
    _, header, size, count, _, flags, strings_at, _ = struct.unpack_from("<HHIIIIII", data, start)
    if count > _MAX_STRINGS or count * 4 > size:
        raise AxmlError(f"invalid string pool of {count} strings")
    offsets = struct.unpack_from(f"<{count}I", data, start + header)
    read = _utf8 if flags & _UTF8 else _utf16
    return [read(data, start + strings_at + offset) for offset in offsets]


def _utf8(data: bytes, position: int) -> str:
    for _ in range(2):  # its length in characters, then in bytes: one byte each, or two with the top bit set
        length = data[position]
        position += 1
        if length & 0x80:
            length = (length & 0x7F) << 8 | data[position]
            position += 1
    return data[position : position + length].decode("utf-8", "replace")


def _utf16(data: bytes, position: int) -> str:
    (length,) = struct.unpack_from("<H", data, position)
    position += 2
    if length & 0x8000:
        (low,) = struct.unpack_from("<H", data, position)
        length, position = (length & 0x7FFF) << 16 | low, position + 2
    return data[position : position + 2 * length].decode("utf-16-le", "replace")


def _element(data: bytes, position: int, strings: list[str], resources: tuple[int, ...]) -> XmlElement:
    _, tag, first, size, count = struct.unpack_from("<IIHHH", data, position)
    if not strings[tag]:
        raise AxmlError("an element without a name")
    element = XmlElement(strings[tag])
    for number in range(count):
        _, name, raw, _, _, kind, value = struct.unpack_from(
            "<IIIHBBI", data, position + first + number * size
        )
        known = _ATTRIBUTES.get(resources[name]) if name < len(resources) else None
        element.attributes[known or strings[name]] = _value(kind, value, raw, strings)
    return element


def _value(kind: int, value: int, raw: int, strings: list[str]) -> Value | ResourceReference:
    if kind == _TYPE_STRING:
        return strings[value]
    if kind == _TYPE_REFERENCE:
        return ResourceReference(value)
    if kind == _TYPE_BOOLEAN:
        return value != 0
    if kind == _TYPE_FLOAT:
        number: float = struct.unpack("<f", struct.pack("<I", value))[0]
        return number
    if raw != _NONE:
        return strings[raw]
    return value - (1 << 32) if value & 0x80000000 else value
