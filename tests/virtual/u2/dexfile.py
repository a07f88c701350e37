"""The methods of a Java interface, read from an Android DEX file (source.android.com, dex-format)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

_TABLES = struct.Struct("<12I")
_TABLES_AT = 0x38
_CLASS = struct.Struct("<8I")
_METHOD = struct.Struct("<HHI")
_PROTOTYPE = struct.Struct("<III")


@dataclass(frozen=True, slots=True)
class Overload:
    """A method: its name and the types of its parameters, without their packages."""

    name: str
    parameters: tuple[str, ...]


class Dex:
    """A DEX file."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        tables = _TABLES.unpack_from(raw, _TABLES_AT)
        (_, self._strings, _, self._types, _, self._protos, _, _, _, self._methods, *classes) = tables
        self._class_count, self._classes = classes

    def overloads(self, name: str) -> Iterator[Overload]:
        """Yield the methods of the class or interface whose name ends with `name`."""
        for number in range(self._class_count):
            found = _CLASS.unpack_from(self._raw, self._classes + _CLASS.size * number)
            if self._type(found[0]).endswith(f"/{name};") and found[6]:
                yield from self._of(found[6])

    def _of(self, at: int) -> Iterator[Overload]:
        counts = []
        for _ in range(4):  # static and instance fields, direct and virtual methods
            count, at = self._uleb(at)
            counts.append(count)
        for _ in range(2 * (counts[0] + counts[1])):
            _, at = self._uleb(at)
        for count in counts[2:]:
            place = 0
            for _ in range(count):
                step, at = self._uleb(at)
                place += step
                for _ in range(2):  # access flags, code
                    _, at = self._uleb(at)
                _, prototype, name = _METHOD.unpack_from(self._raw, self._methods + _METHOD.size * place)
                yield Overload(self._string(name), self._parameters(prototype))

    def _parameters(self, number: int) -> tuple[str, ...]:
        at = _PROTOTYPE.unpack_from(self._raw, self._protos + _PROTOTYPE.size * number)[2]
        if not at:
            return ()
        (count,) = struct.unpack_from("<I", self._raw, at)
        kinds = struct.unpack_from(f"<{count}H", self._raw, at + 4)
        return tuple(_short(self._type(kind)) for kind in kinds)

    def _type(self, number: int) -> str:
        return self._string(struct.unpack_from("<I", self._raw, self._types + 4 * number)[0])

    def _string(self, number: int) -> str:
        (at,) = struct.unpack_from("<I", self._raw, self._strings + 4 * number)
        _, at = self._uleb(at)
        return self._raw[at : self._raw.index(0, at)].decode("utf-8", errors="replace")

    def _uleb(self, at: int) -> tuple[int, int]:
        value = shift = 0
        while True:
            byte = self._raw[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value, at


def _short(descriptor: str) -> str:
    """``[Ljava/lang/String;`` is ``[String``."""
    element = descriptor.lstrip("[")
    return descriptor[: -len(element)] + element.rpartition("/")[2].rstrip(";")
