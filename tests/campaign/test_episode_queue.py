from __future__ import annotations

from itertools import pairwise

import pytest

from garabench.campaign.episode_queue import WHOLE, BlockQueue, Shard, block_of, parse_shard
from garabench.errors import InputError
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


def test_shards_share_the_blocks_of_a_plan(plan: Plan, suite: Suite) -> None:
    specs = episodes(plan, suite)
    parts = [Shard(number, 3).part(specs) for number in (1, 2, 3)]
    assert sorted(str(spec.key) for part in parts for spec in part) == sorted(str(spec.key) for spec in specs)
    assert all({block_of(a) for a in x}.isdisjoint({block_of(b) for b in y}) for x, y in pairwise(parts))
    assert WHOLE.part(specs) == specs


@pytest.mark.parametrize("text", ["", "1", "0/2", "3/2", "a/b", "1/2/3", "-1/2"])
def test_shards_are_numbers(text: str) -> None:
    assert parse_shard("2/5") == Shard(2, 5)
    with pytest.raises(InputError, match="such as 2/5"):
        parse_shard(text)
