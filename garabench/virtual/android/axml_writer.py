"""Write Android's binary XML (``ResourceTypes.h``), as the manifest of an APK is stored."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

Value = str | int | bool

ANDROID = "http://schemas.android.com/apk/res/android"
_ATTRIBUTES = {
    **{"label": 0x01010001, "name": 0x01010003, "permission": 0x01010006, "exported": 0x01010010},
    **{"launchMode": 0x0101001D, "scheme": 0x01010027, "host": 0x01010028, "mimeType": 0x01010026},
    **{"minSdkVersion": 0x0101020C, "versionCode": 0x0101021B, "versionName": 0x0101021C},
    **{"targetSdkVersion": 0x01010270, "authorities": 0x01010018},
}
"""The resource ids of the framework's attributes."""
_XML, _STRINGS, _RESOURCES = 0x0003, 0x0001, 0x0180
_NAMESPACE_START, _NAMESPACE_END, _START, _END = 0x0100, 0x0101, 0x0102, 0x0103
_UTF8, _NONE = 1 << 8, 0xFFFFFFFF
_STRING, _INTEGER, _BOOLEAN = 0x03, 0x10, 0x12
_PREFIX = "android"


@dataclass(frozen=True, slots=True)
class Element:
    """An element.

    Attributes:
        tag: Its name.
        attributes: Its attributes; those of the framework are in its namespace.
        children: The elements in it.
    """

    tag: str
    attributes: dict[str, Value] = field(default_factory=dict)
    children: tuple[Element, ...] = ()


class _Strings:
    """The pool of strings, which begins with the names of the framework's attributes."""

    def __init__(self, root: Element) -> None:
        self._places: dict[str, int] = {}
        self._collect(root)
        self.resources = [_ATTRIBUTES[name] for name in self._places]

    def _collect(self, element: Element) -> None:
        for name in element.attributes:
            if name in _ATTRIBUTES:
                self.place(name)
        for child in element.children:
            self._collect(child)

    def place(self, text: str) -> int:
        """Return a string's number in the pool, to which it is added."""
        return self._places.setdefault(text, len(self._places))

    def encode(self) -> bytes:
        """Return the pool's chunk."""
        body, offsets = bytearray(), []
        for text in self._places:
            offsets.append(len(body))
            raw = text.encode()
            body += _length(len(text)) + _length(len(raw)) + raw + b"\0"
        body += b"\0" * (-len(body) % 4)
        head = 28 + 4 * len(offsets)
        fields = (_STRINGS, 28, head + len(body), len(offsets), 0, _UTF8, head, 0)
        return struct.pack("<HHIIIIII", *fields) + struct.pack(f"<{len(offsets)}I", *offsets) + bytes(body)


def _length(count: int) -> bytes:
    return bytes([count]) if count < 0x80 else bytes([0x80 | count >> 8, count & 0xFF])


def write_axml(root: Element) -> bytes:
    """Return a document in binary XML."""
    strings = _Strings(root)
    resources = struct.pack(f"<{len(strings.resources)}I", *strings.resources)
    prefix, uri = strings.place(_PREFIX), strings.place(ANDROID)
    namespace = struct.pack("<IIII", 1, _NONE, prefix, uri)
    inner = _element(root, strings)
    parts = (
        strings.encode(),
        struct.pack("<HHI", _RESOURCES, 8, 8 + len(resources)) + resources,
        struct.pack("<HHI", _NAMESPACE_START, 16, 24) + namespace,
        inner,
        struct.pack("<HHI", _NAMESPACE_END, 16, 24) + namespace,
    )
    body = b"".join(parts)
    return struct.pack("<HHI", _XML, 8, 8 + len(body)) + body


def _element(element: Element, strings: _Strings) -> bytes:
    tag = strings.place(element.tag)
    attributes = sorted(element.attributes.items(), key=lambda each: _ATTRIBUTES.get(each[0], _NONE))
    body = struct.pack("<IIIIHHHHHH", 1, _NONE, _NONE, tag, 20, 20, len(attributes), 0, 0, 0)
    for name, value in attributes:
        namespace = strings.place(ANDROID) if name in _ATTRIBUTES else _NONE
        match value:
            case bool():
                raw, kind, data = _NONE, _BOOLEAN, _NONE if value else 0
            case int():
                raw, kind, data = _NONE, _INTEGER, value
            case _:
                raw = data = strings.place(value)
                kind = _STRING
        body += struct.pack("<IIIHBBI", namespace, strings.place(name), raw, 8, 0, kind, data)
    start = struct.pack("<HHI", _START, 16, 8 + len(body)) + body
    end = struct.pack("<HHIIIII", _END, 16, 24, 1, _NONE, _NONE, tag)
    return start + b"".join(_element(child, strings) for child in element.children) + end
