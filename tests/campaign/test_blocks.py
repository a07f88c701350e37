from __future__ import annotations

from garabench.campaign.blocks import BlockQueue, block_of
from garabench.records.plan import Plan
from garabench.suite.suite import Suite
from tests.planned import episodes


def test_one_device_follows_the_plan(plan: Plan, suite: Suite) -> None:
    specs = episodes(plan, suite)
    queue = BlockQueue.of(specs)
    assert [queue.take("a", {"a"}) for _ in specs] == list(specs)
    assert queue.take("a", {"a"}) is None


def test_a_block_stays_on_one_kind_of_device(plan: Plan, suite: Suite) -> None:
    specs = episodes(plan, suite)
    queue, kinds = BlockQueue.of(specs), {"a", "b"}
    taken = [(kind, queue.take(kind, kinds)) for kind in ("a", "b") * len(specs)]
    by_block: dict[object, set[str]] = {}
    for kind, spec in taken:
        if spec is not None:
            by_block.setdefault(block_of(spec), set()).add(kind)
    assert sum(spec is not None for _, spec in taken) == len(specs)
    assert {len(found) for found in by_block.values()} == {1}
    assert {kind for found in by_block.values() for kind in found} == kinds


def test_devices_of_one_kind_share_a_block(plan: Plan, suite: Suite) -> None:
    specs = episodes(plan, suite)
    queue = BlockQueue.of(specs)
    assert [queue.take("a", {"a"}), queue.take("a", {"a"})] == list(specs[:2])
    assert block_of(specs[0]) == block_of(specs[1])


def test_a_block_whose_kind_is_gone_is_open_to_others(plan: Plan, suite: Suite) -> None:
    specs = episodes(plan, suite)
    queue = BlockQueue.of(specs[:2])
    first = queue.take("a", {"a", "b"})
    assert first is not None
    queue.put_back(first)
    assert queue.take("b", {"a", "b"}) is None  # its device is only busy with something else
    assert queue.take("b", {"b"}) == first
