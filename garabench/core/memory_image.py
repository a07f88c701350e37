"""Images of a graph of objects in memory, from which the same objects get their saved content back.

Nothing is copied but the content of the mutable objects: a list's items, an object's attributes, the
variables of a closure. Every object stays itself, so references from outside of the graph stay valid, and
callbacks, timers and dialogs, which are closures over such objects, need no special code. Immutable
objects are shared: texts, numbers, functions, classes, modules, and frozen dataclasses of such values, as in
catalogues.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import enum
import functools
import gc
import random
import re
import types
import typing
import uuid
import zoneinfo
from collections import OrderedDict, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import Any

Outside = Mapping[type, frozenset[str] | None]
"""What does not belong to a graph: attributes by class, or None for the objects of a class altogether."""

_IMMUTABLE: tuple[type, ...] = (
    type(None),
    bool,
    int,
    float,
    complex,
    str,
    bytes,
    range,
    type,
    types.ModuleType,
    types.CodeType,
    types.GenericAlias,
    types.EllipsisType,
    types.NotImplementedType,
    enum.Enum,
    dt.date,
    dt.time,
    dt.timedelta,
    dt.tzinfo,
    re.Pattern,
    uuid.UUID,
    PurePath,
    zoneinfo.ZoneInfo,
    functools._lru_cache_wrapper,  # a pure function
)
_CONTAINERS = (dict, OrderedDict, defaultdict, list, set, deque, bytearray, tuple, frozenset)
_WORD = 8
"""Bytes of a slot."""
_MISSING = object()


class UnsupportedObjectError(TypeError):
    """The content of an object, such as a running generator, can be neither read nor set."""


class MemoryImage:
    """The content of the mutable objects of a graph at one moment."""

    def __init__(self, roots: Iterable[object], outside: Outside) -> None:
        """Save the content of everything that is reachable from the roots.

        Args:
            roots: Where the graph begins.
            outside: What does not belong to it: neither saved nor restored.

        Raises:
            UnsupportedObjectError: An object has a hidden state.
        """
        self._plans: dict[type, _Plan] = {}
        self._outside = outside
        self._dicts: list[tuple[dict[Any, Any], dict[Any, Any], frozenset[str]]] = []
        self._lists: list[tuple[list[Any] | bytearray, list[Any] | bytes]] = []
        self._sets: list[tuple[set[Any], tuple[Any, ...]]] = []
        self._deques: list[tuple[deque[Any], tuple[Any, ...]]] = []
        self._cells: list[tuple[types.CellType, object]] = []
        self._slots: list[tuple[object, tuple[tuple[Any, object], ...]]] = []
        self._generators: list[tuple[random.Random, tuple[Any, ...]]] = []
        self._count = self._save(roots)
        self._plans.clear()

    def __len__(self) -> int:
        """Number of objects that were visited."""
        return self._count

    def restore(self) -> None:
        """Give every object its saved content back; the image can be restored again."""
        for mapping, items, apart in self._dicts:
            rest = {name: mapping[name] for name in apart if name in mapping}
            mapping.clear()
            mapping.update(items)
            mapping.update(rest)
        for sequence, values in self._lists:
            sequence[:] = values
        for collection, members in self._sets:
            collection.clear()
            collection.update(members)
        for queue, entries in self._deques:
            queue.clear()
            queue.extend(entries)
        for cell, content in self._cells:
            if content is not _MISSING:
                cell.cell_contents = content
        for owner, attributes in self._slots:
            for member, value in attributes:
                if value is not _MISSING:
                    member.__set__(owner, value)
                elif _get(member, owner) is not _MISSING:
                    member.__delete__(owner)
        for drawer, state in self._generators:
            drawer.setstate(state)

    def _save(self, roots: Iterable[object]) -> int:
        seen: dict[int, object] = {}  # the objects stay alive, so that their ids stay unique
        todo = list(roots)
        plans = self._plans
        while todo:
            each = todo.pop()
            kind = type(each)
            plan = plans.get(kind)
            if plan is None:
                plan = plans[kind] = _plan(kind, self._outside)
            if plan.skipped or id(each) in seen:
                continue
            seen[id(each)] = each
            todo += self._visit(each, plan)
        return len(seen)

    def _visit(self, each: Any, plan: _Plan) -> list[object]:
        """Save one object; return what it refers to."""
        match each:
            case types.CellType():
                content = _content(each)
                self._cells.append((each, content))
                return [content]
            case types.FunctionType():
                return [*(each.__closure__ or ()), each.__defaults__, each.__kwdefaults__, each.__dict__]
            case types.MethodType() | types.BuiltinMethodType() | types.MethodWrapperType():
                return [each.__self__, getattr(each, "__func__", None)]
            case functools.partial():
                return [each.func, each.args, each.keywords]
            case types.MappingProxyType():
                return gc.get_referents(each)
            case random.Random():
                self._generators.append((each, each.getstate()))
                return []
        found: list[object] = []
        match each:
            case dict():
                self._dicts.append((each, dict(each), frozenset()))
                found += [*each.keys(), *each.values()]
            case list():
                self._lists.append((each, list(each)))
                found += each
            case bytearray():
                self._lists.append((each, bytes(each)))
            case set():
                self._sets.append((each, tuple(each)))
                found += each
            case deque():
                self._deques.append((each, tuple(each)))
                found += each
            case tuple() | frozenset():
                found += each
        if plan.has_dict:
            attributes = {name: value for name, value in vars(each).items() if name not in plan.apart}
            if not plan.frozen:
                self._dicts.append((vars(each), attributes, plan.apart))
            found += attributes.values()
        if plan.members:
            values = tuple((member, _get(member, each)) for member in plan.members)
            if not plan.frozen:
                self._slots.append((each, values))
            found += [value for _, value in values]
        return found


@dataclasses.dataclass(frozen=True, slots=True)
class _Plan:
    """How the objects of a class are saved.

    Attributes:
        skipped: Whether they are immutable or outside of the graph.
        hidden: Whether they have a state that only C code can reach.
        frozen: Whether their attributes never change.
        has_dict: Whether they have a ``__dict__``.
        members: The descriptors of their slots.
        apart: Attributes that are outside of the graph.
    """

    skipped: bool = False
    hidden: bool = False
    frozen: bool = False
    has_dict: bool = False
    members: tuple[Any, ...] = ()
    apart: frozenset[str] = frozenset()


_REFERRING = (
    types.CellType,
    types.FunctionType,
    types.MethodType,
    types.BuiltinMethodType,
    types.MethodWrapperType,
    types.MappingProxyType,
    functools.partial,
    random.Random,
)
"""Types with a separate case."""


def _plan(kind: type, outside: Outside) -> _Plan:
    """Decide how the objects of a class are saved.

    Raises:
        UnsupportedObjectError: They have a state that only C code can reach.
    """
    plan = _plan_of_class(kind)
    if plan.skipped:
        return plan
    apart = [names for known, names in outside.items() if issubclass(kind, known)]
    if None in apart:
        return _Plan(skipped=True)
    if plan.hidden:
        raise UnsupportedObjectError(f"the state of {kind.__module__}.{kind.__qualname__} is hidden")
    names = frozenset[str]().union(*(each for each in apart if each))
    inside = tuple(member for member in plan.members if member.__name__ not in names)
    return dataclasses.replace(plan, members=inside, apart=names)


@functools.cache
def _plan_of_class(kind: type) -> _Plan:
    if kind is object or issubclass(kind, _IMMUTABLE) or kind in _CALLABLES or _is_immutable(kind, set()):
        return _Plan(skipped=True)
    if issubclass(kind, _REFERRING):
        return _Plan()
    for base in kind.__mro__:
        if base is not object and base not in _CONTAINERS and _hidden_size(base) > 0:
            return _Plan(hidden=True)
    return _Plan(frozen=_is_frozen(kind), has_dict=bool(kind.__dictoffset__), members=tuple(_members(kind)))


_CALLABLES = frozenset(
    {types.WrapperDescriptorType, types.MethodDescriptorType, types.ClassMethodDescriptorType}
)


def _hidden_size(kind: type) -> int:
    """Return how many bytes a class adds to its base in which no attribute or slot is."""
    base = kind.__base__ or object
    own = len(list(_slots_of(kind))) + ("__dict__" in vars(kind)) + ("__weakref__" in vars(kind))
    return int(kind.__basicsize__ - base.__basicsize__ - own * _WORD)


def _slots_of(kind: type) -> Iterator[Any]:
    """Iterate over the descriptors of the slots that a class itself adds."""
    return (each for each in vars(kind).values() if isinstance(each, types.MemberDescriptorType))


def _members(kind: type) -> Iterator[Any]:
    for base in kind.__mro__:
        if "__slots__" in vars(base):
            yield from _slots_of(base)


def _is_frozen(kind: type) -> bool:
    parameters = getattr(kind, "__dataclass_params__", None)
    return parameters is not None and "__dataclass_params__" in vars(kind) and bool(parameters.frozen)


def _is_immutable(kind: type, open_: set[type]) -> bool:
    """Return whether a class is a frozen dataclass, all of whose fields are immutable by their types."""
    if not _is_frozen(kind) or kind in open_:
        return kind in open_
    try:
        hints = typing.get_type_hints(kind)
    except NameError:  # a type that is imported for type checkers only
        return False
    fields = dataclasses.fields(kind)
    return all(_is_immutable_hint(hints.get(each.name, Any), open_ | {kind}) for each in fields)


def _is_immutable_hint(hint: Any, open_: set[type]) -> bool:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType, tuple, frozenset):
        return all(each is Ellipsis or _is_immutable_hint(each, open_) for each in arguments)
    if origin in (typing.Literal, type):
        return True
    if origin is typing.Annotated:
        return _is_immutable_hint(arguments[0], open_)
    if not isinstance(hint, type) or hint is object:
        return False
    return issubclass(hint, _IMMUTABLE) or _is_immutable(hint, open_)


def _content(cell: types.CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # it is empty
        return _MISSING


def _get(member: Any, owner: object) -> object:
    try:
        return member.__get__(owner)
    except AttributeError:  # it is not set
        return _MISSING
