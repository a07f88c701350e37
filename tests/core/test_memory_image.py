from __future__ import annotations

import functools
import itertools
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from garabench.core.memory_image import MemoryImage, Outside, UnsupportedObjectError
from garabench.core.seeds import generator

NOTHING: Outside = {}


@dataclass
class Open:
    value: Any = None
    others: list[Any] = field(default_factory=list)


@dataclass(slots=True)
class Slotted:
    value: Any = None


class Unset:
    __slots__ = ("value",)
    value: int


@dataclass(frozen=True, slots=True)
class Leaf:
    name: str
    parts: tuple[int, ...] = ()


@dataclass(frozen=True)
class Fixed:
    inner: Any


def counter() -> tuple[Callable[[], int], Callable[[], int]]:
    count = 0

    def add() -> int:
        nonlocal count
        count += 1
        return count

    return add, lambda: count


@pytest.mark.parametrize(
    ("value", "change"),
    [
        ([1, [2]], lambda it: it[1].append(3)),
        ({"a": {"b": 1}}, lambda it: it["a"].update(b=2, c=3)),
        ({1, 2}, lambda it: it.discard(1)),
        (deque([1, 2], maxlen=2), lambda it: it.append(3)),
        (bytearray(b"ab"), lambda it: it.extend(b"c")),
        (Counter("aab"), lambda it: it.update("c")),
        (OrderedDict(a=1, b=2), lambda it: it.move_to_end("a")),
        (Slotted([1]), lambda it: it.value.append(2)),
        (Open(1), lambda it: setattr(it, "value", 2)),
        ((1, [2]), lambda it: it[1].clear()),
        (Fixed([1]), lambda it: it.inner.append(2)),
        (functools.partial(max, [1, 2]), lambda it: it.args[0].append(3)),
    ],
    ids=lambda it: type(it).__name__,
)
def test_content_comes_back(value: Any, change: Callable[[Any], object]) -> None:
    before = repr(value)
    image = MemoryImage([value], NOTHING)
    for _ in range(2):  # an image can be restored again
        change(value)
        assert repr(value) != before
        image.restore()
        assert repr(value) == before


def test_every_object_stays_itself() -> None:
    inner: list[Any] = [1]
    outer = Open(inner, [inner])
    outer.others.append(outer)  # a cycle
    image = MemoryImage([outer], NOTHING)
    outer.value, outer.others = None, []
    inner.clear()
    image.restore()
    assert outer.value is inner
    assert outer.others == [inner, outer]
    assert inner == [1]


def test_closures_get_their_variables_back() -> None:
    add, read = counter()
    add()
    image = MemoryImage([{"timer": add}], NOTHING)
    add()
    add()
    image.restore()
    assert read() == 1


def test_a_bound_method_leads_to_its_object() -> None:
    owner = Open([1])
    image = MemoryImage([owner.value.append, owner.__repr__], NOTHING)
    owner.value.append(2)
    image.restore()
    assert owner.value == [1]


def test_a_slot_that_was_not_set_is_unset_again() -> None:
    owner = Unset()
    image = MemoryImage([owner], NOTHING)
    owner.value = 1
    image.restore()
    assert not hasattr(owner, "value")


def test_attributes_that_appeared_later_disappear() -> None:
    owner = Open()
    image = MemoryImage([owner], NOTHING)
    vars(owner)["late"] = 1
    image.restore()
    assert not hasattr(owner, "late")


def test_random_generators_repeat() -> None:
    drawer = generator(1)
    image = MemoryImage([drawer], NOTHING)
    drawn = drawer.random()
    image.restore()
    assert drawer.random() == drawn


def test_what_is_outside_is_neither_saved_nor_restored() -> None:
    owner, apart = Open([1], [2]), Slotted([3])
    graph = [owner, apart]
    image = MemoryImage([graph], {Open: frozenset({"others"}), Slotted: None})
    owner.value.append(4)
    owner.others.append(4)
    apart.value.append(4)
    image.restore()
    assert (owner.value, owner.others, apart.value) == ([1], [2, 4], [3, 4])


def test_an_outside_slot_keeps_its_value() -> None:
    owner = Slotted(1)
    image = MemoryImage([owner], {Slotted: frozenset({"value"})})
    owner.value = 2
    image.restore()
    assert owner.value == 2


def test_immutable_values_are_not_visited() -> None:
    catalogue = [Leaf(str(number), (number,)) for number in range(100)]
    assert len(MemoryImage([catalogue], NOTHING)) == 1


def running() -> Iterator[int]:
    yield 1


@pytest.mark.parametrize("value", [running(), itertools.count(), iter([1])], ids=lambda it: type(it).__name__)
def test_a_hidden_state_is_refused(value: object) -> None:
    with pytest.raises(UnsupportedObjectError, match=type(value).__name__):
        MemoryImage([[value]], NOTHING)


_values = st.recursive(
    st.none() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=2), inner, max_size=4)
        | st.builds(Open, inner, st.lists(inner, max_size=2))
        | st.builds(Slotted, inner)
    ),
    max_leaves=12,
)


@settings(max_examples=30)
@given(value=_values, seed=st.integers(0, 99))
def test_any_changes_are_undone(value: Any, seed: int) -> None:
    root = [value]
    before = repr(root)
    image = MemoryImage([root], NOTHING)
    draw = generator(seed)
    todo: list[Any] = [root]
    while todo:
        each = todo.pop()
        match each:
            case list():
                todo += each
                draw.choice([each.clear, each.copy, each.reverse])()
                each.append(0)
            case dict():
                todo += each.values()
                draw.choice([each.clear, each.copy])()
                each.update(new=0)
            case Open() | Slotted():
                todo.append(each.value)
                each.value = 0
    image.restore()
    assert repr(root) == before
