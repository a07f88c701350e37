"""Read a pickle without running code: each object in it becomes plain data.

A pickle is a program that may call any function. Here every class and function that it names is replaced by
an inert stand-in, which only collects its arguments and its state: nothing is imported and nothing is called.
The size is limited before and after decompression, and so is what shared references expand to.
"""

from __future__ import annotations

import gzip
import io
import math
import pickle
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from garabench.core.file_errors import unreadable
from garabench.errors import InputError

MAX_BYTES = 2 << 30
"""The largest pickle, without compression; a recorded step has several uncompressed screenshots."""
MAX_VALUES = 5_000_000
_MAX_DEPTH = 200
_NUMBERS = {"f8": "d", "f4": "f", "i8": "q", "i4": "i", "i2": "h", "i1": "b", "u1": "B", "b1": "?"}


@dataclass(frozen=True, slots=True)
class PickledArray:
    """An array of numbers.

    Attributes:
        shape: Its size in each dimension.
        kind: The kind of its numbers: ``u1``, ``f8``, …
        data: Their bytes, the last dimension first.
    """

    shape: tuple[int, ...]
    kind: str
    data: bytes


class _Inert:
    """Stands for an object of a pickle: what its constructor and its state were."""

    kind = ""

    def __new__(cls, *args: Any, **_: Any) -> _Inert:
        made = super().__new__(cls)
        made.args = args
        made.state = None
        made.items = {}
        made.values = []
        return made

    def __init__(self, *args: Any, **_: Any) -> None:
        self.args: tuple[Any, ...]
        self.state: Any
        self.items: dict[Any, Any]
        self.values: list[Any]

    def __call__(self, *args: Any) -> _Inert:
        return _Inert(*args)

    def __setstate__(self, state: Any) -> None:
        self.state = state

    def __setitem__(self, key: Any, value: Any) -> None:
        self.items[key] = value

    def append(self, value: Any) -> None:
        self.values.append(value)


class _InertUnpickler(pickle.Unpickler):
    """Finds a stand-in for every class and function."""

    def find_class(self, module: str, name: str) -> Any:
        return type("Inert", (_Inert,), {"kind": f"{module}.{name}"})

    def persistent_load(self, pid: Any) -> Any:
        raise pickle.UnpicklingError("the pickle refers to objects outside of it")


def read_inert_pickle(file: Path) -> Any:
    """Read a pickle, compressed by gzip or not, as plain data.

    Objects become dictionaries of their fields, arrays become `PickledArray`, other values that have no plain
    form become None.

    Args:
        file: The file.

    Raises:
        InputError: It cannot be read, is not a pickle, or is too large.
    """
    try:
        data = _decompressed(file)
    except (OSError, EOFError, zlib.error) as error:
        raise unreadable(file, error) from error
    if len(data) > MAX_BYTES:
        raise InputError(f"{file} is larger than {MAX_BYTES} bytes without compression")
    try:
        value = _InertUnpickler(io.BytesIO(data)).load()
        plain = _Plain()
        result = plain.of(value, 0)
    except Exception as error:  # a malformed pickle raises errors of any kind
        raise InputError(f"{file} is not a readable pickle: {error}") from error
    if plain.size(result) > MAX_VALUES:
        raise InputError(f"{file} expands to more than {MAX_VALUES} values")
    return result


def _decompressed(file: Path) -> bytes:
    with file.open("rb") as stream:
        is_compressed = stream.read(2) == b"\x1f\x8b"
    if not is_compressed:
        with file.open("rb") as stream:
            return stream.read(MAX_BYTES + 1)
    with gzip.open(file) as unzipped:
        return unzipped.read(MAX_BYTES + 1)


