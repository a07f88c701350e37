from __future__ import annotations

from collections.abc import Callable
from typing import cast

import pytest

from garabench.core.observation import TreeSource
from garabench.core.tree import TreeError, UiNode, UiTree
from garabench.device.trees import TreeReader, U2Source
from garabench.device.u2_client import U2Client
from garabench.errors import (
    CommandError,
    DeviceError,
    DeviceLostError,
    DeviceTimeoutError,
    TreeUnavailableError,
)

TREE = UiTree((UiNode(text="a"),))
Answer = UiTree | DeviceError | TreeError


class FakeSource:
    """A source that returns its answers in order and repeats the last one."""

    def __init__(self, kind: TreeSource, *answers: Answer) -> None:
        self.kind = kind
        self.answers = list(answers)
        self.calls = 0

    def read(self) -> UiTree:
        self.calls += 1
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, UiTree):
            return answer
        raise answer


def u2(*answers: Answer) -> FakeSource:
    return FakeSource(TreeSource.U2, *answers)


def dump(*answers: Answer) -> FakeSource:
    return FakeSource(TreeSource.UIAUTOMATOR_DUMP, *answers)


def test_first_working_source_is_used_without_a_reason() -> None:
    second = dump(TREE)
    reading = TreeReader((u2(TREE), second)).read()
    assert (reading.source, reading.reason, second.calls) == (TreeSource.U2, "", 0)


@pytest.mark.parametrize(
    "failure", [CommandError("it died"), DeviceTimeoutError("it died"), TreeError("it died")]
)
def test_reason_of_a_failed_source_is_reported(failure: Answer) -> None:
    reading = TreeReader((u2(failure), dump(TREE))).read()
    assert (reading.source, reading.reason) == (TreeSource.UIAUTOMATOR_DUMP, "uiautomator2: it died")


def test_the_same_dump_is_parsed_once() -> None:
    dumps = [b'<hierarchy><node text="%s" /></hierarchy>' % text for text in (b"a", b"a", b"b", b"a")]

    class Server:
        def call(self, method: str, arguments: object) -> str:
            return dumps.pop(0).decode()

    source = U2Source(cast(U2Client, Server()))
    first, second, third, fourth = (source.read() for _ in range(4))
    assert first is second is fourth
    assert [tree.nodes[0].text for tree in (first, third)] == ["a", "b"]


def test_all_sources_are_tried_twice() -> None:
    first, second = u2(TreeError("no root")), dump(TreeError("not idle"), TREE)
    reading = TreeReader((first, second)).read()
    assert reading.reason == "uiautomator2: no root; uiautomator-dump: not idle; uiautomator2: no root"
    third = dump(TreeError("not idle"))
    with pytest.raises(TreeUnavailableError, match="uiautomator2: no root; uiautomator-dump: not idle"):
        TreeReader((u2(TreeError("no root")), third)).read()
    assert third.calls == 2


def test_lost_device_is_not_tried_again() -> None:
    second = dump(TREE)
    with pytest.raises(DeviceLostError):
        TreeReader((u2(DeviceLostError("gone")), second)).read()
    assert second.calls == 0


@pytest.mark.parametrize("make", [lambda: TreeReader(()), lambda: TreeReader((u2(TREE),), rounds=0)])
def test_reader_needs_a_source_and_a_round(make: Callable[[], TreeReader]) -> None:
    with pytest.raises(ValueError, match="at least one source and one round"):
        make()