class _Plain:
    """Converts objects to plain data; each object once, however often it is shared."""

    def __init__(self) -> None:
        self._done: dict[int, Any] = {}
        self._sources: list[Any] = []  # so that no id is used again
        self._sizes: dict[int, int] = {}

    def of(self, value: Any, depth: int) -> Any:
        """Return a value as plain data; a reference back to what contains it becomes None."""
        if value is None or isinstance(value, bool | int | float | str | bytes):
            return value
        if depth > _MAX_DEPTH:
            raise ValueError(f"nested deeper than {_MAX_DEPTH} levels")
        if id(value) not in self._done:
            self._done[id(value)] = None
            self._sources.append(value)
            self._done[id(value)] = self._converted(value, depth + 1)
        return self._done[id(value)]

    def _converted(self, value: Any, depth: int) -> Any:
        match value:
            case dict():
                return self._mapping(value, depth)
            case list() | tuple() | set() | frozenset():
                return [self.of(each, depth) for each in value]
            case bytearray():
                return bytes(value)
            case _Inert():
                return self._object(value, depth)
            case _:
                return None

    def _mapping(self, value: dict[Any, Any], depth: int) -> dict[str, Any]:
        return {str(key): self.of(each, depth) for key, each in value.items() if isinstance(key, str | int)}

    def _object(self, value: _Inert, depth: int) -> Any:
        name = value.kind.rpartition(".")[2]
        array = _array(value, name)
        if array is not None:
            return array
        if name == "scalar" and len(value.args) == 2:
            return _number(*value.args)
        if value.kind == "_codecs.encode":
            return _bytes(value)
        if name in ("set", "frozenset") and value.args:
            return self.of(value.args[0], depth)
        if value.items:
            return self._mapping(value.items, depth)
        if value.values:
            return [self.of(each, depth) for each in value.values]
        state = value.state
        if isinstance(state, tuple) and len(state) == 2:  # fields, and those in slots
            state = {key: each for part in state if isinstance(part, dict) for key, each in part.items()}
        return self._mapping(state, depth) if isinstance(state, dict) else None

    def size(self, value: Any) -> int:
        """Return the number of values that a plain value expands to without sharing."""
        for each in _children_first(value):
            if id(each) not in self._sizes:
                parts = each.values() if isinstance(each, dict) else each
                self._sizes[id(each)] = 1 + sum(self._sizes.get(id(part), 1) for part in parts)
        return self._sizes.get(id(value), 1)


def _children_first(value: Any) -> Iterator[Any]:
    """Yield the lists and dictionaries in a value, each once and after what it contains."""
    stack, seen = [(value, False)], set[int]()
    while stack:
        each, is_done = stack.pop()
        if is_done:
            yield each
        elif isinstance(each, dict | list) and id(each) not in seen:
            seen.add(id(each))
            stack.append((each, True))
            stack += [(part, False) for part in (each.values() if isinstance(each, dict) else each)]


def _array(value: _Inert, name: str) -> PickledArray | None:
    """Return an array; None if the object is another one."""
    if name == "_reconstruct" and isinstance(value.state, tuple) and len(value.state) == 5:
        _, shape, dtype, is_fortran, data = value.state
    elif name == "_frombuffer" and len(value.args) == 4:
        data, dtype, shape, order = value.args
        is_fortran = order != "C"
    else:
        return None
    kind, data = _kind(dtype), _bytes(data)
    sizes = isinstance(shape, tuple) and all(isinstance(each, int) and each >= 0 for each in shape)
    if not sizes or not kind or is_fortran or data is None:
        return None
    return PickledArray(shape, kind, data) if math.prod(shape) * int(kind[1:]) == len(data) else None


def _bytes(value: Any) -> bytes | None:
    """Return bytes; those of older pickles are encoded as a text."""
    if isinstance(value, bytes | bytearray):
        return bytes(value)
    is_text = isinstance(value, _Inert) and value.kind == "_codecs.encode" and len(value.args) == 2
    if not is_text or not isinstance(value.args[0], str) or value.args[1] != "latin1":
        return None
    return value.args[0].encode("latin-1")


def _kind(dtype: Any) -> str:
    kind = dtype.args[0] if isinstance(dtype, _Inert) and dtype.args else ""
    return kind if isinstance(kind, str) and kind in _NUMBERS else ""


def _number(dtype: Any, data: Any) -> float | bool | None:
    kind, data = _kind(dtype), _bytes(data)
    if not kind or data is None or len(data) != int(kind[1:]):
        return None
    (number,) = struct.unpack(f"<{_NUMBERS[kind]}", data)
    return number if isinstance(number, bool) else float(number)
